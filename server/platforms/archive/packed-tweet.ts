/** The text that the table stores of a tweet: its JSON without the members that columns of the table hold, shortened. */
import { isId } from '../../domain/record-id.ts';
import { counts, type ArchivedTweet } from '../../domain/records.ts';
import { parseIsoTime, toIsoTime } from '../../text/iso-time.ts';
import { keysOf } from '../../text/object.ts';
import { expand, shorten, textMember } from './json-phrases.ts';

/** The values of the columns from which `unpack` takes what `pack` left out. Times are in milliseconds since the epoch. */
export interface TweetColumns {
  readonly id: bigint;
  readonly authorId: string;
  readonly createdAt: number;
  /** 0 for a tweet without a known time of observation. */
  readonly observedAt: number;
}

/** The members that are not in the rest of a packed tweet: it begins with its text. */
const outsideRest: ReadonlySet<string> = new Set(['id', 'author_id', 'created_at', 'observed_at', 'text', ...counts]);

/** Starts a packed tweet whose id or a time of which has a form that the columns cannot express: it holds them itself. */
const ownStart = '"id":';

export function pack(tweet: ArchivedTweet): string {
  const { id, created_at, observed_at, text } = tweet;
  const isCanonical =
    isId(id) && !Number.isNaN(parseIsoTime(created_at)) && (observed_at === undefined || parseIsoTime(observed_at) > 0);
  const own = isCanonical ? '' : `${JSON.stringify({ id, created_at, observed_at }).slice(1, -1)},`;
  const rest = JSON.stringify(restOf(tweet, {}));
  return `${own}${textMember}${JSON.stringify(text)}${shorten(rest === '{}' ? '}' : `,${rest.slice(1)}`)}`;
}

/** The tweet without its counts. */
export function unpack(packed: string, { id, authorId, createdAt, observedAt }: TweetColumns): ArchivedTweet {
  const observed = observedAt === 0 ? '' : `"observed_at":"${toIsoTime(observedAt)}",`;
  const own = packed.startsWith(ownStart) ? '' : `"id":"${id}","created_at":"${toIsoTime(createdAt)}",${observed}`;
  return JSON.parse(`{"author_id":${JSON.stringify(authorId)},${own}${expand(packed)}`);
}

/** The same tweet with its members in the order of `unpack`. */
export function inPackedOrder(tweet: ArchivedTweet): ArchivedTweet {
  const { id, created_at, author_id, observed_at, text } = tweet;
  const observed = observed_at === undefined ? {} : { observed_at };
  const ordered: ArchivedTweet = { author_id, id, created_at, ...observed, text, ...restOf(tweet, {}) };
  for (const name of counts) if (tweet[name] !== undefined) ordered[name] = tweet[name];
  return ordered;
}

/** Adds the other members to an object. */
function restOf(tweet: ArchivedTweet, rest: Record<string, unknown>): Partial<ArchivedTweet> {
  for (const name of keysOf(tweet)) if (!outsideRest.has(name)) rest[name] = tweet[name];
  return rest;
}
