/** A source against the stand-ins, and an archive that takes its batches. */
import { rm } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { createBlueskySource } from '../../../server/follow/bluesky/source.ts';
import type { BlueskyOptions } from '../../../server/follow/bluesky/options.ts';
import type {
  LiveBatch,
  LiveSource,
  LiveStream,
  ResolvedTarget,
  SourceObserver,
} from '../../../server/ports/live-source.ts';
import { validationError } from '../../../server/formats/native.ts';
import { temporaryFolder } from '../folder.ts';
import { AppViewServer } from './app-view.ts';
import { JetstreamServer } from './jetstream-server.ts';
import { ManualClock } from '../manual-clock.ts';
import { openArchiveIn, type FileArchive } from '../stored-archive.ts';
import type { StoredContent } from '../stored-content.ts';
import { strictHeld } from '../strict-held.ts';
import { World } from './world.ts';

/** Records what a source reports. */
export class RecordingObserver implements SourceObserver {
  readonly hosts: string[] = [];
  readonly statuses: number[] = [];
  readonly rejections: string[] = [];
  readonly gaps: string[] = [];
  alives = 0;

  connected(host: string): void {
    this.hosts.push(host);
  }
  alive(): void {
    this.alives++;
  }
  requested(status: number): void {
    this.statuses.push(status);
  }
  rejected(reason: string): void {
    this.rejections.push(reason);
  }
  gap(reason: string): void {
    this.gaps.push(reason);
  }
}

export interface StreamOptions {
  readonly position?: string;
  readonly failures?: number;
  readonly targets?: readonly ResolvedTarget[];
  /** Whether to wait until the first server has the connection. */
  readonly isConnecting?: boolean;
}

/** A stream whose batches a test takes one by one. */
export class RunningStream {
  readonly stream: LiveStream;
  readonly batches: LiveBatch[] = [];
  readonly #iterator: AsyncIterator<LiveBatch>;
  readonly #abort: AbortController;
  readonly #apply: (batch: LiveBatch) => Promise<void>;
  position: string | undefined;

  constructor(stream: LiveStream, abort: AbortController, apply: (batch: LiveBatch) => Promise<void>) {
    this.stream = stream;
    this.#abort = abort;
    this.#iterator = stream[Symbol.asyncIterator]();
    this.#apply = apply;
  }

  #pending: Promise<IteratorResult<LiveBatch>> | undefined;

  /** Begins to wait for the next batch: this connects. */
  begin(): void {
    this.#pending ??= this.#iterator.next();
    this.#pending.catch(() => {});
  }

  /** The next batch, applied; undefined at the end. */
  async next(): Promise<LiveBatch | undefined> {
    this.begin();
    const pending = this.#pending!;
    this.#pending = undefined;
    const { value, done } = await pending;
    if (done === true) return undefined;
    this.batches.push(value);
    await this.#apply(value);
    this.position = value.position ?? this.position;
    return value;
  }

  /** Takes batches until a condition is true. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) if ((await this.next()) === undefined) throw new Error('the stream ended');
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#pending?.catch(() => {});
    await this.#iterator.return?.();
  }
}

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

interface Parts {
  readonly clock: ManualClock;
  readonly world: World;
  readonly servers: readonly [JetstreamServer, AppViewServer];
  readonly folder: Folder;
  readonly stored: FileArchive;
}

export class Harness {
  readonly clock: ManualClock;
  readonly world: World;
  readonly jetstream: JetstreamServer;
  readonly appView: AppViewServer;
  stored: FileArchive;
  observer = new RecordingObserver();
  source: LiveSource;
  readonly #streams: RunningStream[] = [];
  readonly #folder: Folder;
  readonly #options: Partial<BlueskyOptions>;

  private constructor({ clock, world, servers, folder, stored }: Parts, options: Partial<BlueskyOptions>) {
    this.clock = clock;
    this.world = world;
    [this.jetstream, this.appView] = servers;
    this.#folder = folder;
    this.stored = stored;
    this.#options = options;
    this.source = this.newSource();
  }

  static async start(options: Partial<BlueskyOptions> = {}): Promise<Harness> {
    const clock = new ManualClock(undefined, 20);
    const world = new World(() => clock.now());
    const servers = [await JetstreamServer.start(world), await AppViewServer.start(world)] as const;
    const folder = await temporaryFolder();
    const stored = await openArchiveIn(folder.path);
    return new Harness({ clock, world, servers, folder, stored }, options);
  }

  /** With two accounts, of which nothing is followed yet. */
  static async startWithAccounts(): Promise<{ harness: Harness; alice: string; bob: string }> {
    const harness = await Harness.start();
    const { world } = harness;
    return { harness, alice: world.account('alice.test', 'Alice'), bob: world.account('bob.test', 'Bob') };
  }

  /** What the archive holds. */
  get archive(): StoredContent {
    return this.stored.content;
  }

  /** Continues with an empty archive, and a source of a new process. */
  async beginAnew(): Promise<void> {
    await this.stored.close();
    await rm(this.#folder.path, { recursive: true });
    this.stored = await openArchiveIn(this.#folder.path);
    this.newSource();
  }

  /** A source of a new process with the same archive. */
  newSource(options: Partial<BlueskyOptions> = {}): LiveSource {
    this.source = createBlueskySource({
      streamUrls: [this.jetstream.url],
      apiUrl: this.appView.url,
      held: strictHeld(this.stored.held),
      observer: this.observer,
      clock: this.clock,
      ...this.#options,
      ...options,
    });
    return this.source;
  }

  /** The target for accounts. */
  accounts(...dids: string[]): ResolvedTarget {
    const target = { source: 'bluesky', kind: 'account', value: dids[0] ?? '' } as const;
    return { target, title: '', accounts: dids };
  }

  /** A target without accounts, such as `*` or `search:coffee`. */
  target(text: string): ResolvedTarget {
    return { target: this.source.parse(text), title: text, accounts: undefined };
  }

  readonly apply = async ({ records }: LiveBatch): Promise<void> => {
    for (const record of records) {
      const fault = validationError(record);
      if (fault !== undefined) throw new Error(`${fault}: ${JSON.stringify(record)}`);
    }
    await this.stored.sink.follow('bluesky', undefined, structuredClone(records));
  };

  /** Begins a stream and waits until the server has it. */
  async follow({ position, failures = 0, targets = [], isConnecting = true }: StreamOptions): Promise<RunningStream> {
    const abort = new AbortController();
    const stream = this.source.stream({ targets, position, failures, signal: abort.signal });
    const running = new RunningStream(stream, abort, this.apply);
    this.#streams.push(running);
    const before = this.jetstream.updates.length;
    running.begin();
    while (isConnecting && this.jetstream.updates.length === before) await turn();
    return running;
  }

  /** Reads a history into the archive. Returns its batches. */
  async history(target: ResolvedTarget, options: { limit?: number; reconcile?: boolean } = {}): Promise<LiveBatch[]> {
    const { limit = 200, reconcile = false } = options;
    const batches: LiveBatch[] = [];
    for await (const batch of this.source.history(target, { limit, reconcile, signal: new AbortController().signal })) {
      batches.push(batch);
      await this.apply(batch);
    }
    return batches;
  }

  tweet(id: string) {
    return this.archive.tweet(id);
  }

  /** Ends everything. Rejects where an answer of the AppView did not conform to its lexicon. */
  async close(): Promise<void> {
    for (const stream of this.#streams) await stream.stop();
    await this.jetstream.close();
    await this.appView.close();
    await this.stored.close();
    await this.#folder.dispose();
    const [fault] = this.appView.faults;
    if (fault !== undefined) throw new Error(`the AppView: ${String(fault)}`);
  }
}
