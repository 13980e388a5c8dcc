/**
 * The durable archive: it writes each change to the journal first, and applies and acknowledges the change once it is
 * durable.
 */
import { recordKey, type ArchiveRecord, type ChangeOutcome } from '../../domain/records.ts';
import type { EventSink } from '../../ports/event-sink.ts';
import type { ImportProgress, ImportSink } from '../../ports/import-sink.ts';
import { StoreError, type Journal, type Store } from '../../ports/storage.ts';
import { openLowdbStore } from '../../storage/lowdb/lowdb-store.ts';
import { readJournal, type ArchiveState, type ImportLine, type Line } from './archive-journal.ts';
import type { Archive } from './archive.ts';
import { UnusableRecord, type Change } from './change.ts';
import { openSetAsideLog, type SetAsideLog, type SetAsideRecord } from './set-aside.ts';

/** The start rewrites a journal that holds more than `maxHistoryRatio` × live records + `minHistoryRecords`. */
const maxHistoryRatio = 2;
const minHistoryRecords = 100_000;

/** The parts of an open archive. */
interface DurableArchiveParts {
  readonly journal: Journal;
  readonly state: ArchiveState;
  readonly setAsideLog: SetAsideLog;
  readonly eventSink: EventSink | undefined;
  readonly onSetAside: (record: SetAsideRecord) => void;
}

export class DurableArchive implements ImportSink {
  readonly #parts: DurableArchiveParts;
  #broken: StoreError | undefined;
  /** The last call of `publish`. */
  #publishing: Promise<void> | undefined;
  /** The writes in progress that remove likes, by tweet id. */
  readonly #pendingUnlikes = new Map<string, Promise<unknown>>();

  /** `openArchive` creates it from a replayed journal. */
  constructor(parts: DurableArchiveParts) {
    this.#parts = parts;
  }

  get archive(): Archive {
    return this.#parts.state.archive;
  }

  /** The incomplete, unacknowledged write that opening removed from the end of the journal after a crash, if any. */
  get recovered(): Journal['recovered'] {
    return this.#parts.journal.recovered;
  }

  /** Journal records that the archive could not apply: they are on disk, but not in the archive. */
  get setAside(): readonly SetAsideRecord[] {
    return this.#parts.setAsideLog.records;
  }

  /** Why the in-memory archive rejects changes until the next start; undefined while it is consistent. */
  get broken(): StoreError | undefined {
    return this.#broken;
  }

  async resume(fingerprint: string): Promise<ImportProgress | undefined> {
    return this.#parts.state.imports.get(fingerprint);
  }

  async apply(fingerprint: string, progress: ImportProgress, records: ArchiveRecord[]): Promise<ChangeOutcome[]> {
    const changes = selectChanges(this.archive, records);
    const lines = [...changes.map(({ index }) => records[index]!), { kind: 'import', fingerprint, progress } as const];
    const applied = await this.#append(
      lines,
      changes.map(({ json }) => json),
    );
    // Backpressure: the import waits until its events are published.
    await this.#publishing;
    const outcomes = records.map((): ChangeOutcome => 'unchanged');
    changes.forEach(({ index }, position) => (outcomes[index] = applied[position]!));
    return outcomes;
  }

  /**
   * Removes the like of a tweet; false if there was none. Resolves when durable. Throws StoreError if the write
   * fails.
   */
  async unlike(tweetId: string): Promise<boolean> {
    for (let pending; (pending = this.#pendingUnlikes.get(tweetId)) !== undefined;) await pending.catch(() => {});
    const likedAt = this.archive.likedAt(tweetId);
    if (likedAt === undefined) return false;
    // Not earlier than the like, even if the clock went back: otherwise the next import of the like would restore it.
    const durable = this.#append([{ kind: 'unlike', tweet_id: tweetId, at: Math.max(Date.now(), likedAt) }]);
    this.#pendingUnlikes.set(tweetId, durable);
    await durable.finally(() => this.#pendingUnlikes.delete(tweetId));
    return true;
  }

  /**
   * Makes the lines durable, then applies them. `knownJson`: the JSON of the first lines, where the caller has it.
   * Appends resolve in the order of their calls, so the archive applies the changes in the order of the journal.
   */
  async #append(lines: readonly (Change | ImportLine)[], knownJson: readonly string[] = []): Promise<ChangeOutcome[]> {
    const { eventSink, journal, state, setAsideLog } = this.#parts;
    if (eventSink?.failed !== undefined) throw eventSink.failed;
    if (this.#broken !== undefined) throw this.#broken;
    const serialised = lines.map((line, index) => knownJson[index] ?? JSON.stringify(line));
    const last = await journal.append(serialised);
    const outcomes = lines.map((line, index) =>
      this.#applyDurable(line, last - lines.length + 1 + index, serialised[index]!),
    );
    const newEvents = state.drainEvents();
    if (newEvents.length > 0) this.#publishing = eventSink?.publish(newEvents);
    // If this fails, the next start finds the records again.
    await setAsideLog.save().catch(() => {});
    return outcomes;
  }

  /**
   * Applies a durable line, or sets it aside. Throws StoreError if the in-memory archive may hold a partial change.
   */
  #applyDurable(line: Change | ImportLine, seq: number, json: string): ChangeOutcome {
    const { state, eventSink, setAsideLog, onSetAside } = this.#parts;
    if (this.#broken !== undefined) throw this.#broken;
    try {
      const checkpoint = eventSink?.checkpoint;
      return state.apply(line, seq, checkpoint !== undefined && seq > checkpoint);
    } catch (error) {
      const reason = (error as Error).message;
      if (error instanceof UnusableRecord) {
        onSetAside(setAsideLog.add(seq, json, reason));
        return 'set aside';
      }
      this.#broken = new StoreError(
        `a change could not be applied completely (${reason}): restart the server; it then sets the change aside`,
        { cause: error },
      );
      throw this.#broken;
    }
  }
}

/**
 * Opens the archive of a store. Publishes the events of changes after the checkpoint, as of an import while the server
 * was down. Sets aside each record that the archive cannot apply, and passes it to `onSetAside`, at start and later.
 * Throws StoreError if a file is damaged.
 */
export async function openArchive(
  store: Store,
  eventSink?: EventSink,
  onSetAside: (record: SetAsideRecord) => void = () => {},
): Promise<DurableArchive> {
  const journal = await store.journal('archive');
  const setAsideLog = await openSetAsideLog(store);
  const savedSeqs = new Set(setAsideLog.records.map(({ seq }) => seq));
  const state = await readJournal(journal, setAsideLog, eventSink?.checkpoint);
  for (const record of setAsideLog.records) if (!savedSeqs.has(record.seq)) onSetAside(record);
  await setAsideLog.save();
  // Publishing an empty list would move the checkpoint, but not durably: a kill would then lose the very first events.
  const isFirst = eventSink?.checkpoint === undefined;
  if (!isFirst) await eventSink?.publish(state.drainEvents());
  const records = journal.lastSeq - journal.firstSeq + 1;
  const { archive, imports } = state;
  // A rewrite removes the records that are set aside, so their texts must be stored elsewhere.
  if (setAsideLog.hasAllTexts && records > maxHistoryRatio * (archive.live + imports.size) + minHistoryRecords) {
    await rewrite(journal, state);
    await eventSink?.advanceCheckpoint(journal.lastSeq);
  } else if (isFirst) {
    await eventSink?.advanceCheckpoint(journal.lastSeq);
  }
  return new DurableArchive({ journal, state, setAsideLog, eventSink, onSetAside });
}

/**
 * Selects the records that may change something, with their index and their JSON. Leaves out a record that would change
 * nothing, and a record equal to the previous one with the same key.
 */
function selectChanges(
  archive: Archive,
  records: readonly ArchiveRecord[],
): { readonly index: number; readonly json: string }[] {
  const changes: { index: number; json: string }[] = [];
  const last = new Map<string, string>();
  for (const [index, record] of records.entries()) {
    const key = recordKey(record);
    const before = last.get(key);
    if (before === undefined && !archive.wouldChange(record)) continue;
    const json = JSON.stringify(record);
    if (json !== before) changes.push({ index, json });
    last.set(key, json);
  }
  return changes;
}

async function rewrite(journal: Journal, { archive, imports }: ArchiveState): Promise<void> {
  function* lines(): Generator<string, void> {
    const line = (value: Line): string => JSON.stringify(value);
    yield line({ kind: 'snapshot', is: 'begin' });
    for (const change of archive.changes()) yield line(change);
    for (const [fingerprint, progress] of imports) yield line({ kind: 'import', fingerprint, progress });
    yield line({ kind: 'snapshot', is: 'end' });
  }
  await journal.rewrite(lines());
  archive.advanceTo(journal.lastSeq);
}

/**
 * Opens the archive of a data directory for an import while no server runs. Throws StoreError if the directory is in
 * use.
 */
export async function openArchiveSink(dataDir: string): Promise<{ sink: ImportSink; close(): Promise<void> }> {
  const store = await openLowdbStore(dataDir);
  try {
    return { sink: await openArchive(store), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}
