/**
 * Builds the package into dist/: JavaScript by esbuild, as ES modules and as CommonJS, and its types by rollup, each with
 * everything of generated/ that it needs, so that the package stands by itself.
 */
import { copyFile, readdir, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const folder = new URL('./', import.meta.url).pathname;
const dist = `${folder}dist`;
const entries = { index: `${folder}src/index.ts` };
const external = ['openapi-fetch'];

await rm(dist, { recursive: true, force: true });
const common = { entryPoints: entries, outdir: dist, bundle: true, target: 'es2022', external, legalComments: 'none' } as const;
await Promise.all([
  build({ ...common, format: 'esm', splitting: true, chunkNames: '[name]-[hash]' }),
  build({ ...common, format: 'cjs', outExtension: { '.js': '.cjs' } }),
  rollup({ input: entries, external, plugins: [dts({ tsconfig: `${folder}tsconfig.json` })] }).then((bundle) =>
    bundle.write({ dir: dist, format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: '[name].d.ts' }),
  ),
]);
// CommonJS callers need types of their own, which say the same (TypeScript, "Modules - Reference", `exports`).
const names = (await readdir(dist)).filter((name) => name.endsWith('.d.ts'));
await Promise.all(names.map((name) => copyFile(`${dist}/${name}`, `${dist}/${name.replace(/\.d\.ts$/, '.d.cts')}`)));
