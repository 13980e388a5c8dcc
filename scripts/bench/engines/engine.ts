/** What the search benchmark asks of an engine. Tweets are named by their place in the file, from 0: later ones are newer. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { tokensOf } from '../../../server/search/language/tokenizer.ts';
import type { Asked } from '../queries.ts';

export interface PageAsked {
  readonly limit: number;
  /** How many tweets come before it, and the last of these; engines take what they can continue from. */
  readonly offset: number;
  readonly after: number | undefined;
}

export interface Engine {
  /** Takes in a file of writeTweets. */
  build(file: string): Promise<void>;
  /** The tweets of a page, newest first. */
  search(asked: Asked, page: PageAsked): readonly number[] | Promise<readonly number[]>;
  /** Bytes that the index needs and bytes resident, where the process that holds them has more than these, or is another one. */
  memory?(): Promise<{ index: number; resident?: number }>;
  close?(): Promise<void>;
}

/** Bytes that are in use, in the JavaScript heap and outside of it; needs node --expose-gc. */
export function bytesInUse(): number {
  for (let n = 0; n < 2; n++) globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The records of a file. */
export async function* recordsOf(file: string): AsyncGenerator<ArchiveRecord, void> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line) as ArchiveRecord;
}

/** A tweet as the peers index it. */
export interface PlainTweet {
  readonly n: number;
  readonly text: string;
  readonly author: string;
  readonly createdAt: number;
  readonly likes: number;
}

/** The tweets of a file, for the peers. */
export async function* plainTweets(file: string): AsyncGenerator<PlainTweet, void> {
  const usernames = new Map<string, string>();
  let n = 0;
  for await (const record of recordsOf(file)) {
    if (record.kind === 'user') usernames.set(record.user.id, record.user.username);
    if (record.kind === 'tweet') yield plain(n++, record.tweet, usernames.get(record.tweet.author_id)!);
  }
}

const plain = (n: number, { text, created_at, like_count }: ArchivedTweet, author: string): PlainTweet => ({
  n,
  text,
  author,
  createdAt: Date.parse(created_at),
  likes: like_count ?? 0,
});

/** A text as words set apart by single blanks, so that words next to each other are found by `includes`. */
export const lineOf = (text: string): string => ` ${tokensOf(text).join(' ')} `;

/** What the peers cannot ask their index, asked of what it found: words next to each other, words that must not be there, likes and dates. */
export function accepts(
  { phrase, without, author, since = 0, until = Number.POSITIVE_INFINITY, leastLikes = 0 }: Asked,
  tweet: Omit<PlainTweet, 'n' | 'text'> & { line: string },
): boolean {
  return (
    tweet.likes >= leastLikes &&
    tweet.createdAt >= since &&
    tweet.createdAt < until &&
    (author === undefined || tweet.author === author) &&
    (phrase === undefined || tweet.line.includes(` ${phrase.join(' ')} `)) &&
    !without.some((word) => tweet.line.includes(` ${word} `))
  );
}

/** A page of what was found, newest first. */
export const pageOf = (found: number[], { offset, limit }: PageAsked): number[] =>
  found.sort((a, b) => b - a).slice(offset, offset + limit);

/** A module of scripts/bench/node_modules, which is there only where it was installed. */
export const peer = async <Module>(name: string): Promise<Module> => (await import(name)) as Module;
