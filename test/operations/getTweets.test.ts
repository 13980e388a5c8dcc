// Tests server/archive/reads/addresses.ts.
/** Several tweets by their ids, over HTTP and the sample. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleAnswer, expectContract } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { callOperation, like } from '../support/operation.ts';

interface Batch {
  readonly tweets: readonly { readonly id: string; readonly author: { readonly username: string } }[];
  readonly missing: readonly string[];
}

const key = 'a-key-for-this-test';
const none = '999999999999';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let stored: readonly string[];
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: key });
  const response = await get('/social/tweet/advanced_search?query=lang:en&limit=100');
  stored = ((await response.json()) as Batch).tweets.map(({ id }) => id);
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});
const get = (target: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + target, { headers: { 'x-api-key': key, ...headers } });
async function batch(ids: readonly string[]): Promise<Batch> {
  const response = await callOperation(server, key, 'getTweets', { query: { ids } });
  expect(response.status).toBe(200);
  return (await expectContract('getTweets', response)) as Batch;
}
async function refusal(query: string): Promise<string> {
  const response = await get(`/social/tweets${query}`);
  expect(response.status).toBe(400);
  return ((await response.json()) as { error: string }).error;
}

test('getTweets answers the sample archive in the form of its example', async () => {
  expect(await batch([stored[0]!, none])).toEqual(like(exampleAnswer('getTweets')));
});

test('the tweets are those of tweet/info, in the order of the request, each once; the other ids are in missing', async () => {
  const [a, b, c] = [stored[5]!, stored[2]!, stored[9]!];
  const { tweets, missing } = await batch([a, none, b, a, '07', c, none]);
  expect(tweets.map(({ id }) => id)).toEqual([a, b, c]);
  expect(missing).toEqual([none, '07']);
  const info = (await (await get(`/social/tweet/info?tweet_id=${a}`)).json()) as { tweet: object };
  expect(tweets[0]).toEqual(info.tweet);
});

test('a tweet can be named by its address, also by one with a comma', async () => {
  const [a, b] = [stored[0]!, stored[1]!];
  const address = `https://x.com/someone/status/${a}?s=20,21`;
  const post = 'at://alice.example.com/app.bsky.feed.post/3l6oveex3ii2l';
  const { tweets, missing } = await batch([address, a, post, `https://twitter.com/i/web/status/${b}`]);
  expect(tweets.map(({ id }) => id)).toEqual([a, b]);
  expect(missing).toEqual([post]);
});

test('an encoded comma also separates ids, and ids can be parameters of their own', async () => {
  const [a, b] = [stored[0]!, stored[1]!];
  for (const query of [`ids=${a},${b}`, `ids=${a}%2C${b}`, `ids=${a}&ids=${b}`]) {
    const { tweets } = (await (await get(`/social/tweets?${query}`)).json()) as Batch;
    expect(tweets.map(({ id }) => id)).toEqual([a, b]);
  }
});

test('one request has at most 100 ids', async () => {
  const found = await batch(stored);
  expect([found.tweets.length, found.missing]).toEqual([100, []]);
  expect(await refusal(`?ids=${[...stored, none].join()}`)).toMatch(/'ids'.*100/);
});

test.each([
  ['', /'ids'/],
  ['?ids=', /'ids'/],
  ['?ids=12,', /'ids'.*an id of 1–19 digits/],
  ['?ids=12,mira', /'ids'.*an id of 1–19 digits/],
  ['?ids=12&limit=3', /unknown parameter 'limit'/],
  ['?id=12', /unknown parameter 'id': expected 'ids'/],
])('%j is refused, and the error names the parameter', async (query, message) => {
  expect(await refusal(query)).toMatch(message);
});

test('an unchanged answer is 304, and ids need the scope of reads', async () => {
  const target = `/social/tweets?ids=${stored[0]!},${none}`;
  const etag = (await get(target)).headers.get('etag')!;
  expect((await get(target, { 'if-none-match': etag })).status).toBe(304);
  expect((await fetch(server.url + target)).status).toBe(401);
});
