import { expect, test } from '@jest/globals';
import { pageOf } from '../../../scripts/bench/report/page.ts';
import { ourselves, type ResultFile, type Row } from '../../../scripts/bench/report/result.ts';

const rows = (own: number): Row[] => [
  { metric: 'page <new>', subject: ourselves, unit: 'requests/s', better: 'higher', values: [own, own, own] },
  { metric: 'page <new>', subject: 'bare "http"', unit: 'requests/s', better: 'higher', values: [100, 100, 100] },
  { metric: 'start', subject: ourselves, unit: 's', better: 'lower', values: [own / 1000] },
];
const file = (version: string, own: number, problem?: string): ResultFile => ({
  ...{ format: 1, version, commit: 'c0ffee0000aa', at: '2026-11-01T00:00:00Z', isQuick: false },
  machine: { cpu: 'x & y', cores: 2, memory: 8 * 2 ** 30, platform: 'linux x64', node: 'v24.0.0' },
  benches: [
    { bench: 'http', rows: rows(own), seconds: 3, calibration: [20], ...(problem === undefined ? {} : { problem }) },
  ],
});

test('the page shows the newest result with its ratios, and the values by version', () => {
  const page = pageOf([file('1.1.0', 25), file('1.2.0', 50)]);
  expect(page).toContain('Version 1.2.0, commit c0ffee0000, 2026-11-01: 2 cores of x &#38; y, 8 GiB');
  expect(page).toContain('<title>page &#60;new&#62;: 0.5 × bare &#34;http&#34;</title>');
  expect(page).toContain('page &#60;new&#62; by version, times as good as bare &#34;http&#34;: 1.1.0 0.25, 1.2.0 0.5');
  expect(page).toContain('start by version, s, lower is better: 1.1.0 0.025, 1.2.0 0.05');
  expect(page).not.toMatch(/NaN|Infinity|undefined|<new>/);
});

test('the page needs no network and no script', () => {
  const page = pageOf([file('1.1.0', 25)]);
  expect(page).not.toMatch(/<script|https?:\/\/|src=|@import|url\(/);
  // One version is no course.
  expect(page).not.toContain('by version');
});

test('the page says what is not complete, and what is no measurement', () => {
  const page = pageOf([{ ...file('1.1.0', 25, 'it took longer than 30 minutes'), isQuick: true, isChanged: true }]);
  expect(page).toContain('it took longer than 30 minutes');
  expect(page).toContain('the values are no measurements');
  expect(page).toContain('commit c0ffee0000 with changes');
  expect(pageOf([])).toContain('There are no results yet');
});
