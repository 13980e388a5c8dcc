import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import type { OperationId } from '../../../server/contract/operations.ts';
import { ServiceError, type ErrorStatus } from '../../../server/contract/service-error.ts';
import { Exchange } from '../../../server/http/pipeline/exchange.ts';
import type {
  OperationInput,
  OperationServices,
  PreparedOperation,
  WriteBody,
} from '../../../server/http/pipeline/operation.ts';
import { initialFacts, type RequestFacts } from '../../../server/http/pipeline/request-summary.ts';
import { unrestrictedKey } from '../../../server/keys/keys.ts';
import { traceHeaders } from '../../../server/observability/trace-context.ts';
import { json, responses, type AnyCall } from '../../support/extended-contract.ts';
import { operationServices, preparedOperations } from '../../support/prepared-operations.ts';
import { startScripted, type Scripted } from '../../support/scripted.ts';

const text = { type: 'string' };
const error = { type: 'object', required: ['error'], properties: { error: text } };
const thing = { type: 'object', required: ['id'], additionalProperties: false, properties: { id: text } };
const page = {
  type: 'object',
  properties: { things: { type: 'array', items: thing }, next_cursor: { type: ['string', 'null'] } },
};
const withCursor = { headers: { 'X-Event-Cursor': { schema: text } }, content: json(thing) };
const header = (name: string): object => ({ name, in: 'header', schema: text });
const operations: Record<string, { method?: string; responses: object } & Record<string, unknown>> = {
  read: { security: [{ key: ['read'] }], responses: { 200: withCursor, 304: {} } },
  write: { method: 'post', security: [{ key: ['write'] }], responses: { 200: withCursor } },
  plain: { responses: { 201: { content: json(thing) } } },
  list: { 'x-items': 'things', responses: { 200: { content: { ...json(page), 'text/csv': {} } }, 304: {} } },
  forms: { responses: { 200: { content: { 'text/plain': {}, 'text/html': {} } } } },
  old: { deprecated: true, 'x-sunset': '2027-03-31', responses: { 200: { content: json(thing) } } },
  matched: { method: 'put', parameters: [header('If-Match')], responses: { 200: { content: json(thing) } } },
  session: {
    parameters: [{ name: 'sid', in: 'cookie', schema: text }],
    responses: { 200: { content: json(thing) }, 304: {} },
  },
  mode: { parameters: [header('X-Mode')], responses: { 200: { content: json(thing) }, 304: {} } },
  optional: { security: [{}, { key: ['read'] }], responses: { 200: { content: json(thing) }, 304: {} } },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'A Test', version: '1' },
  paths: Object.fromEntries(
    Object.entries(operations).map(([operationId, { method = 'get', ...described }]) => [
      `/${operationId}`,
      { [method]: { operationId, ...described, responses: responses(described.responses as Record<string, unknown>) } },
    ]),
  ),
  security: [{ key: [] }],
  components: {
    schemas: { Error: error },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
  },
} as unknown as OpenApiDocument;

let act: (request: IncomingMessage, response: ServerResponse) => void;
let server: Scripted;
beforeAll(async () => void (server = await startScripted((request, response) => act(request, response))));
afterAll(() => server.stop());

type Handle = (call: AnyCall & Record<string, unknown>) => unknown;
/** The prepared operations of the document with these handlers. */
function prepared(handlers: Record<string, Handle> | undefined, services: Partial<OperationServices> = {}) {
  const all: OperationServices = { ...operationServices(document), ...services };
  const map = preparedOperations(document, handlers, all);
  const of = (id: string): PreparedOperation => map.get(id as OperationId)!;
  return { of, cache: all.cache };
}

interface Given {
  readonly sent?: Record<string, string>;
  readonly input?: Partial<OperationInput>;
  readonly write?: (body: unknown, response: ServerResponse) => unknown;
  readonly before?: (exchange: Exchange) => void;
  readonly trace?: RequestFacts['trace'];
}
interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly facts: RequestFacts;
}
/** What a caller gets from an admitted request of an operation. */
async function answerOf(operation: PreparedOperation, given: Given = {}): Promise<Answer> {
  const facts = initialFacts('r1', 'GET', { trace: given.trace });
  facts.operationId = operation.id;
  act = (request, response) => {
    const preferences = { acceptEncoding: undefined, ifNoneMatch: request.headers['if-none-match'] };
    const exchange = new Exchange(request, response, facts, [], preferences, ['X-Own', '1']);
    given.before?.(exchange);
    const target = `/${operation.id}`;
    const values = { pathValues: {}, query: {}, headers: {}, cookies: {}, body: undefined, contentType: undefined };
    const write = given.write && ((body: unknown) => given.write?.(body, response));
    operation.respond(
      exchange,
      { target, path: target, cached: undefined, ...values, ...given.input },
      write as WriteBody,
    );
  };
  const { method } = operation.metadata.entry;
  const response = await new Promise<IncomingMessage>((resolve) =>
    send(server.url, { method, headers: given.sent ?? {} }, resolve).end(),
  );
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, headers: response.headers, body, facts };
}
const one = { id: '1' };

describe('an operation', () => {
  test.each<[string, number, string, string | undefined]>([
    ['read', 200, 'private, no-cache', 'epoch.1'],
    ['write', 200, 'no-store', 'epoch.1'],
    ['plain', 201, 'no-store', undefined],
    ['session', 200, 'private, no-cache', undefined],
  ])('answers what its handler returns: %s', async (id, status, cacheControl, cursor) => {
    const { headers, ...answer } = await answerOf(prepared({ [id]: () => one }).of(id));
    expect(answer).toMatchObject({ status, body: '{"id":"1"}' });
    expect(headers).toMatchObject({ 'x-own': '1', 'cache-control': cacheControl });
    expect(headers['x-event-cursor']).toBe(cursor);
    expect(headers.etag === undefined).toBe(cacheControl === 'no-store');
  });
  test('that reads has the event cursor of before, one that writes that of after', async () => {
    let cursor = 1;
    const handle = async (): Promise<object> => {
      cursor++;
      return one;
    };
    const { of } = prepared({ read: handle, write: handle }, { eventCursor: () => `epoch.${cursor}` });
    expect((await answerOf(of('read'))).headers['x-event-cursor']).toBe('epoch.1');
    expect((await answerOf(of('write'))).headers['x-event-cursor']).toBe('epoch.3');
  });
  test('can return a reply', async () => {
    const { of } = prepared({ forms: ({ accept }) => ({ status: 200, contentType: accept, body: 'a' }) });
    const { headers } = await answerOf(of('forms'), { sent: { accept: 'text/html' } });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });
  test('can have another writer of its body', async () => {
    const { of } = prepared({ plain: () => ({ any: 'value' }) });
    const write = (body: unknown, response: ServerResponse): void => void response.end(JSON.stringify([body]));
    expect(await answerOf(of('plain'), { write })).toMatchObject({ status: 201, body: '[{"any":"value"}]' });
    const failing = (): never => {
      throw new Error('on fire');
    };
    expect(await answerOf(of('plain'), { write: failing })).toMatchObject({ status: 500 });
  });
  test.each<[string, Handle, string]>([
    [
      'its handler throws',
      () => {
        throw new RangeError('on fire');
      },
      'on fire',
    ],
    [
      'its handler rejects',
      async () => {
        throw new RangeError('on fire');
      },
      'on fire',
    ],
    ['the body is wrong', () => ({ id: 5 }), 'read: /id must be string {"type":"string"}'],
    ['the body is missing', () => undefined, 'read: response body required'],
  ])('is a 500 where %s', async (_case, handle, fault) => {
    const { status, body, facts } = await answerOf(prepared({ read: handle }).of('read'));
    expect([status, body, facts.fault?.message]).toEqual([500, '{"error":"internal error"}', fault]);
  });
  test('has the errors that the contract declares, and no others', async () => {
    const throwing =
      (status: number): Handle =>
      () => {
        throw new ServiceError(status as ErrorStatus, 'not here');
      };
    const declared = await answerOf(prepared({ read: throwing(404) }).of('read'));
    expect([declared.status, declared.body, declared.facts.fault]).toEqual([404, '{"error":"not here"}', undefined]);
    expect(declared.headers).not.toHaveProperty('x-event-cursor');
    const other = await answerOf(prepared({ read: throwing(302) }).of('read'));
    expect([other.status, other.facts.fault?.message]).toEqual([500, 'read: status 302 is not declared']);
  });
  test('without a handler is a 500', async () => {
    for (const handlers of [undefined, {}])
      expect((await answerOf(prepared(handlers).of('read'))).facts.fault?.message).toBe(
        'this operation has no handler',
      );
  });
  test('runs in the trace of its request', async () => {
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: '01', state: undefined };
    const { of } = prepared({ read: () => ({ id: traceHeaders()['traceparent'] ?? 'none' }) });
    expect((await answerOf(of('read'), { trace })).body).toBe(`{"id":"00-${trace.traceId}-${trace.spanId}-01"}`);
    expect((await answerOf(of('read'))).body).toBe('{"id":"none"}');
  });
});

describe('a handler gets', () => {
  /** What the handler sees of its call. */
  async function seen(read: Handle, given: Given = {}, services: Partial<OperationServices> = {}): Promise<unknown> {
    let result: unknown;
    const handle: Handle = (call) => {
      result = read(call);
      return one;
    };
    await answerOf(prepared({ read: handle, forms: handle }, services).of('read'), given);
    return result;
  }
  test('the validated values of the request', async () => {
    const input = {
      pathValues: { a: 1 },
      query: { b: 2 },
      headers: { c: 3 },
      cookies: { d: 4 },
      body: { e: 5 },
      contentType: 'text/plain',
    };
    const read: Handle = ({ path, query, headers, cookies, body, contentType }) => ({
      ...{ path, query, headers, cookies, body, contentType },
    });
    const { pathValues: path, ...rest } = input;
    expect(await seen(read, { input })).toEqual({ path, ...rest });
  });
  test('the caller, and when the credential ends', async () => {
    const read: Handle = ({ keyId, credentialEnds }) => [keyId, credentialEnds];
    const before = (exchange: Exchange): void => void (exchange.key = { ...unrestrictedKey('k1'), expiresAt: 99 });
    expect(await seen(read, { before })).toEqual(['k1', 99]);
    expect(await seen(read)).toEqual(['', Infinity]);
  });
  test('the origin by which the caller reaches the service', async () => {
    const read: Handle = ({ origin }) => origin;
    expect(await seen(read)).toBe('https://social.example');
    const originOf = () => ({ secure: false, host: undefined });
    expect(await seen(read, {}, { originOf })).toBe('http://localhost');
  });
  test('a signal, and the media type that the caller accepts', async () => {
    expect(await seen(({ signal }) => [signal instanceof AbortSignal, signal.aborted])).toEqual([true, false]);
    expect(await seen(({ accept }) => accept)).toBe('application/json');
  });
});

describe('a request is authorized', () => {
  const authorize = (id: string, scopes: string[] | undefined): Exchange => {
    const exchange = new Exchange({} as never, {} as never, initialFacts('r1', 'GET'), [], {} as never);
    if (scopes !== undefined) exchange.key = { ...unrestrictedKey('k1'), scopes: new Set(scopes) as never };
    prepared({}).of(id).authorize(exchange);
    return exchange;
  };
  test('by the scope of its operation, which the log then has', () => {
    expect(authorize('read', ['read']).facts.operationId).toBe('read');
    expect(() => authorize('read', ['write'])).toThrow(expect.objectContaining({ status: 403 }));
    expect(() => authorize('read', [])).toThrow("this API key lacks the scope 'read'");
    expect(authorize('plain', []).facts.operationId).toBe('plain');
    expect(authorize('optional', undefined).facts.operationId).toBe('optional');
  });
  test('with the headers of a deprecated operation', () => {
    expect(authorize('old', []).headers).toEqual(['Deprecation', '@0', 'Sunset', 'Wed, 31 Mar 2027 00:00:00 GMT']);
    expect(authorize('plain', []).headers).toEqual([]);
  });
});

describe('a response is cached', () => {
  /** Calls an operation again and again, as the pipeline does; returns how often the handler ran. */
  async function handled(
    id: string,
    { revisionOf, calls = 4 }: { revisionOf: OperationServices['revisionOf']; calls?: number },
  ): Promise<number> {
    let count = 0;
    const { of, cache } = prepared({ [id]: () => (count++, one) }, { revisionOf });
    for (let call = 0; call < calls; call++) {
      const { status, body, headers } = await answerOf(of(id), { input: { cached: cache.get(`/${id}`) } });
      expect([status, body, headers['x-own']]).toEqual([200, '{"id":"1"}', '1']);
    }
    return count;
  }
  test('from its second request on, for one revision of the data', async () => {
    expect(await handled('read', { revisionOf: () => 1 })).toBe(2);
  });
  test('not where it has no revision', async () => {
    expect(await handled('read', { revisionOf: () => undefined })).toBe(4);
  });
  test('not where the data changes, before the handler or while it runs', async () => {
    let revision = 0;
    expect(await handled('read', { revisionOf: () => revision++ })).toBe(4);
  });
  test('until the data changes', async () => {
    let revision = 1;
    const { of, cache } = prepared({ read: () => ({ id: String(revision) }) }, { revisionOf: () => revision });
    const bodies: string[] = [];
    for (revision of [1, 1, 1, 2, 2])
      bodies.push((await answerOf(of('read'), { input: { cached: cache.get('/read') } })).body);
    expect(bodies).toEqual(['1', '1', '1', '2', '2'].map((id) => JSON.stringify({ id })));
  });
  test.each(['session', 'mode', 'plain'])(
    'not of an operation that depends on more than its target: %s',
    async (id) => {
      const seen: string[] = [];
      const { of } = prepared({ [id]: () => one }, { revisionOf: (own) => (seen.push(own), 1) });
      await answerOf(of(id));
      expect(seen).toEqual([]);
    },
  );
  test('with what it answers, by the query', async () => {
    const seen: unknown[] = [];
    const { of, cache } = prepared({ read: () => one }, { revisionOf: (id, query) => (seen.push([id, query]), 7) });
    const input = { target: '/read?a=1', path: '/read', query: { a: 1 } };
    for (let call = 0; call < 2; call++) await answerOf(of('read'), { input });
    expect(cache.get('/read?a=1')).toMatchObject({ id: 'read', path: '/read', query: { a: 1 }, revision: 7 });
    expect(seen).toEqual(Array(4).fill(['read', { a: 1 }]));
  });
  test('and is 304 for a caller who has it, 412 for one who needs another', async () => {
    const { of, cache } = prepared({ read: () => one }, { revisionOf: () => 1 });
    for (let call = 0; call < 2; call++) await answerOf(of('read'));
    const input = { cached: cache.get('/read') };
    const { headers } = await answerOf(of('read'), { input });
    const { etag = '' } = headers;
    expect((await answerOf(of('read'), { input, sent: { 'if-none-match': etag } })).status).toBe(304);
    expect((await answerOf(of('read'), { input, sent: { 'if-match': etag } })).status).toBe(412);
  });
});

describe('If-Match', () => {
  /** The status of a request, and how often the handler ran. */
  async function statusOf(
    id: string,
    ifMatch: string,
    handle: Handle = () => one,
  ): Promise<[number | undefined, number]> {
    let calls = 0;
    const { of } = prepared({ [id]: (call) => (calls++, handle(call)) });
    const { status } = await answerOf(of(id), { sent: { 'if-match': ifMatch } });
    return [status, calls];
  }
  test('of a GET matches nothing but `*`', async () => {
    expect(await statusOf('read', ' * ')).toEqual([200, 1]);
    expect(await statusOf('read', '"a"')).toEqual([412, 1]);
    expect(
      await statusOf('read', '"a"', () => {
        throw new ServiceError(404, 'not here');
      }),
    ).toEqual([404, 1]);
  });
  test('without an ETag is checked before the handler runs', async () => {
    expect(await statusOf('plain', '*')).toEqual([201, 1]);
    expect(await statusOf('plain', '"a"')).toEqual([412, 0]);
    expect(await statusOf('write', '*')).toEqual([412, 0]);
  });
  test('is left to the handler where it is a parameter', async () => {
    expect(await statusOf('matched', '"a"')).toEqual([200, 1]);
  });
});

describe('X-Event-Cursor of a request', () => {
  test('is waited for, where the response has one', async () => {
    const steps: string[] = [];
    const reached = Promise.withResolvers<void>();
    const services = {
      cursorReached: (cursor: string) => {
        steps.push(cursor);
        setImmediate(() => {
          steps.push('reached');
          reached.resolve();
        });
        return reached.promise;
      },
    };
    const handle: Handle = () => (steps.push('handle'), one);
    const { of } = prepared({ read: handle, session: handle }, services);
    const sent = { 'x-event-cursor': 'epoch.5' };
    expect((await answerOf(of('read'), { sent })).status).toBe(200);
    expect(steps).toEqual(['epoch.5', 'reached', 'handle']);
    steps.length = 0;
    await answerOf(of('session'), { sent });
    await answerOf(of('read'));
    expect(steps).toEqual(['handle', 'handle']);
  });
  test('is not waited for where it is reached already', async () => {
    const { of } = prepared({ read: () => one }, { cursorReached: () => undefined });
    expect((await answerOf(of('read'), { sent: { 'x-event-cursor': 'epoch.1' } })).status).toBe(200);
  });
  test('is an error where it is not reached, or wrong', async () => {
    const fault = new ServiceError(503, 'the data is too old');
    for (const cursorReached of [
      () => Promise.reject(fault),
      () => {
        throw fault;
      },
    ]) {
      const { of } = prepared({ read: () => one }, { cursorReached });
      const { status, body } = await answerOf(of('read'), { sent: { 'x-event-cursor': 'epoch.9' } });
      expect([status, body]).toEqual([503, '{"error":"the data is too old"}']);
    }
  });
  test('of a response that cannot be had is a 500', async () => {
    const eventCursor = (): never => {
      throw new Error('no cursor');
    };
    for (const id of ['read', 'write'])
      expect((await answerOf(prepared({ [id]: () => one }, { eventCursor }).of(id))).status).toBe(500);
  });
});

describe('a list as CSV', () => {
  const list: Handle = () => ({ things: [{ id: '1' }, { id: '2' }], next_cursor: 'c2' });
  const sent = { accept: 'text/csv' };
  test('is sent where the caller prefers it, whatever is cached', async () => {
    const { of, cache } = prepared({ list }, { revisionOf: () => 1 });
    for (let call = 0; call < 2; call++) await answerOf(of('list'));
    const { status, headers, body } = await answerOf(of('list'), { sent, input: { cached: cache.get('/list') } });
    expect([status, body]).toEqual([200, 'id\r\n1\r\n2\r\n']);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'x-next-cursor': 'c2',
      link: '<?cursor=c2>; rel="next"',
      vary: 'Accept',
    });
    expect((await answerOf(of('list'), { sent: { ...sent, 'if-none-match': headers.etag! } })).status).toBe(304);
  });
  test('adds to Vary', async () => {
    const before = ({ response }: Exchange): void => void response.setHeader('Vary', 'Origin');
    const { headers } = await answerOf(prepared({ list }).of('list'), { sent, before });
    expect(headers.vary).toBe('Origin, Accept');
  });
  test('is a 500 where the list is wrong', async () => {
    const { of } = prepared({ list: () => ({ things: [{ id: 1 }] }) });
    const { status, facts } = await answerOf(of('list'), { sent });
    expect([status, facts.fault?.message]).toEqual([500, expect.stringContaining('/id must be string')]);
  });
  test('is JSON for any other caller, and for an operation without a list', async () => {
    const { of } = prepared({ list, read: () => one });
    expect(JSON.parse((await answerOf(of('list'))).body)).toEqual(list({} as never));
    expect((await answerOf(of('read'), { sent })).body).toBe('{"id":"1"}');
  });
});

test('what the first request would compile can be prepared', () => {
  const { of } = prepared({});
  for (const id of Object.keys(operations)) expect(() => of(id).prepare()).not.toThrow();
});

test('only a GET that always needs an API key has a reader of its query', () => {
  const { of } = prepared({});
  const reading = Object.keys(operations).filter((id) => of(id).readQuery !== undefined);
  expect(reading).toEqual(['read', 'list']);
});
