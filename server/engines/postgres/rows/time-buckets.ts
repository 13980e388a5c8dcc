/**
 * The time of a tweet as lexemes, so that the index of words finds the tweets of some hours or days without reading the others. A tweet has the
 * lexeme of its bucket of three hours, and that of 32 buckets, four days, which keeps the query of a year short.
 */
import { quoteLexeme } from './lexemes.ts';

const bucketMs = 3 * 3_600_000;
const blockBuckets = 32;
/** The buckets of a window at most: 512 days. A window has some 190 lexemes then, and each tweet is compared with all of them. */
const maxBuckets = 4096;

/** The number of the bucket of a time in milliseconds since the epoch. */
export const bucketOf = (at: number): number => Math.floor(at / bucketMs);
/** The first moment of a bucket, in milliseconds since the epoch. */
export const startOfBucket = (bucket: number): number => bucket * bucketMs;
/** The first bucket of the block of a bucket. */
const startOfBlock = (bucket: number): number => Math.floor(bucket / blockBuckets) * blockBuckets;

/** As those of pairs, they begin with a capital letter, as no token and no term does; ASCII follows, as in no pair. */
const bucketLexeme = (bucket: number): string => `T${bucket.toString(36)}`;
const blockLexeme = (bucket: number): string => `B${(bucket / blockBuckets).toString(36)}`;

/** The lexemes of a tweet that was created at a time in milliseconds since the epoch. */
export function lexemesOfTime(at: number): readonly [bucket: string, block: string] {
  const bucket = bucketOf(at);
  return [bucketLexeme(bucket), blockLexeme(startOfBlock(bucket))];
}

/** A tsquery for the tweets of the buckets from `from` to the one before `to`. */
export function bucketsQuery(from: number, to: number): string {
  const lexemes: string[] = [];
  for (let bucket = from; bucket < to;) {
    const isBlock = startOfBlock(bucket) === bucket && bucket + blockBuckets <= to;
    lexemes.push(quoteLexeme(isBlock ? blockLexeme(bucket) : bucketLexeme(bucket)));
    bucket += isBlock ? blockBuckets : 1;
  }
  return lexemes.join(' | ');
}

/** How the tweets of an archive are distributed over the time, as PostgreSQL estimates it. */
export interface TweetTimes {
  /** The time of the newest tweet, in milliseconds since the epoch. */
  readonly newest: number;
  /** The share of the tweets before a time, from 0 to 1. */
  shareBefore(at: number): number;
  /** The time before which a share of the tweets was created. */
  timeAt(share: number): number;
}

/** The times from the limits of ranges that have equally many tweets; undefined without a range. */
export function timesOf(bounds: readonly number[]): TweetTimes | undefined {
  const [oldest, newest] = [bounds[0], bounds.at(-1)];
  if (oldest === undefined || newest === undefined || oldest === newest) return undefined;
  const ranges = bounds.length - 1;
  return {
    newest,
    shareBefore(at) {
      if (at >= newest) return 1;
      const index = bounds.findLastIndex((bound) => bound <= at);
      const [from, to] = [bounds[index], bounds[index + 1]];
      return from === undefined || to === undefined ? 0 : (index + (at - from) / (to - from)) / ranges;
    },
    timeAt(share) {
      const place = Math.min(Math.max(share, 0), 1) * ranges;
      const index = Math.min(Math.floor(place), ranges - 1);
      const [from = oldest, to = newest] = [bounds[index], bounds[index + 1]];
      return from + (place - index) * (to - from);
    },
  };
}

/**
 * Windows of time, `[from, to)`, which a page reads first, and `[older, from)`, as numbers of buckets. Before and behind them are the other tweets.
 */
export interface BucketWindows {
  readonly older: number;
  readonly from: number;
  readonly to: number;
}

/** How many times more tweets the window behind the first one has. */
const growth = 4;
/** Where less than this share of the tweets is before the end of a window, the window has all of them rather than most. */
const fewShare = 0.5;
/** From this number of buckets on, a window begins with a block. */
const manyBuckets = 96;

/**
 * Windows that end after the bucket of `end`, a time in milliseconds since the epoch. The first has about a share of all tweets, the other four times as
 * many. Undefined where the first would have most of the tweets, or too many buckets. It has all tweets before `end` if they are few; the other one is empty
 * where both would have most of them.
 */
export function bucketWindows(times: TweetTimes, end: number, share: number): BucketWindows | undefined {
  const before = times.shareBefore(end);
  const isMost = before < 2 * share;
  if (isMost && before >= fewShare) return undefined;
  const to = bucketOf(end) + 1;
  const from = Math.min(startOfWindow(times.timeAt(isMost ? 0 : before - share), Math.min(end, times.newest)), to - 1);
  if (to - from > maxBuckets) return undefined;
  const both = (1 + growth) * share;
  if (before < 2 * both) return { older: from, from, to };
  const older = startOfWindow(times.timeAt(before - both), startOfBucket(from));
  return { older: Math.max(older, from - maxBuckets), from, to };
}

/**
 * Windows without the buckets before a time in milliseconds since the epoch, which can be minus infinity. The second one reaches to that time where it
 * would be empty.
 */
export function windowsSince(windows: BucketWindows, since: number): BucketWindows {
  if (since === Number.NEGATIVE_INFINITY) return windows;
  const { to } = windows;
  const first = bucketOf(since);
  const from = Math.min(Math.max(windows.from, first), to - 1);
  const older = windows.older < windows.from ? Math.max(windows.older, first) : first;
  return { older: Math.min(Math.max(older, from - maxBuckets), from), from, to };
}

/** The first bucket of a window from about a time to another one. */
function startOfWindow(at: number, end: number): number {
  const [first, last] = [bucketOf(at), bucketOf(end)];
  return last - first > manyBuckets ? startOfBlock(first) : first;
}
