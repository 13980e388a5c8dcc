/**
 * The instances that share a database. Each one writes every second how many connections its keys have, and takes or keeps a
 * lease of five seconds, which makes it the leader.
 */
import { randomUUID } from 'node:crypto';
import type { Instances } from '../../../ports/instances.ts';
import { StoreError, type StorageFault } from '../../../ports/storage.ts';
import { tablesVersion } from '../maintenance/table-steps.ts';
import type { PostgresStore } from './postgres-store.ts';
import { heartbeat, leave, type HeartbeatRow } from './statements.ts';

const heartbeatMs = 1_000;
const leaseMs = 5_000;
/** What others wrote is not used after this time without contact. */
const forgetMs = 10_000;

export class PostgresInstances implements Instances {
  readonly id = randomUUID();
  readonly #store: PostgresStore;
  #connections: () => Readonly<Record<string, number>> = () => ({});
  #elsewhere = new Map<string, number>();
  #others = 0;
  #heartbeatAt = Number.NEGATIVE_INFINITY;
  #leaderUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #writeFault: StorageFault | undefined;

  constructor(store: PostgresStore) {
    this.#store = store;
  }

  /** By the clock of this process, from before the statement that took the lease: no two instances lead at once. */
  get isLeader(): boolean {
    return performance.now() < this.#leaderUntil;
  }

  /** Why the last heartbeat could not be written. */
  get writeFault(): StorageFault | undefined {
    return this.#writeFault;
  }

  /** The number of other instances that are alive. */
  get others(): number {
    return this.#others;
  }

  connectionsElsewhere(keyId: string): number {
    return performance.now() - this.#heartbeatAt > forgetMs ? 0 : (this.#elsewhere.get(keyId) ?? 0);
  }

  /** Starts the heartbeats, the first one at once. `connections` returns the open connections by key. */
  async start(connections: () => Readonly<Record<string, number>>): Promise<void> {
    this.#connections = connections;
    await this.heartbeat();
    this.#timer = setInterval(() => void this.heartbeat().catch(() => {}), heartbeatMs).unref();
  }

  /** Leaves, so that another instance can lead at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending?.catch(() => {});
    this.#leaderUntil = Number.NEGATIVE_INFINITY;
    await this.#store.database.run(leave(this.id)).catch(() => {});
  }

  /** One heartbeat. Rejects with StoreError. */
  heartbeat(): Promise<void> {
    this.#sending ??= this.#sendHeartbeat()
      .then(
        () => (this.#writeFault = undefined),
        (error: unknown) => {
          this.#writeFault = error instanceof StoreError ? error.storageFault : 'other';
          throw error;
        },
      )
      .then(() => {})
      .finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async #sendHeartbeat(): Promise<void> {
    const startedAt = performance.now();
    const positions = Object.fromEntries(
      [...this.#store.journals].map(([name, { position }]) => [name, position.seq] as const),
    );
    const [row] = await this.#store.database.run<HeartbeatRow>(
      heartbeat(this.id, positions, this.#connections(), { leaseMs, tablesVersion }),
    );
    if (row === undefined) return;
    this.#leaderUntil = row.is_leader ? startedAt + leaseMs : Number.NEGATIVE_INFINITY;
    this.#heartbeatAt = startedAt;
    this.#others = row.others.length;
    const sums = new Map<string, number>();
    for (const counts of row.others)
      for (const [key, count] of Object.entries(counts)) sums.set(key, (sums.get(key) ?? 0) + count);
    this.#elsewhere = sums;
  }
}
