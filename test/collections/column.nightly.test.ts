import { afterEach, expect, jest, test } from '@jest/globals';
import { Column } from '../../server/collections/column.ts';
import { createRandom } from '../../scripts/sample/random.ts';
import { restored } from '../support/saved-sections.ts';

afterEach(() => void jest.restoreAllMocks());

/** So many values that a large column grows several times. */
const count = 200_000;

test('a large column has the values of an array while it grows, also after a restart meanwhile', () => {
  const random = createRandom(1);
  let column = new Column(new Float64Array(0));
  const model: number[] = [];
  for (let step = 0; step < count; step++) {
    const value = random.next();
    column.put(model.length, value);
    model.push(value);
    const changed = random.integer(0, model.length - 1);
    column.set(changed, step);
    model[changed] = step;
    if (random.next() < 0.1) expect(column.pop()).toBe(model.pop());
    if (step % 40_000 === 39_999) {
      // Also in the middle of a move.
      const dropped = random.integer(0, Math.floor(model.length / 8));
      column.dropFirst(dropped);
      model.splice(0, dropped);
    }
    if (step % 60_000 === 59_999) column = restored(column, new Column(new Float64Array(0)));
    if (step % 5_000 === 0) expect([column.length, column.get(changed)]).toEqual([model.length, model[changed]]);
  }
  expect(Array.from(column.values.subarray(0, column.length))).toEqual(model);
});

test('no value makes a large column move more than a small part of its values', () => {
  let largest = 0;
  const typedArray = Object.getPrototypeOf(Uint32Array.prototype) as Uint32Array;
  const { set } = typedArray;
  jest.spyOn(typedArray, 'set').mockImplementation(function (this: Uint32Array, source, offset) {
    largest = Math.max(largest, source.length);
    set.call(this, source, offset);
  });
  const column = new Column(new Uint32Array(0));
  for (let value = 0; value < count; value++) {
    column.push(value);
    column.dropFirst(0);
    // A small column moves all its values at once.
    if (value <= 2 ** 16) largest = 0;
  }
  expect(Array.from(column.values.subarray(0, count)).every((value, index) => value === index)).toBe(true);
  expect(largest).toBeGreaterThan(0);
  expect(largest).toBeLessThan(20_000);
});
