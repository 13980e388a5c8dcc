/** Requests while the server does something else: a backup, an import, deletions, and searches by engagement. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTargets, key, latencies } from './background/requests.ts';
import { works, type WorkPlace } from './background/works.ts';
import { ourselves, type Outcome, type Row } from './report/result.ts';
import { runCommand, startService } from './service.ts';
import { markdownTable, median, milliseconds, percentile } from './table.ts';
import { authorsOf, writeTweets } from './tweets.ts';

export interface BackgroundBench {
  readonly tweets: number;
  readonly rounds: number;
  /** The shortest duration of a measurement during a work, and half that of one without. A shorter work is repeated. */
  readonly seconds: number;
}

/** The measured values of a work, by round. */
interface Measured {
  /** The latencies of requests in milliseconds while the work runs, and before and after it. */
  readonly during: number[][];
  readonly without: number[][];
  /** The duration of the first run of the work in seconds; empty for one with a fixed duration. */
  readonly seconds: number[];
}

function within(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() < end;
}

/** The files of the benchmark. */
class Files {
  readonly directory: string;
  readonly newRecords: string;
  readonly #records: string;

  private constructor(directory: string) {
    this.directory = directory;
    this.#records = join(directory, 'tweets.jsonl');
    this.newRecords = join(directory, 'more.jsonl');
  }

  static async create(tweets: number): Promise<Files> {
    const files = new Files(await mkdtemp(join(tmpdir(), 'bench-background-')));
    await writeTweets(files.#records, tweets);
    // With the same number of authors, the first tweets are the same.
    await writeTweets(files.newRecords, Math.ceil(tweets * 1.5), authorsOf(tweets));
    return files;
  }

  /** Imports the tweets into a new data directory. */
  async importInto(dataDir: string): Promise<void> {
    await runCommand('scripts/cli/import.ts', [this.#records], { DATA_DIR: dataDir });
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Repeats a work until a time has passed. Returns the duration of its first run in seconds. */
async function repeat(run: (repetition: number) => Promise<unknown>, isOn: () => boolean): Promise<number> {
  const start = performance.now();
  await run(0);
  const seconds = (performance.now() - start) / 1000;
  for (let repetition = 1; isOn(); repetition++) await run(repetition);
  return seconds;
}

/** Runs all works, each between two measurements without work. */
async function measureRound(
  files: Files,
  { tweets, seconds }: BackgroundBench,
  measured: ReadonlyMap<string, Measured>,
): Promise<void> {
  const directory = await mkdtemp(join(files.directory, 'round-'));
  const dataDir = join(directory, 'data');
  const target = createTargets(authorsOf(tweets));
  await files.importInto(dataDir);
  const server = await startService(
    { DATA_DIR: dataDir, API_KEYS: key, LOG_LEVEL: 'warn' },
    { flags: ['--max-old-space-size=8192'] },
  );
  try {
    const { port } = server;
    const place: WorkPlace = { directory, dataDir, port, newRecords: files.newRecords, tweets, seconds };
    // The first requests of a process compile its code.
    await latencies(port, target, within(seconds / 2));
    for (const { name, hasFixedDuration = false, run } of works) {
      const before = await latencies(port, target, within(seconds / 2));
      let isRunning = true;
      const work = repeat((repetition) => run(place, repetition), within(seconds)).finally(() => (isRunning = false));
      const [during, duration] = await Promise.all([latencies(port, target, () => isRunning), work]);
      const after = await latencies(port, target, within(seconds / 2));
      const values = measured.get(name)!;
      values.during.push(during);
      values.without.push([...before, ...after]);
      if (!hasFixedDuration) values.seconds.push(duration);
    }
  } finally {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

const p99 = (times: readonly number[]): number => percentile(times, 0.99);

/** The p99 while a work runs, divided by the p99 without it, by round. */
const ratios = ({ during, without }: Measured): number[] =>
  during.map((times, round) => p99(times) / p99(without[round] ?? []));

function print({ tweets, rounds }: BackgroundBench, measured: ReadonlyMap<string, Measured>): void {
  console.log(
    `\nLatency beside other work: ${tweets.toLocaleString('en')} tweets, 100 requests a second (searches and pages), medians of ${rounds} rounds, milliseconds\n`,
  );
  console.log(
    markdownTable(
      Array.from(measured, ([name, each]) => ({
        work: name,
        requests: each.during.flat().length,
        'p50, without': milliseconds(median(each.without.map(median))),
        'p50, during': milliseconds(median(each.during.map(median))),
        'p99, without': milliseconds(median(each.without.map(p99))),
        'p99, during': milliseconds(median(each.during.map(p99))),
        'ratio of p99': median(ratios(each)).toFixed(2),
        'first run, seconds': each.seconds.length === 0 ? '' : median(each.seconds).toFixed(1),
      })),
    ),
  );
}

function rowsOf(work: string, each: Measured): Row[] {
  const row = (metric: string, unit: string, values: readonly number[]): Row => ({
    metric: `${metric}: ${work}`,
    ...{ subject: ourselves, unit, better: 'lower', values },
  });
  return [
    row('p99 during', 'ms', each.during.map(p99)),
    row('p99 during / without', 'times', ratios(each)),
    row('first run beside requests', 's', each.seconds),
  ].filter(({ values }) => values.length > 0);
}

/** Measures, and prints a table. */
export async function benchBackground(bench: BackgroundBench): Promise<Outcome> {
  const measured = new Map(works.map(({ name }) => [name, { during: [], without: [], seconds: [] } as Measured]));
  const files = await Files.create(bench.tweets);
  try {
    for (let round = 1; round <= bench.rounds; round++) {
      console.error(`background: round ${round} of ${bench.rounds}`);
      await measureRound(files, bench, measured);
    }
  } finally {
    await files.remove();
  }
  print(bench, measured);
  return {
    rows: Array.from(measured, ([name, each]) => rowsOf(name, each)).flat(),
    details: Object.fromEntries(measured),
  };
}
