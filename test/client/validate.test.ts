import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, DecodeError, NotFoundError, type SocialDataClient } from '../../client/src/index.ts';
import { validate } from '../../client/src/validate.ts';
import { shapeModule } from '../../scripts/spec/client-shapes.ts';
import { operations } from '../../generated/operations.ts';
import { operationMetadata, type OpenApiDocument } from '../../server/contract/openapi.ts';
import { resolve } from '../../server/contract/plain-document.ts';
import type { OperationId } from '../../server/contract/operations.ts';
import { contract, exampleAnswer, expectAnswer, plainIds } from '../support/contract.ts';
import { clientArgument, clientMethod } from '../support/client-method.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const apiKey = 'a-key-for-the-validator';

/** Calls the method of an operation with the example of the contract. */
const callExample = (client: SocialDataClient, id: OperationId): PromiseLike<unknown> =>
  clientMethod(client, id)(clientArgument(id));

/** The keywords that the validator of the client knows. */
const keywords = new Set([
  ...['$ref', 'type', 'enum', 'const', 'pattern', 'format', 'minimum', 'maximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'items', 'properties', 'required', 'anyOf', 'allOf', 'oneOf'],
  ...['description', 'title', 'default', 'example', 'examples', 'deprecated'],
]);
type Node = Readonly<Record<string, unknown>>;
/** Whether the validator of the client knows all keywords of a schema, and the type of each member. */
function isExact(described: unknown, seen = new Set<unknown>()): boolean {
  if (seen.has(described)) return true;
  seen.add(described);
  const schema = resolve<Node>(contract, described as Node);
  const { properties = {}, items, anyOf = [], allOf = [], oneOf = [] } = schema as Record<string, never[]>;
  const isKnown = Object.entries(schema).every(
    // It permits further members.
    ([name, value]) =>
      keywords.has(name) || name.startsWith('x-') || (name === 'additionalProperties' && value === false),
  );
  const parts = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf, ...allOf, ...oneOf];
  const isTyped = ['type', 'enum', 'const', 'anyOf', 'allOf', 'oneOf', '$ref'].some((name) => name in schema);
  const isOpen = schema.type === 'object' && Object.keys(properties).length === 0;
  return isKnown && isTyped && !isOpen && parts.every((part) => isExact(part, seen));
}
const metadata = operationMetadata(contract as unknown as OpenApiDocument);
/** The operations whose responses it knows exactly. */
const exactIds = plainIds.filter((id) => isExact(metadata[id].responseSchema));

test('the validator knows the responses of most operations exactly', () => expect(exactIds.length).toBeGreaterThan(15));

const faultIn = (id: OperationId, body: unknown): string | undefined =>
  validate(operations[id].path, operations[id].method, body);

/** A client whose service answers everything with one body. */
const answering = (body: unknown): SocialDataClient =>
  createClient({ baseUrl: 'http://social.test', apiKey, validate, fetch: async () => Response.json(body) });

type Json = Record<string, unknown>;

/** Every object and list in a value. */
function nodesOf(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Json, ...Object.values(value).flatMap(nodesOf)];
}

describe('the responses of the service are valid', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: LocalServer;
  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await startLocalServer(folder.path, { API_KEYS: apiKey });
  });
  afterAll(async () => {
    await server?.end();
    await folder?.dispose();
  });

  test.each(plainIds)('%s', async (id) => {
    const client = createClient({ baseUrl: server.url, apiKey, validate });
    const answer = Promise.resolve(callExample(client, id));
    // The examples name a saved search that this service does not have.
    if (JSON.stringify(clientArgument(id) ?? {}).includes('search_id'))
      await expect(answer).rejects.toThrow(NotFoundError);
    else await expect(answer).resolves.toBeDefined();
  });
});

test.each(exactIds)('%s: each required member must be present, and none may have another type', async (id) => {
  const example = exampleAnswer(id) as Json;
  expect(faultIn(id, example)).toBeUndefined();
  for (const name of Object.keys(example)) {
    expect(faultIn(id, { ...example, [name]: Symbol(name) })).toContain(`'${name}' must be `);
    const { [name]: _removed, ...others } = example;
    const isRequired = await expectAnswer(id, others).then(
      () => false,
      () => true,
    );
    expect(faultIn(id, others)).toBe(isRequired ? `'${name}' is missing` : undefined);
  }
});

test.each(plainIds)('%s rejects with a DecodeError when the response is invalid', async (id) => {
  const example = exampleAnswer(id) as Json;
  await expect(Promise.resolve(callExample(answering(example), id))).resolves.toEqual(example);
  const isRefused = async (name: string): Promise<boolean> =>
    expectAnswer(id, { ...example, [name]: { secret: 1 } }).then(
      () => false,
      () => true,
    );
  const refused = await Promise.all(Object.keys(example).map(async (name) => ((await isRefused(name)) ? [name] : [])));
  const last = refused.flat().at(-1);
  if (last === undefined) return;
  const error = await Promise.resolve(callExample(answering({ ...example, [last]: { secret: 1 } }), id)).then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  );
  expect(error).toBeInstanceOf(DecodeError);
  expect(error?.message).toContain(last);
  expect(error?.message).not.toContain('secret');
});

test('it finds what an independent validator finds in changed responses', async () => {
  const values = fc.constantFrom<unknown>(
    null,
    '',
    'x',
    '2026-02-30',
    -1,
    1.5,
    12,
    true,
    [],
    {},
    ['a', 'a'],
    'REMOVED',
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...exactIds), fc.nat(), fc.nat(), values, async (id, node, member, value) => {
      const body = exampleAnswer(id) as Json;
      const nodes = nodesOf(body);
      const place = nodes[node % nodes.length]!;
      const names = Object.keys(place);
      const name = names[member % names.length] ?? '0';
      if (value !== 'REMOVED') place[name] = value;
      else if (Array.isArray(place)) place.splice(Number(name), 1);
      else delete place[name];
      const isValid = await expectAnswer(id, body).then(
        () => true,
        () => false,
      );
      expect([body, faultIn(id, body) === undefined]).toEqual([body, isValid]);
    }),
    { numRuns: rounds(400) },
  );
});

test('members that the contract does not have are permitted', () => {
  const space = exampleAnswer('getSpace') as Json;
  expect(
    faultIn('getSpace', { ...space, mood: 'calm', host: { ...(space['host'] as Json), mood: 'calm' } }),
  ).toBeUndefined();
});

test('a fault names its place', () => {
  expect(faultIn('getSpace', [])).toBe('the body must be object');
  const page = exampleAnswer('getUserLastTweets') as { tweets: { author: Json }[] };
  delete page.tweets[0]?.author['id'];
  expect(faultIn('getUserLastTweets', page)).toBe("'tweets[0].author.id' is missing");
});

test('a body of any depth gets a fault', async () => {
  let tweet = (exampleAnswer('getTweet') as { tweet: Json }).tweet;
  for (let depth = 0; depth < 5_000; depth++) tweet = { ...tweet, quoted_tweet: tweet };
  expect(faultIn('getTweet', { ...(exampleAnswer('getTweet') as Json), tweet })).toMatch(/nested too deeply/);
});

test('unions, constants and combinations of schemas have shapes', () => {
  const schema = {
    type: 'object',
    required: ['other'],
    properties: {
      kind: { const: 'a' },
      either: { oneOf: [{ $ref: '#/components/schemas/Text' }, { type: 'integer', minimum: 2 }] },
      both: { allOf: [{ $ref: '#/components/schemas/Text' }, { maxLength: 3 }] },
      described: { $ref: '#/components/schemas/Text', description: 'a text', minLength: 2 },
    },
  };
  const operation = { operationId: 'get', responses: { 200: { content: { 'application/json': { schema } } } } };
  const document = { components: { schemas: { Text: { type: 'string' } } } };
  const text = shapeModule(
    '',
    [{ method: 'get', path: '/a', operation: operation as never, parameters: [], body: undefined }],
    document,
  );
  const [, shapes, answers] = text.split(/^export const \w+: .+? = /m).map((part) => part.replace(/;[^;]*$/, ''));
  expect(JSON.parse(shapes ?? '')).toEqual({ Text: 'string' });
  expect(JSON.parse(answers ?? '')).toEqual({
    'get /a': {
      type: 'object',
      members: {
        'kind?': { enum: ['a'] },
        'either?': { any: ['Text', { type: 'integer', min: 2 }] },
        'both?': { all: ['Text', { maxSize: 3 }] },
        'described?': { all: ['Text', { minSize: 2 }] },
        other: {},
      },
    },
  });
});
