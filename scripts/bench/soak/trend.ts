/** The trend of noisy measurements, by ranks: single outliers and steps do not change it much (Theil and Sen). */
import { median } from '../table.ts';

export interface Point {
  /** Minutes. */
  readonly at: number;
  readonly value: number;
}

export interface Trend {
  /** The median of the values. */
  readonly middle: number;
  /** Rise per minute: the median of the slopes between all pairs of points. */
  readonly slope: number;
  /** The slope is between these in 95 of 100 cases; infinite for fewer than four points. */
  readonly low: number;
  readonly high: number;
}

/** The normal distribution has 95 % of its values within so many standard deviations. */
const deviations = 1.96;

/** The trend of at least two points at different times. */
export function trendOf(points: readonly Point[]): Trend {
  const slopes = points
    .flatMap((first, index) =>
      points.slice(index + 1).map((second) => (second.value - first.value) / (second.at - first.at)),
    )
    .toSorted((a, b) => a - b);
  const middle = median(points.map(({ value }) => value));
  const count = points.length;
  // The slopes that the interval leaves out on each side: Sen, Journal of the American Statistical Association 63 (1968), 1379.
  const width = deviations * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const outside = Math.floor((slopes.length - width) / 2);
  const [low = -Infinity, high = Infinity] = outside < 0 ? [] : [slopes[outside], slopes[slopes.length - 1 - outside]];
  return { middle, slope: median(slopes), low, high };
}

/**
 * The lowest point of each `minutes`. Memory varies between garbage collections, and the values of a short time depend on each
 * other; the lowest ones show what is live.
 */
export function lowestOf(points: readonly Point[], minutes: number): Point[] {
  const windows = Map.groupBy(points, ({ at }) => Math.floor(at / minutes));
  return Array.from(windows.values(), (some) =>
    some.reduce((least, point) => (point.value < least.value ? point : least)),
  );
}
