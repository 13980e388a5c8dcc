/** The text that the table stores of a tweet: its JSON without the members that columns of the table hold. */
import { counts, type ArchivedTweet } from '../../domain/records.ts';
import { keysOf } from '../../text/object.ts';

/** The values of the columns from which `unpack` takes what `pack` left out. */
export interface TweetColumns {
  readonly id: bigint;
  readonly authorId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

const inColumns: ReadonlySet<string> = new Set(['id', 'author_id', 'created_at', ...counts]);

/** Starts a packed tweet whose id or time has a form that the columns cannot express: it holds both itself. */
const ownStart = '{"id":';

export function pack(tweet: ArchivedTweet): string {
  const { id, created_at } = tweet;
  const isCanonical = String(BigInt(id)) === id && new Date(created_at).toISOString() === created_at;
  return JSON.stringify({ ...(isCanonical ? {} : { id, created_at }), ...restOf(tweet) });
}

/** The tweet without its counts. */
export function unpack(packed: string, { id, authorId, createdAt }: TweetColumns): ArchivedTweet {
  const own = packed.startsWith(ownStart) ? '' : `"id":"${id}","created_at":"${new Date(createdAt).toISOString()}",`;
  return JSON.parse(`{"author_id":${JSON.stringify(authorId)},${own}${packed.slice(1)}`);
}

/** The same tweet with its members in the order of `unpack`. */
export function inPackedOrder(tweet: ArchivedTweet): ArchivedTweet {
  const { id, created_at, author_id } = tweet;
  const ordered: ArchivedTweet = { author_id, id, created_at, ...restOf(tweet), text: tweet.text };
  for (const name of counts) if (tweet[name] !== undefined) ordered[name] = tweet[name];
  return ordered;
}

/** The members that no column holds. */
function restOf(tweet: ArchivedTweet): Partial<ArchivedTweet> {
  const rest: Record<string, unknown> = {};
  for (const name of keysOf(tweet)) if (!inColumns.has(name)) rest[name] = tweet[name];
  return rest;
}
