/** Runs the formatter, the linter and the search for unused code, as `npm run lint` does. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const root = new URL('../', import.meta.url).pathname;
const bin = (name: string): string => `${root}node_modules/.bin/${name}`;

function output(name: string, ...parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin(name), ...parameters], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

test.each([
  ['every file is formatted: npm run format', 'oxfmt', ['--check', '.']],
  ['the linter finds no error', 'oxlint', ['--type-aware', '--quiet', '--threads', '1']],
  ['no file, export or dependency is unused', 'knip', ['--no-progress', '--no-config-hints']],
])('%s', (_title, name, parameters) => {
  expect(existsSync(bin(name))).toBe(true);
  expect(output(name, ...parameters)).toBe('');
});
