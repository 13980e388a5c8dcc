import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

test('requests with ever new content types leave nothing behind in the validator', async () => {
  const child = fileURLToPath(new URL('./memory.child.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child]);
  // Without the canonical form each type keeps a compiled validator: more than 50 MB here.
  expect(Number(stdout)).toBeLessThan(5_000_000);
});
