/** The port to where imported records go: the archive in this process, or that of a running server. */
import type { ArchiveRecord, ChangeOutcome } from '../platforms/archive/records.ts';

/** How far an input has been taken in. */
export interface ImportProgress {
  /** Values of the input that are durable. */
  readonly values: number;
  /** Whether the input was read to its end. */
  readonly done: boolean;
}

export interface ImportSink {
  /** How far earlier runs got with the input of this fingerprint; undefined for one that was never seen. */
  resume(fingerprint: string): Promise<ImportProgress | undefined>;
  /** Takes in records and progress in one durable step: after a crash both are there or neither. */
  apply(fingerprint: string, progress: ImportProgress, records: ArchiveRecord[]): Promise<ChangeOutcome[]>;
}
