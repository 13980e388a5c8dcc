import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { confirm } from '../../scripts/cli/confirm.ts';

test.each([
  ['erase\n', true],
  ['  erase  \n', true],
  ['erased\n', false],
  ['y\n', false],
  ['\n', false],
  ['', false],
])('the answer %j is a confirmation: %s', async (answer, isConfirmed) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const confirmed = confirm('erase', input, output);
  input.end(answer);
  expect(await confirmed).toBe(isConfirmed);
  output.end();
  expect(await text(output)).toContain('Type "erase" to go on: ');
});
