// Tests server/http/express/body-validator.ts, server/http/express/multipart-body.ts and
// server/contract/form-body.ts.
/** Request bodies of every kind, through the real server. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { json, responses, startExtended, type AnyCall, type TestOperation } from '../support/extended-contract.ts';
import { key, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

let seen: unknown;
let seenType: string | undefined;
const fine = responses({ 200: { description: 'Fine.', content: json({}) } });
const filesOf = async (value: unknown): Promise<unknown> => {
  if (value instanceof Blob) {
    const name = value instanceof File ? value.name : undefined;
    return { name, type: value.type, text: await value.text() };
  }
  if (Array.isArray(value)) return Promise.all(value.map(filesOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await filesOf(each)])),
  );
};
const post = (path: string, content: object, more: object = {}): TestOperation => ({
  route: `POST ${path}`,
  described: { requestBody: { required: true, content, ...more }, responses: fine },
  handle: async ({ body, contentType }: AnyCall) => {
    seen = await filesOf(body);
    seenType = contentType;
    return {};
  },
});

const branch = (kind: string, properties: object): object => ({
  type: 'object',
  additionalProperties: false,
  required: ['kind', ...Object.keys(properties)],
  properties: { kind: { const: kind }, note: { type: ['string', 'null'] }, ...properties },
});
const schemas = {
  Text: branch('text', { text: { type: 'string', minLength: 1 } }),
  Poll: branch('poll', { options: { type: 'array', minItems: 2, items: { type: 'string' } } }),
  Post: {
    oneOf: [{ $ref: '#/components/schemas/Text' }, { $ref: '#/components/schemas/Poll' }],
    discriminator: {
      propertyName: 'kind',
      mapping: { text: '#/components/schemas/Text', poll: '#/components/schemas/Poll' },
    },
  },
  Node: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
  },
  Account: {
    type: 'object',
    required: ['id', 'name', 'secret'],
    additionalProperties: false,
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
    },
  },
};
const file = { type: 'string', format: 'binary' };

const operations: Record<string, TestOperation> = {
  post: post('/post', json({ $ref: '#/components/schemas/Post' })),
  scalar: post('/scalar', json({ type: ['integer', 'null', 'array'], items: { type: 'boolean' } })),
  node: post('/node', json({ $ref: '#/components/schemas/Node' })),
  strange: post(
    '/strange',
    json({
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'integer' }, { const: null }], items: false },
        never: false,
        any: true,
      },
      patternProperties: { '^x-': { type: 'integer' } },
      propertyNames: { maxLength: 8 },
      dependentRequired: { pair: ['any'] },
      unevaluatedProperties: false,
      not: { required: ['forbidden'] },
      if: { properties: { any: { const: 1 } }, required: ['any'] },
      then: { required: ['x-one'] },
      $defs: { Unused: { type: 'string' } },
    }),
  ),
  patch: {
    ...post('/patch', {
      'application/merge-patch+json': {
        schema: {
          type: 'object',
          properties: { note: { type: ['string', 'null'] }, day: { type: 'string', format: 'date' } },
        },
      },
    }),
    route: 'PATCH /patch',
  },
  account: {
    ...post('/account', json({ $ref: '#/components/schemas/Account' })),
    described: {
      requestBody: { required: true, content: json({ $ref: '#/components/schemas/Account' }) },
      responses: responses({ 200: { description: 'It.', content: json({ $ref: '#/components/schemas/Account' }) } }),
    },
    handle: ({ body }) => {
      seen = body;
      return {
        id: '1',
        name: 'n',
        ...((body as { leak?: string }) && { ...((body as { name: string }).name === 'leak' ? { secret: 's' } : {}) }),
      };
    },
  },
  several: post(
    '/several',
    {
      ...json({ type: 'object' }),
      'text/csv': { schema: { type: 'string', minLength: 3 } },
      'application/xml': { schema: { type: 'object' } },
      'image/*': {},
    },
    { required: false },
  ),
  large: post('/large', { 'text/plain': { schema: { type: 'string' }, 'x-max-bytes': 100_000 } }),
  form: post('/form', {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: {
          name: { type: 'string' },
          age: { type: 'integer', default: 7 },
          tags: { type: 'array', items: { type: 'string' } },
          ids: { type: 'array', items: { type: 'integer' } },
          at: { type: 'object', properties: { x: { type: 'integer' } } },
          deep: { type: 'object', properties: { y: { type: 'boolean' } } },
        },
      },
      encoding: { ids: { style: 'form', explode: false }, deep: { style: 'deepObject', explode: true } },
    },
  }),
  upload: post('/upload', {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        additionalProperties: false,
        properties: {
          file,
          alt: { type: 'string', maxLength: 5 },
          count: { type: 'integer' },
          more: { type: 'array', maxItems: 2, items: {} },
          meta: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
          tags: { type: 'array', items: { type: 'string' } },
          raw: { contentMediaType: 'application/octet-stream' },
        },
      },
      encoding: { file: { contentType: 'image/png, image/jpeg' }, more: { contentType: 'image/*' } },
      'x-max-bytes': 300_000,
    },
  }),
  bytes: post('/bytes', { 'application/octet-stream': { schema: { ...file, 'x-max-bytes': 1000 } } }),
};

let service: Service;
beforeAll(async () => void (service = await startExtended(operations, schemas)));
afterAll(() => service.stop(0));
const call = async (
  path: string,
  body: BodyInit | undefined,
  type?: string,
  headers: Record<string, string> = {},
): Promise<unknown[]> => {
  seen = undefined;
  const init = {
    method: path === '/patch' ? 'PATCH' : 'POST',
    body: body ?? null,
    headers: { ...(type && { 'content-type': type }), ...headers },
  };
  const response = await service.request(path, init as RequestInit);
  const sent = (await response.json()) as { error?: string };
  return [response.status, sent.error ?? seen];
};
const asJson = (path: string, value: unknown, type = 'application/json'): Promise<unknown[]> =>
  call(path, JSON.stringify(value), type);
const uploadFolders = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('social-data-upload-'));
/** What a run of the tests has left that was killed. */
const foldersBefore = new Set(await uploadFolders());
const leftovers = async (): Promise<string[]> => (await uploadFolders()).filter((name) => !foldersBefore.has(name));

describe('JSON', () => {
  test.each<[string, unknown]>([
    ['/post', { kind: 'poll', options: ['a', 'b'] }],
    ['/post', { kind: 'text', text: 'a', note: null }],
    ['/scalar', null],
    ['/scalar', 5],
    ['/scalar', [true, false]],
    ['/node', { name: 'a', children: [{ name: 'b', children: [] }] }],
    ['/strange', { pair: [1, null], any: 2, 'x-a': 1 }],
    ['/strange', { any: 1, 'x-one': 1 }],
  ])('of %s: %j reaches the handler', async (path, value) => {
    expect(await asJson(path, value)).toEqual([200, value]);
  });
  test.each<[string, unknown, string]>([
    ['/post', { kind: 'poll', options: ['a'] }, "member 'options' of the body must have at least 2 items, not 1"],
    ['/post', { kind: 'text', text: '' }, "member 'text' of the body must not be empty"],
    ['/post', { kind: 'text', text: 'a', options: [] }, "unknown member 'options' of the body"],
    ['/post', { kind: 'poll' }, "member 'options' of the body is missing"],
    ['/post', null, 'the body must be a JSON object, not null'],
    ['/post', { kind: 'other' }, "member 'kind' of the body must be"],
    ['/scalar', 'text', 'the body must be a whole number, null or a list'],
    ['/scalar', [1], "member '0' of the body must be true or false"],
    ['/node', { name: 'a', children: [{}] }, "member 'children.0.name' of the body is missing"],
    ['/strange', { never: 1 }, "member 'never' of the body is not allowed here"],
    ['/strange', { pair: [1, null, 2], any: 2 }, "member 'pair' of the body must"],
    ['/strange', { other: 1 }, "unknown member 'other' of the body"],
    ['/strange', { any: 1 }, "member 'x-one' of the body is missing"],
    ['/strange', { pair: [1, null] }, "member 'any' of the body is missing"],
  ])('of %s: %j is 400', async (path, value, error) => {
    expect(await asJson(path, value)).toEqual([400, expect.stringContaining(error)]);
  });
  test('as a merge patch has formats that are checked', async () => {
    const type = 'application/merge-patch+json';
    expect(await asJson('/patch', { note: null }, type)).toEqual([200, { note: null }]);
    expect(await asJson('/patch', { day: '2026-02-30' }, type)).toEqual([
      400,
      "member 'day' of the body must be a date such as '2026-03-04'",
    ]);
    expect(await asJson('/patch', {})).toEqual([
      415,
      "content type 'application/json' is not supported: send application/merge-patch+json",
    ]);
  });
  test('has no readOnly member in a request, and no writeOnly member in a response', async () => {
    expect(await asJson('/account', { name: 'a', secret: 'x' })).toEqual([200, { name: 'a', secret: 'x' }]);
    expect(await asJson('/account', { id: '1', name: 'a', secret: 'x' })).toEqual([
      400,
      "member 'id' of the body is not allowed here",
    ]);
    expect(await asJson('/account', { name: 'a' })).toEqual([400, "member 'secret' of the body is missing"]);
    expect(await asJson('/account', { name: 'leak', secret: 'x' })).toEqual([500, 'internal error']);
  });
});

describe('one of several media types', () => {
  test.each<[string, string, unknown]>([
    ['application/json', '{"a":1}', { a: 1 }],
    ['text/csv; charset=utf-8', 'a,é', 'a,é'],
    ['application/xml', '<a/>', '<a/>'],
    ['image/png', 'png', { name: undefined, type: 'image/png', text: 'png' }],
  ])('%s reaches the handler with its type', async (type, body, value) => {
    expect([...(await call('/several', body, type)), seenType]).toEqual([200, value, type.split(';')[0]]);
  });
  test('is optional where the contract says so, and another one is 415', async () => {
    expect(await call('/several', undefined)).toEqual([200, undefined]);
    const names = 'application/json, text/csv, application/xml or image/*';
    expect(await call('/several', 'x', 'video/mp4')).toEqual([
      415,
      `content type 'video/mp4' is not supported: send ${names}`,
    ]);
    expect(await call('/several', 'abc', 'text/csv; charset=latin1')).toEqual([
      415,
      "charset 'latin1' is not supported: send UTF-8",
    ]);
    expect(await call('/several', 'a', 'text/csv')).toEqual([400, 'the body must have at least 3 characters, not 1']);
    expect(await call('/several', Buffer.from([0x61, 0xff, 0x62]), 'text/csv')).toEqual([
      400,
      'the body is not valid UTF-8',
    ]);
  });
  test('has the size that the contract allows', async () => {
    const text = 'x'.repeat(100_000);
    expect(await call('/large', text, 'text/plain')).toEqual([200, text]);
    expect(await call('/large', gzipSync(text), 'text/plain', { 'content-encoding': 'gzip' })).toEqual([200, text]);
    const error = [413, 'the body is larger than 97.7 kB'];
    expect(await call('/large', `${text}x`, 'text/plain')).toEqual(error);
    expect(await call('/large', gzipSync(`${text}x`), 'text/plain', { 'content-encoding': 'gzip' })).toEqual(error);
    expect(await call('/bytes', 'x'.repeat(1001), 'application/octet-stream')).toEqual([
      413,
      'the body is larger than 1 kB',
    ]);
  });
});

describe('a form', () => {
  const type = 'application/x-www-form-urlencoded';
  test('has members by their encoding', async () => {
    expect(await call('/form', 'name=a+b%C3%A9&tags=x&tags=y&ids=1,2&at=%7B%22x%22%3A1%7D&deep[y]=true', type)).toEqual(
      [200, { name: 'a bé', age: 7, tags: ['x', 'y'], ids: [1, 2], at: { x: 1 }, deep: { y: true } }],
    );
  });
  test.each([
    ['age=1', "member 'name' of the body is missing"],
    ['name=a&age=x', "member 'age' of the body must be a whole number"],
    ['name=a&name=b', "member 'name' of the body is given more than once"],
    ['name=a&other=b', "unknown member 'other' of the body"],
    ['name=%ff', 'the body is not valid percent-encoded UTF-8'],
    ['name=a&at={', "member 'at' of the body is not valid JSON"],
  ])('%s is 400', async (body, error) => {
    expect(await call('/form', body, type)).toEqual([400, expect.stringContaining(error)]);
  });
});

describe('a form with files', () => {
  const form = (parts: Record<string, string | Blob | (string | Blob)[]>): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries(parts))
      for (const each of [value].flat()) data.append(name, each as string);
    return data;
  };
  const png = (text: string, name = 'a.png'): File => new File([text], name, { type: 'image/png' });
  test('gives files and fields to the handler, and leaves nothing', async () => {
    const large = 'y'.repeat(200_000);
    const [status, body] = await call(
      '/upload',
      form({
        file: png(large, 'große datei.png'),
        alt: 'text',
        count: '3',
        more: [png('1'), png('2')],
        meta: '{"a":1}',
        tags: ['a', 'b'],
        raw: new File(['z'], 'r.bin'),
      }),
    );
    expect([status, body]).toEqual([
      200,
      {
        file: { name: 'große datei.png', type: 'image/png', text: large },
        alt: 'text',
        count: 3,
        more: [
          { name: 'a.png', type: 'image/png', text: '1' },
          { name: 'a.png', type: 'image/png', text: '2' },
        ],
        meta: { a: 1 },
        tags: ['a', 'b'],
        raw: { name: 'r.bin', type: 'application/octet-stream', text: 'z' },
      },
    ]);
    await until(async () => (await leftovers()).length === 0);
  });
  test.each<[string, Parameters<typeof form>[0], number, string]>([
    ['no file', { alt: 'a' }, 400, "member 'file' of the body is missing"],
    [
      'a text for a file',
      { file: 'text' },
      415,
      "member 'file' of the body must be image/png or image/jpeg, not 'text/plain'",
    ],
    [
      'another media type',
      { file: new File(['a'], 'a.gif', { type: 'image/gif' }) },
      415,
      "must be image/png or image/jpeg, not 'image/gif'",
    ],
    ['a file for a text', { file: png('a'), alt: png('b') }, 400, "member 'alt' of the body must not be a file"],
    [
      'a long text',
      { file: png('a'), alt: 'too long' },
      400,
      "member 'alt' of the body must have at most 5 characters, not 8",
    ],
    [
      'too many files',
      { file: png('a'), more: [png('1'), png('2'), png('3')] },
      400,
      "member 'more' of the body must have at most 2 items, not 3",
    ],
    ['a file twice', { file: [png('a'), png('b')] }, 400, "member 'file' of the body is given more than once"],
    ['an unknown member', { file: png('a'), other: 'x' }, 400, "unknown member 'other' of the body"],
    ['too many bytes', { file: png('a'.repeat(301_000)) }, 413, 'the body is larger than 293 kB'],
    [
      'too many fields',
      { file: png('a'), tags: Array.from({ length: 600 }, () => 'x') },
      400,
      'the form has too many members',
    ],
  ])('with %s is an error, and leaves nothing', async (_name, parts, status, error) => {
    expect(await call('/upload', form(parts))).toEqual([status, expect.stringContaining(error)]);
    await until(async () => (await leftovers()).length === 0);
  });
  test('without a boundary, or cut off, is 400', async () => {
    expect(await call('/upload', 'x', 'multipart/form-data')).toEqual([
      400,
      expect.stringContaining('not a valid form'),
    ]);
    expect(
      await call(
        '/upload',
        '--a\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nxxx',
        'multipart/form-data; boundary=a',
      ),
    ).toEqual([400, expect.stringContaining('not a valid form')]);
  });
  test('that the caller breaks off leaves nothing', async () => {
    const request = send(`${service.url}/upload`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'multipart/form-data; boundary=a', 'content-length': '200000' },
    });
    request.on('error', () => {});
    request.write(
      '--a\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nxxx',
    );
    await until(async () => (await leftovers()).length === 1);
    request.destroy();
    await until(async () => (await leftovers()).length === 0);
  });
});

test('the process does not keep a validator for each content type', async () => {
  for (let n = 0; n < 50; n++)
    expect((await asJson('/post', { kind: 'text', text: 'a' }, `application/json; v=${n}`))[0]).toBe(200);
});

test('members with the names of what every object inherits are checked only where they are sent, and required where they are not', async () => {
  const names = { constructor: { type: 'string' }, toString: { const: 'x' }, valueOf: { type: 'integer' } };
  const odd = (required: string[]): object => ({ type: 'object', required, properties: names });
  const operation = (id: string, required: string[], answer: unknown): TestOperation => ({
    route: `POST /odd/${id}`,
    described: {
      requestBody: { required: true, content: json(odd(required)) },
      responses: responses({ 200: { description: 'It.', content: json(odd(required)) } }),
    },
    handle: () => answer,
  });
  const own = await startExtended({
    a: operation('optional', [], {}),
    b: operation('required', ['toString'], { toString: 'x' }),
    c: operation('missing', ['valueOf'], {}),
  });
  const post = async (path: string, body: object): Promise<number> =>
    (
      await own.request(`/odd/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
    ).status;
  expect([await post('optional', {}), await post('optional', { constructor: 'a' })]).toEqual([200, 200]);
  expect([await post('optional', { toString: 'y' }), await post('optional', { constructor: 1 })]).toEqual([400, 400]);
  expect([await post('required', { toString: 'x' }), await post('required', {})]).toEqual([200, 400]);
  expect(await post('missing', { valueOf: 1 })).toBe(500);
  await own.stop(0);
});
