import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildScripts } from '../../client/build.ts';
import { root, runTool } from '../support/packed.ts';
import { temporaryFolder } from '../support/folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await copyFile(join(root, 'client/package.json'), join(folder.path, 'package.json'));
  await buildScripts(join(folder.path, 'dist'));
});
afterAll(() => folder?.dispose());

interface Sizes {
  /** Bytes of what a browser loads at once, minified and gzipped. */
  readonly atOnce: number;
  /** Bytes of what it loads on demand, by module. */
  readonly onDemand: Readonly<Record<string, number>>;
}

/** The sizes of an app that uses these exports. */
async function sizesOf(imported: string, use: string, file = 'index.js', ofIndex = ''): Promise<Sizes> {
  const index = ofIndex === '' ? '' : `import { ${ofIndex} } from './dist/index.js';`;
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `import { ${imported} } from './dist/${file}'; ${index} globalThis.used = ${use};`,
      resolveDir: folder.path,
    },
    external: ['react'],
    nodePaths: [join(root, 'node_modules')],
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    // Names of chunks are hashes of relative paths: the sizes do not depend on the name of the folder.
    absWorkingDir: folder.path,
    outdir: 'out',
  });
  const bytes = (path: string): number => {
    const found = outputFiles.find((each) => each.path === join(folder.path, path));
    return found === undefined ? 0 : gzipSync(found.contents, { level: 9 }).length;
  };
  /** A file with all that it imports at once. */
  const closure = (path: string, found = new Set<string>()): Set<string> => {
    if (found.has(path)) return found;
    found.add(path);
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? [])
      if (kind === 'import-statement') closure(next, found);
    return found;
  };
  const total = (paths: Iterable<string>): number => Array.from(paths, bytes).reduce((sum, each) => sum + each, 0);
  const entry = Object.keys(metafile.outputs).find((path) => path.endsWith('stdin.js')) ?? '';
  const first = closure(entry);
  const lazy = Object.entries(metafile.outputs).filter(([path, { entryPoint }]) => path !== entry && entryPoint);
  return {
    atOnce: total(first),
    onDemand: Object.fromEntries(
      lazy.map(([path]) => [
        basename(metafile.outputs[path]?.entryPoint ?? path, '.js'),
        total([...closure(path)].filter((each) => !first.has(each))),
      ]),
    ),
  };
}

/** The maximum size of each part that loads on demand, in bytes. `events` has the connection, which `ask` uses too. */
const budgets = {
  ask: 1_000,
  cache: 300,
  coalesce: 300,
  diagnostics: 250,
  'error-of': 1_500,
  events: 2_700,
  'fetch-client': 6_000,
  follow: 500,
  'key-source': 400,
  'node-socket': 450,
  paging: 600,
};

test('a client has at most 7.4 kB; all other parts load on demand, each within its budget', async () => {
  const { atOnce, onDemand } = await sizesOf('createClient', "createClient({ baseUrl: '' })");
  expect(atOnce).toBeLessThanOrEqual(7_400);
  expect(Object.keys(onDemand).sort()).toEqual(Object.keys(budgets));
  expect(Object.entries(onDemand).filter(([name, size]) => size > budgets[name as keyof typeof budgets])).toEqual([]);
  expect(onDemand['events']).toBeGreaterThan(1_000);
});

test('postUrl costs at most 400 bytes more', async () => {
  const { atOnce: alone } = await sizesOf('createClient', "createClient({ baseUrl: '' })");
  const { atOnce: both } = await sizesOf('createClient, postUrl', "[createClient({ baseUrl: '' }), postUrl]");
  expect(both).toBeGreaterThan(alone);
  expect(both).toBeLessThanOrEqual(alone + 400);
});

test('postUrl alone has at most 0.5 kB in an app that Vite builds', async () => {
  const app = join(folder.path, 'post-url');
  await mkdir(app, { recursive: true });
  const program = "import { postUrl } from '../dist/index.js'; document.title = postUrl(JSON.parse(document.title));";
  await writeFile(join(app, 'main.js'), program);
  await writeFile(join(app, 'index.html'), '<script type="module" src="./main.js"></script>');
  // A script of Vite itself, for browsers that preload no modules.
  const settings = 'export default { build: { modulePreload: { polyfill: false } } };';
  await writeFile(join(app, 'vite.config.js'), settings);
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  await runTool(app, 'vite/bin/vite.js', 'build', '--logLevel', 'error');
  const assets = join(app, 'dist/assets');
  // The other files load on demand: nothing imports them at once.
  const loaded = (await readdir(assets)).filter((name) => name.startsWith('index-'));
  const texts = await Promise.all(loaded.map((name) => readFile(join(assets, name), 'utf8')));
  expect(texts).toEqual([expect.stringContaining('https://bsky.app/profile/')]);
  expect(texts[0]).not.toMatch(/\bimport\b/);
  expect(gzipSync(texts[0]!, { level: 9 }).length).toBeLessThanOrEqual(500);
});

test('an app that only imports errors has at most 1 kB', async () => {
  const { atOnce, onDemand } = await sizesOf(
    'RateLimitError',
    '(error) => error instanceof RateLimitError',
    'errors.js',
  );
  expect(atOnce).toBeLessThanOrEqual(1_000);
  expect(onDemand).toEqual({});
});

test('the validator has at most 3.9 kB, and is no part of a client', async () => {
  const { atOnce, onDemand } = await sizesOf('validate', 'validate', 'validate.js');
  expect(atOnce).toBeLessThanOrEqual(3_900);
  expect(onDemand).toEqual({});
});

test('the entry for React has at most 0.7 kB beside the client', async () => {
  const { atOnce: alone } = await sizesOf('createClient', "createClient({ baseUrl: '' })");
  const { atOnce } = await sizesOf(
    'createQueries, useEvents',
    "[createQueries(createClient({ baseUrl: '' })), useEvents]",
    'react.js',
    'createClient',
  );
  expect(atOnce).toBeGreaterThan(alone);
  expect(atOnce).toBeLessThanOrEqual(alone + 700);
});
