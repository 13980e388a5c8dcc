/** Conditions of requests other than If-None-Match, and methods and versions of HTTP that need an answer of their own. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { assetPath } from '../../server/http/docs/pages/assets.ts';
import { expectContract } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const key = 'a-key-of-preconditions';
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

const user = '/social/user/info?username=mira_codes';
const send = (target: string, headers: Record<string, string>, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + target, { ...init, headers: { 'x-api-key': key, ...headers } });

/** Sends bytes on a socket; resolves with all that came when the server has closed it. */
async function exchange(text: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return received;
}

test('If-Match: 412 unless it is `*`, because all ETags are weak; it comes before If-None-Match', async () => {
  const etag = (await send(user, {})).headers.get('etag') ?? '';
  for (const value of [etag, etag.slice(2), '"x"', 'x', `"x", ${etag}`]) {
    // The second time the response is cached.
    for (const more of [{}, { 'if-none-match': etag }]) {
      const response = await send(user, { 'if-match': value, ...more });
      expect([value, response.status]).toEqual([value, 412]);
      await expectContract('getUser', response);
    }
  }
  expect((await send(user, { 'if-match': '*' })).status).toBe(200);
  expect((await send(user, { 'if-match': '*', 'if-none-match': etag })).status).toBe(304);
  expect((await send('/social/assistant/status', { 'if-match': '"x"' })).status).toBe(412);
});

test('an error of the request itself comes before If-Match', async () => {
  const statuses = [
    await send('/social/user/info?username=nobody_at_all', { 'if-match': '"x"' }),
    await send('/social/user/info', { 'if-match': '"x"' }),
    await send(user, { 'if-match': '"x"', 'x-api-key': 'sd_unknown' }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 400, 401]);
});

test('If-Match on a POST: nothing is done', async () => {
  for (const value of ['*', '"x"']) {
    const response = await send(
      '/social/tweet/unlike',
      { 'if-match': value, 'content-type': 'application/json' },
      { method: 'POST', body: '{"tweet_id":"1890000000000000001"}' },
    );
    expect(response.status).toBe(412);
    await expectContract('unlikeTweet', response);
  }
});

test('If-Unmodified-Since is ignored, because no response has a date of modification', async () => {
  const response = await send(user, { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' });
  expect([response.status, response.headers.get('last-modified')]).toEqual([200, null]);
});

test('an upgrade in HTTP/1.0 is ignored', async () => {
  const text = await exchange(
    [
      `GET /ws?api_key=${key} HTTP/1.0`,
      ...['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''],
    ].join('\r\n'),
  );
  expect(text).toMatch(/^HTTP\/1\.1 426 /);
});

test('CONNECT is refused with a response, behind the responses to earlier requests', async () => {
  const tunnel = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n';
  const alone = await exchange(tunnel);
  expect(alone).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expect(alone).toMatch(/Connection: close/i);
  expect(JSON.parse(alone.split('\r\n\r\n')[1]!)).toEqual({ error: expect.stringContaining('CONNECT') });
  const both = await exchange(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${tunnel}`);
  expect(both.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405']);
});

test('a wrong X-Event-Cursor is a 400 that names the header, however it is written', async () => {
  for (const name of ['X-Event-Cursor', 'x-event-cursor'])
    for (const value of ['x', 'epoch.', 'a.1.2', 'a.12345678901234567']) {
      const response = await send(user, { [name]: value });
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: "header 'X-Event-Cursor' must be a cursor of the event stream" },
      ]);
    }
});

test('browsers and crawlers get an icon and a robots file without a key', async () => {
  const icon = await fetch(`${server.url}/favicon.ico`);
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await icon.bytes()).subarray(1, 4)).toEqual(Buffer.from('PNG'));
  const robots = await fetch(`${server.url}/robots.txt`);
  expect([robots.status, robots.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  const rules = Array.from((await robots.text()).matchAll(/^(Allow|Disallow): (.+)$/gm), ([, rule, path]) => [
    rule,
    path!,
  ]);
  // RFC 9309: the longest rule that matches counts.
  const mayRead = (path: string): boolean =>
    rules
      .filter(([, start]) => path.startsWith(start!))
      .toSorted(([, one], [, other]) => other!.length - one!.length)[0]?.[0] === 'Allow';
  const read = [
    '/docs/',
    '/docs/search',
    '/docs/operations.md',
    '/llms.txt',
    '/openapi.yaml',
    '/asyncapi.yaml',
    `/${assetPath('site.css')}`,
  ];
  for (const path of read)
    expect([path, mayRead(path), (await fetch(server.url + path)).status]).toEqual([path, true, 200]);
  for (const path of [
    '/',
    '/docs/try',
    '/explore',
    '/u/mira_codes',
    '/live',
    '/operate',
    '/metrics',
    '/social/user/info',
    '/media/a.png',
  ])
    expect([path, mayRead(path)]).toEqual([path, false]);
  expect((await fetch(`${server.url}/robots.txt`, { method: 'POST' })).status).toBe(405);
});
