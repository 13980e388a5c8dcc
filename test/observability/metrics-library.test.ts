import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { measureProcess, Registry } from '../../server/observability/metrics-library.ts';

test('registers the metrics of the process, but not those whose names promtool refuses', async () => {
  const registry = new Registry();
  measureProcess(registry);
  const names = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds']));
  expect(names.filter((name) => name.startsWith('nodejs_eventloop_utilization'))).toEqual([]);
});

test('the library has the version whose private modules are used', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // Before another version: compare the modules that `metrics-library.ts` requires, run the tests of the metrics, and change this line.
  expect(manifest.dependencies['@prometheus-io/client']).toBe('0.16.1');
});
