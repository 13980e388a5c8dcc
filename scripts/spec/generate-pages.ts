/**
 * Bundles the browser code of `pages/` into `generated/pages/`. Each folder of `pages/` with a `main.tsx` becomes one script. What they
 * share is two more: `frame` has Preact and what each page needs, `kit` the client and what shows data. The bundles keep their line
 * breaks and names, so that a diff shows what changed and two branches can be merged.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = new URL('../../', import.meta.url);
const folder = new URL('pages/', root).pathname;
const kit = `${folder}kit/`;

const external = (path: string): { path: string; external: true } => ({ path, external: true });

/** Leaves what the script of the frame has to that script: Preact, and the modules that `frame.ts` names. */
const sharedFrame = (modules: ReadonlySet<string>): Plugin => ({
  name: 'shared-frame',
  setup({ onResolve }) {
    onResolve({ filter: /^preact(?:\/.*)?$|\/kit\/frame\.ts$/ }, () => external('./frame.js'));
    onResolve({ filter: /^\.\// }, ({ path, resolveDir }) =>
      modules.has(resolve(resolveDir, path)) ? external('./frame.js') : undefined,
    );
  },
});

/** Leaves everything of the kit to its script. */
const sharedKit: Plugin = {
  name: 'shared-kit',
  setup({ onResolve }) {
    onResolve({ filter: /^@social-data\/client$|\/kit\/index\.ts$/ }, () => external('./kit.js'));
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
  const named = (await readFile(`${kit}frame.ts`, 'utf8')).matchAll(/from '(\.\/[^']+)'/g);
  const inFrame = sharedFrame(new Set([`${kit}frame.ts`, ...[...named].map(([, path = '']) => resolve(kit, path))]));
  const bundles = [
    script(`${kit}frame.ts`, [fresh]).then((text) => ['frame.js', text] as const),
    ...files
      .filter((file) => file === `${kit}index.ts`)
      .map(async (file) => ['kit.js', await script(file, [inFrame, fresh])] as const),
    ...files
      .filter((file) => file.endsWith('/main.tsx'))
      .map(
        async (file) =>
          [
            `${basename(file.slice(0, -'/main.tsx'.length))}.js`,
            await script(file, [inFrame, sharedKit, fresh]),
          ] as const,
      ),
    ...files
      .filter((file) => /\.(?:css|js)$/.test(file))
      .map(async (file) => [basename(file), await readFile(file, 'utf8')] as const),
  ];
  return Object.fromEntries((await Promise.all(bundles)).map(([name, text]) => [`generated/pages/${name}`, text]));
}
