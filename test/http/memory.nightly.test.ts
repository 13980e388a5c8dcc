import { expect, test } from '@jest/globals';
import { run } from '../support/server.ts';

/** The number that a program of this folder prints. */
async function printedBy(program: string): Promise<number> {
  const { code, stdout, stderr } = await run(`test/http/${program}`, [], { NODE_OPTIONS: '--expose-gc' });
  expect([code, stderr]).toEqual([0, '']);
  return Number(stdout);
}

test('does not leak memory for new content types', async () => {
  // Without the canonical form each type keeps a compiled validator: more than 25 MB here.
  expect(await printedBy('memory.child.ts')).toBeLessThan(5_000_000);
});

test('cached responses hold only their own bytes', async () => {
  // A tweet and an answer of less than 1 kB each; as Node makes them, each would hold a pool of 64 kB.
  const bytes = await printedBy('cached-bytes.child.ts');
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThan(8_000);
});
