/** People of the conversation that a question names without `@`. */
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';
import type { ConversationTree, Post } from '../../conversation-tree.ts';
import type { Context } from './context.ts';
import type { CueName, Language } from './languages.ts';
import { readable } from './words.ts';

type Author = Post['author'];

/** Minimum length of a part of a name that names somebody alone: `sal` for `skeptic_sal`. */
const minPart = 3;

const partsOf = ({ username, name }: Author): string[] => [...username.split('_'), ...tokensOf(name)].map(fold);

/** The people who wrote in a conversation. */
export const authorsOf = (tree: ConversationTree): Author[] => [
  ...new Map(tree.conversation.map(({ post: { author } }) => [author.id, author])).values(),
];

/** Whether the words of a question are parts of a name, besides those that ask for answers. */
export function isNameOf(author: Author, words: readonly string[], language: Language): boolean {
  const rest = words.filter((word) => !language.has('answered', word));
  return rest.length > 0 && rest.every((word) => partsOf(author).includes(word));
}

/**
 * The participant that a question names by the whole username, or by a word of the username or the name that means nothing
 * else in the question or in the conversation, and the question without the name; undefined if there is none, or more than one.
 */
export function participantIn(context: Context, prompt: string): { author: Author; rest: string } | undefined {
  const authors = authorsOf(context.tree);
  const words = new Set(prompt.toLowerCase().match(/@?[\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu));
  const named = authors.filter(({ username }) => username !== '' && words.has(username.toLowerCase()));
  if (named.length > 0) return only(named, prompt, ({ username }) => username);
  const free = freeWords(context, prompt);
  if (free.size === 0) return undefined;
  const partOf = (author: Author): string | undefined =>
    partsOf(author).find((part) => part.length >= minPart && free.has(part));
  return only(
    authors.filter((author) => partOf(author) !== undefined),
    prompt,
    partOf,
  );
}

function only(found: readonly Author[], prompt: string, nameOf: (author: Author) => string | undefined) {
  const [author, ...others] = found;
  if (author === undefined || others.length > 0) return undefined;
  const name = nameOf(author) ?? '';
  const place = prompt.toLowerCase().indexOf(name.toLowerCase());
  return { author, rest: place === -1 ? prompt : `${prompt.slice(0, place)} ${prompt.slice(place + name.length)}` };
}

/** The words of a question that are neither question words nor words of the conversation. */
function freeWords({ wording: { language }, lexis, passages }: Context, prompt: string): Set<string> {
  const rest = language.without(Object.keys(language.data.cues) as CueName[], readable(prompt));
  const words = tokensOf(rest).filter((word) => word.length >= minPart && !lexis.isStop(word));
  if (words.length === 0) return new Set();
  const used = new Set(passages.flatMap(({ terms, askedTerms }) => [...terms, ...askedTerms]));
  return new Set(words.filter((word) => !used.has(lexis.stem(word)) && !used.has(word)));
}

/** A word that only a username is: with `_` between letters and digits. */
const usernameWord = /(?<![\p{L}\p{N}_@.])[a-z\d]+(?:_[a-z\d]+)+(?![\p{L}\p{N}_])/iu;

/** Somebody whom a question names by the whole username, and whose reply is not among those that were read. */
export async function replierIn({ archive, tree }: Context, prompt: string): Promise<string | undefined> {
  const [username] = usernameWord.exec(prompt) ?? [];
  if (username === undefined) return undefined;
  const replies = await archive.search(`from:${username} in_reply_to_tweet_id:${tree.subject.tweet.id}`, 3);
  return replies.length > 0 ? username : undefined;
}
