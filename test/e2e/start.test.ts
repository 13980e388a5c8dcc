/** What a start does not need is not loaded for it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startServer, temporaryFolder } from '../support/server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.dispose());

/** The modules that a server loads from its start to its end, after these requests. */
async function loadedFor(paths: readonly string[]): Promise<string[]> {
  const LOADED_FILE = join(folder.path, 'loaded.json');
  const NODE_OPTIONS = `--import ${new URL('preload/loaded.ts', import.meta.url).href}`;
  const server = await startServer(join(folder.path, 'data'), { DEMO: '0', NODE_OPTIONS, LOADED_FILE });
  for (const path of paths) expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
  expect(await server.end()).toBe(0);
  return JSON.parse(await readFile(LOADED_FILE, 'utf8')) as string[];
}
/** Parts that only some requests, imports or settings need. */
const parts = [
  '/openai/',
  '/marked/',
  '/twitter-text/',
  '/json-schema-ref-parser/',
  '/pages/operations/page.ts',
  '/pages/live/page.ts',
];
const among = (loaded: readonly string[]): string[] => parts.filter((part) => loaded.some((url) => url.includes(part)));

test('a start does not load pages, import formats or unused providers', async () => {
  const loaded = await loadedFor(['/readyz']);
  expect(loaded.some((url) => url.endsWith('/server/main.ts'))).toBe(true);
  expect(among(loaded)).toEqual([]);
});

test('loads a page at its first request', async () => {
  expect(among(await loadedFor(['/docs/operations', '/docs/operations']))).toEqual([
    '/marked/',
    '/pages/operations/page.ts',
  ]);
});
