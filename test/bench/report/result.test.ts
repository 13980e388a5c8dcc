import { expect, test } from '@jest/globals';
import { finite, parseResult, ResultError, type ResultFile, type Row } from '../../../scripts/bench/report/result.ts';

const row: Row = { metric: 'page', subject: 'this service', unit: 'ms', better: 'lower', values: [1, 2] };
const result: ResultFile = {
  ...{ format: 1, version: '1.2.0', commit: 'abc', isChanged: false, at: '2026-11-01T00:00:00Z', isQuick: false },
  machine: { cpu: 'x', cores: 2, memory: 8e9, platform: 'linux x64', node: 'v24.0.0' },
  benches: [{ bench: 'http', rows: [row], seconds: 3, calibration: [20] }],
};
const [bench] = result.benches;

test('a file of results is read as it was written', () => {
  expect(parseResult(JSON.stringify(result), 'a.json')).toEqual(result);
});

test.each<[string, object]>([
  ['it is no object', []],
  ['the format is 2, this version reads 1', { ...result, format: 2 }],
  ['it has no version', { ...result, version: undefined }],
  ['it has no time', { ...result, at: 'today' }],
  ['it does not say whether it was quick', { ...result, isQuick: 'no' }],
  ['it does not describe the machine', { ...result, machine: { cpu: 'x' } }],
  ['it has no benchmarks', { ...result, benches: {} }],
  ['benchmark 1 has no name', { ...result, benches: [{}] }],
  ['http has no duration', { ...result, benches: [{ ...bench, seconds: null }] }],
  ['http has no calibration', { ...result, benches: [{ ...bench, calibration: ['x'] }] }],
  ['http has no rows', { ...result, benches: [{ ...bench, rows: null }] }],
  ['http has an invalid problem', { ...result, benches: [{ ...bench, problem: 3 }] }],
  ['http row 1 is no object', { ...result, benches: [{ ...bench, rows: [3] }] }],
  ['http row 1 has no unit', { ...result, benches: [{ ...bench, rows: [{ ...row, unit: '' }] }] }],
  [
    'http row 1 does not say whether higher or lower is better',
    { ...result, benches: [{ ...bench, rows: [{ ...row, better: 'more' }] }] },
  ],
  ['http row 1 has no values', { ...result, benches: [{ ...bench, rows: [{ ...row, values: [null] }] }] }],
  ['http row 1 has an invalid `exact`', { ...result, benches: [{ ...bench, rows: [{ ...row, exact: false }] }] }],
  ['http has two rows of one metric and subject', { ...result, benches: [{ ...bench, rows: [row, row] }] }],
])('a file is refused when %s', (fault, content) => {
  const read = (): unknown => parseResult(JSON.stringify(content), 'a.json');
  expect(read).toThrow(ResultError);
  expect(read).toThrow(`a.json is no file of benchmark results: ${fault}`);
});

test('a file that is no JSON is refused', () => {
  expect(() => parseResult('{', 'a.json')).toThrow('a.json is no JSON');
});

test('figures that the system does not offer are left out', () => {
  expect(
    finite([row, { ...row, metric: 'memory', values: [1, Number.NaN] }, { ...row, metric: 'none', values: [] }]),
  ).toEqual([row]);
});
