import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { releaseResults } from '../../../scripts/bench/report/commands.ts';
import { ourselves, type ResultFile } from '../../../scripts/bench/report/result.ts';
import { tablesOf } from '../../../scripts/bench/report/tables.ts';

const file = (more: Partial<ResultFile> = {}): ResultFile => ({
  ...{ format: 1, version: '1.2.0', commit: 'c0ffee0000aa', at: '2026-11-01T00:00:00Z', isQuick: false },
  machine: { cpu: 'x', cores: 2, memory: 8 * 2 ** 30, platform: 'linux x64', node: 'v24.0.0' },
  benches: [
    {
      bench: 'http',
      rows: [
        { metric: 'page', subject: ourselves, unit: 'requests/s', better: 'higher', values: [50, 40, 60] },
        { metric: 'page', subject: 'bare', unit: 'requests/s', better: 'higher', values: [100, 100, 100] },
        { metric: 'memory', subject: ourselves, unit: 'bytes', better: 'lower', values: [20_000_000] },
        { metric: 'memory', subject: 'bare', unit: 'bytes', better: 'lower', values: [10_000_000] },
        { metric: 'start', subject: 'other', unit: 's', better: 'lower', values: [3] },
      ],
      ...{ seconds: 3, calibration: [20] },
    },
  ],
  ...more,
});

/** The cells of the lines of the tables. */
const cellsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

test('a line has the median of each subject, and how many times as good as the peer the service was', () => {
  expect(cellsOf(tablesOf([file()]))).toEqual([
    ['metric', 'unit', ourselves, 'bare', 'other'],
    ['------', '---------:', '-----------:', '--------:', '----:'],
    ['page', 'requests/s', '50', '100 (0.5)', ''],
    ['memory', 'MB', '20', '10 (0.5)', ''],
    ['start', 's', '', '', '3'],
  ]);
});

test('the tables are those of the newest result, and say what is not complete and what is no measurement', () => {
  const failed = { bench: 'soak', rows: [], seconds: 1, calibration: [20], problem: 'it took longer than 75 minutes' };
  const text = tablesOf([file(), file({ version: '1.3.0', isQuick: true, benches: [failed] })]);
  expect(text).toContain('Version 1.3.0, commit c0ffee0000, 2026-11-01: 2 cores of x, 8 GiB');
  expect(text).toContain('the values are no measurements');
  expect(text).toContain('## soak\n\n**Not complete:** it took longer than 75 minutes');
  expect(text).not.toContain('## http');
  expect(tablesOf([])).toContain('There are no results yet');
});

test('the tables in the repository are those of its newest result', async () => {
  const text = await readFile(new URL('../../../scripts/bench/results/README.md', import.meta.url), 'utf8');
  expect(text).toBe(tablesOf(await releaseResults()));
});
