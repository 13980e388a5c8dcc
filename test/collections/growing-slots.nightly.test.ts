import { expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';
import { Column } from '../../server/collections/column.ts';
import { GrowingSlots } from '../../server/collections/growing-slots.ts';
import { IdIndex } from '../../server/collections/id-index.ts';
import { StringTable } from '../../server/collections/string-table.ts';
import { restored } from '../support/saved-sections.ts';

test('no entry moves more than a few others, and none is lost while the slots grow', () => {
  const slots = new GrowingSlots();
  let hashes = 0;
  const hashOf = (number: number): number => {
    hashes++;
    return Math.imul(number, 0x9e3779b1) >>> 0;
  };
  let largest = 0;
  let all = 0;
  for (let number = 0; number < 100_000; number++) {
    hashes = 0;
    slots.reserve(number, hashOf);
    slots.put(number, hashOf(number));
    largest = Math.max(largest, hashes);
    all += hashes;
  }
  expect(largest).toBeLessThan(20);
  expect(all).toBeGreaterThan(200_000);
  const numbers = [slots.now, slots.before ?? []].flatMap((part) => Array.from(part)).filter((entry) => entry > 0);
  expect(new Set(numbers).size).toBe(100_000);
  expect(numbers.length).toBe(100_000);
});

/** Additions, removals and restarts; each number stands for so many of them that the slots are replaced several times. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), count: fc.nat(700) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), count: fc.nat(500) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const, count: 0 }) },
  ),
  { maxLength: 12 },
);

test('tables find what they have, also while their slots grow and after a restart meanwhile', () => {
  const property = fc.property(steps, (all) => {
    const ids = new Column(new BigUint64Array(0));
    let index = new IdIndex(ids);
    let table = new StringTable();
    const present = new Map<string, number>();
    const numbers = new Map<string, number>();
    let next = 1;
    for (const { kind, count } of all) {
      if (kind === 'restart') [index, table] = [restored(index, new IdIndex(ids)), restored(table, new StringTable())];
      for (let done = 0; done < count; done++) {
        if (kind === 'add') {
          const text = String(next++ * 7);
          ids.push(BigInt(text));
          index.add(text, ids.length - 1);
          present.set(text, ids.length - 1);
          numbers.set(text, table.number(text));
        } else {
          const [text] = present.keys();
          if (text === undefined) break;
          index.delete(text);
          table.remove(numbers.get(text) ?? -1);
          present.delete(text);
          expect([index.get(text), table.find(text)]).toEqual([undefined, undefined]);
        }
      }
      expect(Array.from(present.keys(), (text) => index.get(text))).toEqual([...present.values()]);
      expect(Array.from(present.keys(), (text) => table.find(text))).toEqual(
        Array.from(present.keys(), (text) => numbers.get(text)),
      );
      expect([index.size, table.size]).toEqual([present.size, present.size]);
    }
  });
  fc.assert(property, { numRuns: rounds(60) });
});
