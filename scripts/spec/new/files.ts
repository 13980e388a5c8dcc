/** The files of this project that a project for another contract needs: what its commands and its service import. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import ts from 'typescript';
import { ownFiles } from './own-files.ts';

const root = new URL('../../../', import.meta.url).pathname;

/** Where the imports begin: the service, the commands, the client, and the pages of the documentation. */
const entries = [
  'server/main.ts',
  'server/operations/page.ts',
  'scripts/spec/generate.ts',
  'scripts/spec/generate-pages.ts',
  'scripts/spec/scaffold/main.ts',
  'scripts/spec/dev/main.ts',
  'scripts/spec/dev/spec-thread.ts',
  'scripts/spec/diff/main.ts',
  'scripts/testing/mock/main.ts',
  'scripts/testing/verify/main.ts',
  'scripts/cli/keys.ts',
  'client/src/runtime.ts',
  'pages/kit/frame.ts',
  'pages/docs/main.tsx',
  'pages/find/main.tsx',
  'pages/operation/main.tsx',
  'pages/try/main.tsx',
];

/** What no module imports. */
const others = [
  ...[
    'pages/site.css',
    'pages/docs/docs.css',
    'pages/docs/agents.css',
    'pages/find/find.css',
    'pages/try/try.css',
    'spec/redocly.yaml',
  ],
  ...['tsconfig.json', '.editorconfig', '.gitignore', '.npmrc', '.oxfmtrc.json', 'LICENSE'],
];

/** The modules that a module imports, in types too. */
const importsOf = (text: string): string[] =>
  ts.preProcessFile(text, true, true).importedFiles.map((each) => each.fileName);

/** The name of the package of an import; undefined for modules of Node. */
function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('node:')) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** What a new project is made of. */
export interface ProjectFiles {
  /** The texts of the files by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The packages that they import. */
  readonly packages: ReadonlySet<string>;
}

/** Collects the files and packages. Throws for an import that leads to no file. */
export async function projectFiles(): Promise<ProjectFiles> {
  const files = new Map<string, string>();
  const packages = new Set<string>();
  const queue = [...entries, ...Object.keys(ownFiles)];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    // What is generated comes from the contract of the new project.
    if (files.has(path) || path.startsWith('generated/') || path === 'package.json') continue;
    const text = ownFiles[path] ?? (await readFile(join(root, path), 'utf8'));
    files.set(path, text);
    if (!/\.tsx?$/.test(path)) continue;
    for (const specifier of importsOf(text)) {
      if (specifier.startsWith('.')) queue.push(posix.join(posix.dirname(path), specifier));
      else packages.add(packageOf(specifier) ?? 'node');
    }
  }
  for (const path of await readdir(join(root, 'server'), { recursive: true })) {
    if (!path.endsWith('.d.ts')) continue;
    const text = await readFile(join(root, 'server', path), 'utf8');
    const [, name = ''] = /declare module '([^']+)'/.exec(text) ?? [];
    if (packages.has(name)) files.set(`server/${path}`, text);
  }
  for (const path of others) files.set(path, await readFile(join(root, path), 'utf8'));
  return { files, packages };
}

/** The commands of a new project. */
const commands = ['start', 'dev', 'generate', 'scaffold', 'typecheck', 'mock', 'spec:diff', 'verify', 'keys'];
/** What these commands run, and no module imports. */
const tools = ['node', 'typescript-native', 'esbuild', 'preact'];

interface Manifest {
  readonly scripts: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly engines: object;
  readonly overrides: object;
  readonly allowScripts: object;
}

/** The package.json of a new project: the commands, and the packages that its files use. */
export async function manifestOf(folder: string, { packages }: ProjectFiles): Promise<string> {
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
  const isUsed = (name: string): boolean =>
    packages.has(name) || tools.includes(name) || (name.startsWith('@types/') && packages.has(basename(name)));
  const used = (all: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(name)));
  const { start = '', typecheck = '' } = own.scripts;
  const name =
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9._-]+/g, '-')
      .replace(/^[._-]+/, '') || 'service';
  return `${JSON.stringify(
    {
      ...{ name, version: '0.1.0', private: true, type: 'module' },
      scripts: {
        ...Object.fromEntries(commands.map((command) => [command, own.scripts[command]])),
        start,
        // The client of this project has no types of its own to check.
        typecheck: typecheck.replace(/ && exec .* -p client$/, ''),
      },
      dependencies: used(own.dependencies),
      devDependencies: used(own.devDependencies),
      engines: own.engines,
      allowScripts: own.allowScripts,
    },
    null,
    2,
  )}\n`;
}
