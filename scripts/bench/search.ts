/** Compares the search of this service with a linear scan, search libraries and PostgreSQL, on the same tweets and queries. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Built, Reply, Request, Searched } from './engines/child.ts';
import type { PageRequest } from './engines/engine.ts';
import { plotTimes } from './plot.ts';
import { createQueries, kinds, type Query } from './queries.ts';
import { finite, ourselves, type Outcome, type Row } from './report/result.ts';
import type { EngineResult, Figures, MeasuredEngine, SizeResult } from './search-result.ts';
import { markdownTable, median, milliseconds, percentile } from './table.ts';
import { writeTweets } from './tweets.ts';

/** Engine labels by module name. The first one that takes part returns the expected pages: usually the scan. */
export const engines: Readonly<Record<string, string>> = {
  scan: 'linear scan',
  minisearch: 'MiniSearch',
  flexsearch: 'FlexSearch',
  orama: 'Orama',
  postgres: 'PostgreSQL',
  sql: 'this service by SQL',
  sqlite: 'this service on SQLite',
};

export interface SearchOptions {
  readonly sizes: readonly number[];
  /** Module names of engines; the scan always runs, up to `maxScanned` tweets. */
  readonly engines: readonly string[];
  readonly queriesOfEachKind: number;
  /** The directory for the plots. */
  readonly plot?: string | undefined;
}

const limit = 20;
const deepPage = 50;
/** The scan keeps all tweets in memory. */
const maxScanned = 2_000_000;
/** The scan needs a second for a page by engagement, so not all queries ask for one. */
const topQueriesOfEachKind = 10;
/** The number of timed rounds, so that the code of fast engines is compiled as in a long-running service. */
const rounds = 20;
/** The time limit of a build, and of all queries in the first round. A slower engine is excluded from the size. */
const timeoutSeconds = 240;
/** An engine that spent more time on queries skips the remaining rounds; it takes part in one at least. */
const maxSpentSeconds = 30;

const print = (message: string): void => void process.stderr.write(`${message}\n`);

/** A child process with one engine. */
class EngineProcess {
  readonly #child: ChildProcess;

  constructor(name: string) {
    this.#child = fork(new URL('engines/child.ts', import.meta.url), [name], {
      execArgv: ['--expose-gc', '--max-old-space-size=12000'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }

  /** Sends a request. Rejects with the error of the engine, after the time limit, and when the process ends. */
  call<Answer extends Reply>(request: Request): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        this.#child.off('message', onMessage).off('exit', onExit);
        act();
      };
      const onMessage = (reply: Reply): void =>
        settle(() => ('error' in reply ? reject(new Error(reply.error)) : resolve(reply as Answer)));
      const onExit = (): void => settle(() => reject(new Error('out of memory')));
      const timer = setTimeout(
        () => settle(() => reject(new Error(`took longer than ${timeoutSeconds} s`))),
        timeoutSeconds * 1000,
      );
      this.#child.on('message', onMessage).on('exit', onExit);
      this.#child.send(request);
    });
  }

  /** Ends the process; the child ends its own processes when the channel closes. */
  end(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

/** The reason why an engine is excluded, for the user. */
function reasonOf({ message }: Error): string {
  if (/Cannot find package/.test(message)) return 'not installed: run npm install --prefix scripts/bench';
  if (/spawn (initdb|postgres) ENOENT/.test(message)) return 'initdb and postgres are not on the PATH';
  return message.split('\n', 1).join('');
}

interface ExpectedPage {
  readonly page: PageRequest;
  /** The numbers of the page by the scan. */
  readonly expected: string;
}
interface QueryCase {
  readonly query: Query;
  readonly first: ExpectedPage;
  /** Undefined when the query has fewer pages. */
  readonly deep: ExpectedPage | undefined;
  /** The expected numbers of the page by engagement; undefined when the query does not ask for one. */
  readonly top: string | undefined;
}
type Depth = 'first' | 'deep' | 'top';

interface RunningEngine {
  readonly name: string;
  readonly process: EngineProcess;
  readonly built: Built;
  /** Times in ms by depth and index of the query. */
  readonly times: Record<Depth, Map<number, number[]>>;
  readonly exact: Record<Depth, { right: number; all: number }>;
  spentSeconds: number;
}

/** The pages of the queries by one engine, which all engines must return. `each`: the number of queries of each kind. */
async function queryCases(engine: EngineProcess, queries: readonly Query[], each: number): Promise<QueryCase[]> {
  const offset = (deepPage - 1) * limit;
  const cases: QueryCase[] = [];
  for (const [index, query] of queries.entries()) {
    const page = { limit: offset + limit, offset: 0, after: undefined };
    const { found } = await engine.call<Searched>({ type: 'search', query, page });
    const top =
      index % each < topQueriesOfEachKind
        ? (await engine.call<Searched>({ type: 'top', query, limit })).found.join()
        : undefined;
    const deep = { page: { limit, offset, after: found[offset - 1] }, expected: found.slice(offset).join() };
    cases.push({
      query,
      first: { page: { limit, offset: 0, after: undefined }, expected: found.slice(0, limit).join() },
      deep: found.length > offset ? deep : undefined,
      top,
    });
  }
  return cases;
}

interface ExpectedCall {
  readonly call: Request;
  readonly expected: string;
}

const pageRequest = (query: Query, page: ExpectedPage | undefined): ExpectedCall | undefined =>
  page && { call: { type: 'search', query, page: page.page }, expected: page.expected };

const topRequest = (
  { name, built: { hasTop } }: RunningEngine,
  query: Query,
  expected: string | undefined,
): ExpectedCall | undefined =>
  // The scan would need most of the time of the benchmark.
  expected === undefined || !hasTop || name === 'scan' ? undefined : { call: { type: 'top', query, limit }, expected };

/** Runs one query on its first, its deep page and its page by engagement; records the times, or compares the pages. */
async function measure(engine: RunningEngine, { query, top, ...pages }: QueryCase, index: number, isTimed: boolean) {
  for (const depth of ['first', 'deep', 'top'] as const) {
    const request = depth === 'top' ? topRequest(engine, query, top) : pageRequest(query, pages[depth]);
    if (request === undefined) continue;
    const { found, ms } = await engine.process.call<Searched>(request.call);
    engine.spentSeconds += ms / 1000;
    if (isTimed) {
      const times = engine.times[depth].get(index) ?? [];
      engine.times[depth].set(index, [...times, ms]);
    } else {
      engine.exact[depth].all++;
      if (found.join() === request.expected) engine.exact[depth].right++;
    }
  }
}

function figures({ times, exact }: RunningEngine, depth: Depth): Figures {
  const byQuery = [...times[depth].values()];
  const medians = byQuery.map(median);
  const timedRounds = Math.min(...byQuery.map(({ length }) => length));
  const inRound = (round: number): number[] => byQuery.map((each) => each[round] ?? Number.NaN);
  return {
    p50: percentile(medians, 0.5),
    p99: percentile(medians, 0.99),
    max: Math.max(...[...times[depth].values()].flat()),
    queries: exact[depth].all,
    exact: exact[depth].right,
    rounds: Array.from({ length: byQuery.length === 0 ? 0 : timedRounds }, (_, round) => ({
      p50: percentile(inRound(round), 0.5),
      p99: percentile(inRound(round), 0.99),
    })),
  };
}

/** The benchmark of one number of tweets. */
class SizeBench {
  readonly #tweets: number;
  readonly #options: SearchOptions;
  readonly #names: readonly string[];
  readonly #running: RunningEngine[] = [];
  /** The reasons of excluded engines by name. */
  readonly #excluded = new Map<string, string>();

  constructor(tweets: number, options: SearchOptions) {
    this.#tweets = tweets;
    this.#options = options;
    this.#names = Object.keys(engines).filter((name) =>
      name === 'scan' ? tweets <= maxScanned : options.engines.includes(name),
    );
  }

  async run(): Promise<SizeResult> {
    const directory = await mkdtemp(join(tmpdir(), 'bench-'));
    try {
      print(`${this.#tweets} tweets: writing`);
      const file = join(directory, 'tweets.jsonl');
      await writeTweets(file, this.#tweets);
      await this.#build(file);
      const queries = await this.#expectedPages();
      await this.#measure(queries);
      const results = this.#names.map((name) => this.#resultOf(name, queries));
      for (const { process } of this.#running) await process.call({ type: 'close' });
      return { tweets: this.#tweets, jsonBytes: (await stat(file)).size, results };
    } finally {
      for (const { process } of this.#running) process.end();
      await rm(directory, { recursive: true, force: true });
    }
  }

  async #build(file: string): Promise<void> {
    for (const name of this.#names) {
      print(`  ${engines[name]}: building`);
      const process = new EngineProcess(name);
      try {
        const built = await process.call<Built>({ type: 'build', file });
        this.#running.push({
          name,
          process,
          built,
          times: { first: new Map(), deep: new Map(), top: new Map() },
          exact: { first: { right: 0, all: 0 }, deep: { right: 0, all: 0 }, top: { right: 0, all: 0 } },
          spentSeconds: 0,
        });
      } catch (error) {
        this.#exclude(name, process, error);
      }
    }
  }

  /** The queries with the pages of the scan, or of the first other engine where there are too many tweets for a scan. */
  async #expectedPages(): Promise<QueryCase[]> {
    const [first] = this.#running;
    const [name = ''] = this.#names;
    if (first?.name !== name) throw new Error(`${engines[name]} failed: ${this.#excluded.get(name)}`);
    const each = this.#options.queriesOfEachKind;
    return queryCases(first.process, createQueries(this.#tweets, each), each);
  }

  /** Round 0 warms up and compares the pages; the other rounds measure. */
  async #measure(queries: readonly QueryCase[]): Promise<void> {
    for (let round = 0; round <= rounds; round++) {
      const active = this.#running.filter(({ spentSeconds }) => round < 2 || spentSeconds < maxSpentSeconds);
      const step = round === 0 ? 'warm-up and comparison' : `round ${round} of ${rounds}`;
      print(`  ${step}: ${active.map(({ name }) => engines[name]).join(', ')}`);
      for (const [index, query] of queries.entries()) {
        // Each query starts with another engine.
        const start = (index + round) % active.length;
        for (const engine of [...active.slice(start), ...active.slice(0, start)])
          if (this.#running.includes(engine)) await this.#measureQuery(engine, query, index, round > 0);
      }
    }
  }

  async #measureQuery(engine: RunningEngine, query: QueryCase, index: number, isTimed: boolean): Promise<void> {
    try {
      await measure(engine, query, index, isTimed);
      if (!isTimed && engine.spentSeconds > timeoutSeconds)
        throw new Error(`the queries took longer than ${timeoutSeconds} s`);
    } catch (error) {
      this.#exclude(engine.name, engine.process, error);
    }
  }

  #exclude(name: string, process: EngineProcess, error: unknown): void {
    const reason = reasonOf(error instanceof Error ? error : new Error(String(error)));
    print(`  ${engines[name]}: excluded, ${reason}`);
    this.#excluded.set(name, reason);
    process.end();
    const index = this.#running.findIndex((engine) => engine.name === name);
    if (index >= 0) this.#running.splice(index, 1);
  }

  #resultOf(name: string, queries: readonly QueryCase[]): EngineResult {
    const label = engines[name] ?? name;
    const engine = this.#running.find((each) => each.name === name);
    if (engine === undefined) return { engine: label, excluded: this.#excluded.get(name) ?? 'unknown' };
    const medianOfKind = (kind: string): number =>
      median(
        queries.flatMap(({ query }, index) => (query.kind === kind ? median(engine.times.first.get(index) ?? []) : [])),
      );
    const { seconds, indexBytes, residentBytes } = engine.built;
    return {
      engine: label,
      buildSeconds: seconds,
      indexBytes,
      residentBytes,
      first: figures(engine, 'first'),
      deep: figures(engine, 'deep'),
      top: engine.exact.top.all === 0 ? undefined : figures(engine, 'top'),
      kinds: Object.fromEntries(kinds.map((kind) => [kind, medianOfKind(kind)])),
    };
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);

function printSize({ tweets, jsonBytes, results }: SizeResult): void {
  const measured = results.filter((result) => 'first' in result);
  console.log(
    `\nSearch, ${tweets} tweets (${megabytes(jsonBytes)} MB of JSON); times in ms, first page, page ${deepPage} and first page by engagement, ${limit} tweets per page\n`,
  );
  console.log(
    markdownTable(
      measured.map(({ engine, buildSeconds, indexBytes, residentBytes, first, deep, top }) => ({
        engine,
        'build s': buildSeconds.toFixed(1),
        'index MB': megabytes(indexBytes),
        'resident MB': megabytes(residentBytes),
        p50: milliseconds(first.p50),
        p99: milliseconds(first.p99),
        exact: `${first.exact}/${first.queries}`,
        'deep p50': milliseconds(deep.p50),
        'deep p99': milliseconds(deep.p99),
        'deep exact': `${deep.exact}/${deep.queries}`,
        'Top p50': top === undefined ? '' : milliseconds(top.p50),
        'Top p99': top === undefined ? '' : milliseconds(top.p99),
        'Top exact': top === undefined ? '' : `${top.exact}/${top.queries}`,
      })),
    ),
  );
  for (const result of results) if ('excluded' in result) console.log(`${result.engine}: excluded, ${result.excluded}`);
  console.log('\nMedian of the first page by kind of query, in ms\n');
  const timeOf = ({ kinds: times }: MeasuredEngine, kind: string): string => milliseconds(times[kind] ?? Number.NaN);
  console.log(
    markdownTable(
      kinds.map((kind) => ({
        kind,
        ...Object.fromEntries(measured.map((result) => [result.engine, timeOf(result, kind)])),
      })),
    ),
  );
}

function rowsOf({ tweets, results }: SizeResult): Row[] {
  const size = `${tweets.toLocaleString('en')} tweets`;
  const measured = results.filter((result) => 'first' in result);
  return finite(
    measured.flatMap(({ engine, buildSeconds, indexBytes, first, deep, top }): Row[] => {
      const subject = engine === engines['sqlite'] ? ourselves : engine;
      const row = (what: string, unit: string, values: readonly number[]): Row => ({
        ...{ metric: `${size}, ${what}`, subject, unit, better: 'lower', values },
      });
      const times = (what: 'p50' | 'p99', { rounds: all }: Figures, page = ''): Row =>
        row(
          `${page}${what}`,
          'ms',
          all.map((round) => round[what]),
        );
      return [
        times('p50', first),
        times('p99', first),
        times('p50', deep, `page ${deepPage}, `),
        ...(top === undefined ? [] : [times('p50', top, 'Top, '), times('p99', top, 'Top, ')]),
        row('build of the index', 's', [buildSeconds]),
        row('index', 'MB', [indexBytes / 1e6]),
      ];
    }),
  );
}

/** Prints a table per size; writes the plots to the folder of the options. */
export async function benchSearch(options: SearchOptions): Promise<Outcome> {
  const sizes: SizeResult[] = [];
  for (const tweets of options.sizes) {
    const result = await new SizeBench(tweets, options).run();
    sizes.push(result);
    printSize(result);
    if (options.plot !== undefined) {
      await mkdir(options.plot, { recursive: true });
      await writeFile(join(options.plot, `search-${tweets}.svg`), plotTimes(result));
    }
  }
  return { rows: sizes.flatMap(rowsOf), details: sizes };
}
