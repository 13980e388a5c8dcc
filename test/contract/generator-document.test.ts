import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import generated from '../../generated/openapi.generators.json' with { type: 'json' };
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Fault } from '../../scripts/contract-tools/files/fault.ts';
import { redoclyFaults } from '../../scripts/spec/lint/redocly.ts';
import { generatorDocument } from '../../server/contract/generator-document.ts';
import { withoutCsvOfLists } from '../../server/contract/item-columns.ts';

/** What Redocly finds wrong with a document by the rules of its own version of OpenAPI alone. */
async function structureFaults(document: object): Promise<Fault[]> {
  const folder = await mkdtemp(join(tmpdir(), 'generators-'));
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const rules = { struct: 'error', 'no-unresolved-refs': 'error', 'spec-components-invalid-map-name': 'error' };
    await writeFile(join(folder, 'redocly.yaml'), JSON.stringify({ rules }));
    return await redoclyFaults(folder, ['openapi.json'], 'redocly.yaml');
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Operations = Record<string, Record<string, { operationId: string; security: unknown }>>;
const operationsOf = (document: { paths: object }) =>
  Object.values(document.paths as Operations).flatMap((item) => Object.values(item));

/** The names of the schemas that a part of a document refers to. */
const namesIn = (part: unknown): Set<string> =>
  new Set(Array.from(JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name]) => name!));

describe('the document for code generators', () => {
  test('is valid OpenAPI 3.0', async () => {
    expect(generated.openapi).toBe('3.0.3');
    expect(await structureFaults(generated)).toEqual([]);
  });
  test('has every operation of the contract, each with the key in a header as the only security scheme', () => {
    expect(operationsOf(generated).map(({ operationId }) => operationId)).toEqual(
      operationsOf(contract).map(({ operationId }) => operationId),
    );
    expect(Object.keys(generated.components.securitySchemes)).toEqual(['apiKeyHeader']);
    for (const { security } of operationsOf(generated)) expect(security).toEqual([{ apiKeyHeader: [] }]);
    expect(generated.security).toEqual([{ apiKeyHeader: [] }]);
  });
  test('has every schema of a request or a response, and no other one', () => {
    const own = Object.keys(generated.components.schemas);
    // OpenAPI 3.0 has no webhooks, so the schemas of their bodies are left out.
    // Generated clients read lists as JSON.
    const { paths } = withoutCsvOfLists(contract);
    const used = namesIn([paths, contract.components.parameters, contract.components.responses]);
    const schemas: Record<string, unknown> = contract.components.schemas;
    for (const name of used) for (const each of namesIn(schemas[name])) used.add(each);
    expect(own).toEqual(Object.keys(schemas).filter((name) => used.has(name)));
  });
  test('keeps formats and bounds, and converts null to `nullable`', () => {
    const { schemas } = generated.components;
    expect(schemas.Count).toMatchObject({ type: 'integer', format: 'int64', minimum: 0 });
    expect(schemas.NextCursor).toMatchObject({ type: 'string', nullable: true });
    expect(schemas.Tweet.properties.quoted_tweet).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/Tweet' }],
      nullable: true,
    });
    expect(schemas.TweetPage.properties.tweets.maxItems).toBe(100);
  });
});

describe('converts the differences between OpenAPI 3.1 and 3.0:', () => {
  const schemaOf = (schema: unknown, components: object = {}): unknown => {
    const content = { 'application/json': { schema } };
    const document = generatorDocument({
      paths: { '/a': { get: { responses: { 200: { description: '', content } } } } },
      components: {
        schemas: {
          A: { type: 'string', $defs: { B: { type: 'integer' }, 'C/~ D': { type: 'boolean' } } },
          ...components,
        },
      },
    }) as { paths: { '/a': { get: { responses: { 200: { content: typeof content } } } } } };
    return document.paths['/a'].get.responses[200].content['application/json'].schema;
  };
  const $ref = '#/components/schemas/A';
  test.each<[string, unknown, unknown]>([
    ['a schema that is true', true, {}],
    ['a schema that is false', false, { not: {} }],
    ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    ['null alone', { type: 'null' }, { enum: [null], nullable: true }],
    [
      'several types',
      { type: ['string', 'array', 'null'] },
      { nullable: true, anyOf: [{ type: 'string' }, { type: 'array', items: {} }] },
    ],
    ['a constant', { type: 'integer', const: 1 }, { type: 'integer', enum: [1] }],
    ['a constant null', { const: null }, { enum: [null], nullable: true }],
    ['values with null', { enum: ['a', null] }, { enum: ['a', null], nullable: true }],
    ['values without a type', { enum: ['a'] }, { enum: ['a'] }],
    ['values of several types', { type: ['string', 'integer'], enum: ['a', 1] }, { enum: ['a', 1] }],
    ['values that are no list', { type: 'string', enum: 'a' }, { type: 'string' }],
    ['null in values of a type', { type: 'string', enum: ['a', null] }, { type: 'string', enum: ['a', null] }],
    ['a type that is no text', { type: 5 }, {}],
    [
      'keywords that are the same',
      {
        title: 'A',
        format: 'f',
        pattern: 'a',
        maxLength: 1,
        required: ['a'],
        'x-own': { type: ['a'] },
        deprecated: true,
      },
      {
        title: 'A',
        format: 'f',
        pattern: 'a',
        maxLength: 1,
        required: ['a'],
        'x-own': { type: ['a'] },
        deprecated: true,
      },
    ],
    [
      'bounds that are the same',
      { minimum: 2, exclusiveMinimum: 2, maximum: 9, exclusiveMaximum: 9 },
      { minimum: 2, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    ],
    ['a tighter upper bound', { maximum: 8, exclusiveMaximum: 9 }, { maximum: 8 }],
    ['bounds of version 3.0', { minimum: 1, exclusiveMinimum: true }, { minimum: 1 }],
    ['an example beside examples', { example: 'a', examples: ['b'] }, { example: 'a' }],
    ['no examples', { examples: [] }, {}],
    ['bytes with a format', { contentEncoding: 'base64', format: 'own' }, { format: 'own' }],
    ['another encoding', { contentEncoding: 'base32' }, {}],
    [
      'members',
      { properties: { a: { type: ['string', 'null'] } }, additionalProperties: { type: 'null' } },
      { properties: { a: { type: 'string', nullable: true } }, additionalProperties: { enum: [null], nullable: true } },
    ],
    ['members that are no object', { properties: [] }, {}],
    ['additional members or none', { additionalProperties: true }, { additionalProperties: true }],
    ['items', { type: 'array', items: { const: 1 } }, { type: 'array', items: { enum: [1] } }],
    ['a list of anything', { type: 'array' }, { type: 'array', items: {} }],
    ['items without a type', { items: { const: 1 } }, {}],
    ['no items without a type', { items: false }, { maxItems: 0 }],
    ['what is not allowed', { not: { const: 1 } }, { not: { enum: [1] } }],
    ['all of several', { allOf: [{ const: 1 }, true] }, { allOf: [{ enum: [1] }, {}] }],
    ['any of several', { anyOf: [{ const: 1 }, { type: 'string' }] }, { anyOf: [{ enum: [1] }, { type: 'string' }] }],
    ['one of one', { oneOf: [{ $ref }] }, { oneOf: [{ $ref }] }],
    ['one of nothing but null', { oneOf: [{ type: 'null' }] }, { enum: [null], nullable: true }],
    [
      'a reference or null beside others',
      { allOf: [{ const: 1 }], anyOf: [{ $ref }, { type: 'null' }] },
      { allOf: [{ enum: [1] }], anyOf: [{ $ref }], nullable: true },
    ],
    [
      'several types beside alternatives',
      { type: ['string', 'integer'], anyOf: [{ minimum: 1 }] },
      { anyOf: [{ minimum: 1 }] },
    ],
    [
      'required members that the schema does not describe',
      { required: ['a', 'b'], properties: { b: { $ref } } },
      { required: ['a', 'b'], properties: { b: { $ref } } },
    ],
    [
      'only members that can be null',
      { required: ['a'], properties: { a: { anyOf: [{ $ref }, { type: 'null' }] } } },
      { properties: { a: { allOf: [{ $ref }], nullable: true } } },
    ],
    [
      'keywords beside a reference with parts',
      { $ref, allOf: [{ const: 1 }], minLength: 1 },
      { minLength: 1, allOf: [{ $ref }, { enum: [1] }] },
    ],
    ['a reference to another document', { $ref: 'other.yaml#/A' }, { $ref: 'other.yaml#/A' }],
    ['a reference with escapes', { $ref: `${$ref}/$defs/C~1~0%20D` }, { type: 'boolean' }],
    ['a reference to a member of each object', { $ref: `${$ref}/$defs/constructor` }, {}],
    [
      'an exclusive bound',
      { type: 'number', minimum: 1, exclusiveMinimum: 2, exclusiveMaximum: 9 },
      { type: 'number', minimum: 2, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    ],
    [
      'an exclusive bound beside a tighter one',
      { type: 'number', minimum: 3, exclusiveMinimum: 2 },
      { type: 'number', minimum: 3 },
    ],
    ['a reference or null', { anyOf: [{ $ref }, { type: 'null' }] }, { allOf: [{ $ref }], nullable: true }],
    [
      'a member that is a reference or null, and required',
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { anyOf: [{ $ref }, { type: 'null' }] }, b: { type: ['string', 'null'] } },
      },
      {
        type: 'object',
        required: ['b'],
        properties: { a: { allOf: [{ $ref }], nullable: true }, b: { type: 'string', nullable: true } },
      },
    ],
    [
      'one of several, or null',
      { oneOf: [{ $ref }, { type: 'integer' }, { type: 'null' }] },
      { oneOf: [{ $ref }, { type: 'integer' }], nullable: true },
    ],
    ['keywords beside a reference', { $ref, description: 'An A.' }, { allOf: [{ $ref }], description: 'An A.' }],
    ['a reference into a component', { $ref: `${$ref}/$defs/B` }, { type: 'integer' }],
    ['a reference to nothing', { $ref: `${$ref}/$defs/C` }, {}],
    [
      'a reference to itself from within',
      { $ref: '#/paths/~1a/get/responses/200/content/application~1json/schema' },
      {},
    ],
    ['examples', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
    ['bytes', { type: 'string', contentEncoding: 'base64' }, { type: 'string', format: 'byte' }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, { type: 'array', items: {} }],
    ['a list of nothing', { type: 'array', items: false }, { type: 'array', items: {}, maxItems: 0 }],
    [
      'members by pattern',
      { type: 'object', patternProperties: { '^x': {} }, additionalProperties: false },
      { type: 'object' },
    ],
    [
      'keywords that are new',
      { type: 'object', if: {}, then: {}, dependentRequired: {}, propertyNames: {}, unevaluatedProperties: false },
      { type: 'object' },
    ],
  ])('%s', (_name, schema, expected) => expect(schemaOf(schema)).toEqual(expected));

  test('a referenced path item is inlined, and an operation without a scope stays without one', () => {
    const item = { get: { security: [{}, { bearer: ['read'] }], responses: {} }, post: { security: [] } };
    expect(
      generatorDocument({
        openapi: '3.1.0',
        info: { title: 'A', version: '1', summary: 'S', license: { name: 'MIT', identifier: 'MIT' } },
        paths: { '/a': { $ref: '#/components/pathItems/A' } },
        webhooks: { delivered: {} },
        components: { pathItems: { A: item }, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      }),
    ).toEqual({
      openapi: '3.0.3',
      info: { title: 'A', version: '1', license: { name: 'MIT' } },
      paths: {
        '/a': {
          get: { security: [{ bearer: [] }, {}], responses: {} },
          post: { security: [], responses: { default: { description: '' } } },
        },
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
  });
});

describe('converts each part of the document:', () => {
  const nullable = { type: ['string', 'null'] };
  const converted = { type: 'string', nullable: true };
  const content = (schema: unknown): object => ({ 'application/json': { schema } });
  const refTo = (section: string, more: object = {}): object => ({ $ref: `#/components/${section}/A`, ...more });
  /** The converted operation. */
  const operationOf = (operation: object, document: object = {}): unknown => {
    const { paths } = generatorDocument({ paths: { '/a': { get: operation } }, ...document }) as {
      paths: { '/a': { get: { responses: unknown } } };
    };
    return paths['/a'].get;
  };
  const none = { responses: { default: { description: '' } } };

  test.each<[string, object, object]>([
    [
      'parameters',
      { parameters: [refTo('parameters', { description: 'new' }), { name: 'a', in: 'query', schema: nullable }, 5] },
      { parameters: [refTo('parameters'), { name: 'a', in: 'query', schema: converted }, 5] },
    ],
    ['parameters that are no list', { parameters: {} }, { parameters: [] }],
    [
      'a parameter with a media type',
      { parameters: [{ content: content(nullable) }] },
      { parameters: [{ content: content(converted) }] },
    ],
    [
      'examples of a parameter',
      { parameters: [{ examples: { one: refTo('examples', { summary: 'new' }), two: { value: 1 } } }] },
      { parameters: [{ examples: { one: refTo('examples'), two: { value: 1 } } }] },
    ],
    [
      'a body',
      { requestBody: { required: true, content: content(nullable) } },
      { requestBody: { required: true, content: content(converted) } },
    ],
    [
      'a named body',
      { requestBody: refTo('requestBodies', { description: 'new' }) },
      { requestBody: refTo('requestBodies') },
    ],
    [
      'the encoding of a form',
      {
        requestBody: {
          content: { 'multipart/form-data': { encoding: { a: { headers: { 'X-A': { schema: nullable } } }, b: 5 } } },
        },
      },
      {
        requestBody: {
          content: { 'multipart/form-data': { encoding: { a: { headers: { 'X-A': { schema: converted } } }, b: 5 } } },
        },
      },
    ],
    [
      'a media type that is no object',
      { requestBody: { content: { 'text/csv': true } } },
      { requestBody: { content: { 'text/csv': {} } } },
    ],
  ])('%s', (_case, operation, expected) => {
    expect(operationOf(operation)).toStrictEqual({ ...expected, ...none });
  });

  test('responses', () => {
    const response = {
      description: 'A.',
      headers: { 'X-A': { schema: nullable }, 'X-B': refTo('headers', { description: 'new' }) },
      content: content(nullable),
      links: { one: { operationId: 'a' }, two: refTo('links', { description: 'new' }) },
    };
    expect(
      operationOf({ responses: { 200: response, 404: refTo('responses', { description: 'new' }), 'x-a': 1 } }),
    ).toEqual({
      responses: {
        200: {
          description: 'A.',
          headers: { 'X-A': { schema: converted }, 'X-B': refTo('headers') },
          content: content(converted),
          links: { one: { operationId: 'a' }, two: refTo('links') },
        },
        404: refTo('responses'),
        'x-a': 1,
      },
    });
  });

  test('callbacks', () => {
    const operation = {
      callbacks: {
        named: refTo('callbacks', { description: 'new' }),
        own: { '{$url}': { post: { requestBody: { content: content(nullable) } } }, 'x-a': { post: 1 } },
      },
    };
    expect(operationOf(operation)).toEqual({
      callbacks: {
        named: refTo('callbacks'),
        own: { '{$url}': { post: { requestBody: { content: content(converted) }, ...none } }, 'x-a': { post: 1 } },
      },
      ...none,
    });
  });

  test('paths, with what all their operations share', () => {
    const { paths } = generatorDocument({
      paths: {
        '/a': { summary: 'A.', parameters: [{ schema: nullable }], trace: {}, get: 5, 'x-a': { get: {} }, servers: [] },
        '/other': { $ref: 'other.yaml#/a', get: {} },
        '/loop': { $ref: '#/paths/~1loop', get: {} },
        '/named': { $ref: '#/components/pathItems/a~1b', summary: 'own' },
        '/none': { $ref: '#/components/pathItems/none', get: {} },
        '/wrong': 5,
        'x-paths': { get: 5 },
      },
      components: { pathItems: { 'a/b': { summary: 'named', put: {} } } },
    });
    expect(paths).toEqual({
      '/a': {
        summary: 'A.',
        parameters: [{ schema: converted }],
        trace: none,
        get: none,
        'x-a': { get: {} },
        servers: [],
      },
      '/other': { get: none },
      '/loop': { get: none },
      '/named': { summary: 'own', put: none },
      '/none': { get: none },
      '/wrong': {},
      'x-paths': { get: 5 },
    });
  });

  test('the components that are used, in their order', () => {
    const part = { schema: nullable };
    const components = {
      links: { A: { operationId: 'a' }, B: {} },
      schemas: {
        Unused: {},
        B: {
          type: 'object',
          properties: { c: { $ref: '#/components/schemas/Child' }, a: { $ref: '#/components/schemas/A' } },
        },
        Child: { $ref: '#/components/schemas/B' },
        A: { ...nullable, default: '#/components/schemas/Unused' },
      },
      responses: {
        A: {
          headers: { 'X-A': part },
          content: content({ $ref: '#/components/schemas/B/properties/c' }),
          links: { a: refTo('links') },
        },
      },
      parameters: { A: part, B: part },
      headers: { A: part },
      requestBodies: { A: { content: content(nullable) } },
      callbacks: { A: { '{$url}': { post: {} } } },
      examples: { A: { value: 1 } },
      pathItems: { A: {} },
      'x-own': { A: {} },
    };
    const operation = {
      parameters: [refTo('parameters'), { examples: { a: refTo('examples') } }],
      requestBody: refTo('requestBodies'),
      responses: { 200: refTo('responses'), 201: { headers: { 'X-A': refTo('headers') } } },
      callbacks: { a: refTo('callbacks') },
      'x-a': [
        refTo('x-own'),
        refTo('pathItems'),
        refTo('none'),
        { $ref: '#/components/schemas/none' },
        { $ref: 5 },
        refTo('parameters'),
      ],
    };
    const document = generatorDocument({ paths: { '/a': { get: operation } }, components });
    expect(document['components']).toEqual({
      links: { A: { operationId: 'a' } },
      schemas: {
        B: {
          type: 'object',
          properties: { c: { $ref: '#/components/schemas/Child' }, a: { $ref: '#/components/schemas/A' } },
        },
        Child: { $ref: '#/components/schemas/B' },
        A: { ...converted, default: '#/components/schemas/Unused' },
      },
      responses: {
        A: {
          headers: { 'X-A': { schema: converted } },
          content: content({ $ref: '#/components/schemas/Child' }),
          links: { a: refTo('links') },
        },
      },
      parameters: { A: { schema: converted } },
      headers: { A: { schema: converted } },
      requestBodies: { A: { content: content(converted) } },
      callbacks: { A: { '{$url}': { post: none } } },
      examples: { A: { value: 1 } },
    });
    expect(Object.keys(document['components'] as object)).toEqual(Object.keys(components).slice(0, -2));
    expect(Object.keys((document['components'] as { schemas: object }).schemas)).toEqual(['B', 'Child', 'A']);
  });

  test('the document around them', () => {
    const around = { externalDocs: { url: 'https://a.example' }, servers: [{ url: '/v1' }], tags: [{ name: 'a' }] };
    expect(
      generatorDocument({ ...around, security: [{ a: [] }], paths: {}, jsonSchemaDialect: 'x', 'x-a': 1 }),
    ).toEqual({
      ...{ openapi: '3.0.3', info: {}, ...around, security: [], paths: {}, components: {} },
    });
    expect(generatorDocument({})).toStrictEqual({ openapi: '3.0.3', info: {}, paths: {}, components: {} });
  });

  test('the security schemes: the key in a header, else the first one', () => {
    const key = (place: string): object => ({ type: 'apiKey', in: place, name: 'key' });
    const bearer = { type: 'http', scheme: 'bearer' };
    const chosen = (securitySchemes: object): unknown => {
      const security = [{}, { a: ['read'] }, { b: [], c: [] }, 5];
      const document = generatorDocument({ paths: {}, security, components: { securitySchemes } });
      return [document['components'], document['security']];
    };
    for (const [schemes, name] of [
      [{ a: key('query'), b: bearer, c: key('header') }, 'c'],
      [{ a: key('query'), b: bearer }, 'a'],
      [{ a: { ...bearer, in: 'header' }, b: 5 }, 'a'],
    ] as const)
      expect(chosen(schemes)).toEqual([
        { securitySchemes: { [name]: (schemes as Record<string, unknown>)[name] } },
        [{ [name]: [] }, {}],
      ]);
    expect(chosen({})).toEqual([{}, [{}]]);
    expect(chosen([])).toEqual([{}, [{}]]);
  });
});
