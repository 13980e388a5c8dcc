// Not in `npm run test:fast`: it calls servers.
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { ValidationProxy, type Exchange } from '../../../scripts/contract-tools/traffic/proxy.ts';
import { startProxy } from '../../../scripts/contract-tools/traffic/run.ts';
import { readContract } from '../../../scripts/contract-tools/verify/contract.ts';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } }, additionalProperties: false };
const contract = readContract({
  openapi: '3.1.0',
  info: { title: 'Items', version: '1.0.0' },
  servers: [{ url: 'https://items.test/v1' }],
  security: [{ key: [] }, { keyInQuery: [] }],
  paths: {
    '/items/{id}': {
      get: {
        operationId: 'getItem',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
          { name: 'form', in: 'query', schema: { enum: ['short', 'long'] } },
        ],
        responses: { 200: { description: 'One.', ...json(item) }, 404: { description: 'None.' } },
      },
    },
    '/items': {
      post: {
        operationId: 'addItem',
        requestBody: { required: true, ...json(item) },
        responses: { 201: { description: 'Added.', ...json(item) } },
      },
    },
    '/files': {
      put: {
        operationId: 'putFile',
        requestBody: { content: { 'application/octet-stream': {} } },
        responses: { 200: { description: 'The file.', content: { 'application/octet-stream': {} } } },
      },
    },
    '/events': {
      get: {
        operationId: 'events',
        responses: { 200: { description: 'A stream.', content: { 'text/event-stream': {} } } },
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'x-key' },
      keyInQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
    },
  },
});
const secret = 'very-secret-key';
const key = { 'x-key': secret };

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});
async function listen(server: Server): Promise<string> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy in front of a server; `seen` are its judged exchanges. */
async function proxied(handler: RequestListener, maxBody?: number) {
  const seen: Exchange[] = [];
  let wake = Promise.withResolvers<void>();
  const upstream = createServer(handler);
  const proxy = new ValidationProxy({
    contract,
    upstream: await listen(upstream),
    ...(maxBody !== undefined && { maxBody }),
    onExchange(exchange) {
      seen.push(exchange);
      wake.resolve();
    },
  });
  const url = await listen(createServer(proxy.handle).on('upgrade', proxy.upgrade));
  return {
    url,
    proxy,
    upstream,
    /** The exchange with this number. */
    async exchange(number: number): Promise<Exchange> {
      while (seen.length < number) {
        await wake.promise;
        wake = Promise.withResolvers();
      }
      return seen[number - 1]!;
    },
  };
}
const answering =
  (
    status: number,
    body: string,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  };
const sides = ({ violations }: Exchange): string[] => violations.map(({ side, pointer }) => `${side} ${pointer}`);

test('a call and a response that keep to the contract pass unchanged', async () => {
  const { url, exchange, proxy } = await proxied((request, response) => {
    expect(request.url).toBe('/v1/items/7?form=long');
    expect(request.headers).toMatchObject({ 'x-key': secret, 'x-other': 'kept' });
    response.writeHead(200, 'Fine', {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'set-cookie': ['a=1', 'b=2'],
    });
    response.end(gzipSync('{"id":7}'));
  });
  const response = await fetch(`${url}/v1/items/7?form=long`, { headers: { ...key, 'x-other': 'kept' } });
  expect([response.status, response.statusText, await response.json()]).toEqual([200, 'Fine', { id: 7 }]);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await exchange(1)).toMatchObject({ method: 'GET', path: '/items/{id}', status: 200, violations: [] });
  expect((await proxy.report()).violations).toEqual([]);
});

test.each<[string, string, RequestInit, RequestListener, string[]]>([
  ['a missing key', '/items/7', {}, answering(200, '{"id":7}'), ['request /security', 'response /security']],
  [
    'a wrong query',
    '/items/7?form=wide',
    { headers: key },
    answering(404, '', {}),
    ['request /paths/~1items~1{id}/get/parameters/1/schema', 'response /paths/~1items~1{id}/get/parameters/1/schema'],
  ],
  [
    'a wrong path value',
    '/items/0',
    { headers: key },
    answering(404, '', {}),
    ['request /paths/~1items~1{id}/get/parameters/0/schema'],
  ],
  [
    'a wrong body',
    '/items',
    { method: 'POST', headers: { ...key, 'content-type': 'application/json' }, body: '{"id":"7"}' },
    answering(201, '{"id":7}'),
    [
      'request /paths/~1items/post/requestBody/content/application~1json/schema/properties/id/type',
      'response /paths/~1items/post/requestBody/content/application~1json/schema/properties/id/type',
    ],
  ],
  ['an unknown path', '/things', { headers: key }, answering(404, '', {}), ['request /paths']],
  ['an unknown path without a key', '/things', {}, answering(401, '', {}), ['request /paths']],
  [
    'an undeclared status',
    '/items/7',
    { headers: key },
    answering(418, '', {}),
    ['response /paths/~1items~1{id}/get/responses'],
  ],
  [
    'a wrong response body',
    '/items/7',
    { headers: key },
    answering(200, '{"id":"7"}'),
    ['response /paths/~1items~1{id}/get/responses/200/content/application~1json/schema/properties/id/type'],
  ],
  [
    'a wrong media type',
    '/items/7',
    { headers: key },
    answering(200, 'seven', { 'content-type': 'text/plain' }),
    ['response /paths/~1items~1{id}/get/responses/200/content'],
  ],
])('%s is a violation of the side that makes it', async (_, path, init, handler, expected) => {
  const { url, exchange } = await proxied(handler);
  await (await fetch(url + path, init)).arrayBuffer();
  expect(sides(await exchange(1))).toEqual(expected);
});

test('no log, report or answer shows a key', async () => {
  const lines: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'proxy-'));
  try {
    for (const name of ['report.json', 'report.html', 'report.txt']) {
      const upstream = await listen(
        createServer(answering(200, `{"id":"${secret}"}`, { 'content-type': `text/${secret}` })),
      );
      const report = join(folder, name);
      const running = await startProxy({
        contract,
        upstream,
        host: '127.0.0.1',
        port: 0,
        report,
        print: (line) => lines.push(line),
      });
      for (const target of [`/items/${secret}?form=${secret}&api_key=${secret}`, `/items/7?api_key=${secret}`])
        await (
          await fetch(running.url + target, {
            headers: { ...key, authorization: `Bearer ${secret}`, cookie: `session=${secret}` },
          })
        ).text();
      expect(await running.stop()).toBe(false);
      const text = await readFile(report, 'utf8');
      expect(text).toContain('/items/{id}');
      expect(text).toContain('***');
      expect(text).not.toContain(secret);
    }
    expect(lines.join('\n')).toMatch(/VIOLATION[^]*request: [^]*distinct violation/);
    expect(lines.join('\n')).not.toContain(secret);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a run without violations ends well; the report counts equal violations once', async () => {
  const upstream = await listen(createServer(answering(200, '{"id":7}')));
  const lines: string[] = [];
  const start = () =>
    startProxy({
      contract,
      upstream,
      host: '127.0.0.1',
      port: 0,
      report: undefined,
      print: (line) => lines.push(line),
    });
  const clean = await start();
  await (await fetch(`${clean.url}/items/7`, { headers: key })).text();
  expect(await clean.stop()).toBe(true);
  expect(lines.join('\n')).toContain('1 request, 0 distinct violations');
  const broken = await start();
  for (const form of ['a', 'b', 'c'])
    await (await fetch(`${broken.url}/items/7?form=${form}`, { headers: key })).text();
  expect(await broken.stop()).toBe(false);
  expect(lines.join('\n')).toMatch(/1\. request: GET \/items\/\{id\}, 3 times/);
});

test('large bodies pass in both directions, are not kept, and are not judged', async () => {
  const size = 32 << 20;
  const { url, proxy, exchange } = await proxied((request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    request.pipe(response);
  }, 1 << 16);
  const response = await fetch(`${url}/files`, {
    method: 'PUT',
    headers: { ...key, 'content-type': 'application/octet-stream' },
    body: Buffer.alloc(size, 'a'),
  });
  let received = 0;
  for await (const chunk of response.body ?? []) received += chunk.length;
  expect(received).toBe(size);
  expect(sides(await exchange(1))).toEqual([]);
  expect(await proxy.report()).toMatchObject({ notJudged: 1, violations: [] });
});

test('an event stream passes as it comes, and is judged by its start', async () => {
  const more = Promise.withResolvers<void>();
  const { url, exchange } = await proxied(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    await more.promise;
    response.end('data: 2\n\n');
  });
  const response = await fetch(`${url}/events`, { headers: key });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('data: 1\n\n');
  expect(await exchange(1)).toMatchObject({ path: '/events', violations: [] });
  more.resolve();
  expect((await reader.read()).value).toBe('data: 2\n\n');
});

test('a WebSocket passes through', async () => {
  const { url, upstream, proxy } = await proxied(answering(404, '', {}));
  new WebSocketServer({ server: upstream }).on('connection', (socket) =>
    socket.on('message', (data) => socket.send(`echo ${String(data)}`)),
  );
  const socket = new WebSocket(url.replace('http', 'ws'));
  await once(socket, 'open');
  socket.send('hello');
  const [data] = (await once(socket, 'message')) as [Buffer];
  expect(data.toString()).toBe('echo hello');
  expect((await proxy.report()).upgrades).toBe(1);
  const closed = once(socket, 'close');
  proxy.close();
  await closed;
});

test('a server that cannot be reached is a 502 that says nothing of it', async () => {
  const { url, upstream, proxy, exchange } = await proxied(answering(200, '{}'));
  upstream.close();
  const response = await fetch(`${url}/items/7`, { headers: key });
  expect([response.status, await response.json()]).toEqual([
    502,
    { error: 'the server behind the validation proxy did not answer' },
  ]);
  expect(await exchange(1)).toMatchObject({ status: undefined });
  expect(await proxy.report()).toMatchObject({ unanswered: 1 });
});
