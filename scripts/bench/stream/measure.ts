/** Measures the event stream beside a bare `ws` loop: same frames, same load, in turn, the median of the rounds. */
import { median } from '../table.ts';
import type { Bare } from './bare.ts';
import { clock, startProcess, type Process } from './calls.ts';
import type { Load } from './load.ts';
import type { Service } from './service.ts';
import { queryOf, subscribe, topicsOf, type Scenario, type Telling } from './workload.ts';

export interface StreamBench {
  readonly listeners: number;
  /** About how long each measurement takes. */
  readonly seconds: number;
  readonly rounds: number;
  /** Events of the log that is replayed. */
  readonly replayed: number;
  /** Listeners that replay it at once. */
  readonly replaying: number;
  /** Events of each measurement, in place of as many as fit into `seconds`. */
  readonly events?: number;
  readonly progress: (text: string) => void;
}

/** The peer comes twice: as the plain loop, and with all frames of a batch in one write to each socket, as the service has it. */
export const contestantNames = ['service', 'bare', 'corked'] as const;
export type ContestantName = (typeof contestantNames)[number];

/** One measurement. */
export interface Run {
  /** Messages that came, of those that should. */
  readonly messages: number;
  readonly expected: number;
  readonly perSecond: number;
  readonly eventsPerSecond: number;
  /** Microseconds of the server's processor time for each message. */
  readonly cpu: number;
  /** From when an event was due until it was received, in milliseconds; NaN where no delays were taken. */
  readonly p50: number;
  readonly p99: number;
}

/** All rounds of a scenario; those of the same number ran next to each other. */
export interface Delivery {
  readonly full: Readonly<Record<ContestantName, readonly Run[]>>;
  /** At half of what the slower of service and plain loop can take. Nothing is there to be corked: events come one by one. */
  readonly half: Readonly<Record<'service' | 'bare', readonly Run[]>>;
  /** Events a second of the half load. */
  readonly halfLoad: number;
}

export interface StreamResults {
  readonly options: Omit<StreamBench, 'progress'>;
  /** Bytes of an event on the wire. */
  readonly frameBytes: number;
  readonly delivery: Record<Scenario, Delivery>;
  /** Microseconds of processor time to take an event into archive and log that nobody listens to. */
  readonly intake: number;
  /** Bytes for each idle connection; the service's have a subscription of their own. */
  readonly idle: { service: Memory; bare: Memory };
  /** From `apply` to one listener, durable: 1,000 tweets at once, and one after the other. */
  readonly toOne: Record<'batches' | 'singles', Counted>;
  /** From the start of a log to its end. */
  readonly replay: Record<'one' | 'many', Counted>;
}

export interface Memory {
  readonly resident: number;
  readonly heap: number;
}

export interface Counted {
  readonly events: number;
  readonly expected: number;
  readonly perSecond: number;
}

interface Server {
  readonly port: number;
  readonly process: Process<Pick<Service, 'cpuTime' | 'tell'>>;
  /** The listeners that are open. */
  group: number;
}

/** Servers run on one core, the listeners on another. */
const serverCore = 0;
const loadCore = 1;
const timeoutMs = 120_000;
/** Events that are handed to the service at once, at full speed. */
const batch = 100;
/** How far V8's young generation has grown tells how fast connections came, not what one of them needs. */
const smallYoungGeneration = ['--max-semi-space-size=1'];

/** Messages that so many events make, of which event n is told to every listener of topic `n % topics`. */
export function messagesOf(events: number, listeners: number, topics: number): number {
  let messages = 0;
  for (let topic = 0; topic < topics; topic++)
    messages += Math.ceil((events - topic) / topics) * Math.max(0, Math.ceil((listeners - topic) / topics));
  return messages;
}

export async function measureStreamDelivery(bench: StreamBench): Promise<StreamResults> {
  const { progress, ...options } = bench;
  const service = await startProcess<Service>('./service.ts', serverCore);
  const bare = await startProcess<Bare>('./bare.ts', serverCore);
  const load = await startProcess<Load>('./load.ts', loadCore);
  const ours: Server = { port: await service.call('port'), process: service, group: 0 };
  const theirs: Server = { port: await bare.call('port'), process: bare, group: 0 };
  const serverOf = (name: ContestantName): Server => (name === 'service' ? ours : theirs);
  let frameBytes = 0;

  /** Tells events to the open listeners of a server, and waits until they have them. */
  async function run({ process, group }: Server, telling: Telling, listeners: number, sampled = 0): Promise<Run> {
    const expected = messagesOf(telling.events, listeners, telling.topics);
    await load.call('count', { group, events: expected, sampled });
    const before = await process.call('cpuTime');
    const [{ began }, { at, events: messages, delays }] = await Promise.all([
      process.call('tell', telling),
      load.call('reached', { group, timeoutMs }),
    ]);
    const cpu = (await process.call('cpuTime')) - before;
    const perSecond = (messages / (at - began)) * 1e6;
    return {
      expected,
      messages,
      perSecond,
      eventsPerSecond: (perSecond * telling.events) / messages,
      cpu: cpu / messages,
      p50: delays.p50 / 1000,
      p99: delays.p99 / 1000,
    };
  }

  /** Runs of each in turn, each round the other way round. */
  async function inTurn<Name extends ContestantName>(
    names: readonly Name[],
    measure: (name: Name) => Promise<Run>,
  ): Promise<Record<Name, Run[]>> {
    const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>;
    for (let round = 0; round < bench.rounds; round++) {
      for (const name of round % 2 === 0 ? names : names.toReversed()) runs[name].push(await measure(name));
    }
    return runs;
  }

  async function open(scenario: Scenario): Promise<void> {
    const { listeners } = bench;
    const commands = Array.from({ length: listeners }, (_, listener) => subscribe(queryOf(scenario, listener)));
    ours.group = await load.call('open', { port: ours.port, listeners, commands });
    theirs.group = await load.call('open', { port: theirs.port, listeners, commands: [] });
  }
  const close = (): Promise<unknown> => Promise.all([ours, theirs].map(({ group }) => load.call('close', group)));

  /** The frame that the service makes of an event is what the peer sends. */
  async function prepare(): Promise<void> {
    const next = load.call('nextEvent', ours.group);
    await service.call('tell', { events: 1, batch: 1, topics: 1 });
    const frame = await next;
    frameBytes = Buffer.byteLength(frame);
    await bare.call('prepare', frame);
  }

  async function deliver(scenario: Scenario): Promise<Delivery> {
    const { listeners, seconds } = bench;
    const topics = topicsOf[scenario];
    progress(`${scenario}: ${listeners} listeners connect`);
    await open(scenario);
    await prepare();
    const atFullSpeed = (name: ContestantName, events: number): Promise<Run> =>
      run(serverOf(name), { events, batch: name === 'bare' ? 1 : batch, corked: name === 'corked', topics }, listeners);
    const enough = { service: 0, bare: 0, corked: 0 };
    const first = Math.max(topics, Math.ceil((20_000 * topics) / listeners));
    for (const name of contestantNames) {
      // Twice: the first tells nothing but compiles.
      for (let n = 0; n < (bench.events === undefined ? 2 : 1); n++) {
        const { eventsPerSecond } = await atFullSpeed(name, bench.events ?? first);
        enough[name] = bench.events ?? Math.max(topics, Math.ceil(eventsPerSecond * seconds));
      }
    }
    const full = await inTurn(contestantNames, async (name) => {
      const result = await atFullSpeed(name, enough[name]);
      progress(`${scenario}: ${name} ${Math.round(result.perSecond)} messages/s, ${result.cpu.toFixed(2)} µs each`);
      return result;
    });
    const halfLoad =
      Math.min(...[full.service, full.bare].map((runs) => median(runs.map(({ eventsPerSecond }) => eventsPerSecond)))) /
      2;
    const half = await inTurn(['service', 'bare'], async (name) => {
      const paced = {
        events: bench.events ?? Math.max(topics, Math.ceil(halfLoad * seconds)),
        batch: 1000,
        perSecond: halfLoad,
        topics,
      };
      const result = await run(serverOf(name), paced, listeners, 100);
      progress(
        `${scenario}: ${name} at ${Math.round(halfLoad)} events/s: p99 ${result.p99.toFixed(1)} ms, ${result.cpu.toFixed(2)} µs each`,
      );
      return result;
    });
    await close();
    return { full, half, halfLoad };
  }

  async function intake(): Promise<number> {
    const events = bench.events ?? 5_000;
    const costs: number[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      const before = await service.call('cpuTime');
      await service.call('tell', { events, batch: 100, topics: 1 });
      costs.push(((await service.call('cpuTime')) - before) / events);
    }
    progress(`intake: ${median(costs).toFixed(1)} µs/event`);
    return median(costs);
  }

  async function toOne(together: number, events: number): Promise<Counted> {
    ours.group = await load.call('open', { port: ours.port, listeners: 1, commands: [subscribe(queryOf('same', 0))] });
    const runs: Run[] = [];
    for (let round = 0; round < bench.rounds; round++)
      runs.push(await run(ours, { events, batch: together, topics: 1 }, 1));
    await load.call('close', ours.group);
    const perSecond = median(runs.map((each) => each.perSecond));
    progress(`durable to one listener, ${together} at once: ${Math.round(perSecond)} events/s`);
    return {
      events: runs.reduce((sum, { messages }) => sum + messages, 0),
      expected: events * bench.rounds,
      perSecond,
    };
  }

  async function replay(cursor: string, listeners: number): Promise<Counted> {
    const { port } = ours;
    const expected = bench.replayed * listeners;
    const began = clock();
    const group = await load.call('open', {
      port,
      listeners,
      commands: [subscribe(queryOf('same', 0), cursor)],
      events: expected,
    });
    const { at, events } = await load.call('reached', { group, timeoutMs: 3 * timeoutMs });
    await load.call('close', group);
    const perSecond = (events / (at - began)) * 1e6;
    progress(`replay to ${listeners}: ${Math.round(perSecond)} events/s`);
    return { events, expected, perSecond };
  }

  /** Of a connection, in a process of its own each time. */
  async function idle(module: './service.ts' | './bare.ts'): Promise<Memory> {
    const found: Memory[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      const server = await startProcess<Pick<Service, 'memory' | 'port'>>(module, serverCore, smallYoungGeneration);
      const port = await server.call('port');
      const commands = (count: number): string[] =>
        module === './bare.ts' ? [] : Array.from({ length: count }, (_, n) => subscribe(queryOf('different', n)));
      // What the first ones bring along, such as compiled code, is no part of a connection.
      const opening = { port, listeners: bench.listeners, commands: commands(bench.listeners) };
      const some = await load.call('open', opening);
      const before = await server.call('memory');
      const more = await load.call('open', opening);
      const after = await server.call('memory');
      found.push({
        resident: (after.resident - before.resident) / bench.listeners,
        heap: (after.heap - before.heap) / bench.listeners,
      });
      progress(
        `idle connection of ${module}: ${Math.round(found.at(-1)!.resident)} bytes resident, ${Math.round(found.at(-1)!.heap)} on the heap`,
      );
      await load.call('close', some);
      await load.call('close', more);
      await server.end();
    }
    return { resident: median(found.map(({ resident }) => resident)), heap: median(found.map(({ heap }) => heap)) };
  }

  try {
    const delivery = {
      same: await deliver('same'),
      different: await deliver('different'),
      selective: await deliver('selective'),
    };
    const results = {
      options,
      delivery,
      intake: await intake(),
      toOne: { batches: await toOne(1000, bench.events ?? 20_000), singles: await toOne(1, bench.events ?? 2_000) },
      idle: { service: await idle('./service.ts'), bare: await idle('./bare.ts') },
    };
    const cursor = await service.call('cursor');
    await service.call('tell', { events: bench.replayed, batch: 1000, topics: 1 });
    return {
      ...results,
      frameBytes,
      replay: { one: await replay(cursor, 1), many: await replay(cursor, bench.replaying) },
    };
  } finally {
    await Promise.all([service, bare, load].map((each) => each.end()));
  }
}
