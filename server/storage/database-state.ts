/** The state of the connection to a database that several instances share. */
import type { Histogram } from '../observability/metrics-library.ts';
import type { StorageFault, StoreError } from '../ports/storage.ts';

/** A standby that answers reads, as this instance sees it. */
export interface StandbyState {
  /** Why it gets no reads; undefined for one that gets some. */
  readonly leftOut: string | undefined;
  /** For how long it lacks a commit that this instance knows, in milliseconds. */
  readonly lagMs: number;
  /** The commits that it lacks. */
  readonly lagCommits: number;
}

/** The standbys that answer reads. */
export interface Standbys {
  /** In the order of their addresses. */
  readonly states: readonly StandbyState[];
  /** Whether one of them answers. */
  readonly isReachable: boolean;
  /** The reads so far by their servers. */
  readonly counts: Readonly<Record<'standby' | 'primary', number>>;
}

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
  /** Undefined where the primary answers all reads. The engine of the archive sets it. */
  standbys?: Standbys | undefined;
  /** The size of the logs in the database in bytes. Rejects with StoreError. */
  logBytes(): Promise<number>;
  /** The time of waiting for the lock of a log. */
  readonly lockWait: Histogram<'journal'>;
}
