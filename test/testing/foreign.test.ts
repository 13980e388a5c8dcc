/** The tools work with contracts that know nothing of this project. */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { runDiff } from '../../scripts/spec/diff/main.ts';
import { loadSpec } from '../../scripts/contract-tools/files/load.ts';
import { filesOf } from '../../scripts/contract-tools/files/spec-files.ts';
import { deriveForeign, generateForeign } from '../../scripts/spec/generate-foreign.ts';
import type { Document } from '../../scripts/spec/contract-document.ts';
import { placed } from '../../scripts/spec/contract-document.ts';
import { operationsOf } from '../../scripts/spec/scaffold/operation.ts';
import { scaffoldForeign } from '../../scripts/spec/scaffold/foreign.ts';
import { withOperation } from '../../scripts/spec/scaffold/spec-entry.ts';
import { loadedSpec } from '../../scripts/contract-tools/files/load.ts';
import { ContractMock } from '../../scripts/contract-tools/mock/contract-mock.ts';
import { isServedByApp } from '../../scripts/testing/mock/app.ts';
import { readSpec } from '../../scripts/testing/mock/spec.ts';
import { inTurn } from '../support/rounds.ts';
import { runScript } from '../support/scripts.ts';
import type { Report } from '../../scripts/contract-tools/verify/verify.ts';
import { verify } from '../../scripts/testing/verify/verify.ts';
import { nightlyTest } from '../support/nightly.ts';

const contracts = new URL('../fixtures/contracts/', import.meta.url).pathname;
const library = join(contracts, 'library.yaml');
const timetable = join(contracts, 'timetable.json');
/** Published contracts, which are not part of this repository. */
const published = new URL('../../../shared/upstream/', import.meta.url).pathname;
const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections();
});

const options = { seed: 1, items: undefined, delayMs: 0 };
async function serve(mock: ContractMock): Promise<string> {
  const server = createServer(mock.handle).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function mocked(file: string, apiKeys: string[] = []): Promise<{ mock: ContractMock; url: string }> {
  const mock = new ContractMock(await readSpec(file), { ...options, apiKeys });
  return { mock, url: await serve(mock) };
}
const verified = (
  { mock, url }: { mock: ContractMock; url: string },
  key: string,
  operations: string[] = [],
): Promise<Report> => verify({ base: url, contract: mock.contract, key, seed: 7, runs: 8, write: true, operations });
const basic = (pair: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
});

test('the mock of a contract with Basic keeps to it, as verify finds', async () => {
  const it = await mocked(library, ['ann:secret']);
  const report = await verified(it, 'ann:secret');
  expect(report.findings).toEqual([]);
  expect(report.operations.map(({ id }) => id)).toEqual([
    'list-books',
    'add-book',
    'get-book',
    'remove-book',
    'get-cover',
    'replace-catalogue',
  ]);
  expect(report.operations.every(({ checks }) => checks > 20)).toBe(true);
  expect(report.unsupported).toEqual([]);
});

nightlyTest('the mock of a contract in 3.0 with OAuth 2, bearer tokens and default responses keeps to it', async () => {
  const it = await mocked(timetable, ['token-1']);
  const report = await verified(it, 'token-1');
  expect(report.findings).toEqual([]);
  expect(report.operations.map(({ id }) => id)).toEqual(['findLines', 'getLine']);
  expect(report.unsupported).toMatchObject([{ operation: 'sealLine', pointer: '/components/securitySchemes/signed' }]);
});

test.each([
  ['no credentials', '/books?shelf=A1', {}, 401, /API key is missing/],
  ['wrong credentials', '/books?shelf=A1', basic('ann:guess'), 401, /credentials are wrong/],
  ['a value outside of the enumeration', '/books?shelf=A1&topics=art,war', basic('ann:secret'), 400, /'topics'/],
  ['a path value of another form', '/books/12', basic('ann:secret'), 400, /another isbn/],
  ['below the base path', '/lending/v1/books?shelf=A1&topics=art,sea', basic('ann:secret'), 200, undefined],
  ['an operation that is public', '/books/9780000000001/cover', {}, 200, undefined],
  ['an unknown path', '/shelves', basic('ann:secret'), 404, /no path/],
] as const)('the mock answers %s', async (_, path, headers, status, reason) => {
  const { url } = await mocked(library, ['ann:secret']);
  const response = await fetch(url + path, { headers });
  expect(response.status).toBe(status);
  if (reason === undefined) expect(response.headers.get('mock-reason')).toBeNull();
  else expect(response.headers.get('mock-reason')).toMatch(reason);
  if (status === 401) expect(response.headers.get('www-authenticate')).toBe('Basic realm="mock"');
  if (status === 400) expect(response.headers.get('content-type')).toBe('application/problem+json');
});

nightlyTest('verify finds the faults of a server with paths and Basic', async () => {
  const { mock, url } = await mocked(library, ['ann:secret']);
  const faulty = createServer((request, response) => {
    // Another status for a book, no check of the credentials of a removal, and a body that violates the schema.
    const isBook = /^\/books\/\d{13}$/.test(request.url ?? '');
    if (isBook && request.method === 'DELETE') return void response.writeHead(204).end();
    if (isBook && request.method === 'GET' && request.headers.authorization !== undefined)
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"isbn":"9780000000001","title":"Tides"}');
    mock.handle(request, response);
  });
  faulty.listen(0, '127.0.0.1');
  open.push(faulty);
  await once(faulty, 'listening');
  const { findings } = await verify({
    ...{
      base: `http://127.0.0.1:${(faulty.address() as AddressInfo).port}`,
      contract: mock.contract,
      key: 'ann:secret',
    },
    ...{ seed: 7, runs: 0, write: true, operations: ['get-book', 'remove-book'] },
  });
  const found = findings.map(({ check, operations: [id] }) => `${check} ${id}`);
  expect(found).toContain('schema get-book');
  expect(found).toContain('status remove-book');
  const removal = findings.find(({ check, operations: [id] }) => check === 'status' && id === 'remove-book');
  expect(removal?.expected).toMatch(/^401/);
  expect(findings[0]?.curl[0]).toContain('-u "$API_KEY"');
  expect(url).not.toContain('books');
});

test('a path whose parameter is empty may be no path of the contract', async () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
  const body = { type: 'object', required: ['pin'], properties: { pin: { type: 'string' } } };
  const post = {
    ...{ operationId: 'open-room', parameters: [id] },
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { 204: { description: 'It is open.' }, 400: { description: 'The call is wrong.' } },
  };
  const folder = await mkdtemp(join(tmpdir(), 'foreign-'));
  try {
    const file = join(folder, 'rooms.json');
    const info = { title: 'Rooms', version: '1.0.0' };
    await writeFile(file, JSON.stringify({ openapi: '3.1.0', info, paths: { '/rooms/{id}/door': { post } } }));
    const { mock, url } = await mocked(file);
    const report = await verify({ base: url, contract: mock.contract, key: '', seed: 7, runs: 150 });
    expect(report.findings).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['library.yaml', library],
  ['timetable.json', timetable],
])('generate makes types, a client and mocks of %s', async (_, file) => {
  const spec = await loadSpec(file, filesOf('/'));
  const { files, unsupported } = await deriveForeign(spec.value as Document);
  const ids = placed(spec.value as Document).map(({ operation }) => operation.operationId);
  const left = unsupported.map(({ message }) => message.split(':')[0]);
  for (const id of ids.filter((each) => !left.includes(each))) expect(files['client.ts']).toContain(id);
  expect(files['types.ts']).toContain('export type paths');
  for (const error of unsupported) expect(spec.place(error.pointer).line).toBeGreaterThan(1);
  expect(left).toEqual([]);
});

test('the gate compares versions of foreign contracts, in 3.0 too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foreign-'));
  try {
    const [before, after] = [join(folder, 'before.json'), join(folder, 'after.json')];
    const text = await readFile(timetable, 'utf8');
    await writeFile(before, text);
    await writeFile(
      after,
      text.replace('"nullable": true, "enum"', '"enum"').replace('"maximum": 100', '"maximum": 10'),
    );
    const { code, out } = await runDiff(['--format', 'json', before, after], folder);
    const { findings } = JSON.parse(out) as { findings: { rule: string; level: string }[] };
    expect(code).toBe(1);
    expect(findings.filter(({ level }) => level === 'breaking').map(({ rule }) => rule)).toContain('maximum-tightened');
    expect(await runDiff([before, before], folder)).toMatchObject({ code: 0, err: '' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('scaffold lists the operations of a foreign contract, and adds one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foreign-'));
  try {
    const file = join(folder, 'library.yaml');
    await writeFile(file, await readFile(library, 'utf8'));
    const lines = await scaffoldForeign(file, 'GET /books/{isbn}/loans', false);
    expect(lines[0]).toMatch(/^added getBooksLoans to /);
    expect(lines).toContain(
      'list-books  GET /books  (shelf: string, topics?: ("art" | "sea" | "law")[], page: number)',
    );
    expect(lines).toContain('add-book  POST /books  (a body: NewBook)');
    const [, , ...operations] = lines;
    expect(await scaffoldForeign(file, undefined, true)).toEqual(operations);
    await expect(scaffoldForeign(timetable, 'GET /2/stops', true)).rejects.toThrow(
      'has no `paths` that an operation can be added to',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('scaffold reads a foreign contract, and adds an operation to it', async () => {
  const text = await readFile(library, 'utf8');
  const spec = loadedSpec({ entry: 'library.yaml', texts: new Map([['library.yaml', text]]) });
  expect(operationsOf(spec.value as Document).map(({ id }) => id)).toContain('get-book');
  const { text: extended, operationId } = withOperation(text, 'GET /books/{isbn}/loans');
  const added = loadedSpec({ entry: 'library.yaml', texts: new Map([['library.yaml', extended]]) });
  expect(placed(added.value as Document).map(({ operation }) => operation.operationId)).toContain(operationId);
});

test('the app of the service serves only contracts with its keys and errors', async () => {
  const own = await readSpec(new URL('../../spec/openapi.yaml', import.meta.url).pathname);
  expect(isServedByApp(own.document)).toBe(true);
  for (const file of [library, timetable]) expect(isServedByApp((await readSpec(file)).document)).toBe(false);
});

/** Some operations of the published contract of X; all of them take minutes. */
const x = join(published, 'x-api-v2/openapi-2.167-post-dialect.json');
(existsSync(x) ? nightlyTest : test.skip)('the tools work with a part of the published contract of X', async () => {
  const document = JSON.parse(await readFile(x, 'utf8')) as Document;
  const wanted = ['/2/tweets', '/2/tweets/{id}', '/2/users/by/username/{username}', '/2/tweets/search/recent'];
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => wanted.includes(path)));
  expect(Object.keys(document.paths).length).toBeGreaterThan(2);
  const folder = await mkdtemp(join(tmpdir(), 'foreign-x-'));
  try {
    const file = join(folder, 'x.json');
    await writeFile(file, JSON.stringify(document, null, 1));
    const { url } = await mocked(file, ['token-1']);
    const read = async (path: string, token: string): Promise<[number, string | null]> => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      return [response.status, response.headers.get('mock-reason')];
    };
    expect(await read('/2/tweets/20', 'token-1')).toEqual([200, null]);
    expect(await read('/2/tweets/20?tweet.fields=no', 'token-2')).toEqual([401, expect.any(String)]);
    expect(await read('/2/tweets/twenty', 'token-1')).toEqual([400, expect.stringContaining('another id')]);
    const spec = await loadSpec(file, filesOf('/'));
    const { files, unsupported } = await deriveForeign(spec.value as Document);
    expect(unsupported).toEqual([]);
    expect(files['client.ts']).toContain('getPostsById');
    expect(await runDiff([file, file], folder)).toMatchObject({ code: 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
});

const publishedFiles = [join(contracts, 'museum.yaml'), join(published, 'contracts/train-travel.yaml')].filter(
  existsSync,
);
for (const file of inTurn(publishedFiles, 1)) {
  const name = basename(file, '.yaml');
  nightlyTest(`the six tools work with the published contract ${name}`, async () => {
    expect(await generateForeign(file, undefined)).toBe(true);
    const operations = await scaffoldForeign(file, undefined, true);
    const it = await mocked(file, ['ann:secret']);
    const report = await verify({
      ...{ base: it.url, contract: it.mock.contract, key: 'ann:secret', seed: 7, runs: 0, write: true },
    });
    expect(report).toMatchObject({ findings: [], unsupported: [] });
    expect(operations).toHaveLength(report.operations.length);
    const spec = await loadSpec(file, filesOf('/'));
    expect((await deriveForeign(spec.value as Document)).unsupported).toEqual([]);
    expect(await runDiff([file, file], '/')).toMatchObject({ code: 0 });
  });
}

nightlyTest('a file that is no OpenAPI has its place; keywords of 3.1 in a document of 3.0 are a warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foreign-kinds-'));
  const generated = (document: object): ReturnType<typeof runScript> => {
    writeFileSync(join(folder, 'contract.json'), JSON.stringify(document, null, 1));
    return runScript(
      new URL('../../', import.meta.url).pathname,
      'scripts/spec/generate.ts',
      '--spec',
      join(folder, 'contract.json'),
    );
  };
  try {
    for (const document of [{ output: [] }, { openapi: 3.1, info: {}, paths: {} }]) {
      const { code, err } = await generated(document);
      expect(code).toBe(1);
      expect(err).toMatch(/contract\.json:1:1 {2}struct\n {2}This is no description in OpenAPI 3:[^]*Fix: begin with/);
      expect(err).not.toContain(' at ');
    }
    const text = { schema: { type: 'string', examples: ['a'] } };
    const { code, err, out } = await generated({
      openapi: '3.0.3',
      info: { title: 'Old', version: '1' },
      paths: {
        '/things': {
          get: {
            operationId: 'listThings',
            summary: 'Things',
            parameters: [{ name: 'q', in: 'query', ...text }],
            responses: { 200: { description: 'Things.', content: { 'application/json': text } } },
          },
        },
      },
    });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('no faults') });
    expect(err).toContain('Property `examples` is not expected here');
  } finally {
    await rm(folder, { recursive: true });
  }
});
