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
      components: { schemas: { A: { type: 'string', $defs: { B: { type: 'integer' } } }, ...components } },
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
