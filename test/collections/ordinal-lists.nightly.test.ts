import { expect, test } from '@jest/globals';
import { rounds } from '../support/rounds.ts';
import fc from '../support/property.ts';
import { entryOf, OrdinalLists } from '../../server/collections/ordinal-lists.ts';

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

test('a run of ordinals gives the list that the ordinals give one after the other', () => {
  const property = fc.property(times, fc.array(fc.nat(40), { minLength: 1, maxLength: 8 }), (at, lengths) => {
    const order = (a: number, b: number): number => at[a]! - at[b]! || a - b;
    const [single, run] = [new OrdinalLists(order), new OrdinalLists(order)];
    for (const each of [single, run]) each.ensure(1);
    const newest = at.map((time, ordinal) => at.slice(0, ordinal).every((before) => before < time));
    const entries = Uint32Array.from(newest, (isNewest, ordinal) => entryOf(ordinal, isNewest));
    for (let from = 0, turn = 0; from < at.length; turn++) {
      const to = Math.min(at.length, from + 1 + lengths[turn % lengths.length]!);
      run.addRun(1, entries, from, to);
      for (; from < to; from++) single.add(1, from, newest[from]);
      expect([...run.sorted(1)]).toEqual([...single.sorted(1)]);
    }
    expect([...run.sorted(1)]).toEqual([...at.keys()].toSorted(order));
  });
  fc.assert(property, { numRuns: rounds(300) });
});

test('lists that lose and get ordinals in turns have no ordinals of each other', () => {
  const step = fc.record({ list: fc.nat(3), add: fc.nat(20), removed: fc.nat(4) });
  const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const lists = new OrdinalLists((a, b) => a - b);
    lists.ensure(3);
    const expected: number[][] = [[], [], [], []];
    let ordinal = 0;
    for (const { list, add, removed } of steps) {
      for (let count = 0; count < add; count++, ordinal++) {
        lists.add(list, ordinal);
        expected[list]!.push(ordinal);
      }
      // Of the ordinals of a list, none, all, or those with one of five remainders.
      lists.remove(list, (each) => removed === 4 || each % 5 === removed);
      expected[list] = expected[list]!.filter((each) => removed !== 4 && each % 5 !== removed);
      for (const [index, all] of expected.entries()) expect([...lists.sorted(index)]).toEqual(all);
    }
  });
  fc.assert(property, { numRuns: rounds(300) });
});

/** A time, and what comes after the ordinal with this time is added. */
const changes = fc.array(
  fc.record({ time: fc.nat(400), then: fc.constantFrom('go', 'remove', 'read', 'sweep', 'return', '') }),
  { minLength: 60, maxLength: 200 },
);

test('a list that is swept in steps has all its ordinals until the last one, whatever is added and removed meanwhile', () => {
  const property = fc.property(changes, fc.integer({ min: 1, max: 20 }), (all, max) => {
    const times: number[] = [];
    const order = (a: number, b: number): number => times[a]! - times[b]!;
    const lists = new OrdinalLists(order);
    lists.ensure(1);
    const [listed, gone] = [new Set<number>(), new Set<number>()];
    let goneAtStart: ReadonlySet<number> | undefined;
    const sweep = (): void => {
      goneAtStart ??= new Set(gone);
      if (!lists.sweep(1, (ordinal) => gone.has(ordinal), max)) return;
      const left = new Set(lists.sorted(1));
      for (const ordinal of goneAtStart) expect(left.has(ordinal)).toBe(false);
      for (const ordinal of listed) if (!left.has(ordinal)) expect(gone.has(ordinal)).toBe(true);
      for (const ordinal of [...listed]) if (!left.has(ordinal)) listed.delete(ordinal);
      goneAtStart = undefined;
    };
    const add = (time: number): void => {
      times.push(time);
      lists.add(1, times.length - 1);
      listed.add(times.length - 1);
    };
    for (const { time, then } of all) {
      // Each tweet has its own place in the order, unless it comes back.
      add(time + times.length / 1_000);
      const [some] = [...listed].filter((ordinal) => !gone.has(ordinal)).slice(time % 30);
      if (then === 'sweep') sweep();
      else if (then !== '' && some !== undefined) {
        if (then === 'go' || then === 'return') gone.add(some);
        if (then === 'return') add(times[some]!);
        if (then === 'remove') {
          lists.removeOne(1, some);
          listed.delete(some);
        }
        expect(new Set(lists.sorted(1))).toEqual(listed);
      }
      expect(lists.length(1)).toBe(listed.size);
    }
    for (let step = 0; step < 400; step++) sweep();
    expect(new Set(lists.sorted(1))).toEqual(new Set([...listed].filter((ordinal) => !gone.has(ordinal))));
    const sorted = [...lists.sorted(1)];
    expect(sorted).toEqual(sorted.toSorted(order));
  });
  fc.assert(property, { numRuns: rounds(300) });
});
