import { get, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { operationMetadata, type OpenApiDocument, type OperationMetadata } from '../../../server/contract/openapi.ts';
import type { OperationId } from '../../../server/contract/operations.ts';
import { ServerSentEvent } from '../../../server/contract/server-sent-event.ts';
import { ContractBreach } from '../../../server/http/pipeline/contract-breach.ts';
import { Exchange } from '../../../server/http/pipeline/exchange.ts';
import { ReplyWriter } from '../../../server/http/pipeline/reply.ts';
import { Representation } from '../../../server/http/pipeline/representation.ts';
import { initialFacts } from '../../../server/http/pipeline/request-summary.ts';
import { SerialiserCompiler } from '../../../server/http/pipeline/serialiser.ts';
import { json } from '../../support/extended-contract.ts';
import { startScripted, type Scripted } from '../../support/scripted.ts';
import { stopClock } from '../../support/stopped-clock.ts';
import { until } from '../../support/until.ts';

const text = { type: 'string' };
const thing = { type: 'object', required: ['id'], properties: { id: text } };
const header = (schema: object, more: object = {}): object => ({ schema, ...more });
/** The responses of each operation. */
const operations = {
  any: {
    200: { content: json(thing) },
    201: {
      headers: {
        Location: header(text, { required: true }),
        'X-Count': header({ type: 'integer', minimum: 0 }),
        'X-Tags': header({ type: 'array', items: text }),
        'Set-Cookie': header({ type: ['array', 'string'] }),
        'Cache-Control': header(text),
      },
      content: json(thing),
    },
    202: { headers: { 'Retry-After': header({ type: 'integer' }) } },
    204: {},
    304: {},
    409: { content: { 'application/problem+json': {} } },
  },
  forms: {
    200: {
      content: {
        'text/csv': { schema: { type: 'string', minLength: 3 } },
        'text/plain;charset=iso-8859-1': {},
        'text/html; Charset=utf-16': {},
        'text/x-other; mode=charset': {},
        'application/xml': { schema: thing },
        'application/x-ndjson': { schema: thing },
        'application/jsonl': {},
        'text/event-stream': { schema: thing },
        'image/*': {},
        'application/octet-stream': {},
        'multipart/form-data': {},
      },
    },
  },
  csv: { 200: { content: { 'text/csv': {} } } },
  image: { 200: { content: { 'image/*': {} } } },
  tagged: {
    200: { headers: { 'Last-Modified': header(text), 'X-Note': header(text) }, content: { 'text/csv': {} } },
    203: { headers: { 'Last-Modified': header(text) }, content: { 'text/csv': {} } },
    304: {},
  },
} as const;
type Name = keyof typeof operations;
const document = {
  openapi: '3.1.0',
  paths: Object.fromEntries(
    Object.entries(operations).map(([operationId, responses]) => [
      `/${operationId}`,
      { get: { operationId, responses } },
    ]),
  ),
  components: { schemas: {} },
} as unknown as OpenApiDocument;
const metadata = operationMetadata(document) as unknown as Record<Name, OperationMetadata>;
const writerOf = (id: Name): ReplyWriter =>
  new ReplyWriter(id as OperationId, metadata[id], new SerialiserCompiler(document));

let act: (request: IncomingMessage, response: ServerResponse) => void;
let server: Scripted;
beforeAll(async () => void (server = await startScripted((request, response) => act(request, response))));
afterAll(() => server.stop());
afterEach(() => void jest.useRealTimers());

interface Given {
  /** The headers of the request. */
  readonly sent?: Record<string, string>;
  /** The headers of the exchange, to which the reply adds its own. */
  readonly headers?: string[];
  readonly method?: 'GET' | 'HEAD';
}
interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly isComplete: boolean;
}

/** Prepares the answer with a reply; resolves with the error of the writer, or undefined. */
function replying(id: Name, result: unknown, { headers = [], method = 'GET' }: Given): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  act = (request, response) => {
    const preferences = { acceptEncoding: undefined, ifNoneMatch: request.headers['if-none-match'] };
    const exchange = new Exchange(request, response, initialFacts('r1', method), [], preferences, headers);
    writerOf(id)
      .send(exchange, result)
      .then(
        () => resolve(undefined),
        (error: unknown) => {
          resolve(error);
          if (response.headersSent) response.socket?.destroySoon();
          else response.writeHead(500).end();
        },
      );
  };
  return promise;
}
/** What a caller gets for a reply. */
async function answerTo(id: Name, result: unknown, given: Given = {}): Promise<Answer> {
  void replying(id, result, given);
  const response = await new Promise<IncomingMessage>((resolve) =>
    send(server.url, { method: given.method ?? 'GET', headers: given.sent ?? {} }, resolve).end(),
  );
  let body = '';
  response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  await new Promise((resolve) => response.on('error', () => {}).on('close', resolve));
  return { status: response.statusCode, headers: response.headers, body, isComplete: response.complete };
}
/** The fault of a reply that is not sent, or not completely. */
async function faultOf(id: Name, result: unknown): Promise<string> {
  const fault = replying(id, result, {});
  get(server.url, (response) => response.on('error', () => {}).resume());
  const error = await fault;
  expect(error).toBeInstanceOf(ContractBreach);
  return (error as Error).message;
}

describe('a reply has the status that the contract declares', () => {
  test('with the headers and the body of that status', async () => {
    const { status, headers, body } = await answerTo('any', {
      status: 201,
      headers: { location: '/1', 'X-Tags': ['a', 'b'], 'X-Count': undefined, 'set-cookie': ['a=1', 'b=2'] },
      body: { id: '1' },
    });
    expect([status, body]).toEqual([201, '{"id":"1"}']);
    expect(headers).toMatchObject({
      location: '/1',
      'x-tags': 'a,b',
      'set-cookie': ['a=1', 'b=2'],
      'content-type': 'application/json; charset=utf-8',
      'content-length': '10',
    });
    expect(headers).not.toHaveProperty('x-count');
  });
  test('and its headers replace those that are there, but for cookies', async () => {
    const reply = {
      status: 201,
      headers: { Location: '/1', 'cache-control': 'max-age=5', 'Set-Cookie': 'b=2', 'X-Tags': ['x'] },
      body: { id: '1' },
    };
    const before = [
      ...['Location', '/0', 'X-First', 'X-Tags', 'Cache-Control', 'no-store'],
      ...['Set-Cookie', 'a=1', 'X-Last', 'y'],
    ];
    const { headers } = await answerTo('any', reply, { headers: before });
    expect(headers).toMatchObject({
      location: '/1',
      'cache-control': 'max-age=5',
      'x-first': 'X-Tags',
      'x-tags': 'x',
      'set-cookie': ['a=1', 'b=2'],
      'x-last': 'y',
    });
  });
  test.each([
    [202, '0'],
    [204, undefined],
  ])('%d has no body', async (status, length) => {
    const { headers, ...answer } = await answerTo('any', { status });
    expect(answer).toEqual({ status, body: '', isComplete: true });
    expect([headers['content-length'], headers['content-type']]).toEqual([length, undefined]);
  });
  test.each<[string, Name, unknown, string]>([
    ['nothing', 'any', undefined, 'any: the handler returned no reply'],
    ['a text', 'any', 'text', 'any: the handler returned no reply'],
    ['an object without a status', 'any', { body: {} }, 'any: the handler returned no reply'],
    ['a status as a text', 'any', { status: '204' }, 'any: the handler returned no reply'],
    ['a status that is no integer', 'any', { status: 204.5 }, 'any: the handler returned no reply'],
    ['a status that is not declared', 'any', { status: 404 }, 'any: status 404 is not declared'],
    ['304, which only the server sends', 'any', { status: 304 }, 'any: status 304 is not declared'],
    ['a body where there is none', 'any', { status: 204, body: null }, 'any: 204 has no body'],
    [
      'no header that is required',
      'any',
      { status: 201, body: { id: '1' } },
      'any: the header Location of 201 is missing',
    ],
    [
      'a required header without a value',
      'any',
      { status: 201, headers: { Location: undefined }, body: { id: '1' } },
      'any: the header Location of 201 is missing',
    ],
    [
      'another header',
      'any',
      { status: 204, headers: { 'X-A': 'a' } },
      'any: the handler cannot set the header X-A of 204',
    ],
    [
      'a wrong header',
      'any',
      { status: 201, headers: { Location: '/', 'X-Count': -1 }, body: { id: '1' } },
      'any: /headers/X-Count must be >= 0 {"comparison":">=","limit":0}',
    ],
    ['a wrong body', 'any', { status: 200, body: { id: 1 } }, 'any: /id must be string {"type":"string"}'],
  ])('a handler that returns %s is a fault', async (_case, id, reply, fault) => {
    expect(await faultOf(id, reply)).toBe(fault);
  });
  test('a header that HTTP does not permit is refused before any header is set', async () => {
    const headers = ['X-Own', '1'];
    const reply = { status: 201, headers: { Location: '/1', 'Cache-Control': 'a\nb' }, body: { id: '1' } };
    const fault = replying('any', reply, { headers });
    get(server.url, (response) => response.resume());
    expect([await fault, headers]).toEqual([expect.objectContaining({ code: 'ERR_INVALID_CHAR' }), ['X-Own', '1']]);
  });
  test('headers that are no object are none', async () => {
    expect((await answerTo('any', { status: 204, headers: 'text' })).status).toBe(204);
  });
});

describe('the media type of a reply', () => {
  const png = Buffer.from('png');
  test.each<[string, Name, object, string]>([
    ['is the only one', 'csv', { body: 'a,b' }, 'text/csv; charset=utf-8'],
    ['is one of several', 'forms', { contentType: 'text/csv', body: 'a,b' }, 'text/csv; charset=utf-8'],
    [
      'is written as in the contract',
      'forms',
      { contentType: 'Text/CSV; header=present', body: 'a,b' },
      'text/csv; charset=utf-8',
    ],
    ['is one of a range', 'image', { contentType: 'image/png', body: png }, 'image/png'],
    ['keeps its charset', 'forms', { contentType: 'text/plain', body: 'a' }, 'text/plain;charset=iso-8859-1'],
    [
      'keeps its charset, however it is written',
      'forms',
      { contentType: 'text/html', body: 'a' },
      'text/html; Charset=utf-16',
    ],
    [
      'has other parameters',
      'forms',
      { contentType: 'text/x-other', body: 'a' },
      'text/x-other; mode=charset; charset=utf-8',
    ],
    ['of XML is a text', 'forms', { contentType: 'application/xml', body: '<a/>' }, 'application/xml; charset=utf-8'],
    ['is the only one where its name is no text', 'csv', { contentType: 5, body: 'a' }, 'text/csv; charset=utf-8'],
  ])('%s', async (_case, id, reply, type) => {
    const { status, headers } = await answerTo(id, { status: 200, ...reply });
    expect([status, headers['content-type']]).toEqual([200, type]);
  });
  test('of another form of JSON has no charset', async () => {
    const { headers, body } = await answerTo('any', { status: 409, body: { title: 'ü' } });
    expect([headers['content-type'], body]).toEqual(['application/problem+json', '{"title":"ü"}']);
  });
  test.each<[string, Name, object, string]>([
    ['is missing among several', 'forms', { body: 'a,b' }, 'forms: the reply of 200 must name its contentType'],
    ['is missing for a range', 'image', { body: png }, 'image: the reply of 200 must name its contentType'],
    ['is not declared', 'csv', { contentType: 'text/html', body: 'a' }, 'csv: 200 has no media type text/html'],
    [
      'is one that only requests have',
      'forms',
      { contentType: 'multipart/form-data', body: 'a' },
      'forms: a response in multipart/form-data cannot be sent',
    ],
    ['does not fit to a body that is no text', 'csv', { body: 5 }, 'csv: the body must be a string'],
    [
      'has a schema that does not allow the text',
      'forms',
      { contentType: 'text/csv', body: 'a' },
      'forms: /body must NOT have fewer than 3 characters {"limit":3}',
    ],
    [
      'is one of items, but the body has none',
      'forms',
      { contentType: 'application/jsonl', body: 5 },
      'forms: the body of application/jsonl must be iterable',
    ],
    [
      'is one of items, but the body is an object',
      'forms',
      { contentType: 'application/jsonl', body: {} },
      'forms: the body of application/jsonl must be iterable',
    ],
    [
      'is one of bytes, but the body is a list',
      'forms',
      { contentType: 'image/png', body: [png] },
      'forms: the body must be a Blob, a Uint8Array, or an async iterable of Uint8Array',
    ],
    [
      'is one of bytes, but the body is missing',
      'forms',
      { contentType: 'image/png' },
      'forms: the body must be a Blob, a Uint8Array, or an async iterable of Uint8Array',
    ],
  ])('is a fault where it %s', async (_case, id, reply, fault) => {
    expect(await faultOf(id, { status: 200, ...reply })).toBe(fault);
  });
});

/** A source that can be asked and ended; it never gives anything after these values. */
function sourceOf(...values: unknown[]) {
  const calls: string[] = [];
  const iterator = {
    next() {
      calls.push('next');
      return values.length > 0 ? Promise.resolve({ done: false, value: values.shift() }) : new Promise(() => {});
    },
    async return() {
      calls.push('return');
      return { done: true, value: undefined };
    },
  };
  return { calls, [Symbol.asyncIterator]: () => iterator };
}
async function* generated(...values: unknown[]) {
  yield* values;
}

describe('a body of several parts', () => {
  const noTransform = 'no-store, no-transform';
  test.each<[string, string, unknown, string, object]>([
    [
      'lines of JSON',
      'application/x-ndjson',
      [{ id: '1' }, { id: '2' }],
      '{"id":"1"}\n{"id":"2"}\n',
      { 'cache-control': noTransform },
    ],
    [
      'lines of anything',
      'application/jsonl',
      generated(1, null, 'a'),
      '1\nnull\n"a"\n',
      { 'cache-control': noTransform },
    ],
    [
      'events',
      'text/event-stream',
      generated({ id: '1' }, new ServerSentEvent({ event: 'own', json: '{"id":"2"}' })),
      'data: {"id":"1"}\n\nevent: own\ndata: {"id":"2"}\n\n',
      { 'cache-control': noTransform, 'x-accel-buffering': 'no' },
    ],
    [
      'bytes',
      'application/octet-stream',
      generated(Buffer.from('a'), new Uint8Array([98])),
      'ab',
      { 'cache-control': noTransform },
    ],
    [
      'a blob',
      'application/octet-stream',
      new Blob(['ab']),
      'ab',
      { 'cache-control': 'private', 'content-length': '2' },
    ],
    [
      'bytes at once',
      'application/octet-stream',
      Buffer.from('ab'),
      'ab',
      { 'cache-control': 'private', 'content-length': '2' },
    ],
  ])('can be %s', async (_case, contentType, body, expected, special) => {
    const given = { headers: ['Cache-Control', 'private'] };
    const answer = await answerTo('forms', { status: 200, contentType, body }, given);
    expect([answer.status, answer.body, answer.isComplete]).toEqual([200, expected, true]);
    const { date: _, connection: __, 'keep-alive': ___, 'transfer-encoding': ____, ...headers } = answer.headers;
    expect(headers).toEqual({ 'content-type': contentType, ...special });
  });
  test.each<[string, string, unknown, string]>([
    [
      'an item that the schema does not allow',
      'application/x-ndjson',
      [{ id: 1 }],
      'forms: /item/id must be string {"type":"string"}',
    ],
    ['an item that is undefined', 'application/jsonl', [undefined], 'forms: an item of the stream is undefined'],
    ['a part that is no bytes', 'image/png', generated('text'), 'forms: a part of the body is no Uint8Array'],
  ])('ends with a fault at %s', async (_case, contentType, body, fault) => {
    expect(await faultOf('forms', { status: 200, contentType, body })).toBe(fault);
  });
  test('is ended where the reply is refused', async () => {
    const body = sourceOf();
    await faultOf('forms', { status: 200, contentType: 'video/mp4', body });
    await faultOf('forms', { status: 404, body });
    expect(body.calls).toEqual(['return', 'return']);
  });
  test('is not read for HEAD', async () => {
    const body = sourceOf({ id: '1' });
    const reply = { status: 200, contentType: 'text/event-stream', body };
    const answer = await answerTo('forms', reply, { method: 'HEAD' });
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([200, 'text/event-stream', '']);
    expect(answer.headers['x-accel-buffering']).toBe('no');
    expect(body.calls).toEqual(['return']);
  });
  test('is cut off by the signal that it has', async () => {
    const cut = new AbortController();
    const body = Object.assign(sourceOf({ id: '1' }), { cut: cut.signal });
    const answer = answerTo('forms', { status: 200, contentType: 'text/event-stream', body });
    await until(() => body.calls.length === 2);
    cut.abort();
    expect(await answer).toMatchObject({ status: 200, body: 'data: {"id":"1"}\n\n', isComplete: false });
  });
  test('has members of its own that mean nothing here', async () => {
    const body = Object.assign(generated({ id: '1' }), { cut: 'text' });
    const answer = await answerTo('forms', { status: 200, contentType: 'text/event-stream', body });
    expect(answer).toMatchObject({ body: 'data: {"id":"1"}\n\n', isComplete: true });
  });
  test('has comments while it gives no events', async () => {
    stopClock();
    const cut = new AbortController();
    const body = Object.assign(sourceOf({ id: '1' }), { cut: cut.signal });
    const sent = replying('forms', { status: 200, contentType: 'text/event-stream', body }, {});
    let read = '';
    get(server.url, (response) => response.on('error', () => {}).on('data', (chunk) => (read += String(chunk))));
    await until(() => body.calls.length === 2);
    jest.advanceTimersByTime(15_000);
    await until(() => read === 'data: {"id":"1"}\n\n: keep-alive\n\n');
    cut.abort();
    expect(await sent).toBeUndefined();
  });
});

describe('a text that the caller can have already', () => {
  const body = 'a,b\n';
  const { etag } = new Representation(Buffer.from(body));
  const date = 'Sun, 01 Nov 2026 10:00:00 GMT';
  const earlier = 'Sun, 01 Nov 2026 09:59:59 GMT';
  const later = 'Sun, 01 Nov 2026 10:00:01 GMT';
  const dated = { status: 200, headers: { 'X-Note': 'last-modified', 'Last-Modified': date }, body };
  const undated = { status: 200, body };
  test.each<[string, object, Record<string, string>, number]>([
    ['is sent to a caller without it', dated, {}, 200],
    ['is 304 by its ETag', undated, { 'if-none-match': etag }, 304],
    ['is 304 by its date', dated, { 'if-modified-since': date }, 304],
    ['is 304 by a later date', dated, { 'if-modified-since': later }, 304],
    ['is sent where it is newer', dated, { 'if-modified-since': earlier }, 200],
    [
      'is sent where the ETag differs, whatever the date',
      dated,
      { 'if-none-match': '"x"', 'if-modified-since': later },
      200,
    ],
    [
      'is 304 where the ETag is the same, whatever the date',
      dated,
      { 'if-none-match': etag, 'if-modified-since': earlier },
      304,
    ],
    ['is sent where it has no date', undated, { 'if-modified-since': later }, 200],
    ['is sent where the date of the request is none', dated, { 'if-modified-since': 'yesterday' }, 200],
  ])('%s', async (_case, reply, sent, status) => {
    const answer = await answerTo('tagged', reply, { sent, headers: ['X-Own', '1'] });
    expect([answer.status, answer.body]).toEqual([status, status === 200 ? body : '']);
    expect(answer.headers).toMatchObject({ etag, 'x-own': '1' });
  });
  test('has an ETag only with the status 200, where the contract has 304', async () => {
    for (const [id, status] of [
      ['tagged', 203],
      ['csv', 200],
    ] as const) {
      const headers = id === 'csv' ? {} : { 'Last-Modified': date };
      const sent = { 'if-none-match': etag };
      const answer = await answerTo(id, { status, headers, body }, { sent });
      expect([answer.status, answer.body, answer.headers.etag]).toEqual([status, body, undefined]);
      const since = await answerTo(id, { status, headers, body }, { sent: { 'if-modified-since': later } });
      expect(since.status).toBe(status);
    }
  });
});
