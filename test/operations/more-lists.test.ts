// Tests server/archive/reads/thread-queries.ts.
/** The followers of a user, the quotes of a tweet and a community, over HTTP and the sample. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleAnswer, expectContract } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { callOperation, like } from '../support/operation.ts';

type Answer = Record<string, unknown> & { readonly next_cursor: string | null };
type Named = { readonly id: string; readonly username: string };

const key = 'a-key-for-this-test';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: key });
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});
async function get(target: string): Promise<Answer> {
  const response = await fetch(server.url + target, { headers: { 'x-api-key': key } });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}
/** All items of a list, by pages of two. */
async function all<Item>(target: string, member: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor = '';
  for (let page = 0; page < 200; page++) {
    const answer = await get(`${target}&limit=2${cursor}`);
    items.push(...(answer[member] as Item[]));
    if (answer.next_cursor === null) return items;
    cursor = `&cursor=${encodeURIComponent(answer.next_cursor)}`;
  }
  throw new Error(`${target} has no end`);
}

test('the followers of a user are those whose followings have the user', async () => {
  const followers = await all<Named>('/social/user/followers?username=mira_codes', 'followers');
  expect(followers.length).toBeGreaterThan(1);
  for (const { id } of followers.slice(0, 3)) {
    const followings = await all<Named>(`/social/user/followings?user_id=${id}`, 'following');
    expect(followings.map(({ username }) => username)).toContain('mira_codes');
  }
  const response = await callOperation(server, key, 'getUserFollowers', {
    query: { username: 'mira_codes', limit: 1 },
  });
  const page = (await expectContract('getUserFollowers', response)) as Answer;
  const example = exampleAnswer('getUserFollowers') as Answer;
  expect(page['followers']).toEqual(like(example['followers'] as object));
  expect(typeof page.next_cursor).toBe('string');
});

test('the quotes of a tweet are those that a search finds, in full form', async () => {
  const { tweets } = (await get('/social/tweet/advanced_search?query=filter:quote&limit=100')) as unknown as {
    tweets: Named[];
  };
  const { tweet } = (await get(`/social/tweet/info?tweet_id=${tweets[0]!.id}`)) as unknown as {
    tweet: { quoted_tweet: Named };
  };
  const quoted = tweet.quoted_tweet.id;
  const quotes = await all<Named>(`/social/tweet/quotes?tweet_id=${quoted}`, 'quotes');
  const found = await all<Named>(`/social/tweet/advanced_search?query=quoted_tweet_id:${quoted}`, 'tweets');
  expect(quotes.map(({ id }) => id)).toEqual(found.map(({ id }) => id));
  expect(quotes[0]).toMatchObject({ quoted_tweet: { id: quoted } });
  await expectContract(
    'getTweetQuotes',
    await callOperation(server, key, 'getTweetQuotes', { query: { tweet_id: quoted } }),
  );
});

test('a community is that of the communities of a member, without a role', async () => {
  const { communities } = (await get('/social/community/members?username=mira_codes')) as unknown as {
    communities: readonly { readonly id: string; readonly role: string }[];
  };
  const { role: _role, ...known } = communities[0]!;
  const response = await callOperation(server, key, 'getCommunity', { query: { id: known.id } });
  const { community } = (await expectContract('getCommunity', response)) as { community: object };
  expect(community).toEqual(known);
});

test.each([
  '/social/user/followers?user_id=999999999999',
  '/social/tweet/quotes?tweet_id=999999999999',
  '/social/community/info?id=999999999999',
])('%s is 404', async (target) => {
  const response = await fetch(server.url + target, { headers: { 'x-api-key': key } });
  expect(response.status).toBe(404);
});
