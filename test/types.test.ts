/** Checks the types of the whole project, as `npm run typecheck` does. */
import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const root = new URL('../', import.meta.url).pathname;

test.each([
  ['the project', ['--incremental', '--tsBuildInfoFile', 'dist/typecheck.tsbuildinfo']],
  ['the client by its own settings', ['-p', 'client']],
])('%s compiles: npm run typecheck', (_title, parameters) => {
  // Each further checker checks again what it shares with the others: four take a third more CPU time, and other tests run beside this one.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/typescript-native/bin/tsc', '--checkers', '1', ...parameters],
    { cwd: root, encoding: 'utf8' },
  );
  expect({ status, output: `${stdout}${stderr}` }).toEqual({ status: 0, output: '' });
});
