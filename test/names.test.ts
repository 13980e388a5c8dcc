/** Where the tests of a file of the server are. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
/** Shorter files only hold types, names or a few lines for others. */
const leastLines = 60;

test('each file of the server has a test of the same name, or one that names its path', () => {
  const tests = new Map(
    globSync('test/**/*.test.ts', { cwd: root.pathname, exclude: ['**/node_modules'] }).map((path) => [
      path,
      read(path),
    ]),
  );
  const texts = [...tests.values()].join('\n');
  const missing = globSync('server/**/*.ts', { cwd: root.pathname }).filter(
    (path) =>
      read(path).split('\n').length > leastLines &&
      !tests.has(path.replace(/^server(.*)\.ts$/, 'test$1.test.ts')) &&
      !texts.includes(path),
  );
  expect(missing).toEqual([]);
});
