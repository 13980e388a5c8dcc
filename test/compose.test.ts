import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const server = fileURLToPath(new URL('../server/', import.meta.url));

/** The modules of the server that import a module whose path matches. */
const importersOf = (path: RegExp): string[] =>
  readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && path.test(readFileSync(join(server, file), 'utf8')))
    .sort();

test('only the modules that open a store or keep files beside it, and the frame of a new project, name the lowdb store', () => {
  const outside = importersOf(/from '[^']*storage\/lowdb\//).filter(
    (file) => !/^(?:storage|maintenance|media|upgrade|database\/sqlite)\//.test(file),
  );
  expect(outside).toEqual(['frame/frame.ts']);
});

test('only the composition of the assistant names the adapters of accounts, conversations and providers', () => {
  expect(
    importersOf(/(from |import\()'[^']*\/(journal-account-pool|journal-conversations|providers\/(local|openai))\.ts'/),
  ).toEqual(['assistant/open-assistant.ts']);
});

test('only the composition, and the frame of a new project, name the adapter of secrets', () => {
  expect(importersOf(/from '[^']*\/document-secrets\.ts'/)).toEqual(['compose.ts', 'frame/frame.ts']);
});

test('only a service with FILL loads the modules that fetch on request', () => {
  const importers = importersOf(/from '[^']*\/(fill|fills)\/[^']*'/);
  expect(importers.filter((file) => !file.startsWith('follow/fill/'))).toEqual([]);
  expect(importersOf(/import\('[^']*\/fill\//)).toEqual(['follow/open-service.ts']);
});

/** The files that a module imports when it is loaded, and those that they import: no types, no `import()`. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?'(\.[^']+\.ts)';/gm))
    loadedWith(resolve(dirname(file), path!), loaded);
  return loaded;
}

test.each(['import', 'export', 'erase', 'follow', 'backup'])(
  'beside a server, npm run %s does not load the archive',
  (command) => {
    const scripts = fileURLToPath(new URL('../scripts/cli/', import.meta.url));
    const loaded = [...loadedWith(join(scripts, `${command}.ts`))];
    expect(loaded).toContain(join(server, 'config/config.ts'));
    const openers = ['engines/open-archive.ts', 'engines/open-storage.ts'];
    expect(openers.filter((file) => loaded.includes(join(server, file)))).toEqual([]);
  },
);
