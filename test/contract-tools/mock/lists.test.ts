import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, type SocialDataClient } from '../../../client/src/index.ts';
import { exampleAnswer, expectSchema } from '../../support/contract.ts';
import { startMock, type Mock } from '../../testing/mock/service.ts';

const username = 'mira_codes';
let mock: Mock;
let client: SocialDataClient;
beforeAll(async () => {
  mock = await startMock();
  client = createClient({ baseUrl: mock.url, apiKey: 'any' });
});
afterAll(() => mock?.stop(0));

interface Page {
  readonly tweets: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
  readonly has_next_page: boolean;
}

test('pages lead to a last page with other items', async () => {
  const pages: Page[] = [];
  for await (const page of client.user.lastTweets({ username }).pages()) pages.push(page);
  expect(pages[0]).toEqual(exampleAnswer('getUserLastTweets'));
  expect(pages.map(({ has_next_page, next_cursor }) => [has_next_page, next_cursor !== null])).toEqual([
    [true, true],
    [false, false],
  ]);
  await expectSchema('LastTweetsPage', JSON.parse(JSON.stringify(pages[1])));
  const ids = pages.flatMap(({ tweets }) => tweets.map(({ id }) => id));
  expect(new Set(ids).size).toBe(2);
});

test('a list with an example of one page has one page', async () => {
  const all = await client.user.highlights({ username }).toArray();
  expect(all).toEqual((exampleAnswer('getUserHighlights') as Page).tweets);
});

test('rejects a cursor of another list with the message of the service', async () => {
  const error =
    "'cursor' does not belong to this request; send next_cursor unchanged with the same parameters, or leave it out";
  await expect(client.user.highlights({ username, cursor: 'W10.AAAA' })).rejects.toThrow(error);
  const { next_cursor } = (await client.user.lastTweets({ username })) as Page;
  await expect(client.user.highlights({ username, cursor: next_cursor! })).rejects.toThrow(error);
});

test('returns the requested number of items without duplicates, for any page size', async () => {
  const long = await startMock({ items: 45 });
  try {
    const over = createClient({ baseUrl: long.url, apiKey: 'any' });
    const walk = (limit: number): Promise<{ id: string }[]> =>
      over.tweet.advancedSearch({ query: 'coffee', limit }, { limit: 1_000 }).toArray();
    const items = await walk(20);
    expect(new Set(items.map(({ id }) => id)).size).toBe(45);
    expect(items[0]).toEqual((exampleAnswer('searchTweets') as Page).tweets[0]);
    expect(await walk(7)).toEqual(items);
    const { data, response } = await over.user.followings({ username, limit: 45 }).withResponse();
    expect([data.following.length, data.has_next_page, response.status]).toEqual([45, false, 200]);
    const none = await startMock({ items: 0 });
    try {
      const empty = await createClient({ baseUrl: none.url, apiKey: 'any' }).user.followings({ username });
      expect(empty).toMatchObject({ following: [], next_cursor: null, has_next_page: false });
    } finally {
      await none.stop(0);
    }
  } finally {
    await long.stop(0);
  }
});

test('generated lists have pages, too', async () => {
  const over = createClient({ baseUrl: mock.url, apiKey: 'any', headers: { prefer: 'dynamic=true' } });
  const items = await over.tweet.retweeters({ tweet_id: '1', limit: 12 }).toArray();
  expect(new Set(items.map(({ id }) => id)).size).toBe(30);
});
