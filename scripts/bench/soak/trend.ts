/** Linear regression (least squares), to find a rise in noisy measurements. */

export interface Point {
  /** Minutes. */
  readonly at: number;
  readonly value: number;
}

export interface Trend {
  readonly mean: number;
  /** Rise per minute. */
  readonly slope: number;
  /** Standard error of the slope: a slope below twice this error may be random. */
  readonly error: number;
}

/** The regression line of at least three points at different times. */
export function trendOf(points: readonly Point[]): Trend {
  const count = points.length;
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count;
  const [middle, mean] = [meanOf(points.map(({ at }) => at)), meanOf(points.map(({ value }) => value))];
  const spread = points.reduce((sum, { at }) => sum + (at - middle) ** 2, 0);
  const slope = points.reduce((sum, { at, value }) => sum + (at - middle) * (value - mean), 0) / spread;
  const residual = points.reduce((sum, { at, value }) => sum + (value - mean - slope * (at - middle)) ** 2, 0);
  return { mean, slope, error: Math.sqrt(residual / (count - 2) / spread) };
}

/** The minimum of each `size` consecutive points. Memory varies between garbage collections; the minimum shows the live memory. */
export const floorOf = (points: readonly Point[], size: number): Point[] =>
  Array.from({ length: Math.floor(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size).reduce((min, point) => (point.value < min.value ? point : min)),
  );
