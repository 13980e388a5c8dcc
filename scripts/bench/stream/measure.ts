/** Measures the event stream beside a bare `ws` loop: same frames, same load, in turn, the median of the rounds. */
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

/** One contestant in one scenario. */
export interface Delivery {
  /** Messages that came, of those that should. */
  readonly messages: number;
  readonly expected: number;
  /** At full speed. */
  readonly perSecond: number;
  /** Microseconds of the server's processor time for each message: at full speed, and at half load. */
  readonly cpuFull: number;
  readonly cpuHalf: number;
  /** Events a second at half load, and delays from when an event was due until it was received, in milliseconds. */
  readonly eventsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface StreamResults {
  readonly options: Omit<StreamBench, 'progress'>;
  /** Bytes of an event on the wire. */
  readonly frameBytes: number;
  readonly delivery: Record<Scenario, { service: Delivery; bare: Delivery }>;
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

interface Contestant {
  readonly name: 'service' | 'bare';
  readonly port: number;
  readonly server: Process<Pick<Service, 'cpuTime' | 'memory' | 'tell'>>;
  /** The listeners that are open. */
  group: number;
}

/** Servers run on one core, the listeners on another. */
const serverCore = 0;
const loadCore = 1;
const timeoutMs = 120_000;
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Messages that so many events make, of which event n is told to every listener of topic `n % topics`. */
export function messagesOf(events: number, listeners: number, topics: number): number {
  let messages = 0;
  for (let topic = 0; topic < topics; topic++) messages += Math.ceil((events - topic) / topics) * Math.max(0, Math.ceil((listeners - topic) / topics));
  return messages;
}

export async function measureStreamDelivery(bench: StreamBench): Promise<StreamResults> {
  const { progress, ...options } = bench;
  const service = await startProcess<Service>('./service.ts', serverCore);
  const bare = await startProcess<Bare>('./bare.ts', serverCore);
  const load = await startProcess<Load>('./load.ts', loadCore);
  const contestants: Contestant[] = [
    { name: 'bare', port: await bare.call('port'), server: bare, group: 0 },
    { name: 'service', port: await service.call('port'), server: service, group: 0 },
  ];
  let frameBytes = 0;

  /** Tells events to the open listeners of a contestant, and waits until they have them. */
  async function run({ server, group }: Contestant, telling: Telling, listeners: number, sampled = 0) {
    const expected = messagesOf(telling.events, listeners, telling.topics);
    await load.call('count', { group, events: expected, sampled });
    const before = await server.call('cpuTime');
    const [{ began }, { at, events: messages, delays }] = await Promise.all([server.call('tell', telling), load.call('reached', { group, timeoutMs })]);
    const cpu = (await server.call('cpuTime')) - before;
    const perSecond = (messages / (at - began)) * 1e6;
    return { expected, messages, perSecond, eventsPerSecond: (perSecond * telling.events) / messages, cpu: cpu / messages, delays };
  }
  type Run = Awaited<ReturnType<typeof run>>;

  async function open(scenario: Scenario): Promise<void> {
    const { listeners } = bench;
    const commands = Array.from({ length: listeners }, (_, listener) => subscribe(queryOf(scenario, listener)));
    for (const contestant of contestants) {
      const given = contestant.name === 'service' ? commands : [];
      contestant.group = await load.call('open', { port: contestant.port, listeners, commands: given });
    }
  }
  const close = (): Promise<unknown> => Promise.all(contestants.map(({ group }) => load.call('close', group)));

  /** The frame that the service makes of an event is what the peer sends. */
  async function prepare(): Promise<void> {
    const next = load.call('nextEvent', contestants.find(({ name }) => name === 'service')!.group);
    await service.call('tell', { events: 1, batch: 1, topics: 1 });
    const frame = await next;
    frameBytes = Buffer.byteLength(frame);
    await bare.call('prepare', frame);
  }

  async function deliver(scenario: Scenario): Promise<{ service: Delivery; bare: Delivery }> {
    const { listeners, seconds, rounds } = bench;
    const topics = topicsOf[scenario];
    progress(`${scenario}: ${listeners} listeners connect`);
    await open(scenario);
    await prepare();
    const full = { service: [] as Run[], bare: [] as Run[] };
    const half = { service: [] as Run[], bare: [] as Run[] };
    const events = { service: 0, bare: 0 };
    const first = Math.max(topics, Math.ceil((20_000 * topics) / listeners));
    for (const contestant of contestants) {
      // Twice: the first tells nothing but compiles.
      for (let n = 0; n < (bench.events === undefined ? 2 : 1); n++) {
        const { eventsPerSecond } = await run(contestant, { events: bench.events ?? first, batch: 100, topics }, listeners);
        events[contestant.name] = bench.events ?? Math.max(topics, Math.ceil(eventsPerSecond * seconds));
      }
    }
    for (let round = 0; round < rounds; round++) {
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const { name } = contestant;
        const result = await run(contestant, { events: events[name], batch: 100, topics }, listeners);
        progress(`${scenario}: ${name} ${Math.round(result.perSecond)} messages/s, ${result.cpu.toFixed(2)} µs each`);
        full[name].push(result);
      }
    }
    const perSecond = Math.min(...Object.values(full).map((runs) => median(runs.map(({ eventsPerSecond }) => eventsPerSecond)))) / 2;
    for (let round = 0; round < rounds; round++) {
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const { name } = contestant;
        const paced = { events: bench.events ?? Math.max(topics, Math.ceil(perSecond * seconds)), batch: 1000, perSecond, topics };
        const result = await run(contestant, paced, listeners, 100);
        progress(`${scenario}: ${name} at ${Math.round(perSecond)} events/s: p99 ${(result.delays.p99 / 1000).toFixed(1)} ms, ${result.cpu.toFixed(2)} µs each`);
        half[name].push(result);
      }
    }
    await close();
    const summary = (name: Contestant['name']): Delivery => {
      const all = [...full[name], ...half[name]];
      return {
        messages: all.reduce((sum, { messages }) => sum + messages, 0),
        expected: all.reduce((sum, { expected }) => sum + expected, 0),
        perSecond: median(full[name].map((each) => each.perSecond)),
        cpuFull: median(full[name].map(({ cpu }) => cpu)),
        cpuHalf: median(half[name].map(({ cpu }) => cpu)),
        eventsPerSecond: perSecond,
        p50: median(half[name].map(({ delays }) => delays.p50)) / 1000,
        p99: median(half[name].map(({ delays }) => delays.p99)) / 1000,
      };
    };
    return { service: summary('service'), bare: summary('bare') };
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

  async function toOne(batch: number, events: number): Promise<Counted> {
    const contestant = contestants.find(({ name }) => name === 'service')!;
    contestant.group = await load.call('open', { port: contestant.port, listeners: 1, commands: [subscribe(queryOf('same', 0))] });
    const runs: Run[] = [];
    for (let round = 0; round < bench.rounds; round++) runs.push(await run(contestant, { events, batch, topics: 1 }, 1));
    await load.call('close', contestant.group);
    const perSecond = median(runs.map((each) => each.perSecond));
    progress(`durable to one listener, ${batch} at once: ${Math.round(perSecond)} events/s`);
    return { events: runs.reduce((sum, { messages }) => sum + messages, 0), expected: events * bench.rounds, perSecond };
  }

  async function replay(cursor: string, listeners: number): Promise<Counted> {
    const { port } = contestants.find(({ name }) => name === 'service')!;
    const expected = bench.replayed * listeners;
    const began = clock();
    const group = await load.call('open', { port, listeners, commands: [subscribe(queryOf('same', 0), cursor)], events: expected });
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
      const server = await startProcess<Pick<Service, 'memory' | 'port'>>(module, serverCore);
      const port = await server.call('port');
      const commands = (count: number): string[] => (module === './bare.ts' ? [] : Array.from({ length: count }, (_, n) => subscribe(queryOf('different', n))));
      // What the first ones bring along, such as compiled code, is no part of a connection.
      const warm = Math.ceil(bench.listeners / 5);
      const some = await load.call('open', { port, listeners: warm, commands: commands(warm) });
      const before = await server.call('memory');
      const more = await load.call('open', { port, listeners: bench.listeners, commands: commands(bench.listeners) });
      const after = await server.call('memory');
      found.push({ resident: (after.resident - before.resident) / bench.listeners, heap: (after.heap - before.heap) / bench.listeners });
      progress(`idle connection of ${module}: ${Math.round(found.at(-1)!.resident)} bytes resident, ${Math.round(found.at(-1)!.heap)} on the heap`);
      await load.call('close', some);
      await load.call('close', more);
      await server.end();
    }
    return { resident: median(found.map(({ resident }) => resident)), heap: median(found.map(({ heap }) => heap)) };
  }

  try {
    const delivery = { same: await deliver('same'), different: await deliver('different'), selective: await deliver('selective') };
    const results = {
      options,
      delivery,
      intake: await intake(),
      toOne: { batches: await toOne(1000, bench.events ?? 20_000), singles: await toOne(1, bench.events ?? 2_000) },
      idle: { service: await idle('./service.ts'), bare: await idle('./bare.ts') },
    };
    const cursor = await service.call('cursor');
    await service.call('tell', { events: bench.replayed, batch: 1000, topics: 1 });
    return { ...results, frameBytes, replay: { one: await replay(cursor, 1), many: await replay(cursor, bench.replaying) } };
  } finally {
    await Promise.all([service, bare, load].map((each) => each.end()));
  }
}
