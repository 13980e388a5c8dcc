/** Lists as CSV over HTTP: the same items as in JSON, with the next page in headers. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commands } from '../../generated/commands.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { run } from '../support/server.ts';

const key = 'a-key-for-this-test';
const csv = { accept: 'text/csv' };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  const file = join(folder.path, 'records.jsonl');
  const texts = ['plain', '=1+1', '@ada, hello', 'two\nlines, "quoted"', ' +1', '-1'];
  const records = [
    { kind: 'user', user: { id: '1', username: 'ada', name: '=Ada', followers_count: 3 } },
    ...texts.map((text, n) => ({
      kind: 'tweet',
      tweet: {
        id: String(101 + n),
        author_id: '1',
        text,
        created_at: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
      },
    })),
    ...['2', '3', '4'].map((id) => ({ kind: 'follow', follower_id: id, following_id: '1' })),
  ];
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  const DATA_DIR = join(folder.path, 'data');
  expect((await run('scripts/cli/import.ts', [file], { DATA_DIR })).code).toBe(0);
  server = await startLocalServer(DATA_DIR, { API_KEYS: key, DEMO: '0' });
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});
const get = (target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(server.url + target, { method, headers: { 'x-api-key': key, ...headers } });
const tweets = '/social/user/last_tweets?username=ada&include_replies=1';

test('a list has a line of names and a line for each item, with formulas as text', async () => {
  const response = await get(`${tweets}&limit=100`, csv);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(response.headers.get('vary')).toMatch(/\bAccept(?:,|$)/);
  expect([response.headers.get('link'), response.headers.get('x-next-cursor')]).toEqual([null, null]);
  const text = await response.text();
  const [head = ''] = text.split('\r\n');
  const command = commands.find(({ name }) => name === 'lastTweets');
  expect(head.split(',')).toEqual(command && 'columns' in command ? command.columns : undefined);
  expect(text).toContain(`\r\n105,' +1,2026-01-01T00:04:00.000Z,1,'=Ada,ada,`);
  expect(text).toContain('\r\n104,"two\nlines, ""quoted""",');
  expect(text).toContain(`\r\n103,"'@ada, hello",`);
  expect(text).toContain(`\r\n102,'=1+1,`);
  expect(text).toContain(`\r\n106,'-1,`);
  expect(text).toContain('\r\n101,plain,');
});

test('the pages of CSV are those of JSON, by the link and by the cursor', async () => {
  const ids: string[] = [];
  let target = `/social/user/followers?user_id=1&limit=2`;
  for (let page = 0; page < 3; page++) {
    const response = await get(target, csv);
    const [, ...lines] = (await response.text()).trim().split('\r\n');
    ids.push(...lines.map((line) => line.split(',')[0]!));
    const [, link] = /^<(\?[^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    if (link === undefined) break;
    const next = new URL(link, server.url + target);
    expect(next.searchParams.get('cursor')).toBe(response.headers.get('x-next-cursor'));
    expect(next.searchParams.get('limit')).toBe('2');
    target = next.pathname + next.search;
  }
  const { followers } = (await (await get('/social/user/followers?user_id=1')).json()) as {
    followers: { id: string }[];
  };
  expect(ids).toEqual(followers.map(({ id }) => id));
  expect(ids.length).toBe(3);
});

test.each([
  ['text/csv', 'text/csv'],
  ['text/csv;q=0.9, application/json;q=0.1', 'text/csv'],
  ['text/csv;q=0.1, application/json', 'application/json'],
  ['text/csv;q=0', 'application/json'],
  ['*/*', 'application/json'],
  ['text/html', 'application/json'],
  ['TEXT/CSV', 'text/csv'],
])('Accept: %s gets %s, also from the cache', async (accept, type) => {
  for (const target of [tweets, tweets, `${tweets}&x-unused=`]) {
    const response = await get(target, { accept });
    if (target.includes('unused'))
      expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
    else expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    await response.arrayBuffer();
  }
});

test('CSV has an ETag of its own, HEAD has no body, and other operations stay JSON', async () => {
  const first = await get(tweets, csv);
  const etag = first.headers.get('etag')!;
  expect((await get(tweets, { ...csv, 'if-none-match': etag })).status).toBe(304);
  expect((await get(tweets, { 'if-none-match': etag })).status).toBe(200);
  const head = await get(tweets, { ...csv, 'accept-encoding': 'identity' }, 'HEAD');
  expect([head.headers.get('content-length'), await head.text()]).toEqual([
    String((await first.arrayBuffer()).byteLength),
    '',
  ]);
  const info = await get('/social/user/info?username=ada', csv);
  expect(info.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const missing = await get('/social/user/last_tweets?username=nobody', csv);
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  expect((await fetch(server.url + tweets, { headers: csv })).status).toBe(401);
});

test('a request that only Express reads gets the same CSV', async () => {
  const plain = await (await get(`${tweets}&limit=2`, csv)).text();
  // A parameter twice encoded in this way has no single interpretation for the strict reader.
  const response = await get(`/social/user/last_tweets?username=%61da&include_replies=1&limit=2`, csv);
  expect(await response.text()).toBe(plain);
  const body = await fetch(`${server.url}${tweets}&limit=2&api_key=${key}`, { headers: csv });
  expect(await body.text()).toBe(plain);
  expect(body.headers.get('link')).not.toContain(key);
});

test('the contract declares CSV for every list, and for nothing else', async () => {
  const document = JSON.parse(await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, { get?: { 'x-items'?: string; responses: { 200: { content: object; headers: object } } } }>;
  };
  for (const [path, { get: operation }] of Object.entries(document.paths)) {
    const { content = {}, headers = {} } = operation?.responses[200] ?? {};
    const isList = operation?.['x-items'] !== undefined;
    expect([path, 'text/csv' in content, 'X-Next-Cursor' in headers, 'Link' in headers]).toEqual([
      path,
      isList,
      isList,
      isList,
    ]);
  }
});
