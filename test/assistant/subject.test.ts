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
  const replies = Array.from({ length: 30 }, (_, n) =>
    tweet(200 + n, { author_id: '2', in_reply_to_id: '129', like_count: n }),
  );
  platform.add([...chain, ...replies]);
  const subject = await subjectOf(platform, '129', options);
  expect(subject.tweet.id).toBe('129');
  expect(ids(subject.thread)).toEqual(Array.from({ length: 20 }, (_, n) => 109 + n));
  expect(ids(subject.replies)).toEqual(Array.from({ length: 20 }, (_, n) => 229 - n));
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
