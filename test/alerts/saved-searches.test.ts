// Tests server/alerts/search-store.ts.
/** Saved searches over HTTP: what belongs to whom, limits, bad input, and the operator's interface. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { connectControl } from '../../server/admin/control-client.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openControlSink } from '../../server/import/control-sink.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { guideSample } from '../support/operations-guide.ts';
import { until } from '../support/until.ts';
import { startReceiver, type Receiver } from '../support/webhook-receiver.ts';

const [key, otherKey] = ['saved-search-key-1', 'saved-search-key-2'];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let receiver: Receiver;
let operator: string;
let imports = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
  receiver = await startReceiver();
  server = await startLocalServer(folder.path, {
    ...{ API_KEYS: `${key},${otherKey}`, WEBHOOKS: 'private', DEMO: '0', RATE_LIMIT: 'off' },
  });
  operator = await createKey({ name: 'operator', scopes: 'admin' });
});
afterAll(async () => {
  await server?.end();
  await receiver?.close();
  await folder?.dispose();
});

async function control<Result>(
  use: (control: NonNullable<Awaited<ReturnType<typeof connectControl>>>) => Promise<Result>,
): Promise<Result> {
  const connected = (await connectControl(folder.path))!;
  try {
    return await use(connected);
  } finally {
    connected.close();
  }
}
const createKey = async (options: object): Promise<string> =>
  (await control((connected) => connected.call<{ key: string }>('keys/create', options))).key;
const take = (...records: ArchiveRecord[]): Promise<unknown> =>
  control((connected) =>
    openControlSink(connected).apply(`import ${imports++}`, { values: 1, done: true }, structuredClone(records)),
  );
const tweet = (id: number, text: string): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), author_id: '7', text, created_at: '2026-01-01T00:00:00.000Z' },
});

interface Answered {
  readonly status: number;
  readonly body: { readonly error?: string } & Record<string, unknown>;
}
async function call(
  method: string,
  path: string,
  body?: unknown,
  { as = key, raw }: { as?: string; raw?: string } = {},
): Promise<Answered> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      'x-api-key': as,
      ...(body === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined && raw === undefined ? {} : { body: raw ?? JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Answered['body']) };
}
async function create(more: object = {}, as = key): Promise<Schemas['CreatedSavedSearch']> {
  const { status, body } = await call('POST', '/social/searches', { name: 'coffee', query: 'coffee', ...more }, { as });
  expect([status, body.error]).toEqual([201, undefined]);
  return body as unknown as Schemas['CreatedSavedSearch'];
}

describe('a saved search', () => {
  test('is created, read, changed and deleted by its key, and by no other', async () => {
    const response = await fetch(`${server.url}/social/searches`, {
      ...{ method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' } },
      body: JSON.stringify({ name: 'tea', query: 'tea' }),
    });
    const { secret, ...created } = (await response.json()) as Schemas['CreatedSavedSearch'];
    const path = `/social/searches/${created.id}`;
    expect(response.headers.get('location')).toBe(path);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toMatchObject({ name: 'tea', query: 'tea', url: null, delivery: null });
    expect((await call('GET', path)).body).toEqual(created);
    expect((await call('GET', '/social/searches')).body['searches']).toEqual([created]);
    for (const [method, at, body] of [
      ['GET', path, undefined],
      ['PATCH', path, { name: 'mine' }],
      ['DELETE', path, undefined],
      ...['secret', 'test', 'resume'].map((each) => ['POST', `${path}/${each}`, undefined] as const),
      ['GET', `${path}/attempts`, undefined],
    ] as const)
      expect([method, at, (await call(method, at, body, { as: otherKey })).status]).toEqual([method, at, 404]);
    expect((await call('GET', '/social/searches', undefined, { as: otherKey })).body).toEqual({ searches: [] });
    expect((await call('PATCH', path, { name: 'green tea' })).body).toEqual({ ...created, name: 'green tea' });
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(404);
  });

  test('without a webhook has nothing to test and to resume', async () => {
    const { id } = await create();
    for (const each of ['test', 'resume'])
      expect(await call('POST', `/social/searches/${id}/${each}`)).toEqual({
        status: 409,
        body: { error: "this saved search has no webhook: give it a 'url' first" },
      });
    expect((await call('GET', `/social/searches/${id}/attempts`)).body).toEqual({ attempts: [] });
    expect((await call('DELETE', `/social/searches/${id}`)).status).toBe(204);
  });

  test('needs the scope alerts', async () => {
    const reader = await createKey({ name: 'reader', scopes: 'read,write,events' });
    expect(await call('GET', '/social/searches', undefined, { as: reader })).toMatchObject({
      status: 403,
      body: { error: "this API key lacks the scope 'alerts'" },
    });
    const alerting = await createKey({ name: 'alerting', scopes: 'alerts' });
    expect((await call('GET', '/social/searches', undefined, { as: alerting })).status).toBe(200);
  });

  test('is made with a token of the key, too', async () => {
    const made = await call('POST', '/social/token/create', {});
    expect([made.status, made.body['scopes']]).toEqual([200, expect.arrayContaining(['read', 'alerts'])]);
    const only = await call('POST', '/social/token/create', { scopes: ['alerts'] });
    const { id } = await create({}, only.body['token'] as string);
    // It belongs to the key.
    expect((await call('DELETE', `/social/searches/${id}`)).status).toBe(204);
  });

  test('is one of 25 at most of a key', async () => {
    const many = await createKey({ name: 'many' });
    const made = await Promise.all(Array.from({ length: 25 }, () => create({}, many)));
    expect(await call('POST', '/social/searches', { name: 'x', query: 'x' }, { as: many })).toEqual({
      status: 409,
      body: { error: 'this API key has 25 saved searches, the maximum: delete one' },
    });
    await call('DELETE', `/social/searches/${made[0]!.id}`, undefined, { as: many });
    await create({}, many);
  });

  test('survives a restart, with its secret and the position of its webhook', async () => {
    const search = await create({ url: receiver.url });
    receiver.secret = search.secret;
    const before = receiver.received.length;
    await take(tweet(1, 'coffee one'));
    await until(() => receiver.received.length === before + 1);
    await server.end();
    server = await startLocalServer(folder.path, {
      ...{ API_KEYS: `${key},${otherKey}`, WEBHOOKS: 'private', DEMO: '0', RATE_LIMIT: 'off' },
    });
    await take(tweet(2, 'coffee two'));
    await until(() => receiver.received.length === before + 2);
    expect(receiver.received.slice(before).map(({ body }) => body.data.id)).toEqual(['1', '2']);
    expect(receiver.forged).toEqual([]);
    await call('DELETE', `/social/searches/${search.id}`);
    await take(tweet(3, 'coffee three'));
    expect(receiver.received).toHaveLength(before + 2);
  });
});

test.each([
  [{ query: 'a' }, /'name'/],
  [{ name: 'a' }, /'query'/],
  [{ name: '', query: 'a' }, /'name'/],
  [{ name: 'a'.repeat(101), query: 'a' }, /'name'/],
  [{ name: 'a', query: '(' }, /'query' cannot be read/],
  [{ name: 'a', query: 'x'.repeat(1025) }, /'query'/],
  [{ name: 'a', query: 'a', url: 7 }, /'url'/],
  [{ name: 'a', query: 'a', url: '' }, /'url'/],
  [{ name: 'a', query: 'a', url: `https://a.example/${'b'.repeat(2048)}` }, /'url'/],
  [{ name: 'a', query: 'a', url: 'https://a.example', events: [] }, /'events'/],
  [{ name: 'a', query: 'a', events: ['tweet.created', 'tweet.created'] }, /'events'/],
  [{ name: 'a', query: 'a', events: ['pool.status'] }, /'events/],
  [{ name: 'a', query: 'a', id: 's_000000000000' }, /unknown member 'id'/],
  [[], /body/],
  [null, /body/],
])('the input %j is a clear 400', async (body, message) => {
  const { status, body: answered } = await call('POST', '/social/searches', body);
  expect([status, answered.error]).toEqual([400, expect.stringMatching(message)]);
});

test.each(['s_short', '__proto__', '..%2f..%2fetc', 's_00000000000%00', `s_${'a'.repeat(5_000)}`])(
  'the id %s is no error of the server',
  async (id) => {
    for (const method of ['GET', 'DELETE'])
      expect([400, 404]).toContain((await call(method, `/social/searches/${id}`)).status);
    expect([400, 404]).toContain((await call('PATCH', `/social/searches/${id}`, { name: 'x' })).status);
  },
);

test('the end of a key ends its webhooks, which the operator sees and deletes', async () => {
  const short = await createKey({ name: 'short' });
  const search = await create({ url: `${receiver.url}/secret-part` }, short);
  const operate = (method: string, path: string) => call(method, `/operate/api${path}`, undefined, { as: operator });
  const listed = async () =>
    ((await operate('GET', '/searches')).body['searches'] as Record<string, unknown>[]).find(
      ({ id }) => id === search.id,
    );
  expect(await listed()).toMatchObject({ isOwnerValid: true, origin: new URL(receiver.url).origin });
  expect(JSON.stringify(await listed())).not.toMatch(/whsec_|secret-part/);
  receiver.secret = search.secret;
  const before = receiver.received.length;
  expect((await operate('POST', `/webhook-tests/${search.id}`)).body).toMatchObject({ status: 204, error: null });
  expect((await operate('GET', `/webhook-attempts/${search.id}`)).body['attempts']).toHaveLength(1);
  expect((await operate('POST', `/webhook-resumptions/${search.id}`)).status).toBe(200);
  await control((connected) => connected.call('keys/revoke', short.slice(3, 11)));
  expect(await listed()).toMatchObject({ isOwnerValid: false });
  await take(tweet(20, 'coffee after the end'));
  expect((await operate('DELETE', `/searches/${search.id}`)).body).toEqual({ id: search.id, deleted: true });
  expect(await listed()).toBeUndefined();
  expect(receiver.received).toHaveLength(before + 1);
  const audit = (await operate('GET', '/audit')).body['entries'] as { action: string; subject: string }[];
  expect(audit.slice(0, 3).map(({ action, subject }) => [action, subject])).toEqual([
    ['DELETE /searches/{id}', search.id],
    ['POST /webhook-resumptions/{id}', search.id],
    ['POST /webhook-tests/{id}', search.id],
  ]);
});

test('the receiver of /docs/operations verifies what comes', async () => {
  await writeFile(`${folder.path}/receiver.mjs`, await guideSample('receiver.mjs'));
  // As `npm install standardwebhooks` does.
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), `${folder.path}/node_modules`);
  const free = await startReceiver();
  const url = free.url.replace(/hook$/, '');
  await free.close();
  const search = await create({ url });
  const child = spawn(process.execPath, [`${folder.path}/receiver.mjs`], {
    env: { PATH: process.env['PATH'], SECRET: search.secret, PORT: new URL(url).port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await until(() => output.includes('waits for webhooks'));
    const { body } = await call('POST', `/social/searches/${search.id}/test`);
    expect(body).toMatchObject({ status: 204, error: null });
    await take(tweet(30, 'coffee at last'));
    await until(() => output.includes('tweet.created coffee at last'));
    expect(output).toMatch(/^msg_[\w-]{22} search\.test $/m);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  } finally {
    const ended = once(child, 'close');
    child.kill();
    await ended;
  }
});
