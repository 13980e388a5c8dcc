import type { Handler, Query, Schemas } from '../contract/operations.ts';
import { badRequest } from '../contract/service-error.ts';
import type { CountSpan, TweetCounts } from '../ports/platform.ts';
import { parse } from '../search/language/parse.ts';
import { toIsoTime } from '../text/iso-time.ts';
import type { Parts } from './parts.ts';

const hourMs = 3_600_000;
const bucketMs = { hour: hourMs, day: 24 * hourMs } as const;
/** The longest range, in buckets: 31 days of hours, and about two years of days. */
const maxBuckets = 744;
/** Without `since_time`, the range begins so long before its end. */
const defaultRangeMs = 7 * bucketMs.day;
/** The total of the whole archive is not counted beyond this. */
const mostOfAll = 10_000;

/** Tweets that match a query, counted by hour or day of UTC, or all. Throws 400 for a query that cannot be parsed, and for a range that is empty or too long. */
export const countTweets =
  ({ platform }: Parts): Handler<'countTweets'> =>
  async (call) => {
    const span = spanOf(call.query, Date.now());
    const { buckets, isWhole } = await platform.counts(parse(call.query.query), span, call);
    const total = buckets.reduce((sum, [, tweets]) => sum + tweets, 0);
    return {
      counts: bucketsOf(span, buckets),
      total: isWhole ? total : mostOfAll,
      total_relation: isWhole ? 'exact' : 'at_least',
    };
  };

/** The range of a count. `now`: its end where the request has none, in milliseconds since the epoch. */
function spanOf({ granularity, since_time, until_time }: Query<'countTweets'>, now: number): CountSpan {
  if (since_time !== undefined && until_time !== undefined && since_time >= until_time)
    throw badRequest("'since_time' must be before 'until_time'");
  if (granularity === 'all') {
    const since = since_time === undefined ? Number.NEGATIVE_INFINITY : since_time * 1000;
    const until = until_time === undefined ? Number.POSITIVE_INFINITY : until_time * 1000;
    return { since, until, most: mostOfAll };
  }
  const ms = bucketMs[granularity];
  const until = until_time === undefined ? Math.floor(now / 1000) * 1000 : until_time * 1000;
  const since = since_time === undefined ? Math.max(0, until - defaultRangeMs) : since_time * 1000;
  if (since_time !== undefined && since >= until)
    throw badRequest("'since_time' is in the future: send 'until_time' too");
  if (until - since > maxBuckets * ms)
    throw badRequest(
      `'since_time' and 'until_time' are more than ${maxBuckets} ${granularity}s apart: ask for parts of the range one after another`,
    );
  return { since, until, bucketMs: ms };
}

/** Each bucket of a range, oldest first, also those without tweets. The first and the last one end at the limits of the range. */
function bucketsOf(
  { since, until, bucketMs: ms }: CountSpan,
  found: TweetCounts['buckets'],
): Schemas['TweetCounts']['counts'] {
  if (ms === undefined) return [];
  const tweets = new Map(found);
  const first = Math.floor(since / ms);
  return Array.from({ length: Math.ceil(until / ms) - first }, (_, index) => {
    const bucket = first + index;
    return {
      start: toIsoTime(Math.max(since, bucket * ms)),
      end: toIsoTime(Math.min(until, (bucket + 1) * ms)),
      tweet_count: tweets.get(bucket) ?? 0,
    };
  });
}
