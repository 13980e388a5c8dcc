// Tests server/follow/fill/coverage.ts and server/follow/fill/filler.ts.
/** The whole service with FILL, over HTTP. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startService, type Service } from '../../../server/compose.ts';
import { readConfig } from '../../../server/config/config.ts';
import { AppViewServer } from '../../support/bluesky/app-view.ts';
import { idOf, World } from '../../support/bluesky/world.ts';
import { temporaryFolder } from '../../support/folder.ts';

const key = 'a-key-of-this-test';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: World;
let appView: AppViewServer;
let service: Service;
let now = Date.parse('2026-03-04T05:06:07Z');

const start = (env: Record<string, string>): Promise<Service> =>
  startService(
    readConfig({
      ...{ DATA_DIR: folder.path, PORT: '0', API_KEYS: key, DEMO: '0', TOKEN_RESOLVER: 'off', VALIDATE: 'always' },
      FOLLOW_BLUESKY_API: appView.url,
      ...env,
    }),
    { help: false, replay: undefined, follow: [] },
    pino({ level: 'silent' }),
  );

beforeEach(async () => {
  folder = await temporaryFolder();
  world = new World(() => (now += 1000));
  appView = await AppViewServer.start(world);
});
afterEach(async () => {
  await service.stop();
  await appView.close();
  await folder.dispose();
  expect(appView.faults).toEqual([]);
});

async function get(path: string, headers: Record<string, string> = {}): Promise<{ response: Response; body: string }> {
  const response = await fetch(service.url + path, { headers: { 'x-api-key': key, ...headers } });
  return { response, body: await response.text() };
}

test('without FILL, an unknown user is 404, and nobody is asked', async () => {
  world.account('alice.test', 'Alice');
  service = await start({});
  expect((await get('/social/user/last_tweets?username=alice.test')).response.status).toBe(404);
  expect(appView.requests).toEqual([]);
  expect((await get('/metrics')).body).not.toContain('follow_fills_total{');
});

test('with FILL, pages are fetched, and answered from the archive with an ETag', async () => {
  const alice = world.account('alice.test', 'Alice');
  for (let index = 0; index < 120; index++) world.post(alice, `post ${index}`);
  service = await start({ FILL: 'bluesky' });
  const path = '/social/user/last_tweets?username=alice.test&limit=100';
  const first = await get(path);
  expect(first.response.status).toBe(200);
  const page = JSON.parse(first.body) as { tweets: { text: string }[]; has_next_page: boolean; next_cursor: string };
  expect(page.tweets.map(({ text }) => text)).toEqual(Array.from({ length: 100 }, (_, index) => `post ${119 - index}`));
  expect(page.has_next_page).toBe(true);
  // The same page twice more, so that the response cache has it.
  const again = await get(path);
  await get(path);
  expect(again.body).toBe(first.body);
  const etag = again.response.headers.get('etag') ?? '';
  expect((await get(path, { 'if-none-match': etag })).response.status).toBe(304);
  const rest = JSON.parse((await get(`${path}&cursor=${page.next_cursor}`)).body) as typeof page;
  expect(rest.tweets).toHaveLength(20);
  expect(rest.has_next_page).toBe(false);
  expect(appView.requests).toHaveLength(3);
  // A fetch that changes no page of this list changes no ETag.
  expect((await get('/social/user/followings?username=alice.test')).response.status).toBe(200);
  expect((await get(path, { 'if-none-match': etag })).response.status).toBe(304);
  expect((await get('/social/community/members?username=alice.test')).response.status).toBe(501);
  const { body } = await get('/metrics');
  expect(body).toContain('follow_fills_total{source="bluesky",outcome="filled"} 4');
});

test('a page that was answered while Bluesky failed is not kept', async () => {
  const alice = world.account('alice.test', 'Alice');
  for (let index = 0; index < 120; index++) world.post(alice, `post ${index}`);
  service = await start({ FILL: 'bluesky' });
  const path = '/social/user/last_tweets?username=alice.test&limit=100';
  appView.next.push(...['getProfiles', 'getAuthorFeed'].map(() => ({ status: 500 })));
  expect((await get(path)).response.status).toBe(502);
  appView.next.length = 0;
  await get('/social/user/last_tweets?username=alice.test&limit=5');
  const short: number[] = [];
  for (let count = 0; count < 3; count++) {
    appView.next.push({ status: 500 });
    short.push((JSON.parse((await get(path)).body) as { tweets: unknown[] }).tweets.length);
  }
  expect(short).toEqual([99, 99, 99]);
  expect(appView.next).toEqual([]);
  expect((JSON.parse((await get(path)).body) as { tweets: unknown[] }).tweets).toHaveLength(100);
});

test('a post is fetched by its address, in both forms, and its pages continue under its id', async () => {
  const alice = world.account('alice.test', 'Alice');
  const uri = world.post(alice, 'hello');
  for (let index = 0; index < 3; index++) world.post(alice, `reply ${index}`, { replyTo: uri });
  service = await start({ FILL: 'bluesky' });
  const rkey = uri.slice(uri.lastIndexOf('/') + 1);
  const replies = async (reference: string, more = '') => {
    const path = `/social/tweet/replies?limit=2&tweet_id=${encodeURIComponent(reference)}${more}`;
    const { response, body } = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    return JSON.parse(body) as { replies: { text: string }[]; next_cursor: string };
  };
  const first = await replies(`https://bsky.app/profile/alice.test/post/${rkey}`);
  expect(first.replies.map(({ text }) => text)).toEqual(['reply 2', 'reply 1']);
  expect(await replies(uri)).toEqual(first);
  expect((await replies(idOf(uri), `&cursor=${first.next_cursor}`)).replies).toHaveLength(1);
  const explained = await get(`/social/tweet/assistant?tweet_id=${encodeURIComponent(uri)}`);
  expect(JSON.parse(explained.body)).toMatchObject({ tweet_id: idOf(uri) });
  const missing = `https://bsky.app/profile/nobody.test/post/${rkey}`;
  expect((await get(`/social/tweet/replies?tweet_id=${missing}`)).response.status).toBe(404);
  for (const invalid of ['at://alice.test/app.bsky.feed.like/3l6', 'https://example.com/profile/a.b/post/1', 'x'])
    expect((await get(`/social/tweet/replies?tweet_id=${invalid}`)).response.status).toBe(400);
});

test('accounts for signed-in people only are fetched where the operator says so', async () => {
  world.setSignedInOnly(world.account('alice.test', 'Alice'), true);
  const path = '/social/user/last_tweets?username=alice.test';
  service = await start({ FILL: 'bluesky' });
  expect((await get(path)).response.status).toBe(404);
  await service.stop();
  service = await start({ FILL: 'bluesky', FOLLOW_SIGNED_IN_ONLY: '1' });
  expect((await get(path)).response.status).toBe(200);
});

test('a key with too many fetches gets 429 with Retry-After', async () => {
  service = await start({ FILL: 'bluesky' });
  const unknown = Array.from({ length: 60 }, (_, index) => `/social/user/last_tweets?username=nobody${index}.test`);
  const answers = await Promise.all(unknown.map((path) => get(path)));
  const limited = answers.filter(({ response }) => response.status === 429);
  expect(limited.length).toBeGreaterThan(0);
  for (const { response, body } of limited) {
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body).toMatch(/^\{"error":"too many requests that fetch data/);
  }
});
