import { expect, test } from '@jest/globals';
import { compareFiles, comparePairs, describeComparison } from '../../../scripts/bench/report/compare.ts';
import { ourselves, type BenchResult, type ResultFile, type Row } from '../../../scripts/bench/report/result.ts';
import { seededRandom } from './random.ts';

type Verdicts = Record<string, string>;
const random = seededRandom(11);
/** Values around a mean with this relative standard deviation. */
const values = (mean: number, spread: number, count = 8): number[] =>
  Array.from({ length: count }, () => mean * Math.exp(spread * random.normal()));

const row = (metric: string, of: readonly number[], more: Partial<Row> = {}): Row => ({
  ...{ metric, subject: ourselves, unit: 'ms', better: 'lower', values: of, ...more },
});
const bench = (rows: readonly Row[], calibration: readonly number[] = [100, 101, 99, 100, 100]): BenchResult => ({
  ...{ bench: 'http', rows, seconds: 1, calibration },
});
const file = (result: BenchResult): ResultFile => ({
  ...{ format: 1, version: '1.0.0', at: '2026-11-01T00:00:00Z', isQuick: false, benches: [result] },
  machine: { cpu: 'x', cores: 2, memory: 1, platform: 'linux x64', node: 'v24.0.0' },
});
const verdicts = (changes: readonly { metric: string; verdict: string }[]): Verdicts =>
  Object.fromEntries(changes.map(({ metric, verdict }) => [metric, verdict]));

test('a planted loss of a tenth is found in alternating rounds, and noise is called noise', () => {
  // A slow phase of the machine affects both sides of a round.
  const drift = values(1, 0.1);
  const drifting = (mean: number): number[] => values(mean, 0.01).map((value, round) => value * (drift[round] ?? 1));
  const names = Array.from({ length: 40 }, (_, index) => `same ${index}`);
  const side = (factor: number): BenchResult =>
    bench([
      ...names.map((name) => row(name, drifting(10))),
      row('slower', drifting(10 * factor)),
      row('fewer', drifting(5000 / factor), { unit: 'requests/s', better: 'higher' }),
      row('more', drifting(5000 * factor), { unit: 'requests/s', better: 'higher' }),
    ]);
  const { changes, missing } = comparePairs([side(1)], [side(1.1)]);
  expect(missing).toEqual([]);
  expect(verdicts(changes)).toEqual({
    ...Object.fromEntries(names.map((name) => [name, 'noise'])),
    ...{ slower: 'worse', fewer: 'worse', more: 'better' },
  });
  const slower = changes.find(({ metric }) => metric === 'slower');
  expect(slower?.factor).toBeCloseTo(1 / 1.1, 1);
  expect(slower?.basis).toBe('pairs');
});

test('results that only vary have no change, however many there are', () => {
  let alarms = 0;
  for (let time = 0; time < 20; time++) {
    const side = (): BenchResult =>
      bench(Array.from({ length: 100 }, (_, index) => row(`m${index}`, values(10, 0.15, 5))));
    const found = [...comparePairs([side()], [side()]).changes, ...compareFiles(file(side()), file(side())).changes];
    alarms += found.filter(({ verdict }) => verdict !== 'noise').length;
  }
  // In a comparison without a change, the probability of an alarm is one in twenty: here are forty.
  expect(alarms).toBeLessThanOrEqual(6);
});

test('a slower machine is no loss: ratios to the peer of the same rounds are compared', () => {
  const side = (machine: number, own: number): ResultFile => {
    const rounds = values(1, 0.05, 5).map((value) => value * machine);
    const peer = row(
      'page',
      rounds.map((value) => value * 4),
      { subject: 'bare' },
    );
    return file(
      bench(
        [
          row(
            'page',
            rounds.map((value) => value * own),
          ),
          peer,
        ],
        [100 / machine],
      ),
    );
  };
  expect(compareFiles(side(1, 10), side(1.3, 10)).changes[0]).toMatchObject({
    verdict: 'noise',
    basis: 'ratio to bare',
  });
  expect(compareFiles(side(1, 10), side(1.3, 11)).changes[0]).toMatchObject({
    verdict: 'worse',
    basis: 'ratio to bare',
  });
});

test('without a peer, times and rates are corrected by the speed of the machine, and sizes are not', () => {
  const side = (machine: number): ResultFile =>
    file(
      bench(
        [
          row('start', values(2 * machine, 0.02, 5), { unit: 's' }),
          row('import', values(9000 / machine, 0.02, 5), { unit: 'tweets/s', better: 'higher' }),
          row('memory', values(500, 0.001, 5), { unit: 'bytes' }),
        ],
        values(100 * machine, 0.01, 5),
      ),
    );
  const { changes } = compareFiles(side(1), side(1.3));
  expect(verdicts(changes)).toEqual({ start: 'noise', import: 'noise', memory: 'noise' });
  expect(changes.map(({ basis }) => basis)).toEqual(['calibrated', 'calibrated', 'plain']);
  const uncertain = (machine: number): ResultFile =>
    file(bench([row('start', values(2 * machine, 0.02, 5), { unit: 's' })], [60, 100, 140, 100]));
  // A machine whose speed is not known well proves less.
  expect(compareFiles(uncertain(1), uncertain(1.2)).changes[0]?.verdict).toBe('noise');
});

test('an exact size needs no rounds; one value of a time tells nothing', () => {
  const side = (size: number, ms: number): ResultFile =>
    file(bench([row('size', [size], { unit: 'kB', exact: true }), row('time', [ms]), row('none', [0, 0, 0])]));
  expect(verdicts(compareFiles(side(10, 5), side(10, 9)).changes)).toEqual({
    size: 'noise',
    time: 'unknown',
    none: 'unknown',
  });
  expect(verdicts(compareFiles(side(10, 5), side(10.2, 5)).changes)).toMatchObject({ size: 'worse' });
});

test('what only one side has is named', () => {
  const before = bench([row('gone', [1, 2]), row('in other units', [1, 2])]);
  const after = bench([row('new', [1, 2]), row('in other units', [1, 2], { unit: 's' })]);
  const stream = { ...bench([]), bench: 'stream', problem: 'it took longer than 30 minutes' };
  const comparison = comparePairs([before, stream], [after, stream]);
  expect(comparison.missing).toEqual([
    'http, gone: only before',
    'http, in other units: in ms before, in s after',
    'http, new: only after',
    'stream, before: it took longer than 30 minutes',
    'stream, after: it took longer than 30 minutes',
  ]);
  expect(describeComparison(comparison, false)).toContain('not compared: http, gone: only before');
});

test('a trial and another machine are named', () => {
  const [usual, other] = [file(bench([])), file(bench([]))];
  expect(compareFiles(usual, other).notes).toEqual([]);
  const elsewhere = { ...other, isQuick: true, machine: { ...other.machine, cores: 8, memory: 16 * 2 ** 30 } };
  const comparison = compareFiles(usual, elsewhere);
  expect(comparison.notes).toEqual([
    'a result is a trial with a small load (--quick): it proves nothing',
    'the machines differ in cores: 2 and 8',
    'the machines differ in memory: 0 GiB and 16 GiB',
  ]);
  expect(describeComparison(comparison, false)).toContain('note: the machines differ in cores: 2 and 8');
});

test('the table lists changes, losses first, and with --verbose all rows', () => {
  const side = (factor: number): BenchResult =>
    bench([
      row('same', values(1, 0.001)),
      row('faster', values(1 / factor, 0.001)),
      row('slower', values(factor, 0.001)),
    ]);
  const comparison = comparePairs([side(1)], [side(1.2)]);
  const text = describeComparison(comparison, false);
  expect(text.indexOf('http: slower, ms')).toBeGreaterThan(0);
  expect(text.indexOf('http: slower, ms')).toBeLessThan(text.indexOf('http: faster, ms'));
  expect(text).toMatch(/−16\.\d %.*worse/);
  expect(text).not.toContain('http: same');
  expect(text).toContain('1 worse, 1 better, 1 within the noise, 0 with too few values to tell.');
  expect(describeComparison(comparison, true)).toContain('http: same, ms');
});
