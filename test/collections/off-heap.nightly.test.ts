// Not in `npm run test:fast`: its strings are larger than a slab.
import { expect, test } from '@jest/globals';
import fc, { anyGrapheme } from '../support/property.ts';
import { Column } from '../../server/collections/column.ts';
import { CountColumn } from '../../server/collections/count-column.ts';
import { IdIndex } from '../../server/collections/id-index.ts';
import { StringTable } from '../../server/collections/string-table.ts';
import { rounds } from '../support/rounds.ts';

const text = fc.oneof(
  fc.string({ unit: anyGrapheme, maxLength: 12 }),
  fc.constantFrom('', 'a', 'ä', 'from:1', '日本', '😀'),
);

test('a string table numbers strings as a map does, and uses the numbers of removed ones again', () => {
  const step = fc.tuple(fc.constantFrom('find' as const, 'number' as const, 'remove' as const), text);
  const property = fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
    const table = new StringTable();
    const model = new Map<string, number>();
    let numbers = 0;
    for (const [kind, each] of steps) {
      const before = model.get(each);
      if (kind === 'find') expect(table.find(each)).toBe(before);
      else if (kind === 'remove' && before !== undefined) {
        table.remove(before);
        model.delete(each);
      } else if (kind === 'number') {
        const number = table.number(each);
        if (before !== undefined) expect(number).toBe(before);
        else expect([...model.values()]).not.toContain(number);
        model.set(each, number);
        numbers = Math.max(numbers, model.size);
        expect(number).toBeLessThan(numbers);
      }
    }
    expect(Array.from(model.values(), (number) => table.text(number))).toEqual([...model.keys()]);
    expect(table.size).toBe(model.size);
  });
  fc.assert(property, { numRuns: rounds(200) });
});

test('a string table finds many strings, also those longer than a slab', () => {
  const table = new StringTable();
  const texts = Array.from({ length: 50_000 }, (_, n) => (n % 3 === 0 ? `word${n}` : `wört:${n}`));
  texts.push('x'.repeat(9_000_000), `${'x'.repeat(9_000_000)}y`);
  expect(texts.every((each, number) => table.number(each) === number)).toBe(true);
  expect(texts.every((each, number) => table.find(each) === number && table.text(number) === each)).toBe(true);
  expect(table.find('word1')).toBeUndefined();
});

test('a string table stays small while strings come and go', () => {
  const table = new StringTable();
  for (let n = 0; n < 30_000; n++) {
    table.number(`s${n}`);
    const old = table.find(`s${n - 100}`);
    if (old !== undefined) table.remove(old);
  }
  expect([table.size, table.slots]).toEqual([100, 1024]);
  expect(table.find('s29899')).toBeUndefined();
  expect(table.text(table.find('s29900')!)).toBe('s29900');
});

/** Ids in several forms; some differ only in their upper half, or in leading zeros. */
const id = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map(String),
  fc.integer({ min: 0, max: 20 }).map((n) => String(BigInt(n) * 2n ** 32n + 1n)),
  fc.integer({ min: 0, max: 5 }).map((n) => `00${n}`),
  fc.constantFrom('9223372036854775807', '9999999999999999999', '18446744073709551616', 'abc', '', '-1', '1.0', '0'),
);

test('an index of ids finds, adds and removes ids as a map does', () => {
  const step = fc.tuple(fc.constantFrom('get' as const, 'add' as const, 'delete' as const), id);
  const property = fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
    const ids = new Column(new BigUint64Array(0));
    const index = new IdIndex(ids);
    const model = new Map<string, number>();
    for (const [kind, each] of steps) {
      if (kind === 'add' && /^[0-9]{1,19}$/.test(each) && !model.has(each)) {
        model.set(each, ids.length);
        ids.push(BigInt(each));
        index.add(each, ids.length - 1);
      } else if (kind === 'delete') {
        model.delete(each);
        index.delete(each);
      }
      expect(index.get(each)).toBe(model.get(each));
    }
    expect(index.size).toBe(model.size);
  });
  fc.assert(property, { numRuns: rounds(200) });
});

test('an index of ids stays small while ids come and go', () => {
  const ids = new Column(new BigUint64Array(0));
  const index = new IdIndex(ids);
  for (let n = 0; n < 30_000; n++) {
    ids.push(BigInt(n));
    index.add(String(n), n);
    if (n >= 100) index.delete(String(n - 100));
  }
  expect(index.size).toBe(100);
  expect(index.slots).toBe(1024);
  expect(Array.from({ length: 30_000 }, (_, n) => index.get(String(n))).filter((each) => each !== undefined)).toEqual(
    Array.from({ length: 100 }, (_, n) => 29_900 + n),
  );
});

test('a column of counts returns what was set', () => {
  const count = fc.oneof(
    fc.constant(undefined),
    fc.nat(),
    fc.constantFrom(0, 2 ** 32 - 3, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, 0.5, -1),
  );
  const property = fc.property(fc.array(fc.tuple(fc.nat(9), count), { maxLength: 60 }), (steps) => {
    const column = new CountColumn();
    const model: (number | undefined)[] = Array.from({ length: 10 });
    for (const [ordinal, each] of model.entries()) column.put(ordinal, each);
    for (const [ordinal, value] of steps) {
      model[ordinal] = value;
      column.set(ordinal, value);
      expect(model.map((_, index) => column.get(index))).toEqual(model.map((each) => each ?? Number.NaN));
    }
  });
  fc.assert(property, { numRuns: rounds(200) });
});

test('a string table removes strings with half of a surrogate pair, which have the same stored form', () => {
  const table = new StringTable();
  const numbers = [table.number('\ud800'), table.number('\ud800'), table.number('\ufffd')];
  for (const number of numbers.toReversed()) table.remove(number);
  expect(table.size).toBe(0);
  expect(table.find('\ufffd')).toBeUndefined();
  expect(table.text(table.number('\ufffd'))).toBe('\ufffd');
});
