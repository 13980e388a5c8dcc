import { expect, test } from '@jest/globals';
import { RadixOrder } from '../../server/collections/radix-order.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

test('keys of any size are in ascending order, and equal keys in the order of their places', () => {
  const order = new RadixOrder(100);
  const key = fc.oneof(fc.nat(3), fc.nat(5000), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(key, { maxLength: 100 }), (keys) => {
      const expected = Array.from(keys.keys()).toSorted((a, b) => keys[a]! - keys[b]! || a - b);
      expect(Array.from(order.of(Uint32Array.from(keys)))).toEqual(expected);
    }),
    { numRuns: rounds(1000) },
  );
});
