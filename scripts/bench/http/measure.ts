/** Measures the HTTP side beside peers with the same contract and data: same requests, in turn, the medians of the rounds. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasTaskset, startProcess } from '../stream/calls.ts';
import { median } from '../table.ts';
import type { Contestant, PeerName } from './contestant.ts';
import type { Load, LoadOptions, LoadResult } from './load.ts';
import type { Prepared } from './peers/bare.ts';
import { key, records, shapes, targetsOf, type Shape } from './shapes.ts';

export interface HttpBench {
  readonly rounds: number;
  /** How long each measurement takes. */
  readonly seconds: number;
  readonly connections: number;
  readonly progress: (text: string) => void;
}

/** Who takes part, by the names that tables give them. */
export const contestants = {
  bare: 'bare node:http, prepared bytes',
  service: 'this service',
  logging: 'this service, logging each request',
  always: 'this service, VALIDATE=always',
  fastify: 'Fastify 5 + response validation',
  hono: 'Hono + zod-openapi',
  express: 'Express 5, nothing validated',
  validator: 'Express 5 + express-openapi-validator',
} as const;
export type Name = keyof typeof contestants;

/** One measurement. */
export interface Run extends LoadResult {
  /** Microseconds of the server's processor time for each request; NaN where the system does not tell. */
  readonly cpu: number;
  /** Bytes of the server's resident memory right after it: an idle process gives back what it took, so all are looked at in the same state. */
  readonly resident: number;
}
export type Runs = Readonly<Partial<Record<Name, readonly Run[]>>>;

export interface HttpResults {
  readonly options: Omit<HttpBench, 'progress'>;
  readonly full: Readonly<Record<Shape, Runs>>;
  /** At half of what the slower of the two can take. */
  readonly half: Readonly<Record<Shape, Runs>>;
  readonly missing: readonly string[];
}

const [serverCore, loadCore] = [0, 1];
const root = new URL('../../../', import.meta.url).pathname;
const run = promisify(execFile);

interface Server {
  readonly pid: number;
  readonly port: number;
  end(): Promise<unknown>;
}

/** The service as it is started, with a data folder of its own. */
async function startService(folder: string, variables: Record<string, string>): Promise<Server> {
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: '0',
    DEMO: '0',
    API_KEYS: key,
    RATE_LIMIT: '100000000/1s',
    TOKEN_RESOLVER: 'off',
    LOG_LEVEL: 'warn',
    ...variables,
  };
  const [command, parameters] = hasTaskset
    ? ['taskset', ['-c', String(serverCore), process.execPath]]
    : [process.execPath, []];
  const child: ChildProcess = spawn(command, [...parameters, 'server/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', env.LOG_LEVEL === 'warn' ? 'inherit' : 'ignore'],
  });
  const ended = once(child, 'exit');
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout!.on('data', (text: Buffer) => {
      output += text.toString();
      const found = /^listening on http:\S+:(\d+)$/m.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', (code) => reject(new Error(`the service ended with code ${code}: ${output}`)));
  });
  return { pid: child.pid!, port, end: () => (child.kill('SIGTERM'), ended) };
}

/** Writes the records and imports them. */
async function fill(folder: string): Promise<void> {
  const file = join(folder, 'records.jsonl');
  await writeFile(file, Array.from(records(), (record) => JSON.stringify(record)).join('\n'));
  await run(process.execPath, ['scripts/cli/import.ts', file], {
    cwd: root,
    env: { ...process.env, DATA_DIR: folder },
  });
}

/** The answer of the service to the first request of a shape, without what node:http adds to every answer. */
async function prepare(port: number, shape: Shape): Promise<Prepared> {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  get({ port, host: '127.0.0.1', path: targetsOf(shape)(), headers: { 'x-api-key': key } }, resolve).once(
    'error',
    reject,
  );
  const answer = await promise;
  const head = answer.rawHeaders.flatMap((name, at, all) =>
    at % 2 === 0 && !/^(date|connection|keep-alive)$/i.test(name) ? [name, all[at + 1]!] : [],
  );
  return { head, body: Buffer.concat(await answer.toArray()).toString() };
}

/** Microseconds of processor time that a process has used so far. */
async function cpuTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return Number.NaN;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // In clock ticks, of which Linux tells 100 a second on every machine that Node runs on.
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function resident(pid: number): Promise<number> {
  return Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) * 1024;
}

export async function measureHttp(bench: HttpBench): Promise<HttpResults> {
  const { progress, ...options } = bench;
  const folders: string[] = [];
  const servers = new Map<Name, Server>();
  const missing: string[] = [];
  const load = await startProcess<Load>('../http/load.ts', loadCore);
  try {
    progress('http: starting everyone');
    for (const [name, variables] of [
      ['service', {}],
      ['logging', { LOG_LEVEL: 'info' }],
      ['always', { VALIDATE: 'always' }],
    ] as const) {
      const folder = await mkdtemp(join(tmpdir(), 'bench-http-'));
      folders.push(folder);
      await fill(folder);
      servers.set(name, await startService(folder, variables));
    }
    const bare = await startProcess<Contestant>('../http/contestant.ts', serverCore);
    const service = servers.get('service')!;
    const page = await prepare(service.port, 'page, repeated');
    const small = await prepare(service.port, 'small, repeated');
    servers.set('bare', {
      pid: bare.pid,
      port: await bare.call('openBare', { '/social/user': page, '/social/community': small }),
      end: () => bare.end(),
    });
    for (const name of ['fastify', 'hono', 'express', 'validator'] satisfies PeerName[]) {
      const peer = await startProcess<Contestant>('../http/contestant.ts', serverCore);
      const opened = await peer.call('open', name);
      if ('port' in opened) servers.set(name, { pid: peer.pid, port: opened.port, end: () => peer.end() });
      else {
        missing.push(contestants[name]);
        await peer.end();
      }
    }
    const names = (Object.keys(contestants) as Name[]).filter((name) => servers.has(name));

    async function measure(
      name: Name,
      shape: Shape,
      amount: Pick<LoadOptions, 'seconds' | 'least' | 'rate'>,
    ): Promise<Run> {
      const { pid, port } = servers.get(name)!;
      const before = await cpuTime(pid);
      const result = await load.call('run', { port, shape, connections: bench.connections, ...amount });
      return { ...result, cpu: ((await cpuTime(pid)) - before) / result.requests, resident: await resident(pid) };
    }
    /** Rounds of all in turn, each round the other way round. */
    async function inTurn(of: readonly Name[], shape: Shape, rate?: number): Promise<Runs> {
      const runs = Object.fromEntries(of.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>;
      // What the compiler makes of the code by and by is no part of what is measured, nor is the first look at each tweet.
      if (rate === undefined)
        for (const name of of) await measure(name, shape, { seconds: bench.seconds / 2, least: 2_000 });
      for (let round = 0; round < bench.rounds; round++) {
        for (const name of round % 2 === 0 ? of : of.toReversed())
          runs[name].push(await measure(name, shape, { seconds: bench.seconds, rate }));
      }
      return runs;
    }

    const full: Partial<Record<Shape, Runs>> = {};
    const half: Partial<Record<Shape, Runs>> = {};
    for (const shape of Object.keys(shapes) as Shape[]) {
      progress(`http: ${shapes[shape]}`);
      const runs = (full[shape] = await inTurn(names, shape));
      const slower = Math.min(
        ...(['bare', 'service'] as const).map((name) => median(runs[name]!.map(({ perSecond }) => perSecond))),
      );
      half[shape] = await inTurn(['bare', 'service'], shape, slower / 2);
    }
    return { options, full: full as HttpResults['full'], half: half as HttpResults['half'], missing };
  } finally {
    await load.end();
    await Promise.all(servers.values().map((server) => server.end()));
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}
