/**
 * Builds the package into dist/: JavaScript by esbuild, as ES modules and as CommonJS, and its types by rollup, each with
 * everything of generated/ that it needs, so that the package stands by itself.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const folder = new URL('./', import.meta.url).pathname;
const dependencies = ['openapi-fetch', 'msw'];
/** What is imported as `@social-data/client` and `@social-data/client/…`. */
const entries = ['index', 'errors', 'msw'];
const source = (name: string): string => `${folder}src/${name}.ts`;
const common = { bundle: true, target: 'es2022', external: dependencies, legalComments: 'none' } as const;

/** What is loaded on demand stays a file of its own. */
const onDemand = (extension: string): Plugin => ({
  name: 'on demand',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: path.replace(/\.ts$/, extension), external: true } : undefined,
    ),
});

/**
 * Writes the JavaScript. Every entry has its own copy of the errors, which are the same to `instanceof`: a file that all shared would
 * cost every app more than the copy costs those that listen to events.
 */
export async function buildScripts(dist: string): Promise<void> {
  const entryPoints = [...entries, 'events'].map(source);
  await Promise.all([
    build({ ...common, entryPoints, outdir: dist, format: 'esm', platform: 'neutral', plugins: [onDemand('.js')] }),
    // By `require`: Jest runs no `import()` in CommonJS.
    build({
      ...common,
      entryPoints,
      outdir: dist,
      format: 'cjs',
      platform: 'node',
      supported: { 'dynamic-import': false },
      outExtension: { '.js': '.cjs' },
      plugins: [onDemand('.cjs')],
    }),
  ]);
}

async function buildTypes(dist: string): Promise<void> {
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, source(name)])),
    external: dependencies,
    plugins: [dts({ tsconfig: `${folder}tsconfig.json` })],
  });
  await bundle.write({ dir: dist, format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: 'contract.d.ts' });
  // CommonJS callers need types of their own, which say the same (TypeScript, "Modules - Reference", `exports`).
  for (const name of (await readdir(dist)).filter((found) => found.endsWith('.d.ts'))) {
    const text = await readFile(`${dist}/${name}`, 'utf8');
    await writeFile(`${dist}/${name.replace(/\.d\.ts$/, '.d.cts')}`, text.replace(/(from '\.\/\w+)\.js'/g, "$1.cjs'"));
  }
}

if (import.meta.main) {
  const dist = `${folder}dist`;
  await rm(dist, { recursive: true, force: true });
  await Promise.all([buildScripts(dist), buildTypes(dist)]);
}
