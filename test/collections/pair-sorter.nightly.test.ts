import { expect, test } from '@jest/globals';
import { PairSorter } from '../../server/collections/pair-sorter.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

test('pairs with keys of any size are in ascending order, and equal keys in the order of the calls', () => {
  const sorter = new PairSorter(100);
  const key = fc.oneof(fc.nat(3), fc.nat(5000), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  const value = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { maxLength: 100 }), (pairs) => {
      const hasRoom = pairs.map(([k, v]) => sorter.add(k, v));
      expect(hasRoom).toEqual(pairs.map((_, index) => index < 99));
      const { keys, values } = sorter.take();
      const expected = pairs.toSorted(([a], [b]) => a - b);
      expect(Array.from(keys, (k, index) => [k, values[index]])).toEqual(expected);
      expect(sorter.length).toBe(0);
    }),
    { numRuns: rounds(1000) },
  );
});
