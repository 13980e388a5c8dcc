import { describe, expect, test } from '@jest/globals';
import {
  nameOf,
  operationMetadata,
  parameterOf,
  readDocument,
  responseFor,
  schemaAt,
  type OpenApiDocument,
  type OperationMetadata,
} from '../../server/contract/openapi.ts';

const text = { type: 'string' };
const ref = (place: string) => ({ $ref: `#/components/${place}` });
const components = {
  schemas: {
    Limit: { type: 'integer', default: 20 },
    Id: text,
    Page: {
      type: 'object',
      'x-max-bytes': 500,
      properties: {
        things: { type: 'array', items: ref('schemas/Thing') },
        owner: ref('schemas/Thing'),
        next: text,
      },
    },
    Thing: { type: 'object', properties: { id: ref('schemas/Id'), note: text } },
  },
  parameters: { Limit: { name: 'limit', in: 'query', schema: ref('schemas/Limit') } },
  headers: { Total: { required: true, schema: { type: 'integer' } } },
  requestBodies: { Thing: { required: true, content: { 'application/json': { schema: ref('schemas/Thing') } } } },
  responses: { Fine: { headers: { 'X-Event-Cursor': {} }, content: { 'application/json': { schema: text } } } },
};
const documentWith = (operation: object, method = 'post'): OpenApiDocument =>
  ({ components, paths: { '/a/{id}': { [method]: { operationId: 'own', responses: {}, ...operation } } } }) as never;
const metadataOf = (operation: object, method?: string): OperationMetadata =>
  Object.values(operationMetadata(documentWith(operation, method)))[0]!;

describe('a parameter has the defaults of OpenAPI', () => {
  test.each([
    ['query', 'form', true],
    ['cookie', 'form', true],
    ['path', 'simple', false],
    ['header', 'simple', false],
    ['elsewhere', 'simple', false],
  ])('in %s', (place, style, explode) => {
    expect(parameterOf({}, { name: 'p', in: place })).toEqual({
      ...{ name: 'p', in: place, required: false, style, explode, mediaType: undefined, schema: {} },
    });
  });
  test('where it does not say otherwise', () => {
    const described = {
      name: 'p',
      in: 'query',
      required: true,
      style: 'pipeDelimited',
      explode: true,
      example: 5,
    } as const;
    expect(parameterOf({}, { ...described, allowReserved: true, schema: text })).toEqual({
      ...described,
      ...{ allowReserved: true, mediaType: undefined, schema: text },
    });
    expect(parameterOf({}, { name: 'p', in: 'query', explode: false }).explode).toBe(false);
    expect(parameterOf({}, { name: 'p', in: 'query', style: 'deepObject' }).explode).toBe(false);
    expect(parameterOf({}, { name: 'p', in: 'header', style: 'form' }).explode).toBe(true);
  });
  test.each<[string, object, object]>([
    ['its own', { schema: text }, text],
    ['a named one', { schema: ref('schemas/Id') }, text],
    ['one for any value', { schema: true }, {}],
    ['one for no value', { schema: false }, { not: {} }],
    ['that of its media type', { content: { 'application/json': { schema: ref('schemas/Id') } } }, text],
    ['none', { content: { 'application/json': {} } }, {}],
    ['that of its media type rather than another', { schema: text, content: { 'text/plain': {} } }, {}],
  ])('its schema is %s', (_case, described, schema) => {
    const parameter = parameterOf({ components }, { name: 'p', in: 'query', ...described });
    expect(parameter.schema).toEqual(schema);
    expect(parameter).not.toHaveProperty('content');
  });
});

describe('an operation', () => {
  test('has its parameters by their places', () => {
    const own = (place: string, name: string): object => ({ name, in: place, schema: text });
    const parameters = [
      ref('parameters/Limit'),
      own('path', 'id'),
      own('query', 'Words'),
      own('header', 'X-Mode'),
      own('header', 'Authorization'),
      own('header', 'accept'),
      own('cookie', 'theme'),
    ];
    const metadata = metadataOf({ parameters });
    expect([...metadata.parameters.keys()]).toEqual(['limit', 'Words']);
    expect(metadata.parameters.get('limit')).toMatchObject({ name: 'limit', schema: { type: 'integer', default: 20 } });
    expect([...metadata.pathParameters.keys()]).toEqual(['id']);
    expect([...metadata.headerParameters]).toEqual([['x-mode', expect.objectContaining({ name: 'X-Mode' })]]);
    expect([...metadata.cookieParameters.keys()]).toEqual(['theme']);
    const none = metadataOf({});
    expect([none.parameters.size, none.headerParameters.size, none.requestBody, none.bodyMembers.size]).toEqual([
      ...[0, 0, undefined, 0],
    ]);
  });

  test('has a body in each of its media types', () => {
    const content = {
      'application/json': { schema: ref('schemas/Page'), encoding: { next: { style: 'form' } } },
      'text/csv': { schema: true, 'x-max-bytes': 7 },
      'multipart/form-data': { schema: { type: 'object', properties: { file: {} } }, 'x-max-bytes': 9 },
      'image/*': {},
      'application/x-ndjson': { schema: false },
    };
    const { requestBody, bodyMembers } = metadataOf({ requestBody: { content } });
    const none = { encoding: {}, maxBytes: undefined };
    expect(requestBody?.required).toBe(false);
    expect([...requestBody!.content.values()]).toEqual([
      {
        mediaType: 'application/json',
        kind: 'json',
        schema: ref('schemas/Page'),
        encoding: { next: { style: 'form' } },
        maxBytes: 500,
      },
      { mediaType: 'text/csv', kind: 'text', schema: {}, encoding: {}, maxBytes: 7 },
      { mediaType: 'multipart/form-data', kind: 'multipart', schema: expect.anything(), encoding: {}, maxBytes: 9 },
      { mediaType: 'image/*', kind: 'binary', schema: undefined, ...none },
      { mediaType: 'application/x-ndjson', kind: 'json-lines', schema: { not: {} }, ...none },
    ]);
    expect([...requestBody!.content.keys()]).toEqual(Object.keys(content));
    expect([...bodyMembers]).toEqual(['things', 'owner', 'next', 'file']);
    const named = metadataOf({ requestBody: ref('requestBodies/Thing') });
    expect([named.requestBody?.required, [...named.bodyMembers]]).toEqual([true, ['id', 'note']]);
  });

  test('has its responses with the headers that a handler sets', () => {
    const responses = {
      200: {
        headers: { 'X-Total': ref('headers/Total'), ETag: { schema: text }, 'X-Request-Id': { schema: text } },
        content: { 'application/json': { schema: text } },
      },
      '4XX': ref('responses/Fine'),
      default: {},
    };
    const { responses: all, statuses, conditional } = metadataOf({ responses });
    expect([...all.keys()]).toEqual(['200', '4XX', 'default']);
    expect([...statuses]).toEqual([200]);
    expect(conditional).toBe(false);
    const fine = all.get('200')!;
    expect([fine.key, [...fine.headers.keys()], [...fine.content.keys()]]).toEqual([
      '200',
      ['x-total', 'etag'],
      ['application/json'],
    ]);
    expect(fine.headers.get('x-total')).toEqual({
      ...{ name: 'X-Total', in: 'header', required: true, style: 'simple', explode: false },
      ...{ mediaType: undefined, schema: { type: 'integer' } },
    });
    expect([all.get('4XX')!.key, all.get('4XX')!.headers.size, all.get('default')!.content.size]).toEqual([
      '4XX',
      0,
      0,
    ]);
    const withTag = metadataOf({ responses: { ...responses, 304: {} } });
    expect(withTag.conditional).toBe(true);
    expect([...withTag.responses.get('200')!.headers.keys()]).toEqual(['x-total']);
    expect([...withTag.statuses]).toEqual([200, 304]);
  });

  test('has the schema of the body that its handler returns', () => {
    const content = { 'application/json': { schema: ref('schemas/Page') } };
    expect(metadataOf({ responses: { 201: { content } } }).responseSchema).toEqual(ref('schemas/Page'));
    expect(metadataOf({ responses: { 201: { content: { 'application/json': {} } } } }).responseSchema).toBeUndefined();
    expect(metadataOf({ responses: { 200: { content }, 201: { content } } }).responseSchema).toBeUndefined();
  });

  test.each<[string, object, boolean]>([
    ['with the header in a success', { 200: { headers: { 'X-Event-Cursor': {} } } }, true],
    ['with the header in one of two', { 200: {}, 201: { headers: { 'X-Event-Cursor': {} } } }, true],
    ['with the header in a named success', { '2XX': ref('responses/Fine') }, true],
    ['with the header in an error', { 200: {}, 400: ref('responses/Fine') }, false],
    ['without the header', { 200: { headers: { 'X-Other': {} } }, 201: {} }, false],
  ])('sends the event cursor or not: %s', (_case, responses, sends) => {
    expect(metadataOf({ responses }).sendsEventCursor).toBe(sends);
  });

  test('has the headers of its deprecation', () => {
    expect(metadataOf({ deprecated: true }).deprecation).toEqual(['Deprecation', '@0']);
    expect(metadataOf({}).deprecation).toEqual([]);
  });

  test.each<[string, object, readonly string[] | undefined]>([
    ['with a list in JSON and CSV', {}, ['id', 'note']],
    [
      'without CSV',
      { responses: { 200: { content: { 'application/json': { schema: ref('schemas/Page') } } } } },
      undefined,
    ],
    ['without JSON', { responses: { 200: { content: { 'text/csv': {} } } } }, undefined],
    ['without a schema', { responses: { 200: { content: { 'application/json': {}, 'text/csv': {} } } } }, undefined],
    ['without a success', { responses: { 404: {} } }, undefined],
    ['that names no list', { 'x-items': undefined }, undefined],
    ['whose list is no name', { 'x-items': 5 }, undefined],
  ])('can be CSV or not: %s', (_case, more, columns) => {
    const content = { 'application/json': { schema: ref('schemas/Page') }, 'text/csv': {} };
    const { csvItems } = metadataOf({ 'x-items': 'things', responses: { 200: { content } }, ...more });
    expect([csvItems?.items, csvItems?.columns()]).toEqual([columns && 'things', columns]);
  });

  test('has its entry of the table, and its metadata is collected once', () => {
    const document = documentWith({ 'x-exactly-one-of': ['a'] }, 'delete');
    const metadata = operationMetadata(document);
    expect(Object.values(metadata)[0]?.entry).toMatchObject({ method: 'delete', path: '/a/{id}', exactlyOneOf: ['a'] });
    expect(Object.keys(metadata)).toEqual(['own']);
    expect(operationMetadata(document)).toBe(metadata);
    expect(operationMetadata(structuredClone(document))).not.toBe(metadata);
  });
});

test('the response of a status is the exact one, that of its range, or the default', () => {
  const { responses } = metadataOf({ responses: { 404: {}, '4XX': {}, default: {} } });
  const keyOf = (status: number): string | undefined => responseFor({ responses }, status)?.key;
  expect([404, 400, 499, 200, 500].map(keyOf)).toEqual(['404', '4XX', '4XX', 'default', 'default']);
  expect(responseFor(metadataOf({ responses: { 404: {} } }), 400)).toBeUndefined();
});

test.each<[string[], object]>([
  [[], components.schemas.Page],
  [['things'], components.schemas.Page.properties.things],
  [['things', '0'], components.schemas.Thing],
  [['things', '0', 'id'], text],
  [['owner', 'note'], text],
  [['other'], {}],
  [['other', 'more'], {}],
  [['next', '0'], {}],
])('the schema at %j of a page', (pointer, schema) => {
  expect(schemaAt({ components }, ref('schemas/Page'), pointer)).toEqual(schema);
});

test('the name of a reference is its last part', () => {
  expect([nameOf(ref('schemas/Page')), nameOf({ $ref: 'Page' })]).toEqual(['Page', 'Page']);
});

test('the contract of this project is read once', async () => {
  const document = await readDocument();
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(await readDocument()).toBe(document);
});
