import { expect, test } from '@jest/globals';
import { describeGrowth, exponentOf } from '../../scripts/bench/growth.ts';

const sizes = [1e4, 1e5, 1e6];
const points = (of: (tweets: number) => number) => sizes.map((tweets) => ({ tweets, value: of(tweets) }));

test('the slope of a figure is the exponent of its growth', () => {
  expect(exponentOf(points(() => 7))).toBeCloseTo(0);
  expect(exponentOf(points((tweets) => 3 * tweets))).toBeCloseTo(1);
  expect(exponentOf(points((tweets) => Math.sqrt(tweets)))).toBeCloseTo(0.5);
  expect(exponentOf(points((tweets) => Math.log(tweets)))).toBeLessThan(0.15);
});

test('a figure has its slope in words, and a chart of its values', () => {
  const text = describeGrowth({
    name: 'search, p50',
    unit: 'ms',
    points: points((tweets) => 0.001 * Math.sqrt(tweets)),
  });
  expect(text).toContain('search, p50: n^0.50, so 3.16 times for 10 times as many tweets.');
  expect(text).toContain('x-axis ["10,000", "100,000", "1,000,000"]');
  expect(text).toContain('y-axis "ms" 0 --> 1.10');
  expect(text).toContain('line [0.1000, 0.3162, 1.000]');
});
