/** The comparison with a revision, in a small project whose benchmark reads its result from a file. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { compareWithBase } from '../../scripts/bench/base.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Writes the milliseconds of `speed.txt`, and the project of each run to a log beside it. */
const benchmark = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
appendFileSync(readFileSync('log-path.txt', 'utf8'), process.cwd() + '\\n');
const speed = Number(readFileSync('speed.txt', 'utf8'));
if (Number.isNaN(speed)) throw new Error('no speed');
const row = { metric: 'start', subject: 'this service', unit: 'ms', better: 'lower', values: [speed] };
const bench = { bench: process.argv[2], rows: [row], seconds: 1 };
const machine = { cpu: 'x', cores: 2, memory: 1, platform: 'linux', node: 'v24' };
const result = { format: 1, version: '1.0.0', at: '2026-11-01T00:00:00Z', isQuick: false, machine, benches: [bench] };
writeFileSync(process.argv.at(-1), JSON.stringify(result));
`;

const folders: Awaited<ReturnType<typeof temporaryFolder>>[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await folder.dispose();
});

/** A project in git whose last commit has this speed. Its benchmark is not committed, as a new one. */
async function project(speed: string) {
  const folder = await temporaryFolder();
  folders.push(folder);
  const path = join(folder.path, 'project');
  await mkdir(join(path, 'scripts/bench'), { recursive: true });
  const log = join(folder.path, 'log.txt');
  const write = (name: string, text: string): Promise<void> => writeFile(join(path, name), text);
  const git = (...parameters: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters], {
      cwd: path,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '' },
    });
  await write('package.json', '{"type":"module"}');
  await write('log-path.txt', log);
  await write('speed.txt', speed);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  await write('scripts/bench/main.ts', benchmark);
  return { path, write, git, runs: async () => (await readFile(log, 'utf8')).trim().split('\n') };
}

const options = { revision: 'HEAD', rounds: 6, progress: () => {}, signal: new AbortController().signal };
const bench = { bench: 'starts', parameters: [], limitMinutes: 1 };

test('rounds of both alternate, a loss of a tenth is found, and no work tree is left behind', async () => {
  const { path, write, git, runs } = await project('100');
  await write('speed.txt', '110');
  const { changes, notes } = await compareWithBase({ ...options, folder: path, benches: [bench] });
  expect(notes).toEqual([]);
  expect(changes).toMatchObject([{ bench: 'starts', metric: 'start', before: 100, after: 110, verdict: 'worse' }]);
  const sides = (await runs()).map((run) => (run === path ? 'after' : 'before'));
  expect(sides.join(' ')).toBe('before after after before before after after before before after after before');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});

test('a revision that cannot run a benchmark is named, and not tried again', async () => {
  const { path, write, runs } = await project('not a number');
  await write('speed.txt', '110');
  const { changes, notes } = await compareWithBase({ ...options, folder: path, benches: [bench] });
  expect(changes).toEqual([]);
  expect(notes).toEqual(['starts: it ended with exit code 1', 'starts, start: only after']);
  expect(await runs()).toHaveLength(2);
});

test('an unknown revision is named, and an interruption removes the work tree', async () => {
  const { path, git } = await project('100');
  await expect(compareWithBase({ ...options, revision: 'no', folder: path, benches: [bench] })).rejects.toThrow(
    '--base no: git knows no such revision',
  );
  const abort = new AbortController();
  const progress = (text: string): void => {
    if (text.includes('round 2')) abort.abort(new Error('interrupted'));
  };
  const run = compareWithBase({ ...options, progress, signal: abort.signal, folder: path, benches: [bench] });
  await expect(run).rejects.toThrow('interrupted');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});
