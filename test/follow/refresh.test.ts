import { expect, test } from '@jest/globals';
import { RefreshLoop } from '../../server/follow/refresh-loop.ts';
import { RefreshSchedule } from '../../server/follow/refresh-schedule.ts';
import { FollowMetrics } from '../../server/follow/follow-metrics.ts';
import type { ArchivedTweet, ArchiveRecord } from '../../server/domain/records.ts';
import { SourceError } from '../../server/ports/live-source.ts';
import { strictHeld } from '../support/strict-held.ts';
import { ManualClock } from '../support/manual-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The ages at which a schedule reads a tweet, where it is asked every minute. */
function readings(createdBefore: number): number[] {
  const schedule = new RefreshSchedule();
  const start = 1_770_000_000_000;
  const createdAt = start - createdBefore;
  schedule.add('1', createdAt, start);
  const ages: number[] = [];
  for (let now = start; now < start + 9 * dayMs; now += minuteMs)
    for (const { id, createdAt: created } of schedule.take(now, 10)) {
      ages.push(now - created);
      schedule.add(id, created, now);
    }
  expect(schedule.size).toBe(0);
  return ages;
}

test('a tweet is read again every 5 minutes, then hourly, then daily, and not after a week', () => {
  const ages = readings(0);
  expect(ages.slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, index) => (index + 1) * 5 * minuteMs));
  expect(ages.slice(12, 35)).toEqual(Array.from({ length: 23 }, (_, index) => (index + 2) * hourMs));
  expect(ages.slice(35)).toEqual([2, 3, 4, 5, 6, 7].map((days) => days * dayMs));
});

test('an older tweet begins at its age, and one of a week is left out', () => {
  expect(readings(3 * dayMs)).toEqual([4, 5, 6, 7].map((days) => days * dayMs));
  expect(readings(7 * dayMs)).toEqual([]);
});

test('the schedule is bounded, and forgets first what is read again most rarely', () => {
  const now = 1_770_000_000_000;
  const schedule = new RefreshSchedule(3);
  schedule.add('old', now - 3 * dayMs, now);
  for (const id of ['1', '2', '2', '3', '4']) schedule.add(id, now, now);
  expect(schedule.size).toBe(3);
  expect(schedule.take(now + 2 * dayMs, 9).map(({ id }) => id)).toEqual(['2', '3', '4']);
  expect(schedule.size).toBe(0);
});

/** A loop over tweets that a test changes. */
function createLoop() {
  const clock = new ManualClock();
  const tweets = new Map<string, ArchivedTweet>();
  const asked: string[][] = [];
  const applied: ArchiveRecord[] = [];
  const state = { error: undefined as SourceError | undefined };
  const loop = new RefreshLoop({
    source: {
      name: 'bluesky',
      refresh: async (due) => {
        asked.push(due.map(({ id }) => id));
        if (state.error !== undefined) throw state.error;
        return due
          .filter(({ id }) => id === '1')
          .map((tweet) => ({ kind: 'tweet', tweet: { ...tweet, like_count: 7 } }));
      },
    },
    sink: {
      follow: async (_source, _position, records) => {
        applied.push(...records);
        return records.map(() => 'updated' as const);
      },
    },
    held: strictHeld({
      read: () => ({
        tweet: (id) => tweets.get(id),
        isRemoved: () => false,
        addressOf: () => undefined,
        profile: () => undefined,
        isWithdrawn: () => false,
        hasTweets: () => false,
      }),
      followings: () => [],
      tweetsOf: (userId) => [...tweets.values()].filter((tweet) => tweet.author_id === userId),
    }),
    clock,
    metrics: new FollowMetrics().of('bluesky'),
    onInvalid: () => {},
  });
  const tweet = (id: string, ageMs = 0): ArchivedTweet => {
    const made = { id, text: 'x', author_id: '9', created_at: new Date(clock.now() - ageMs).toISOString() };
    tweets.set(id, made);
    return made;
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 5000) {
      clock.jump(5000);
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { loop, clock, tweets, tweet, asked, applied, state, pass };
}

test('the loop reads due tweets in groups, applies what differs, and forgets what is gone', async () => {
  const { loop, tweets, tweet, asked, applied, pass } = createLoop();
  const stopped = new AbortController();
  loop.add([
    ...Array.from({ length: 150 }, (_, index) => ({ kind: 'tweet' as const, tweet: tweet(String(index)) })),
    { kind: 'tweet', tweet: { ...tweet('500'), retweeted_tweet_id: '1' } },
    { kind: 'delete', tweet_id: '77' },
  ]);
  const running = loop.run(stopped.signal);
  await pass(4 * minuteMs);
  expect(asked).toEqual([]);
  tweets.delete('3');
  await pass(2 * minuteMs);
  expect(asked.map(({ length }) => length)).toEqual([99, 50]);
  expect(applied).toMatchObject([{ kind: 'tweet', tweet: { id: '1', like_count: 7 } }]);
  expect(loop.size).toBe(149);
  stopped.abort();
  await running;
});

test('the loop waits after an error as long as the platform asks, and goes on', async () => {
  const { loop, tweet, asked, state, pass } = createLoop();
  const stopped = new AbortController();
  loop.add([{ kind: 'tweet', tweet: tweet('1') }]);
  const running = loop.run(stopped.signal);
  state.error = new SourceError('too many requests', { retryAfterMs: 20 * minuteMs });
  await pass(20 * minuteMs);
  expect(asked.length).toBe(1);
  state.error = undefined;
  await pass(12 * minuteMs);
  expect(asked.length).toBe(2);
  stopped.abort();
  await running;
});

test('the loop begins with the tweets of the last week that the archive has', async () => {
  const { loop, tweet } = createLoop();
  for (const [id, days] of [
    ['1', 1],
    ['2', 3],
    ['3', 8],
    ['4', 5],
  ] as const)
    tweet(id, days * dayMs);
  // The archive lists the newest first: an older one ends the search.
  await loop.addAccounts(['9']);
  expect(loop.size).toBe(2);
});
