/**
 * Bundles the browser code of `pages/` into `generated/pages/`. Each folder of `pages/` with a `main.tsx` becomes one script;
 * `kit` holds what they share, Preact and the client included, and is one more. The bundles keep their line breaks and
 * names, so that a diff shows what changed and two branches can be merged.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = new URL('../../', import.meta.url);
const folder = new URL('pages/', root).pathname;
const kit = `${folder}kit/`;

/** The packages that only the kit bundles. */
const packages = /^(?:preact(?:\/.*)?|@social-data\/client)$/;

/** Lets the script of a page import everything of the kit from the script of the kit. */
const sharedKit: Plugin = {
  name: 'shared-kit',
  setup({ onResolve }) {
    const external = { path: './kit.js', external: true };
    onResolve({ filter: packages }, () => external);
    onResolve({ filter: /\/kit\/index\.ts$/ }, () => external);
  },
};

/** Reads the files that this run of the generator derives, instead of the ones on the disk, which may be stale. */
const freshFiles = (derived: Readonly<Record<string, string>>): Plugin => ({
  name: 'fresh-files',
  setup({ onLoad, onResolve }) {
    // Also where generated/ is still empty.
    onResolve({ filter: /\/generated\/\w+\.ts$/ }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path) }));
    onLoad({ filter: /\/generated\/\w+\.ts$/ }, ({ path }) => {
      const contents = derived[path.slice(root.pathname.length)];
      return contents === undefined ? undefined : { contents, loader: 'ts' as const };
    });
  },
});

const common = {
  absWorkingDir: root.pathname,
  alias: { '@social-data/client': `${root.pathname}client/src/index.ts` },
  bundle: true,
  charset: 'utf8',
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  // The bundles name the files that they consist of: without the place where a link to the packages leads.
  preserveSymlinks: true,
  target: 'es2022',
  write: false,
} as const;

async function script(entry: string, plugins: readonly Plugin[]): Promise<string> {
  const { outputFiles } = await build({ ...common, entryPoints: [entry], plugins: [...plugins] });
  return outputFiles[0]?.text ?? '';
}

/** The files of `generated/pages/`: the scripts, and the stylesheets of `pages/` as they are. */
export async function bundlePages(derived: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);
  const fresh = freshFiles(derived);
  const bundles = [
    script(`${kit}index.ts`, [fresh]).then((text) => ['kit.js', text] as const),
    ...files
      .filter((file) => file.endsWith('/main.tsx'))
      .map(
        async (file) =>
          [`${basename(file.slice(0, -'/main.tsx'.length))}.js`, await script(file, [sharedKit, fresh])] as const,
      ),
    ...files
      .filter((file) => /\.(?:css|js)$/.test(file))
      .map(async (file) => [basename(file), await readFile(file, 'utf8')] as const),
  ];
  return Object.fromEntries((await Promise.all(bundles)).map(([name, text]) => [`generated/pages/${name}`, text]));
}
