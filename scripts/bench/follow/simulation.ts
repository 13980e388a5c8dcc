/**
 * Hours of a whole network in minutes: the follower, the archive, the event log and the housekeeping of the service, with a clock
 * that the simulation moves. The rate and the retention are scaled by the same factor, so that the archive is replaced as
 * often as in reality.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as realTime } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createBlueskySource } from '../../../server/follow/bluesky/source.ts';
import { Follower } from '../../../server/follow/follower.ts';
import { parseTarget } from '../../../server/config/targets.ts';
import { Housekeeping } from '../../../server/maintenance/retention/housekeeping.ts';
import { RetainedTables } from '../../../server/maintenance/retention/retained-tables.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openServiceArchive, type ServiceArchive } from '../../../test/support/stored-archive.ts';
import { ownMemory } from '../process-usage.ts';
import { cpuTime } from '../stream/calls.ts';
import { NetworkPlatform } from './network-platform.ts';
import { NetworkWorkload } from './network-workload.ts';

export interface SimulationOptions {
  /** Events of the network in a second. */
  readonly rate: number;
  /** RETAIN and EVENT_LIMIT: the number of tweets and of events that are kept. */
  readonly retain: number;
}

/** The state at the end of an hour. */
export interface Hour {
  /** Events of the stream so far. */
  readonly events: number;
  /** Tweets in the archive, and those that came and were evicted so far. */
  readonly tweets: number;
  readonly evicted: number;
  readonly profiles: number;
  readonly tombstones: number;
  /** After a garbage collection, in bytes. */
  readonly heap: number;
  readonly external: number;
  /** The files of the data directory, in bytes. */
  readonly disk: number;
  /** CPU seconds of this hour, the platform of the simulation included. */
  readonly cpuSeconds: number;
}

const stepMs = 20_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const minuteMs = 60_000;
/** Sleeps up to here, as the window of a batch, take no simulated time. */
const shortMs = 20;

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  return bytes;
}

export class NetworkSimulation {
  readonly #options: SimulationOptions;
  readonly #clock = new ManualClock(undefined, shortMs);
  readonly #workload: NetworkWorkload;
  readonly #platform: NetworkPlatform;
  readonly #dataDir: string;
  readonly #archive: ServiceArchive;
  readonly #follower: Follower;
  readonly #housekeeping: Housekeeping;
  /** What did not go as expected: rejected events, lost connections, failed housekeeping. */
  readonly faults: string[] = [];
  #events = 0;
  #evicted = 0;
  #sentUntil: number;

  private constructor(parts: Parts) {
    this.#options = parts.options;
    this.#workload = parts.workload;
    this.#platform = parts.platform;
    this.#dataDir = parts.dataDir;
    this.#archive = parts.archive;
    this.#sentUntil = this.#clock.now();
    this.#follower = this.#createFollower();
    this.#housekeeping = this.#createHousekeeping();
  }

  /** Starts a service in an empty data directory, which follows the whole network. */
  static async start(options: SimulationOptions): Promise<NetworkSimulation> {
    const dataDir = await mkdtemp(join(tmpdir(), 'network-'));
    const workload = new NetworkWorkload(4 * options.retain);
    const platform = await NetworkPlatform.start(workload);
    const retention = { ageMs: dayMs, events: options.retain };
    const archive = await openServiceArchive(dataDir, { retention, isThread: true });
    archive.engine.start();
    const simulation = new NetworkSimulation({ options, workload, platform, dataDir, archive });
    simulation.#follower.setTargets([parseTarget('bluesky:*')]);
    simulation.#follower.start();
    await platform.connected();
    return simulation;
  }

  /** Lets an hour pass. `onStep` gets the share of the hour that has passed. */
  async hour(onStep: (share: number) => void = () => {}): Promise<Hour> {
    const cpu = cpuTime();
    for (let passed = 0; passed < hourMs; passed += stepMs) {
      await this.#step();
      if (passed % minuteMs === 0) await this.#housekeeping.pass();
      onStep((passed + stepMs) / hourMs);
    }
    const cpuSeconds = (cpuTime() - cpu) / 1e6;
    collectGarbage();
    const { heap, external } = ownMemory();
    const { users: profiles, tombstones } = await this.#archive.engine.counts();
    return {
      ...{ events: this.#events, tweets: this.#archive.content.tweets, evicted: this.#evicted, cpuSeconds },
      ...{ profiles, tombstones, heap, external, disk: await bytesOf(this.#dataDir) },
    };
  }

  async stop(): Promise<void> {
    await this.#follower.stop();
    this.#archive.engine.stop();
    await this.#archive.close();
    await this.#platform.close();
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  /** Lets a part of a minute pass, and waits until what was published in it is durable. */
  async #step(): Promise<void> {
    const [from, to] = [this.#sentUntil, this.#sentUntil + stepMs];
    this.#sentUntil = to;
    if (to > this.#clock.now()) await this.#clock.pass(to - this.#clock.now());
    const count = Math.round((this.#options.rate * stepMs) / 1000);
    this.#events += count;
    await this.#platform.send(this.#workload.frames(count, from, to - 1000));
    const isDurable = (): boolean => Number(this.#archive.content.position('bluesky') ?? 0) >= this.#workload.lastTime;
    while (!isDurable()) {
      // The archive writes to a real disk; a position without a record waits for the clock.
      await realTime(1);
      await this.#clock.pass(50);
    }
  }

  #createFollower(): Follower {
    const { held, sink } = this.#archive;
    const clock = this.#clock;
    const fault = (text: string): void => void this.faults.push(text);
    return new Follower({
      ...{ source: 'bluesky', title: 'Bluesky', sink, held, clock, backfill: 0 },
      open: async (observer) =>
        createBlueskySource({
          ...{ streamUrls: [this.#platform.url], apiUrl: 'http://127.0.0.1:1', get: this.#platform.get },
          ...{ held, observer, clock },
        }),
      known: { last: () => undefined, store: async () => {} },
      userIdsOf: (ids) => held.userIdsOf(ids),
      allTweets: () => held.tweets(),
      metrics: {
        ...{ events() {}, requested() {} },
        rejected: (reason) => fault(`rejected: ${reason}`),
        reconnected: () => fault('a connection was lost'),
        gap: () => fault('a gap'),
      },
      redact: (text) => text,
      reporter: {
        following() {},
        away: (_source, reason) => fault(`away: ${reason}`),
        failed: (target, reason) => fault(`${target}: ${reason}`),
        complianceFailed: (_source, reason) => fault(reason),
        invalid: (_source, reason) => fault(reason),
        archiveFailed: (_source, error) => fault(String(error)),
      },
    });
  }

  #createHousekeeping(): Housekeeping {
    const { engine, archive } = this.#archive;
    return new Housekeeping({
      archive: new RetainedTables({ run: engine.run, search: engine.search, archive }),
      ...{ retain: { tweets: this.#options.retain }, keep: '', now: this.#clock.now },
      conversations: { usedTweets: () => new Set<string>(), endUsing: async () => 0, stop: () => {} },
      strangers: () => () => true,
      logger: {
        info: ({ tweets }: { readonly tweets: number }) => void (this.#evicted += tweets),
        error: (error: unknown) => void this.faults.push(String(error)),
      },
    });
  }
}

interface Parts {
  readonly options: SimulationOptions;
  readonly workload: NetworkWorkload;
  readonly platform: NetworkPlatform;
  readonly dataDir: string;
  readonly archive: ServiceArchive;
}
