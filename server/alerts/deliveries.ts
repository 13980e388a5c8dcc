/** The deliveries of all webhooks. One instance at a time has them: the leader. */
import type { Logger } from 'pino';
import type { Instances } from '../ports/instances.ts';
import type { Keys } from '../ports/keys.ts';
import { Deliverer, type DelivererParts } from './deliverer.ts';
import { newProgress } from './delivery-log.ts';
import type { SearchStore, StoredSearch } from './search-store.ts';

export interface DeliveriesParts extends Omit<DelivererParts, 'reportFault'> {
  readonly searches: SearchStore;
  readonly keys: Pick<Keys, 'has' | 'onChange'>;
  readonly instances: Pick<Instances, 'isLeader'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** How often the leader and the keys are checked, in milliseconds. */
const tickMs = 1_000;
/** How often positions are stored of webhooks without events, so that a start reads few events again. */
const advanceMs = 60_000;
/** How long a stop waits for requests on their way, so that they are not sent again. */
const graceMs = 3_000;

const hasUrl = (search: StoredSearch): search is StoredSearch & { readonly url: string } => search.url !== null;

/** Whether a deliverer must begin again to deliver a changed search. Names and secrets are read for each message. */
const isOther = (a: StoredSearch, b: StoredSearch): boolean =>
  a.url !== b.url || a.query !== b.query || a.events.join() !== b.events.join();

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #delivererParts: DelivererParts;
  readonly #deliverers = new Map<string, Deliverer>();
  /** Deliverers that end, by the id of their search: the next one begins after them. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #unsubscribe: () => void;
  #leads = false;
  #joining = false;
  #isStopped = false;

  /** Starts timers, which `stop` clears. */
  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    const reportFault = (what: string, detail: unknown): void =>
      parts.logger.error(detail instanceof Error ? { err: detail } : { detail }, what);
    this.#delivererParts = { ...parts, reportFault };
    parts.searches.onChange(() => this.reconcile());
    parts.log.onChange(() => this.reconcile());
    this.#unsubscribe = parts.keys.onChange(() => this.reconcile());
    this.#timers = [
      setInterval(() => this.#tick(), tickMs).unref(),
      setInterval(() => this.#advance(), advanceMs).unref(),
    ];
    this.#tick();
  }

  /** Begins, changes and ends deliveries as the searches, the keys and the progress demand. */
  reconcile(): void {
    if (this.#isStopped) return;
    const wanted = new Map(this.#leads ? this.#wanted().map((search) => [search.id, search]) : []);
    for (const [id, deliverer] of this.#deliverers) {
      const search = wanted.get(id);
      if (search === undefined || isOther(search, deliverer.search)) this.#end(id, deliverer);
      else {
        deliverer.search = search;
        deliverer.wake();
      }
    }
    for (const [id, search] of wanted)
      if (!this.#deliverers.has(id) && !this.#closing.has(id))
        this.#deliverers.set(id, new Deliverer(search, this.#delivererParts));
  }

  /** Events that the slowest webhook is behind the log; 0 where another instance delivers. */
  get lag(): number {
    const { log, stream } = this.#parts;
    return Array.from(this.#deliverers).reduce((most, [id, { idlePosition }]) => {
      const progress = log.progress(id);
      if (progress === undefined || progress.isPaused) return most;
      return Math.max(most, stream.log.head - (idlePosition ?? progress.position));
    }, 0);
  }

  /** Waits for the requests on their way, at most some seconds, and stores how far the webhooks are. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#unsubscribe();
    this.#isStopped = true;
    const idle = this.#idle();
    await Promise.all(Array.from(this.#deliverers.values(), (deliverer) => deliverer.close(graceMs)));
    await Promise.all(this.#closing.values());
    await this.#parts.log.advance(idle).catch(() => {});
  }

  #wanted() {
    const { searches, log, keys } = this.#parts;
    return searches.all
      .filter(hasUrl)
      .filter(({ id, owner }) => log.progress(id)?.isPaused === false && keys.has(owner));
  }

  #end(id: string, deliverer: Deliverer): void {
    this.#deliverers.delete(id);
    const closing = deliverer.close().finally(() => {
      this.#closing.delete(id);
      this.reconcile();
    });
    this.#closing.set(id, closing);
  }

  #tick(): void {
    const { isLeader } = this.#parts.instances;
    if (!isLeader) this.#leads = false;
    else if (!this.#leads && !this.#joining) void this.#lead();
    this.reconcile();
  }

  /** Begins where the leader before has ended. A failure is tried again by the next tick. */
  async #lead(): Promise<void> {
    this.#joining = true;
    try {
      await this.#parts.log.catchUp();
      await this.#beginMissing();
      this.#leads = this.#parts.instances.isLeader;
      this.reconcile();
    } catch {
      // The storage reports that it cannot be written.
    } finally {
      this.#joining = false;
    }
  }

  /** A webhook whose beginning was not stored before the service ended: the caller got no answer, so it begins now. */
  async #beginMissing(): Promise<void> {
    const { searches, log, stream } = this.#parts;
    const { epoch, head } = stream.log;
    for (const { id } of searches.all.filter(hasUrl))
      if (log.progress(id) === undefined) await log.begin(id, newProgress(epoch, head, Date.now()));
  }

  /** The positions of webhooks that wait for events. */
  #idle() {
    const { log, stream } = this.#parts;
    const { epoch } = stream.log;
    // An event of another instance can have an earlier time than this one.
    const at = Date.now() - 60_000;
    return new Map(
      Array.from(this.#deliverers, ([id, deliverer]) => {
        const [progress, position] = [log.progress(id), deliverer.idlePosition];
        const moves = position !== undefined && progress?.epoch === epoch && position > progress.position;
        return moves ? [[id, { position, at: Math.max(at, progress.at) }] as const] : [];
      }).flat(),
    );
  }

  #advance(): void {
    const idle = this.#idle();
    if (idle.size > 0) void this.#parts.log.advance(idle).catch(() => {});
  }
}
