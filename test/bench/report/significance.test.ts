import { expect, test } from '@jest/globals';
import { paired, significant, twoSided, unpaired } from '../../../scripts/bench/report/significance.ts';

test.each([
  // The critical values of the tables of Student's t at 5 %, 1 % and 0.1 %.
  [12.706, 1, 0.05],
  [4.303, 2, 0.05],
  [3.182, 3, 0.05],
  [2.776, 4, 0.05],
  [4.604, 4, 0.01],
  [2.228, 10, 0.05],
  [3.106, 11, 0.01],
  [4.587, 10, 0.001],
  [1.98, 120, 0.05],
])('the probability of t = %d with %d degrees of freedom is %d', (t, freedom, p) => {
  expect(twoSided(t, freedom)).toBeCloseTo(p, 4);
  expect(twoSided(-t, freedom)).toBeCloseTo(p, 4);
});

test('pairs have a smaller error than the same values without their order, where both sides vary together', () => {
  const [a, b] = [
    [1, 5, 9, 13, 17],
    [1.9, 6.1, 10, 13.9, 18.1],
  ];
  const together = paired(a, b);
  expect(together).toMatchObject({ mean: expect.closeTo(1), error: expect.closeTo(0.0447, 3) });
  expect(together.p).toBeLessThan(0.0001);
  expect(unpaired(a, b)).toMatchObject({ mean: expect.closeTo(1), p: expect.closeTo(0.81, 1) });
});

test('a doubt from elsewhere makes a difference less certain', () => {
  const [a, b] = [
    [1, 1.1, 0.9, 1],
    [1.5, 1.6, 1.4, 1.5],
  ];
  expect(unpaired(a, b).p).toBeLessThan(0.001);
  expect(unpaired(a, b, 0.09).p).toBeGreaterThan(0.05);
});

test('one value on a side proves nothing, and equal values are no difference', () => {
  expect(unpaired([1], [2, 2.1, 2]).p).toBeNaN();
  expect(paired([1], [2]).p).toBeNaN();
  expect(unpaired([2, 2, 2], [2, 2, 2]).p).toBe(1);
  expect(unpaired([2, 2, 2], [3, 3, 3]).p).toBe(0);
  expect(paired([0, Number.NEGATIVE_INFINITY], [1, 2]).p).toBeNaN();
});

test('among many tests, each one must be clearer', () => {
  expect(significant([0.04], 0.05)).toEqual([true]);
  expect(significant([0.04, 0.5, 0.6], 0.05)).toEqual([false, false, false]);
  expect(significant([0.5, 0.001, 0.02, Number.NaN], 0.05)).toEqual([false, true, true, false]);
});
