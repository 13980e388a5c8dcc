import { expect, test } from '@jest/globals';
import { floorOf, trendOf } from '../../scripts/bench/soak/trend.ts';

const points = (value: (at: number) => number) => Array.from({ length: 60 }, (_, at) => ({ at, value: value(at) }));

test('a trend estimates the slope of noisy values, and its confidence', () => {
  expect(trendOf(points((at) => 100 + 3 * at))).toEqual({
    mean: expect.closeTo(188.5),
    slope: expect.closeTo(3),
    error: expect.closeTo(0),
  });
  const level = trendOf(points((at) => 100 + (at % 2 === 0 ? 5 : -5)));
  expect(Math.abs(level.slope)).toBeLessThan(2 * level.error);
});

test('the floor of a sawtooth curve has its minimum values', () => {
  const floor = floorOf(
    points((at) => 100 + at + (at % 6) * 50),
    12,
  );
  expect(floor).toHaveLength(5);
  expect(trendOf(floor)).toMatchObject({ slope: expect.closeTo(1), error: expect.closeTo(0) });
});
