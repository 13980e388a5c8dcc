/** Whether memory or disk is constant under load. */
import { median, shown } from '../table.ts';

export interface Point {
  /** Minutes since the start of the load. */
  readonly at: number;
  /** Bytes. */
  readonly value: number;
}

export interface Verdict {
  readonly verdict: 'constant' | 'rises' | 'undecided';
  readonly text: string;
  /** The lowest value of each minute of the second half. */
  readonly lowest: readonly number[];
}

/** The first half is warm-up: caches fill for ten minutes, so a shorter soak than this has no verdict. */
const minMinutes = 25;
/** The rise that counts as constant, as a share of the value, from the third to the last quarter of a soak. */
const allowed = 0.04;

/** The lowest point of each minute: memory varies between collections, and the lowest values show what is live. */
const lowestOf = (points: readonly Point[]): number[] =>
  Array.from(Map.groupBy(points, ({ at }) => Math.floor(at)).values(), (some) =>
    Math.min(...some.map(({ value }) => value)),
  );

/** Compares the third quarter of a soak of so many minutes with the last one. */
export function judge(points: readonly Point[], minutes: number): Verdict {
  const between = (from: number, to: number): number[] =>
    lowestOf(points.filter(({ at }) => at >= from * minutes && at < to * minutes));
  const [third, last] = [median(between(0.5, 0.75)), median(between(0.75, Number.POSITIVE_INFINITY))];
  const lowest = between(0.5, Number.POSITIVE_INFINITY);
  const rise = last / third - 1;
  const course = `${shown(third / 1e6)} MB, then ${shown(last / 1e6)} MB (${(rise * 100).toFixed(1)} %)`;
  if (minutes < minMinutes || !Number.isFinite(rise))
    return { verdict: 'undecided', text: 'the soak is too short for a verdict', lowest };
  return rise > allowed
    ? { verdict: 'rises', text: `it rises: ${course}`, lowest }
    : { verdict: 'constant', text: `it is constant: ${course}`, lowest };
}
