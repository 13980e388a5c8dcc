/** What the generated client sends is what the handler of the real server receives, and what this returns is what the client gets. */
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRuntimeClient, type OperationRow } from '../../client/src/runtime.ts';
import { clientSurface } from '../../scripts/spec/generate-client.ts';
import { placed, type Document } from '../../scripts/spec/contract-document.ts';
import { refusals } from '../../server/contract/carried.ts';
import { memberOf } from '../../server/text/object.ts';
import {
  extendedContract,
  json,
  responses,
  startExtended,
  type AnyCall,
  type TestOperation,
} from '../support/extended-contract.ts';
import fc, { anyGrapheme } from '../support/property.ts';
import { rounds } from '../support/rounds.ts';
import { key, type Service } from '../support/service.ts';

interface Answered {
  readonly data: unknown;
  readonly response: Response;
}
type Method = (given?: object, options?: object) => Promise<unknown> & { withResponse(): Promise<Answered> };
type Methods = Readonly<Record<string, Method>>;

/** The methods of the client that is generated from the contract of the operations. */
async function methodsOf(operations: Readonly<Record<string, TestOperation>>, { url }: Service): Promise<Methods> {
  const document = (await extendedContract(operations)) as unknown as Document;
  const own = placed(document)
    .filter(({ operation }) => operation.operationId in operations)
    .map((each) => ({ ...each, operation: { ...each.operation, 'x-repeat': 'refused' } }));
  const surface = clientSurface('', own, { document, channels: {}, template: undefined });
  const [, rows] = /^export const table = (\{.*?^\}) as const;$/ms.exec(surface)!;
  const table = runInContext(`(${rows})`, createContext({})) as Record<string, OperationRow>;
  const keyNames = { header: 'x-api-key', query: 'api_key', in: 'header' } as const;
  const client = createRuntimeClient({ table, keyNames }, { baseUrl: url, apiKey: key, retry: false });
  return (client as { api: Methods }).api;
}

/** A value without files as it is; a file as its name, type and bytes. */
async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Blob) {
    const name = value instanceof File ? value.name : undefined;
    return { name, type: value.type, bytes: [...new Uint8Array(await value.arrayBuffer())] };
  }
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await plain(each)] as const)),
  );
}

let seen: Pick<AnyCall, 'path' | 'query' | 'headers' | 'cookies' | 'body'> | undefined;
let next: unknown;
const handle = async ({ path, query, headers, cookies, body }: AnyCall): Promise<unknown> => {
  seen = { path, query, headers, cookies, body: await plain(body) };
  return { status: 204 };
};
const done = responses({ 204: { description: 'Done.' } });

const text = fc.string({ unit: anyGrapheme, minLength: 1, maxLength: 8 });
const integer = fc.maxSafeInteger();
const strings = { type: 'array', items: { type: 'string' } };

/** A kind of values: a schema, and values of it whose texts are those of the place. */
interface Kind {
  readonly schema: object;
  readonly values: (text: fc.Arbitrary<string>) => fc.Arbitrary<unknown>;
}
// No style can write an empty list or object: it is the same as one that is not given, or as one empty text.
const listOf = <Value>(item: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
  fc.array(item, { minLength: 1, maxLength: 4 });
const isGiven = (value: object): boolean => Object.keys(value).length > 0;
const kinds: Readonly<Record<string, Kind>> = {
  text: { schema: { type: 'string' }, values: (each) => each },
  untyped: { schema: {}, values: (each) => each },
  integer: { schema: { type: 'integer' }, values: () => integer },
  number: {
    schema: { type: 'number' },
    values: () => fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  },
  flag: { schema: { type: 'boolean' }, values: () => fc.boolean() },
  level: { schema: { enum: [1, 2, true, 'x'] }, values: () => fc.constantFrom(1, 2, true, 'x') },
  nullable: { schema: { type: ['integer', 'null'] }, values: () => integer },
  either: {
    schema: { oneOf: [{ type: 'integer' }, { type: 'array', minItems: 2, items: { type: 'boolean' } }] },
    values: () => fc.oneof(integer, fc.array(fc.boolean(), { minLength: 2, maxLength: 3 })),
  },
  strings: { schema: strings, values: (each) => listOf(each) },
  integers: { schema: { type: 'array', items: { type: 'integer' } }, values: () => listOf(integer) },
  pair: {
    schema: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false },
    values: (each) => fc.tuple(integer, each),
  },
  point: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { x: { type: 'integer' }, y: { type: 'boolean' }, 'z&+': { type: 'string' } },
    },
    values: (each) =>
      fc
        .record({ x: integer, y: fc.boolean(), 'z&+': each }, { requiredKeys: [], noNullPrototype: true })
        .filter(isGiven),
  },
  open: {
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    values: (each) => fc.dictionary(each, integer, { maxKeys: 3, noNullPrototype: true }).filter(isGiven),
  },
};
const anyJson = fc
  .json({ maxDepth: 3, stringUnit: anyGrapheme })
  .map((each): unknown => JSON.parse(each))
  // A parameter that is null is not sent.
  .filter((value) => value !== null);

interface Case {
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly described: object;
  readonly value: fc.Arbitrary<unknown>;
}
const styles = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
} as const;
const names = { path: 'p', query: 'p', header: 'X-P', cookie: 'p' } as const;

/** The texts that a style can tell from its delimiters; those are not encoded, or the same in the encoding. */
const excluded: Readonly<Record<string, RegExp>> = {
  // RFC 6570, 3.2.5: a dot is not encoded.
  label: /\./,
  spaceDelimited: / /,
  pipeDelimited: /\|/,
  // The names of members stand in brackets.
  deepObject: /[[\]]/,
};
function textFor(place: Case['place'], style: string): fc.Arbitrary<string> {
  // Headers have no encoding: a comma separates, and spaces around a value do not count (RFC 9110, 5.5).
  if (place === 'header') return text.filter((each) => /^[\x21-\x7e\xa1-\xff]+$/.test(each) && !/[,=]/.test(each));
  // A path of dots is another path for every URL parser. A member with the name of the parameter is the parameter.
  return text.filter((each) => !/^\.+$/.test(each) && each !== 'p' && !excluded[style]?.test(each));
}

const described = (place: Case['place'], more: object): object => ({
  name: names[place],
  in: place,
  required: place === 'path',
  ...more,
});
const casesOf = (place: Case['place']): Case[] => [
  ...styles[place].flatMap((style) =>
    [true, false].flatMap((explode) =>
      Object.values(kinds).map(({ schema, values }) => ({
        place,
        described: described(place, { style, explode, schema }),
        value: values(textFor(place, style)),
      })),
    ),
  ),
  { place, described: described(place, { content: json({}) }), value: anyJson },
];

let parameterService: Service | undefined;
afterAll(() => parameterService?.stop(0));
test('parameters in all places and styles reach the handler', async () => {
  const all = (['path', 'query', 'header', 'cookie'] as const).flatMap(casesOf);
  const operations = Object.fromEntries(
    all.map((each, index): [string, TestOperation] => [
      `case${index}`,
      {
        route: `GET /case${index}${each.place === 'path' ? '/{p}' : ''}`,
        described: { parameters: [each.described], responses: done },
        handle,
      },
    ]),
  );
  // What the server refuses is not sent.
  const refused = refusals(await extendedContract(operations)).map(({ pointer }) => pointer);
  const carried = all
    .map((each, index) => ({ ...each, id: `case${index}` }))
    .filter(({ id }) => !refused.some((pointer) => pointer.split(/~1|\//).includes(id)));
  expect(carried.length).toBeGreaterThan(all.length / 2);
  const known = Object.fromEntries(carried.map(({ id }) => [id, operations[id]!]));
  const service = (parameterService = await startExtended(known, {}, { rateLimit: 'off' }));
  const methods = await methodsOf(known, service);
  const sent = fc.constantFrom(...carried).chain((each) => each.value.map((value) => ({ ...each, value })));
  const placeOf = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;
  await fc.assert(
    fc.asyncProperty(sent, async ({ id, place, value, described: parameter }) => {
      seen = undefined;
      const name = names[place];
      await methods[id]!({ [name]: value }).catch((error: unknown) => {
        throw new Error(JSON.stringify({ parameter, value }), { cause: error });
      });
      expect({ parameter, value: memberOf(seen?.[placeOf[place]], name) }).toEqual({ parameter, value });
    }),
    { numRuns: rounds(2000) },
  );
});

const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => new Uint8Array(each));
// In a form, `"` and line ends of a file name are encoded, and a server cannot tell that from the same text; a folder is no part of the name.
const fileName = text.filter((each) => !/["%/\\]/.test(each) && !/^\.+$/.test(each));
const files = fc
  .tuple(bytes, fileName, fc.constantFrom('image/png', 'image/jpeg'))
  .map(([content, name, type]) => new File([content], name, { type }));
const member = { type: 'string' };
const formSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: member,
    'odd name&': member,
    count: { type: 'integer' },
    on: { type: 'boolean' },
    tags: strings,
    ids: { type: 'array', items: { type: 'integer' } },
    meta: { type: 'object', properties: { deep: {} } },
    points: { type: 'array', items: { type: 'object' } },
  },
};
const formValues = fc.record(
  {
    name: text,
    'odd name&': text,
    count: integer,
    on: fc.boolean(),
    tags: listOf(text),
    ids: listOf(integer),
    meta: fc.record({ deep: anyJson }, { noNullPrototype: true }),
    points: listOf(fc.record({ x: integer }, { noNullPrototype: true })),
  },
  { requiredKeys: ['name'], noNullPrototype: true },
);
/** A text that may be empty, as a file or a text alone can be. */
const maybeEmpty = fc.string({ unit: anyGrapheme, maxLength: 8 });
const form = 'application/x-www-form-urlencoded';
const bodies: Readonly<Record<string, { content: object; given: fc.Arbitrary<object>; isWhole?: true }>> = {
  json: { content: json({}), given: fc.record({ body: fc.option(anyJson) }), isWhole: true },
  object: {
    content: json({ type: 'object', properties: { a: {}, b: {} }, additionalProperties: false }),
    given: fc.record({ a: fc.option(anyJson), b: anyJson }, { noNullPrototype: true }),
  },
  patch: {
    content: { 'application/merge-patch+json': { schema: { type: 'object', additionalProperties: true } } },
    given: fc.record({ body: fc.dictionary(text, fc.option(anyJson), { noNullPrototype: true }) }),
    isWhole: true,
  },
  form: { content: { [form]: { schema: formSchema } }, given: formValues },
  styled: {
    content: {
      [form]: {
        schema: formSchema,
        encoding: {
          tags: { style: 'form', explode: false },
          ids: { style: 'pipeDelimited', explode: false },
          name: { contentType: 'text/plain' },
          points: { contentType: 'application/json' },
        },
      },
    },
    given: formValues,
  },
  multipart: {
    content: {
      'multipart/form-data': {
        schema: {
          ...formSchema,
          properties: {
            ...formSchema.properties,
            file: { type: 'string', format: 'binary' },
            files: { type: 'array', items: {} },
            raw: { contentMediaType: 'application/octet-stream' },
          },
        },
        encoding: { file: { contentType: 'image/png, image/jpeg' }, files: { contentType: 'image/*' } },
      },
    },
    given: fc
      .tuple(formValues, fc.record({ file: files, files: listOf(files), raw: bytes }, { requiredKeys: ['file'] }))
      .map(([fields, { raw, ...given }]) => ({
        ...fields,
        ...given,
        ...(raw && { raw: new File([raw], 'raw.bin', { type: 'application/octet-stream' }) }),
      })),
  },
  bytes: {
    content: { 'application/octet-stream': {} },
    given: bytes.map((each) => ({ body: new Blob([each], { type: 'application/octet-stream' }) })),
    isWhole: true,
  },
  image: {
    content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
    given: bytes.map((each) => ({ body: new Blob([each], { type: 'image/png' }) })),
    isWhole: true,
  },
  csv: { content: { 'text/csv': { schema: member } }, given: fc.record({ body: maybeEmpty }), isWhole: true },
  xml: { content: { 'application/xml': {} }, given: fc.record({ body: maybeEmpty }), isWhole: true },
};
const bodyOperations = Object.fromEntries(
  Object.entries(bodies).map(([id, { content, isWhole }]): [string, TestOperation] => [
    id,
    {
      // An argument has the whole body as one member where other names could be members of it.
      route: `PUT /body/${id}${isWhole ? '/{id}' : ''}`,
      described: {
        parameters: isWhole ? [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] : [],
        requestBody: { required: true, content },
        responses: done,
      },
      handle,
    },
  ]),
);
const optional: TestOperation = {
  route: 'POST /optional/{name}',
  described: {
    parameters: [
      { name: 'name', in: 'path', required: true, schema: member },
      { name: 'name', in: 'query', schema: strings },
      { name: 'name', in: 'cookie', schema: member },
    ],
    requestBody: { content: json({ type: 'object', additionalProperties: false, properties: { name: member } }) },
    responses: done,
  },
  handle,
};

const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, any: {} } };
const reply = (id: string, success: object): TestOperation => ({
  route: `GET /reply/${id}`,
  described: { responses: responses(success as Record<string, unknown>) },
  handle: () => next,
});
const location = { Location: { required: true, schema: member }, 'X-Tags': { schema: strings } };
const content = (type: string, schema: object = {}): object => ({
  200: { description: 'It.', content: { [type]: { schema } } },
});
const replies = {
  made: reply('made', {
    201: { description: 'Made.', headers: location, content: json({}) },
    204: { description: 'None.' },
  }),
  any: reply('any', content('application/json')),
  table: reply('table', content('text/csv', member)),
  picture: reply('picture', content('image/png')),
  lines: reply('lines', content('application/x-ndjson', item)),
  events: reply('events', content('text/event-stream', item)),
};

describe('bodies and replies', () => {
  const operations = { ...bodyOperations, optional, ...replies };
  let service: Service;
  let methods: Methods;
  beforeAll(async () => {
    service = await startExtended(operations, {}, { rateLimit: 'off' });
    methods = await methodsOf(operations, service);
  });
  afterAll(() => service.stop(0));

  test.each(Object.keys(bodies))('the body %s reaches the handler', async (id) => {
    const { given, isWhole } = bodies[id]!;
    await fc.assert(
      fc.asyncProperty(given, async (value) => {
        seen = undefined;
        await methods[id]!(isWhole ? { ...value, id: 7 } : value);
        expect(memberOf(seen, 'body')).toEqual(await plain(isWhole ? (value as { body: unknown }).body : value));
      }),
      { numRuns: rounds(300) },
    );
  });

  test('parameters and a body whose names are the same do not mix, and an optional body may be left out', async () => {
    await methods['optional']!({ name: 'a/b', query_name: ['x', 'y,z'], cookie_name: 'c', body: { name: 'd' } });
    expect(seen).toMatchObject({
      path: { name: 'a/b' },
      query: { name: ['x', 'y,z'] },
      cookies: { name: 'c' },
      body: { name: 'd' },
    });
    await methods['optional']!({ name: 'a' });
    expect(seen).toMatchObject({ path: { name: 'a' }, query: {}, cookies: {}, body: undefined });
  });

  test('a created thing has its place, and nothing is undefined', async () => {
    next = { status: 201, headers: { Location: '/things/ü?a=1', 'X-Tags': ['a', 'b'] }, body: null };
    const { data, response } = await methods['made']!().withResponse();
    expect([data, response.status, response.headers.get('location'), response.headers.get('x-tags')]).toEqual([
      null,
      201,
      expect.stringContaining('/things/'),
      'a,b',
    ]);
    next = { status: 204 };
    const none = await methods['made']!().withResponse();
    expect([none.data, none.response.status]).toEqual([undefined, 204]);
  });

  const itemsOf = fc.array(fc.record({ id: integer, any: fc.option(anyJson) }, { noNullPrototype: true }), {
    maxLength: 5,
  });
  test('JSON, texts and bytes are the same on both sides', async () => {
    await fc.assert(
      fc.asyncProperty(fc.option(anyJson), text, bytes, async (value, table, picture) => {
        next = value;
        expect(await methods['any']!()).toEqual(value);
        next = { status: 200, body: table };
        expect(await methods['table']!()).toBe(table);
        next = { status: 200, body: picture };
        expect(await plain(await methods['picture']!())).toEqual({ type: 'image/png', bytes: [...picture] });
      }),
      { numRuns: rounds(100) },
    );
  });
  test.each(['lines', 'events'])('the items of %s are the same on both sides', async (id) => {
    await fc.assert(
      fc.asyncProperty(itemsOf, async (items) => {
        next = { status: 200, body: items };
        const got: unknown[] = [];
        for await (const each of (await methods[id]!()) as AsyncIterable<unknown>) got.push(each);
        expect(got).toEqual(items);
      }),
      { numRuns: rounds(200) },
    );
  });
});
