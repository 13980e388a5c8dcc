import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const server = fileURLToPath(new URL('../server/', import.meta.url));

/** The modules of the server that import a module whose path matches. */
const importersOf = (path: RegExp): string[] =>
  readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && path.test(readFileSync(join(server, file), 'utf8')))
    .sort();

test('only the modules that open a store and the maintenance of its files name the lowdb store', () => {
  const outside = importersOf(/from '[^']*storage\/lowdb\//).filter(
    (file) => !file.startsWith('storage/') && !file.startsWith('maintenance/'),
  );
  expect(outside).toEqual([]);
});

test('only the composition of the assistant names the adapters of accounts, conversations and providers', () => {
  expect(
    importersOf(/(from |import\()'[^']*\/(journal-account-pool|journal-conversations|providers\/(local|openai))\.ts'/),
  ).toEqual(['assistant/open-assistant.ts']);
});

test('only the composition, and the openers of the erase command without a server, name the adapter of secrets', () => {
  expect(importersOf(/from '[^']*\/document-secrets\.ts'/)).toEqual([
    'compose-base.ts',
    'maintenance/erase/open-eraser.ts',
    'maintenance/erase/open-tables-eraser.ts',
  ]);
});

test('only a service with FILL loads the modules that fetch on request', () => {
  const importers = importersOf(/from '[^']*\/(fill|fills)\/[^']*'/);
  expect(importers.filter((file) => !file.startsWith('follow/fill/'))).toEqual([]);
  expect(importersOf(/import\('[^']*follow\/fill\//)).toEqual(['compose-live.ts']);
});
