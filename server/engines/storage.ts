/** The adapters of the ports that depend on the storage: the data directory of this process, or a shared database. */
import type { Instances } from '../ports/instances.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { Journal, Store } from '../ports/storage.ts';
import type { DatabaseFileState } from '../storage/database-file.ts';
import type { DatabaseState } from '../storage/database-state.ts';

export interface Storage {
  readonly store: Store & {
    readonly journals: ReadonlyMap<string, Journal>;
    /** Whether a shared database has all that this process has read of its logs. Rejects with StoreError. */
    isKept?(): Promise<boolean>;
  };
  readonly instances: Instances;
  readonly rateLimiter: RateLimiter;
  /** The state of the connection to a shared database; undefined for the data directory. */
  readonly database: DatabaseState | undefined;
  /** The state of the database file; undefined without one. */
  readonly file?: DatabaseFileState | undefined;
  /** Reports to the other instances from now on. `connections` returns the open connections by key. */
  join(connections: () => ReadonlyMap<string, number>): Promise<void>;
  /** Leaves the other instances. The store stays open. */
  leave(): Promise<void>;
}
