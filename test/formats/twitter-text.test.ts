import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test('the extraction of entities leaves the regular expressions and arrays of the process as fast as they are', async () => {
  const child = fileURLToPath(new URL('./twitter-text.child.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--allow-natives-syntax', child]);
  const entities = [[{ username: 'ada' }], ['tea'], ['TEA'], ['https://example.org/a?b=1']];
  expect(JSON.parse(stdout)).toEqual([true, ...entities, true]);
});
