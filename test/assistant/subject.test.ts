// Tests server/assistant/shared-subject.ts.
import { expect, test } from '@jest/globals';
import { subjectOf } from '../../server/assistant/subject.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';
import { options } from '../support/call-options.ts';

const tweet = (id: number, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: {
    id: String(id),
    author_id: '1',
    text: `tweet ${id}`,
    created_at: new Date(id * 60_000).toISOString(),
    ...more,
  },
});
const ids = (tweets: readonly { id: string }[]): number[] => tweets.map(({ id }) => Number(id));

test('a subject has the nearest part of its thread, the best replies and the newest comparable tweets', async () => {
  const platform = new MemoryPlatform();
  const chain = Array.from({ length: 30 }, (_, n) => tweet(100 + n, n === 0 ? {} : { in_reply_to_id: String(99 + n) }));
  const replies = Array.from({ length: 70 }, (_, n) =>
    tweet(200 + n, { author_id: '2', in_reply_to_id: '129', like_count: n }),
  );
  platform.add([...chain, ...replies]);
  const subject = await subjectOf(platform, '129', options);
  expect(subject.tweet.id).toBe('129');
  expect(ids(subject.thread)).toEqual(Array.from({ length: 20 }, (_, n) => 109 + n));
  expect(ids(subject.replies)).toEqual(Array.from({ length: 60 }, (_, n) => 269 - n));
  expect(subject.continuation).toEqual([]);
  expect([...subject.backgrounds.keys()]).toContain('129');
  expect(subject.backgrounds.get('229')?.knownCounts).toEqual(['like_count']);
  expect(ids((await subjectOf(platform, '100', options)).continuation)).toEqual(
    Array.from({ length: 20 }, (_, n) => 101 + n),
  );
  expect(ids(subject.authored)).toEqual(Array.from({ length: 28 }, (_, n) => 128 - n));
  await expect(subjectOf(platform, '999', options)).rejects.toMatchObject({
    status: 404,
    message: 'tweet 999 not found',
  });
});

test('a subject has the answers below the replies level by level, quotes, and later posts of the author on the same thing', async () => {
  const platform = new MemoryPlatform();
  const user = (id: string, username: string): ArchiveRecord => ({
    kind: 'user',
    user: { id, username, description: 'Roads.' },
  });
  const tagged = { entities: { mentions: [], cashtags: [], urls: [], hashtags: ['bridge'] } };
  platform.add([
    user('1', 'roads'),
    user('2', 'tess'),
    tweet(100, { text: 'The bridge is closed. #bridge', ...tagged }),
    tweet(110, { author_id: '2', in_reply_to_id: '100', text: 'How long?' }),
    tweet(111, { in_reply_to_id: '110', text: 'Six weeks.' }),
    tweet(112, { author_id: '2', in_reply_to_id: '111', text: 'So long?' }),
    tweet(113, { in_reply_to_id: '112', text: 'Yes.' }),
    tweet(114, { author_id: '2', in_reply_to_id: '113', text: 'Too deep.' }),
    tweet(115, { author_id: '2', in_reply_to_id: '114', text: 'Deeper than the limit.' }),
    tweet(120, { author_id: '2', quoted_tweet_id: '100', text: 'Look.' }),
    tweet(121, { author_id: '2', in_reply_to_id: '120', text: 'Below the quote.' }),
    tweet(130, { text: 'It is open again. #bridge', ...tagged }),
    tweet(131, { text: 'Something else entirely.' }),
    tweet(90, { text: 'An earlier one. #bridge', ...tagged }),
  ]);
  const subject = await subjectOf(platform, '100', options);
  expect(ids(subject.replies)).toEqual([110]);
  expect(ids(subject.deeperReplies).toSorted((a, b) => a - b)).toEqual([111, 112, 113, 121]);
  expect(ids(subject.quotes)).toEqual([120]);
  expect(ids(subject.later)).toEqual([130]);
  expect(subject.backgrounds.get('113')?.inReplyToId).toBe('112');
  expect(subject.profile?.description).toBe('Roads.');
});
