/** A sink for imports and live sources in memory, whose batches a test can make fail. */
import type { ArchiveRecord, ChangeOutcome } from '../../../server/domain/records.ts';
import type { ImportProgress, CallContext } from '../../../server/ports/import-sink.ts';
import type { LiveSink, SourcePosition } from '../../../server/ports/live-sink.ts';

/** `failAt`: the batch, from 1, that cannot be stored; it leaves nothing behind. */
export const memorySink = (failAt = Infinity): MemorySink => new MemorySink(failAt);

class MemorySink implements LiveSink {
  readonly records = new Map<string, ArchiveRecord>();
  readonly progress = new Map<string, ImportProgress>();
  readonly positions = new Map<string, SourcePosition>();
  /** The number of records in each batch. */
  readonly batches: number[] = [];
  isFailing = false;
  readonly #failAt: number;
  readonly #listeners = new Set<(source: string) => void>();

  constructor(failAt: number) {
    this.#failAt = failAt;
  }

  async resume(fingerprint: string): Promise<ImportProgress | undefined> {
    return this.progress.get(fingerprint);
  }

  async apply(
    fingerprint: string,
    reached: ImportProgress,
    records: ArchiveRecord[],
    context?: CallContext,
  ): Promise<ChangeOutcome[]> {
    await context?.after;
    return this.#store(records, () => void this.progress.set(fingerprint, reached));
  }

  position(source: string): SourcePosition | undefined {
    return this.positions.get(source);
  }

  onPosition(listener: (source: string) => void): void {
    this.#listeners.add(listener);
  }

  async follow(
    source: string,
    position: SourcePosition | undefined,
    records: readonly ArchiveRecord[],
  ): Promise<ChangeOutcome[]> {
    return this.#store(records, () => {
      if (position === undefined) return;
      this.positions.set(source, position);
      for (const listener of this.#listeners) listener(source);
    });
  }

  fingerprints(prefix: string): string[] {
    return [...this.progress.keys()].filter((fingerprint) => fingerprint.startsWith(prefix));
  }

  async #store(records: readonly ArchiveRecord[], advance: () => void): Promise<ChangeOutcome[]> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.isFailing || this.batches.length + 1 === this.#failAt) throw new Error('disk full');
    this.batches.push(records.length);
    advance();
    return records.map((record) => this.#put(record));
  }

  #put(record: ArchiveRecord): ChangeOutcome {
    const key = keyOf(record);
    const known = this.records.get(key);
    const [before, uri] = [uriOf(known), uriOf(record)];
    if (before !== undefined && uri !== undefined && before !== uri) return 'rejected';
    this.records.set(key, record);
    if (known === undefined) return 'added';
    return JSON.stringify(known) === JSON.stringify(record) ? 'unchanged' : 'updated';
  }
}

const uriOf = (record: ArchiveRecord | undefined): string | undefined =>
  record?.kind === 'tweet' ? record.tweet.uri : undefined;

function keyOf(record: ArchiveRecord): string {
  const entity: unknown = Object.entries(record).find(([member]) => member === record.kind)?.[1];
  const id = typeof entity === 'object' && entity !== null && 'id' in entity ? entity.id : JSON.stringify(record);
  return `${record.kind} ${String(id)}`;
}
