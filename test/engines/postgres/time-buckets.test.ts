/** The lexemes of times, and the windows of time that they select. */
import { describe, expect, test } from '@jest/globals';
import {
  bucketOf,
  bucketsQuery,
  bucketWindows,
  lexemesOfTime,
  startOfBucket,
  windowsSince,
  timesOf,
  type TweetTimes,
} from '../../../server/engines/postgres/rows/time-buckets.ts';
import fc from '../../support/property.ts';

const lexemesIn = (query: string): string[] => query.split(' | ').map((lexeme) => lexeme.slice(1, -1));
/** As many tweets in each bucket from one to another. */
const even = (from: number, to: number): TweetTimes => timesOf([startOfBucket(from), startOfBucket(to)])!;

describe('the query of buckets', () => {
  test('finds the tweets of these buckets only, each by one lexeme', () => {
    const bucket = fc.integer({ min: -80, max: 80 });
    const at = fc.integer({ min: startOfBucket(-90), max: startOfBucket(260) });
    fc.assert(
      fc.property(bucket, fc.nat(160), at, (from, count, time) => {
        const wanted = count === 0 ? [] : lexemesIn(bucketsQuery(from, from + count));
        const found = lexemesOfTime(time).filter((lexeme) => wanted.includes(lexeme));
        expect(found).toHaveLength(from <= bucketOf(time) && bucketOf(time) < from + count ? 1 : 0);
      }),
    );
  });

  test('names three hours or four days by one lexeme', () => {
    expect(lexemesIn(bucketsQuery(31, 129))).toHaveLength(1 + 3 + 1);
    expect(startOfBucket(31)).toBe(31 * 3 * 3_600_000);
  });
});

describe('windows of buckets', () => {
  test('have about the share before the end, and four times as much before it', () => {
    expect(bucketWindows(even(0, 1000), startOfBucket(1000), 0.01)).toEqual({ older: 950, from: 990, to: 1001 });
    expect(bucketWindows(even(0, 1000), startOfBucket(500), 0.002)).toEqual({ older: 490, from: 498, to: 501 });
  });

  test('have all tweets before an end that few tweets are before', () => {
    expect(bucketWindows(even(0, 1000), startOfBucket(15), 0.01)).toEqual({ older: 0, from: 0, to: 16 });
    expect(bucketWindows(even(0, 1000), startOfBucket(-7), 0.01)).toEqual({ older: -7, from: -7, to: -6 });
  });

  test('reach from the newest tweet to a later end', () => {
    expect(bucketWindows(even(0, 1000), startOfBucket(1700), 0.01)).toMatchObject({ from: 990, to: 1701 });
  });

  test('of many buckets begin with a bucket that begins four days', () => {
    expect(bucketWindows(even(0, 1000), startOfBucket(1000), 0.11)).toEqual({ older: 864, from: 864, to: 1001 });
    expect(bucketWindows(even(0, 1000), startOfBucket(1000), 0.05)).toEqual({ older: 736, from: 950, to: 1001 });
  });

  test('end at an earlier time, to which the second one reaches where it would be empty', () => {
    const both = { older: 100, from: 200, to: 300 };
    expect(windowsSince(both, Number.NEGATIVE_INFINITY)).toEqual(both);
    expect([0, 150, 250, 900].map((bucket) => windowsSince(both, startOfBucket(bucket)))).toEqual([
      both,
      { older: 150, from: 200, to: 300 },
      { older: 250, from: 250, to: 300 },
      { older: 299, from: 299, to: 300 },
    ]);
    expect(windowsSince({ ...both, older: 200 }, startOfBucket(20))).toEqual({ older: 20, from: 200, to: 300 });
    expect(windowsSince({ ...both, older: 200 }, startOfBucket(-9000)).older).toBe(200 - 4096);
  });

  test('are not there for most of the tweets, and for too many buckets', () => {
    expect(bucketWindows(even(0, 1000), startOfBucket(1000), 0.6)).toBeUndefined();
    expect(bucketWindows(even(0, 1000), startOfBucket(9000), 0.01)).toBeUndefined();
  });
});

describe('times', () => {
  test('come from ranges with equally many tweets', () => {
    const times = timesOf([0, 100, 1100])!;
    expect([0, 50, 100, 600, 1100, 2000, -1].map(times.shareBefore)).toEqual([0, 0.25, 0.5, 0.75, 1, 1, 0]);
    expect([0, 0.25, 0.5, 0.75, 1, 2, -1].map(times.timeAt)).toEqual([0, 50, 100, 600, 1100, 1100, 0]);
  });

  test('are not known without a range', () => {
    expect([[], [1], [1, 1]].map(timesOf)).toEqual([undefined, undefined, undefined]);
  });
});
