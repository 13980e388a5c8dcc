// Tests server/http/pipeline/error-responder.ts, server/http/pipeline/exchange.ts, server/http/pipeline/reply.ts and
// server/http/express/not-found.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { get } from 'node:http';
import { operations } from '../../generated/operations.ts';
import { operationIds } from '../../server/contract/operations.ts';
import { ServiceError, unavailable, type ErrorStatus } from '../../server/contract/service-error.ts';
import type { OpenApiDocument } from '../../server/contract/openapi.ts';
import { contract, exampleAnswer, expectContract } from '../support/contract.ts';
import {
  exampleHandlers,
  key,
  startService,
  validInit,
  validTarget,
  type AnyHandler,
  type Service,
} from '../support/service.ts';

let service: Service;
let answer: AnyHandler;
beforeAll(async () => {
  const handler: AnyHandler = (call) => answer(call);
  service = await startService({ handlers: exampleHandlers({ getAssistantStatus: handler, explainTweet: handler }) });
});
afterAll(() => service.stop(0));

const pool = '/social/assistant/status';
/** The service, whose pool status and assistant are answered by this handler. */
function answering(handler: AnyHandler): Service {
  answer = handler;
  return service;
}
/** The log line of the request with this id, which may be written after its answer was read. */
async function lineOf(id: string | null, { log }: Service): Promise<Record<string, unknown>> {
  for (;;) {
    const line = log.find((each) => each.id === id && 'status' in each);
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('an error of a handler', () => {
  test.each<[ErrorStatus, Record<string, string>]>([
    [400, {}],
    [404, {}],
    [501, {}],
    [502, {}],
    [504, {}],
    [503, { 'Retry-After': '7' }],
  ])('with status %i is sent unchanged', async (status, headers) => {
    const { request } = answering(() => {
      throw new ServiceError(status, 'what was wrong', headers);
    });
    const response = await request(pool);
    expect(response.status).toBe(status);
    expect(await expectContract('getAssistantStatus', response)).toEqual({ error: 'what was wrong' });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
  test('has no event cursor', async () => {
    const { request } = answering(() => {
      throw new ServiceError(404, 'not here');
    });
    expect((await request(pool)).headers.has('x-event-cursor')).toBe(false);
  });
  test('sends 409 if the contract declares it', async () => {
    const { request } = answering(() => {
      throw new ServiceError(409, 'expired');
    });
    const response = await request(validTarget('explainTweet'));
    expect(response.status).toBe(409);
    await expectContract('explainTweet', response);
  });
  test('sends 503 with Retry-After in whole seconds', async () => {
    const { request } = answering(() => {
      throw unavailable('busy', 1.2);
    });
    expect((await request(pool)).headers.get('retry-after')).toBe('2');
  });
});

describe('sends 500 with a neutral message, and logs the cause:', () => {
  const wrong: [string, AnyHandler, RegExp][] = [
    [
      'an unexpected error',
      () => {
        throw new Error('the disk is on fire');
      },
      // The message can quote the caller: the log has the type and the place.
      /"type":"Error".*responses\.test\.ts/,
    ],
    ['a rejected promise', () => Promise.reject(new RangeError('on fire')), /"type":"RangeError".*responses\.test\.ts/],
    [
      'something that is not an Error',
      () => {
        throw 'smoke';
      },
      /"type":"Error".*error-responder/,
    ],
    [
      'an error that looks like one of a library',
      () => {
        throw Object.assign(new Error('teapot'), { status: 418, expose: true });
      },
      /"type":"Error".*responses\.test\.ts/,
    ],
    [
      'an undeclared member',
      () => ({ ...(exampleAnswer('getAssistantStatus') as object), extra: 1 }),
      /getAssistantStatus.*extra/,
    ],
    ['a missing member', () => ({}), /getAssistantStatus.*required/],
    [
      'a wrong type deep inside',
      () => ({ ...(exampleAnswer('getAssistantStatus') as object), capacity: { capable: 'x' } }),
      /getAssistantStatus.*capacity/,
    ],
    ['no answer at all', () => undefined, /body required/],
    ['null', () => null, /must be object/],
    [
      'an undeclared status',
      () => {
        throw new ServiceError(409, 'not here');
      },
      /getAssistantStatus.*409 is not declared/,
    ],
    [
      'a 503 whose body is not an Error',
      () => {
        throw new ServiceError(503, '');
      },
      /body of the 503/,
    ],
    [
      'a 503 whose message is not a string',
      () => {
        throw new ServiceError(503, undefined as never);
      },
      /body of the 503|internal/,
    ],
  ];
  test.each(wrong)('%s', async (name, handler, detail) => {
    const running = answering(handler);
    const response = await running.request(pool);
    expect(response.status).toBe(500);
    expect(await expectContract('getAssistantStatus', response)).toEqual({ error: 'internal error' });
    const line = await lineOf(response.headers.get('x-request-id'), running);
    expect({ name, status: line.status, level: line.level }).toEqual({ name, status: 500, level: 50 });
    expect(JSON.stringify(line)).toMatch(detail);
    expect(line.id).toBe(response.headers.get('x-request-id'));
  });
});

describe('a broken contract stops the start', () => {
  interface Editable {
    openapi: string;
    paths: Record<string, unknown>;
    components: { schemas: Record<string, unknown> };
  }
  test.each<[string, (document: Editable) => void, RegExp]>([
    ['without an operation', ({ paths }) => void delete paths[pool], /no operation getAssistantStatus/],
    ['of another version', (document) => void (document.openapi = '2.0'), /the contract is invalid: .+/],
    ['with a malformed path', ({ paths }) => void (paths.nonsense = 7), /the contract is invalid: .+/],
    [
      'with a reference to nothing',
      ({ components }) => void (components.schemas.Space = { $ref: '#/components/schemas/Nothing' }),
      /the contract is invalid: .+/,
    ],
  ])('%s', async (_name, damage, message) => {
    const document = structuredClone(contract) as unknown as OpenApiDocument & Editable;
    damage(document);
    await expect(startService({ document })).rejects.toThrow(message);
  });
});

describe('a response', () => {
  let examples: Service;
  beforeAll(async () => void (examples = await startService()));
  afterAll(() => examples.stop(0));

  const conditional = operationIds.filter(
    (id) => contract.paths[operations[id].path]![operations[id].method]!.responses['304'] !== undefined,
  );
  test.each(conditional)('of %s is 304 for a matching If-None-Match', async (id) => {
    const first = await examples.request(validTarget(id));
    const etag = first.headers.get('etag')!;
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('vary')).toMatch(/Accept-Encoding/);
    const second = await examples.request(validTarget(id), { headers: { 'if-none-match': etag } });
    expect(second.status).toBe(304);
    await expectContract(id, second);
    // A feed has no position in the events.
    const success = contract.paths[operations[id].path]![operations[id].method]!.responses['200'];
    const cursor = 'X-Event-Cursor' in Object(Object(success).headers) ? 'epoch.1' : null;
    expect([first, second].map(({ headers }) => headers.get('x-event-cursor'))).toEqual([cursor, cursor]);
    expect([second.headers.get('etag'), second.headers.get('vary')]).toEqual([etag, first.headers.get('vary')]);
    expect((await examples.request(validTarget(id), { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200);
  });
  test('changes its ETag with its content', async () => {
    let available = 1;
    const { request } = answering(() => ({
      ...(exampleAnswer('getAssistantStatus') as object),
      available: (available += 1),
    }));
    const [a, b] = [await request(pool), await request(pool)];
    expect(a.headers.get('etag')).not.toBe(b.headers.get('etag'));
  });
  test.each(['explainTweet', 'unlikeTweet'] as const)('of %s is never 304 and never stored', async (id) => {
    const init = validInit(id);
    const response = await examples.request(validTarget(id), {
      ...init,
      headers: { ...(init.headers as object), 'if-none-match': '*' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    // A write has the position of its own event.
    const cursor = id === 'unlikeTweet' ? 'epoch.1' : null;
    expect([response.headers.get('x-event-cursor'), response.headers.get('etag')]).toEqual([cursor, null]);
  });
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('is compressed with %s if that reduces its size', async (encoding, unpack) => {
    const fetchBytes = async (target: string) => {
      const response = await new Promise<import('node:http').IncomingMessage>((resolve) => {
        get(examples.url + target, { headers: { 'x-api-key': key, 'accept-encoding': encoding } }, resolve);
      });
      return { headers: response.headers, bytes: Buffer.concat(await response.toArray()) };
    };
    const big = await fetchBytes(validTarget('getUserLastTweets'));
    expect(big.headers['content-encoding']).toBe(encoding);
    expect(big.headers.vary).toMatch(/Accept-Encoding/);
    expect(JSON.parse(unpack(big.bytes).toString())).toEqual(exampleAnswer('getUserLastTweets'));
    expect((await fetchBytes(pool)).headers['content-encoding']).toBeUndefined();
  });
  test('has the request id: a safe one of the caller, or a new one', async () => {
    const id = async (given?: string) =>
      (await examples.request(pool, given === undefined ? {} : { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await id('trace-1.2_3')).toBe('trace-1.2_3');
    const fresh = [await id(), await id(), await id('two words'), await id('x'.repeat(65)), await id('a"b')];
    expect(new Set(fresh).size).toBe(5);
    for (const each of fresh) expect(each).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('aborts the signal of a handler when the caller disconnects', async () => {
  const aborted = Promise.withResolvers<unknown>();
  const caller = new AbortController();
  const { request } = answering(({ signal }) => {
    signal.addEventListener('abort', () => aborted.resolve(true));
    caller.abort();
    return new Promise(() => {});
  });
  await expect(request(pool, { signal: caller.signal })).rejects.toThrow();
  expect(await aborted.promise).toBe(true);
});
