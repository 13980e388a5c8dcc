import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildScripts } from '../../client/build.ts';
import { root } from '../support/packed.ts';
import { temporaryFolder } from '../support/folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await copyFile(join(root, 'client/package.json'), join(folder.path, 'package.json'));
  await buildScripts(join(folder.path, 'dist'));
});
afterAll(() => folder?.dispose());

/** Bytes of each file that a bundle for a browser consists of, minified and gzipped: the first is loaded at once, the others on demand. */
async function sizesOf(imported: string, use: string, file = 'index.js'): Promise<number[]> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${imported} } from '${folder.path}/dist/${file}'; globalThis.used = ${use};`,
      resolveDir: '/',
    },
    nodePaths: [join(root, 'node_modules')],
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    platform: 'browser',
    target: 'es2022',
    write: false,
    outdir: '/out',
  });
  return outputFiles.map(({ contents }) => gzipSync(contents, { level: 9 }).length);
}

test('a client has at most 6 kB, and at most 9 kB with events', async () => {
  const [first, onDemand, ...others] = await sizesOf('createClient', "createClient({ baseUrl: '' })");
  expect(others).toEqual([]);
  expect(first).toBeLessThanOrEqual(6_000);
  expect(onDemand).toBeGreaterThan(1_000);
  expect(first! + onDemand!).toBeLessThanOrEqual(9_000);
});

test('postUrl costs at most 400 bytes more', async () => {
  const [alone = 0] = await sizesOf('createClient', "createClient({ baseUrl: '' })");
  const [both = 0] = await sizesOf('createClient, postUrl', "[createClient({ baseUrl: '' }), postUrl]");
  expect(both).toBeGreaterThan(alone);
  expect(both).toBeLessThanOrEqual(alone + 400);
});

test('an app that only imports errors does not bundle the client', async () => {
  expect(
    (await sizesOf('RateLimitError', '(error) => error instanceof RateLimitError', 'errors.js'))[0],
  ).toBeLessThanOrEqual(700);
});
