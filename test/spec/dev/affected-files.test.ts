/** The type checker of the development loop reports the same errors as a check of all files, whatever declaration changes. */
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ImportGraph } from '../../../scripts/spec/dev/import-graph.ts';
import { NativeChecker } from '../../../scripts/spec/dev/types.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

const settings = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2024', lib: ['es2024'], types: [] },
    ...{ allowImportingTsExtensions: true, noUnusedLocals: true, resolveJsonModule: true },
  },
  include: ['*.ts'],
};

const components = (schemas: string): string =>
  `export type components = { schemas: { ${schemas} }; paths: string };\n`;
const tweets = 'export interface Tweet { id: string }\nexport interface User { name: string; note?: string }\n';

/** The texts that a file can have; the first is the text at the start. Most have no error with the first texts of the others. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'types.ts': [
    `${tweets}${components('Tweet: Tweet; User: User')}`,
    `${tweets.replace('id: string', 'id: number')}${components('Tweet: Tweet; User: User')}`,
    `${tweets}export interface User { extra: number }\n${components('Tweet: Tweet; User?: User')}`,
    `${tweets}${components('Tweet: Tweet')}`,
    `${tweets}${components('Tweet: User; User: Tweet')}`,
    `import type { Limit } from './values.ts';\nexport type Tweet = { id: Limit };\nexport type User = Tweet;\n${components('Tweet: Tweet; User: User')}`,
  ],
  'values.ts': [
    "export type Limit = string;\nexport const limit = '1';\nexport const count = (): number => 1;\nexport const inferred = () => 'a';\n",
    'export type Limit = number;\nexport const limit = 1;\nexport const count = (): number => 2;\nexport const inferred = () => 1;\n',
    "export type Limit = string;\nconst hidden: number = 'no number';\nexport const limit: string = String(hidden);\nexport const count = (): string => '';\nexport const inferred = (): string => '';\n",
    "export type { User as Limit } from './types.ts';\nexport const limit = '1', count = () => 1, inferred = () => 'a';\n",
  ],
  'other.ts': [
    'export const other = 1;\n',
    "export const limit = true;\nexport const other = '1';\n",
    "export { limit as other } from './values.ts';\n",
  ],
  'alias.ts': [
    "import type { components } from './types.ts';\nexport type Schemas = components['schemas'];\nexport type Of<Name extends keyof Schemas> = Schemas[Name];\n",
    "import type { components } from './types.ts';\nexport interface Schemas { Tweet: components['schemas']['Tweet']; User: { name: number } }\nexport type Of<Name extends keyof Schemas> = Schemas[Name];\n",
  ],
  'star.ts': [
    "export * from './types.ts';\nexport * from './other.ts';\nexport * from './values.ts';\n",
    "export * from './types.ts';\nexport { limit, other } from './made.ts';\n",
  ],
  'made.ts': [
    "import { limit as start } from './values.ts';\nexport const limit = start;\nexport function other() {}\nother.extra = start;\nexport default class { value; constructor() { this.value = start; } }\n",
    "import { inferred } from './values.ts';\nconst raw: unknown = inferred();\nif (typeof raw !== 'string') throw new Error();\nexport const limit = raw;\nexport function other(): void {}\nexport default class { value = inferred(); }\n",
  ],
  'json.ts': ["import data from './data.json' with { type: 'json' };\nexport const size = data.size;\n"],
  'use-member.ts': [
    "import type { Schemas } from './alias.ts';\nexport const id: string = (null as unknown as Schemas['Tweet']).id;\n",
    "import type { Schemas } from './alias.ts';\nexport const name: string = (null as unknown as Schemas['User']['name']);\n",
  ],
  'use-names.ts': [
    "import type { components } from './types.ts';\nexport const names: Record<keyof components['schemas'], 1> = { Tweet: 1, User: 1 };\n",
    "import type { Schemas } from './alias.ts';\nexport const name: keyof Schemas = 'User';\nexport const all: Record<keyof Schemas['Tweet'], 1> = { id: 1 };\n",
  ],
  'use-generic.ts': ["import type { Of } from './alias.ts';\nexport const user: Of<'User'> = { name: 'a' };\n"],
  'use-star.ts': [
    "import * as all from './star.ts';\nexport const text: string = all.limit;\nexport const one: number = all.other;\n",
    "import { limit, type User } from './star.ts';\nexport const user: User = { name: limit };\n",
  ],
  'use-import-type.ts': ["export const user: import('./types.ts').User = { name: '' };\n"],
  'use-dynamic.ts': [
    "export const load = () => import('./values.ts');\n",
    "export const load = async (): Promise<number> => (await import('./values.ts')).count();\n",
  ],
  'use-load.ts': ["import { load } from './use-dynamic.ts';\nexport const one: number = (await load()).count();\n"],
  'use-made.ts': [
    "import Made, { limit, other } from './made.ts';\nexport const texts: string[] = [new Made().value, limit, other.extra];\n",
    "import Made from './made.ts';\nexport class More extends Made { more: number = this.value; }\n",
  ],
  'use-json.ts': ["import { size } from './json.ts';\nexport const twice: number = size * 2;\n"],
  'global.ts': ["declare global { var setting: import('./types.ts').User }\nexport {};\n"],
  'use-global.ts': ['export const name: string = setting.name;\n'],
  'data.json': ['{"size":1}', '{"size":"1"}'],
};
const step = fc.constantFrom(
  ...Object.entries(variants).flatMap(([file, texts]) => texts.map((text) => ({ file, text }))),
);

test('the errors after any changes are those of a check of all files', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'affected-')));
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify(settings));
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  await symlink(new URL('../../../node_modules', import.meta.url).pathname, join(root, 'node_modules'));
  for (const [file, [text = '']] of Object.entries(variants)) await writeFile(join(root, file), text);
  const [partial, full] = [new NativeChecker(root, ['tsconfig.json']), new NativeChecker(root, ['tsconfig.json'])];
  const errors = async (checker: NativeChecker, files: readonly string[]) => {
    const { product, rest } = await checker.check(new Map(files.map((file) => [file, 'changed' as const])));
    return [...product, ...(await rest)];
  };
  try {
    expect(await errors(partial, [])).toEqual([]);
    let [checked, all] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        for (const { file, text } of steps) await writeFile(join(root, file), text);
        const files = [...new Set(steps.map(({ file }) => file))];
        // A change of package.json makes the other checker read and check everything.
        expect(await errors(partial, files)).toEqual(await errors(full, ['package.json']));
        checked += partial.filesChecked;
        all += full.filesChecked;
      }),
      { numRuns: rounds(200, 8), endOnFailure: true },
    );
    expect(checked).toBeLessThan(all * 0.6);
  } finally {
    partial.close();
    full.close();
    await rm(root, { recursive: true });
  }
});

test('a comment, a body behind a declared result, or another member of a type affects no other file', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'affected-')));
  const write = (file: string, text: string): Promise<void> => writeFile(join(root, file), text);
  const types = (author: string, note = 'As before.'): string =>
    `/** ${note} */\nexport type components = { schemas: { /** ${note} */ Tweet: { id: string }; User: { /** ${note} */ name: ${author} } } };\n`;
  const graph = new ImportGraph(root);
  try {
    await write('types.ts', types('string'));
    await write('alias.ts', "import type { components } from './types.ts';\nexport type S = components['schemas'];\n");
    await write(
      'tweet.ts',
      "import type { S } from './alias.ts';\nexport const id = (tweet: S['Tweet']) => tweet.id;\n",
    );
    await write('user.ts', "import type { S } from './alias.ts';\nexport function user(): S['User'] { throw 1; }\n");
    await write('use.ts', "import { user } from './user.ts';\nexport const use = user();\n");
    await write('late.ts', "import { use } from './use.ts';\nexport const late: string = String(use);\n");
    await graph.update(['types.ts', 'alias.ts', 'tweet.ts', 'user.ts', 'use.ts', 'late.ts']);
    const affected = async (file: string): Promise<string[]> => [...((await graph.affectedBy([file])) ?? [])].sort();
    await write('types.ts', types('string', 'Other words.'));
    expect(await affected('types.ts')).toEqual(['types.ts']);
    await write('types.ts', types('number'));
    expect(await affected('types.ts')).toEqual(['alias.ts', 'late.ts', 'types.ts', 'use.ts', 'user.ts']);
    await write('user.ts', "import type { S } from './alias.ts';\nexport function user(): S['User'] { throw 2; }\n");
    expect(await affected('user.ts')).toEqual(['user.ts']);
    await write('late.ts', "import { use } from './use.ts';\nexport const late: string = `${use}`;\n");
    expect(await affected('late.ts')).toEqual(['late.ts']);
  } finally {
    await rm(root, { recursive: true });
  }
});
