/** `npm run new`: a project with another contract, from its first file to a running service. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../support/folder.ts';
import { runsAll } from '../../support/rounds.ts';
import { museumFiles } from './museum.ts';
import { nightlyTest } from '../../support/nightly.ts';

const root = new URL('../../../', import.meta.url).pathname;
const contract = join(root, 'test/fixtures/contracts/museum.yaml');

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** Runs a script of package.json, as npm does, but without a process of npm. */
function script(
  folder: string,
  name: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): ChildProcess {
  return spawn(process.execPath, ['--run', name, '--', ...args], {
    cwd: folder,
    env: { ...process.env, ...env, NODE_ENV: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // `node --run` passes no signal on: they go to its process group.
    detached: true,
  });
}

function ended(child: ChildProcess): Promise<Ended> {
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (out += text.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

const run = (folder: string, name: string, ...args: string[]): Promise<Ended> => ended(script(folder, name, args));

/** The address in the first lines of a server. Rejects where it ends before. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    const read = (text: Buffer): void => {
      out += text.toString();
      const [, url] = /listening on (http:\S+?);/.exec(out) ?? [];
      if (url !== undefined) resolve(url);
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.on('close', (code) => reject(new Error(`the server ended with ${code}: ${out}`)));
  });
}

/** `npm run new` in this repository, with its exit code: `node --run` has no other than 1. */
const newProject = (...args: string[]): Promise<Ended> =>
  ended(
    spawn(process.execPath, ['scripts/spec/new/main.ts', ...args], {
      cwd: root,
      env: { ...process.env, NODE_ENV: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

/** What `spec/README.md` shows: the authenticator, and the commands. */
const document = await readFile(join(root, 'spec/README.md'), 'utf8');
const shown = document.slice(document.indexOf('## A project for another contract'));
const blockOf = (language: string): string => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(shown)?.[1] ?? '';

let parent: Awaited<ReturnType<typeof temporaryFolder>>;
let folder: string;
beforeAll(async () => {
  parent = await temporaryFolder();
  folder = join(parent.path, 'museum');
});
afterAll(() => parent?.dispose());

describe('a wrong call', () => {
  test('without a folder or a contract is refused with the usage', async () => {
    const [noFolder, noContract] = await Promise.all([
      newProject('--spec', contract),
      newProject(join(parent.path, 'other')),
    ]);
    expect(noFolder).toMatchObject({ code: 2, out: expect.stringContaining('name one folder') });
    expect(noContract).toMatchObject({ code: 2, out: expect.stringContaining('--spec FILE') });
  });
  test('with a folder that has files changes nothing', async () => {
    const full = join(parent.path, 'full');
    await mkdir(full);
    await writeFile(join(full, 'notes.txt'), 'mine');
    const { code, out } = await newProject(full, '--spec', contract);
    expect({ code, out }).toMatchObject({ code: 2, out: expect.stringContaining('is not empty') });
    expect(await readdir(full)).toEqual(['notes.txt']);
  });
  nightlyTest('with a contract that is none makes no folder', async () => {
    const broken = join(parent.path, 'broken.yaml');
    await writeFile(broken, 'openapi: 3.1.0\npaths: { a: [ }\n');
    const { code } = await newProject(join(parent.path, 'none'), '--spec', broken);
    expect(code).toBe(1);
    expect(await readdir(parent.path)).not.toContain('none');
  });
});

nightlyTest('the commands of the documentation are those of a new project', async () => {
  const target = join(parent.path, 'commands');
  expect(await newProject(target, '--spec', contract)).toMatchObject({ code: 0 });
  const { scripts } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as { scripts: object };
  const named = Array.from(blockOf('sh').matchAll(/^npm (?:run )?(\S+)/gm), ([, name]) => name);
  expect(named).toEqual(['new', 'install', 'generate', 'scaffold', 'typecheck', 'start', 'verify']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named.slice(2)));
  const readme = await readFile(join(target, 'README.md'), 'utf8');
  expect(readme).toMatch(/^# Redocly Museum API\n/);
  const explained = Array.from(readme.matchAll(/npm (?:run )?([a-z:]+)/g), ([, name = '']) => name);
  expect(new Set(explained)).toEqual(new Set([...Object.keys(scripts), 'install']));
  const places = Array.from(readme.matchAll(/`((?:server|spec)\/[\w./-]+)`/g), ([, place = '']) => place);
  expect(places.filter((place) => !existsSync(join(target, place)))).toEqual([]);
});

nightlyTest('a contract of several files keeps them', async () => {
  const from = join(parent.path, 'parts');
  await mkdir(join(from, 'schemas'), { recursive: true });
  await writeFile(
    join(from, 'api.yaml'),
    `openapi: 3.1.0
info: { title: Parts, version: 1.0.0 }
paths:
  /it:
    get:
      responses:
        '200': { description: it, content: { application/json: { schema: { $ref: './schemas/it.yaml' } } } }
`,
  );
  await writeFile(join(from, 'schemas/it.yaml'), 'type: object\n');
  const target = join(parent.path, 'of-parts');
  expect(await newProject(target, '--spec', join(from, 'api.yaml'))).toMatchObject({ code: 0 });
  expect(await readFile(join(target, 'spec/schemas/it.yaml'), 'utf8')).toBe('type: object\n');
  expect(await readFile(join(target, 'spec/openapi.yaml'), 'utf8')).toContain("$ref: './schemas/it.yaml'");
});

test('the museum, with HTTP Basic, 201, 204 and a picture, runs in a new project', async () => {
  const made = await newProject(folder, '--spec', contract);
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining("security scheme 'MuseumPlaceholderAuth'") });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));

  const refused = await run(folder, 'generate');
  expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/spec\/openapi\.yaml:\d+:5 {2}unsupported/) });
  expect(refused.out).toContain('Fix: add one to server/authenticators.ts');
  expect(await run(folder, 'start')).toEqual({
    code: 1,
    out: 'there is no generated/openapi.json: run `npm run generate` first\n',
  });
  await writeFile(join(folder, 'server/authenticators.ts'), blockOf('ts'));

  for (const command of runsAll ? ['generate', 'scaffold', 'typecheck', 'spec:diff'] : ['generate', 'scaffold'])
    expect({ command, ...(await run(folder, command)) }).toMatchObject({ code: 0 });
  for (const [path, text] of Object.entries(museumFiles)) await writeFile(join(folder, path), text);
  if (runsAll) expect(await run(folder, 'typecheck')).toMatchObject({ code: 0 });

  const staff = 'staff:a-password-of-the-test';
  const server = script(folder, 'start', [], {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
    STAFF: staff,
  });
  const stopped = ended(server);
  try {
    const url = await addressOf(server);
    const authorization = `Basic ${Buffer.from(staff).toString('base64')}`;
    const call = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(url + path, { ...init, headers: { authorization, 'content-type': 'application/json' } });

    const without = await fetch(`${url}/museum-hours`);
    const challenge = 'Basic realm="redocly-museum-api", charset="UTF-8"';
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(without.headers.get('access-control-expose-headers')).toBe(
      'RateLimit,RateLimit-Policy,Retry-After,ETag,X-Request-Id',
    );
    const created = await call('/special-events', {
      method: 'POST',
      body: JSON.stringify({ name: 'A', location: 'B', eventDescription: 'C', dates: ['2026-06-01'], price: 3 }),
    });
    const { eventId } = (await created.json()) as { eventId: string };
    expect(created.status).toBe(201);
    expect((await call(`/special-events/${eventId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await call(`/special-events/${eventId}`)).status).toBe(404);
    const code = await call(`/tickets/${eventId}/qr`);
    expect([code.headers.get('content-type'), (await code.bytes()).length]).toEqual(['image/png', 8]);
    const pages = ['', 'api/getSpecialEvent'].map(async (path) => (await fetch(`${url}/docs/${path}`)).text());
    const docs = (await Promise.all(pages)).join('\n');
    expect(docs).toContain('Redocly Museum API');
    expect(docs).toContain('await client.eventsApi.getSpecialEvent({&quot;eventId&quot;:');
    expect(docs).toMatch(/\/special-events\/[0-9a-f-]{36}&apos; \\\n {2}-u &quot;\$API_KEY&quot;/);
    expect(docs).not.toMatch(/x-api-key|Add key|Social Data|href="[^"]*(?:explore|live|operate)/);
    expect((await fetch(`${url}/ws`)).status).toBe(401);

    const agent = async (method: string, params: object): Promise<{ result: Record<string, unknown> }> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return (await (await call('/mcp', { method: 'POST', body })).json()) as never;
    };
    expect((await fetch(`${url}/mcp`, { method: 'POST' })).headers.get('www-authenticate')).toBe(challenge);
    const { tools } = (await agent('tools/list', {})).result as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['getMuseumHours', 'deleteSpecialEvent']));
    const hours = await agent('tools/call', { name: 'getMuseumHours', arguments: { startDate: '2026-05-02' } });
    expect(hours.result).toMatchObject({ structuredContent: { result: [{ date: '2026-05-02' }] } });
    const missing = await agent('tools/call', { name: 'getSpecialEvent', arguments: {} });
    expect(missing.result).toMatchObject({ isError: true, content: [{ text: "400: parameter 'eventId' is missing" }] });
    const picture = await agent('tools/call', { name: 'getTicketCode', arguments: { ticketId: eventId } });
    expect(picture.result).toMatchObject({ content: [{ resource: { mimeType: 'image/png', blob: 'iVBORw0KGgo=' } }] });
    expect(await (await fetch(`${url}/docs/agents`)).text()).toContain('Basic YOUR_KEY');

    if (!runsAll) return;
    const verified = await run(folder, 'verify', '--runs', '1', '--seed', '1', '--key', staff, '--write', url);
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining(': 0 failures in ') });
  } finally {
    if (server.exitCode === null) process.kill(-server.pid!, 'SIGTERM');
    await stopped;
  }
});
