import { describe, expect, test } from '@jest/globals';
import type { Document } from '../../../scripts/spec/contract-document.ts';
import { typesOf } from '../../../scripts/spec/generate-types.ts';
import { callTypes } from '../../../scripts/spec/scaffold/call-types.ts';
import { checkName, checkNames, handlerName, handlerText } from '../../../scripts/spec/scaffold/handler.ts';
import { operationsOf, type Operation } from '../../../scripts/spec/scaffold/operation.ts';
import { testText } from '../../../scripts/spec/scaffold/operation-test.ts';

const plain: Operation = {
  id: 'getThing',
  route: 'GET /social/thing/detail',
  summary: 'One thing',
  parameters: { path: [], query: [{ name: 'id', type: 'string', always: true }], headers: [], cookies: [] },
  exactlyOneOf: [],
  call: { query: { id: '1' } },
  items: undefined,
  body: undefined,
  status: 200,
  replies: false,
  hasExample: true,
  may501: true,
};

describe('the name of an operation', () => {
  test.each([
    ['getThing', 'getThing'],
    ['get-thing', 'getThing'],
    ['get.thing of all', 'getThingOfAll'],
    ['1st', 'handle1st'],
    ['delete', 'handleDelete'],
    ['---', 'handle'],
  ])('%s gives the handler %s', (id, name) => {
    expect(handlerName(id)).toBe(name);
    expect(handlerText({ ...plain, id })).toContain(`export const ${name} = (_parts: Parts): Handler<'${id}'> =>`);
  });
  test('must not give two handlers one name', () => {
    expect(() => checkNames(['get-thing', 'getThings', 'getThing'])).toThrow(
      "operationIds 'get-thing' and 'getThing' give one name to two handlers",
    );
    expect(() => checkNames(['get-thing', 'getThings'])).not.toThrow();
  });
  test('must not be the name of another file', () => {
    expect(() => checkName('page', 'export async function paged() {}')).toThrow(
      'server/operations/page.ts is something else already',
    );
    expect(() => checkName('paged', 'export async function paged() {}')).not.toThrow();
    expect(() => checkName('getThing', handlerText(plain))).not.toThrow();
  });
});

test('the handler names the parameters of every place with their types, and the media types of the body', () => {
  const text = handlerText({
    ...plain,
    parameters: {
      path: [{ name: 'thing_id', type: 'Id', always: true }],
      query: [{ name: 'langs', type: '("en" | "de")[]', always: false }],
      headers: [{ name: 'X-Tenant', type: 'number', always: true }],
      cookies: [{ name: 'session', type: 'string', always: true }],
    },
    body: new Map([
      ['application/json', 'NewThing'],
      ['text/csv', 'string'],
    ]),
  });
  expect(text).toContain("Handler<'getThing'> => async ({ path, query, headers, cookies, body, contentType }) => …");
  expect(text).toContain(`  // \`path\`, validated:
  //   thing_id: Id
  // \`query\`, validated:
  //   langs?: ("en" | "de")[]
  // \`headers\`, validated:
  //   X-Tenant: number
  // \`cookies\`, validated:
  //   session: string
  // \`body\`, validated, and \`contentType\`, which says which one it is:
  //   application/json: NewThing
  //   text/csv: string
`);
});

test('the comment has any summary as one sentence', () => {
  expect(handlerText({ ...plain, summary: ' One */ thing,\n  or two. ' })).toContain(
    '/** One *\\/ thing, or two. */\n',
  );
});

test('the test has any example as a literal', () => {
  const body = { text: `it's "so"\n\\ \u0007`, count: 3, on: true, none: null, list: [{ 'a-b': [] }], empty: {} };
  const [, literal] = /callOperation\(server, key, 'getThing', (.*)\);/.exec(testText({ ...plain, call: { body } }))!;
  expect(JSON.parse(JSON.stringify(new Function(`return ${literal};`)()))).toEqual({ body });
});

test('an operation without a plain body has a handler that says how it replies, and a test of its response', () => {
  const operation = { ...plain, status: 204, replies: true, hasExample: false };
  expect(handlerText(operation)).toContain('// It returns a reply, such as { status: 204,');
  const text = testText(operation);
  expect(text).toContain('expect(response.status).toBe(204);');
  expect(text).toContain("await expectContract('getThing', response);");
  expect(text).not.toContain('exampleAnswer');
});

describe('the operations of a contract', () => {
  const text = { schema: { type: 'string', minLength: 3, maxLength: 3 } };
  const described = (operation: object): Document =>
    ({
      openapi: '3.1.0',
      info: { title: 'Things', version: '1.0.0' },
      paths: { '/things/{id}': { put: { operationId: 'putThing', responses: { 204: {} }, ...operation } } },
      components: {},
    }) as unknown as Document;
  const operationOf = async (operation: object): Promise<Operation> => {
    const document = described(operation);
    return operationsOf(document, callTypes(await typesOf(document)))[0]!;
  };

  test('have the types of generated/types.ts, and a call with all that is required in each place', async () => {
    const operation = await operationOf({
      parameters: [
        { name: 'id', in: 'path', required: true, ...text },
        { name: 'If-Match', in: 'header', required: true, ...text, example: '"7"' },
        { name: 'session', in: 'cookie', required: true, ...text },
        { name: 'ids', in: 'query', required: true, schema: { type: 'array', minItems: 1, items: { enum: [1, 2] } } },
        { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
      ],
    });
    expect(operation.parameters).toEqual({
      path: [{ name: 'id', type: 'string', always: true }],
      query: [
        { name: 'ids', type: '(1 | 2)[]', always: true },
        { name: 'filter', type: 'Record<string, unknown>', always: false },
      ],
      headers: [{ name: 'If-Match', type: 'string', always: true }],
      cookies: [{ name: 'session', type: 'string', always: true }],
    });
    const { path, query, headers, cookies } = operation.call as Record<string, Record<string, unknown>>;
    expect(path).toEqual({ id: expect.stringMatching(/^.{3}$/u) });
    expect(query).toEqual({ ids: expect.arrayContaining([expect.any(Number)]) });
    expect(headers).toEqual({ 'If-Match': '"7"' });
    expect(cookies).toEqual({ session: expect.any(String) });
  });

  test('have files in forms, also several ones', async () => {
    const bytes = { type: 'string', format: 'binary' };
    const schema = {
      type: 'object',
      required: ['picture', 'more', 'note'],
      properties: { picture: bytes, more: { type: 'array', items: bytes }, note: { const: 'hi' }, other: bytes },
    };
    const encoding = { picture: { contentType: 'image/png, image/jpeg' } };
    const operation = await operationOf({
      requestBody: { content: { 'multipart/form-data': { schema, encoding } } },
    });
    const text = testText(operation);
    expect(text).toMatch(/picture: new File\(\[.*\], 'picture\.bin', \{ type: 'image\/png' \}\)/);
    expect(text).toMatch(/more: \[new File\(\[.*\], 'more\.bin', \{ type: 'application\/octet-stream' \}\)\]/);
    expect(text).toContain("note: 'hi'");
    expect(text).not.toContain('other');
    expect(operation.body?.get('multipart/form-data')).toContain('picture: Blob; more: Blob[];');
  });

  test('are compared with the example of the response only if there is one of the request', async () => {
    const content = (example?: unknown): object => ({ content: { 'application/json': { schema: {}, example } } });
    const responses = { 200: content({ name: 'a' }) };
    expect((await operationOf({ responses, requestBody: content() })).hasExample).toBe(false);
    expect((await operationOf({ responses, requestBody: content({ name: 'a' }) })).hasExample).toBe(true);
    expect((await operationOf({ responses })).hasExample).toBe(true);
  });

  test.each<[object, Operation['status']]>([
    [{ 400: {}, 201: {}, 200: {} }, 200],
    [{ '2XX': {}, default: {} }, '2XX'],
    [{ 303: {}, 404: {} }, 303],
    [{ default: {} }, '2XX'],
    [{ 202: {}, 304: {} }, 202],
  ])('with the responses %j are expected to answer %s', async (responses, status) => {
    expect((await operationOf({ responses })).status).toBe(status);
  });
});
