// Not in `npm run test:fast`: it sends some thousand requests.
/** verify goes through contracts with any schemas and bodies, and names what it cannot check. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { ContractMock } from '../../../scripts/contract-tools/mock/contract-mock.ts';
import { readContract } from '../../../scripts/contract-tools/verify/contract.ts';
import type { Report } from '../../../scripts/contract-tools/verify/verify.ts';
import { verify, type ProjectVerifyOptions } from '../../../scripts/testing/verify/verify.ts';
import { createRuntimeClient } from '../../../client/src/runtime.ts';
import { inTurn, rounds, variants } from '../../support/rounds.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

type Json = Record<string, unknown>;
const json = (schema: unknown): Json => ({ content: { 'application/json': { schema } } });
const ok = (schema: unknown): Json => ({ 200: { description: 'It worked.', ...json(schema) } });
const contractOf = (paths: Json, schemas: Json = {}): never =>
  ({ openapi: '3.1.0', info: { title: 'Any', version: '1.0.0' }, paths, components: { schemas } }) as never;

/** Serves the contract by the mock, and verifies it; `change` may alter what the server answers. */
async function verified(
  document: never,
  runs = 4,
  before?: (body: string, request: string) => string,
  others: Partial<ProjectVerifyOptions> = {},
): Promise<Report> {
  const mock = new ContractMock({ document, text: '' }, { seed: 1, items: undefined, delayMs: 0, apiKeys: [] });
  const server = createServer((request, response) => {
    if (before !== undefined) {
      const { end } = response;
      response.removeHeader('content-length');
      response.end = ((text?: string) => {
        if (typeof text !== 'string') return end.call(response, undefined as never, 'utf8');
        const changed = before(text, `${request.method} ${request.url}`);
        response.setHeader('content-length', Buffer.byteLength(changed));
        return end.call(response, changed, 'utf8');
      }) as typeof response.end;
    }
    mock.handle(request, response);
  }).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return verify({ base, contract: mock.contract, key: '', seed: 3, runs, write: true, ...others });
}

const tree = {
  type: 'object',
  required: ['label', 'branches'],
  properties: { label: { type: 'string' }, branches: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
};
const point = { type: 'object', required: ['x'], properties: { x: { type: 'number' } } };

test('recursive schemas, allOf and optional forms are checked to the end', async () => {
  const report = await verified(
    contractOf(
      {
        '/trees': {
          get: { operationId: 'getTree', responses: ok({ $ref: '#/components/schemas/Tree' }) },
          post: {
            operationId: 'plant',
            requestBody: { required: true, ...json({ $ref: '#/components/schemas/Tree' }) },
            responses: { 204: { description: 'It grows.' }, 400: { description: 'It does not.' } },
          },
        },
        '/points': {
          post: {
            operationId: 'addPoint',
            requestBody: {
              required: true,
              ...json({
                allOf: [
                  { $ref: '#/components/schemas/Point' },
                  { type: 'object', required: ['y'], properties: { y: { type: 'number' } } },
                  { anyOf: [{ required: ['z'], properties: { z: { type: 'integer' } } }, { required: ['w'] }] },
                ],
              }),
            },
            responses: ok({ $ref: '#/components/schemas/Point' }),
          },
        },
        '/notes': {
          post: {
            operationId: 'addNote',
            requestBody: {
              content: {
                'application/x-www-form-urlencoded': {
                  schema: {
                    type: 'object',
                    properties: { text: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
                  },
                },
              },
            },
            responses: { 202: { description: 'Later.' } },
          },
        },
      },
      { Tree: tree, Point: point },
    ),
  );
  expect(report.findings).toEqual([]);
  expect(report.unsupported).toEqual([]);
  expect(report.operations.map(({ id }) => id)).toEqual(['getTree', 'plant', 'addPoint', 'addNote']);
  expect(report.operations.every(({ checks }) => checks > 10)).toBe(true);
});

test('a schema without a value is named, and the other operations are checked', async () => {
  const endless = {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/Endless' } },
  };
  const report = await verified(
    contractOf(
      {
        '/endless': {
          post: {
            operationId: 'sendEndless',
            requestBody: { required: true, ...json({ $ref: '#/components/schemas/Endless' }) },
            responses: { 204: { description: 'Never.' } },
          },
        },
        '/odd': {
          get: {
            operationId: 'getOdd',
            parameters: [
              { name: 'n', in: 'query', required: true, schema: { type: 'integer', minimum: 5, maximum: 4 } },
            ],
            responses: { 204: { description: 'Never.' } },
          },
        },
        '/points': { get: { operationId: 'getPoint', responses: ok(point) } },
      },
      { Endless: endless },
    ),
  );
  expect(report.findings).toEqual([]);
  expect(report.unsupported.map(({ operation, pointer }) => [operation, pointer])).toEqual(
    expect.arrayContaining([
      ['sendEndless', '/paths/~1endless/post/requestBody/content/application~1json/schema'],
      ['getOdd', '/paths/~1odd/get/parameters/0/schema'],
    ]),
  );
  expect(report.operations.find(({ id }) => id === 'getPoint')?.checks).toBeGreaterThan(10);
});

test('members of one direction: none is sent that is readOnly, and one that is writeOnly is a finding in a response', async () => {
  const account = {
    type: 'object',
    required: ['id', 'name', 'secret'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
    },
  };
  const document = contractOf(
    {
      '/accounts': {
        post: {
          operationId: 'open',
          requestBody: { required: true, ...json({ $ref: '#/components/schemas/Account' }) },
          responses: { ...ok({ $ref: '#/components/schemas/Account' }), 400: { description: 'No.' } },
        },
      },
    },
    { Account: account },
  );
  expect((await verified(document)).findings).toEqual([]);
  const leaking = await verified(document, 2, (body) => body.replace('"name"', '"secret":"s3cret","name"'));
  expect(leaking.findings).toContainEqual(
    expect.objectContaining({ check: 'schema', pointer: '/components/schemas/Account/properties/secret' }),
  );
});

const list = { type: 'array', minItems: 2, items: { type: 'string', pattern: '^[a-z]{1,4}$' } };
const range = {
  type: 'object',
  required: ['min', 'max'],
  properties: { min: { type: 'integer' }, max: { type: 'integer' } },
  additionalProperties: false,
};
const bad = { 400: { description: 'It is wrong.' } };
const places = contractOf({
  '/maps/{cell}/{zone}': {
    get: {
      operationId: 'getMap',
      parameters: [
        { name: 'cell', in: 'path', required: true, style: 'matrix', explode: true, schema: list },
        { name: 'zone', in: 'path', required: true, style: 'label', schema: range },
        { name: 'area', in: 'query', required: true, style: 'deepObject', schema: range },
        { name: 'layers', in: 'query', schema: list },
        { name: 'bars', in: 'query', style: 'pipeDelimited', explode: false, schema: list },
        { name: 'words', in: 'query', style: 'spaceDelimited', explode: false, schema: list },
        { name: 'filter', in: 'query', content: { 'application/json': { schema: range } } },
        { name: 'X-Scale', in: 'header', required: true, schema: { type: 'integer', minimum: 1 } },
        { name: 'X-Layers', in: 'header', schema: list },
        { name: 'session', in: 'cookie', required: true, schema: { type: 'string', pattern: '^[a-z0-9]{3,8}$' } },
      ],
      responses: { 204: { description: 'There is a map.' }, ...bad, 404: { description: 'There is none.' } },
    },
  },
});

test('parameters in all places and styles are sent by both senders, and checked', async () => {
  const report = await verified(places, rounds(40, 10));
  expect(report.findings).toEqual([]);
  expect(report.unsupported).toEqual([]);
  expect(report.operations[0]?.checks).toBeGreaterThan(100);
});

test.each(inTurn(['layers', 'bars', 'area', 'zone', 'X-Layers'], 1))(
  'a client that writes %s wrongly is found',
  async (name) => {
    const createClient: typeof createRuntimeClient = (contract, options) => {
      const table = Object.fromEntries(
        Object.entries(contract.table).map(([key, row]) => {
          const parameters = { ...row.wire?.parameters };
          const form = parameters[name];
          if (form !== undefined) parameters[name] = [form[0], form[0] === 'query' ? 'form' : 'json', false];
          return [key, { ...row, wire: { ...row.wire, parameters } }];
        }),
      );
      return createRuntimeClient({ ...contract, table }, options);
    };
    const { findings } = await verified(places, 0, undefined, { createClient });
    expect(findings.map(({ check }) => check)).toContain('client');
    expect(findings.find(({ check }) => check === 'client')?.expected).toContain(`'${name}'`);
  },
);

const items = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const streams = contractOf({
  '/lines': {
    get: {
      operationId: 'getLines',
      responses: { 200: { description: 'Lines.', content: { 'application/x-ndjson': { schema: items } } } },
    },
  },
  '/events': {
    get: {
      operationId: 'getEvents',
      responses: { 200: { description: 'Events.', content: { 'text/event-stream': { schema: items } } } },
    },
  },
  '/picture': {
    get: { operationId: 'getPicture', responses: { 200: { description: 'A picture.', content: { 'image/png': {} } } } },
  },
  '/table': {
    get: {
      operationId: 'getTable',
      responses: {
        '2XX': {
          description: 'A table.',
          headers: { 'X-Rows': { required: true, schema: { type: 'integer' } } },
          content: { 'text/csv': { schema: { type: 'string' } } },
        },
        default: { description: 'Any.', content: { 'application/json': { schema: items } } },
      },
    },
  },
});

test('streams, texts and bytes are served and checked, with each item of a stream', async () => {
  const report = await verified(streams);
  expect([report.findings, report.unsupported]).toEqual([[], []]);
  const broken = await verified(streams, 0, (body) => body.replace(/"id":-?\d+/, '"id":"no"'), {
    operations: ['getLines', 'getEvents'],
  });
  const places = broken.findings.filter(({ check }) => check === 'schema').map(({ pointer }) => pointer);
  expect(places).toHaveLength(2);
  expect(places.every((pointer) => pointer.endsWith('/schema/properties/id/type'))).toBe(true);
});

test.each<[string, string, (response: ServerResponse) => void]>(
  variants(
    [
      ['closes the connection', 'a response', (response: ServerResponse) => void response.socket?.destroy()],
      [
        'sends no chunks',
        'a response',
        (response: ServerResponse) => {
          response.socket?.end(
            'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{',
          );
        },
      ],
      [
        'does not end its response',
        'a response',
        (response: ServerResponse) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          const part = Buffer.alloc(1 << 20, ' ');
          const write = (): void => {
            while (!response.destroyed && response.write(part));
          };
          response.on('drain', write);
          write();
        },
      ],
    ],
    2,
  ),
)('a server that %s is reported, and the run ends', async (_, expected, answer) => {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const document = contractOf({ '/points': { get: { operationId: 'getPoint', responses: ok(point) } } });
  const report = await verify({ base, contract: readContract(document), key: '', seed: 3, runs: 1 });
  expect(report.findings).toContainEqual(
    expect.objectContaining({ check: 'response', expected: expect.stringContaining(expected) as unknown }),
  );
});

test('a server may answer 404 to any method of a path whose parameter is empty', async () => {
  const name = { name: 'name', in: 'path', required: true, schema: { type: 'string' } };
  const responses = { ...ok({ type: 'string' }), default: { description: 'Failed.', ...json({}) } };
  const { contract } = new ContractMock(
    {
      document: contractOf({ '/pets/{name}': { get: { operationId: 'getPet', parameters: [name], responses } } }),
      text: '',
    },
    { seed: 1, items: undefined, delayMs: 0, apiKeys: [] },
  );
  const server = createServer((request, response) => {
    const isPet = /^\/pets\/[^/?]+$/.test(request.url ?? '');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const headers = { 'content-type': 'application/json', ...(isPet && !isRead && { allow: 'GET, HEAD' }) };
    response.writeHead(isPet ? (isRead ? 200 : 405) : 404, headers);
    response.end(request.method === 'HEAD' ? undefined : '"Rex"');
  }).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const report = await verify({ base, contract, key: '', seed: 3, runs: 3, write: true });
  expect(report.findings).toEqual([]);
});

test('a call without a parameter has the response of a call with its default', async () => {
  const status = { name: 'status', in: 'query', schema: { type: 'string', enum: ['new', 'sold'], default: 'new' } };
  const words = { type: 'array', items: { type: 'string' } };
  const report = await verified(
    contractOf({ '/pets': { get: { operationId: 'findPets', parameters: [status], responses: ok(words) } } }),
  );
  expect(report.findings).toEqual([]);
});

test('a link that leads to no operation ends no run', async () => {
  const link = { operationId: 'removedOperation', parameters: { id: '$response.body#/x' } };
  const report = await verified(
    contractOf({
      '/points': {
        get: { operationId: 'getPoint', responses: { 200: { description: 'It.', ...json(point), links: { link } } } },
      },
    }),
    2,
  );
  expect(report).toMatchObject({ findings: [], unsupported: [], operations: [{ id: 'getPoint' }] });
});
