/** The lexemes of days, and the windows of time that they select. */
import { describe, expect, test } from '@jest/globals';
import {
  dayOf,
  daysQuery,
  dayWindows,
  lexemesOfDay,
  startOfDay,
  windowsSince,
  timesOf,
  type TweetTimes,
} from '../../../server/platforms/postgres/tweet-days.ts';
import fc from '../../support/property.ts';

const lexemesIn = (query: string): string[] => query.split(' | ').map((lexeme) => lexeme.slice(1, -1));
/** As many tweets on each day from one to another. */
const even = (from: number, to: number): TweetTimes => timesOf([startOfDay(from), startOfDay(to)])!;

describe('the query of days', () => {
  test('finds the tweets of these days only, each by one lexeme', () => {
    const day = fc.integer({ min: -40, max: 40 });
    fc.assert(
      fc.property(day, fc.nat(80), fc.integer({ min: -60 * 86_400_000, max: 130 * 86_400_000 }), (from, count, at) => {
        const wanted = count === 0 ? [] : lexemesIn(daysQuery(from, from + count));
        const found = lexemesOfDay(at).filter((lexeme) => wanted.includes(lexeme));
        expect(found).toHaveLength(from <= dayOf(at) && dayOf(at) < from + count ? 1 : 0);
      }),
    );
  });

  test('names 16 days by one lexeme', () => {
    expect(lexemesIn(daysQuery(15, 65))).toHaveLength(1 + 3 + 1);
  });
});

describe('windows of days', () => {
  test('have about the share before the end, and eight times as much before it', () => {
    expect(dayWindows(even(0, 1000), startOfDay(1000), 0.01)).toEqual({ older: 896, from: 990, to: 1001 });
    expect(dayWindows(even(0, 1000), startOfDay(500), 0.002)).toEqual({ older: 482, from: 498, to: 501 });
  });

  test('reach from the newest tweet to a later end', () => {
    expect(dayWindows(even(0, 1000), startOfDay(1700), 0.01)).toMatchObject({ from: 990, to: 1701 });
  });

  test('of many days begin with a day that begins 16 days', () => {
    expect(dayWindows(even(0, 1000), startOfDay(1000), 0.1)).toEqual({ older: 896, from: 896, to: 1001 });
    expect(dayWindows(even(0, 1000), startOfDay(1000), 0.05)).toEqual({ older: 544, from: 944, to: 1001 });
  });

  test('end at an earlier time, to which the second one reaches where it would be empty', () => {
    const both = { older: 100, from: 200, to: 300 };
    expect(windowsSince(both, Number.NEGATIVE_INFINITY)).toEqual(both);
    expect([0, 150, 250, 900].map((day) => windowsSince(both, startOfDay(day)))).toEqual([
      both,
      { older: 150, from: 200, to: 300 },
      { older: 250, from: 250, to: 300 },
      { older: 299, from: 299, to: 300 },
    ]);
    expect(windowsSince({ ...both, older: 200 }, startOfDay(20))).toEqual({ older: 20, from: 200, to: 300 });
    expect(windowsSince({ ...both, older: 200 }, startOfDay(-9000)).older).toBe(200 - 4096);
  });

  test('are not there for most of the tweets, and for too many days', () => {
    expect(dayWindows(even(0, 1000), startOfDay(1000), 0.6)).toBeUndefined();
    expect(dayWindows(even(0, 1000), startOfDay(10), 0.01)).toBeUndefined();
    expect(dayWindows(even(0, 1000), startOfDay(9000), 0.01)).toBeUndefined();
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
