import { expect, test } from '@jest/globals';
import { ChronologicalOrder } from '../../../server/search/inverted-index/chronological-order.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

/**
 * Tweets in the order of their arrival, with their times. After some of them, the ranks are read, a tweet goes, or a step of a sweep
 * runs; after a sweep, other tweets get the ordinals of those that it removed.
 */
const arrivals = fc.array(
  fc.record({ time: fc.nat(30), then: fc.constantFrom('read', 'go', 'sweep', 'sweep', '', '') }),
  { maxLength: 60 },
);

test('the ranks are the chronological order, whatever arrives and is removed between reads and steps of sweeps', () => {
  const property = fc.property(arrivals, fc.integer({ min: 1, max: 8 }), (all, max) => {
    const times: number[] = [];
    const order = (a: number, b: number): number => times[a]! - times[b]! || a - b;
    const chronology = new ChronologicalOrder(order);
    const listed = new Set<number>();
    const free: number[] = [];
    const gone = new Set<number>();
    let covered: Set<number> | undefined;
    for (const { time, then } of all) {
      const ordinal = free.pop() ?? times.length;
      times[ordinal] = time;
      chronology.add(
        ordinal,
        [...listed].every((other) => order(other, ordinal) < 0),
      );
      listed.add(ordinal);
      if (then === 'go') gone.add([...listed].find((each) => !gone.has(each))!);
      if (then === 'sweep') {
        covered ??= new Set(gone);
        if (chronology.sweep((each) => covered?.has(each) === true, max)) {
          for (const each of covered) {
            for (const set of [listed, gone]) set.delete(each);
            free.push(each);
          }
          covered = undefined;
        }
      }
      if (then === '') continue;
      const expected = [...listed].toSorted(order);
      expect([...chronology.byRank]).toEqual(expected);
      expect(expected.map((each) => chronology.ranks[each])).toEqual([...expected.keys()]);
    }
  });
  fc.assert(property, { numRuns: rounds(1_000) });
});

test('no step of a sweep makes the next read compute all ranks', () => {
  const size = 2_000;
  let comparisons = 0;
  const chronology = new ChronologicalOrder((a, b) => {
    comparisons++;
    return a - b;
  });
  for (let ordinal = 0; ordinal < size; ordinal++) chronology.add(ordinal, true);
  let steps = 0;
  for (let isEnd = false; !isEnd; steps++) {
    comparisons = 0;
    isEnd = chronology.sweep((ordinal) => ordinal % 2 === 0, 50);
    expect(chronology.ranks[1]).toBe(isEnd ? 0 : 1);
    expect(comparisons).toBeLessThan(100);
  }
  expect(steps).toBeGreaterThan(size / 50);
  expect(chronology.size).toBe(size / 2);
});
