/** Runs the formatter, the linter and the search for unused code, as `npm run lint` does. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { runsAll } from './support/rounds.ts';

const root = new URL('../', import.meta.url).pathname;
const bin = (name: string): string => `${root}node_modules/.bin/${name}`;

function output(name: string, ...parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin(name), ...parameters], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

const lint = ['--quiet', '--threads', '1'];
/** Types of the tests take as long as those of all else: `npm test` leaves them to `npm run lint` and the nightly run. */
const withTypes = runsAll ? ['.'] : ['server', 'client', 'pages', 'scripts'];

test.each([
  ['every file is formatted: npm run format', 'oxfmt', ['--check', '.']],
  ['the linter finds no error', 'oxlint', lint],
  ['the linter finds no error that needs types', 'oxlint', ['--type-aware', ...lint, ...withTypes]],
  ['no file, export or dependency is unused', 'knip', ['--no-progress', '--no-config-hints']],
])('%s', (_title, name, parameters) => {
  expect(existsSync(bin(name))).toBe(true);
  expect(output(name, ...parameters)).toBe('');
});
