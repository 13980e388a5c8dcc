/** Tokens of a key, over HTTP and `/ws`: short-lived ones, and feed tokens. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { connectControl } from '../../server/admin/control-client.ts';
import { exampleAnswer, expectContract } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { like } from '../support/operation.ts';
import { listener } from '../support/stream.ts';

const key = 'a-key-for-this-test';
const other = 'another-key-for-this-test';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
const start = (): Promise<LocalServer> =>
  startLocalServer(folder.path, { API_KEYS: `${key},${other}`, RATE_LIMIT: '2000/1h', FAILED_KEYS: 'off' });
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await start();
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});
afterEach(() => void jest.restoreAllMocks());

interface Made {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly expires_at: string;
  readonly id: string;
}
const call = (target: string, with_: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + target, { ...init, headers: { 'x-api-key': with_, ...init.headers } });
const post = (target: string, with_: string, body: object): Promise<Response> =>
  call(target, with_, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
async function make(body: object = {}, with_ = key): Promise<Made> {
  const response = await post('/social/token/create', with_, body);
  expect(response.status).toBe(200);
  return (await expectContract('createToken', response)) as Made;
}
async function makeFeedToken(name: string, with_ = key): Promise<Made> {
  const response = await post('/social/feed_token/create', with_, { name });
  expect(response.status).toBe(200);
  return (await expectContract('createFeedToken', response)) as Made;
}
const search = '/social/tweet/advanced_search?query=coffee';
const statusOf = async (target: string, with_: string): Promise<number> => (await call(target, with_)).status;

describe('a short-lived token', () => {
  test('is answered in the form of the example, and is accepted where a key is', async () => {
    const made = await make({ scopes: ['read', 'events'] });
    expect(made).toEqual(like(exampleAnswer('createToken')));
    expect(made.scopes).toEqual(['read', 'events']);
    expect(Date.parse(made.expires_at) - Date.now()).toBeLessThanOrEqual(600_000);
    expect(await statusOf(search, made.token)).toBe(200);
    expect((await fetch(`${server.url}${search}&api_key=${made.token}`)).status).toBe(200);
    const bearer = { headers: { authorization: `Bearer ${made.token}` } };
    expect((await fetch(server.url + search, bearer)).status).toBe(200);
    const stream = await listener(server.url, made.token);
    await stream.first('connected');
    stream.socket.terminate();
  });

  test('has only its scopes, those of the key by default, and never those of making tokens', async () => {
    const events = await make({ scopes: ['events'] });
    expect(await statusOf(search, events.token)).toBe(403);
    const all = await make();
    expect(all.scopes).toEqual(['read', 'assistant', 'write', 'events', 'feeds', 'alerts']);
    for (const target of ['/social/token/create', '/social/feed_token/create'])
      expect((await post(target, all.token, { name: 'x' })).status).toBe(403);
    expect(await statusOf('/social/feed_token/list', all.token)).toBe(403);
    expect((await post('/social/token/create', key, { scopes: ['tokens'] })).status).toBe(400);
    expect((await post('/social/token/create', key, { scopes: ['admin'] })).status).toBe(400);
  });

  test('ends at its time, and the streams that it opened end with a code that asks for a new token', async () => {
    const { token, expires_at: end } = await make({ ttl_seconds: 60 });
    const stream = await listener(server.url, token);
    await stream.first('connected');
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse(end));
    expect((await stream.closed).code).toBe(4202);
    expect(await statusOf(search, token)).toBe(401);
  });

  test('no change of it is accepted, nor one of another service', async () => {
    const { token } = await make({ scopes: ['events'], ttl_seconds: 60 });
    const [head = '', signature = ''] = token.slice(4).split('.');
    const claims = JSON.parse(Buffer.from(head, 'base64url').toString()) as object;
    const wider = Buffer.from(JSON.stringify({ ...claims, scopes: ['read'], ends: 9e9 })).toString('base64url');
    const forged = [
      `sdt_${wider}.${signature}`,
      `sdt_${wider}.`,
      `sdt_${wider}`,
      `${token}x`,
      token.slice(0, -1),
      `${token}.${signature}`,
      `sdt_${head}.${'A'.repeat(signature.length)}`,
      'sdt_',
      'sdt_.',
      `sdt_${'é'.repeat(40)}.x`,
    ];
    for (const each of forged) expect([each, await statusOf(search, encodeURIComponent(each))]).toEqual([each, 401]);
    expect(await statusOf(search, token)).toBe(403);
  });

  test('its requests count towards the limit of its key, also those of another token', async () => {
    const remaining = (response: Response): number =>
      Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
    const [a, b] = [await make(), await make()];
    expect(a.token).not.toBe(b.token);
    const left = remaining(await call(search, key));
    expect(remaining(await call(search, a.token))).toBe(left - 1);
    expect(remaining(await call(search, b.token))).toBe(left - 2);
    expect(remaining(await call(search, key))).toBe(left - 3);
    const streams = await Promise.all(
      [key, a.token, b.token, a.token, b.token].map((each) => listener(server.url, each)),
    );
    await Promise.all(streams.map((each) => each.first('connected')));
    expect((await (await listener(server.url, a.token)).closed).code).toBe(4003);
    for (const { socket } of streams) socket.terminate();
  });

  test('a key has the tokens of its scopes only', async () => {
    await using(['read'], async (read) => {
      expect((await make({}, read)).scopes).toEqual(['read', 'feeds']);
      const refused = await post('/social/token/create', read, { scopes: ['read', 'write'] });
      expect([refused.status, await refused.json()]).toEqual([403, { error: "this API key lacks the scope 'write'" }]);
      expect(refused.headers.get('www-authenticate')).toContain('scope="write"');
    });
  });

  test('ends when its key is revoked, with the streams that it opened', async () => {
    let stream: Awaited<ReturnType<typeof listener>> | undefined;
    const token = await using(['read', 'events'], async (mine) => {
      const { token: made } = await make({}, mine);
      stream = await listener(server.url, made);
      await stream.first('connected');
      expect(await statusOf(search, made)).toBe(200);
      return made;
    });
    expect((await stream!.closed).code).toBe(4005);
    expect(await statusOf(search, token)).toBe(401);
  });
});

/** Calls `use` with a new key of these scopes, which the operator revokes afterwards. */
async function using<Result>(scopes: readonly string[], use: (key: string) => Promise<Result>): Promise<Result> {
  const control = await connectControl(folder.path);
  if (control === undefined) throw new Error('the server has no control socket');
  try {
    const created = (await control.call('keys/create', { name: 'mine', scopes: scopes.join(',') })) as Made & {
      key: string;
    };
    try {
      return await use(created.key);
    } finally {
      await control.call('keys/revoke', created.id);
    }
  } finally {
    control.close();
  }
}

describe('a feed token', () => {
  test('can do nothing but read feeds, and appears in the list of its key', async () => {
    const made = await makeFeedToken('reader');
    expect(made).toEqual(like(exampleAnswer('createFeedToken')));
    for (const target of [search, '/social/assistant/status', '/social/feed_token/list'])
      expect([target, await statusOf(target, made.token)]).toEqual([target, 403]);
    const stream = await listener(server.url, made.token);
    expect((await stream.closed).code).toBe(4002);
    const list = (await (await call('/social/feed_token/list', key)).json()) as { feed_tokens: Made[] };
    expect(list).toEqual(like(exampleAnswer('getFeedTokens')));
    expect(list.feed_tokens.map(({ id }) => id)).toContain(made.id);
    expect(JSON.stringify(list)).not.toContain(made.token);
  });

  test('is revoked by its key alone, at once', async () => {
    const made = await makeFeedToken('to be revoked');
    const revoke = async (with_: string): Promise<unknown> =>
      (await post('/social/feed_token/revoke', with_, { id: made.id })).json();
    expect(await revoke(other)).toEqual({ success: false });
    expect(await statusOf(search, made.token)).toBe(403);
    expect(await revoke(key)).toEqual({ success: true });
    expect(await statusOf(search, made.token)).toBe(401);
    expect(await revoke(key)).toEqual({ success: false });
  });

  test('a key has at most 100, and names without control characters', async () => {
    await using(['read'], async (mine) => {
      for (let count = 0; count < 100; count++) await makeFeedToken(`reader ${count}`, mine);
      expect((await post('/social/feed_token/create', mine, { name: 'one more' })).status).toBe(400);
    });
    expect((await post('/social/feed_token/create', key, { name: 'a\u0007b' })).status).toBe(400);
  });
});

test('both are valid after a restart, and no log has one', async () => {
  const [short, feed] = [await make(), await makeFeedToken('kept')];
  await fetch(`${server.url}${search}&api_key=${short.token}x`);
  const before = server.errors();
  await server.end();
  server = await start();
  expect(await statusOf(search, short.token)).toBe(200);
  expect(await statusOf(search, feed.token)).toBe(403);
  expect(before + server.errors()).not.toMatch(/sdt_|sdf_/);
  const stored = await readFile(`${folder.path}/keys.json`, 'utf8');
  expect(stored).not.toMatch(/sdt_|sdf_/);
});
