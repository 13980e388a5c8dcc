/** What the client sends and reads: all styles of parameters and all kinds of bodies, against a server that shows what it received. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AbortError, ConnectionError, DecodeError, UsageError } from '../../client/src/errors.ts';
import { createRuntimeClient, type OperationRow } from '../../client/src/runtime.ts';
import type { ParameterForm, Wire } from '../../client/src/contract.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Resolves when the connection or the response has ended. */
  readonly closed: Promise<unknown>;
}
interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Each part is written by itself; null breaks the connection. */
  readonly parts?: readonly (string | Buffer | null | Promise<void>)[];
}

let server: Server;
let baseUrl: string;
let received: Received[] = [];
let reply: Reply = {};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body: await buffer(request), closed: once(response, 'close') });
    response.writeHead(reply.status ?? 200, reply.headers ?? { 'content-type': 'application/json' });
    for (const part of reply.parts ?? ['{"ok":true}']) {
      if (part === null) return void response.destroy();
      if (typeof part === 'string' || Buffer.isBuffer(part)) response.write(part);
      else await part;
    }
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close().closeAllConnections());
beforeEach(() => {
  received = [];
  reply = {};
});

interface Answered {
  readonly data: unknown;
  readonly response: Response;
}
type Method = (given?: object, options?: object) => Promise<unknown> & { withResponse(): Promise<Answered> };

/** The method of one operation. */
function method(key: string, row: OperationRow): Method {
  const table = { [key]: { ...row, name: 'api.call', ignoresCursor: true } };
  const keyNames = { header: 'x-api-key', query: 'api_key', in: 'header' } as const;
  const client = createRuntimeClient({ table, keyNames }, { baseUrl, apiKey: 'k', retry: false });
  return (client as { api: { call: Method } }).api.call;
}

/** What the server receives of a call. */
async function sent(key: string, wire: Wire, given: object, row: OperationRow = {}): Promise<Received> {
  await method(key, { ...row, wire })(given);
  return received.at(-1)!;
}

const list = ['blue', 'black', 'a,b|c d&e'];
const color = { R: 100, G: 200 };
const query = (style: string, explode: boolean): Wire => ({ parameters: { color: ['query', style, explode] } });

describe('parameters are written in the styles of OpenAPI 3.1 ("Style Examples")', () => {
  test.each([
    ['form', true, list, '?color=blue&color=black&color=a%2Cb%7Cc%20d%26e'],
    ['form', false, list, '?color=blue,black,a%2Cb%7Cc%20d%26e'],
    ['form', true, color, '?R=100&G=200'],
    ['form', false, color, '?color=R,100,G,200'],
    ['spaceDelimited', false, ['blue', 'black'], '?color=blue%20black'],
    ['pipeDelimited', false, ['blue', 'black'], '?color=blue|black'],
    ['deepObject', true, color, '?color[R]=100&color[G]=200'],
    [
      'json',
      false,
      { R: [1, null], G: { deep: true } },
      '?color=%7B%22R%22%3A%5B1%2Cnull%5D%2C%22G%22%3A%7B%22deep%22%3Atrue%7D%7D',
    ],
    ['form', true, [], ''],
    ['form', true, 'blue', '?color=blue'],
    ['form', true, undefined, ''],
    ['form', true, null, ''],
  ])('query, %s, explode %s: %j', async (style, explode, value, expected) => {
    const { url } = await sent('get /things', query(style, explode), { color: value });
    expect(url).toBe(`/things${expected}`);
  });

  test.each([
    ['simple', false, list, 'blue,black,a%2Cb%7Cc%20d%26e'],
    ['simple', true, color, 'R=100,G=200'],
    ['simple', false, color, 'R,100,G,200'],
    ['label', false, ['blue', 'black'], '.blue,black'],
    ['label', true, ['blue', 'black'], '.blue.black'],
    ['label', true, color, '.R=100.G=200'],
    ['label', false, 'blue', '.blue'],
    ['matrix', false, ['blue', 'black'], ';color=blue,black'],
    ['matrix', true, ['blue', 'black'], ';color=blue;color=black'],
    ['matrix', false, color, ';color=R,100,G,200'],
    ['matrix', true, color, ';R=100;G=200'],
    ['matrix', false, 'blue', ';color=blue'],
  ])('path, %s, explode %s: %j', async (style, explode, value, expected) => {
    const form: ParameterForm = ['path', style, explode];
    const { url } = await sent('get /things/{color}/x', { parameters: { color: form } }, { color: value });
    expect(url).toBe(`/things/${expected}/x`);
  });

  test('headers and cookies', async () => {
    const parameters: Wire['parameters'] = {
      'X-Tenant': ['header', 'simple', false],
      'X-Colors': ['header', 'simple', false],
      'X-Color': ['header', 'simple', true],
      session: ['cookie', 'form', true],
      ids: ['cookie', 'form', false],
    };
    const given = {
      'X-Tenant': 3,
      'X-Colors': ['blue', 'black'],
      'X-Color': color,
      session: 'a; b=c',
      ids: ['1', '2,3'],
      q: 'x',
    };
    const { url, headers } = await sent('get /things', { parameters }, given);
    expect(url).toBe('/things?q=x');
    expect(headers).toMatchObject({
      'x-tenant': '3',
      'x-colors': 'blue,black',
      'x-color': 'R=100,G=200',
      cookie: 'session=a%3B%20b%3Dc; ids=1,2%2C3',
      'x-api-key': 'k',
    });
  });

  test('of two parameters with one name, the second has the name of its place', async () => {
    const parameters: Wire['parameters'] = { query_id: ['query', 'form', true, 'id'] };
    expect((await sent('get /things/{id}', { parameters }, { id: 'a/b', query_id: 7 })).url).toBe('/things/a%2Fb?id=7');
  });

  test('the names of members are encoded', async () => {
    const { url } = await sent('get /things', query('form', true), { color: { 'a&b=c': 1 } });
    expect(url).toBe('/things?a%26b%3Dc=1');
  });

  test('`GET` with a path writes them in the same way', async () => {
    const table = { 'get /things/{id}': { wire: query('form', false) } };
    const keyNames = { header: 'x-key', query: 'k', in: 'header' } as const;
    const client = createRuntimeClient({ table, keyNames }, { baseUrl, apiKey: 'k' }) as {
      GET(path: string, init: object): Promise<{ data: unknown }>;
    };
    const { data } = await client.GET('/things/{id}', { params: { path: { id: 'a b' }, query: { color: list } } });
    expect(data).toEqual({ ok: true });
    expect(received[0]).toMatchObject({ url: '/things/a%20b?color=blue,black,a%2Cb%7Cc%20d%26e' });
    expect(received[0]?.headers['x-key']).toBe('k');
  });

  test.each([[[]], ['..'], [undefined]])('%p cannot be in a path', async (value) => {
    const call = method('get /things/{color}', { wire: { parameters: { color: ['path', 'simple', false] } } });
    await expect(call({ color: value })).rejects.toThrow(UsageError);
    expect(received).toEqual([]);
  });
});

describe('the key', () => {
  const keyNames = { header: 'x-api-key', query: 'api_key', in: 'header' } as const;
  const keys = [['basic'], ['query', 'partner key'], ['header', 'x-partner']] as const;
  /** What the server receives of calls whose operations take the key there. */
  async function keyed(taken: Wire['keys'], keyIn?: 'bearer' | 'query', own?: Wire): Promise<Received> {
    const wire = taken === undefined ? own : { ...own, keys: taken };
    const row = { name: 'api.call', ignoresCursor: true, ...(wire && { wire }) };
    const client = createRuntimeClient({ table: { 'get /things': row }, keyNames }, { baseUrl, apiKey: 'a:k', keyIn });
    await (client as { api: { call: Method } }).api.call({ a: 1 });
    return received.at(-1)!;
  }
  test.each([undefined, {}])('is sent where the operation takes it (with %j)', async (wire) => {
    expect((await keyed(undefined, undefined, wire)).headers['x-api-key']).toBe('a:k');
    expect((await keyed([['query', 'partner key']], undefined, wire)).url).toMatch(
      /^\/things\?a=1&partner(%20|\+| )key=a%3Ak$/,
    );
    expect((await keyed(keys, undefined, wire)).headers['x-partner']).toBe('a:k');
    expect((await keyed(keys.slice(0, 2), undefined, wire)).headers.authorization).toBe(`Basic ${btoa('a:k')}`);
    expect((await keyed(keys, 'query', wire)).url).toMatch(/partner.*=a%3Ak$/);
    expect((await keyed([['header', 'x-partner']], 'bearer', wire)).headers).toMatchObject({ 'x-partner': 'a:k' });
  });
  test.each([undefined, {}])('is not sent to a public operation (with %j)', async (wire) => {
    for (const keyIn of [undefined, 'bearer', 'query'] as const)
      expect(JSON.stringify(await keyed([], keyIn, wire))).not.toMatch(/a:k|a%3Ak/);
  });
});

describe('request bodies', () => {
  const whole = (kinds: Wire['body']): Wire => ({ whole: true, body: kinds! });
  const json = whole({ 'application/json': 'json' });

  test.each([[[1, 'a', null]], ['text'], [0], [false], [null]])('JSON: %j', async (body) => {
    const { body: bytes, headers } = await sent('post /things', json, { body }, { body: true });
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(bytes.toString())).toEqual(body);
  });
  test('a merge patch with null, beside a parameter of the path', async () => {
    const wire: Wire = { body: { 'application/merge-patch+json': 'json' } };
    const { url, body, headers } = await sent('patch /things/{id}', wire, { id: '1', note: null }, { body: true });
    expect([url, headers['content-type'], body.toString()]).toEqual([
      '/things/1',
      'application/merge-patch+json',
      '{"note":null}',
    ]);
  });
  test('an optional body whose members are not given is not sent', async () => {
    const { body, headers } = await sent('post /things', { optional: true }, {}, { body: true });
    expect([body.length, headers['content-type']]).toEqual([0, undefined]);
  });
  test('a form: lists repeat the name, objects are JSON, and a style is kept', async () => {
    const wire: Wire = {
      body: { 'application/x-www-form-urlencoded': 'form' },
      encoding: { ids: ['', 'form', false] },
    };
    const given = { a: 'ü &', tags: ['x', 'y'], meta: { deep: [1] }, ids: [1, 2], none: undefined };
    const { body, headers } = await sent('post /things', wire, given, { body: true });
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(body.toString()).toBe('a=%C3%BC%20%26&tags=x&tags=y&meta=%7B%22deep%22%3A%5B1%5D%7D&ids=1,2');
  });
  test('a multipart form: files with name and type, JSON parts, lists', async () => {
    const wire: Wire = { body: { 'multipart/form-data': 'multipart' }, encoding: { file: ['image/png'] } };
    const file = new File([new Uint8Array([0, 255, 13, 10])], 'a.png', { type: 'image/png' });
    const given = { file, alt: 'a picture', tags: ['x', 'y'], meta: { width: 1 } };
    const { body, headers } = await sent('post /things', wire, given, { body: true });
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type']! },
    }).formData();
    const got = form.get('file') as File;
    expect([got.name, got.type, [...new Uint8Array(await got.arrayBuffer())]]).toEqual([
      'a.png',
      'image/png',
      [0, 255, 13, 10],
    ]);
    expect([form.get('alt'), form.getAll('tags')]).toEqual(['a picture', ['x', 'y']]);
    expect(await (form.get('meta') as File).text()).toBe('{"width":1}');
  });
  test('bytes and texts', async () => {
    const bytes = Buffer.from([0, 128, 255]);
    const binary = whole({ 'application/octet-stream': 'binary' });
    const got = await sent('put /things', binary, { body: new Blob([bytes]) }, { body: true });
    expect([got.headers['content-type'], [...got.body]]).toEqual(['application/octet-stream', [0, 128, 255]]);
    const image = await sent(
      'put /things',
      whole({ 'image/*': 'binary' }),
      { body: new Blob([bytes], { type: 'image/png' }) },
      { body: true },
    );
    expect(image.headers['content-type']).toBe('image/png');
    const text = await sent('put /things', whole({ 'text/csv': 'text' }), { body: 'id\r\nü' }, { body: true });
    expect([text.headers['content-type'], text.body.toString()]).toEqual(['text/csv', 'id\r\nü']);
  });
  test('of several media types, the header content-type chooses', async () => {
    const wire = whole({ 'application/json': 'json', 'text/plain': 'text' });
    await method('post /things', { body: true, wire })({ body: 'a' }, { headers: { 'Content-Type': 'text/plain' } });
    expect([received[0]?.headers['content-type'], received[0]?.body.toString()]).toEqual(['text/plain', 'a']);
  });
});

describe('responses', () => {
  const call = (answers: Wire['answers'], options?: object): ReturnType<Method> =>
    method('get /things', { wire: { answers: answers! } })({}, options);
  const items = async (answers: Wire['answers'], options?: object): Promise<unknown[]> => {
    const all: unknown[] = [];
    for await (const item of (await call(answers, options)) as AsyncIterable<unknown>) all.push(item);
    return all;
  };

  test('204 is undefined, with its status and headers', async () => {
    reply = { status: 204, headers: { location: '/things/1' }, parts: [] };
    const { data, response } = await call({}).withResponse();
    expect([data, response.status, response.headers.get('location')]).toEqual([undefined, 204, '/things/1']);
  });
  test.each([['[1,2]'], ['null'], ['"a"'], ['0']])('JSON of any type: %s', async (text) => {
    reply = { parts: [text] };
    expect(await call({ 'application/json': 'json' })).toEqual(JSON.parse(text));
  });
  test('texts and bytes, by the media type of the response', async () => {
    const answers = { 'text/csv': 'text', 'image/*': 'binary', 'application/json': 'json' } as const;
    reply = { headers: { 'content-type': 'text/csv; charset=utf-8' }, parts: ['id\n', 'ü'] };
    expect(await call(answers)).toBe('id\nü');
    reply = { headers: { 'content-type': 'image/png' }, parts: [Buffer.from([0, 255])] };
    const blob = (await call(answers)) as Blob;
    expect([blob.type, [...new Uint8Array(await blob.arrayBuffer())]]).toEqual(['image/png', [0, 255]]);
    reply = { headers: { 'content-type': 'text/html' }, parts: ['<p>'] };
    await expect(call(answers)).rejects.toThrow(DecodeError);
  });
  test('JSON lines that are cut anywhere', async () => {
    const text = '{"id":"1","t":"ü"}\r\n\n{"id":"2"}\n{"id":"3"}';
    const parts = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    reply = { headers: { 'content-type': 'application/x-ndjson' }, parts };
    expect(await items({ 'application/x-ndjson': 'json-lines' })).toEqual([
      { id: '1', t: 'ü' },
      { id: '2' },
      { id: '3' },
    ]);
  });
  test('server-sent events: comments, several data lines, all line ends; an incomplete event is none', async () => {
    const text = ': hello\n\nevent: a\ndata: {"id":\ndata: 1}\nid: 7\r\n\r\ndata:2\r\rdata: 3';
    reply = { headers: { 'content-type': 'text/event-stream' }, parts: [...text] };
    expect(await items({ 'text/event-stream': 'event-stream' })).toEqual([{ id: 1 }, 2]);
  });
  test('a stream that breaks, and an item that is no JSON, are errors', async () => {
    const answers = { 'application/x-ndjson': 'json-lines' } as const;
    const headers = { 'content-type': 'application/x-ndjson' };
    reply = { headers, parts: ['{"id":1}\n', null] };
    await expect(items(answers)).rejects.toThrow(ConnectionError);
    reply = { headers, parts: ['{"id":1}\n{"id":\n'] };
    await expect(items(answers)).rejects.toThrow(DecodeError);
  });
  test('a stream ends when the caller aborts, and the connection closes when the loop ends early', async () => {
    const answers = { 'application/x-ndjson': 'json-lines' } as const;
    const never = Promise.withResolvers<void>();
    reply = { headers: { 'content-type': 'application/x-ndjson' }, parts: ['1\n', never.promise] };
    const controller = new AbortController();
    const stream = (await call(answers, { signal: controller.signal })) as AsyncIterable<unknown>;
    const seen: unknown[] = [];
    const loop = (async () => {
      for await (const item of stream) {
        seen.push(item);
        controller.abort();
      }
    })();
    await expect(loop).rejects.toThrow(AbortError);
    expect(seen).toEqual([1]);
    for await (const item of (await call(answers)) as AsyncIterable<unknown>) {
      expect(item).toBe(1);
      break;
    }
    await received.at(-1)?.closed;
    never.resolve();
  });
});
