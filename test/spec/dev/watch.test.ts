import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { merged, type ChangeKind, type Changes } from '../../../scripts/spec/dev/changes.ts';
import { watchSources } from '../../../scripts/spec/dev/watch.ts';

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'watch-')));
  for (const folder of ['spec', 'pages/home', 'server/node_modules'])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'spec/a.yaml'), 'a');
});
afterAll(() => rm(root, { recursive: true }));

test('reports files that are saved together once, with the time of the first, and ignores temporary files', async () => {
  const reported = new Map<string, ChangeKind>();
  const all = Promise.withResolvers<void>();
  let first = Infinity;
  const watcher = await watchSources(
    root,
    ({ files, savedAt }) => {
      first = Math.min(first, savedAt);
      for (const [file, kind] of files) reported.set(file, kind);
      if (reported.size >= 4) all.resolve();
    },
    all.reject,
  );
  const before = Date.now();
  await writeFile(join(root, 'spec/.a.yaml.swp'), 'a');
  await writeFile(join(root, 'server/node_modules/b.ts'), 'b');
  await writeFile(join(root, 'spec/a.yaml~'), 'aa');
  await rename(join(root, 'spec/a.yaml~'), join(root, 'spec/a.yaml'));
  await writeFile(join(root, 'server/b.ts'), 'b');
  await writeFile(join(root, 'pages/home/main.tsx'), 'b');
  await writeFile(join(root, 'package.json'), '{}');
  await all.promise;
  await watcher.close();
  expect([...reported].sort()).toEqual([
    ['package.json', 'created'],
    ['pages/home/main.tsx', 'created'],
    ['server/b.ts', 'created'],
    ['spec/a.yaml', 'changed'],
  ]);
  expect(first).toBeGreaterThanOrEqual(before - 100);
  expect(first).toBeLessThanOrEqual(Date.now());
});

test('reports the files that git writes after it has removed its lock', async () => {
  const seen = Promise.withResolvers<string[]>();
  let locked = true;
  await mkdir(join(root, '.git'), { recursive: true });
  await writeFile(join(root, '.git/index.lock'), '');
  const watcher = await watchSources(
    root,
    ({ files }) => (locked ? seen.reject(new Error('reported too early')) : seen.resolve([...files.keys()].sort())),
    seen.reject,
  );
  await mkdir(join(root, 'generated'));
  await writeFile(join(root, 'generated/types.ts'), 'a');
  // Several times the time after which it reports otherwise.
  await sleep(150);
  await writeFile(join(root, 'spec/b.yaml'), 'b');
  locked = false;
  await rm(join(root, '.git/index.lock'));
  expect(await seen.promise).toContain('generated/types.ts');
  await watcher.close();
});

const changes = (savedAt: number, ...files: [string, ChangeKind][]): Changes => ({ files: new Map(files), savedAt });
test.each<[ChangeKind, ChangeKind, ChangeKind | undefined]>([
  ['created', 'changed', 'created'],
  ['created', 'deleted', undefined],
  ['changed', 'deleted', 'deleted'],
  ['deleted', 'created', 'changed'],
])('a file that was %s and then %s is %s', (first, second, both) => {
  expect(merged(changes(1, ['a', first]), changes(2, ['a', second], ['b', 'changed']))).toEqual(
    changes(1, ...(both === undefined ? [] : [['a', both] as [string, ChangeKind]]), ['b', 'changed']),
  );
});
