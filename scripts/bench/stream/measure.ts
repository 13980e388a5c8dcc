/** Measures the event stream and a bare `ws` loop in turn, with the same frames and load; the results are medians of the rounds. */
import { startFlags } from '../service.ts';
import { median } from '../table.ts';
import { warmUp } from '../warm-up.ts';
import type { Bare } from './bare.ts';
import { clock, startProcess, type Process } from './calls.ts';
import type { Load } from './load.ts';
import type { Service } from './service.ts';
import { queryOf, subscribe, topicsOf, type Scenario, type Publication } from './workload.ts';

export interface StreamBench {
  readonly listeners: number;
  /** The approximate duration of a measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** The number of replayed events. */
  readonly replayed: number;
  /** The number of concurrent replays. */
  readonly replaying: number;
  /** The number of events per measurement; default: as many as fit into `seconds`. */
  readonly events?: number;
  readonly progress: (text: string) => void;
}

/**
 * The service, the plain loop, the loop with one write per socket and batch, as in the service, and that loop when it also stores each batch
 * before it sends it, as the service does.
 */
export const contestantNames = ['service', 'bare', 'corked', 'durable'] as const;
export type ContestantName = (typeof contestantNames)[number];

const halfLoadNames = ['service', 'bare', 'durable'] as const satisfies readonly ContestantName[];
type HalfLoadName = (typeof halfLoadNames)[number];

/** One measurement. */
export interface Run {
  /** The received and the expected number of messages. */
  readonly messages: number;
  readonly expected: number;
  readonly perSecond: number;
  readonly eventsPerSecond: number;
  /** Processor time of the server per message in µs. */
  readonly cpu: number;
  /** Delay from the due time of an event to its receipt in ms; NaN without samples. */
  readonly p50: number;
  readonly p99: number;
}

/** The rounds by server. */
export type Runs = { readonly [name in ContestantName]?: readonly Run[] };

/** All rounds of a scenario; runs of the same index belong to one round. */
export interface Delivery {
  readonly full: Readonly<Record<ContestantName, readonly Run[]>>;
  /** At half of the lower full speed of service and plain loop. Events come one by one, so there is no corked run. */
  readonly half: Readonly<Record<HalfLoadName, readonly Run[]>>;
  /** Events per second of the half load. */
  readonly halfLoad: number;
}

export interface StreamResults {
  readonly options: Omit<StreamBench, 'progress'>;
  /** Bytes of an event on the wire. */
  readonly frameBytes: number;
  readonly delivery: Record<Scenario, Delivery>;
  /** Processor time in µs to store an event without listeners in archive and log. */
  readonly intake: number;
  /** Bytes per idle connection; those of the service have a subscription. */
  readonly idle: { service: Memory; bare: Memory };
  /** Durable events from `apply` to one listener: in batches of 1,000 tweets, and one by one. */
  readonly toOne: Record<'batches' | 'singles', Counted>;
  /** Replay of the whole log. */
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
  readonly process: Process<Pick<Service, 'cpuTime' | 'publish'>>;
  /** The group of open listeners. */
  group: number;
}

/** Servers run on one core and listeners on another. */
const serverCore = 0;
const loadCore = 1;
const timeoutMs = 120_000;
/** Events per batch at full speed. */
const batch = 100;
/** A small young generation of V8, because its growth depends on the rate of connections, not on their memory. */
const smallYoungGeneration = ['--max-semi-space-size=1'];

/** The number of messages of so many events, when event n goes to every listener of topic `n % topics`. */
export function messagesOf(events: number, listeners: number, topics: number): number {
  let messages = 0;
  for (let topic = 0; topic < topics; topic++)
    messages += Math.ceil((events - topic) / topics) * Math.max(0, Math.ceil((listeners - topic) / topics));
  return messages;
}

/** The processes of a benchmark and its measurements. */
class DeliveryBench {
  readonly #options: StreamBench;
  readonly #load: Process<Load>;
  readonly #service: Process<Service>;
  readonly #bare: Process<Bare>;
  readonly #serviceServer: Server;
  readonly #bareServer: Server;
  #frameBytes = 0;

  private constructor(
    options: StreamBench,
    processes: { service: Process<Service>; bare: Process<Bare>; load: Process<Load> },
    ports: { service: number; bare: number },
  ) {
    this.#options = options;
    this.#load = processes.load;
    this.#service = processes.service;
    this.#bare = processes.bare;
    this.#serviceServer = { port: ports.service, process: processes.service, group: 0 };
    this.#bareServer = { port: ports.bare, process: processes.bare, group: 0 };
  }

  static async start(options: StreamBench): Promise<DeliveryBench> {
    const service = await startProcess<Service>('./service.ts', serverCore, startFlags);
    const bare = await startProcess<Bare>('./bare.ts', serverCore);
    const load = await startProcess<Load>('./load.ts', loadCore);
    const ports = { service: await service.call('port'), bare: await bare.call('port') };
    return new DeliveryBench(options, { service, bare, load }, ports);
  }

  async run(): Promise<StreamResults> {
    const { progress: _, ...options } = this.#options;
    const { events, replayed, replaying } = options;
    const delivery = {
      same: await this.#deliver('same'),
      different: await this.#deliver('different'),
      selective: await this.#deliver('selective'),
    };
    const results = {
      options,
      delivery,
      intake: await this.#intake(),
      toOne: { batches: await this.#toOne(1000, events ?? 20_000), singles: await this.#toOne(1, events ?? 2_000) },
      idle: { service: await this.#idle('./service.ts'), bare: await this.#idle('./bare.ts') },
    };
    const cursor = await this.#service.call('cursor');
    await this.#service.call('publish', { events: replayed, batch: 1000, topics: 1 });
    const replay = { one: await this.#replay(cursor, 1), many: await this.#replay(cursor, replaying) };
    return { ...results, frameBytes: this.#frameBytes, replay };
  }

  async end(): Promise<void> {
    await Promise.all([this.#service, this.#bare, this.#load].map((process) => process.end()));
  }

  #serverOf(name: ContestantName): Server {
    return name === 'service' ? this.#serviceServer : this.#bareServer;
  }

  /** Publishes events on a server, and waits until its listeners have received them. */
  async #publish({ process, group }: Server, publication: Publication, listeners: number, sampled = 0): Promise<Run> {
    const expected = messagesOf(publication.events, listeners, publication.topics);
    await this.#load.call('count', { group, events: expected, sampled });
    const before = await process.call('cpuTime');
    const [{ startedAt }, { at, events: messages, delays }] = await Promise.all([
      process.call('publish', publication),
      this.#load.call('results', { group, timeoutMs }),
    ]);
    const cpu = (await process.call('cpuTime')) - before;
    const perSecond = (messages / (at - startedAt)) * 1e6;
    return {
      expected,
      messages,
      perSecond,
      eventsPerSecond: (perSecond * publication.events) / messages,
      cpu: cpu / messages,
      p50: delays.p50 / 1000,
      p99: delays.p99 / 1000,
    };
  }

  async #open(scenario: Scenario): Promise<void> {
    const { listeners } = this.#options;
    const commands = Array.from({ length: listeners }, (_, listener) => subscribe(queryOf(scenario, listener)));
    this.#serviceServer.group = await this.#load.call('open', { port: this.#serviceServer.port, listeners, commands });
    this.#bareServer.group = await this.#load.call('open', { port: this.#bareServer.port, listeners, commands: [] });
  }

  /** Takes the frame of an event from the service, for the peer to send. */
  async #prepareFrame(): Promise<void> {
    const next = this.#load.call('nextEvent', this.#serviceServer.group);
    await this.#service.call('publish', { events: 1, batch: 1, topics: 1 });
    const frame = await next;
    this.#frameBytes = Buffer.byteLength(frame);
    await this.#bare.call('prepare', frame);
  }

  #atFullSpeed(name: ContestantName, scenario: Scenario, events: number): Promise<Run> {
    const publication = {
      events,
      batch: name === 'bare' ? 1 : batch,
      corked: name === 'corked' || name === 'durable',
      durable: name === 'durable',
      topics: topicsOf[scenario],
    };
    return this.#publish(this.#serverOf(name), publication, this.#options.listeners);
  }

  /** Warms up a server, and returns the number of events that take it about `seconds` at full speed. */
  async #eventsPerRun(name: ContestantName, scenario: Scenario): Promise<number> {
    const { events, listeners, seconds } = this.#options;
    const topics = topicsOf[scenario];
    const first = events ?? Math.max(topics, Math.ceil((20_000 * topics) / listeners));
    const { eventsPerSecond: initial } = await this.#atFullSpeed(name, scenario, first);
    if (events !== undefined) return events;
    const best = await warmUp(async (_, highest) => {
      const step = this.#eventsIn(seconds / 2, Math.max(initial, highest), topics);
      return (await this.#atFullSpeed(name, scenario, step)).eventsPerSecond;
    });
    return this.#eventsIn(seconds, best, topics);
  }

  #eventsIn(seconds: number, perSecond: number, topics: number): number {
    return Math.max(topics, Math.ceil(perSecond * seconds));
  }

  async #deliver(scenario: Scenario): Promise<Delivery> {
    const { listeners, progress, rounds } = this.#options;
    progress(`${scenario}: connecting ${listeners} listeners`);
    await this.#open(scenario);
    await this.#prepareFrame();
    const counts = { service: 0, bare: 0, corked: 0, durable: 0 };
    for (const name of contestantNames) counts[name] = await this.#eventsPerRun(name, scenario);
    const full = await inTurn(contestantNames, rounds, async (name) => {
      const run = await this.#atFullSpeed(name, scenario, counts[name]);
      progress(`${scenario}: ${name} ${Math.round(run.perSecond)} messages/s, ${run.cpu.toFixed(2)} µs each`);
      return run;
    });
    const speeds = [full.service, full.bare].map((runs) => median(runs.map(({ eventsPerSecond }) => eventsPerSecond)));
    const halfLoad = Math.min(...speeds) / 2;
    const half = await inTurn(halfLoadNames, rounds, (name) => this.#atHalfLoad(name, scenario, halfLoad));
    await Promise.all([this.#serviceServer, this.#bareServer].map(({ group }) => this.#load.call('close', group)));
    return { full, half, halfLoad };
  }

  async #atHalfLoad(name: HalfLoadName, scenario: Scenario, perSecond: number): Promise<Run> {
    const { events, listeners, seconds, progress } = this.#options;
    const topics = topicsOf[scenario];
    const paced = {
      events: events ?? this.#eventsIn(seconds, perSecond, topics),
      batch: 1000,
      perSecond,
      topics,
      durable: name === 'durable',
    };
    const run = await this.#publish(this.#serverOf(name), paced, listeners, 100);
    progress(
      `${scenario}: ${name} at ${Math.round(perSecond)} events/s: p99 ${run.p99.toFixed(1)} ms, ${run.cpu.toFixed(2)} µs each`,
    );
    return run;
  }

  async #intake(): Promise<number> {
    const { rounds, progress, events = 5_000 } = this.#options;
    const costs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = await this.#service.call('cpuTime');
      await this.#service.call('publish', { events, batch: 100, topics: 1 });
      costs.push(((await this.#service.call('cpuTime')) - before) / events);
    }
    progress(`intake: ${median(costs).toFixed(1)} µs/event`);
    return median(costs);
  }

  async #toOne(batchSize: number, events: number): Promise<Counted> {
    const { rounds, progress } = this.#options;
    const server = this.#serviceServer;
    const commands = [subscribe(queryOf('same', 0))];
    server.group = await this.#load.call('open', { port: server.port, listeners: 1, commands });
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round++)
      runs.push(await this.#publish(server, { events, batch: batchSize, topics: 1 }, 1));
    await this.#load.call('close', server.group);
    const perSecond = median(runs.map((run) => run.perSecond));
    progress(`durable to one listener, batches of ${batchSize}: ${Math.round(perSecond)} events/s`);
    return { events: runs.reduce((sum, { messages }) => sum + messages, 0), expected: events * rounds, perSecond };
  }

  async #replay(cursor: string, listeners: number): Promise<Counted> {
    const { port } = this.#serviceServer;
    const expected = this.#options.replayed * listeners;
    const startedAt = clock();
    const commands = [subscribe(queryOf('same', 0), cursor)];
    const group = await this.#load.call('open', { port, listeners, commands, events: expected });
    const { at, events } = await this.#load.call('results', { group, timeoutMs: 3 * timeoutMs });
    await this.#load.call('close', group);
    const perSecond = (events / (at - startedAt)) * 1e6;
    this.#options.progress(`replay to ${listeners}: ${Math.round(perSecond)} events/s`);
    return { events, expected, perSecond };
  }

  /** The memory of an idle connection; each round has a new process. */
  async #idle(module: './service.ts' | './bare.ts'): Promise<Memory> {
    const { rounds, progress } = this.#options;
    const samples: Memory[] = [];
    for (let round = 0; round < rounds; round++) {
      const memory = await this.#idleMemory(module);
      samples.push(memory);
      progress(
        `idle connection of ${module}: ${Math.round(memory.resident)} bytes resident, ${Math.round(memory.heap)} on the heap`,
      );
    }
    return {
      resident: median(samples.map(({ resident }) => resident)),
      heap: median(samples.map(({ heap }) => heap)),
    };
  }

  async #idleMemory(module: './service.ts' | './bare.ts'): Promise<Memory> {
    const { listeners } = this.#options;
    const server = await startProcess<Pick<Service, 'memory' | 'port'>>(module, serverCore, smallYoungGeneration);
    const port = await server.call('port');
    const commands =
      module === './bare.ts'
        ? []
        : Array.from({ length: listeners }, (_, index) => subscribe(queryOf('different', index)));
    const opening = { port, listeners, commands };
    // The first connections also allocate one-time memory, such as compiled code, so the second group is measured.
    const first = await this.#load.call('open', opening);
    const before = await server.call('memory');
    const second = await this.#load.call('open', opening);
    const after = await server.call('memory');
    await this.#load.call('close', first);
    await this.#load.call('close', second);
    await server.end();
    return {
      resident: (after.resident - before.resident) / listeners,
      heap: (after.heap - before.heap) / listeners,
    };
  }
}

/** Measures each name once per round; every other round in reverse order. */
async function inTurn<Name extends ContestantName>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<Run>,
): Promise<Record<Name, Run[]>> {
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) runs[name].push(await measure(name));
  }
  return runs;
}

export async function measureStreamDelivery(options: StreamBench): Promise<StreamResults> {
  const bench = await DeliveryBench.start(options);
  try {
    return await bench.run();
  } finally {
    await bench.end();
  }
}
