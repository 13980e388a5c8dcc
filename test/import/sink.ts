/** A sink in memory: real outcomes, and what a crash between two batches leaves. */
import type { ArchiveRecord, ChangeOutcome } from '../../server/domain/records.ts';
import type { ImportProgress, ImportSink } from '../../server/ports/import-sink.ts';

export interface MemorySink extends ImportSink {
  readonly records: Map<string, ArchiveRecord>;
  readonly progress: Map<string, ImportProgress>;
  /** The number of records in each batch. */
  readonly batches: number[];
}

/** `failAt`: the batch, from 1, that cannot be written; it leaves nothing behind. */
export function memorySink(failAt = Infinity): MemorySink {
  const records = new Map<string, ArchiveRecord>();
  const progress = new Map<string, ImportProgress>();
  const batches: number[] = [];
  const keyOf = (record: ArchiveRecord): string => {
    const members = record as unknown as Record<string, { id?: string }>;
    return `${record.kind} ${members[record.kind]?.id ?? JSON.stringify(record)}`;
  };
  return {
    records,
    progress,
    batches,
    async resume(fingerprint) {
      return progress.get(fingerprint);
    },
    async apply(fingerprint, reached, given): Promise<ChangeOutcome[]> {
      await new Promise((resolve) => setImmediate(resolve));
      if (batches.length + 1 === failAt) throw new Error('disk full');
      batches.push(given.length);
      progress.set(fingerprint, reached);
      return given.map((record) => {
        const known = records.get(keyOf(record));
        records.set(keyOf(record), record);
        return known === undefined
          ? 'added'
          : JSON.stringify(known) === JSON.stringify(record)
            ? 'unchanged'
            : 'updated';
      });
    },
  };
}
