// Not in `npm run test:fast`: it generates everything from the spec twice.
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { bundleOf } from '../../../scripts/contract-tools/files/bundle.ts';
import { collectFiles, type SpecFiles } from '../../../scripts/contract-tools/files/spec-files.ts';
import { deriveFrom, deriveFromFiles } from '../../../scripts/spec/generate.ts';
import { yamlValue } from '../../../scripts/contract-tools/files/yaml.ts';
import { split } from './split.ts';

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../../spec/${name}.yaml`, import.meta.url), 'utf8');
const collect = (texts: ReadonlyMap<string, string>, entry = 'spec/openapi.yaml'): Promise<SpecFiles> =>
  collectFiles(entry, (path) => Promise.resolve(texts.get(path)));
const bundle = async (texts: Record<string, string>, keep?: string[]) =>
  bundleOf(await collect(new Map(Object.entries(texts)), Object.keys(texts)[0]), keep);

test('the spec in many files generates the same bytes as in one', async () => {
  const [openapi, asyncapi, archive] = await Promise.all(['openapi', 'asyncapi', 'archive'].map(read));
  const texts = split(yamlValue(openapi!));
  expect(texts.size).toBeGreaterThan(20);
  texts.set('spec/asyncapi.yaml', asyncapi!).set('spec/archive.yaml', archive!);
  const inOne = await deriveFrom({ openapi: openapi!, asyncapi: asyncapi!, archive: archive! });
  const inMany = await deriveFromFiles((path) => Promise.resolve(texts.get(path)));
  expect(Object.keys(inMany)).toEqual(Object.keys(inOne));
  for (const [file, text] of Object.entries(inMany)) expect([file, text === inOne[file]]).toEqual([file, true]);
});

test('a part that is no component of the document becomes one, under a free name, once', async () => {
  const { value, faults } = await bundle({
    'a/api.yaml': `paths:
  /x: { get: { parameters: [{ $ref: 'more/p.yaml#/limit' }], responses: { '200': { content: { a: { schema: { $ref: more/User.yaml } } } } } } }
components: { schemas: { User: { type: string } } }
`,
    'a/more/p.yaml': 'limit: { name: limit, in: query, schema: { $ref: User.yaml#/properties/id } }\n',
    'a/more/User.yaml': `type: object
properties: { id: { type: string }, friend: { $ref: '#' }, name: { $ref: '../api.yaml#/components/schemas/User' } }
discriminator: { propertyName: id, mapping: { me: User.yaml, you: User } }
`,
  });
  expect(faults).toEqual([]);
  const friend = { $ref: '#/components/schemas/User_2' };
  expect(value).toEqual({
    paths: {
      '/x': {
        get: {
          parameters: [{ $ref: '#/components/parameters/limit' }],
          responses: { 200: { content: { a: { schema: friend } } } },
        },
      },
    },
    components: {
      schemas: {
        User: { type: 'string' },
        User_2: {
          type: 'object',
          properties: { id: { type: 'string' }, friend, name: { $ref: '#/components/schemas/User' } },
          discriminator: { propertyName: 'id', mapping: { me: '#/components/schemas/User_2', you: 'User' } },
        },
      },
      parameters: {
        limit: { name: 'limit', in: 'query', schema: { $ref: '#/components/schemas/User_2/properties/id' } },
      },
    },
  });
});

test('each place of the document has its place in a file', async () => {
  const { place } = await bundle({
    'api.yaml': `paths:\n  /x:\n    $ref: paths/x.yaml\ncomponents:\n  schemas:\n    $ref: schemas.yaml\n`,
    'paths/x.yaml': `get:\n  responses:\n    '200':\n      $ref: ../answers.json#/Fine\n`,
    'answers.json': '{\n  "Fine": {\n    "description": "It is" } }\n',
    'schemas.yaml': 'User:\n  type: object\n',
  });
  const places = [
    '/paths/~1x/get/responses',
    '/components/responses/Fine/description',
    '/components/schemas/User/type',
    '/paths',
  ]
    .map(place)
    .map(({ file, line, column }) => `${file}:${line}:${column}`);
  expect(places).toEqual(['paths/x.yaml:2:3', 'answers.json:3:5', 'schemas.yaml:2:3', 'api.yaml:1:1']);
});

test('examples, defaults and constants are data, also where they look like references', async () => {
  const text = `components:
  schemas:
    User: { properties: { default: { $ref: other.yaml#/a }, it: { default: { $ref: nowhere.yaml }, const: { $ref: nowhere.yaml } } } }
  responses: { default: { content: { j: { example: { $ref: nowhere.yaml }, examples: { one: { value: { $ref: nowhere.yaml } } } } } } }
`;
  const { faults, value } = await bundle({ 'api.yaml': text, 'other.yaml': 'a: { type: string }\n' });
  expect(faults).toEqual([]);
  expect(JSON.stringify(value)).toContain('"default":{"$ref":"#/components/schemas/a"}');
});

test('a document beside the contract keeps its references to the contract', async () => {
  const { value } = await bundle(
    {
      'spec/archive.yaml': `a: { $ref: './openapi.yaml#/b' }\nc: { $ref: parts/c.yaml }\n`,
      'spec/parts/c.yaml': `d: { $ref: '../openapi.yaml#/b' }\n`,
      'spec/openapi.yaml': 'b: 1\n',
    },
    ['spec/openapi.yaml'],
  );
  expect(value).toEqual({ a: { $ref: './openapi.yaml#/b' }, c: { d: { $ref: './openapi.yaml#/b' } } });
});

test.each([
  ['a missing file', '$ref: usr.yaml', 'There is no file usr.yaml.', "did you mean 'user.yaml'?"],
  [
    'a missing part',
    '$ref: user.yaml#/propertys/id',
    "user.yaml has no '/propertys/id'.",
    "did you mean '#/properties'?",
  ],
  [
    'a document on the network',
    '$ref: https://x.test/a.yaml',
    "'https://x.test/a.yaml' is not read over the network.",
    'store the document beside this one, and refer to the file.',
  ],
  [
    'a reference to itself',
    '$ref: loop.yaml#/a',
    "'#/a' leads back to itself.",
    'make a component of the part that repeats.',
  ],
])('%s is a fault with its place', async (_, reference, message, fix) => {
  const { faults } = await bundle({
    'api.yaml': `components:\n  schemas:\n    Other: { $ref: user.yaml }\n    Bad:\n      ${reference}\n`,
    'user.yaml': 'properties: { id: { type: string } }\n',
    'loop.yaml': "a: { $ref: '#/b' }\nb: { $ref: '#/a' }\n",
  });
  const isLoop = reference.includes('loop');
  const at = isLoop ? { file: 'loop.yaml', line: 2, column: 6 } : { file: 'api.yaml', line: 5, column: 7 };
  expect(faults).toEqual([{ ...at, rule: 'no-unresolved-refs', message, fix }]);
});
