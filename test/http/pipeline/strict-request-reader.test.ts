import { describe, expect, test } from '@jest/globals';
import { operationMetadata, type OpenApiDocument } from '../../../server/contract/openapi.ts';
import type { OperationId } from '../../../server/contract/operations.ts';
import { compilerWithin } from '../../../server/contract/schema-compiler.ts';
import {
  createHeaderReader,
  createQueryReader,
  TargetReader,
  type ReadQuery,
} from '../../../server/http/pipeline/strict-request-reader.ts';
import { contractSecurity } from '../../../server/http/security.ts';
import type { Authenticator } from '../../../server/ports/authenticator.ts';

const id = 'own' as OperationId;
const schemas = {
  Limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  Name: { type: 'string', maxLength: 8 },
};
const documentOf = (operation: object, path = '/things', method = 'get'): OpenApiDocument => {
  const described = { operationId: id, responses: { 200: {}, 304: {} }, ...operation };
  return { openapi: '3.1.0', paths: { [path]: { [method]: described } }, components: { schemas } } as never;
};
/** The reader of the only operation of a document; undefined where it has none. */
function readerOf(document: OpenApiDocument): ReadQuery | undefined {
  return createQueryReader(document, compilerWithin(document), operationMetadata(document)[id]);
}
const inQuery = (name: string, schema: object, more: object = {}): object => ({ name, in: 'query', schema, ...more });

const parameters = [
  inQuery('name', { $ref: '#/components/schemas/Name' }),
  inQuery('limit', { $ref: '#/components/schemas/Limit' }),
  inQuery('text', { type: 'string', maxLength: 20 }, { allowReserved: true }),
];

describe('a query is read', () => {
  const read = readerOf(documentOf({ parameters }))!;
  test.each<[string, object]>([
    ['', { limit: 20 }],
    ['name=abc', { name: 'abc', limit: 20 }],
    ['limit=5&name=a.b~c_-', { limit: 5, name: 'a.b~c_-' }],
    ['limit=1', { limit: 1 }],
    ['limit=100', { limit: 100 }],
    ['name=5', { name: '5', limit: 20 }],
    ['text=plain', { text: 'plain', limit: 20 }],
    ['text=a+b', { text: 'a b', limit: 20 }],
    ['text=a%20b+c', { text: 'a b c', limit: 20 }],
    ['text=a%2Bb%26c', { text: 'a+b&c', limit: 20 }],
    ['text=a=b=c', { text: 'a=b=c', limit: 20 }],
    ['text=a+b+c', { text: 'a b c', limit: 20 }],
    ['text=%C3%BC+%C3%BC', { text: 'ü ü', limit: 20 }],
    ['text=@:/?!$\'()*,;"<>{}|^`', { text: '@:/?!$\'()*,;"<>{}|^`', limit: 20 }],
  ])('%s', (text, query) => {
    expect(read(text)).toEqual(query);
  });
});

describe('a query that can have another meaning is declined', () => {
  const read = readerOf(documentOf({ parameters }))!;
  test.each([
    ...['other=1', 'name', 'names', 'name=', 'text=', '=abc', 'name=a&name=b', 'name=a&', '&name=a', 'name=a&&limit=5'],
    ...['%6eame=abc', 'name=a%20b', 'name=a+b', 'name=a!', 'name=a=b', 'name=abcdefghi', 'Name=abc', 'name[]=a'],
    ...['limit=0', 'limit=101', 'limit=05', 'limit=1.0', 'limit=-1', 'limit=+1', 'limit=1e1', 'limit=1%30', 'limit='],
    ...['limit=x5', 'limit=5x', 'limit=1000000000000000'],
    ...['text=%', 'text=%ff', 'text=a#b', 'text=#', 'text=a\\b', 'text=[a]', 'text=ü', 'text=a b'],
  ])('%s', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

test('a query has the parameters that the operation requires, and exactly one of those of which it needs one', () => {
  const required = readerOf(documentOf({ parameters: [inQuery('name', { type: 'string' }, { required: true })] }))!;
  expect([required('name=a'), required('')]).toEqual([{ name: 'a' }, undefined]);
  const text = { type: 'string' };
  const one = readerOf(
    documentOf({
      parameters: [inQuery('a', text), inQuery('b', text), inQuery('c', text)],
      'x-exactly-one-of': ['a', 'b'],
    }),
  )!;
  expect([one('a=1'), one('b=1&c=1')]).toEqual([{ a: '1' }, { b: '1', c: '1' }]);
  expect([one(''), one('c=1'), one('a=1&b=1')]).toEqual([undefined, undefined, undefined]);
});

test('the largest integers that are read have fifteen digits', () => {
  const read = readerOf(documentOf({ parameters: [inQuery('id', { type: 'integer' })] }))!;
  expect([read('id=0'), read('id=999999999999999'), read('id=9999999999999999')]).toEqual([
    { id: 0 },
    { id: 999_999_999_999_999 },
    undefined,
  ]);
});

describe('an operation has no reader of its query where', () => {
  const header = (name: string): object => ({ name, in: 'header', schema: { type: 'string' } });
  const withParameter = (parameter: object): OpenApiDocument => documentOf({ parameters: [parameter] });
  const text = { type: 'string' };
  test.each<[string, OpenApiDocument]>([
    ['its method is POST', documentOf({}, '/things', 'post')],
    ['its response is never 304', documentOf({ responses: { 200: {} } })],
    ['its path has a parameter', documentOf({}, '/things/{id}')],
    ['a parameter is in a header', withParameter(header('x-mode'))],
    [
      'a parameter is in a header beside the event cursor',
      documentOf({ parameters: [header('x-event-cursor'), header('x-mode')] }),
    ],
    ['a parameter is in a cookie', withParameter({ name: 'theme', in: 'cookie', schema: text })],
    ['a parameter is a boolean', withParameter(inQuery('a', { type: 'boolean' }))],
    ['a parameter is a list', withParameter(inQuery('a', { type: 'array', items: text }))],
    ['a parameter has two types', withParameter(inQuery('a', { type: ['string', 'integer'] }))],
    [
      'a parameter is JSON',
      withParameter({ name: 'a', in: 'query', content: { 'application/json': { schema: text } } }),
    ],
    ['a parameter has another style', withParameter(inQuery('a', text, { style: 'spaceDelimited' }))],
    ['a parameter may be empty', withParameter(inQuery('a', text, { allowEmptyValue: true }))],
    ['a parameter has the name of a member of each object', withParameter(inQuery('constructor', text))],
  ])('%s', (_case, document) => {
    expect(readerOf(document)).toBeUndefined();
  });
  test.each<[string, OpenApiDocument]>([
    ['it takes the event cursor', withParameter(header('X-Event-Cursor'))],
    ['it has no parameters', documentOf({})],
    ['a parameter is not empty', withParameter(inQuery('a', text, { allowEmptyValue: false }))],
  ])('but one where %s', (_case, document) => {
    expect(readerOf(document)?.('')).toEqual({});
  });
});

test('a target is that of an operation whose query is read', () => {
  const read = readerOf(documentOf({ parameters }));
  const at = (path: string): { readonly entry: { readonly path: string } } => ({ entry: { path } });
  const reader = new TargetReader([
    { id, metadata: at('/things') as never, readQuery: read },
    { id: 'other' as OperationId, metadata: at('/other') as never, readQuery: undefined },
  ]);
  expect(reader.read('/things')).toEqual({ id, path: '/things', query: { limit: 20 } });
  expect(reader.read('/things?')).toEqual({ id, path: '/things', query: { limit: 20 } });
  expect(reader.read('/things?name=a&limit=5')).toEqual({ id, path: '/things', query: { name: 'a', limit: 5 } });
  expect(reader.read('/things?text=a?b')).toEqual({ id, path: '/things', query: { text: 'a?b', limit: 20 } });
  for (const target of ['/things?other=1', '/things/', '/Things', '/other', '/', '', '?name=a', '//things'])
    expect([target, reader.read(target)]).toEqual([target, undefined]);
});

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  again: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  second: { type: 'apiKey', in: 'header', name: 'X-Second-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api_key' },
  bearer: { type: 'http', scheme: 'bearer' },
};
/** The reader of headers of a contract with these schemes, of which the authenticators take some. */
const headerReader = (schemes: object, authenticators: Authenticator[] = []) =>
  createHeaderReader(
    contractSecurity({ paths: {}, components: { securitySchemes: schemes } }, authenticators).any.schemes,
  );

describe('the headers of a request', () => {
  const read = headerReader(securitySchemes);
  const none = {
    requestId: undefined,
    origin: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    traceparent: undefined,
  };
  test.each<[string, string[], string, string]>([
    ['a key', ['X-Api-Key', 'abc'], 'the header x-api-key', 'abc'],
    ['a key in another letter case', ['x-API-key', 'abc'], 'the header x-api-key', 'abc'],
    ['the other key', ['X-Second-Key', 'abc'], 'the header x-second-key', 'abc'],
    ['a bearer token', ['Authorization', 'Bearer abc def'], 'the header Authorization', 'abc def'],
  ])('have %s', (_case, headers, words, value) => {
    const credential = { place: expect.objectContaining({ words }), value };
    expect(read(headers)).toEqual({ credential, ...none });
    expect(read(['Host', 'x', ...headers, 'Api_Key', 'x'])).toEqual({ credential, ...none });
  });
  const key = ['X-Api-Key', 'abc'];
  const relevant = [
    ...['X-Request-Id', 'r1', 'Origin', 'https://a.example', 'Accept-Encoding', 'gzip, br'],
    ...['If-None-Match', 'W/"1"', 'Traceparent', '00-a-b-01', 'X-Event-Cursor', 'epoch.12'],
  ];
  test('have what a response depends on', () => {
    expect(read([...relevant, ...key])).toEqual({
      credential: { place: expect.objectContaining({ name: 'x-api-key' }), value: 'abc' },
      requestId: 'r1',
      origin: 'https://a.example',
      acceptEncoding: 'gzip, br',
      ifNoneMatch: 'W/"1"',
      traceparent: '00-a-b-01',
    });
  });
  test.each(['X-Request-Id', 'Origin', 'Accept-Encoding', 'If-None-Match', 'Traceparent', 'X-Event-Cursor'])(
    'are declined with a second %s',
    (name) => {
      const value = relevant[relevant.indexOf(name) + 1]!;
      expect(read([...key, name, value])).toBeDefined();
      expect(read([...key, name, value, name.toLowerCase(), value])).toBeUndefined();
    },
  );
  test.each(['If-Match', 'Content-Length', 'Transfer-Encoding', 'Expect', 'Upgrade'])(
    'are declined with %s',
    (name) => {
      expect(read([...key, name, 'x'])).toBeUndefined();
    },
  );
  test.each<[string, string[]]>([
    ['no credential', ['Host', 'x']],
    ['no header at all', []],
    ['an empty key', ['X-Api-Key', '']],
    ['a key twice', [...key, ...key]],
    ['two keys', [...key, 'X-Second-Key', 'def']],
    ['a key and a token', [...key, 'Authorization', 'Bearer abc']],
    ['a token and a key', ['Authorization', 'Bearer abc', ...key]],
    ['a token twice', ['Authorization', 'Bearer abc', 'Authorization', 'Bearer abc']],
    ['an empty token', ['Authorization', 'Bearer ']],
    ['a token without its scheme', ['Authorization', 'abc']],
    ['the name of the scheme alone', ['Authorization', 'Bearer']],
    ['the scheme in small letters', ['Authorization', 'bearer abc']],
    ['another scheme', ['Authorization', 'Basic abc']],
    ['two spaces before the token', ['Authorization', 'Bearer  abc']],
    ['a space and a tab before the token', ['Authorization', 'Bearer \tabc']],
    ['a key and another scheme', [...key, 'Authorization', 'Basic abc']],
    ['a key of the query', ['Api_Key', 'abc']],
  ])('are declined with %s', (_case, headers) => {
    expect(read(headers)).toBeUndefined();
  });
  test.each([
    '',
    'epoch',
    'epoch.',
    'epoch.01',
    'epoch.-1',
    '.5',
    'a.b.1',
    'epoch.1 ',
    ' epoch.1',
    'epoch.1234567890123456',
  ])('are declined with an event cursor that is not canonical: %j', (cursor) => {
    expect(read([...key, 'X-Event-Cursor', cursor])).toBeUndefined();
  });
  test.each(['epoch.0', 'a-b_C9.123456789012345', `${'e'.repeat(32)}.1`])('have the event cursor %s', (cursor) => {
    expect(read([...key, 'X-Event-Cursor', cursor])).toBeDefined();
  });
  test('are declined with an event cursor whose first part is too long', () => {
    expect(read([...key, 'X-Event-Cursor', `${'e'.repeat(33)}.1`])).toBeUndefined();
  });
});

test('a bearer token is read only where the API keys authenticate it', () => {
  const { bearer, key } = securitySchemes;
  const token = ['Authorization', 'Bearer abc'];
  expect(headerReader({ bearer })(token)?.credential.value).toBe('abc');
  expect(headerReader({ key })(token)).toBeUndefined();
  const oauth = { type: 'oauth2', flows: {} };
  const takes = (kind: string): Authenticator => ({
    accepts: ({ type }) => type === kind,
    authenticate: () => undefined,
  });
  expect(headerReader({ bearer, oauth }, [takes('oauth2')])(token)).toBeUndefined();
  const keys = headerReader({ bearer, key, oauth }, [takes('oauth2')]);
  expect(keys(['X-Api-Key', 'abc'])?.credential.value).toBe('abc');
  expect(headerReader({ key }, [takes('apiKey')])(['X-Api-Key', 'abc'])).toBeUndefined();
});
