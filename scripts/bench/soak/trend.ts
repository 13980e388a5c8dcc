/** Whether figures that go up and down have risen: a straight line through them (least squares). */

export interface Point {
  /** Minutes. */
  readonly at: number;
  readonly value: number;
}

export interface Trend {
  readonly mean: number;
  /** Rise in a minute. */
  readonly slope: number;
  /** Standard error of the slope: a slope within twice of it may be chance. */
  readonly error: number;
}

/** The line through the points, of which there must be three at least at different times. */
export function trendOf(points: readonly Point[]): Trend {
  const count = points.length;
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count;
  const [middle, mean] = [meanOf(points.map(({ at }) => at)), meanOf(points.map(({ value }) => value))];
  const spread = points.reduce((sum, { at }) => sum + (at - middle) ** 2, 0);
  const slope = points.reduce((sum, { at, value }) => sum + (at - middle) * (value - mean), 0) / spread;
  const left = points.reduce((sum, { at, value }) => sum + (value - mean - slope * (at - middle)) ** 2, 0);
  return { mean, slope, error: Math.sqrt(left / (count - 2) / spread) };
}

/** The least of each `size` points in a row: memory that is used between collections of garbage goes up and down, what is kept shows in the least. */
export const floorOf = (points: readonly Point[], size: number): Point[] =>
  Array.from({ length: Math.floor(points.length / size) }, (_, place) =>
    points
      .slice(place * size, (place + 1) * size)
      .reduce((least, point) => (point.value < least.value ? point : least)),
  );
