/** `npm run generate -- --spec … --out …` writes a client that type checks and runs, with the package of the client as its runtime. */
import { copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildScripts } from '../../client/build.ts';
import { generateForeign } from '../../scripts/spec/generate-foreign.ts';
import { ContractMock } from '../../scripts/contract-tools/mock/contract-mock.ts';
import { readSpec } from '../../scripts/testing/mock/spec.ts';
import { temporaryFolder } from '../support/folder.ts';
import { root, runIn, runTool } from '../support/packed.ts';

const museum = join(root, 'test/fixtures/contracts/museum.yaml');

/** A contract without components and operationIds, with names that collide. */
const shelf = {
  openapi: '3.1.0',
  info: { title: 'Shelf', version: '1.0.0' },
  paths: {
    '/shelves/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        parameters: [
          { name: 'tags', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
          { name: 'level', in: 'query', schema: { type: 'integer', enum: [1, 2] } },
          { name: 'id', in: 'query', schema: { type: 'boolean' } },
        ],
        responses: {
          200: {
            description: 'Its labels.',
            content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } }, example: ['a'] } },
          },
        },
      },
      put: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: { id: { type: 'string' } } } } },
        },
        responses: { 204: { description: 'Replaced.' } },
      },
    },
  },
};

/** What the client answers and what it sends; what must not compile is marked. */
const app = (base: string): string => `
import { createClient } from './museum/index.ts';
import { createClient as createShelf } from './shelf/index.ts';
const client = createClient({ baseUrl: '${base}', apiKey: 'ann:secret', retry: false });
const hours = await client.operations.getMuseumHours({ limit: 2 });
const day: string = hours[0]!.date;
const event = await client.eventsApi.createSpecialEvent({
  name: 'Mermaid Treasure', location: 'Hall', eventDescription: 'A night.', dates: ['2026-11-28'], price: 0,
});
const gone: void = await client.eventsApi.deleteSpecialEvent({ eventId: event.eventId! });
const { response } = await client.eventsApi.listSpecialEvents().withResponse();
const code = await client.tickets.getTicketCode({ ticketId: event.eventId! });
const urls: string[] = [];
const shelf = createShelf({
  baseUrl: 'http://shelf.test',
  fetch: async (url, init) => {
    urls.push(init.method + ' ' + url.slice(17) + ' ' + String(init.body ?? ''));
    return init.method === 'PUT' ? new Response(null, { status: 204 }) : Response.json(['a']);
  },
});
const labels: string[] = await shelf.api.getShelvesId({ id: 'a/b', tags: ['x,y', 'z'], level: 2, query_id: true });
const nothing: void = await shelf.api.putShelvesId({ id: '1', body: { id: '2' } });
export async function whatMustNotCompile() {
  // @ts-expect-error: the enumeration has the numbers 1 and 2
  await shelf.api.getShelvesId({ id: '1', level: '1' });
  // @ts-expect-error: a list of texts
  await shelf.api.getShelvesId({ id: '1', tags: 'x' });
  // @ts-expect-error: missing
  await client.eventsApi.getSpecialEvent({});
}
console.log(JSON.stringify({ day, event: event.name, gone, status: response.status, code: code !== undefined, urls, labels, nothing }));
`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Server;
beforeAll(async () => {
  folder = await temporaryFolder();
  const mock = new ContractMock(await readSpec(museum), {
    seed: 1,
    items: undefined,
    delayMs: 0,
    apiKeys: ['ann:secret'],
  });
  server = createServer(mock.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = (path: string): string => join(folder.path, path);
  await writeFile(at('shelf.json'), JSON.stringify(shelf));
  expect(await generateForeign(museum, at('museum'))).toBe(true);
  expect(await generateForeign(at('shelf.json'), at('shelf'))).toBe(true);
  const installed = at('node_modules/@social-data/client');
  await mkdir(installed, { recursive: true });
  await copyFile(join(root, 'client/package.json'), join(installed, 'package.json'));
  await buildScripts(join(installed, 'dist'));
  for (const name of await readdir(join(root, 'node_modules')))
    if (name.startsWith('openapi-')) await symlink(join(root, 'node_modules', name), at(`node_modules/${name}`));
  await writeFile(at('package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(at('app.ts'), app(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
});
afterAll(async () => {
  server?.close().closeAllConnections();
  await folder?.dispose();
});

test('the clients of two contracts call their services', async () => {
  expect(JSON.parse(await runIn(folder.path, process.execPath, ['app.ts']))).toEqual({
    day: expect.any(String) as unknown,
    event: expect.any(String) as unknown,
    status: 200,
    code: true,
    urls: ['GET /shelves/a%2Fb?level=2&tags=x%2Cy,z&id=true ', 'PUT /shelves/1 {"id":"2"}'],
    labels: ['a'],
  });
});

test('the clients type check, and a wrong call does not', async () => {
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    module: 'esnext',
    target: 'es2022',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    exactOptionalPropertyTypes: true,
    paths: { '@social-data/client/runtime': [join(root, 'client/src/runtime.ts')] },
  };
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['app.ts'] }));
  await runTool(folder.path, 'typescript-native/bin/tsc', '-p', '.');
});
