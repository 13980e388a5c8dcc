/** The type checker of the development loop looks only at what a change can affect. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ChangeKind } from '../../../scripts/spec/dev/changes.ts';
import { ImportGraph } from '../../../scripts/spec/dev/import-graph.ts';
import { NativeChecker } from '../../../scripts/spec/dev/types.ts';

let root: string;
let checker: NativeChecker;

const files: Record<string, string> = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{
        strict: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2024',
        lib: ['es2024'],
        types: [],
        resolveJsonModule: true,
      },
      ...{ allowImportingTsExtensions: true, paths: { '@own/client': ['./client/index.ts'] } },
    },
    include: ['generated/*.ts', 'server', 'client', 'test'],
  }),
  'package.json': '{"type":"module"}',
  'generated/types.ts': 'export interface Tweet { id: string }\n',
  'generated/records.js': 'export const one = 1;\n',
  'generated/records.d.ts': 'export const one: number;\n',
  'generated/data.json': '{"limit":1}\n',
  'server/views.ts':
    "import type { Tweet } from '../generated/types.ts';\nexport const view = (tweet: Tweet) => tweet.id;\n",
  'server/index.ts': "export * from './views.ts';\n",
  'server/records.ts': "import { one } from '../generated/records.js';\nexport const two: number = one + 1;\n",
  'server/locals.d.ts': 'declare global { interface Local { name: string } }\nexport {};\n',
  'client/index.ts': "export type Item = import('../generated/types.ts').Tweet;\n",
  'test/view.test.ts': "import { view } from '../server/index.ts';\nexport const text: string = view({ id: '1' });\n",
  'test/client.test.ts': "import type { Item } from '@own/client';\nexport const item: Item = { id: '1' };\n",
  'test/local.test.ts': "export const local: Local = { name: 'a' };\n",
  'test/data.test.ts':
    "import data from '../generated/data.json' with { type: 'json' };\nexport const limit: number = data.limit;\n",
  'test/wrong.test.ts': 'export const wrong: string = 1;\n',
};

const write = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
};
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'types-')));
  for (const [file, text] of Object.entries(files)) await write(file, text);
  await symlink(new URL('../../../node_modules', import.meta.url).pathname, join(root, 'node_modules'));
  checker = new NativeChecker(root, ['tsconfig.json']);
});
afterEach(async () => {
  checker.close();
  await rm(root, { recursive: true });
});

/** Writes files and checks; the files with errors, and how many the checker looked at. */
async function checked(changes: Record<string, string>, kind: ChangeKind = 'changed'): Promise<[string[], number]> {
  for (const [file, text] of Object.entries(changes)) await write(file, text);
  const { product, rest } = await checker.check(new Map(Object.keys(changes).map((file) => [file, kind])));
  return [[...product, ...(await rest)].map(({ file }) => file), checker.filesChecked];
}
const wrong = 'test/wrong.test.ts';

test('after a change of the types, only the files that use them are checked; the errors of the others stay', async () => {
  expect(await checked({})).toEqual([[wrong], 12]);
  const renamed = { 'generated/types.ts': 'export interface Tweet { id_str: string }\n' };
  expect(await checked(renamed)).toEqual([['server/views.ts', 'test/client.test.ts', 'test/view.test.ts', wrong], 6]);
  expect(await checked({ 'generated/types.ts': files['generated/types.ts']! })).toEqual([[wrong], 6]);
});

test('a change of a test checks only the test, and of a declaration for all files everything', async () => {
  await checked({});
  expect(await checked({ 'test/wrong.test.ts': 'export const wrong = 1;\n' })).toEqual([[], 1]);
  const local = { 'server/locals.d.ts': 'declare global { interface Local { title: string } }\nexport {};\n' };
  expect(await checked(local)).toEqual([['test/local.test.ts'], 12]);
  const added = {
    'test/added.test.ts': "import { view } from '../server/views.ts';\nexport const text: number = view({ id: '' });\n",
  };
  expect(await checked(added, 'created')).toEqual([['test/added.test.ts', 'test/local.test.ts'], 13]);
});

test('declarations beside JavaScript and data in JSON affect what imports them', async () => {
  await checked({});
  expect(await checked({ 'generated/records.d.ts': 'export const one: string;\n' })).toEqual([
    ['server/records.ts', wrong],
    2,
  ]);
  expect(await checked({ 'generated/data.json': '{"limit":"1"}\n' })).toEqual([
    ['server/records.ts', 'test/data.test.ts', wrong],
    1,
  ]);
});

test('a change of the settings checks everything, and the errors of no file stay until the next one', async () => {
  const settings = JSON.parse(files['tsconfig.json']!) as { compilerOptions: { lib: string[] } };
  settings.compilerOptions.lib = ['es2024.object'];
  expect(await checked({ 'tsconfig.json': JSON.stringify(settings) })).toEqual([
    expect.arrayContaining(['tsconfig.json']),
    12,
  ]);
  expect(await checked({ 'test/wrong.test.ts': 'export const wrong = 1;\n' })).toEqual([
    expect.arrayContaining(['tsconfig.json']),
    1,
  ]);
  const restored = { 'tsconfig.json': files['tsconfig.json']!, 'test/wrong.test.ts': 'export const wrong = 1;\n' };
  expect(await checked(restored)).toEqual([[], 12]);
});

test('a file that does not parse leaves nothing unchecked', async () => {
  await checked({});
  await checked({
    'test/wrong.test.ts': 'export const wrong = ;\n',
    'server/views.ts': `${files['server/views.ts']!}//\n`,
  });
  const broken = { 'generated/types.ts': 'export interface Tweet { id_str: string }\n' };
  await checked(broken);
  expect(await checked({ 'test/wrong.test.ts': 'export const right = 1;\n' })).toEqual([
    ['server/views.ts', 'test/client.test.ts', 'test/view.test.ts'],
    expect.any(Number),
  ]);
});

test('the graph can say nothing before it has read the files of a change', async () => {
  const graph = new ImportGraph(root);
  expect(await graph.affectedBy(['server/views.ts'])).toBeUndefined();
  await graph.update(['server/views.ts', 'server/index.ts']);
  await write('server/views.ts', 'export const view = 1;\n');
  expect([...((await graph.affectedBy(['server/views.ts'])) ?? [])]).toEqual(['server/views.ts', 'server/index.ts']);
  graph.forget(['server/index.ts']);
  expect(await graph.affectedBy(['server/index.ts'])).toBeUndefined();
});
