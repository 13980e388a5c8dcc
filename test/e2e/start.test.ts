/** What a start does not need is not loaded for it, and it says at once that it starts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { nightlyTest } from '../support/nightly.ts';
import { run, startServer, temporaryFolder } from '../support/server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.dispose());

/** The modules that a server loads from its start to its end, after these requests. */
async function loadedFor(paths: readonly string[]): Promise<string[]> {
  const LOADED_FILE = join(folder.path, 'loaded.json');
  const NODE_OPTIONS = `--import ${new URL('preload/loaded.ts', import.meta.url).href}`;
  const server = await startServer(join(folder.path, 'data'), { DEMO: '0', NODE_OPTIONS, LOADED_FILE });
  for (const path of paths) expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
  expect(server.output()).toMatch(/^starting Social Data \d+\.\d+\.\d+ with the data in .*data\n/);
  expect(await server.end()).toBe(0);
  return JSON.parse(await readFile(LOADED_FILE, 'utf8')) as string[];
}
/** Parts that only some requests, imports or settings need. */
const parts = [
  '/openai/',
  '/marked/',
  '/turndown/',
  '/json-schema-ref-parser/',
  '/pages/operations/page.ts',
  '/pages/live/page.ts',
  '/server/follow/follower.ts',
  '/server/follow/bluesky/',
  '/server/follow/x/',
];
const among = (loaded: readonly string[]): string[] => parts.filter((part) => loaded.some((url) => url.includes(part)));

nightlyTest('a start does not load pages, import formats or unused providers', async () => {
  const loaded = await loadedFor(['/readyz']);
  expect(loaded.some((url) => url.endsWith('/server/main.ts'))).toBe(true);
  expect(among(loaded)).toEqual([]);
});

test('a server that follows nothing opens no connection and resolves no name', async () => {
  const OUTGOING_FILE = join(folder.path, 'outgoing.json');
  const NODE_OPTIONS = `--import ${new URL('preload/outgoing.ts', import.meta.url).href}`;
  const env = { DEMO: '0', NODE_OPTIONS, OUTGOING_FILE };
  const outgoing = async (): Promise<string[]> => JSON.parse(await readFile(OUTGOING_FILE, 'utf8')) as string[];
  const server = await startServer(join(folder.path, 'quiet'), env);
  for (const path of ['/readyz', '/live/following', '/metrics']) await (await fetch(server.url + path)).text();
  expect(await server.end()).toBe(0);
  // The address to listen on is no name.
  expect((await outgoing()).filter((asked) => asked !== 'lookup "127.0.0.1"')).toEqual([]);
  // The recorder sees what a process asks for.
  const fetching = `--import=data:text/javascript,${encodeURIComponent("await fetch('http://localhost:65535/').catch(() => {})")}`;
  await run('server/main.ts', ['--help'], { ...env, NODE_OPTIONS: `${NODE_OPTIONS} ${fetching}` });
  expect((await outgoing()).length).toBeGreaterThan(0);
});

test('loads a page, and what it needs, at its first request, and says before all else that it starts', async () => {
  const loaded = await loadedFor(['/docs/operations', '/docs/operations']);
  expect(among(loaded)).toEqual(['/marked/', '/pages/operations/page.ts']);
  const before = loaded.slice(0, loaded.indexOf('first output'));
  expect(before.some((url) => url.endsWith('/server/config/config.ts'))).toBe(true);
  expect(before.filter((url) => /\/node_modules\/(express|ajv|openai|@prometheus-io)\//.test(url))).toEqual([]);
  expect(before.some((url) => url.endsWith('/server/compose.ts'))).toBe(false);
});
