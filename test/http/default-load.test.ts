import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('by default a turn takes requests for two seconds, and a tenth of it while a queue persists', () => {
  // In a separate process: tests change the limits of their process.
  const program =
    "import('./server/http/server/load-monitor.ts').then((it) => console.log(JSON.stringify(it.defaultLoadLimits)))";
  const cwd = new URL('../../', import.meta.url).pathname;
  const printed = execFileSync(process.execPath, ['--eval', program], { cwd, encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual({ inFlight: 1_000, burstMs: 2_000, standingMs: 200 });
});
