/** People of the conversation that a question names without `@`. */
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';
import type { ConversationTree, Post } from '../../conversation-tree.ts';
import type { Context } from './context.ts';
import { cueNames, type Language } from './languages.ts';
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
 * The participants that a question names by the whole username, or by most words of the username or the name that mean nothing else in
 * the question or in the conversation, and the question without the names. Several: they have the same name.
 */
export function participantsIn(context: Context, prompt: string): { authors: Author[]; rest: string } {
  const authors = authorsOf(context.tree);
  const words = new Set(prompt.toLowerCase().match(/@?[\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu));
  const named = authors.filter(({ username }) => username !== '' && words.has(username.toLowerCase()));
  if (named.length > 0)
    return {
      authors: named,
      rest: without(
        prompt,
        named.map(({ username }) => username),
      ),
    };
  const free = freeWords(context, prompt, authors);
  const parts = (author: Author): string[] => [
    ...new Set(partsOf(author).filter((part) => part.length >= minPart && free.has(part))),
  ];
  const most = free.size === 0 ? 0 : Math.max(0, ...authors.map((author) => parts(author).length));
  const best = most === 0 ? [] : authors.filter((author) => parts(author).length === most);
  return { authors: best, rest: without(prompt, best.flatMap(parts)) };
}

/** A prompt without some names, where they are written so. */
const without = (prompt: string, names: readonly string[]): string =>
  names.reduce((rest, name) => {
    const place = rest.toLowerCase().indexOf(name.toLowerCase());
    return place === -1 ? rest : `${rest.slice(0, place)} ${rest.slice(place + name.length)}`;
  }, prompt);

/** The words of a question that are neither question words nor words of the conversation. */
function freeWords(
  { wording: { language }, lexis, passages }: Context,
  prompt: string,
  authors: readonly Author[],
): Set<string> {
  const text = readable(prompt);
  const rest = language.without(cueNames, text);
  const words = tokensOf(rest).filter((word) => word.length >= minPart && !lexis.isStop(word));
  if (words.length === 0) return new Set();
  const used = new Set(passages.flatMap(({ terms, askedTerms }) => [...terms, ...askedTerms]));
  // In “what did Nell say about it?” the name is one, though others address her by it.
  const isOfSpeaker = text.search(language.pattern(language.data.says)) !== -1;
  const names = new Set(isOfSpeaker ? authors.flatMap(({ name }) => tokensOf(fold(name))) : []);
  return new Set(words.filter((word) => names.has(word) || (!used.has(lexis.stem(word)) && !used.has(word))));
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
