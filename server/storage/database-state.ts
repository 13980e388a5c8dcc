/** The state of the connection to a database that several instances share. */
import type { Histogram } from '@prometheus-io/client';
import type { StorageFault, StoreError } from '../ports/storage.ts';

export interface DatabaseState {
  /** Why the stored keys may be outdated: there has been no contact for ten seconds. */
  readonly stale: StoreError | undefined;
  /** Milliseconds since the last contact. */
  readonly silentMs: number;
  /** Whether changes of other instances are reported at once. */
  readonly isListening: boolean;
  /** The records of a journal that this instance has not applied yet. */
  lagOf(journal: string): number;
  /** Why the database takes no writes; undefined while it does. */
  readonly writeFault?: StorageFault | undefined;
  /** The number of other instances that are alive. */
  readonly others: number;
  readonly isLeader: boolean;
  /** The size of the logs in the database in bytes. Rejects with StoreError. */
  logBytes(): Promise<number>;
  /** The time of waiting for the lock of a log. */
  readonly lockWait: Histogram<'journal'>;
}
