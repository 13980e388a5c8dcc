import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The number that a program of this folder prints. */
async function printedBy(program: string): Promise<number> {
  const child = fileURLToPath(new URL(program, import.meta.url));
  return Number((await promisify(execFile)(process.execPath, ['--expose-gc', child])).stdout);
}

test('does not leak memory for new content types', async () => {
  // Without the canonical form each type keeps a compiled validator: more than 25 MB here.
  expect(await printedBy('./memory.child.ts')).toBeLessThan(5_000_000);
});

test('cached responses hold only their own bytes', async () => {
  // A tweet and an answer of less than 1 kB each; as Node makes them, each would hold a pool of 64 kB.
  const bytes = await printedBy('./cached-bytes.child.ts');
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThan(8_000);
});
