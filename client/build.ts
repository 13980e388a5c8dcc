/**
 * Builds the package into dist/. rollup writes the ES modules and the types, esbuild CommonJS. Both bundle the parts of generated/ that the package imports, so the package has no dependency on this repository.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform, type Plugin } from 'esbuild';
import { rollup, type Plugin as RollupPlugin } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const folder = new URL('./', import.meta.url).pathname;
const dependencies = ['openapi-fetch', 'msw', 'react', '@tanstack/react-query'];
/** The entry points of the package: `@social-data/client` and `@social-data/client/…`. */
const entries = ['index', 'errors', 'msw', 'react', 'runtime', 'validate'];
/** The modules that an entry loads on demand. */
const onDemand = [
  'ask',
  'cache',
  'coalesce',
  'diagnostics',
  'error-of',
  'events',
  'fetch-client',
  'follow',
  'key-source',
  'node-socket',
  'paging',
];
const source = (name: string): string => `${folder}src/${name}.ts`;

/** Leaves modules that `import()` loads as separate files instead of bundling them. */
const externalizeDynamicImports: Plugin = {
  name: 'externalize-dynamic-imports',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: path.replace(/\.ts$/, '.cjs'), external: true } : undefined,
    ),
};

/** Lets the program load the client of the package instead of a copy. */
const useOwnPackage: Plugin = {
  name: 'use-own-package',
  setup: ({ onResolve }) => onResolve({ filter: /\/src\/index\.ts$/ }, () => ({ path: './index.js', external: true })),
};

/**
 * Writes the JavaScript. The ES modules share what several entries need. In CommonJS each file has its own copy of the error
 * classes; `instanceof` accepts errors of every copy.
 */
export async function buildScripts(dist: string): Promise<void> {
  const { version } = JSON.parse(await readFile(`${folder}package.json`, 'utf8')) as { version: string };
  const common = {
    bundle: true,
    target: 'es2022',
    external: dependencies,
    legalComments: 'none',
    outdir: dist,
    sourcemap: true,
    define: { CLIENT_VERSION: JSON.stringify(version) },
  } as const;
  const [, program] = await Promise.all([
    buildModules(dist, version),
    build({
      ...common,
      entryPoints: { cli: `${folder}cli/main.ts` },
      format: 'esm',
      platform: 'node',
      plugins: [useOwnPackage],
      metafile: true,
    }),
    // CommonJS loads modules on demand with `require`, because Jest does not support `import()` in CommonJS.
    build({
      ...common,
      entryPoints: [...entries, ...onDemand].map(source),
      format: 'cjs',
      platform: 'node',
      supported: { 'dynamic-import': false },
      define: { ...common.define, 'import.meta.url': '__filename' },
      outExtension: { '.js': '.cjs' },
      plugins: [externalizeDynamicImports],
    }),
  ]);
  await writeLicences(Object.keys(program.metafile.inputs), join(dist, 'cli.licenses.txt'));
}

/** Writes the licences of the packages whose files are in a bundle, as they demand. */
async function writeLicences(inputs: readonly string[], file: string): Promise<void> {
  const packages = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
  const texts = Array.from(packages, async (path) => {
    const licence = (await readdir(path)).find((name) => /^licen[cs]e/i.test(name));
    if (licence === undefined) throw new Error(`${path} has no licence to include`);
    return `${basename(path)}\n\n${await readFile(join(path, licence), 'utf8')}`;
  });
  await writeFile(file, (await Promise.all(texts)).join('\n\n'));
}

/** The modules of event streams and questions. */
const mangled = /\/src\/(?:events|link|ask)\.ts$/;
/** Short names for the members that these modules alone use. No other object that they use has members of these names. */
const shortNames = {
  Class: 'A',
  command: 'B',
  connected: 'C',
  context: 'D',
  endCommand: 'E',
  fail: 'F',
  isPaused: 'G',
  links: 'H',
  lost: 'I',
  members: 'J',
  options: 'K',
  pause: 'L',
  receive: 'M',
  start: 'N',
  transport: 'O',
  leave: 'P',
};
const internalMembers = new RegExp(`^_|^(?:${Object.keys(shortNames).join('|')})$`);

/**
 * Removes the types, and sets the version. Shortens the names of private members in event streams and questions: a minifier of
 * an app may not rename members. For that, private fields become members whose names begin with `_`.
 */
const stripTypes = (version: string): RollupPlugin => ({
  name: 'strip-types',
  async transform(code, id) {
    if (!/\.ts(?:\?copy)?$/.test(id)) return null;
    const define = { CLIENT_VERSION: JSON.stringify(version) };
    const isMangled = mangled.test(id);
    const { code: stripped, map } = await transform(isMangled ? code.replaceAll('#', '_') : code, {
      ...(isMangled ? { mangleProps: internalMembers, mangleCache: shortNames } : {}),
      loader: 'ts',
      target: 'es2022',
      sourcefile: id,
      sourcemap: true,
      define,
      legalComments: 'none',
    });
    return { code: stripped, map };
  },
});

/**
 * The module for error responses that loads on demand is a copy. Else bundlers load it at once, as the entry exports its classes
 * too. `instanceof` accepts errors of every copy.
 */
const copyResponseErrors: RollupPlugin = {
  name: 'copy-response-errors',
  async resolveDynamicImport(name, importer) {
    if (typeof name !== 'string' || !name.endsWith('/error-of.ts')) return null;
    const resolved = await this.resolve(name, importer);
    return resolved === null ? null : `${resolved.id}?copy`;
  },
  async resolveId(name, importer, options) {
    if (importer?.endsWith('?copy') !== true) return null;
    const { isEntry } = options;
    const resolved = await this.resolve(name, importer.slice(0, -'?copy'.length), { isEntry, skipSelf: true });
    return resolved !== null && name.endsWith('/rate-limit.ts') ? `${resolved.id}?copy` : resolved;
  },
  async load(id) {
    if (!id.endsWith('?copy')) return null;
    const text = await readFile(id.slice(0, -'?copy'.length), 'utf8');
    if (!id.includes('/error-of.ts')) return text;
    // The exports of what `import()` loads are never removed, and nobody imports the classes of the copy.
    return text.replaceAll(/^export (?=(?:abstract )?class )/gm, '');
  },
};

/** Writes the ES modules: `core.js` with what a client needs at once, and a file for each part that it loads on demand. */
async function buildModules(dist: string, version: string): Promise<void> {
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, source(name)])),
    external: dependencies,
    plugins: [copyResponseErrors, stripTypes(version)],
    treeshake: { moduleSideEffects: false },
  });
  // Modules that stay with the entry or the part that they belong to.
  const separate = [
    ...onDemand,
    'link',
    'media',
    ...entries,
    'failure',
    'headers',
    'mock-socket',
    'mocks',
    'openapi-fetch',
    'post-url',
    'received',
    'response-cache',
    'shapes',
  ];
  await bundle.write({
    dir: dist,
    format: 'es',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    hoistTransitiveImports: false,
    onlyExplicitManualChunks: true,
    manualChunks: (id) => {
      if (id.endsWith('?copy')) return undefined;
      const name = basename(id, '.ts');
      if (name === 'error-of' || name === 'rate-limit') return 'response-errors';
      return separate.includes(name) ? undefined : 'core';
    },
  });
  await bundle.close();
}

/** Writes the types of each module below `folder`. Rejects with the compiler's errors. */
async function emitTypes(into: string): Promise<void> {
  // The compiler that is written in Go takes a fifth of the CPU time of the other one.
  const compiler = join(folder, '../node_modules/typescript-native/bin/tsc');
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  const places = ['--project', folder, '--rootDir', join(folder, '..'), '--outDir', into];
  await promisify(execFile)(process.execPath, [compiler, ...emit, ...places]).catch(
    ({ message, stdout = '' }: Error & { stdout?: string }) => {
      throw new Error(`${message}\n${stdout}`);
    },
  );
}

/** The emitted types import modules by the names of their sources. */
const findEmitted: RollupPlugin = {
  name: 'find-emitted',
  resolveId: (name, importer) =>
    importer !== undefined && name.startsWith('.')
      ? join(dirname(importer), name).replace(/(?:\.d)?\.ts$/, '.d.ts')
      : null,
};

async function buildTypes(dist: string): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), 'client-types-'));
  try {
    await emitTypes(emitted);
    await bundleTypes(emitted, dist);
  } finally {
    await rm(emitted, { recursive: true });
  }
}

async function bundleTypes(emitted: string, dist: string): Promise<void> {
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, join(emitted, `client/src/${name}.d.ts`)])),
    external: dependencies,
    plugins: [findEmitted, dts()],
    // A type that no entry exports, for example, so that apps cannot name it in their declarations.
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  await bundle.write({ dir: dist, format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: 'contract.d.ts' });
  // CommonJS callers need their own type files with the same content (TypeScript, "Modules - Reference", `exports`).
  for (const name of (await readdir(dist)).filter((file) => file.endsWith('.d.ts'))) {
    const text = await readFile(`${dist}/${name}`, 'utf8');
    await writeFile(
      `${dist}/${name.replace(/\.d\.ts$/, '.d.cts')}`,
      text.replace(/((?:from|import) '\.\/\w+)\.js'/g, "$1.cjs'"),
    );
  }
}

if (import.meta.main) {
  const dist = `${folder}dist`;
  await rm(dist, { recursive: true, force: true });
  await Promise.all([buildScripts(dist), buildTypes(dist)]);
}
