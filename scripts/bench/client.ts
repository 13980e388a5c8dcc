/** Measures the client package: its size, its import time and the cost of a call, compared with fetch, openapi-fetch and two SDKs. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildScripts } from '../../client/build.ts';
import { clientNamed, clients, requests } from './client/callers.ts';
import { ourselves, type Outcome, type Row as ResultRow } from './report/result.ts';
import { markdownTable, median, milliseconds, type Row } from './table.ts';

export interface ClientBench {
  /** Measurements per client; the result is their median. */
  readonly rounds: number;
  /** Calls per measurement. */
  readonly calls: number;
  /** Numbers of concurrent calls. */
  readonly concurrencies: readonly number[];
}

const here = new URL('./', import.meta.url);
const baseline = 'bare openapi-fetch';
const ours = '@social-data/client, method';

/** Runs one measurement in its own process. */
async function runCaller<Result>(name: string, ...parameters: string[]): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    new URL('client/caller.ts', here).pathname,
    name,
    ...parameters,
  ]);
  return JSON.parse(stdout) as Result;
}

interface Size {
  readonly minified: number;
  readonly gzipped: number;
}

/** The bytes that a browser loads first. */
async function sizeOf(app: string): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: here.pathname },
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    platform: 'browser',
    target: 'es2022',
    write: false,
    outdir: '/out',
    logLevel: 'silent',
  });
  const [first] = outputFiles;
  if (first === undefined) throw new Error('the bundle is empty');
  const { contents } = first;
  return { minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length };
}

interface Cost {
  readonly cpuMicros: number;
  readonly perSecond: number;
}

/** The names of the installed clients. */
async function installed(): Promise<string[]> {
  const found = await Promise.all(
    Object.keys(clients).map(async (name) =>
      (await runCaller(name, 'import').catch(() => undefined)) === undefined ? [] : [name],
    ),
  );
  return found.flat();
}

/** The measurements of all clients. */
class ClientRun {
  readonly importsMs = new Map<string, number[]>();
  /** By `NAME REQUEST CONCURRENCY`. */
  readonly costs = new Map<string, Cost[]>();
  readonly sizes = new Map<string, Size>();
  readonly names: readonly string[];
  readonly #options: ClientBench;

  constructor(options: ClientBench, names: readonly string[]) {
    this.#options = options;
    this.names = names;
  }

  async measure(url: string): Promise<void> {
    const { rounds, calls, concurrencies } = this.#options;
    for (let round = 1; round <= rounds; round++) {
      console.error(`client: round ${round} of ${rounds}`);
      // The order is random in each round, so that other load of the machine affects all clients alike.
      for (const name of this.names.toSorted(() => Math.random() - 0.5)) {
        const { importMs } = await runCaller<{ importMs: number }>(name, 'import');
        append(this.importsMs, name, importMs);
        for (const request of Object.keys(requests))
          for (const concurrency of concurrencies) {
            const cost = await runCaller<Cost>(name, url, String(calls), String(concurrency), request);
            append(this.costs, `${name} ${request} ${concurrency}`, cost);
          }
      }
    }
    for (const name of this.names) this.sizes.set(name, await sizeOf(clientNamed(name).app));
  }

  rows(): Row[] {
    return this.names.map((name) => {
      const { minified, gzipped } = this.sizes.get(name) ?? { minified: Number.NaN, gzipped: Number.NaN };
      return {
        client: name,
        'kB minified': (minified / 1000).toFixed(1),
        'kB gzipped': (gzipped / 1000).toFixed(2),
        'import, ms': milliseconds(median(this.importsMs.get(name) ?? [])),
        ...Object.assign(
          {},
          ...Object.keys(requests).flatMap((request) =>
            this.#options.concurrencies.map((concurrency) => this.#costCells(name, `${request} ${concurrency}`)),
          ),
        ),
      };
    });
  }

  /** The client of this project, and the others as its peers. */
  results(): ResultRow[] {
    const isOurs = (name: string): boolean => name === ours;
    return this.names
      .toSorted((a, b) => Number(b === baseline) - Number(a === baseline))
      .flatMap((name): ResultRow[] => {
        const subject = isOurs(name) ? ourselves : name;
        const row = (metric: string, unit: string, values: readonly number[]): ResultRow => ({
          ...{ metric, subject, unit, better: 'lower', values },
        });
        const costs = Object.keys(requests).flatMap((request) =>
          this.#options.concurrencies.map((concurrency) =>
            row(
              `call, ${request}, ${concurrency} at once`,
              'µs CPU',
              this.#cpuTimes(name, `${request} ${concurrency}`),
            ),
          ),
        );
        const { gzipped } = this.sizes.get(name) ?? { gzipped: Number.NaN };
        const size: ResultRow = { ...row('size in a browser, gzipped', 'kB', [gzipped / 1000]), exact: true };
        return [...costs, row('import', 'ms', this.importsMs.get(name) ?? []), size];
      });
  }

  /** `load` is a request and a concurrency. */
  #costCells(name: string, load: string): Row {
    return {
      [`CPU µs per call, ${load} concurrent`]: median(this.#cpuTimes(name, load)).toFixed(0),
      [`× openapi-fetch, ${load}`]: this.#ratio(name, load).toFixed(2),
    };
  }

  /** The CPU time as a multiple of that of openapi-fetch in the same round; the median of the rounds. */
  #ratio(name: string, load: string): number {
    const baselineCosts = this.#cpuTimes(baseline, load);
    return median(this.#cpuTimes(name, load).map((cpu, round) => cpu / (baselineCosts[round] ?? Number.NaN)));
  }

  /** The requests for which a method of our client takes more CPU time than its budget, one by one. */
  overBudget(): string[] {
    return Object.entries(requests).flatMap(([request, { budget }]) => {
      const ratio = this.#ratio(ours, `${request} ${this.#options.concurrencies[0]}`);
      return ratio <= budget ? [] : [`${request}: ${ratio.toFixed(2)} × openapi-fetch, more than ${budget}`];
    });
  }

  #cpuTimes(name: string, load: string): number[] {
    return (this.costs.get(`${name} ${load}`) ?? []).map(({ cpuMicros }) => cpuMicros);
  }
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key) ?? [];
  list.push(value);
  lists.set(key, list);
}

/** Measures and prints a table. */
export async function benchClient(options: ClientBench): Promise<Outcome> {
  const { rounds, calls } = options;
  await buildScripts(new URL('../../client/dist', here).pathname);
  const names = await installed();
  const missing = Object.keys(clients).filter((name) => !names.includes(name));
  const server = spawn(process.execPath, [new URL('client/server.ts', here).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { url, bytes } = JSON.parse(line) as { url: string; bytes: number };
    const run = new ClientRun(options, names);
    await run.measure(url);
    console.log(
      `\nThe client: medians of ${rounds} rounds of ${calls} calls with pages of ${bytes} bytes, or small objects; sizes as minified by esbuild for a browser`,
    );
    console.log(markdownTable(run.rows()));
    for (const fault of run.overBudget()) {
      process.exitCode = 1;
      console.error(`over budget: ${fault}`);
    }
    if (missing.length > 0)
      console.log(`not installed: ${missing.join(', ')} (run npm install --prefix scripts/bench)`);
    const [sizes, imports, costs] = [run.sizes, run.importsMs, run.costs].map((map) =>
      Object.fromEntries<unknown>(map),
    );
    return { rows: run.results(), details: { rounds, calls, bytes, sizes, imports, costs } };
  } finally {
    server.kill();
  }
}
