/** Search: this service against a linear scan, search libraries and PostgreSQL, on the same tweets and queries in one run. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Built, Reply, Request, Searched } from './engines/child.ts';
import type { PageAsked } from './engines/engine.ts';
import { plotTimes } from './plot.ts';
import { createQueries, kinds, type Asked } from './queries.ts';
import type { EngineResult, Figures, SizeResult } from './search-result.ts';
import { markdownTable, median, milliseconds, percentile } from './table.ts';
import { writeTweets } from './tweets.ts';

/** Engines by the name of their module; the scan comes first: it says what is true. */
export const engines: Readonly<Record<string, string>> = {
  scan: 'linear scan',
  ours: 'this service',
  minisearch: 'MiniSearch',
  flexsearch: 'FlexSearch',
  orama: 'Orama',
  postgres: 'PostgreSQL',
};

export interface SearchOptions {
  readonly sizes: readonly number[];
  /** Names of engines; the scan is always among them. */
  readonly engines: readonly string[];
  readonly queriesOfEachKind: number;
  readonly json?: string | undefined;
  /** A directory. */
  readonly plot?: string | undefined;
}

const limit = 20;
const deepPage = 50;
/** The fast ones are asked often, so that their code is as warm as in a service that has run for a while. */
const rounds = 20;
/** Seconds after which an engine is left out of a size: to build, or for all queries once. */
const patience = 240;
/** Seconds of answering after which an engine sits out the rounds that are left, each having had one. */
const enough = 30;

const say = (message: string): void => void process.stderr.write(`${message}\n`);

/** A process with one engine. A question rejects with the reason where it has none of an answer. */
interface Asker {
  ask<Answer extends Reply>(request: Request): Promise<Answer>;
  /** Ends the process at once. */
  end(): void;
}

function startEngine(name: string): Asker {
  const child: ChildProcess = fork(new URL('engines/child.ts', import.meta.url), [name], {
    execArgv: ['--expose-gc', '--max-old-space-size=12000'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return {
    ask: <Answer extends Reply>(request: Request) =>
      new Promise<Answer>((resolve, reject) => {
        const settle = (act: () => void): void => {
          clearTimeout(timer);
          child.off('message', answered).off('exit', ended);
          act();
        };
        const answered = (reply: Reply): void =>
          settle(() => ('fault' in reply ? reject(new Error(reply.fault)) : resolve(reply as Answer)));
        const ended = (): void => settle(() => reject(new Error('ran out of memory')));
        const timer = setTimeout(
          () => settle(() => reject(new Error(`took longer than ${patience} s`))),
          patience * 1000,
        );
        child.on('message', answered).on('exit', ended);
        child.send(request);
      }),
    // What it has started itself it ends when the channel is closed.
    end: () => void (child.connected && child.disconnect()),
  };
}

/** Why an engine is left out, in words for who runs the benchmark. */
function reasonOf({ message }: Error): string {
  if (/Cannot find package/.test(message)) return 'not installed: npm install --prefix scripts/bench';
  if (/spawn (initdb|postgres) ENOENT/.test(message)) return 'there is no initdb and postgres on the PATH';
  return message.split('\n')[0]!;
}

interface Query {
  readonly asked: Asked;
  readonly first: { readonly page: PageAsked; readonly truth: string };
  /** Undefined where there are not so many pages. */
  readonly deep: { readonly page: PageAsked; readonly truth: string } | undefined;
}
type Depth = 'first' | 'deep';

interface Measured {
  readonly name: string;
  readonly asker: Asker;
  readonly built: Built;
  /** Times in ms by depth and place of the query. */
  readonly times: Record<Depth, Map<number, number[]>>;
  readonly exact: Record<Depth, { right: number; all: number }>;
  spent: number;
}

async function truths(scan: Asker, queries: readonly Asked[]): Promise<Query[]> {
  const offset = (deepPage - 1) * limit;
  const all: Query[] = [];
  for (const asked of queries) {
    const { found } = await scan.ask<Searched>({
      ask: 'search',
      asked,
      page: { limit: offset + limit, offset: 0, after: undefined },
    });
    const deep = { page: { limit, offset, after: found[offset - 1] }, truth: found.slice(offset).join() };
    all.push({
      asked,
      first: { page: { limit, offset: 0, after: undefined }, truth: found.slice(0, limit).join() },
      deep: found.length > offset ? deep : undefined,
    });
  }
  return all;
}

/** Asks an engine one query, on its first and its deep page. */
async function measure(engine: Measured, { asked, ...depths }: Query, place: number, counts: boolean): Promise<void> {
  for (const depth of ['first', 'deep'] as const) {
    const wanted = depths[depth];
    if (wanted === undefined) continue;
    const { found, ms } = await engine.asker.ask<Searched>({ ask: 'search', asked, page: wanted.page });
    engine.spent += ms / 1000;
    if (counts) {
      const times = engine.times[depth].get(place) ?? [];
      engine.times[depth].set(place, [...times, ms]);
    } else {
      engine.exact[depth].all++;
      if (found.join() === wanted.truth) engine.exact[depth].right++;
    }
  }
}

function figures({ times, exact }: Measured, depth: Depth): Figures {
  const medians = [...times[depth].values()].map(median);
  return {
    p50: percentile(medians, 0.5),
    p99: percentile(medians, 0.99),
    max: Math.max(...[...times[depth].values()].flat()),
    queries: exact[depth].all,
    exact: exact[depth].right,
  };
}

async function benchSize(tweets: number, options: SearchOptions): Promise<SizeResult> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  const running: Measured[] = [];
  const leftOut = new Map<string, string>();
  const leaveOut = (name: string, asker: Asker, reason: string): void => {
    say(`  ${engines[name]} is left out: ${reason}`);
    leftOut.set(name, reason);
    asker.end();
    const place = running.findIndex((engine) => engine.name === name);
    if (place >= 0) running.splice(place, 1);
  };
  try {
    say(`${tweets} tweets: writing them`);
    const file = join(directory, 'tweets.jsonl');
    await writeTweets(file, tweets);
    const chosen = Object.keys(engines).filter((name) => name === 'scan' || options.engines.includes(name));
    for (const name of chosen) {
      say(`  ${engines[name]} builds`);
      const asker = startEngine(name);
      try {
        const built = await asker.ask<Built>({ ask: 'build', file });
        running.push({
          name,
          asker,
          built,
          times: { first: new Map(), deep: new Map() },
          exact: { first: { right: 0, all: 0 }, deep: { right: 0, all: 0 } },
          spent: 0,
        });
      } catch (error) {
        leaveOut(name, asker, reasonOf(error as Error));
      }
    }

    const scan = running.find(({ name }) => name === 'scan');
    if (scan === undefined) throw new Error(`the scan ${leftOut.get('scan')}: without it nothing tells what is true`);
    const queries = await truths(scan.asker, createQueries(tweets, options.queriesOfEachKind));
    for (let round = 0; round <= rounds; round++) {
      const taking = running.filter(({ spent }) => round < 2 || spent < enough);
      say(
        `  ${round === 0 ? 'each query once, to warm up and compare' : `round ${round} of ${rounds}`}: ${taking.map(({ name }) => engines[name]).join(', ')}`,
      );
      for (const [place, query] of queries.entries()) {
        for (let turn = 0; turn < taking.length; turn++) {
          const engine = taking[(turn + place + round) % taking.length]!;
          if (!running.includes(engine)) continue;
          try {
            await measure(engine, query, place, round > 0);
            if (round === 0 && engine.spent > patience) throw new Error(`the queries took longer than ${patience} s`);
          } catch (error) {
            leaveOut(engine.name, engine.asker, reasonOf(error as Error));
          }
        }
      }
    }

    const results = chosen.map((name): EngineResult => {
      const engine = running.find((each) => each.name === name);
      if (engine === undefined) return { engine: engines[name]!, leftOut: leftOut.get(name)! };
      const ofKind = (kind: string): number =>
        median(
          queries.flatMap(({ asked }, place) => (asked.kind === kind ? median(engine.times.first.get(place)!) : [])),
        );
      const { seconds, indexBytes, residentBytes } = engine.built;
      return {
        engine: engines[name]!,
        buildSeconds: seconds,
        indexBytes,
        residentBytes,
        first: figures(engine, 'first'),
        deep: figures(engine, 'deep'),
        kinds: Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])),
      };
    });
    for (const { asker } of running) await asker.ask({ ask: 'close' });
    return { tweets, jsonBytes: (await stat(file)).size, results };
  } finally {
    for (const { asker } of running) asker.end();
    await rm(directory, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);

function printSize({ tweets, jsonBytes, results }: SizeResult): void {
  const measured = results.filter((result) => result.leftOut === undefined);
  console.log(
    `\nSearch, ${tweets} tweets (${megabytes(jsonBytes)} MB of JSON); times in ms, first page and page ${deepPage}, ${limit} tweets each\n`,
  );
  console.log(
    markdownTable(
      measured.map(({ engine, buildSeconds, indexBytes, residentBytes, first, deep }) => ({
        engine,
        'build s': buildSeconds!.toFixed(1),
        'index MB': megabytes(indexBytes!),
        'resident MB': megabytes(residentBytes!),
        p50: milliseconds(first!.p50),
        p99: milliseconds(first!.p99),
        exact: `${first!.exact}/${first!.queries}`,
        'deep p50': milliseconds(deep!.p50),
        'deep p99': milliseconds(deep!.p99),
        'deep exact': `${deep!.exact}/${deep!.queries}`,
      })),
    ),
  );
  for (const { engine, leftOut } of results) if (leftOut !== undefined) console.log(`${engine}: left out, ${leftOut}`);
  console.log('\nMedian of the first page by kind of query, in ms\n');
  console.log(
    markdownTable(
      kinds.map((kind) => ({
        kind,
        ...Object.fromEntries(measured.map((result) => [result.engine, milliseconds(result.kinds![kind]!)])),
      })),
    ),
  );
}

/** Prints a table for each size; writes the figures and a plot for each size where asked to. */
export async function benchSearch(options: SearchOptions): Promise<void> {
  const sizes: SizeResult[] = [];
  for (const tweets of options.sizes) {
    const result = await benchSize(tweets, options);
    sizes.push(result);
    printSize(result);
    if (options.json !== undefined)
      await writeFile(options.json, `${JSON.stringify({ node: process.version, sizes }, undefined, 2)}\n`);
    if (options.plot !== undefined) {
      await mkdir(options.plot, { recursive: true });
      await writeFile(join(options.plot, `search-${tweets}.svg`), plotTimes(result));
    }
  }
}
