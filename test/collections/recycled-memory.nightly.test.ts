import { expect, test } from '@jest/globals';
import { RecycledMemory } from '../../server/collections/recycled-memory.ts';

test('memory that comes back is used again, where it is large enough', () => {
  const memory = new RecycledMemory();
  const small = memory.take(100_000);
  expect(small.byteLength).toBeGreaterThanOrEqual(100_000);
  memory.give([small]);
  expect(memory.take(50_001)).toBe(small);
  memory.give([small]);
  const large = memory.take(200_001);
  expect(large).not.toBe(small);
  expect(large.byteLength).toBeGreaterThanOrEqual(200_001);
  // New memory fits the largest request so far.
  memory.give([large]);
  expect(memory.take(10)).toBe(large);
  expect(memory.take(10).byteLength).toBeGreaterThanOrEqual(200_001);
});

test('memory of unusual size is not kept', () => {
  const memory = new RecycledMemory();
  const huge = memory.take(100_000_000);
  memory.give([huge]);
  expect(memory.take(10)).not.toBe(huge);
  expect(memory.take(10).byteLength).toBeLessThan(1_000_000);
});
