/** Any status, headers and body that a contract declares, through the real server. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request as send } from 'node:http';
import { json, responses, startExtended, type TestOperation } from '../support/extended-contract.ts';
import { key, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const thing = { type: 'object', required: ['id'], additionalProperties: false, properties: { id: { type: 'string' } } };
const header = (schema: object, more: object = {}): object => ({ description: 'A header.', schema, ...more });
const described = (own: Record<string, unknown>): TestOperation['described'] => ({ responses: responses(own) });
const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** What the handler of `POST /reply` returns next. */
let next: () => unknown = () => undefined;
let accepted: string | undefined;
const returned: string[] = [];
let endless = Promise.withResolvers<void>();

async function* counting(limit: number, wrong = -1) {
  try {
    for (let id = 0; id < limit; id++) yield { id: id === wrong ? id : String(id) };
  } finally {
    returned.push('ended');
  }
}
async function* waiting() {
  try {
    yield { id: 'first' };
    await endless.promise;
    yield { id: 'second' };
  } finally {
    returned.push('ended');
  }
}

const operations: Record<string, TestOperation> = {
  reply: {
    route: 'POST /reply',
    described: described({
      200: { description: 'One.', content: json(thing) },
      201: {
        description: 'Made.',
        headers: {
          Location: header({ type: 'string' }, { required: true }),
          'X-Total': header({ type: 'integer', minimum: 0 }),
          'X-Tags': header({ type: 'array', items: { type: 'string' } }),
          'X-Range': header({ type: 'object' }, { explode: true }),
          'X-Filter': { description: 'JSON.', content: json({ type: 'object' }) },
          'Set-Cookie': header({ type: 'array', items: { type: 'string' } }),
          'Cache-Control': header({ type: 'string' }),
          RateLimit: header({ type: 'string' }),
        },
        content: json(thing),
      },
      202: { description: 'Later.', headers: { 'Retry-After': header({ type: 'integer' }) } },
      204: { description: 'Nothing.' },
      205: { description: 'Nothing.' },
      303: { description: 'Elsewhere.', headers: { Location: header({ type: 'string' }, { required: true }) } },
      '2XX': { description: 'Other.', content: json({ type: ['array', 'null', 'integer', 'string'] }) },
      409: {
        description: 'Conflict.',
        content: { 'application/problem+json': { schema: { type: 'object', required: ['conflict'] } } },
      },
      default: { description: 'Other.', content: { 'text/plain': {} } },
    }),
    handle: () => next(),
  },
  plain201: {
    route: 'POST /plain',
    described: described({ 201: { description: 'Made.', content: json(thing) } }),
    handle: () => ({ id: 'new' }),
  },
  scalar: {
    route: 'GET /scalar',
    described: described({ 200: { description: 'A scalar.', content: json({ type: ['null', 'boolean'] }) } }),
    handle: () => next(),
  },
  export: {
    route: 'GET /export',
    described: described({
      200: {
        description: 'Many forms.',
        content: {
          'text/csv': { schema: { type: 'string', minLength: 3 } },
          'application/xml': { schema: thing },
          'application/x-ndjson': { schema: thing },
          'text/event-stream': { schema: thing },
          'image/*': {},
          'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
        },
      },
    }),
    handle: ({ accept }) => {
      accepted = accept;
      return next();
    },
  },
  tagged: {
    route: 'GET /tagged',
    described: described({
      200: { description: 'Text.', headers: { ETag: header({ type: 'string' }) }, content: { 'text/csv': {} } },
      304: { description: 'The same.' },
    }),
    handle: () => ({ status: 200, body: 'a,b\n' }),
  },
};

let service: Service;
beforeAll(async () => void (service = await startExtended(operations)));
afterAll(() => service.stop(0));
const returning = (value: () => unknown, path = '/reply', init: RequestInit = {}): Promise<Response> => {
  next = value;
  return service.request(path, { method: path === '/reply' ? 'POST' : 'GET', ...init });
};
const faultOf = async (response: Response): Promise<string> => {
  const id = response.headers.get('x-request-id');
  await until(() => service.log.some((line) => line.id === id));
  return JSON.stringify(service.log.find((line) => line.id === id));
};

describe('a reply', () => {
  test('has status, headers by their style, and body', async () => {
    const response = await returning(() => ({
      status: 201,
      headers: {
        location: '/things/1',
        'X-Total': 3,
        'X-Tags': ['a', 'b'],
        'X-Range': { from: 1, to: 2 },
        'X-Filter': { a: [1] },
        'Set-Cookie': ['a=1', 'b=2'],
        'Cache-Control': 'max-age=5',
      },
      body: { id: '1' },
    }));
    expect([response.status, await response.json()]).toEqual([201, { id: '1' }]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      location: '/things/1',
      'x-total': '3',
      'x-tags': 'a,b',
      'x-range': 'from=1,to=2',
      'x-filter': '{"a":[1]}',
      'cache-control': 'max-age=5',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('ratelimit')).toContain('"default"');
  });
  test.each([
    [204, {}],
    [205, {}],
    [202, { headers: { 'Retry-After': 5 } }],
  ])('%d has no body and no type', async (status, more) => {
    const response = await returning(() => ({ status, ...more }));
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([status, '', null]);
    expect(response.headers.get('content-length')).toBe(status === 204 ? null : '0');
    expect(response.headers.get('retry-after')).toBe(status === 202 ? '5' : null);
  });
  test('can be of a range, an error, a redirection, or the default', async () => {
    const range = await returning(() => ({ status: 203, body: null }));
    expect([range.status, await range.json()]).toEqual([203, null]);
    const conflict = await returning(() => ({ status: 409, body: { conflict: 'x' } }));
    expect([conflict.status, conflict.headers.get('content-type'), await conflict.json()]).toEqual([
      409,
      'application/problem+json',
      { conflict: 'x' },
    ]);
    const other = await returning(() => ({ status: 300, body: 'choose' }));
    expect([other.status, other.headers.get('content-type'), await other.text()]).toEqual([
      300,
      'text/plain; charset=utf-8',
      'choose',
    ]);
    const moved = await returning(() => ({ status: 303, headers: { Location: '/x' } }), '/reply', {
      redirect: 'manual',
    });
    expect([moved.status, moved.headers.get('location')]).toEqual([303, '/x']);
  });
  test.each<[string, unknown, RegExp]>([
    ['no reply', 'text', /no reply/],
    ['a body that the status does not have', { status: 200, body: { id: 1 } }, /id must be string/],
    ['no body', { status: 200 }, /body required/],
    ['a body for 204', { status: 204, body: {} }, /204 has no body/],
    ['no required header', { status: 201, body: { id: '1' } }, /header Location of 201 is missing/],
    ['an undeclared header', { status: 204, headers: { 'X-Other': 'a' } }, /cannot set the header X-Other/],
    [
      'a header of the server',
      { status: 201, headers: { Location: '/', RateLimit: 'x' }, body: { id: '1' } },
      /cannot set the header RateLimit/,
    ],
    [
      'an invalid header',
      { status: 201, headers: { Location: '/', 'X-Total': -1 }, body: { id: '1' } },
      /X-Total must be >= 0/,
    ],
    ['a header that HTTP does not permit', { status: 303, headers: { Location: 'a\nb' } }, /ERR_INVALID_CHAR/],
    ['another media type', { status: 200, contentType: 'text/csv', body: '' }, /200 has no media type text\/csv/],
  ])('with %s is a 500 with a neutral text', async (_name, reply, detail) => {
    const response = await returning(() => reply);
    expect([response.status, await response.json()]).toEqual([500, { error: 'internal error' }]);
    expect(await faultOf(response)).toMatch(detail);
  });
  test('of an operation with one JSON success is its body, with any status', async () => {
    const response = await service.request('/plain', { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([201, { id: 'new' }]);
  });
  test.each([null, false])('can be the JSON value %s', async (value) => {
    const response = await returning(() => value, '/scalar');
    expect([response.status, await response.text()]).toEqual([200, String(value)]);
  });
  test('has an ETag and can be 304 where the contract says so', async () => {
    const first = await service.request('/tagged');
    const etag = first.headers.get('etag')!;
    expect([etag.startsWith('W/'), await first.text()]).toEqual([true, 'a,b\n']);
    expect((await service.request('/tagged', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});

describe('a body', () => {
  test.each<[string, unknown, string, string | Buffer]>([
    ['text/csv', 'id,text\n', 'text/csv; charset=utf-8', 'id,text\n'],
    ['application/xml', '<id>é</id>', 'application/xml; charset=utf-8', '<id>é</id>'],
    ['image/png', png, 'image/png', png],
    ['image/png', new Blob([png]), 'image/png', png],
    [
      'application/octet-stream',
      (async function* () {
        yield png.subarray(0, 3);
        yield png.subarray(3);
      })(),
      'application/octet-stream',
      png,
    ],
    ['application/x-ndjson', [{ id: '1' }, { id: '2' }], 'application/x-ndjson', '{"id":"1"}\n{"id":"2"}\n'],
    ['application/x-ndjson', counting(2), 'application/x-ndjson', '{"id":"0"}\n{"id":"1"}\n'],
    ['text/event-stream', counting(2), 'text/event-stream', 'data: {"id":"0"}\n\ndata: {"id":"1"}\n\n'],
  ])('of %s (%#) is sent as it is', async (contentType, body, type, bytes) => {
    const response = await returning(() => ({ status: 200, contentType, body }), '/export');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(bytes));
  });
  test.each<[string, unknown, RegExp]>([
    ['text/csv', 'ab', /body must NOT have fewer/],
    ['text/csv', 7, /must be a string/],
    ['image/png', 'text', /must be a Blob/],
    ['application/x-ndjson', {}, /must be iterable/],
    ['application/x-ndjson', [{ id: 1 }], /item\/id must be string/],
    ['audio/ogg', png, /no media type audio/],
  ])('of %s (%#) that does not conform is a 500', async (contentType, body, detail) => {
    const response = await returning(() => ({ status: 200, contentType, body }), '/export');
    expect([response.status, await response.json()]).toEqual([500, { error: 'internal error' }]);
    expect(await faultOf(response)).toMatch(detail);
  });
  test.each(['text/csv', 'image/png', 'application/x-ndjson', 'text/event-stream'])(
    'of %s is not sent for HEAD',
    async (contentType) => {
      returned.length = 0;
      const body = { 'text/csv': 'a,b', 'image/png': png }[contentType] ?? counting(3);
      const response = await returning(() => ({ status: 200, contentType, body }), '/export', { method: 'HEAD' });
      expect([response.status, await response.text()]).toEqual([200, '']);
      expect(response.headers.get('content-type')).toContain(contentType);
      expect(response.headers.get('content-length')).toBe(typeof body === 'string' ? '3' : body === png ? '8' : null);
    },
  );
  test.each([
    ['application/x-ndjson', 'application/x-ndjson'],
    ['image/webp, text/*;q=0.5', 'image/*'],
    ['text/*;q=0.5, application/xml;q=0.4', 'text/csv'],
    ['video/mp4', 'text/csv'],
    [undefined, 'text/csv'],
  ])('is chosen by the handler with what the caller accepts best: %s', async (accept, best) => {
    const init = accept === undefined ? {} : { headers: { accept } };
    await returning(() => ({ status: 200, contentType: 'text/csv', body: 'abc' }), '/export', init);
    expect(accepted).toBe(best);
  });
});

/** Starts a request and returns the response with what arrives, and how it ends. */
function reading(body: () => unknown, contentType: string) {
  next = () => ({ status: 200, contentType, body: body() });
  let text = '';
  const ended = Promise.withResolvers<'complete' | 'incomplete'>();
  const request = send(`${service.url}/export`, { headers: { 'x-api-key': key } }, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('error', () => {}).on('close', () => ended.resolve(response.complete ? 'complete' : 'incomplete'));
  });
  request.on('error', () => ended.resolve('incomplete')).end();
  return { request, text: () => text, ended: ended.promise };
}

describe('a stream', () => {
  test.each(['application/x-ndjson', 'text/event-stream'])(
    'of %s with an invalid item ends so that the caller sees it is incomplete',
    async (contentType) => {
      returned.length = 0;
      const stream = reading(() => counting(5, 3), contentType);
      expect(await stream.ended).toBe('incomplete');
      expect(stream.text()).toContain('"2"');
      expect(stream.text()).not.toContain('"4"');
      await until(() => service.log.some((line) => JSON.stringify(line).includes('/item/id must be string')));
      expect(returned).toEqual(['ended']);
    },
  );
  test('whose source fails is incomplete, and the log has the cause', async () => {
    const failing = async function* () {
      yield { id: '1' };
      throw new RangeError('the source broke');
    };
    expect(await reading(failing, 'application/x-ndjson').ended).toBe('incomplete');
    await until(() => service.log.some((line) => JSON.stringify(line).includes('RangeError')));
  });
  test('whose source fails before its first item is a 500', async () => {
    // oxlint-disable-next-line require-yield
    const failing = async function* () {
      throw new Error('the source is closed');
    };
    const response = await returning(
      () => ({ status: 200, contentType: 'application/x-ndjson', body: failing() }),
      '/export',
    );
    expect(response.status).toBe(500);
  });
  test('ends its source when the caller leaves', async () => {
    returned.length = 0;
    endless = Promise.withResolvers();
    const stream = reading(waiting, 'text/event-stream');
    await until(() => stream.text().includes('first'));
    stream.request.destroy();
    await stream.ended;
    endless.resolve();
    await until(() => returned.length === 1);
  });
  test('reads its source no faster than the caller reads', async () => {
    let produced = 0;
    const large = Buffer.alloc(64 * 1024, 1);
    const source = async function* () {
      for (; produced < 2000; produced++) yield large;
    };
    next = () => ({ status: 200, contentType: 'application/octet-stream', body: source() });
    const opened = Promise.withResolvers<import('node:http').IncomingMessage>();
    const request = send(`${service.url}/export`, { headers: { 'x-api-key': key } }, opened.resolve);
    request.on('error', () => {}).end();
    const response = (await opened.promise).pause();
    let seen = -1;
    while (seen !== produced) {
      seen = produced;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(produced).toBeLessThan(1000);
    response.on('error', () => {}).destroy();
    await until(() => service.log.some(({ status, operation }) => operation === 'export' && status === 200));
  });
});
