import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { connectControl } from '../../server/admin/control-client.ts';
import { serverClock, type ServerClock } from '../support/clock.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';

let clockFolder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ServerClock;
let env: Record<string, string>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  clockFolder = await temporaryFolder();
  clock = serverClock(clockFolder.path);
  env = { FAILED_KEYS: '4/1h', TRUST_PROXY: 'loopback', ...clock.env };
  server = await startServer(folder.path, env);
});
afterAll(async () => {
  await server?.end('SIGKILL');
  await folder?.dispose();
  await clockFolder?.dispose();
});

interface Listed {
  id: string;
  name: string;
  expires_at?: string;
  last_used_at?: string;
}
/** Runs `npm run keys -- … --json` and answers what it printed, parsed. */
async function keys(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run('scripts/cli/keys.ts', [...args, '--json'], { DATA_DIR: folder.path });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
const create = async (...args: string[]) => (await keys('create', ...args)) as { id: string; key: string };
const listed = async (id: string): Promise<Listed> =>
  ((await keys('list')) as Listed[]).find((entry) => entry.id === id)!;

const read = (key: string, from?: string): Promise<Response> =>
  fetch(`${server.url}/social/assistant/status`, {
    headers: { 'x-api-key': key, ...(from === undefined ? {} : { 'x-forwarded-for': from }) },
  });
const status = async (...call: Parameters<typeof read>): Promise<number> => (await read(...call)).status;
const unlike = (key: string): Promise<Response> =>
  fetch(`${server.url}/social/tweet/unlike`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"tweet_id":"1890000000000000001"}',
  });

/** Opens an event stream; `first` is its first message, or undefined where there was none before it was closed. */
function stream(
  key: string,
  from = '192.0.2.200',
): {
  first: Promise<{ type: string } | undefined>;
  closed: Promise<[number, string]>;
  ask(command: object): Promise<object>;
} {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
    headers: { 'x-api-key': key, 'x-forwarded-for': from },
  });
  const message = (): Promise<never> =>
    new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)) as never)));
  const closed = new Promise<[number, string]>((resolve) =>
    socket.once('close', (code, reason) => resolve([code, reason.toString()])),
  );
  return {
    closed,
    first: Promise.race([message(), closed.then(() => undefined)]),
    ask: async (command) => (socket.send(JSON.stringify(command)), message()),
  };
}

test('a key has its scopes and its rate limit', async () => {
  const { key } = await create('--name', 'app', '--scopes', 'assistant', '--rate', '3/1h');
  const answered = await read(key);
  expect([answered.status, answered.headers.get('ratelimit-policy')]).toEqual([200, '"default";q=3;w=3600']);
  const refused = await unlike(key);
  expect([refused.status, await refused.json()]).toEqual([403, { error: "this API key lacks the scope 'write'" }]);
  expect(await stream(key).closed).toEqual([4002, 'this API key lacks the scope of the event stream']);
  expect([await status(key), await status(key)]).toEqual([200, 429]);
  expect((await unlike((await create('--scopes', 'write')).key)).status).toBe(200);
});

test('a revoked key is invalid at once, and its event streams close', async () => {
  const { id, key } = await create('--name', 'leaked', '--scopes', 'events');
  const opened = stream(key);
  expect(await opened.first).toMatchObject({ type: 'connected' });
  expect(await opened.ask({ type: 'ask', id: '1', params: { tweet_id: '1890000000000000001' } })).toEqual({
    type: 'error',
    error: "this API key lacks the scope 'assistant'",
    status: 403,
    code: 'bad_message',
    id: '1',
  });
  await keys('revoke', id);
  expect(await opened.closed).toEqual([4005, 'the API key was revoked, or has expired']);
  expect(await status(key, '192.0.2.1')).toBe(401);
  expect(await stream(key, '192.0.2.1').closed).toEqual([4001, 'Invalid or missing API key']);
});

test('an expired key is invalid, and its event streams close', async () => {
  const control = (await connectControl(folder.path))!;
  const hour = 3_600_000;
  const expires = new Date(Date.now() + hour).toISOString();
  const { id, key } = (await control.call('keys/create', { name: 'short', expires })) as { id: string; key: string };
  control.close();
  const opened = stream(key);
  expect(await opened.first).toMatchObject({ type: 'connected' });
  expect(await status(key)).toBe(200);
  await clock.pass(hour, server);
  expect(await opened.closed).toEqual([4005, 'the API key was revoked, or has expired']);
  expect(await status(key, '192.0.2.2')).toBe(401);
  expect(await listed(id)).toMatchObject({ expires_at: expires });
});

test('the last use is shown by the running server, and after a stop', async () => {
  const { id, key } = await create('--name', 'used');
  expect((await listed(id)).last_used_at).toBeUndefined();
  const before = Date.now();
  await status(key);
  const { last_used_at: used } = await listed(id);
  expect(Date.parse(used!)).toBeGreaterThanOrEqual(before);
  expect(await server.end()).toBe(0);
  expect((await listed(id)).last_used_at).toBe(used);
  server = await startServer(folder.path, env);
  expect((await listed(id)).last_used_at).toBe(used);
});

test('limits invalid keys by address, for requests and event streams together, also with forged headers', async () => {
  const { key } = await create('--name', 'right');
  const guess = (call: number): Promise<number> => status(`sd_wrong${call}`, `10.${call}.0.1, 198.51.100.7`);
  expect([await guess(1), await guess(2), await guess(3)]).toEqual([401, 401, 401]);
  expect((await stream('sd_wrong', '198.51.100.7').closed)[0]).toBe(4001);
  expect(await guess(4)).toBe(429);
  expect((await stream(key, '198.51.100.7').closed)[0]).toBe(4129);
  expect([await status(key, '198.51.100.7'), await status(key, '198.51.100.8')]).toEqual([429, 200]);
  expect(server.errors()).toContain('"network":"198.51.100.7"');
  expect(server.errors()).not.toContain('sd_wrong');
});
