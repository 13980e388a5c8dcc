/** The benchmark of the event stream: rate, CPU and delay beside bare `ws` loops with the same frames and load, and replays. */
import { startProcess, clock, type Process } from './calls.ts';
import type { Command } from './options.ts';
import { memory } from './process-usage.ts';
import { finite, ourRow, ourselves, type Outcome, type Row } from './result.ts';
import { bindToCore, loadCore, startFlags } from './service.ts';
import type { Bare } from './stream/bare.ts';
import { Listeners } from './stream/listeners.ts';
import type { Service } from './stream/service.ts';
import { queryOf, subscribe, topicsOf, type Publication, type Scenario } from './stream/workload.ts';
import { median } from './table.ts';
import { warmUp } from './warm-up.ts';

/** Events of a batch at full speed, and the events of the first step of a warm-up. */
const [batch, firstEvents] = [100, 200];

/**
 * The service; a plain loop; the loop with one write for each socket and batch, as the service does it; and that loop when it
 * also stores each batch before it sends it, as the service does.
 */
const contestants = {
  [ourselves]: {},
  'bare ws': { batch: 1 },
  'bare ws, corked': { corked: true },
  'bare ws, corked, durable': { corked: true, durable: true },
} as const satisfies Record<string, Partial<Publication>>;
type Name = keyof typeof contestants;
const names = Object.keys(contestants) as Name[];

interface Options {
  readonly listeners: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly isQuick: boolean;
}

interface Server {
  readonly process: Process<Pick<Service, 'cpuTime' | 'publish'>>;
  readonly port: number;
  readonly listeners: Listeners;
}

interface Run {
  readonly perSecond: number;
  readonly eventsPerSecond: number;
  /** Microseconds of CPU time of the server for a message. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

/** The number of messages of so many events, when event n goes to each listener of topic `n % topics`. */
export function messagesOf(events: number, listeners: number, topics: number): number {
  let messages = 0;
  for (let topic = 0; topic < topics; topic++)
    messages += Math.ceil((events - topic) / topics) * Math.max(0, Math.ceil((listeners - topic) / topics));
  return messages;
}

/** Publishes events to the listeners of a server. Rejects unless each message arrives exactly once. */
async function publish({ process, listeners }: Server, publication: Publication, count: number): Promise<Run> {
  const { events, topics } = publication;
  const expected = messagesOf(events, count, topics);
  listeners.expect(expected);
  const before = await process.call('cpuTime');
  const { startedAt } = await process.call('publish', publication);
  const { messages, at, p50, p99 } = await listeners.received();
  const cpu = ((await process.call('cpuTime')) - before) / messages;
  if (messages !== expected) throw new Error(`${messages} messages arrived instead of ${expected}`);
  const seconds = (at - startedAt) / 1e6;
  return { perSecond: messages / seconds, eventsPerSecond: events / seconds, cpu, p50, p99 };
}

/** Measures each server once a round, in reverse order in every second round. */
async function inTurn(rounds: number, measure: (name: Name) => Promise<Run>): Promise<Record<Name, Run[]>> {
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>;
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) runs[name].push(await measure(name));
  return runs;
}

/** Measures the servers at full speed, and at half of the lower speed of the service and the plain loop. */
async function deliver(scenario: Scenario, servers: Readonly<Record<Name, Server>>, options: Options): Promise<Row[]> {
  const { listeners, rounds, seconds, isQuick } = options;
  const topics = topicsOf[scenario];
  const eventsIn = (perSecond: number): number => Math.max(topics, Math.ceil(perSecond * (isQuick ? 0.1 : seconds)));
  const atFullSpeed = (name: Name, events: number): Promise<Run> =>
    publish(servers[name], { events, batch, topics, ...contestants[name] }, listeners);
  const rates = {} as Record<Name, number>;
  for (const name of names) {
    rates[name] = (await atFullSpeed(name, firstEvents)).eventsPerSecond;
    if (!isQuick)
      await warmUp(async () => (rates[name] = (await atFullSpeed(name, eventsIn(rates[name] / 2))).eventsPerSecond));
  }
  const full = await inTurn(rounds, (name) => atFullSpeed(name, eventsIn(rates[name])));
  const speedOf = (name: Name): number => median(full[name].map(({ eventsPerSecond }) => eventsPerSecond));
  const perSecond = Math.min(speedOf(ourselves), speedOf('bare ws')) / 2;
  const half = await inTurn(rounds, (name) => {
    const publication = { events: eventsIn(perSecond), batch: 1000, perSecond, topics };
    return publish(servers[name], { ...publication, ...contestants[name] }, listeners);
  });
  const rows = (what: string, unit: string, better: Row['better'], figure: keyof Run, runs: typeof full): Row[] =>
    names.map((subject) => {
      const values = runs[subject].map((run) => run[figure]);
      return { metric: `${scenario}: ${what}`, subject, unit, better, values };
    });
  return [
    ...rows('full speed', 'messages/s', 'higher', 'perSecond', full),
    ...rows('CPU for a message, full speed', 'µs CPU', 'lower', 'cpu', full),
    ...rows('CPU for a message, half load', 'µs CPU', 'lower', 'cpu', half),
    ...rows('delay at half load, p50', 'ms', 'lower', 'p50', half),
    ...rows('delay at half load, p99', 'ms', 'lower', 'p99', half),
  ];
}

/** Opens the listeners of all servers, and gives an event of the service to the others. */
async function connect(service: Process<Service>, bare: Process<Bare>, topics: number, count: number) {
  const ports = { service: await service.call('port'), bare: await bare.call('port') };
  const commandOf = (listener: number): string => subscribe(queryOf(topics, listener));
  const ours = {
    process: service,
    port: ports.service,
    listeners: await Listeners.open(ports.service, count, commandOf),
  };
  const theirs = { process: bare, port: ports.bare, listeners: await Listeners.open(ports.bare, count) };
  await publish(ours, { events: 1, batch: 1, topics }, count);
  await bare.call('prepare', ours.listeners.newest);
  return Object.fromEntries(names.map((name) => [name, name === ourselves ? ours : theirs])) as Record<Name, Server>;
}

/** Durable events from the archive to one listener: a tweet after the other. */
async function toOne(service: Process<Service>, { rounds, isQuick }: Options): Promise<Row> {
  const port = await service.call('port');
  const listeners = await Listeners.open(port, 1, () => subscribe(queryOf(1, 0)));
  const runs: Run[] = [];
  for (let round = 0; round < rounds; round++)
    runs.push(
      await publish({ process: service, port, listeners }, { events: isQuick ? 50 : 2_000, batch: 1, topics: 1 }, 1),
    );
  await listeners.close();
  const values = runs.map(({ perSecond }) => perSecond);
  return ourRow('durable to one listener, one tweet after the other', 'events/s', values, 'higher');
}

/** Listeners that read all events from a cursor on. */
async function replay(service: Process<Service>, cursor: string, events: number, { rounds }: Options): Promise<Row> {
  const port = await service.call('port');
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = clock();
    const listeners = await Listeners.open(port, 1, () => subscribe(queryOf(1, 0), cursor), events);
    const { messages, at } = await listeners.received();
    await listeners.close();
    if (messages !== events) throw new Error(`${messages} events were replayed instead of ${events}`);
    values.push((events / (at - startedAt)) * 1e6);
  }
  return ourRow('replay to one listener', 'events/s', values, 'higher');
}

/** Resident memory of connections with a subscription, after those that compile the code. */
async function idle(service: Process<Service>, count: number): Promise<Row> {
  const port = await service.call('port');
  const commandOf = (listener: number): string => subscribe(queryOf(100, listener));
  const first = await Listeners.open(port, count, commandOf);
  const before = await service.call('collectGarbage').then(() => memory(service.pid));
  const second = await Listeners.open(port, count, commandOf);
  const after = await service.call('collectGarbage').then(() => memory(service.pid));
  await Promise.all([first.close(), second.close()]);
  return ourRow('memory of an idle connection', 'bytes', [(after.resident - before.resident) / count]);
}

export async function benchStream(command: Command): Promise<Outcome> {
  const isQuick = command.values.quick;
  const [listeners, seconds, rounds] = [
    command.number('listeners'),
    command.number('seconds'),
    command.number('rounds'),
  ];
  const options = { listeners, seconds, rounds, isQuick };
  bindToCore(process.pid, loadCore);
  const service = startProcess<Service>('./stream/service.ts', { isBound: true, flags: startFlags });
  const bare = startProcess<Bare>('./stream/bare.ts', { isBound: true });
  try {
    const rows: Row[] = isQuick ? [] : [await idle(service, listeners)];
    for (const scenario of Object.keys(topicsOf) as Scenario[]) {
      console.error(`stream: ${scenario}`);
      const servers = await connect(service, bare, topicsOf[scenario], listeners);
      rows.push(...(await deliver(scenario, servers, options)));
      await Promise.all([servers[ourselves], servers['bare ws']].map((server) => server.listeners.close()));
    }
    rows.push(await toOne(service, options));
    const [cursor, replayed] = [await service.call('cursor'), isQuick ? 500 : 50_000];
    await service.call('publish', { events: replayed, batch: 1000, topics: 1 });
    rows.push(await replay(service, cursor, replayed, options));
    return { rows: finite(rows) };
  } finally {
    await Promise.all([service.end(), bare.end()]);
  }
}
