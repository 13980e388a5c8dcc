/**
 * How the instances of a shared storage follow live platforms. The leader follows, and publishes its state in a document. The
 * others show that state, and leave requests for the leader in another document.
 */
import { randomUUID } from 'node:crypto';
import type { Document, Store } from '../ports/storage.ts';
import type { Clock } from './clock.ts';
import type { SourceStatus } from './status.ts';

/** The document `follow-status`. */
interface StatusFile {
  /** In milliseconds since the epoch; 0: nobody follows. */
  at: number;
  sources: SourceStatus[];
  /** The ids of the last requests that the leader has begun with. */
  answered: string[];
}

/** A history that is to be read again. */
export interface BackfillRequest {
  readonly id: string;
  readonly targets: readonly string[];
  readonly limit: number;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** The document `follow-requests`. */
interface RequestFile {
  backfills: BackfillRequest[];
}

/** What the follow service of this process does. */
export interface FollowHooks {
  /** This process begins or ends to lead. */
  readonly onTurn: () => void;
  readonly statuses: () => readonly SourceStatus[];
  /** Begins to read histories again. Returns false where that is not possible yet. */
  readonly backfill: (request: BackfillRequest) => boolean;
}

export interface FollowCoordinationParts {
  /** Whether this process is the one that follows. It may change at any time. */
  readonly leads: () => boolean;
  /** The clock of all processes. */
  readonly clock: Clock;
  readonly status: Document<StatusFile>;
  readonly requests: Document<RequestFile>;
}

/** How often the leader looks for what has changed, and publishes a state that has not changed. */
const tickMs = 500;
const publishMs = 5_000;
/** The age at which a published state and a request are not used any more. */
const staleMs = 20_000;
const maxAnswered = 50;

export class FollowCoordination {
  readonly #parts: FollowCoordinationParts;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #led = false;
  /** What was published last, and when. */
  #publishedText = '';
  #publishedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: FollowCoordinationParts) {
    this.#parts = parts;
  }

  /** `leads`: whether this process is the one that follows. Rejects with StoreError. */
  static async open(store: Store, clock: Clock, leads: () => boolean): Promise<FollowCoordination> {
    const status = await store.document<StatusFile>('follow-status', { at: 0, sources: [], answered: [] });
    const requests = await store.document<RequestFile>('follow-requests', { backfills: [] });
    return new FollowCoordination({ leads, clock, status, requests });
  }

  get leads(): boolean {
    return this.#parts.leads();
  }

  /** The state that the leader published; undefined where nobody has followed for some seconds. */
  get published(): readonly SourceStatus[] | undefined {
    const { status, clock } = this.#parts;
    return clock.now() - status.data.at > staleMs ? undefined : status.data.sources;
  }

  /** Calls back when the leader has published another state, until the returned function is called. */
  onPublished(listener: () => void): () => void {
    return this.#parts.status.onChange(listener);
  }

  /** Begins to take turns with the other processes. */
  start(hooks: FollowHooks): void {
    this.#led = this.leads;
    this.#running = this.#run(hooks);
  }

  /** Ends the turn of this process, after its followers have stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#running === undefined) return;
    await this.#running;
    if (this.leads) await this.#parts.status.update((data) => void (data.at = 0)).catch(() => {});
  }

  /** Asks the leader to read histories again. Resolves when it has begun. Rejects with an Error where nobody does. */
  async requestBackfill(targets: readonly string[], limit: number, signal: AbortSignal): Promise<void> {
    const { requests, status, clock } = this.#parts;
    const request: BackfillRequest = { id: randomUUID(), targets: [...targets], limit, at: clock.now() };
    await requests.update((data) => {
      data.backfills = [...data.backfills.filter(({ at }) => request.at - at < staleMs), request];
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const ended = new AbortController();
    void clock.sleep(staleMs, ended.signal).then(resolve);
    const isAnswered = (): boolean => status.data.answered.includes(request.id);
    const unwatch = status.onChange(() => {
      if (isAnswered()) resolve();
    });
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (isAnswered() || signal.aborted) resolve();
    await promise;
    ended.abort();
    unwatch();
    if (!signal.aborted && !isAnswered())
      throw new Error('no instance follows these targets now: look at npm run follow -- status, and try again');
  }

  async #run(hooks: FollowHooks): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // Without the database, the next turn tries again.
      await this.#turn(hooks).catch(() => {});
      await this.#parts.clock.sleep(tickMs, signal);
    }
  }

  async #turn(hooks: FollowHooks): Promise<void> {
    const leads = this.leads;
    if (leads !== this.#led) {
      this.#led = leads;
      this.#publishedText = '';
      hooks.onTurn();
    }
    if (leads) await this.#publish(hooks, this.#begun(hooks));
  }

  /** The requests that this process has begun with. */
  #begun({ backfill }: FollowHooks): BackfillRequest[] {
    const { requests, status, clock } = this.#parts;
    const isOpen = ({ id, at }: BackfillRequest): boolean =>
      clock.now() - at < staleMs && !status.data.answered.includes(id);
    return requests.data.backfills.filter((request) => isOpen(request) && backfill(request));
  }

  async #publish({ statuses }: FollowHooks, begun: readonly BackfillRequest[]): Promise<void> {
    const { status, clock } = this.#parts;
    const sources = statuses();
    const text = JSON.stringify(sources.map(({ lagMs: _, queue: __, readsLeft: ___, ...rest }) => rest));
    const now = clock.now();
    if (begun.length === 0 && text === this.#publishedText && now - this.#publishedAt < publishMs) return;
    await status.update((data) => {
      data.at = now;
      data.sources = [...sources];
      data.answered = [...data.answered, ...begun.map(({ id }) => id)].slice(-maxAnswered);
    });
    [this.#publishedText, this.#publishedAt] = [text, now];
  }
}
