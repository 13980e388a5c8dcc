/** The errors of the server have the form of the contract's schema, through the real server. */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { errorForm, type ErrorForm } from '../../server/contract/error-form.ts';
import type { ResponseMetadata } from '../../server/contract/openapi.ts';
import { ServiceError } from '../../server/contract/service-error.ts';
import { json, startExtended } from '../support/extended-contract.ts';
import { inTurn } from '../support/rounds.ts';

const text = { type: 'string', minLength: 1 };
const problem = {
  type: 'object',
  required: ['title', 'status'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: text,
    status: { type: 'integer' },
    detail: text,
  },
};
const nested = {
  allOf: [{ type: 'object', required: ['success', 'errors'] }, { $ref: '#/components/schemas/Nested' }],
};
const schemas = {
  Nested: {
    type: 'object',
    properties: {
      success: { const: false },
      at: { type: 'string', format: 'date-time' },
      errors: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['code', 'message'],
          additionalProperties: false,
          properties: { code: { type: 'string', enum: ['not_found', 'bad_request'] }, message: text },
        },
      },
    },
  },
};

/** What a contract can say of errors: its name, the content, the media type, the body. */
const forms: readonly (readonly [name: string, content: object, type: string, body: unknown])[] = [
  [
    'problem details',
    { 'application/problem+json': { schema: problem } },
    'application/problem+json',
    { type: 'about:blank', title: 'Bad Request', status: 400, detail: expect.stringContaining("'x'") },
  ],
  [
    'a message',
    json({ type: 'object', required: ['message'], additionalProperties: false, properties: { message: text } }),
    'application/json; charset=utf-8',
    { message: expect.stringContaining("'x'") },
  ],
  [
    'code and message',
    json({ type: 'object', required: ['code', 'message'], properties: { code: { type: 'integer' }, message: text } }),
    'application/json; charset=utf-8',
    { code: 400, message: expect.stringContaining("'x'") },
  ],
  [
    'a list of errors',
    json(nested),
    'application/json; charset=utf-8',
    { success: false, errors: [{ code: 'bad_request', message: expect.stringContaining("'x'") }] },
  ],
  ['text', { 'text/plain': { schema: text } }, 'text/plain; charset=utf-8', expect.stringContaining("'x'")],
  ['no body', {}, '', ''],
];
/** Where it says so; `npm test` tries all of them for the first form. */
const places = ['400', '4XX', 'default'];

describe.each(forms)('errors of a contract with %s', (name, content, type, body) => {
  const tried = name === forms[0]![0] ? places : inTurn(places, 1);
  test.each(tried)('declared as %s have this form', async (key) => {
    const error = { description: 'Wrong.', ...(type !== '' && { content }) };
    const own = { 200: { description: 'Fine.', content: json({}) }, [key]: error };
    const fail = (): never => {
      throw new ServiceError(404, 'nothing here');
    };
    const { request, stop } = await startExtended(
      { mine: { route: 'GET /mine', described: { responses: own }, handle: fail } },
      schemas,
    );
    const response = await request('/mine?x=1');
    const sent = await response.text();
    expect([response.status, response.headers.get('content-type') ?? '']).toEqual([400, type]);
    expect(type.includes('json') ? JSON.parse(sent) : sent).toEqual(body);
    // A handler cannot send a status that the contract does not have.
    expect((await request('/mine')).status).toBe(key === '400' ? 500 : 404);
    await stop(0);
  });
});

describe('the body of an error', () => {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const document = {
    components: {
      schemas: {
        Loop: { type: 'object', required: ['in'], properties: { in: { $ref: '#/components/schemas/Loop' } } },
      },
    },
  };
  const formOf = (
    schema: object,
    { key = '404', mediaType = 'application/json', kind = 'json' } = {},
  ): ErrorForm | undefined =>
    errorForm(
      document,
      { key, content: new Map([[mediaType, { mediaType, kind, schema }]]) } as unknown as ResponseMetadata,
      (each) => ajv.compile(each),
    );
  const only = (name: string, schema: object): object => ({
    type: 'object',
    required: [name],
    additionalProperties: false,
    properties: { [name]: schema },
  });
  const any = { type: 'string' };
  test.each<[string, object, unknown]>([
    ['of this service', only('error', any), { error: 'lost' }],
    [
      'of problem details',
      { type: 'object', required: ['type', 'title', 'status', 'detail'] },
      { type: 'about:blank', title: 'Not Found', status: 404, detail: 'lost' },
    ],
    ['with a message', only('message', any), { message: 'lost' }],
    [
      'with a code',
      { type: 'object', required: ['code', 'message'], properties: { code: { type: 'integer' } } },
      { code: 404, message: 'lost' },
    ],
    ['with a message inside', only('error', only('message', any)), { error: { message: 'lost' } }],
    ['as a text', any, 'lost'],
    [
      'with constants',
      {
        type: 'object',
        required: ['ok', 'kind'],
        additionalProperties: false,
        properties: { ok: { const: false }, kind: { enum: ['other', 'NOT-FOUND'] } },
      },
      { ok: false, kind: 'NOT-FOUND' },
    ],
    ['with a number of the list', only('kind', { enum: ['404', 404] }), { kind: '404' }],
    ['with a status of the list', only('kind', { enum: [500, 404] }), { kind: 404 }],
    ['with a list of other words', only('kind', { enum: ['no', 'yes'] }), { kind: 'no' }],
    ['with an alternative', only('kind', { anyOf: [{ const: 1 }, any] }), { kind: 1 }],
    ['with one of several', only('kind', { oneOf: [{ const: 1 }, any] }), { kind: 1 }],
    [
      'with alternatives beside its members',
      {
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
        properties: { a: any, message: any },
        type: 'object',
        required: ['a'],
      },
      { a: 'lost', message: 'lost' },
    ],
    ['with a list', only('all', { type: 'array', items: only('reason', any) }), { all: [{ reason: 'lost' }] }],
    ['with a number', only('n', { type: 'number' }), { n: 404 }],
    ['with a whole number', only('n', { type: ['integer', 'null'] }), { n: 404 }],
    ['with a truth value', only('n', { type: 'boolean' }), { n: false }],
    ['with nothing', only('n', { type: 'null' }), { n: null }],
    ['with any value', only('n', {}), { n: 'lost' }],
    ['with its title', only('title', any), { title: 'Not Found' }],
    ['with its code', only('error_code', any), { error_code: 'not_found' }],
    ['with the address of its kind', only('at', { type: 'string', format: 'uri' }), { at: 'about:blank' }],
    ['with a reference to its kind', only('at', { type: 'string', format: 'uri-reference' }), { at: 'about:blank' }],
    ['with a date', only('on', { type: 'string', format: 'date' }), { on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }],
    ['with a time', only('at', { type: 'string', format: 'date-time' }), { at: expect.stringMatching(/T.*Z$/) }],
    ['with an id', only('id', { type: 'string', format: 'uuid' }), { id: expect.stringMatching(/^[\da-f-]{36}$/) }],
    [
      'with the parts of its schema',
      {
        allOf: [{ type: 'object', required: ['a'], properties: { a: any } }, { properties: { reason: any } }],
      },
      { a: 'lost', reason: 'lost' },
    ],
    [
      'with what is optional and says what is wrong',
      { type: 'object', required: ['a'], properties: { a: any, errors: any, name: any, other: any } },
      { a: 'lost', errors: 'lost', name: 'not_found' },
    ],
    [
      'without what is optional and does not fit',
      { type: 'object', required: ['a'], properties: { a: any, code: { type: 'string', maxLength: 3 } } },
      { a: 'lost' },
    ],
  ])('%s', (_form, schema, body) => {
    expect(formOf(schema)?.body(404, 'lost')).toEqual(body);
  });
  test('of a status without a name', () => {
    expect(formOf(only('title', any), { key: '499' })?.body(499, 'lost')).toEqual({ title: 'Error' });
    expect(formOf(only('code', any), { key: '505' })?.body(505, 'lost')).toEqual({
      code: 'http_version_not_supported',
    });
  });
  test('fits each status that the response stands for', () => {
    const status = (least: number, most: number): object =>
      only('n', { type: 'integer', minimum: least, maximum: most });
    expect(formOf(status(400, 499), { key: '4XX' })).toBeDefined();
    expect(formOf(status(400, 428), { key: '4XX' })).toBeUndefined();
    expect(formOf(status(400, 503), { key: 'default' })).toBeDefined();
    expect(formOf(status(400, 499), { key: 'default' })).toBeUndefined();
    expect(formOf(status(500, 599), { key: '5XX' })).toBeDefined();
    expect(formOf(status(404, 404))?.body(400, 'lost')).toBeUndefined();
  });
  test('is none where no value fits, also of a schema without an end', () => {
    expect(formOf(only('in', { type: 'integer', maximum: 1 }))).toBeUndefined();
    const endless = { $ref: '#/components/schemas/Loop' };
    const tried: unknown[] = [];
    const never = ((value: unknown) => void tried.push(value)) as unknown as ValidateFunction;
    const content = new Map([['a/json', { mediaType: 'a/json', kind: 'json', schema: endless }]]);
    expect(errorForm(document, { key: '404', content } as unknown as ResponseMetadata, () => never)).toBeUndefined();
    const sample = 'What is wrong, and what to do.';
    expect(tried.at(-1)).toEqual({ in: { in: { in: { in: { in: { in: sample } } } } } });
    expect(formOf({}, { mediaType: 'application/pdf', kind: 'binary' })).toBeUndefined();
  });
  test('is JSON rather than text, and text rather than nothing', () => {
    const media = (mediaType: string, kind: string) =>
      [mediaType, { mediaType, kind, schema: { type: 'string' } }] as const;
    const form = (...content: (readonly [string, object])[]): ErrorForm | undefined =>
      errorForm(document, { key: '404', content: new Map(content) } as unknown as ResponseMetadata, (each) =>
        ajv.compile(each),
      );
    const [plain, json] = [media('text/html', 'text'), media('application/problem+json', 'json')];
    expect(form(plain, json)?.mediaType).toBe('application/problem+json');
    expect(form(media('image/png', 'binary'), plain)?.mediaType).toBe('text/html');
    expect(form(plain)?.body(404, 'lost')).toBe('lost');
    expect(form()?.mediaType).toBeUndefined();
    expect(form()?.body(404, 'lost')).toBeUndefined();
  });
});
