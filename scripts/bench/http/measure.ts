/** Measures the service and peers that have the same contract and data. All get the same requests, in alternating order. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '../../../test/postgres/engine.js';
import { cpuSeconds, memory } from '../process-usage.ts';
import { runCommand, startService } from '../service.ts';
import { sharedCoreFlags, startProcess, type Process } from '../stream/calls.ts';
import { median } from '../table.ts';
import { warmUp } from '../warm-up.ts';
import type { Contestant, PeerName } from './contestant.ts';
import type { Load, LoadOptions, LoadResult } from './load.ts';
import type { PreparedResponse } from './peers/bare.ts';
import { key, records, shapes, targetsOf, type Shape } from './shapes.ts';

export interface HttpBench {
  readonly rounds: number;
  /** The duration of one measurement. */
  readonly seconds: number;
  readonly connections: number;
  /** `postgres`: an instance on tables of PostgreSQL instead of the peers and the variants of the service. */
  readonly platform: 'sqlite' | 'postgres';
  readonly progress: (text: string) => void;
}

/** The measured servers, with their names in tables. */
export const contestants = {
  bare: 'bare node:http, prepared bytes',
  service: 'this service',
  logging: 'this service, logging each request',
  always: 'this service, VALIDATE=always',
  tables: 'this service, PostgreSQL',
  fastify: 'Fastify 5 + response validation',
  complete: 'Fastify 5, same checks and headers',
  hono: 'Hono + zod-openapi',
  express: 'Express 5, no validation',
  validator: 'Express 5 + express-openapi-validator',
} as const;
export type Name = keyof typeof contestants;

/** One measurement. */
export interface Run extends LoadResult {
  /** Microseconds of the server's processor time per request; NaN on systems without /proc. */
  readonly cpu: number;
  /** Bytes of the server's resident memory at the end of the run; Linux only. An idle process returns memory, so it is read at once. */
  readonly resident: number;
}
export type Runs = Readonly<Partial<Record<Name, readonly Run[]>>>;

export interface HttpResults {
  readonly options: Omit<HttpBench, 'progress'>;
  readonly full: Readonly<Record<Shape, Runs>>;
  /** At half the rate that the slower of bare node:http and the service reaches. */
  readonly half: Readonly<Record<Shape, Runs>>;
  /** The peers whose packages are not installed. */
  readonly missing: readonly string[];
}

const [serverCore, loadCore] = [0, 1];
/** Relative to `startProcess`. */
const contestantModule = '../http/contestant.ts';

/** A measured server: the service, or a peer. */
interface Server {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<unknown>;
}

/** Starts the service with a data folder, with a rate limit that no load reaches. */
const startMeasured = (folder: string, variables: Record<string, string>): Promise<Server> => {
  const isLogging = variables.LOG_LEVEL !== undefined;
  const measured = { DATA_DIR: folder, API_KEYS: key, RATE_LIMIT: '100000000/1s', LOG_LEVEL: 'warn', ...variables };
  const options = {
    flags: sharedCoreFlags,
    core: serverCore,
    log: isLogging ? 'ignore' : 'inherit',
  } as const;
  return startService(measured, options);
};

/** Imports the records into a data folder. */
async function importRecords(folder: string, variables: Record<string, string>): Promise<void> {
  const file = join(folder, 'records.jsonl');
  await writeFile(file, Array.from(records(), (record) => JSON.stringify(record)).join('\n'));
  await runCommand('scripts/cli/import.ts', [file], { DATA_DIR: folder, ...variables });
}

/** The first response of the service for a shape, without the headers that node:http adds. */
async function captureResponse(port: number, shape: Shape): Promise<PreparedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  get({ port, host: '127.0.0.1', path: targetsOf(shape)(), headers: { 'x-api-key': key } }, resolve).once(
    'error',
    reject,
  );
  const response = await promise;
  const head = response.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 && !/^(date|connection|keep-alive)$/i.test(name) ? [name, all[index + 1]!] : [],
  );
  return { head, body: Buffer.concat(await response.toArray()).toString() };
}

const serviceVariants = [
  ['service', {}],
  ['logging', { LOG_LEVEL: 'info' }],
  ['always', { VALIDATE: 'always' }],
] as const satisfies readonly (readonly [Name, Record<string, string>])[];
const peers = ['fastify', 'complete', 'hono', 'express', 'validator'] as const satisfies readonly PeerName[];

/** The running servers of the benchmark and their data folders. */
class Servers {
  readonly missing: string[] = [];
  readonly #servers = new Map<Name, Server>();
  readonly #folders: string[] = [];
  readonly #engines: { stop(): Promise<void> }[] = [];

  /** The names of the running servers, in the order of the tables. */
  get names(): Name[] {
    return (Object.keys(contestants) as Name[]).filter((name) => this.#servers.has(name));
  }

  get(name: Name): Server {
    const server = this.#servers.get(name);
    if (server === undefined) throw new Error(`the server ${name} does not run`);
    return server;
  }

  async start(platform: HttpBench['platform']): Promise<void> {
    const variants = platform === 'postgres' ? serviceVariants.slice(0, 1) : serviceVariants;
    for (const [name, variables] of variants) await this.#startService(name, variables);
    await this.#startBare();
    if (platform === 'postgres') await this.#startTables();
    else for (const name of peers) await this.#startPeer(name);
  }

  async #startTables(): Promise<void> {
    const engine = await startEngine();
    this.#engines.push(engine);
    await this.#startService('tables', { DATABASE_URL: engine.url });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.values().map((server) => server.stop()));
    await Promise.all(this.#engines.map((engine) => engine.stop()));
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }

  async #startService(name: Name, variables: Record<string, string>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'bench-http-'));
    this.#folders.push(folder);
    await importRecords(folder, variables);
    this.#servers.set(name, await startMeasured(folder, variables));
  }

  async #startBare(): Promise<void> {
    const { port } = this.get('service');
    const responses = {
      '/social/user': await captureResponse(port, 'page, repeated'),
      '/social/community': await captureResponse(port, 'small, repeated'),
    };
    const child = await startProcess<Contestant>(contestantModule, serverCore);
    const bare = { pid: child.pid, port: await child.call('openBare', responses), stop: () => child.end() };
    this.#servers.set('bare', bare);
  }

  async #startPeer(name: PeerName): Promise<void> {
    const child = await startProcess<Contestant>(contestantModule, serverCore);
    const opened = await child.call('open', name);
    if ('port' in opened) {
      this.#servers.set(name, { pid: child.pid, port: opened.port, stop: () => child.end() });
    } else {
      this.missing.push(contestants[name]);
      await child.end();
    }
  }
}

type Amount = Pick<LoadOptions, 'seconds' | 'minRequests' | 'rate'>;

/** Measures the servers with one load process. */
class Measurement {
  readonly #bench: Omit<HttpBench, 'progress'>;
  readonly #servers: Servers;
  readonly #load: Process<Load>;

  constructor(bench: Omit<HttpBench, 'progress'>, servers: Servers, load: Process<Load>) {
    this.#bench = bench;
    this.#servers = servers;
    this.#load = load;
  }

  /** Measures a shape: all servers at full speed, then bare node:http and the service at half load. */
  async measureShape(shape: Shape): Promise<{ full: Runs; half: Runs }> {
    const { names } = this.#servers;
    for (const name of names) await this.#warmUp(name, shape);
    const full = await this.#rounds(names, shape);
    const pair = ['bare', 'service'] as const;
    const slower = Math.min(...pair.map((name) => median((full[name] ?? []).map(({ perSecond }) => perSecond))));
    return { full, half: await this.#rounds(pair, shape, slower / 2) };
  }

  async #warmUp(name: Name, shape: Shape): Promise<void> {
    const seconds = this.#bench.seconds / 2;
    await warmUp(async (step) => {
      const { perSecond } = await this.#measure(name, shape, { seconds, minRequests: step === 0 ? 2_000 : 0 });
      return perSecond;
    });
  }

  /** Runs the rounds of all servers, in reverse order in every second round. */
  async #rounds(names: readonly Name[], shape: Shape, rate?: number): Promise<Runs> {
    const { rounds, seconds } = this.#bench;
    const runs = new Map(names.map((name) => [name, [] as Run[]]));
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? [...runs] : [...runs].toReversed();
      for (const [name, results] of order) results.push(await this.#measure(name, shape, { seconds, rate }));
    }
    return Object.fromEntries(runs);
  }

  async #measure(name: Name, shape: Shape, amount: Amount): Promise<Run> {
    const { pid, port } = this.#servers.get(name);
    const before = await cpuSeconds(pid);
    const result = await this.#load.call('run', { port, shape, connections: this.#bench.connections, ...amount });
    const cpu = (((await cpuSeconds(pid)) - before) * 1e6) / result.requests;
    return { ...result, cpu, resident: (await memory(pid)).resident };
  }
}

/** Starts all servers, measures all shapes, and stops the servers. */
export async function measureHttp({ progress, ...options }: HttpBench): Promise<HttpResults> {
  const load = await startProcess<Load>('../http/load.ts', loadCore);
  const servers = new Servers();
  try {
    progress('http: starting the servers');
    await servers.start(options.platform);
    const measurement = new Measurement(options, servers, load);
    const full: Partial<Record<Shape, Runs>> = {};
    const half: Partial<Record<Shape, Runs>> = {};
    for (const shape of Object.keys(shapes) as Shape[]) {
      progress(`http: ${shapes[shape]}`);
      ({ full: full[shape], half: half[shape] } = await measurement.measureShape(shape));
    }
    return {
      options,
      full: full as HttpResults['full'],
      half: half as HttpResults['half'],
      missing: servers.missing,
    };
  } finally {
    await load.end();
    await servers.stop();
  }
}
