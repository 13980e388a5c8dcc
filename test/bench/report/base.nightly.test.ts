/** The comparison with a revision, in a small project whose benchmark reads its result from a file. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from '@jest/globals';
import { compareWithBase } from '../../../scripts/bench/report/base.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** Writes the milliseconds of `speed.txt` with a deviation by run, and the project of each run to a log beside it. */
const benchmark = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
const log = readFileSync('log-path.txt', 'utf8');
appendFileSync(log, process.cwd() + '\\n');
const run = readFileSync(log, 'utf8').split('\\n').length;
const speed = Number(readFileSync('speed.txt', 'utf8'));
if (Number.isNaN(speed)) throw new Error('no speed');
const values = [speed * (1 + 0.004 * (run % 3))];
const row = { metric: 'start', subject: 'this service', unit: 'ms', better: 'lower', values };
const bench = { bench: process.argv[2], rows: [row], seconds: 1, calibration: [1] };
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
  await writeFile(log, '');
  const write = (name: string, text: string): Promise<void> => writeFile(join(path, name), text);
  const git = (...parameters: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters], {
      cwd: path,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '' },
    });
  await write('package-lock.json', '{}');
  await write('package.json', '{"type":"module"}');
  await write('log-path.txt', log);
  await write('speed.txt', speed);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  await write('scripts/bench/main.ts', benchmark);
  return { path, write, git, runs: async () => (await readFile(log, 'utf8')).trim().split('\n') };
}

const options = { revision: 'HEAD', rounds: 4, progress: () => {}, signal: new AbortController().signal };
const bench = { bench: 'starts', parameters: [], limitMinutes: 1 };
const left = async (): Promise<string[]> => (await readdir(tmpdir())).filter((name) => name.startsWith('bench-base-'));

test('rounds of both alternate, a loss of a tenth is found, and no work tree is left behind', async () => {
  const { path, write, git, runs } = await project('100');
  const before = await left();
  await write('speed.txt', '110');
  const { changes, missing } = await compareWithBase({ ...options, folder: path, benches: [bench] });
  expect(missing).toEqual([]);
  expect(changes).toMatchObject([{ bench: 'starts', metric: 'start', basis: 'pairs', verdict: 'worse' }]);
  expect(changes[0]?.factor).toBeCloseTo(1 / 1.1, 1);
  const [first, ...others] = (await runs()).map((run) => (run === path ? 'after' : 'before'));
  expect([first, ...others].join(' ')).toBe('before after after before before after after before');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect((await left()).filter((name) => !before.includes(name))).toEqual([]);
  expect(git('status', '--porcelain')).toContain('speed.txt');
});

test('a revision that cannot run a benchmark is named, and not tried again', async () => {
  const { path, write, runs } = await project('not a number');
  await write('speed.txt', '110');
  await write('package-lock.json', '{"packages":{}}');
  const { changes, missing, notes } = await compareWithBase({ ...options, folder: path, benches: [bench] });
  expect(changes).toEqual([]);
  expect(missing).toEqual(['starts, before: it ended with exit code 1', 'starts, start: only after']);
  expect(notes).toEqual(['package-lock.json differs: both ran with the packages of this project']);
  expect(await runs()).toHaveLength(2);
});

test('an interruption removes the work tree', async () => {
  const { path, git } = await project('100');
  const abort = new AbortController();
  const progress = (text: string): void => {
    if (text.includes('round 2')) abort.abort(new Error('interrupted'));
  };
  const run = compareWithBase({ ...options, progress, signal: abort.signal, folder: path, benches: [bench] });
  await expect(run).rejects.toThrow('interrupted');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(existsSync(path)).toBe(true);
});
