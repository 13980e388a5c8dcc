/** The port for imported records: the archive in this process, or the archive of a running server. */
import type { ArchiveRecord, ChangeOutcome } from '../domain/records.ts';

/** The progress of an import. */
export interface ImportProgress {
  /** Values of the input that are durable. */
  readonly values: number;
  /** Whether the input was read to its end. */
  readonly done: boolean;
}

/** What comes before a call of a sink. */
export interface CallContext {
  /** The promise of the call before this one of the same import. If it rejects, this call does, and nothing of it is stored. */
  readonly after?: Promise<unknown> | undefined;
}

export interface ImportSink {
  /**
   * The number of values that a call should have at most, where more would delay other work of the sink: it applies the records
   * of a call without a break. Undefined: the caller decides.
   */
  readonly maxValues?: number;
  /** The number of values of a call with which each value costs the sink the least; 1,000 where it is undefined. */
  readonly batchValues?: number | undefined;
  /** The number of calls of one import that may be in progress; 1 where it is undefined. */
  readonly maxCalls?: number;
  /** The progress of earlier imports of the input with this fingerprint; undefined for a new input. */
  resume(fingerprint: string): Promise<ImportProgress | undefined>;
  /**
   * Applies records, then progress. Resolves when both are durable. After a crash before that, the progress is present only if all
   * records are. Rejects a record whose id another tweet or account has, by `uri` or `did`; nothing of it is stored.
   */
  apply(
    fingerprint: string,
    progress: ImportProgress,
    records: ArchiveRecord[],
    context?: CallContext,
  ): Promise<ChangeOutcome[]>;
  /** As `apply`, with the records as the JSON of an array, where the sink passes it on to another thread or process, which reads it. */
  readonly applyJson?:
    | ((fingerprint: string, progress: ImportProgress, json: string, context?: CallContext) => Promise<ChangeOutcome[]>)
    | undefined;
}
