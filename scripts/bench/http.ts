/** The HTTP benchmark: the service beside servers with the same contract and data. All get the same requests, in alternating order. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFile } from '../../server/storage/database-file.ts';
import { datasetteTarget, hasDatasette, startDatasette } from './http/datasette.ts';
import { runLoad } from './http-load.ts';
import type { PreparedResponse } from './http/peers/bare.ts';
import type { PeerName } from './http/peer.ts';
import { records, shapes, targetsOf, type Shape } from './http/shapes.ts';
import { importPeer } from './peer-packages.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { finite, ourselves, type Outcome, type Row } from './result.ts';
import type { Command } from './options.ts';
import {
  bindToCore,
  importFile,
  key,
  loadCore,
  sharedCoreFlags,
  startServer,
  startService,
  type Server,
} from './service.ts';
import { createPlace, type Place } from './stored-archive.ts';
import { median } from './table.ts';
import { warmUp } from './warm-up.ts';

/** The peers with their names in tables, bare node:http first. */
const peers: Readonly<Record<PeerName, string>> = {
  bare: 'bare node:http, prepared bytes',
  fastify: 'Fastify 5 + response validation',
  complete: 'Fastify 5, same checks and headers',
  stored: 'Fastify 5, same checks and headers, SQLite of its own',
  hono: 'Hono + zod-openapi',
};
const tables = 'this service, PostgreSQL';
const datasette = 'Datasette, same file';
const missing = 'Datasette is not installed, so it is missing: pip install datasette pysqlite3-binary.';

/** One measurement of a server. */
interface Run {
  readonly perSecond: number;
  /** Microseconds of the server's processor time per request. */
  readonly cpu: number;
  /** Bytes. An idle process returns memory, so it is read at once. */
  readonly resident: number;
  /** Milliseconds, of one connection that sends a request after the other. */
  readonly p99: number;
  /** The share of the time in which the server used its core. */
  readonly busy: number;
}

const figures = [
  ['', 'requests/s', 'higher', 'perSecond'],
  [', CPU for a request', 'µs CPU', 'lower', 'cpu'],
  [', p99 of one connection', 'ms', 'lower', 'p99'],
  [', resident memory', 'bytes', 'lower', 'resident'],
] as const satisfies readonly (readonly [string, string, Row['better'], keyof Run])[];

/** A service on an archive with the records, with a rate limit that no load reaches. */
async function startMeasured({ folder, variables }: Place): Promise<Server> {
  const file = join(folder, 'records.jsonl');
  await writeFile(file, Array.from(records(), (record) => JSON.stringify(record)).join('\n'));
  await importFile(file, variables);
  return startService({ ...variables, RATE_LIMIT: '100000000/1s' }, { flags: sharedCoreFlags, isBound: true });
}

/** A response of the service, for bare node:http, without the headers that node:http adds. */
async function capture(url: string, shape: Shape): Promise<PreparedResponse> {
  const headers = { 'x-api-key': key, 'accept-encoding': 'identity' };
  const response = await fetch(url + targetsOf(shape)(), { headers });
  const head = Array.from(response.headers).flatMap(([name, value]) =>
    /^(date|connection|keep-alive)$/.test(name) ? [] : [name, value],
  );
  return { head, body: await response.text() };
}

async function startPeer(name: PeerName, folder: string, service: Server): Promise<Server> {
  const file = join(folder, 'responses.json');
  const responses = {
    '/social/user': await capture(service.url, 'page, repeated'),
    '/social/community': await capture(service.url, 'small, repeated'),
    '/social/tweet': await capture(service.url, 'search, new'),
  };
  await writeFile(file, JSON.stringify(responses));
  const args = ['scripts/bench/http/peer.ts', name, file];
  return startServer(args, {}, { flags: sharedCoreFlags, isBound: true });
}

/** A server, and its request for a request to the service, where it has others; undefined where it has none for it. */
interface Contestant extends Server {
  readonly translate?: (target: string) => string | undefined;
}

async function measureOnce({ pid, url }: Server, target: () => string, { connections, seconds }: Load): Promise<Run> {
  const before = await cpuSeconds(pid);
  const full = await runLoad({ url, target, connections, seconds });
  const [cpu, { resident }] = [(await cpuSeconds(pid)) - before, await memory(pid)];
  const { p99 } = await runLoad({ url, target, connections: 1, seconds: seconds / 2 });
  return {
    ...{ perSecond: full.perSecond, cpu: (cpu * 1e6) / full.requests, resident, p99, busy: cpu / full.seconds },
  };
}

interface Load {
  readonly connections: number;
  readonly seconds: number;
  readonly rounds: number;
}

/** A generator of the requests of a shape to a server; undefined where it has no such page. */
function targetsFor({ translate }: Contestant, shape: Shape): (() => string) | undefined {
  const next = targetsOf(shape);
  if (translate === undefined) return next;
  return translate(targetsOf(shape)()) === undefined ? undefined : () => translate(next()) ?? '';
}

/** Measures all servers with requests of one shape. The runs by name of the server. */
async function measureShape(
  all: ReadonlyMap<string, Contestant>,
  shape: Shape,
  load: Load,
): Promise<ReadonlyMap<string, readonly Run[]>> {
  // One generator for each server: each gets new parameters, and all the same ones.
  const targets = new Map(
    [...all].flatMap(([name, server]) => {
      const next = targetsFor(server, shape);
      return next === undefined ? [] : [[name, next] as const];
    }),
  );
  const servers = [...all].filter(([name]) => targets.has(name));
  const runs = new Map(servers.map(([name]) => [name, [] as Run[]]));
  const { connections, seconds } = load;
  for (const [name, { url }] of servers)
    await warmUp(async () => {
      const target = targets.get(name)!;
      return (await runLoad({ url, target, connections, seconds: seconds / 2 })).perSecond;
    });
  for (let round = 0; round < load.rounds; round++)
    for (const [name, server] of round % 2 === 0 ? servers : servers.toReversed())
      runs.get(name)!.push(await measureOnce(server, targets.get(name)!, load));
  return runs;
}

function rowsOf(shape: Shape, runs: ReadonlyMap<string, readonly Run[]>): Row[] {
  return figures.flatMap(([what, unit, better, figure]) =>
    Array.from(runs, ([subject, all]) => ({
      ...{ metric: `${shape}${what}`, subject, unit, better, values: all.map((run) => run[figure]) },
    })),
  );
}

/** Where the load did not fill the core of a server, its rate is that of the load: then only the CPU times tell. */
function noteOf(shape: Shape, runs: ReadonlyMap<string, readonly Run[]>): string[] {
  const idle = Array.from(runs)
    .map(([name, all]) => ({ name, busy: median(all.map(({ busy }) => busy)) }))
    .filter(({ busy }) => busy < 0.9);
  const texts = idle.map(({ name, busy }) => `${name} (${(busy * 100).toFixed(0)} % of its core)`);
  return texts.length === 0 ? [] : [`${shape}: the load limits the rate of ${texts.join(', ')}.`];
}

/** Starts the service, and beside it the peers, or an instance on tables of PostgreSQL. Calls `closing` with what ends them. */
async function startAll(isOnTables: boolean, closing: (end: () => Promise<unknown>) => void) {
  const servers = new Map<string, Contestant>();
  const add = (name: string, server: Contestant): void => {
    closing(() => server.stop());
    servers.set(name, server);
  };
  const place = await createPlace('sqlite');
  closing(() => place.remove());
  const service = await startMeasured(place);
  add(ourselves, service);
  if (isOnTables) {
    const other = await createPlace('postgres');
    closing(() => other.remove());
    add(tables, await startMeasured(other));
  }
  for (const name of (isOnTables ? ['bare'] : Object.keys(peers)) as PeerName[])
    add(peers[name], await startPeer(name, place.folder, service));
  if (!isOnTables && hasDatasette())
    add(datasette, { ...(await startDatasette(join(place.folder, databaseFile))), translate: datasetteTarget });
  return servers;
}

export async function benchHttp(command: Command): Promise<Outcome> {
  const load = {
    ...{ connections: command.number('connections'), seconds: command.number('seconds') },
    rounds: command.number('rounds'),
  };
  // Before the servers start.
  await importPeer('autocannon');
  bindToCore(process.pid, loadCore);
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const servers = await startAll(command.values.platform === 'postgres', (end) => void ends.push(end));
    const rows: Row[] = [];
    const notes: string[] = command.values.platform === 'postgres' || servers.has(datasette) ? [] : [missing];
    for (const shape of shapes) {
      console.error(`http: ${shape}`);
      const runs = await measureShape(servers, shape, load);
      rows.push(...rowsOf(shape, runs));
      notes.push(...noteOf(shape, runs));
    }
    return { rows: finite(rows), notes };
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
