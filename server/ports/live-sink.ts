/** The port for the records of live sources: they become durable together with the position of the source. */
import type { ArchiveRecord, ChangeOutcome } from '../domain/records.ts';
import type { ImportSink } from './import-sink.ts';
import type { Awaitable } from './platform.ts';

/** Where a live source continues after a restart. */
export interface SourcePosition {
  /** A text that only the source reads. */
  readonly position: string;
  /** The time up to which the archive has what the source published, in milliseconds since the epoch. */
  readonly at: number;
}

export interface LiveSink extends ImportSink {
  /** The last durable position of a source; undefined for a source that has none. Rejects with StoreError. */
  position(source: string): Awaitable<SourcePosition | undefined>;
  /**
   * Applies records and the new position in one durable step: after a crash, the position is there only if the records are.
   * `position` undefined: the position stays. Rejects with StoreError; the same call may be repeated.
   */
  follow(
    source: string,
    position: SourcePosition | undefined,
    records: readonly ArchiveRecord[],
  ): Promise<ChangeOutcome[]>;
  /** Calls `listener` with the source of each position that is applied from now on, also where another process wrote it. */
  onPosition(listener: (source: string) => void): void;
  /** The fingerprints of all inputs that begin with `prefix`. Rejects with StoreError. */
  fingerprints(prefix: string): Awaitable<string[]>;
}

/** How the names of the positions begin that hold which part of a list the archive has. */
export const coveragePrefix = 'fill ';

/** Whether a position holds the coverage of a list, on which responses depend. */
export const isCoverage = (position: string): boolean => position.startsWith(coveragePrefix);
