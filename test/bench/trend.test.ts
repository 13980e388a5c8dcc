import { expect, test } from '@jest/globals';
import { lowestOf, trendOf, type Point } from '../../scripts/bench/soak/trend.ts';
import { seededRandom } from './report/random.ts';

const points = (value: (at: number) => number, count = 60): Point[] =>
  Array.from({ length: count }, (_, at) => ({ at, value: value(at) }));

test('a trend is the slope of noisy values, with an interval that contains it', () => {
  expect(trendOf(points((at) => 100 + 3 * at))).toMatchObject({ slope: expect.closeTo(3), low: expect.closeTo(3) });
  const random = seededRandom(5);
  const noisy = trendOf(points((at) => 100 + 0.5 * at + 4 * random.normal()));
  expect(noisy.low).toBeLessThan(0.5);
  expect(noisy.high).toBeGreaterThan(0.5);
  expect(noisy.high - noisy.low).toBeLessThan(0.3);
  const level = trendOf(points((at) => 100 + (at % 2 === 0 ? 5 : -5)));
  expect(level.low).toBeLessThanOrEqual(0);
  expect(level.high).toBeGreaterThanOrEqual(0);
});

test('the interval contains the slope in about 95 of 100 cases', () => {
  const random = seededRandom(9);
  const missed = Array.from({ length: 200 }, () => trendOf(points((at) => at + 10 * random.normal(), 20))).filter(
    ({ low, high }) => low > 1 || high < 1,
  );
  expect(missed.length).toBeGreaterThan(0);
  expect(missed.length).toBeLessThan(20);
});

test('outliers do not make a trend', () => {
  const { slope, low, high } = trendOf(points((at) => (at > 56 ? 500 : 100 + (at % 3))));
  expect(Math.abs(slope)).toBeLessThan(0.05);
  expect([low < 0.1, high < 0.3]).toEqual([true, true]);
});

test('few points prove nothing', () => {
  expect(trendOf(points((at) => at, 3))).toMatchObject({ slope: 1, low: -Infinity, high: Infinity });
});

test('the lowest points of a sawtooth curve show its floor', () => {
  const floor = lowestOf(
    points((at) => 100 + at + (at % 6) * 50),
    12,
  );
  expect(floor.map(({ at }) => at)).toEqual([0, 12, 24, 36, 48]);
  expect(trendOf(floor).slope).toBeCloseTo(1);
});
