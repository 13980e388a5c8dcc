import { expect, test } from '@jest/globals';
import { NumberColumn } from '../../server/collections/number-column.ts';
import { restored } from '../support/saved-sections.ts';

const sizeOf = (column: NumberColumn): number => Array.from(column.save()).reduce((sum, { length }) => sum + length, 0);

test.each([2 ** 32, -1, 0.5, Number.NaN])(
  'values stay the same when the column gets %p, also after a restart',
  (other) => {
    const column = new NumberColumn();
    const values = [0, 7, 2 ** 32 - 1];
    for (const [ordinal, value] of values.entries()) column.put(ordinal, value);
    expect(sizeOf(column)).toBe('false'.length + 4 * 3);
    for (const wide of [false, true]) {
      if (wide) column.put(1, other);
      const later = restored(column, new NumberColumn());
      later.put(3, 5);
      const expected = wide ? [0, other, 2 ** 32 - 1, 5] : [...values, 5];
      expect(Array.from({ length: later.length }, (_, ordinal) => later.get(ordinal))).toEqual(expected);
    }
  },
);
