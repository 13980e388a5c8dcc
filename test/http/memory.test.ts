import { expect, test } from '@jest/globals';
import { isTurnOf } from '../support/rounds.ts';
import { run } from '../support/server.ts';

/** One of the programs runs each day. */
const inTurn = (place: number): typeof test => (isTurnOf(place, 2) ? test : (test.skip as typeof test));

/** The number that a program of this folder prints. */
async function printedBy(program: string): Promise<number> {
  const { code, stdout, stderr } = await run(`test/http/${program}`, [], { NODE_OPTIONS: '--expose-gc' });
  expect([code, stderr]).toEqual([0, '']);
  return Number(stdout);
}

inTurn(0)('does not leak memory for new content types', async () => {
  // Without the canonical form each type keeps a compiled validator: more than 25 MB here.
  expect(await printedBy('memory.child.ts')).toBeLessThan(5_000_000);
});

inTurn(1)('cached responses hold only their own bytes', async () => {
  // A tweet and an answer of less than 1 kB each; as Node makes them, each would hold a pool of 64 kB.
  const bytes = await printedBy('cached-bytes.child.ts');
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThan(8_000);
});
