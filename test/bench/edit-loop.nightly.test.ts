import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { peerGenerator } from '../../scripts/bench/edit-loop.ts';
import { copyProject } from '../../scripts/bench/edit-loop/loop.ts';

const root = new URL('../../', import.meta.url).pathname;

test('the copy of the project for the edit loop has all that the type checkers read, except the tests', async () => {
  const settings = await readFile(join(root, 'tsconfig.json'), 'utf8');
  const { include } = JSON.parse(settings) as { include: string[] };
  const folders = new Set(include.map((path) => path.split('/')[0]!).filter((folder) => folder !== 'test'));
  const copy = await copyProject('test/text');
  try {
    for (const folder of folders) {
      const files = (await readdir(join(root, folder), { recursive: true })).filter(
        (file) => /\.tsx?$/.test(file) && !file.includes('node_modules'),
      );
      expect(files.length).toBeGreaterThan(0);
      expect(files.filter((file) => !existsSync(join(copy.path, folder, file)))).toEqual([]);
    }
  } finally {
    await copy.remove();
  }
});

test('the compared generator makes types with the names that the code imports', async () => {
  const copy = await copyProject('test/text');
  try {
    const file = join(copy.path, 'generated/types.ts');
    const namesIn = (text: string): string[] =>
      [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name!);
    const wanted = namesIn(await readFile(file, 'utf8'));
    expect(wanted).toContain('Tweet');
    const { status, stderr } = spawnSync(process.execPath, peerGenerator, { cwd: copy.path, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const made = namesIn(await readFile(file, 'utf8'));
    expect(wanted.filter((name) => !made.includes(name))).toEqual([]);
  } finally {
    await copy.remove();
  }
});
