/** The values of a plot and of its axis. */

export interface Point {
  readonly label: string;
  /** Null where there is nothing to measure, which is not zero. */
  readonly value: number | null;
}

/** The value at the top of the axis: 1, 2 or 5 times a power of ten, from the greatest value on. Without one a scale needs 1. */
export function topOf(points: readonly Point[]): number {
  const max = Math.max(0, ...points.map(({ value }) => value ?? 0));
  if (max === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return ([1, 2, 5, 10].find((factor) => factor * power >= max) ?? 10) * power;
}

/** The values of the axis, from the top. The middle is left out where it would be a fraction of something that is counted. */
export const ticksOf = (top: number): readonly number[] =>
  top >= 1 && !Number.isInteger(top / 2) ? [top, 0] : [top, top / 2, 0];
