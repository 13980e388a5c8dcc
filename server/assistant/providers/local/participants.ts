/** People of the conversation that a question names without `@`. */
import type { Schemas } from '../../../contract/operations.ts';
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';
import type { Context } from './context.ts';
import type { CueName } from './languages/language.ts';
import { matcherOf } from './languages/matcher.ts';

type Author = Schemas['Tweet']['author'];

/** Minimum length of a part of a name that names somebody alone: `nils` for `nils_io`. */
const minPart = 4;

/** Somebody that a question names, and the question without the name. */
export interface NamedParticipant {
  readonly author: Author;
  readonly rest: string;
}

/**
 * The participant that a question names by the whole username, or by a word of the username or the name that means nothing
 * else in the question or in the conversation; undefined if there is none, or more than one.
 */
export function participantIn(context: Context, prompt: string): NamedParticipant | undefined {
  const { tweet, thread } = context.subject;
  const authors = new Map(
    [tweet, ...thread, ...context.replies, ...(tweet.quoted_tweet === null ? [] : [tweet.quoted_tweet])].map(
      ({ author }) => [author.id, author] as const,
    ),
  );
  const words = new Set(prompt.toLowerCase().match(/@?[\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu));
  const byUsername = [...authors.values()].filter(
    ({ username }) => username !== '' && words.has(username.toLowerCase()),
  );
  if (byUsername.length > 0) return only(byUsername, prompt, ({ username }) => username);
  const free = freeWords(context, prompt);
  const partOf = (author: Author): string | undefined => partsOf(author).find((part) => free.has(part));
  return only(
    [...authors.values()].filter((author) => partOf(author) !== undefined),
    prompt,
    partOf,
  );
}

function only(
  found: readonly Author[],
  prompt: string,
  nameOf: (author: Author) => string | undefined,
): NamedParticipant | undefined {
  const [author, ...others] = found;
  if (author === undefined || others.length > 0) return undefined;
  const name = nameOf(author) ?? '';
  const place = prompt.toLowerCase().indexOf(name.toLowerCase());
  return { author, rest: place === -1 ? prompt : `${prompt.slice(0, place)} ${prompt.slice(place + name.length)}` };
}

const partsOf = ({ username, name }: Author): string[] =>
  [...username.split('_'), ...tokensOf(name)].map(fold).filter((part) => part.length >= minPart);

/** The words of a question that are neither question words nor words of the conversation. */
function freeWords({ wording: { language }, lexis, passages }: Context, prompt: string): Set<string> {
  const cues = Object.keys(language.cues) as CueName[];
  const rest = matcherOf(language).without(cues, fold(prompt));
  const used = new Set(passages.flatMap(({ terms }) => terms));
  return new Set(
    tokensOf(rest).filter((word) => !lexis.isStop(word) && !used.has(lexis.stem(word)) && !used.has(word)),
  );
}

/** A word that only a username is: with `_` between letters and digits. */
const usernameWord = /(?<![\p{L}\p{N}_@.])[a-z\d]+(?:_[a-z\d]+)+(?![\p{L}\p{N}_])/iu;

/** Somebody whom a question names by the whole username, and whose reply is not among those that were read. */
export async function replierIn(context: Context, prompt: string): Promise<string | undefined> {
  const [username] = usernameWord.exec(prompt) ?? [];
  return username !== undefined && (await repliesBy(context, username)).length > 0 ? username : undefined;
}

/** The newest replies of somebody to the post. */
export const repliesBy = ({ archive, subject }: Context, username: string): Promise<readonly Schemas['TweetShort'][]> =>
  archive.search(`from:${username} in_reply_to_tweet_id:${subject.tweet.id}`, 3);
