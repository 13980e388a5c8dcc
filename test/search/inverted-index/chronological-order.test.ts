import { expect, test } from '@jest/globals';
import { ChronologicalOrder } from '../../../server/search/inverted-index/chronological-order.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

/** Tweets in the order of their arrival, with their times. After some of them, the ranks are read, or a tweet is removed and others get its ordinal. */
const arrivals = fc.array(fc.record({ time: fc.nat(30), then: fc.constantFrom('read', 'sweep', '', '', '') }), {
  maxLength: 40,
});

test('the ranks are the chronological order, whatever arrives and is removed between reads', () => {
  const property = fc.property(arrivals, (all) => {
    const times: number[] = [];
    const order = (a: number, b: number): number => times[a]! - times[b]! || a - b;
    const chronology = new ChronologicalOrder(order);
    const present = new Set<number>();
    const free: number[] = [];
    for (const { time, then } of all) {
      const ordinal = free.pop() ?? times.length;
      times[ordinal] = time;
      chronology.add(
        ordinal,
        [...present].every((other) => order(other, ordinal) < 0),
      );
      present.add(ordinal);
      if (then === 'sweep') {
        const [gone] = present;
        present.delete(gone!);
        chronology.sweep((each) => each === gone);
        free.push(gone!);
      }
      if (then === '') continue;
      const expected = [...present].toSorted(order);
      expect([...chronology.byRank]).toEqual(expected);
      expect(expected.map((each) => chronology.ranks[each])).toEqual([...expected.keys()]);
    }
  });
  fc.assert(property, { numRuns: rounds(1_000) });
});
