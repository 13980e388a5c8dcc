/** The order of the parts of the server, and what a process loads of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The folders and files in `server`, from the ground up. A part imports parts of the lines above its own only, in types too. */
const floors = [
  ['text', 'collections', 'observability', 'upstream'],
  ['contract', 'process'],
  ['domain'],
  ['ports', 'search', 'formats'],
  ['authenticators.ts', 'admin', 'archive', 'config', 'keys', 'storage'],
  ['assistant', 'deploy', 'engines', 'follow', 'http', 'import', 'onchain'],
  ['agents', 'demo', 'frame', 'maintenance', 'media', 'operations', 'realtime'],
  ['alerts', 'operate'],
  ['site.ts'],
  ['endpoints.ts'],
  ['compose.ts'],
  ['main.ts'],
];

/** A module that another one names: by an import of values or types, or as the program of a thread or a process. */
const names = /(?:\bfrom |\bimport |\bimport\(|new URL\()'(\.[^']+\.tsx?)'/g;
/** As far as it is loaded with the other one: no types, no `import()`. */
const loads = /^(?:import|export) (?!type )[^;]*?'(\.[^']+\.ts)';/gm;

/** The modules that a module names, from the root of the repository. */
const namedIn = (file: string, how: RegExp): string[] =>
  Array.from(readFileSync(join(root, file), 'utf8').matchAll(how), ([, path]) => join(dirname(file), path!));

/** The modules of a folder with what they name. */
const modules = (folder: string): Map<string, string[]> =>
  new Map(
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !file.includes('node_modules'))
      .map((name) => join(folder, name))
      .map((file) => [file, namedIn(file, names)]),
  );

/** The modules of the server with what they name. */
const imports = modules('server');

const isOfServer = (file: string): boolean => file.startsWith('server/');
/** The folder in `server`, or the file there. */
const partOf = (file: string): string => relative('server', file).split('/')[0]!;

/** The imports that `isWrong` finds, as `file -> imported`. */
const wrongImports = (isWrong: (file: string, imported: string) => boolean): string[] =>
  [...imports].flatMap(([file, all]) =>
    all.filter((imported) => isWrong(file, imported)).map((imported) => `${file} -> ${imported}`),
  );

/** The modules that name one whose path matches. */
const importersOf = (path: RegExp): string[] => [
  ...new Set(wrongImports((_file, imported) => path.test(imported)).map((each) => each.split(' -> ')[0]!)),
];

/** A module and all that it reaches. */
function reachedFrom(file: string, how: RegExp, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const each of namedIn(file, how)) if (each.endsWith('.ts')) reachedFrom(each, how, reached);
  return reached;
}

describe('the order of the server', () => {
  test('has each folder and file of the server once', () => {
    expect(floors.flat().toSorted()).toEqual([...new Set([...imports.keys()].map(partOf))].toSorted());
  });

  test('is that of all imports', () => {
    const floorOf = (file: string): number => floors.findIndex((parts) => parts.includes(partOf(file)));
    expect(
      wrongImports(
        (file, imported) =>
          isOfServer(imported) && partOf(file) !== partOf(imported) && floorOf(imported) >= floorOf(file),
      ),
    ).toEqual([]);
  });

  test('has no command and no test below it', () => {
    expect(wrongImports((_file, imported) => /^(?:scripts|test|client|pages)\//.test(imported))).toEqual([]);
  });

  test('has ports that know the contract, the domain and each other', () => {
    const known = ['contract', 'domain', 'ports'];
    expect(
      wrongImports(
        (file, imported) => partOf(file) === 'ports' && isOfServer(imported) && !known.includes(partOf(imported)),
      ),
    ).toEqual([]);
  });

  test.each([
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
  ])('has an engine %s that does not know %s', (engine, other) => {
    const reached = [...imports.keys()]
      .filter((file) => file.startsWith(`server/engines/${engine}/`))
      .flatMap((file) => [...reachedFrom(file, names)]);
    expect(reached.filter((file) => file.startsWith(`server/engines/${other}/`))).toEqual([]);
  });
});

test('no module reaches itself over its imports, types included', () => {
  const all = new Map(['server', 'pages', 'client', 'scripts'].flatMap((folder) => [...modules(folder)]));
  const done = new Set<string>();
  const path: string[] = [];
  const circles: string[] = [];
  const visit = (file: string): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    path.push(file);
    for (const imported of all.get(file) ?? []) visit(imported);
    path.pop();
    done.add(file);
  };
  for (const file of all.keys()) visit(file);
  expect(circles).toEqual([]);
});

describe('the contract tools', () => {
  const folder = 'scripts/contract-tools/';
  const isTool = (file: string): boolean => file.startsWith(folder);
  const modulesIn = (root: string): string[] => [...modules(root).keys()];
  const wrong = (files: readonly string[], isWrong: (file: string, imported: string) => boolean): string[] =>
    files.flatMap((file) =>
      namedIn(file, names)
        .filter((imported) => isWrong(file, imported))
        .map((imported) => `${file} -> ${imported}`),
    );

  test('know any contract: nothing of this project but the folder of the server about contracts', () => {
    const files = modulesIn('scripts/contract-tools');
    expect(files.length).toBeGreaterThan(80);
    expect(wrong(files, (_file, imported) => !isTool(imported) && !imported.startsWith('server/contract/'))).toEqual(
      [],
    );
    // Also no file that they read.
    const named = files.filter((file) =>
      /['"`](?:\.\.\/)+(?:spec|generated|client|pages)\//.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(named).toEqual([]);
  });

  /** From the ground up. */
  const order = [['files'], ['arbitrary'], ['verify', 'diff'], ['traffic'], ['mock']];

  test('stand on each other in one order', () => {
    const folderOf = (file: string): string => (isTool(file) ? file.slice(folder.length).split('/')[0]! : '');
    const floorOf = (file: string): number => order.findIndex((parts) => parts.includes(folderOf(file)));
    expect(
      wrong(
        modulesIn('scripts/contract-tools').filter((file) => floorOf(file) >= 0),
        (file, imported) =>
          folderOf(file) !== folderOf(imported) && floorOf(imported) >= 0 && floorOf(imported) >= floorOf(file),
      ),
    ).toEqual([]);
  });

  test('have one door each: other programs import index.ts, or a module beside the folders', () => {
    const isDoor = (file: string): boolean => /^scripts\/contract-tools\/(?:[\w-]+\/index|[\w-]+)\.ts$/.test(file);
    const others = ['scripts', 'server', 'client/src', 'pages'].flatMap(modulesIn).filter((file) => !isTool(file));
    expect(wrong(others, (_file, imported) => isTool(imported) && !isDoor(imported))).toEqual([]);
  });
});

test('only the modules that open a store or keep files beside it, and the frame of a new project, name the lowdb store', () => {
  expect(
    importersOf(/\/storage\/lowdb\//).filter((file) => !/^server\/(?:storage|engines|maintenance|media)\//.test(file)),
  ).toEqual(['server/frame/frame.ts']);
});

test('only the composition of the assistant names the adapters of accounts, conversations and providers', () => {
  expect(importersOf(/\/(?:journal-account-pool|journal-conversations|providers\/(?:local|openai))\.ts$/)).toEqual([
    'server/assistant/open-assistant.ts',
  ]);
});

test('only the composition, and the frame of a new project, name the adapter of secrets', () => {
  expect(importersOf(/\/document-secrets\.ts$/).toSorted()).toEqual(['server/compose.ts', 'server/frame/frame.ts']);
});

test('each followed platform has one door: source.ts', () => {
  for (const platform of ['bluesky', 'x']) {
    const folder = `server/follow/${platform}/`;
    const outside = importersOf(new RegExp(`/follow/${platform}/(?!source\\.ts$)`));
    expect(outside.filter((file) => !file.startsWith(folder))).toEqual([]);
    expect(importersOf(new RegExp(`/follow/${platform}/source\\.ts$`))).toContain('server/follow/sources.ts');
  }
});

describe('a process', () => {
  test('loads the modules that fetch on request only with FILL', () => {
    expect(importersOf(/\/follow\/fill\//).filter((file) => !file.startsWith('server/follow/fill/'))).toEqual([
      'server/follow/open-service.ts',
    ]);
    expect([...reachedFrom('server/compose.ts', loads)].filter((file) => file.includes('/fill/'))).toEqual([]);
  });

  test('loads only the engine that it uses', () => {
    const loaded = [...reachedFrom('server/compose.ts', loads)];
    expect(loaded).toContain('server/engines/open-archive.ts');
    expect(loaded.filter((file) => /^server\/engines\/(?:sqlite|postgres)\//.test(file))).toEqual([]);
  });

  test.each(['import', 'export', 'erase', 'follow', 'backup'])(
    'of npm run %s beside a server does not load the archive',
    (command) => {
      const loaded = [...reachedFrom(`scripts/cli/${command}.ts`, loads)];
      expect(loaded).toContain('server/config/config.ts');
      expect(loaded.filter((file) => file.startsWith('server/engines/open-'))).toEqual([]);
    },
  );
});
