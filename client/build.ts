/**
 * Builds the package into dist/. esbuild writes the JavaScript as ES modules and as CommonJS; rollup writes the types.
 * Both bundle the parts of generated/ that the package imports, so the package has no dependency on this repository.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const folder = new URL('./', import.meta.url).pathname;
const dependencies = ['openapi-fetch', 'msw'];
/** The entry points of the package: `@social-data/client` and `@social-data/client/…`. */
const entries = ['index', 'errors', 'msw'];
const source = (name: string): string => `${folder}src/${name}.ts`;
const common = { bundle: true, target: 'es2022', external: dependencies, legalComments: 'none' } as const;

/** Leaves modules that `import()` loads as separate files instead of bundling them. */
const externalizeDynamicImports = (extension: string): Plugin => ({
  name: 'externalize-dynamic-imports',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: path.replace(/\.ts$/, extension), external: true } : undefined,
    ),
});

/**
 * Writes the JavaScript. Each entry bundles its own copy of the error classes; `instanceof` accepts errors of every copy.
 * A shared file would cost every app an additional request; the copies cost only the apps that load `events`.
 */
export async function buildScripts(dist: string): Promise<void> {
  const entryPoints = [...entries, 'events'].map(source);
  await Promise.all([
    build({
      ...common,
      entryPoints,
      outdir: dist,
      format: 'esm',
      platform: 'neutral',
      plugins: [externalizeDynamicImports('.js')],
    }),
    // CommonJS loads `events` with `require`, because Jest does not support `import()` in CommonJS.
    build({
      ...common,
      entryPoints,
      outdir: dist,
      format: 'cjs',
      platform: 'node',
      supported: { 'dynamic-import': false },
      outExtension: { '.js': '.cjs' },
      plugins: [externalizeDynamicImports('.cjs')],
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
  // CommonJS callers need their own type files with the same content (TypeScript, "Modules - Reference", `exports`).
  for (const name of (await readdir(dist)).filter((file) => file.endsWith('.d.ts'))) {
    const text = await readFile(`${dist}/${name}`, 'utf8');
    await writeFile(`${dist}/${name.replace(/\.d\.ts$/, '.d.cts')}`, text.replace(/(from '\.\/\w+)\.js'/g, "$1.cjs'"));
  }
}

if (import.meta.main) {
  const dist = `${folder}dist`;
  await rm(dist, { recursive: true, force: true });
  await Promise.all([buildScripts(dist), buildTypes(dist)]);
}
