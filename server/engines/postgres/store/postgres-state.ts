/** What readiness and metrics read of the connection to the database. */
import type { Histogram } from '../../../observability/metrics-library.ts';
import type { StorageFault, StoreError } from '../../../ports/storage.ts';
import type { DatabaseState, Standbys } from '../../../storage/database-state.ts';
import type { PostgresInstances } from './postgres-instances.ts';
import type { PostgresStore } from './postgres-store.ts';
import { readLogSize } from './statements.ts';

export class PostgresState implements DatabaseState {
  readonly lockWait: Histogram<'journal'>;
  readonly #store: PostgresStore;
  readonly #instances: PostgresInstances;
  #standbys: Standbys | undefined;

  constructor(store: PostgresStore, instances: PostgresInstances, lockWait: Histogram<'journal'>) {
    this.#store = store;
    this.#instances = instances;
    this.lockWait = lockWait;
  }

  get standbys(): Standbys | undefined {
    return this.#standbys;
  }
  set standbys(standbys: Standbys | undefined) {
    this.#standbys = standbys;
    this.#store.hasStandby = () => standbys?.isReachable === true;
  }
  get stale(): StoreError | undefined {
    return this.#store.stale;
  }
  get silentMs(): number {
    return this.#store.silentMs;
  }
  get isListening(): boolean {
    return this.#store.isListening;
  }
  get writeFault(): StorageFault | undefined {
    return this.#instances.writeFault;
  }
  get others(): number {
    return this.#instances.others;
  }
  get isLeader(): boolean {
    return this.#instances.isLeader;
  }

  lagOf(journal: string): number {
    return this.#store.journals.get(journal)?.lag ?? 0;
  }

  async logBytes(): Promise<number> {
    const [row] = await this.#store.database.run<{ bytes: string }>(readLogSize);
    return Number(row?.bytes);
  }
}
