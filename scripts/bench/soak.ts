/** The soak test: mixed load must cause no errors and no growth of memory. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measureSoak, v8Options, type Sample, type SoakBench, type SoakResults } from './soak/measure.ts';
import { plotSoak } from './soak/plot.ts';
import { lowestOf } from './soak/trend.ts';
import { settledOf, verdictOf, warmUpShare, type Course, type Judgement, type Verdict } from './soak/verdict.ts';
import { finite, ourselves, type Outcome, type Row } from './report/result.ts';
import { startFlags } from './service.ts';
import { markdownTable, median, milliseconds, percentile } from './table.ts';

/** The number of samples per minute. */
const perMinute = 12;

const rounded = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const megabytes = (bytes: number, digits = 0): string => rounded(bytes / 1e6, digits);

const memoryTexts: Record<Judgement, string> = {
  constant: 'memory is constant',
  rises: 'memory rises',
  undecided: 'too short for a verdict on memory',
};

const rowOf = ({ name, middle, first, last, slope, low, high, allowed, judgement }: Course) => ({
  'memory, lowest of each minute': name,
  'median, MB': megabytes(middle),
  'first, MB': megabytes(first),
  'last, MB': megabytes(last),
  'rise, MB/min': megabytes(slope, 2),
  '95 %': `${megabytes(low, 2)} to ${megabytes(high, 2)}`,
  'allowed, MB/min': megabytes(allowed, 2),
  verdict: judgement,
});

function print(results: SoakResults, settled: readonly Sample[], { courses, kept, problems, memory }: Verdict): void {
  const { options, tally } = results;
  console.log(
    `\nSoak: ${options.minutes} minutes, ${rounded(options.rate)} requests per second, ${options.listeners} reconnecting listeners, ${rounded(options.tweets)} tweets, ` +
      `an import every 10 s, ${options.followed} followed events per second, an erasure every 30 s. Memory from minute ${settled[0]!.at.toFixed(1)} on. Node ${process.version}, ${[...startFlags, ...v8Options].join(' ')}, ${cpus()[0]?.model}\n`,
  );
  console.log(
    markdownTable(
      Object.entries(tally.done)
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([what, count]) => ({ operation: what, count: rounded(count) })),
    ),
  );
  console.log(`\n${markdownTable(courses.map(rowOf))}`);
  console.log(`\nProfiles and tombstones, which the service keeps by design, took ${megabytes(kept, 2)} MB/min of it.`);
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
  const errors = problems.length === 0 ? 'No error' : `${problems.length} kinds of errors`;
  console.log(`\n${errors}; ${memoryTexts[memory]}.`);
  for (const problem of problems) console.log(`- ${problem}`);
}

/** One value a minute, because the samples of a minute depend on each other. */
function rowsOf(settled: readonly Sample[], { collections }: SoakResults): Row[] {
  const row = (metric: string, unit: string, values: readonly number[]): Row => ({
    ...{ metric, subject: ourselves, unit, better: 'lower', values },
  });
  const minutes = (read: (sample: Sample) => number): number[] =>
    Array.from({ length: Math.ceil(settled.length / perMinute) }, (_, minute) =>
      median(settled.slice(minute * perMinute, (minute + 1) * perMinute).map(read)),
    );
  const live = lowestOf(collections, 1).filter(({ at }) => at >= (settled[0]?.at ?? Infinity));
  return finite([
    row(
      'resident memory',
      'MB',
      minutes(({ resident }) => resident / 1e6),
    ),
    row(
      'heap after full collections',
      'MB',
      live.map(({ value }) => value / 1e6),
    ),
    row(
      'buffers outside the heap',
      'MB',
      minutes(({ external }) => external / 1e6),
    ),
    row(
      'delay of the event loop, p99',
      'ms',
      minutes(({ delay }) => delay),
    ),
  ]);
}

/** Runs the soak, prints tables and a verdict, and writes a plot. Sets the exit code 1 for errors, and where memory rises. */
export async function benchSoak(bench: Omit<SoakBench, 'progress'>, plot?: string): Promise<Outcome> {
  const results = await measureSoak({ ...bench, progress: (text) => console.error(text) });
  const [settled, verdict] = [settledOf(results), verdictOf(results)];
  print(results, settled, verdict);
  if (plot !== undefined) {
    await mkdir(plot, { recursive: true });
    await writeFile(join(plot, 'soak.svg'), plotSoak(results, bench.minutes * warmUpShare));
  }
  if (verdict.problems.length > 0 || verdict.memory === 'rises') process.exitCode = 1;
  return { rows: rowsOf(settled, results), details: { ...results, verdict } };
}
