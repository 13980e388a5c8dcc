/**
 * The service and the commands of its operator and developers, with their packages, in a few files instead of 1,200: a process starts in half of the CPU
 * time. esbuild makes them from the sources once in a run of all tests.
 */
import { globSync } from 'node:fs';
import { chmod, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { preparedFolder } from './prepared.ts';
import { isFull } from './rounds.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const service = 'server/main.ts';
const preload = join(root, 'test/support/preload/generous-load.ts');

/** They read files beside their own, or replace their parts by the machine. */
const asTheyAre = ['esbuild', 'fs-native-extensions', 'oxfmt', 'pg', 'pino-pretty', 'typescript', 'typescript-native'];

const commands = globSync(
  [
    'scripts/{cli/*,spec/generate,{docs,evals,spec/*,testing/*}/main}.ts',
    'server/deploy/health.ts',
    'test/{e2e/assistant,follow/follower,http/{memory,cached-bytes}}.child.ts',
  ],
  {
    cwd: root,
  },
);
/** The program of a script in the bundle. */
const bundled = (script: string): string => (script === service ? 'main' : script.replace(/\.ts$/, ''));

/** Each module finds files and packages from its own place, not from that of the bundle. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup(building) {
    building.onLoad({ filter: /\.c?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (path.includes('/node_modules/')) {
        if (!/\b__(?:dirname|filename)\b/.test(text)) return undefined;
        const places = `var __dirname = ${JSON.stringify(dirname(path))}, __filename = ${JSON.stringify(path)};`;
        return { contents: `${places}\n${text}`, loader: 'js' };
      }
      const before = path === join(root, service) ? `import ${JSON.stringify(preload)};\n` : '';
      return {
        contents: (before + text)
          // What a module loads later by `require` is in the bundle, too.
          .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
          // A module of several programs is in a file that none of them is.
          .replaceAll('import.meta.main', `process.argv[1].endsWith('/${bundled(relative(root, path))}.js')`)
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
        loader: path.endsWith('.ts') ? 'ts' : 'js',
      };
    });
  },
};

/**
 * An `import` of `node:http` reads all that it exports, and one of them loads the client behind `fetch`: a fifth of a start. `require` reads nothing.
 */
const required: Plugin = {
  name: 'required',
  setup(building) {
    building.onResolve({ filter: /^(?:node:)?http$/ }, ({ namespace }) =>
      namespace === 'required' ? { path: 'node:http', external: true } : { path: 'node:http', namespace: 'required' },
    );
    building.onLoad({ filter: /./, namespace: 'required' }, () => ({
      contents: "module.exports = require('node:http');",
    }));
  },
};

/** Node shows no deprecation in packages below `node_modules`. */
const banner = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(${JSON.stringify(join(root, service))});
process.noDeprecation = true;`;

async function bundle(folder: string): Promise<void> {
  const write = (scripts: readonly string[]): Promise<unknown> =>
    build({
      absWorkingDir: root,
      entryPoints: Object.fromEntries(scripts.map((script) => [bundled(script), script])),
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24', logLevel: 'error' },
      outdir: folder,
      external: asTheyAre,
      banner: { js: banner },
      plugins: [ownPlaces, required],
    });
  // The service by itself: what it shares with commands would be in 150 small files, which take a fifth of a start.
  await Promise.all([write([service]), write(commands)]);
  // For the packages that are not in the bundle.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Some processes run as another user.
  await chmod(folder, 0o755);
}

/** Preloads that look at, or replace, the modules of the service. */
const seesModules = /\/preload\/(?:loaded|platform)\.ts|--preserve-symlinks/;

/**
 * The program to run in place of `server/main.ts` with `generous-load.ts`, or of a command. Undefined for other scripts,
 * outside of a run of Jest, in a full run such as that of each night, and where the test needs the modules of the program as they are.
 */
export async function bundledProgram(script: string, nodeOptions: string): Promise<string | undefined> {
  if (isFull || ![service, ...commands].includes(script) || seesModules.test(nodeOptions)) return undefined;
  const folder = await preparedFolder('service', bundle);
  return folder && join(folder, `${bundled(script)}.js`);
}
