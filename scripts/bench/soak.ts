/** The soak test: mixed load must cause no errors and no growth of memory. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measureSoak, v8Options, type Sample, type SoakBench, type SoakResults } from './soak/measure.ts';
import { plotSoak } from './soak/plot.ts';
import { floorOf, trendOf, type Point, type Trend } from './soak/trend.ts';
import { markdownTable, median, milliseconds, percentile } from './table.ts';

/** The share of a soak that is warm-up: caches fill, V8 compiles, and the allocator reserves memory. */
const warmUpShare = 0.4;
/**
 * The maximum rise of memory per minute, as a share of the resident memory. The limit of resident memory is higher, because
 * V8 retains the pages of its largest heap, so one late garbage collection adds several MB permanently.
 */
const maxRise = { inUse: 0.005, resident: 0.02 };
/** The minimum duration in minutes for a verdict. */
const minMinutes = 5;
/** The number of samples per minimum: one minute. Measurements of the heap include garbage. */
const floorSize = 12;

const rounded = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const megabytes = (bytes: number, digits = 0): string => rounded(bytes / 1e6, digits);

/** The course of a metric: its trend, and its first and last value. */
interface Course extends Trend {
  readonly first: number;
  readonly last: number;
}

interface Verdict {
  readonly resident: Course;
  readonly heap: Course;
  /** Buffers outside the heap. */
  readonly external: Course;
  readonly problems: readonly string[];
  /** Undefined for a soak that is too short. */
  readonly isFlat: boolean | undefined;
}

const courseOf = (points: readonly Point[]): Course => ({
  ...trendOf(points),
  first: points[0]!.value,
  last: points.at(-1)!.value,
});

function verdictOf({ samples, tally, logged, options }: SoakResults, settled: readonly Sample[]): Verdict {
  const pointsOf = (figure: 'resident' | 'heap' | 'external'): Point[] =>
    settled.map((sample) => ({ at: sample.at, value: sample[figure] }));
  const floorsOf = (figure: 'heap' | 'external'): Point[] => {
    const floors = floorOf(pointsOf(figure), floorSize);
    return floors.length >= 3 ? floors : pointsOf(figure);
  };
  const [resident, heap, external] = [
    courseOf(pointsOf('resident')),
    courseOf(floorsOf('heap')),
    courseOf(floorsOf('external')),
  ];
  const rises =
    [heap, external].some(({ slope }) => slope > maxRise.inUse * resident.mean) ||
    resident.slope > maxRise.resident * resident.mean;
  const problems = [
    ...Object.entries(tally.faults).map(([what, count]) => `${rounded(count)} × ${what}`),
    ...logged
      .filter((line) => /"level":[56]0/.test(line) || !line.startsWith('{'))
      .slice(0, 5)
      .map((line) => `logged: ${line.slice(0, 300)}`),
    ...(samples.at(-1)!.shed > 0 ? [`${rounded(samples.at(-1)!.shed)} requests were shed`] : []),
  ];
  return { resident, heap, external, problems, isFlat: options.minutes < minMinutes ? undefined : !rises };
}

function print(
  results: SoakResults,
  settled: readonly Sample[],
  { resident, heap, external, problems, isFlat }: Verdict,
): void {
  const { options, tally } = results;
  console.log(
    `\nSoak: ${options.minutes} minutes, ${rounded(options.rate)} requests per second, ${options.listeners} reconnecting listeners, ${rounded(options.tweets)} tweets, ` +
      `an import every 10 s, ${options.followed} followed events per second, an erasure every 30 s. Memory from minute ${settled[0]!.at.toFixed(1)} on. Node ${process.version}, ${v8Options.join(' ')}, ${cpus()[0]?.model}\n`,
  );
  console.log(
    markdownTable(
      Object.entries(tally.done)
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([what, count]) => ({ operation: what, count: rounded(count) })),
    ),
  );
  const rise = (name: string, { mean, slope, error, first, last }: Course) => ({
    memory: name,
    'mean, MB': megabytes(mean),
    'first, MB': megabytes(first),
    'last, MB': megabytes(last),
    'rise, MB/min': `${megabytes(slope, 2)} ± ${megabytes(error, 2)}`,
    '%/min': rounded((slope / mean) * 100, 2),
  });
  console.log(
    `\n${markdownTable([
      rise('resident', resident),
      rise('heap in use, minimum of each minute', heap),
      rise('buffers outside the heap, minimum of each minute', external),
    ])}`,
  );
  const figures = (name: string, read: (sample: Sample) => number, format: (value: number) => string) => {
    const values = settled.map(read);
    return {
      figure: name,
      first: format(values[0]!),
      median: format(median(values)),
      max: format(percentile(values, 1)),
      last: format(values.at(-1)!),
    };
  };
  console.log(
    `\n${markdownTable([
      figures('event loop delay p99, ms', ({ delay }) => delay, milliseconds),
      figures('maximum event loop delay, ms', ({ maxDelay }) => maxDelay, milliseconds),
      figures('open files and sockets', ({ openFiles }) => openFiles, rounded),
      figures('handles', ({ handles }) => handles, rounded),
    ])}`,
  );
  const memory =
    isFlat === undefined
      ? `too short for a verdict on memory (${minMinutes} minutes)`
      : isFlat
        ? 'memory is constant'
        : 'memory rises';
  console.log(`\n${problems.length === 0 ? 'No error' : `${problems.length} kinds of errors`}; ${memory}.`);
  for (const problem of problems) console.log(`- ${problem}`);
}

/** Runs the soak, prints tables and a verdict, and writes the results and a plot. Sets the exit code 1 for a bad verdict. */
export async function benchSoak(
  bench: Omit<SoakBench, 'progress'>,
  { json, plot }: { json?: string | undefined; plot?: string | undefined },
): Promise<void> {
  const results = await measureSoak({ ...bench, progress: (text) => console.error(text) });
  const warmUp = bench.minutes * warmUpShare;
  const settled = results.samples.filter(({ at }) => at >= warmUp);
  const verdict = verdictOf(results, settled);
  print(results, settled, verdict);
  if (json !== undefined)
    await writeFile(json, `${JSON.stringify({ node: process.version, ...results, verdict }, null, 2)}\n`);
  if (plot !== undefined) {
    await mkdir(plot, { recursive: true });
    await writeFile(join(plot, 'soak.svg'), plotSoak(results, warmUp));
  }
  if (verdict.problems.length > 0 || verdict.isFlat === false) process.exitCode = 1;
}
