import { expect, test } from '@jest/globals';
import { IdFilter } from '../../server/collections/id-filter.ts';
import { restored } from '../support/saved-sections.ts';

const idOf = (n: number): string => String(1_870_000_000_000_000_000n + BigInt(n) * 4_194_304n);
const sizeOf = (filter: IdFilter): number => Array.from(filter.save()).reduce((sum, { length }) => sum + length, 0);
const ids = Array.from({ length: 20_000 }, (_, n) => idOf(n));
const falsePositives = (filter: IdFilter): number =>
  ids.filter((_, n) => filter.mayHave(idOf(n + ids.length))).length / ids.length;

function filterOf(maxBits: number): IdFilter {
  const filter = new IdFilter();
  for (const id of ids) filter.add(id, maxBits);
  return filter;
}

test('a filter has each of its ids and few others, also after a restart', () => {
  const filter = filterOf(Number.POSITIVE_INFINITY);
  for (const each of [filter, restored(filter, new IdFilter())]) {
    expect(ids.filter((id) => !each.mayHave(id))).toEqual([]);
    expect(falsePositives(each)).toBeLessThan(0.25);
  }
});

test('ids that a filter has do not make it larger', () => {
  const filter = filterOf(Number.POSITIVE_INFINITY);
  const size = sizeOf(filter);
  for (let round = 0; round < 5; round++) for (const id of ids) filter.add(id, Number.POSITIVE_INFINITY);
  expect(sizeOf(filter)).toBe(size);
});

test('a filter does not grow beyond its limit, and has all ids', () => {
  const filter = filterOf(2 ** 16);
  expect(sizeOf(filter)).toBeLessThanOrEqual(2 ** 16 / 8 + 8);
  expect(ids.filter((id) => !filter.mayHave(id))).toEqual([]);
});
