import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ServiceError } from '../../server/contract/service-error.ts';
import { ResponseCache } from '../../server/http/pipeline/response-cache.ts';
import { createAuthenticator } from '../../server/keys/authenticator.ts';
import { unrestrictedKey } from '../../server/keys/keys.ts';
import { exampleAnswer } from '../support/contract.ts';
import { json, responses, startExtended } from '../support/extended-contract.ts';
import {
  exampleHandlers,
  key,
  startService,
  type AnyHandler,
  type Service,
  type ServiceParts,
} from '../support/service.ts';

const space = '/social/space/detail?id=abc';
let service: Service;
afterEach(() => service.stop(0));

/** A service that counts the calls of getSpace; its answers are functions of `state.revision`. */
async function counting(parts: ServiceParts = {}, handler: AnyHandler = () => exampleAnswer('getSpace')) {
  const state = { calls: 0, revision: 1 as number | undefined, cursor: 1 };
  const getSpace: AnyHandler = (call) => {
    state.calls += 1;
    return handler(call);
  };
  service = await startService({
    handlers: exampleHandlers({ getSpace }),
    revisionOf: () => state.revision,
    eventCursor: () => `epoch.${state.cursor}`,
    rateLimit: { requests: 100, periodMs: 3_600_000 },
    ...parts,
  });
  const get = async (headers: Record<string, string> = {}, target = space) => {
    const response = await service.request(target, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { state, get };
}

describe('caches a response', () => {
  test('at the second request, for the same revision', async () => {
    const { state, get } = await counting();
    const texts = [await get(), await get(), await get(), await get()].map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
    expect(state.calls).toBe(2);
    state.revision = 2;
    await get();
    await get();
    expect(state.calls).toBe(3);
  });
  test('for another revision too, though many other targets were requested since', () => {
    const cache = new ResponseCache();
    const parsed = { id: 'getSpace', path: '/a', query: {} } as never;
    const store = (target: string, revision: number) => cache.store(target, parsed, revision, Buffer.from(target));
    store(space, 1);
    store(space, 1);
    for (let other = 0; other < 100_000; other += 1) store(`/${other}`, 1);
    store(space, 2);
    expect(cache.get(space)?.revision).toBe(2);
  });
  test('for its request target only', async () => {
    const { state, get } = await counting();
    for (const target of [space, space, space, '/social/space/detail?id=abd']) await get({}, target);
    expect(state.calls).toBe(3);
  });
  test('for all encodings and for If-None-Match', async () => {
    const { state, get } = await counting({}, () => ({
      ...(exampleAnswer('getSpace') as object),
      title: 'long '.repeat(500),
    }));
    await get();
    const answers = [
      await get({ 'accept-encoding': 'br' }),
      await get({ 'accept-encoding': 'br' }),
      await get({ 'accept-encoding': 'gzip' }),
      await get({ 'accept-encoding': 'identity' }),
    ];
    expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'br', 'gzip', null]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect((await get({ 'if-none-match': answers[0]!.headers.get('etag')! })).status).toBe(304);
    expect(state.calls).toBe(2);
  });
  test('with new per-request headers each time', async () => {
    const { state, get } = await counting();
    await get();
    const first = await get();
    state.cursor = 9;
    const second = await get({ 'x-request-id': 'mine' });
    expect([first, second].map(({ headers }) => headers.get('x-event-cursor'))).toEqual(['epoch.1', 'epoch.9']);
    expect(second.headers.get('x-request-id')).toBe('mine');
    expect(second.headers.get('ratelimit')).not.toBe(first.headers.get('ratelimit'));
    expect(state.calls).toBe(2);
  });
  test('but not for an invalid key or a key above its rate limit', async () => {
    const known = new Map([[key, unrestrictedKey('k')]]);
    const enter = createAuthenticator({
      keys: { verify: (candidate) => known.get(candidate), recordUse() {} },
      failures: 'off',
    });
    const { get } = await counting({ authenticate: enter, rateLimit: { requests: 3, periodMs: 3_600_000 } });
    expect([(await get()).status, (await get()).status, (await get()).status, (await get()).status]).toEqual([
      200, 200, 200, 429,
    ]);
    known.clear();
    expect((await get()).status).toBe(401);
  });
});

describe('does not cache a response', () => {
  test('that does not depend only on the revision', async () => {
    const { state, get } = await counting();
    state.revision = undefined;
    for (let n = 0; n < 3; n++) await get();
    expect(state.calls).toBe(3);
  });
  test('of an operation with other parameters than those of the target', async () => {
    const schema = { type: 'string' };
    service = await startExtended(
      {
        getThing: {
          route: 'GET /social/things/{id}',
          described: {
            parameters: [
              { name: 'id', in: 'path', required: true, schema },
              { name: 'X-Tenant', in: 'header', schema },
              { name: 'session', in: 'cookie', schema },
            ],
            responses: responses({
              200: { description: 'It.', content: json({ type: 'object' }) },
              304: { description: 'As before.' },
            }),
          },
          handle: ({ path, headers, cookies }) => ({ ...path, ...headers, ...cookies }),
        },
      },
      {},
      { revisionOf: () => 1 },
    );
    const get = async (headers: Record<string, string>): Promise<unknown> =>
      (await service.request('/social/things/a', { headers })).json();
    for (const tenant of ['one', 'two', 'one', 'two'])
      expect(await get({ 'x-tenant': tenant })).toEqual({ id: 'a', 'X-Tenant': tenant });
    expect(await get({ cookie: 'session=s1' })).toEqual({ id: 'a', session: 's1' });
  });
  test('that a change has replaced: the handler gets the parameters in the path again', async () => {
    let revision = 1;
    service = await startExtended(
      {
        getThing: {
          route: 'GET /social/things/{id}',
          described: {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            responses: responses({
              200: { description: 'It.', content: json({ type: 'object' }) },
              304: { description: 'As before.' },
            }),
          },
          handle: ({ path }) => ({ ...path, revision }),
        },
      },
      {},
      { revisionOf: () => revision },
    );
    for (; revision < 4; revision++)
      for (let call = 0; call < 3; call++)
        expect(await (await service.request('/social/things/a')).json()).toEqual({ id: 'a', revision });
  });
  test('if the archive changed meanwhile', async () => {
    const { state, get } = await counting({}, async () => {
      state.revision = (state.revision ?? 0) + (state.calls < 4 ? 1 : 0);
      return exampleAnswer('getSpace');
    });
    for (let n = 0; n < 7; n++) await get();
    // Three times a change came, then it was asked for the first time of its state and again.
    expect(state.calls).toBe(5);
  });
  test('that is an error', async () => {
    const { state, get } = await counting({}, () => {
      throw new ServiceError(404, 'space abc not found');
    });
    const [first, second] = [await get(), await get()];
    expect([first.status, second.status, state.calls]).toEqual([404, 404, 2]);
    expect(
      Object.fromEntries(
        [...first.headers].filter(([name]) => ['cache-control', 'content-type', 'etag'].includes(name)),
      ),
    ).toEqual({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' });
    expect(first.headers.get('ratelimit')).not.toBeNull();
  });
  test('that violates the contract', async () => {
    const { state, get } = await counting({}, () =>
      Object.freeze({ ...(exampleAnswer('getSpace') as object), extra: 1 }),
    );
    expect([(await get()).status, (await get()).status, state.calls]).toEqual([500, 500, 2]);
  });
  test('with VALIDATE=always', async () => {
    const { state, get } = await counting({ validate: 'always' });
    for (let n = 0; n < 3; n++) await get();
    expect(state.calls).toBe(3);
  });
});

test('answers pipelined requests in order, also from the cache', async () => {
  const slow = Promise.withResolvers<void>();
  const { get } = await counting({}, async ({ query }) => {
    if ((query as { id: string }).id === 'slow') await slow.promise;
    return { ...(exampleAnswer('getSpace') as object), title: (query as { id: string }).id };
  });
  for (let n = 0; n < 2; n++) await get({}, '/social/space/detail?id=kept');
  const socket = connect(service.port, '127.0.0.1');
  let text = '';
  const all = Promise.withResolvers<void>();
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if ([...text.matchAll(/"title":"/g)].length === 2) all.resolve();
  });
  socket.write(
    ['slow', 'kept']
      .map((id) => `GET /social/space/detail?id=${id} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`)
      .join(''),
  );
  await once(socket, 'connect');
  await get({}, '/social/space/detail?id=another');
  slow.resolve();
  await all.promise;
  socket.destroy();
  expect([...text.matchAll(/"title":"(\w+)"/g)].map(([, title]) => title)).toEqual(['slow', 'kept']);
});

test('a stop closes the connection also after a cached response', async () => {
  const { get } = await counting();
  for (let n = 0; n < 3; n++) await get();
  // Far beyond the time of this test, which is shorter than that for which an idle connection stays open.
  await service.stop(600_000);
});
