/** The results of benchmarks: what a comparison finds, and what a table says. */
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { compareBenches, compareFiles, describeComparison } from '../../scripts/bench/compare.ts';
import { CallError, Command } from '../../scripts/bench/options.ts';
import {
  describeResult,
  readResult,
  resultText,
  tableOf,
  type ResultFile,
  type Row,
} from '../../scripts/bench/result.ts';
import { median, percentile } from '../../scripts/bench/table.ts';
import { temporaryFolder } from '../support/folder.ts';

const row = (values: number[], more: Partial<Row> = {}): Row => ({
  ...{ metric: 'start', subject: 'this service', unit: 'ms', better: 'lower', values, ...more },
});
const peer = (values: number[], more: Partial<Row> = {}): Row => row(values, { subject: 'bare', ...more });

const machine = { cpu: 'a', cores: 2, memory: 2 ** 33, platform: 'linux x64', node: 'v24.0.0' };
const file = (rows: readonly Row[], more: Partial<ResultFile> = {}): ResultFile => ({
  ...{ format: 1, version: '1.0.0', at: '2026-11-01T00:00:00Z', isQuick: false, machine },
  ...{ benches: [{ bench: 'archive', rows, seconds: 1 }], ...more },
});
const compared = (before: readonly Row[], after: readonly Row[], more: Partial<ResultFile> = {}) =>
  compareFiles(file(before), file(after, more));

describe('a comparison of two results', () => {
  test('finds a loss where the rounds do not overlap and the difference is large enough', () => {
    const before = row([100, 101, 102]);
    expect(compared([before], [row([111, 110, 112])]).changes).toMatchObject([
      { verdict: 'worse', before: 101, after: 111 },
    ]);
    expect(compared([before], [row([90, 91, 92])]).changes).toMatchObject([{ verdict: 'better' }]);
    expect(compared([before], [row([103, 103.5, 104])]).changes).toMatchObject([{ verdict: 'noise' }]);
    expect(compared([before], [row([101.5, 130, 140])]).changes).toMatchObject([{ verdict: 'noise' }]);
    expect(compared([before], [row([200, 201])]).changes).toMatchObject([{ verdict: 'unknown' }]);
  });

  test('of a rate, more is better', () => {
    const rate = (values: number[]): Row => row(values, { unit: 'requests/s', better: 'higher' });
    const [change] = compared([rate([100, 101, 102])], [rate([200, 202, 204])]).changes;
    expect(change?.verdict).toBe('better');
    expect(change?.factor).toBeCloseTo(2);
  });

  test('a slower machine is no loss where a peer was as much slower in the same rounds', () => {
    const [before, after] = [
      [row([10, 11, 12]), peer([5, 5.5, 6])],
      [row([20, 22, 24]), peer([10, 11, 12])],
    ];
    const other = { machine: { ...machine, cpu: 'b' } };
    const { changes, notes } = compared(before, after, other);
    expect(changes).toMatchObject([{ verdict: 'noise', factor: 1, peer: 'bare' }]);
    expect(notes).toEqual(['the machines differ in cpu: a and b']);
    // Its memory is not the same after each start.
    expect(compared(before, after, { machine: { ...machine, memory: 2 ** 33 - 4096 } }).notes).toEqual([]);
    // Of another peer, nothing is known; and values of another machine prove nothing.
    const alone = compared([before[0]!], [row([20, 22, 24]), peer([10, 11, 12])], other);
    expect(alone.changes).toMatchObject([{ verdict: 'unknown', peer: undefined }]);
  });

  test('compares rounds that alternated one by one, so that a machine that becomes slower is no loss', () => {
    const values = [10, 12, 14, 16, 18];
    const result = (rows: readonly Row[]) => [{ bench: 'archive', rows, seconds: 1 }];
    const after = (share: number) => result([row(values.map((value) => value * share))]);
    expect(compareBenches(result([row(values)]), after(1.1), true).changes).toMatchObject([{ verdict: 'worse' }]);
    expect(compareBenches(result([row(values)]), after(1.02), true).changes).toMatchObject([{ verdict: 'noise' }]);
    expect(compareBenches(result([row(values)]), after(1.1), false).changes).toMatchObject([{ verdict: 'noise' }]);
    const few = compareBenches(result([row([1, 1])]), result([row([2, 2])]), true);
    expect(few.changes).toMatchObject([{ verdict: 'unknown', factor: 0.5 }]);
  });

  test('names what only one side has, and what was not complete', () => {
    const before = file([row([1, 2]), row([1, 2], { metric: 'size', unit: 'kB' })]);
    const after = file([row([1, 2]), row([1, 2], { metric: 'size', unit: 'MB' })], { isQuick: true });
    const failed = { bench: 'soak', rows: [], seconds: 1, problem: 'it ended with exit code 1' };
    const { notes } = compareFiles({ ...before, benches: [...before.benches, failed] }, after);
    expect(notes).toEqual([
      'archive, size: only before',
      'archive, size: only after',
      'soak: only before',
      'a result is a trial (--quick): it proves nothing',
    ]);
    const pairs = compareBenches([failed], [{ ...failed, problem: 'it is gone' }], true);
    expect(pairs.notes).toEqual(['soak: it ended with exit code 1', 'soak: it is gone']);
  });

  test('is printed with losses first', () => {
    const lines = describeComparison(
      compared(
        [row([1, 1, 1.01]), row([1, 1, 1.01], { metric: 'search' })],
        [row([1, 1, 1.01]), row([2, 2, 2.01], { metric: 'search' })],
      ),
    ).split('\n');
    expect(lines.filter((line) => line.startsWith('| archive'))).toEqual([
      expect.stringMatching(/^\| archive: search, ms \|.* 1 \| .* 2 \| .*0\.50 \|.* value \| .*worse \|$/),
      expect.stringMatching(/^\| archive: start, ms .*noise \|$/),
    ]);
    expect(lines.at(-1)).toBe('1 worse, 0 better, 1 within the noise, 0 unknown. A ratio above 1 is better.');
  });
});

describe('a table of results', () => {
  test('has a line for each metric, a column for each subject, and the median ratio to each peer', () => {
    const rows = [
      row([10, 20, 30]),
      peer([20, 20, 30]),
      row([3e6], { metric: 'memory', unit: 'bytes' }),
      peer([1.5e6], { metric: 'memory', unit: 'bytes' }),
    ];
    expect(tableOf(rows).split('\n')).toEqual([
      '| metric | unit | this service |       bare |',
      '| ------ | ---: | -----------: | ---------: |',
      '| start  |   ms |           20 |   20 (1.0) |',
      '| memory |   MB |            3 | 1.5 (0.50) |',
    ]);
  });

  test('says what a result is of, and what is missing in it', () => {
    const failed = { bench: 'http', rows: [], seconds: 1, problem: 'it took longer than 30 minutes' };
    const text = describeResult({
      ...file([]),
      commit: 'abcdef0123456789',
      isChanged: true,
      isQuick: true,
      benches: [failed],
    });
    expect(text).toContain('Version 1.0.0, commit abcdef0123 with changes, 2026-11-01: 2 cores of a, 8 GiB');
    expect(text).toContain('the values are no measurements');
    expect(text).toContain('## http\n\n**Not complete:** it took longer than 30 minutes');
  });

  test('is made of each result of a release', async () => {
    const folder = new URL('../../scripts/bench/results/', import.meta.url).pathname;
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(names).toContain('1.2.0.json');
    for (const name of names) {
      const result = await readResult(join(folder, name));
      expect(`${result.version}.json`).toBe(name);
      expect(await readFile(join(folder, name), 'utf8')).toBe(resultText(result));
      expect(describeResult(result)).toContain('## http\n\n| metric');
    }
  });
});

test('a file that is no result is refused with its name', async () => {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'a.json');
  await expect(readResult(path)).rejects.toThrow('a.json cannot be read');
  const good = file([row([1])]);
  for (const wrong of ['{', 'null', '{"format":2}', { ...good, machine: {} }, file([row([])]), file([{} as Row])]) {
    await writeFile(path, typeof wrong === 'string' ? wrong : JSON.stringify(wrong));
    await expect(readResult(path)).rejects.toThrow('a.json');
  }
  await writeFile(path, JSON.stringify(good));
  expect(await readResult(path)).toEqual(good);
  await folder.dispose();
});

test('a median is the middle value or the mean of both, and a percentile the value at the nearest rank', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
  expect([0.1, 0.5, 0.99, 1].map((share) => percentile([5, 1, 3, 2, 4], share))).toEqual([1, 3, 5, 5]);
  expect(percentile([], 0.5)).toBeNaN();
});

test('the command line is checked before anything runs', () => {
  const { given } = new Command(['http', '--quick', '--seconds', '0.5', '--json', 'a.json']);
  expect(given).toEqual(['--quick', '--seconds=0.5']);
  expect(new Command(['--quick']).numbers('tweets')).toEqual([2000]);
  expect(new Command(['--tweets', '1000,2000']).numbers('tweets')).toEqual([1000, 2000]);
  for (const wrong of [['--rounds', '0'], ['--rounds', '1.5'], ['--seconds', 'x'], ['--platform', 'x'], ['--wrong']])
    expect(() => new Command(wrong)).toThrow(CallError);
});
