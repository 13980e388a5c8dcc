import { expect, test } from '@jest/globals';
import { rounds } from '../support/rounds.ts';
import fc from '../support/property.ts';
import { OrdinalLists } from '../../server/collections/ordinal-lists.ts';

/** A list of each length around the limits of the forms of a list, with times in any order. */
const times = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 80 });

test('a list to which the newest ordinals are added without a comparison is the list that comparisons give', () => {
  const property = fc.property(times, fc.array(fc.nat(79), { maxLength: 10 }), (at, removed) => {
    const order = (a: number, b: number): number => at[a]! - at[b]! || a - b;
    const compared = new OrdinalLists(order);
    const lists = new OrdinalLists(order);
    for (const each of [compared, lists]) each.ensure(1);
    let newest = -1;
    for (const [ordinal, time] of at.entries()) {
      compared.add(1, ordinal);
      lists.add(1, ordinal, time > newest);
      newest = Math.max(newest, time);
      if (removed.includes(ordinal)) for (const each of [compared, lists]) each.removeOne(1, ordinal);
      expect(lists.length(1)).toBe(compared.length(1));
      if (ordinal % 7 === 0) expect([...lists.sorted(1)]).toEqual([...compared.sorted(1)]);
    }
    expect([...lists.sorted(1)]).toEqual([...compared.sorted(1)]);
    const expected = [...at.keys()].filter((ordinal) => !removed.includes(ordinal)).toSorted(order);
    expect([...lists.sorted(1)]).toEqual(expected);
  });
  fc.assert(property, { numRuns: rounds(300) });
});
