/** Compares the search of this service with a linear scan and search libraries, on the same tweets and queries. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../server/text/error-text.ts';
import { writeTweets } from '../sample/many-tweets.ts';
import { createQueries, type Query } from '../sample/mixed-queries.ts';
import { startProcess, type Process } from './calls.ts';
import type { EngineProcess, Searched } from './engines/child.ts';
import type { PageRequest } from './engines/engine.ts';
import { CallError, type Command } from './options.ts';
import { finite, ourselves, type Outcome, type Row } from './result.ts';
import { percentile } from './table.ts';

/** Engines with their names in tables. The first one that takes part returns the expected pages: usually the scan. */
const engines: Readonly<Record<string, string>> = {
  scan: 'linear scan',
  sqlite: ourselves,
  postgres: 'this service, PostgreSQL',
  flexsearch: 'FlexSearch',
};

const limit = 20;
const deepPage = 50;
/** The scan keeps all tweets in memory. */
const maxScanned = 2_000_000;
/** The time limit of a call, and of all queries in the first round. A slower engine is excluded. */
const timeoutSeconds = 240;
/** An engine that spent more time on queries takes part in no further round. */
const maxSpentSeconds = 60;

const depths = ['first', 'deep', 'top'] as const;
type Depth = (typeof depths)[number];
const titles: Readonly<Record<Depth, string>> = { first: '', deep: `page ${deepPage}, `, top: 'Top, ' };

/** The page that a query asks for, and the numbers of its tweets by the scan. */
interface Expected {
  readonly page: PageRequest;
  readonly found: string;
}
/** A query; a depth is missing where it has fewer pages. */
type Case = { readonly query: Query } & { readonly [depth in Depth]?: Expected };

class Running {
  readonly name: string;
  readonly process: Process<EngineProcess>;
  build = { seconds: Number.NaN, size: Number.NaN, hasTop: false };
  /** The times of each round in ms. */
  readonly times: Record<Depth, number[][]> = { first: [], deep: [], top: [] };
  /** The numbers of pages, and of those that are like the ones of the scan. */
  readonly pages = { all: 0, exact: 0 };
  spentSeconds = 0;

  constructor(name: string) {
    this.name = name;
    this.process = startProcess('./engines/child.ts', { args: [name], flags: ['--max-old-space-size=12000'] });
  }

  async find(query: Query, depth: Depth, page: PageRequest): Promise<Searched> {
    const found = await inTime(
      depth === 'top' ? this.process.call('top', { query, limit }) : this.process.call('search', { query, page }),
    );
    this.spentSeconds += found.ms / 1000;
    return found;
  }
}

/** Rejects when a call takes too long. */
async function inTime<Value>(call: Promise<Value>): Promise<Value> {
  const stop = new AbortController();
  const limitOf = pause(timeoutSeconds * 1000, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`it took longer than ${timeoutSeconds} s`);
  });
  try {
    return await Promise.race([call, limitOf]);
  } finally {
    limitOf.catch(() => {});
    stop.abort();
  }
}

/** The pages of the queries by one engine, which all engines must return. */
async function casesOf(engine: Running, queries: readonly Query[]): Promise<Case[]> {
  const offset = (deepPage - 1) * limit;
  const cases: Case[] = [];
  for (const query of queries) {
    const { found } = await engine.find(query, 'first', { limit: offset + limit, offset: 0, after: undefined });
    const first = { limit, offset: 0, after: undefined };
    const deep = { limit, offset, after: found[offset - 1] };
    const top = engine.build.hasTop ? (await engine.find(query, 'top', first)).found.join() : undefined;
    cases.push({
      query,
      first: { page: first, found: found.slice(0, limit).join() },
      ...(found.length > offset && { deep: { page: deep, found: found.slice(offset).join() } }),
      ...(top !== undefined && { top: { page: first, found: top } }),
    });
  }
  engine.spentSeconds = 0;
  return cases;
}

/** Whether an engine takes part: the scan needs a second for a page by engagement, and only some libraries have this order. */
const hasDepth = ({ name, build }: Running, depth: Depth): boolean =>
  depth !== 'top' || (build.hasTop && name !== 'scan');

/** The benchmark of one number of tweets. */
class SizeBench {
  readonly notes: string[] = [];
  readonly #size: string;
  #running: Running[] = [];

  constructor(tweets: number) {
    this.#size = `${tweets.toLocaleString('en')} tweets`;
  }

  async start(names: readonly string[], file: string): Promise<void> {
    for (const name of names) {
      console.error(`search: ${this.#size}, ${engines[name]}: building`);
      const engine = new Running(name);
      this.#running.push(engine);
      await this.#orExclude(engine, async () => void (engine.build = await inTime(engine.process.call('build', file))));
    }
    if (this.#running[0]?.name !== names[0]) throw new Error(this.notes.join('; '));
  }

  /** Round 0 warms up and compares the pages; the other rounds measure. */
  async measure(queries: readonly Query[], rounds: number): Promise<void> {
    const cases = await casesOf(this.#running[0]!, queries);
    for (let round = 0; round <= rounds; round++) {
      const active = this.#running.filter(({ spentSeconds }) => round < 2 || spentSeconds < maxSpentSeconds);
      console.error(`search: ${this.#size}, round ${round} of ${rounds}`);
      for (const { times } of active) for (const depth of depths) times[depth].push([]);
      for (const [index, each] of cases.entries()) {
        // Each query starts with another engine.
        const start = (index + round) % active.length;
        for (const engine of [...active.slice(start), ...active.slice(0, start)])
          if (this.#running.includes(engine)) await this.#orExclude(engine, () => this.#ask(engine, each, round));
      }
    }
  }

  async #ask(engine: Running, { query, ...pages }: Case, round: number): Promise<void> {
    for (const depth of depths) {
      const expected = pages[depth];
      if (expected === undefined || !hasDepth(engine, depth)) continue;
      const { found, ms } = await engine.find(query, depth, expected.page);
      engine.times[depth][round]?.push(ms);
      if (round > 0) continue;
      engine.pages.all++;
      if (found.join() === expected.found) engine.pages.exact++;
      if (engine.spentSeconds > timeoutSeconds) throw new Error(`the queries took longer than ${timeoutSeconds} s`);
    }
  }

  async #orExclude(engine: Running, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#running = this.#running.filter((each) => each !== engine);
      const [reason = ''] = messageOf(error).split('\n', 1);
      this.notes.push(`${this.#size}: ${engines[engine.name]} is excluded: ${reason}.`);
      await engine.process.end();
    }
  }

  rows(): Row[] {
    return finite(
      this.#running.flatMap(({ name, build, times }) => {
        const row = (what: string, unit: string, values: readonly number[]): Row => ({
          ...{ metric: `${this.#size}, ${what}`, subject: engines[name] ?? name, unit, better: 'lower', values },
        });
        const timesOf = (depth: Depth): Row[] => {
          const measured = times[depth].slice(1).filter(({ length }) => length > 0);
          return [0.5, 0.99].map((share) =>
            row(
              `${titles[depth]}p${share * 100}`,
              'ms',
              measured.map((each) => percentile(each, share)),
            ),
          );
        };
        return [...depths.flatMap(timesOf), row('build', 's', [build.seconds]), row('size', 'bytes', [build.size])];
      }),
    );
  }

  /** The engines whose pages are not those of the scan. */
  inexact(): string[] {
    return this.#running
      .filter(({ pages: { all, exact } }) => exact < all)
      .map(({ name, pages: { all, exact } }) => `${this.#size}: ${engines[name]}: ${exact} of ${all} pages are exact.`);
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map((engine) => engine.process.end()));
  }
}

/** Measures each number of tweets. */
export async function benchSearch(command: Command): Promise<Outcome> {
  const named = command.values.engines?.split(',') ?? Object.keys(engines).filter((name) => name !== 'postgres');
  const unknown = named.find((name) => !(name in engines));
  if (unknown !== undefined) throw new CallError(`--engines: unknown engine ${unknown}`);
  const rows: Row[] = [];
  const notes: string[] = [];
  for (const tweets of command.numbers('tweets')) {
    const directory = await mkdtemp(join(tmpdir(), 'bench-search-'));
    const bench = new SizeBench(tweets);
    try {
      const file = join(directory, 'tweets.jsonl');
      await writeTweets(file, tweets);
      const names = Object.keys(engines).filter((name) =>
        name === 'scan' ? tweets <= maxScanned : named.includes(name),
      );
      await bench.start(names, file);
      await bench.measure(createQueries(tweets, command.number('queries')), command.number('rounds'));
      rows.push(...bench.rows());
      notes.push(...bench.notes, ...bench.inexact());
    } finally {
      await bench.end();
      await rm(directory, { recursive: true, force: true });
    }
  }
  return { rows, notes };
}
