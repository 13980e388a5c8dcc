/** The text that the table stores of a tweet: its JSON without the members that columns of the table hold. */
import { counts, type ArchivedTweet } from '../../domain/records.ts';
import { parseIsoTime } from '../../text/iso-time.ts';
import { keysOf } from '../../text/object.ts';

/** The values of the columns from which `unpack` takes what `pack` left out. */
export interface TweetColumns {
  readonly id: bigint;
  readonly authorId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

const inColumns: ReadonlySet<string> = new Set(['id', 'author_id', 'created_at', ...counts]);

/** The only way to write an id below 2^64. */
const canonicalId = /^(?:0|[1-9][0-9]{0,18})$/;

/** Starts a packed tweet whose id or time has a form that the columns cannot express: it holds both itself. */
const ownStart = '{"id":';

export function pack(tweet: ArchivedTweet): string {
  const { id, created_at } = tweet;
  const isCanonical = canonicalId.test(id) && !Number.isNaN(parseIsoTime(created_at));
  return JSON.stringify(restOf(tweet, isCanonical ? {} : { id, created_at }));
}

/** The tweet without its counts. */
export function unpack(packed: string, { id, authorId, createdAt }: TweetColumns): ArchivedTweet {
  const own = packed.startsWith(ownStart) ? '' : `"id":"${id}","created_at":"${new Date(createdAt).toISOString()}",`;
  return JSON.parse(`{"author_id":${JSON.stringify(authorId)},${own}${packed.slice(1)}`);
}

/** The same tweet with its members in the order of `unpack`. */
export function inPackedOrder(tweet: ArchivedTweet): ArchivedTweet {
  const { id, created_at, author_id } = tweet;
  const ordered: ArchivedTweet = { author_id, id, created_at, ...restOf(tweet, {}), text: tweet.text };
  for (const name of counts) if (tweet[name] !== undefined) ordered[name] = tweet[name];
  return ordered;
}

/** Adds the members that no column holds to an object. */
function restOf(tweet: ArchivedTweet, rest: Record<string, unknown>): Partial<ArchivedTweet> {
  for (const name of keysOf(tweet)) if (!inColumns.has(name)) rest[name] = tweet[name];
  return rest;
}
