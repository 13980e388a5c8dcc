/** The interface of the engines of the search benchmark. A tweet's number is its index in the file; larger numbers are newer. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { tokensOf } from '../../../server/search/language/tokenizer.ts';
import type { Query } from '../../sample/mixed-queries.ts';

export interface PageRequest {
  readonly limit: number;
  /** The number of tweets before the page, and the last of them; an engine uses one of the two. */
  readonly offset: number;
  readonly after: number | undefined;
}

export interface Engine {
  /** Indexes a file of writeTweets. */
  build(file: string): Promise<void>;
  /** The numbers of the tweets of a page, newest first. */
  search(query: Query, page: PageRequest): readonly number[] | Promise<readonly number[]>;
  /** The first tweets by engagement, highest first; absent in libraries without this order. */
  top?(query: Query, limit: number): readonly number[] | Promise<readonly number[]>;
  /** Bytes on disk; absent where everything is in memory. */
  size?(): Promise<number>;
  close?(): Promise<void>;
}

/** Bytes in use, in the JavaScript heap and outside of it; needs node --expose-gc. */
export function bytesInUse(): number {
  for (let n = 0; n < 2; n++) globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  // Node counts shared memory only among the array buffers.
  return heapUsed + Math.max(external, arrayBuffers);
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
    if (record.kind === 'tweet') yield plain(n++, record.tweet, usernames.get(record.tweet.author_id) ?? '');
  }
}

const plain = (n: number, { text, created_at, like_count }: ArchivedTweet, author: string): PlainTweet => ({
  n,
  text,
  author,
  createdAt: Date.parse(created_at),
  likes: like_count ?? 0,
});

/** The tokens of a text between single blanks, so that `includes` finds adjacent words. */
export const tokenLine = (text: string): string => ` ${tokensOf(text).join(' ')} `;

/** Filters the candidates of a peer by the conditions that its index does not support: phrases, negation, likes and dates. */
export function accepts(
  { phrase, without, author, since = 0, until = Number.POSITIVE_INFINITY, minLikes = 0 }: Query,
  tweet: Omit<PlainTweet, 'n' | 'text'> & { line: string },
): boolean {
  return (
    tweet.likes >= minLikes &&
    tweet.createdAt >= since &&
    tweet.createdAt < until &&
    (author === undefined || tweet.author === author) &&
    (phrase === undefined || tweet.line.includes(` ${phrase.join(' ')} `)) &&
    !without.some((word) => tweet.line.includes(` ${word} `))
  );
}

/** A page of the results, newest first. */
export const pageOf = (found: number[], { offset, limit }: PageRequest): number[] =>
  found.sort((a, b) => b - a).slice(offset, offset + limit);
