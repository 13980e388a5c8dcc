/**
 * The durable archive: it writes each change to the journal first, and applies and acknowledges the change once it is
 * durable.
 */
import type { ImportProgress, ImportSink } from '../../ports/import-sink.ts';
import { openLowdbStore } from '../../storage/lowdb/lowdb-store.ts';
import { StoreError, type Journal, type RecordPlace, type Store } from '../../ports/storage.ts';
import { Archive, UnusableRecord, type Change, type DomainEvent } from './archive.ts';
import { recordKey, type ArchiveRecord, type ChangeOutcome } from './records.ts';
import { openSetAsideLog, type SetAsideLog, type SetAsideRecord } from './set-aside.ts';

/** The progress of an import, in the same append as its records, so that both are durable or neither. */
type ImportLine = { kind: 'import'; fingerprint: string; progress: ImportProgress };
/** Marks the start and the end of a snapshot: its records are older than any revision that a cursor may contain. */
type SnapshotLine = { kind: 'snapshot'; is: 'begin' | 'end' };
type Line = Change | ImportLine | SnapshotLine;

/** A domain event with the journal number of the change that caused it. */
export type PublishedEvent = DomainEvent & { readonly change: number };

/** Receives the domain events of durable changes. */
export interface EventSink {
  /**
   * The last change whose events are published; undefined before the first checkpoint: existing changes then publish
   * nothing.
   */
  readonly checkpoint: number | undefined;
  /** Why the sink cannot publish now. The archive then rejects changes. */
  readonly failed: StoreError | undefined;
  /** Publishes events, oldest first. Resolves when the sink accepts the next events; never rejects. */
  publish(events: readonly PublishedEvent[]): Promise<void>;
  /** Moves the checkpoint to this change without publishing. Throws StoreError. */
  advanceCheckpoint(change: number): Promise<void>;
}

/** The start rewrites a journal that holds more than `maxHistoryRatio` × live records + `minHistoryRecords`. */
const maxHistoryRatio = 2;
const minHistoryRecords = 100_000;

export interface DurableArchive extends ImportSink {
  readonly archive: Archive;
  /** The incomplete, unacknowledged write that opening removed from the end of the journal after a crash, if any. */
  readonly recovered: Journal['recovered'];
  /** Journal records that the archive could not apply: they are on disk, but not in the archive. */
  readonly setAside: readonly SetAsideRecord[];
  /** Why the in-memory archive rejects changes until the next start; undefined while it is consistent. */
  readonly broken: StoreError | undefined;
  /**
   * Removes the like of a tweet; false if there was none. Resolves when durable. Throws StoreError where the write
   * fails.
   */
  unlike(tweetId: string): Promise<boolean>;
}

/** The state after the replayed part of the journal. */
interface State {
  readonly archive: Archive;
  readonly imports: Map<string, ImportProgress>;
  events: PublishedEvent[];
}

const emptyState = (): State => ({ archive: new Archive(), imports: new Map(), events: [] });

/**
 * Applies the journal record with this number. Throws UnusableRecord where the archive cannot apply the record; then
 * only the revision changes.
 */
function applyLine(
  state: State,
  line: Change | ImportLine,
  seq: number,
  eventSink: EventSink | undefined,
  snapshot = false,
): ChangeOutcome {
  const { archive, imports } = state;
  archive.revision = seq - 1;
  const isNewEvent = !snapshot && eventSink?.checkpoint !== undefined && seq > eventSink.checkpoint;
  archive.onEvent = isNewEvent ? (event) => void state.events.push({ ...event, change: seq }) : () => {};
  try {
    if (line.kind !== 'import') return archive.apply(line, snapshot);
    imports.set(line.fingerprint, line.progress);
    return 'unchanged';
  } finally {
    archive.revision = seq;
  }
}

/** Parses a line of the journal. Throws UnusableRecord where it is not a JSON object. */
function parseLine(json: string): Line {
  let line: unknown;
  try {
    line = JSON.parse(json);
  } catch (error) {
    throw new UnusableRecord(`broken JSON: ${(error as Error).message}`);
  }
  if (typeof line !== 'object' || line === null) throw new UnusableRecord('not a JSON object');
  return line as Line;
}

/** The number of times that the start replays the journal before it gives up on partly applied records. */
const maxReplayAttempts = 3;

/**
 * Replays the journal and sets aside each record that the archive cannot apply. A record that fails halfway, because of
 * a fault of this program, may leave a partial change: the function then replays everything without that record. Throws
 * StoreError where a file is damaged, or where the last attempt fails too.
 */
async function readJournal(
  journal: Journal,
  setAsideLog: SetAsideLog,
  eventSink: EventSink | undefined,
): Promise<State> {
  for (let attempt = 1; ; attempt++) {
    const state = emptyState();
    let failed: { seq: number; place: RecordPlace; json: string; reason: string } | undefined;
    let snapshot = false;
    try {
      await journal.replay((bytes, seq, location) => {
        if (setAsideLog.has(seq, location)) return;
        const json = bytes.toString();
        try {
          const line = parseLine(json);
          if (line.kind === 'snapshot') snapshot = line.is === 'begin';
          else applyLine(state, line, seq, eventSink, snapshot);
        } catch (error) {
          const reason = (error as Error).message;
          if (error instanceof UnusableRecord) return void setAsideLog.add(seq, json, reason, location);
          failed = { seq, place: { ...location }, json, reason };
          throw error;
        }
      });
      return state;
    } catch (error) {
      if (failed === undefined) throw error;
      const { seq, place: location, json, reason } = failed;
      if (attempt === maxReplayAttempts) {
        throw new StoreError(
          `archive/${location.segment}, line ${location.line} (byte ${location.offset}) cannot be applied: ${reason}`,
          { cause: error },
        );
      }
      setAsideLog.add(seq, json, reason, location);
    }
  }
}

/**
 * Opens the archive of a store. Publishes the events of changes after the checkpoint, as of an import while the server
 * was down. Sets aside each record that the archive cannot apply, and passes it to `onSetAside`, at start and later.
 * Throws StoreError where a file is damaged.
 */
export async function openArchive(
  store: Store,
  eventSink?: EventSink,
  onSetAside: (record: SetAsideRecord) => void = () => {},
): Promise<DurableArchive> {
  const journal = await store.journal('archive');
  const setAsideLog = await openSetAsideLog(store);
  const savedSeqs = new Set(setAsideLog.records.map(({ seq }) => seq));
  const state = await readJournal(journal, setAsideLog, eventSink);
  const { archive, imports } = state;
  for (const record of setAsideLog.records) if (!savedSeqs.has(record.seq)) onSetAside(record);
  await setAsideLog.save();
  const drainEvents = (): PublishedEvent[] => {
    const drained = state.events;
    state.events = [];
    return drained;
  };
  // Publishing an empty list would move the checkpoint, but not durably: a kill would then lose the very first events.
  const isFirst = eventSink?.checkpoint === undefined;
  if (!isFirst) await eventSink?.publish(drainEvents());
  const records = journal.lastSeq - journal.firstSeq + 1;
  // A rewrite removes the records that are set aside, so their texts must be stored elsewhere.
  if (setAsideLog.hasAllTexts && records > maxHistoryRatio * (archive.live + imports.size) + minHistoryRecords) {
    await rewrite(journal, archive, imports);
    await eventSink?.advanceCheckpoint(journal.lastSeq);
  } else if (isFirst) {
    await eventSink?.advanceCheckpoint(journal.lastSeq);
  }
  let broken: StoreError | undefined;
  /** The last call of `publish`. */
  let publishing: Promise<void> | undefined;

  /** The writes in progress that remove likes, by tweet id. */
  const pendingUnlikes = new Map<string, Promise<unknown>>();

  /**
   * Makes the lines durable, then applies them. `knownJson`: the JSON of the first lines, where the caller has it.
   * Appends resolve in the order of their calls, so the archive applies the changes in the order of the journal.
   */
  async function append(
    lines: readonly (Change | ImportLine)[],
    knownJson: readonly string[] = [],
  ): Promise<ChangeOutcome[]> {
    if (eventSink?.failed !== undefined) throw eventSink.failed;
    if (broken !== undefined) throw broken;
    const serialised = lines.map((line, index) => knownJson[index] ?? JSON.stringify(line));
    const last = await journal.append(serialised);
    const outcomes = lines.map((line, index) =>
      applyDurable(line, last - lines.length + 1 + index, serialised[index]!),
    );
    const newEvents = drainEvents();
    if (newEvents.length > 0) publishing = eventSink?.publish(newEvents);
    // If this fails, the next start finds the records again.
    await setAsideLog.save().catch(() => {});
    return outcomes;
  }

  /**
   * Applies a durable line, or sets it aside. Throws StoreError where the in-memory archive may hold a partial change.
   */
  function applyDurable(line: Change | ImportLine, seq: number, json: string): ChangeOutcome {
    if (broken !== undefined) throw broken;
    try {
      return applyLine(state, line, seq, eventSink);
    } catch (error) {
      const reason = (error as Error).message;
      if (error instanceof UnusableRecord) {
        onSetAside(setAsideLog.add(seq, json, reason));
        return 'set aside';
      }
      broken = new StoreError(
        `a change could not be applied completely (${reason}): restart the server; it then sets the change aside`,
        { cause: error },
      );
      throw broken;
    }
  }

  return {
    archive,
    recovered: journal.recovered,
    get setAside() {
      return setAsideLog.records;
    },
    get broken() {
      return broken;
    },

    async resume(fingerprint) {
      return imports.get(fingerprint);
    },

    async apply(fingerprint: string, progress: ImportProgress, records: ArchiveRecord[]): Promise<ChangeOutcome[]> {
      const changes = selectChanges(archive, records);
      const lines = [
        ...changes.map(({ index }) => records[index]!),
        { kind: 'import', fingerprint, progress } as const,
      ];
      const applied = await append(
        lines,
        changes.map(({ json }) => json),
      );
      // Backpressure: the import waits until its events are published.
      await publishing;
      const outcomes = records.map((): ChangeOutcome => 'unchanged');
      changes.forEach(({ index }, position) => (outcomes[index] = applied[position]!));
      return outcomes;
    },

    async unlike(tweetId) {
      while (pendingUnlikes.has(tweetId)) await pendingUnlikes.get(tweetId)!.catch(() => {});
      const likedAt = archive.likedAt(tweetId);
      if (likedAt === undefined) return false;
      // Not earlier than the like, even if the clock went back: otherwise the next import of the like would restore it.
      const durable = append([{ kind: 'unlike', tweet_id: tweetId, at: Math.max(Date.now(), likedAt) }]);
      pendingUnlikes.set(tweetId, durable);
      await durable.finally(() => pendingUnlikes.delete(tweetId));
      return true;
    },
  };
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

async function rewrite(journal: Journal, archive: Archive, imports: Map<string, ImportProgress>): Promise<void> {
  function* lines(): Generator<string, void> {
    const line = (value: Line): string => JSON.stringify(value);
    yield line({ kind: 'snapshot', is: 'begin' });
    for (const change of archive.changes()) yield line(change);
    for (const [fingerprint, progress] of imports) yield line({ kind: 'import', fingerprint, progress });
    yield line({ kind: 'snapshot', is: 'end' });
  }
  await journal.rewrite(lines());
  archive.revision = journal.lastSeq;
}

/**
 * Opens the archive of a data directory for an import while no server runs. Throws StoreError where the directory is in
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
