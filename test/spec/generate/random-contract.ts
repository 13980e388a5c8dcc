/** Random legal contracts in OpenAPI 3.1, each with the values that its parameters and bodies are called with. */
import fc from '../../support/property.ts';
import { bodies, casesOf, type Case } from '../../support/wire-values.ts';

export type Json = Record<string, unknown>;

/** What a call of an operation carries beside the values that its schemas describe. */
export interface CallValues {
  /** By place and name. */
  readonly parameters: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** The body, where it is no JSON. */
  readonly body: fc.Arbitrary<unknown> | undefined;
}
export interface RandomContract {
  readonly document: Json;
  /** By method and path. */
  readonly values: ReadonlyMap<string, CallValues>;
}

/** Names that are words of JavaScript, members of every object, or need quotes. */
const oddNames = [
  ...[
    'default',
    'class',
    'a-b',
    '$x',
    'größe',
    '名前',
    '1',
    '0x',
    'constructor',
    '__proto__',
    'toString',
    'then',
    'body',
  ],
  ...['id', 'name', 'value', 'a.b', 'x_y', 'Type', 'items', 'length', 'hasOwnProperty', 'await', 'path', 'query'],
];
/** Names that only members of objects can have. */
const memberNames = [
  ...oddNames,
  '',
  ' ',
  'a b',
  "it's",
  'a"b',
  'a/b',
  'a~b',
  '*/',
  '${x}',
  '\\',
  '\n',
  '#',
  '%41',
  'a[0]',
];
const textOf = fc.constantFrom(
  'A text.',
  'With */ and `code` and ${this}.',
  'It\'s "quoted" \\ odd.',
  'Two\nlines.',
  '',
);

/** The names of the components, which the schemas refer to. */
const components = [
  'Thing',
  'a-b',
  'class',
  'constructor',
  'Tree',
  'Left',
  'Right',
  'Cat',
  'Dog',
  'Pet',
  'Account',
  'x.y',
  'Record',
  '1st',
  'Local',
];
const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const limited = (low: string, high: string): fc.Arbitrary<Json> =>
  fc.tuple(fc.nat(3), fc.nat(5)).map(([from, more]) => ({ [low]: from, [high]: from + more }));
const strings = fc.oneof(
  fc.constant({ type: 'string' }),
  limited('minLength', 'maxLength').map((bounds) => ({ type: 'string', ...bounds })),
  fc.constantFrom(
    ...['date', 'date-time', 'uuid', 'email', 'uri', 'ipv4', 'time', 'byte', 'password', 'unknown'].map((format) => ({
      type: 'string',
      format,
    })),
    ...['^[a-z]{1,4}$', '^\\d+$', 'x', '^[^/]+$', '^\\p{L}+$'].map((pattern) => ({ type: 'string', pattern })),
    { type: 'string', enum: ['a', 'b c', "it's", ''] },
    { type: ['string', 'null'] },
    { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
    { type: ['string', 'integer'] },
  ),
);
const numbers = fc.constantFrom(
  ...[
    { type: 'integer' },
    { type: 'number' },
    { type: 'integer', format: 'int64' },
    { type: 'number', format: 'float' },
  ],
  ...[
    { type: 'integer', minimum: 0, maximum: 9 },
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  ],
  ...[{ type: 'number', multipleOf: 0.01 }, { type: 'integer', multipleOf: 5 }, { type: ['integer', 'null'] }],
  ...[{ enum: [1, 2, 3] }, { type: 'integer', default: 3 }, { type: 'number', minimum: -1.5 }],
);
const constants = fc
  .constantFrom<unknown>(null, 1, -0.5, true, false, '', 'x', [], [1, 'a', null], {}, { a: { b: [1] } })
  .chain((value) => fc.constantFrom<Json>({ const: value }, { enum: [value] }, { enum: [value, 'other', 7] }));
const plain = fc.oneof(
  strings,
  numbers,
  constants,
  fc.constantFrom<Json>(
    { type: 'boolean' },
    { type: 'null' },
    {},
    { description: 'Any.' },
    { type: ['boolean', 'null'] },
  ),
);

/** Objects by name, so that names such as `__proto__` are own members. */
const objectFrom = (entries: readonly (readonly [string, unknown])[]): Json => Object.fromEntries(entries);

function objects(inner: fc.Arbitrary<unknown>): fc.Arbitrary<Json> {
  const directions = fc.constantFrom({}, {}, {}, { readOnly: true }, { writeOnly: true }, { deprecated: true });
  const property = fc
    .tuple(fc.constantFrom(...memberNames), inner, directions)
    .map(([name, schema, more]) => [name, typeof schema === 'object' ? { ...schema, ...more } : schema] as const);
  const properties = fc.uniqueArray(property, { maxLength: 4, selector: ([name]) => name });
  const others = fc.oneof(
    fc.constant({}),
    fc.constantFrom<Json>({ additionalProperties: false }, { additionalProperties: true }, { minProperties: 1 }),
    fc.constantFrom<Json>({ propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: { type: 'integer' } }),
    inner.map((schema) => ({ additionalProperties: schema })),
    inner.map((schema) => ({ patternProperties: { '^x-': schema }, additionalProperties: false })),
  );
  return fc
    .record({ properties, others, isTyped: fc.boolean(), description: textOf })
    .chain(({ properties: own, others: more, isTyped, description }) =>
      fc.subarray(own.map(([name]) => name)).map((required): Json => {
        // The names of all members must match.
        const kept = 'propertyNames' in more ? [] : own;
        return {
          ...(isTyped || kept.length === 0 ? { type: 'object' } : {}),
          ...(description === '' ? {} : { description }),
          ...(kept.length === 0 ? {} : { properties: objectFrom(kept) }),
          ...(kept.length === 0 || required.length === 0 ? {} : { required }),
          ...more,
        };
      }),
    );
}

const lists = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<Json> =>
  fc.oneof(
    inner.map((items) => ({ type: 'array', items })),
    fc.tuple(inner, limited('minItems', 'maxItems')).map(([items, bounds]) => ({ type: 'array', items, ...bounds })),
    fc.tuple(inner, inner).map((prefixItems) => ({ type: 'array', prefixItems })),
    fc.tuple(inner, inner).map((prefixItems) => ({ type: 'array', prefixItems, items: false, minItems: 2 })),
    fc.tuple(inner, inner).map(([first, items]) => ({ type: 'array', prefixItems: [first], items, minItems: 1 })),
    fc.constant({ type: 'array', items: { type: 'integer' }, uniqueItems: true }),
    fc.constant({ type: 'array', contains: { const: 1 }, items: { type: 'integer' } }),
    fc.constant({ type: 'array' }),
  );

const compound = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.array(inner, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    inner.map((schema) => ({ allOf: [schema] })),
    fc.constantFrom(...components).map((name) => ({ allOf: [reference(name)] })),
    fc.constantFrom<Json>(
      { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'object', required: ['a'] }] },
      { oneOf: [{ type: 'null' }, reference('Thing')] },
      {
        allOf: [
          reference('Thing'),
          { type: 'object', properties: { extra: { type: 'integer' } }, required: ['extra'] },
        ],
      },
      { allOf: [reference('Thing')], properties: { more: {} }, unevaluatedProperties: false },
      { type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, not: { required: ['b'] } },
      { not: { type: ['string', 'null'] } },
      { type: 'string', not: { const: 'no' } },
      {
        type: 'object',
        properties: { kind: { enum: ['a', 'b'] }, n: { type: 'integer' } },
        required: ['kind'],
        if: { properties: { kind: { const: 'a' } } },
        then: { required: ['n'] },
        else: { properties: { n: { maximum: 0 } } },
      },
      { if: { type: 'string' }, then: { minLength: 1 } },
      { $ref: '#/components/schemas/Local/$defs/inner' },
      { type: 'object', $defs: { unused: { type: 'string' } }, properties: { a: { type: 'string' } } },
      { type: 'object', dependentRequired: { a: ['b'] }, properties: { a: {}, b: {} } },
      { type: 'object', dependentSchemas: { a: { required: ['b'] } }, properties: { a: {}, b: {} } },
      { ...reference('Thing'), description: 'Another text.', deprecated: true },
    ),
  );

const deeper = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: plain },
    { weight: 3, arbitrary: objects(inner) },
    { weight: 2, arbitrary: lists(inner) },
    { weight: 2, arbitrary: compound(inner) },
    { weight: 2, arbitrary: fc.constantFrom(...components).map(reference) },
    { weight: 1, arbitrary: fc.constant(true) },
  );
const schemas: fc.Arbitrary<Json> = deeper(deeper(plain))
  .filter((schema): schema is Json => typeof schema === 'object')
  .chain((schema) =>
    fc.constantFrom<Json>({}, {}, { title: 'A title' }, { 'x-note': [1] }).map((more) => ({ ...more, ...schema })),
  );

const pet = (kind: string, member: string): Json => ({
  type: 'object',
  required: ['kind', member],
  properties: { kind: { type: 'string', const: kind }, [member]: { type: 'integer' } },
});
const sharedSchemas = fc
  .tuple(objects(plain), objects(plain), schemas, schemas, objects(plain))
  .map(([thing, dashed, keyword, dotted, account]): Json => ({
    Thing: { type: 'object', ...thing, additionalProperties: true },
    'a-b': dashed,
    class: { anyOf: [{ type: 'integer' }, withoutReferences(keyword)] },
    constructor: { type: 'string', minLength: 1 },
    Tree: {
      type: 'object',
      required: ['label', 'branches'],
      properties: { label: { type: 'string' }, branches: { type: 'array', items: reference('Tree') } },
      additionalProperties: false,
    },
    Left: { type: 'object', properties: { right: reference('Right') } },
    Right: { anyOf: [{ type: 'null' }, reference('Left')] },
    Cat: pet('cat', 'lives'),
    Dog: pet('dog', 'barks'),
    Pet: {
      oneOf: [reference('Cat'), reference('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    },
    Account: {
      type: 'object',
      required: ['id', 'name', 'secret'],
      properties: {
        ...(account.properties as Json | undefined),
        id: { type: 'integer', readOnly: true },
        name: { type: 'string' },
        secret: { type: 'string', writeOnly: true },
        friends: { type: 'array', items: reference('Account') },
      },
    },
    'x.y': withoutReferences(dotted),
    Record: { type: 'object', additionalProperties: reference('constructor') },
    '1st': { type: 'array', items: reference('Pet') },
    Local: {
      type: 'object',
      $defs: { inner: { type: ['integer', 'null'] } },
      properties: { a: { $ref: '#/components/schemas/Local/$defs/inner' } },
    },
  }));

/** A schema without references, so that no value has to contain itself. */
const withoutReferences = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema, (_, value: unknown) =>
      typeof value === 'object' && value !== null && '$ref' in value ? {} : value,
    ),
  );

/** The media types of responses, beside JSON. */
const otherContent = fc.constantFrom<Json>(
  { 'text/csv': { schema: { type: 'string' } } },
  { 'text/plain': {} },
  { 'image/png': {} },
  { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  { 'application/xml': { schema: { type: 'object', properties: { a: { type: 'string' } } } } },
);
const content = fc.oneof(
  { weight: 5, arbitrary: schemas.map((schema): Json => ({ 'application/json': { schema } })) },
  { weight: 1, arbitrary: schemas.map((schema): Json => ({ 'application/vnd.a+json': { schema } })) },
  { weight: 1, arbitrary: schemas.map((schema): Json => ({ 'application/x-ndjson': { schema } })) },
  { weight: 1, arbitrary: schemas.map((schema): Json => ({ 'text/event-stream': { schema } })) },
  { weight: 2, arbitrary: otherContent },
  {
    weight: 1,
    arbitrary: fc
      .tuple(schemas, otherContent)
      .map(([schema, other]): Json => ({ ...other, 'application/json': { schema } })),
  },
  { weight: 1, arbitrary: fc.constant<Json>({ 'application/json': {} }) },
);
const headers = fc.constantFrom<Json>(
  {},
  {},
  { Location: { required: true, schema: { type: 'string', pattern: '^/[a-z]+$' } } },
  {
    'X-Count': { schema: { type: 'integer' } },
    'X-Tags': { schema: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } } },
  },
  {
    'X-Any': {
      required: true,
      content: { 'application/json': { schema: { type: 'object', properties: { a: { type: 'integer' } } } } },
    },
  },
);
const withContent = fc.tuple(content, headers, textOf).map(([inner, own, description]): Json => ({
  description,
  content: inner,
  ...(Object.keys(own).length > 0 && { headers: own }),
}));
const empty = headers.map((own): Json => ({ description: 'Done.', headers: own }));
const success = fc.oneof(
  { weight: 4, arbitrary: withContent.map((response): Json => ({ 200: response })) },
  { weight: 1, arbitrary: withContent.map((response): Json => ({ 201: response })) },
  {
    weight: 1,
    arbitrary: fc.tuple(withContent, empty).map(([response, none]): Json => ({ 200: response, 204: none })),
  },
  { weight: 1, arbitrary: fc.tuple(withContent, withContent).map(([one, other]): Json => ({ 201: one, 202: other })) },
  { weight: 1, arbitrary: empty.map((response): Json => ({ 202: response })) },
  { weight: 1, arbitrary: empty.map((response): Json => ({ 204: response })) },
  { weight: 1, arbitrary: withContent.map((response): Json => ({ '2XX': response })) },
  { weight: 1, arbitrary: withContent.map((response): Json => ({ default: response })) },
);
const errorSchemas: readonly Json[] = [
  { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  { type: 'object', required: ['message'], properties: { code: { type: 'integer' }, message: { type: 'string' } } },
  {
    type: 'object',
    properties: { title: { type: 'string' }, status: { type: 'integer' }, detail: { type: 'string' } },
  },
];
const failures = fc
  .tuple(
    fc.constantFrom(...errorSchemas),
    fc.constantFrom('application/json', 'application/problem+json'),
    fc.constantFrom('each', '4XX', 'default', 'none'),
  )
  .map(([schema, type, names]): Json => {
    const response = { description: 'It failed.', content: { [type]: { schema } } };
    if (names === 'none') return {};
    const statuses = ['400', '401', '403', '404', '409', '413', '415', '429', '500', '503'];
    return Object.fromEntries((names === 'each' ? statuses : [names]).map((status) => [status, response]));
  });

interface RandomParameter {
  readonly name: string;
  readonly given: Case;
  readonly more: Json;
}
/** The parameter of a case; a style that the server refuses is another one. */
const isCarried = ({ place, described }: Case): boolean => {
  const { style, explode, schema } = described as { style?: string; explode?: boolean; schema?: Json };
  if (schema === undefined) return true;
  const types = JSON.stringify(schema);
  const isObject = types.includes('"properties"') || types.includes('"additionalProperties"');
  const isStructured = isObject || types.includes('"array"');
  if (style === 'deepObject') return explode === true && isObject;
  if (style?.endsWith('Delimited')) return isStructured && explode === false;
  return !(place === 'cookie' && explode === true && isStructured);
};
const cookieName = /^[\w$.-]+$/;
const headerName = /^(?!__proto__$)[\w$.-]+$/;
const parameter = fc
  .tuple(fc.constantFrom('query', 'query', 'header', 'cookie'), fc.constantFrom(...oddNames))
  .filter(([place, name]) => place === 'query' || (place === 'header' ? headerName : cookieName).test(name))
  .chain(([place, name]) =>
    fc.record({
      name: fc.constant(name),
      given: fc.constantFrom(...casesOf(place as Case['place'], name).filter(isCarried)),
      more: fc.constantFrom<Json>({}, { required: true }, { deprecated: true }, { description: 'Odd */ text.' }),
    }),
  );
const pathParameter = fc.constantFrom(...oddNames.filter((name) => name !== '__proto__')).chain((name) =>
  fc.record({
    name: fc.constant(name),
    given: fc.constantFrom(...casesOf('path', name)),
    more: fc.constant<Json>({}),
  }),
);

interface RandomOperation {
  readonly operation: Json;
  readonly method: string;
  readonly inPath: readonly RandomParameter[];
  readonly values: CallValues;
}
const requestBodies = fc.oneof(
  {
    weight: 3,
    arbitrary: schemas.map((schema) => ({
      content: { 'application/json': { schema } } as Json,
      value: undefined,
      isWhole: false,
    })),
  },
  {
    weight: 1,
    arbitrary: objects(plain).map((schema) => ({
      content: { 'application/json': { schema } } as Json,
      value: undefined,
      isWhole: false,
    })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('form', 'styled', 'multipart', 'bytes', 'image', 'csv', 'xml', 'patch').map((name) => ({
      content: bodies[name]!.content as Json,
      value: bodies[name]!.given,
      isWhole: bodies[name]!.isWhole === true,
    })),
  },
);

/** Ids and tags are unique where they stand in one document. */
const operations = fc
  .record({
    method: fc.constantFrom('get', 'get', 'post', 'put', 'patch', 'delete'),
    inPath: fc.uniqueArray(pathParameter, { maxLength: 2, selector: ({ name }) => name }),
    parameters: fc.uniqueArray(parameter, {
      maxLength: 4,
      selector: ({ name, given }) => `${given.place} ${name.toLowerCase()}`,
    }),
    body: fc.option(requestBodies, { nil: undefined }),
    isBodyRequired: fc.boolean(),
    success,
    failures,
    id: fc.option(fc.constantFrom(...oddNames), { nil: undefined }),
    tag: fc.option(fc.constantFrom(...oddNames), { nil: undefined }),
    security: fc.constantFrom<Json>({}, {}, { security: [] }),
    texts: fc.record({ summary: textOf, description: textOf }, { requiredKeys: [] }),
  })
  .map((given): RandomOperation & { id: string | undefined } => {
    const { method, inPath, parameters, id, tag, security, texts } = given;
    const body = method === 'get' || method === 'delete' ? undefined : given.body;
    const all = [...inPath, ...parameters];
    return {
      ...{ method, inPath, id },
      operation: {
        ...texts,
        ...(tag !== undefined && { tags: [tag] }),
        ...(all.length > 0 && { parameters: all.map(({ given: { described }, more }) => ({ ...described, ...more })) }),
        ...(body !== undefined && { requestBody: { required: given.isBodyRequired, content: body.content } }),
        ...security,
        responses: { ...given.failures, ...given.success },
      },
      values: {
        parameters: Object.fromEntries(all.map(({ name, given: { place, value } }) => [`${place} ${name}`, value])),
        body: body?.value?.map((value) => (body.isWhole ? (value as { body: unknown }).body : value)),
      },
    };
  });

const security = fc.constantFrom<Json>(
  {},
  { security: [{ key: [] }], schemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  { security: [{ key: [] }], schemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
  { security: [{ token: [] }], schemes: { token: { type: 'http', scheme: 'bearer' } } },
  {
    security: [{ token: [] }, { key: [] }],
    schemes: { token: { type: 'http', scheme: 'bearer' }, key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
  { security: [{}, { token: [] }], schemes: { token: { type: 'http', scheme: 'bearer' } } },
);

/** A whole contract. */
export const contracts: fc.Arbitrary<RandomContract> = fc
  .record({
    list: fc.array(operations, { minLength: 1, maxLength: 8 }),
    schemas: sharedSchemas,
    security,
    hasComponents: fc.boolean(),
  })
  .map(({ list, schemas: shared, security: { schemes, ...demanded } }) => {
    const paths: Record<string, Json> = {};
    const values = new Map<string, CallValues>();
    const ids = new Set<string>();
    for (const [index, { operation, method, inPath, id, values: own }] of list.entries()) {
      const path = [`/p${index}`, ...inPath.map(({ name }) => `{${name}}`)].join('/');
      const isNew = id !== undefined && !ids.has(id);
      if (isNew) ids.add(id);
      paths[path] = { [method]: { ...(isNew && { operationId: id }), ...operation } };
      values.set(`${method} ${path}`, own);
    }
    const document = {
      openapi: '3.1.0',
      info: { title: 'Random', version: '1.0.0' },
      servers: [{ url: '/' }],
      ...demanded,
      paths,
      components: { schemas: shared, ...(schemes !== undefined && { securitySchemes: schemes }) },
    };
    return { document, values };
  });
