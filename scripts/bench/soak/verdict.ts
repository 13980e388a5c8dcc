/** The verdict of a soak: whether memory is constant, and what went wrong. */
import type { Sample, SoakResults } from './measure.ts';
import { lowestOf, trendOf, type Point, type Trend } from './trend.ts';

/** The share of a soak that is warm-up: caches fill, V8 compiles, and the allocator reserves memory. */
export const warmUpShare = 0.4;
/** Caches fill for ten minutes: a shorter soak, whose warm-up ends before, has no verdict on memory. */
const minMinutes = 25;

/**
 * The rise of memory that counts as constant, in bytes a minute: 0.05 % of the resident memory, 3 % an hour. Resident memory
 * may rise twice as fast, because the allocator and V8 keep what they once needed.
 */
const limitShare = { live: 0.0005, resident: 0.001 };

/** What the service keeps by design, in bytes each: measured with 18,000 of them in an archive. */
const byDesign = {
  /** The profile of a stranger stays for an hour after it was read: record, names, lists and index. */
  users: 1_500,
  /** The tombstone of a removed tweet, with its address. */
  tombstones: 350,
} as const;

export type Judgement = 'constant' | 'rises' | 'undecided';

/** The course of a kind of memory. */
export interface Course extends Trend {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** The rise per minute that is allowed, with what the service keeps by design. */
  readonly allowed: number;
  readonly judgement: Judgement;
}

export interface Verdict {
  readonly courses: readonly Course[];
  /** Bytes a minute that the service keeps by design. */
  readonly kept: number;
  readonly problems: readonly string[];
  readonly memory: Judgement;
}

/** Rises only where the whole interval is above the limit; constant only where the whole interval is below it. */
function judge({ low, high }: Trend, allowed: number): Judgement {
  return low > allowed ? 'rises' : high <= allowed ? 'constant' : 'undecided';
}

function courseOf(name: string, points: readonly Point[], allowed: number): Course {
  const trend = trendOf(points);
  const [first, last] = [points[0]?.value ?? Number.NaN, points.at(-1)?.value ?? Number.NaN];
  return { name, ...trend, first, last, allowed, judgement: judge(trend, allowed) };
}

/** Bytes a minute by which the objects grew that the service keeps by design. */
function keptByDesign(settled: readonly Sample[]): number {
  const slopeOf = (figure: keyof typeof byDesign): number =>
    Math.max(
      0,
      trendOf(
        lowestOf(
          settled.map((sample) => ({ at: sample.at, value: sample[figure] })),
          1,
        ),
      ).slope || 0,
    );
  return slopeOf('users') * byDesign.users + slopeOf('tombstones') * byDesign.tombstones;
}

function coursesOf(settled: readonly Sample[], collections: readonly Point[], kept: number): Course[] {
  const lowest = (figure: 'resident' | 'external'): Point[] =>
    lowestOf(
      settled.map((sample) => ({ at: sample.at, value: sample[figure] })),
      1,
    );
  const resident = lowest('resident');
  const size = trendOf(resident).middle;
  return [
    courseOf('heap after full collections', lowestOf(collections, 1), limitShare.live * size + kept),
    courseOf('buffers outside the heap', lowest('external'), limitShare.live * size + kept),
    courseOf('resident', resident, limitShare.resident * size + kept),
  ];
}

/** The errors of the load and of the log. */
function problemsOf({ samples, tally, logged }: SoakResults): string[] {
  const shed = samples.at(-1)?.shed ?? 0;
  return [
    ...Object.entries(tally.faults).map(([what, count]) => `${count.toLocaleString('en')} × ${what}`),
    ...logged
      .filter((line) => /"level":[56]0/.test(line) || !line.startsWith('{'))
      .slice(0, 5)
      .map((line) => `logged: ${line.slice(0, 300)}`),
    ...(shed > 0 ? [`${shed.toLocaleString('en')} requests were shed`] : []),
  ];
}

/** The samples after the warm-up. */
export const settledOf = ({ samples, options }: Pick<SoakResults, 'samples' | 'options'>): Sample[] =>
  samples.filter(({ at }) => at >= options.minutes * warmUpShare);

export function verdictOf(results: SoakResults): Verdict {
  const settled = settledOf(results);
  const from = results.options.minutes * warmUpShare;
  const kept = keptByDesign(settled);
  const courses = coursesOf(
    settled,
    results.collections.filter(({ at }) => at >= from),
    kept,
  );
  const judgements = courses.map(({ judgement }) => judgement);
  const isLong = results.options.minutes >= minMinutes;
  const memory = !isLong
    ? 'undecided'
    : judgements.includes('rises')
      ? 'rises'
      : judgements.includes('undecided')
        ? 'undecided'
        : 'constant';
  return { courses, kept, problems: problemsOf(results), memory };
}
