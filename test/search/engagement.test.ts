import { describe, expect, test } from '@jest/globals';
import { counts } from '../../server/domain/records.ts';
import { engagementOf, minEngagement } from '../../server/search/engagement.ts';
import { searchedArchives } from './searched-archive.ts';

const open = searchedArchives();

describe('the engagement of a tweet', () => {
  test.each(
    Object.entries({
      like_count: 1,
      retweet_count: 2,
      reply_count: 1,
      quote_count: 2,
      bookmark_count: 0,
      view_count: 0,
    }),
  )('counts one of %s %i times', (name, weight) => {
    expect(engagementOf((count) => (count === name ? 1 : 0))).toBe(weight);
    expect(engagementOf((count) => (count === name ? 7 : 0))).toBe(7 * weight);
  });

  test('is the sum of all, and a number that is exact', () => {
    expect(counts).toHaveLength(6);
    expect(engagementOf(() => 1)).toBe(6);
    expect(engagementOf(() => Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('has the bound that a condition on counts sets', () => {
    const least = (count: (typeof counts)[number], min: number) => ({ is: 'count', count, min });
    expect(minEngagement(least('quote_count', 3))).toBe(6);
    expect(minEngagement(least('view_count', 3))).toBe(0);
    expect(minEngagement({ is: 'all', parts: [least('like_count', 3), least('retweet_count', 4)] })).toBe(8);
    expect(minEngagement({ is: 'any', parts: [least('like_count', 3), least('retweet_count', 4)] })).toBe(3);
    expect(minEngagement({ is: 'any', parts: [] })).toBe(0);
  });
});

test('Top sorts by likes, twice the retweets, twice the quotes and the replies, then newest first', async () => {
  const archive = await open();
  const given: readonly Partial<Record<(typeof counts)[number], number>>[] = [
    { like_count: 3 },
    { quote_count: 2 },
    { retweet_count: 2, reply_count: 1 },
    { reply_count: 2 },
    { view_count: 100, bookmark_count: 100 },
    { quote_count: 1, reply_count: 2 },
    { quote_count: 3 },
  ];
  for (const [index, each] of given.entries())
    await archive.apply({
      kind: 'tweet',
      tweet: {
        id: String(index + 1),
        text: 'coffee',
        author_id: '1',
        created_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
        ...each,
      },
    });
  expect((await archive.search('coffee', 'Top')).map(Number)).toEqual([7, 3, 6, 2, 1, 4, 5]);
});
