/** What the generated client sends is what the handler of the real server receives, and what this returns is what the client gets. */
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRuntimeClient, type OperationRow } from '../../client/src/runtime.ts';
import { clientSurface } from '../../scripts/spec/generate-client.ts';
import { placed, type Document } from '../../scripts/spec/contract-document.ts';
import { refusals } from '../../server/http/unsupported-parts.ts';
import { memberOf } from '../../server/text/object.ts';
import {
  extendedContract,
  json,
  responses,
  startExtended,
  type AnyCall,
  type TestOperation,
} from '../support/extended-contract.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';
import { key, type Service } from '../support/service.ts';
import {
  anyJson,
  bodies,
  bytes,
  casesOf,
  integer,
  member,
  names,
  plain,
  strings,
  text,
} from '../support/wire-values.ts';

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

let seen: Pick<AnyCall, 'path' | 'query' | 'headers' | 'cookies' | 'body'> | undefined;
let next: unknown;
const handle = async ({ path, query, headers, cookies, body }: AnyCall): Promise<unknown> => {
  seen = { path, query, headers, cookies, body: await plain(body) };
  return { status: 204 };
};
const done = responses({ 204: { description: 'Done.' } });

let parameterService: Service | undefined;
afterAll(() => parameterService?.stop(0));
test('parameters in all places and styles reach the handler', async () => {
  const all = (['path', 'query', 'header', 'cookie'] as const).flatMap((place) => casesOf(place));
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
    { numRuns: rounds(1000) },
  );
});

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
