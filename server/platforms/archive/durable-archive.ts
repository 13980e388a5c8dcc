/**
 * The durable archive: it writes each change to the journal first, and applies and acknowledges the change once it is
 * durable.
 */
import { TransientMap } from '../../collections/transient-map.ts';
import type { ArchiveRecord, ChangeOutcome } from '../../domain/records.ts';
import type { EventSink } from '../../ports/event-sink.ts';
import type { CallContext, ImportProgress } from '../../ports/import-sink.ts';
import type { LiveSink, SourcePosition } from '../../ports/live-sink.ts';
import {
  StoreError,
  textOf,
  type Journal,
  type JournalRecord,
  type PurgeResult,
  type SavedState,
} from '../../ports/storage.ts';
import { TimeSlice } from '../../process/time-slice.ts';
import { messageOf } from '../../text/error-text.ts';
import { parseLine, type AppliedLine, type ArchiveState, type ImportLine } from './archive-journal.ts';
import type { Archive } from './archive.ts';
import { UnusableRecord, type EvictChange } from './change.ts';
import { emptySelection, selectChanges, type SelectedChange } from './change-selection.ts';
import {
  areIndependent,
  givenRecords,
  groupsOf,
  keysOf,
  maxRemovalsPerAppend,
  type GivenRecord,
} from './given-records.ts';
import { PendingIdentities } from './identity.ts';
import { minSupersededBytes, PurgeSchedule, type Purgeable, type PurgeOptions } from './purge-schedule.ts';
import { TableSaver, type SaveOptions } from './saved-tables.ts';
import type { SetAsideLog, SetAsideRecord } from './set-aside.ts';

/** The parts of an open archive. */
interface DurableArchiveParts {
  readonly journal: Journal;
  readonly state: ArchiveState;
  readonly setAsideLog: SetAsideLog;
  readonly eventSink: EventSink | undefined;
  readonly onSetAside: (record: SetAsideRecord) => void;
  readonly purge: PurgeOptions;
  readonly restoredSeq: number;
  /** Where the storage keeps saved tables: their state, the last record that they cover, and when to save them. */
  readonly tables: { readonly saved: SavedState; readonly savedSeq: number; readonly options: SaveOptions } | undefined;
}

/** The maximum number of changes in one append. */
const maxLinesPerAppend = 2000;
/** The maximum number of ids of each kind in one eviction, which the archive applies without a break. */
const maxIdsPerEviction = 16;

export class DurableArchive implements LiveSink {
  /** The next call is prepared while the journal writes the records of the one before. */
  readonly maxCalls = 2;
  readonly #parts: DurableArchiveParts;
  #broken: StoreError | undefined;
  /** The last call of `publish`. */
  #publishing: Promise<void> | undefined;
  /** The writes in progress that remove likes, by tweet id. */
  readonly #pendingUnlikes = new Map<string, Promise<unknown>>();
  /** Ends when the last call of `apply` has selected its changes and appended the first of them: the next call then selects its own. */
  #selecting: Promise<void> | undefined;
  /** The identities of the records of all calls of `apply` in progress. */
  readonly #pendingIdentities = new PendingIdentities();
  #purging: Promise<PurgeResult> | undefined;
  /** The task that changes wait for. */
  #pausing: Promise<void> | undefined;
  readonly #saver: TableSaver | undefined;
  readonly #purgeSchedule: PurgeSchedule;
  /** The keys of the records of the calls of `apply` in progress; undefined for records that can have an effect on others. */
  readonly #importKeys = new TransientMap<Promise<unknown>, ReadonlySet<string> | undefined>();
  /** The appends in progress of this process, by their records. */
  readonly #appends = new TransientMap<readonly JournalRecord[], Append>();

  /** `openArchive` creates it from a replayed journal. */
  constructor(parts: DurableArchiveParts) {
    this.#parts = parts;
    parts.journal.follow({
      apply: (records, first) => {
        for (const _ of this.#follow(records, first));
      },
      applyInSlices: async (records, first, slice) => {
        for (const _ of this.#follow(records, first)) if (slice.isOver) await slice.next();
      },
      purged: () => void this.#saver?.purged(),
    });
    const { state, journal, purge } = parts;
    const purgeable = (): Purgeable => ({
      ...{ since: state.purgeableSince, supersededBytes: state.supersededBytes, journalBytes: journal.bytes },
    });
    this.#purgeSchedule = new PurgeSchedule(purge, purgeable, () => this.purge());
    this.#purgeSchedule.update();
    const { tables, ...others } = parts;
    if (tables === undefined) return;
    const { saved, savedSeq, options } = tables;
    this.#saver = new TableSaver(
      { ...others, saved, pause: (task) => this.#pause(task), settleEvents: () => this.settleEvents() },
      savedSeq,
      options,
    );
  }

  /** Runs a task while no change is applied. Changes wait for its end, reads go on. */
  async #pause<Result>(task: () => Promise<Result>): Promise<Result> {
    while (this.#pausing !== undefined) await this.#pausing;
    const ended = Promise.withResolvers<void>();
    this.#pausing = ended.promise;
    try {
      await Promise.allSettled(Array.from(this.#appends.values(), ({ written }) => written));
      return await task();
    } finally {
      this.#pausing = undefined;
      ended.resolve();
    }
  }

  /** The last record that the start took from saved tables; 0 where it replayed the whole journal. */
  get restoredSeq(): number {
    return this.#parts.restoredSeq;
  }

  /** Saves the tables now, so that the next start is fast. Returns whether it did. Rejects with StoreError. */
  async saveTables(): Promise<boolean> {
    return (await this.#saver?.save()) ?? false;
  }

  /** Saves the tables if that makes the next start faster. Rejects with StoreError. */
  async saveTablesIfNeeded(): Promise<void> {
    if (this.#saver?.needsSave === true) await this.#saver.save();
  }

  /**
   * Ends the work in the background, writes the last events, and saves the tables if that makes the next start faster. Call before
   * the store closes.
   */
  async close(): Promise<void> {
    this.#purgeSchedule.stop();
    await this.#saver?.close(this.#purging === undefined);
    await this.#parts.eventSink?.settle();
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

  /**
   * Applies records and progress. After a crash, the progress is present only if all records are. Records without their progress can be
   * present, because a crash can cut an append, and because the records before a removal become durable first: a repeated import then
   * finds them unchanged.
   */
  apply(
    fingerprint: string,
    progress: ImportProgress,
    records: ArchiveRecord[],
    context?: CallContext,
  ): Promise<ChangeOutcome[]> {
    return this.#import({ kind: 'import', fingerprint, progress }, givenRecords(records), context?.after);
  }

  #import(
    line: ImportLine,
    given: readonly GivenRecord[],
    before: Promise<unknown> | undefined,
  ): Promise<ChangeOutcome[]> {
    const keys = keysOf(given);
    const isAhead = before !== undefined && areIndependent(keys, this.#importKeys.get(before));
    const applying = this.#applyRecords(given, [line], { before, isAhead });
    this.#importKeys.set(applying, keys);
    const forget = (): void => this.#importKeys.delete(applying);
    applying.then(forget, forget);
    return applying;
  }

  position(source: string): SourcePosition | undefined {
    return this.#parts.state.positions.get(source);
  }

  /** The last durable positions by source. */
  positions(): ReadonlyMap<string, SourcePosition> {
    return this.#parts.state.positions;
  }

  onPosition(listener: (source: string) => void): void {
    this.#parts.state.onPosition(listener);
  }

  fingerprints(prefix: string): string[] {
    return [...this.#parts.state.imports.keys()].filter((fingerprint) => fingerprint.startsWith(prefix));
  }

  /** As `apply`, with the position of a live source in the place of the progress of an import. */
  async follow(
    source: string,
    position: SourcePosition | undefined,
    records: readonly ArchiveRecord[],
  ): Promise<ChangeOutcome[]> {
    const last: AppliedLine[] = position === undefined ? [] : [{ kind: 'position', source, ...position }];
    return this.#applyRecords(givenRecords(records), last);
  }

  /** Applies records, and appends the last lines in the same durable step as the last records. */
  async #applyRecords(
    given: readonly GivenRecord[],
    last: readonly AppliedLine[],
    { before, isAhead = false }: { readonly before?: Promise<unknown> | undefined; readonly isAhead?: boolean } = {},
  ): Promise<ChangeOutcome[]> {
    const outcomes: ChangeOutcome[] = [];
    // What these records change may depend on those of the call before.
    if (before !== undefined && !isAhead) await before;
    const groups = groupsOf(this.archive, given);
    for (const group of groups.slice(0, -1)) outcomes.push(...(await this.#applyGroup(group, [])));
    outcomes.push(...(await this.#applyGroup(groups.at(-1) ?? [], last, before)));
    // Backpressure: the import waits until its events are published, and until a compaction catches up.
    await this.#publishing;
    if (this.#parts.state.supersededBytes > minSupersededBytes) await this.#purging?.catch(() => {});
    return outcomes;
  }

  /**
   * Appends the changes of the records, many lines at a time, and then the last lines. Returns the outcomes. `before`: what comes
   * before the first append; if it fails, nothing is appended.
   */
  async #applyGroup(
    records: readonly GivenRecord[],
    last: readonly AppliedLine[],
    before?: Promise<unknown>,
  ): Promise<ChangeOutcome[]> {
    const selection = emptySelection();
    const [previous, turn] = [this.#selecting, Promise.withResolvers<void>()];
    this.#selecting = turn.promise;
    const endTurn = (): void => {
      turn.resolve();
      if (this.#selecting === turn.promise) this.#selecting = undefined;
    };
    try {
      if (previous !== undefined) await previous;
      const slice = new TimeSlice();
      for (const _ of selectChanges(this.archive, this.#pendingIdentities, records, selection))
        if (slice.isOver) await slice.next();
      if (before !== undefined) {
        endTurn();
        await before;
      }
      const appending = this.#appendChanges(selection.changes, selection.outcomes, last);
      endTurn();
      await appending;
    } finally {
      endTurn();
      for (const key of selection.keys) this.#pendingIdentities.remove(key);
    }
    return selection.outcomes;
  }

  /** Appends changes, many lines at a time, and then the last lines. Enters the outcomes. */
  async #appendChanges(
    changes: readonly SelectedChange[],
    outcomes: ChangeOutcome[],
    last: readonly AppliedLine[],
  ): Promise<void> {
    const step = changes.some(({ change }) => change.kind === 'delete') ? maxRemovalsPerAppend : maxLinesPerAppend;
    for (let from = 0; from === 0 || from < changes.length; from += step) {
      const part = changes.slice(from, from + step);
      const lines = [...part.map(({ change }) => change), ...(from + step < changes.length ? [] : last)];
      if (lines.length === 0) break;
      const applied = await this.#append(lines, part);
      part.forEach(({ index }, position) => {
        if (outcomes[index] === 'unchanged') outcomes[index] = applied[position]!;
      });
    }
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
    const [outcome] = await durable.finally(() => this.#pendingUnlikes.delete(tweetId));
    // Another process may have removed it before.
    return outcome !== 'unchanged';
  }

  /**
   * Removes tweets, profiles of users without tweets, and tombstones without a trace. Resolves when durable. Rejects with StoreError.
   */
  async evict(evicted: Partial<Pick<EvictChange, 'tweet_ids' | 'user_ids' | 'tombstone_ids'>>): Promise<void> {
    const { tweet_ids = [], user_ids = [], tombstone_ids = [] } = evicted;
    const at = new Date().toISOString();
    const changes: EvictChange[] = [];
    const length = Math.max(tweet_ids.length, user_ids.length, tombstone_ids.length);
    for (let from = 0; from < length; from += maxIdsPerEviction) {
      const part = (ids: readonly string[]): readonly string[] => ids.slice(from, from + maxIdsPerEviction);
      changes.push({
        ...{ kind: 'evict', tweet_ids: part(tweet_ids), user_ids: part(user_ids) },
        ...{ tombstone_ids: part(tombstone_ids), at },
      });
    }
    const perAppend = maxRemovalsPerAppend / maxIdsPerEviction;
    for (let from = 0; from < changes.length; from += perAppend)
      await this.#append(changes.slice(from, from + perAppend));
  }

  /** Resolves when the events of all applied changes of this process are published, or cannot be written now. */
  async published(): Promise<void> {
    await this.#publishing;
  }

  /**
   * Resolves when the events of all applied changes are durable: a replay after a purge cannot create them again. Rejects with
   * StoreError if they cannot be written now.
   */
  async settleEvents(): Promise<void> {
    await this.#publishing;
    await this.#parts.eventSink?.settle();
    const failed = this.#parts.eventSink?.failed ?? this.#broken;
    if (failed !== undefined) throw failed;
  }

  /** The time of the first removal whose text may still be on the disk, in milliseconds since the epoch. */
  get purgeableSince(): number | undefined {
    return this.#parts.state.purgeableSince;
  }

  /**
   * Removes from the disk what the archive does not need: the records of removed tweets and accounts, and those that later
   * records replace. Changes and requests go on. Covers all removals before the call. Rejects with StoreError.
   */
  async purge(): Promise<PurgeResult> {
    while (this.#purging !== undefined) await this.#purging.catch(() => {});
    this.#purging = this.#purge().finally(() => (this.#purging = undefined));
    return this.#purging;
  }

  async #purge(): Promise<PurgeResult> {
    const { state, journal, setAsideLog } = this.#parts;
    const kept = new Set(setAsideLog.records.map(({ seq }) => seq));
    const stop = state.startPurge();
    try {
      await this.#saver?.suspend();
      return await journal.purge(
        (json, seq) => kept.has(seq) || state.needs(json, seq),
        () => this.settleEvents(),
      );
    } catch (error) {
      stop.undo();
      throw error;
    } finally {
      this.#saver?.resume();
    }
  }

  /**
   * Makes the lines durable; `#follow` then applies them. `selected`: what the caller has of the first lines.
   */
  async #append(
    lines: readonly AppliedLine[],
    selected: readonly SelectedChange[] = [],
  ): Promise<readonly ChangeOutcome[]> {
    while (this.#pausing !== undefined) await this.#pausing;
    const { eventSink, journal, setAsideLog } = this.#parts;
    if (eventSink?.failed !== undefined) throw eventSink.failed;
    if (this.#broken !== undefined) throw this.#broken;
    const encoded = lines.map((line, index) => selected[index]?.json ?? JSON.stringify(line));
    const outcomes: ChangeOutcome[] = [];
    await this.#write(encoded, { lines, outcomes }, (records) => journal.append(records));
    // If this fails, the next start finds the records again.
    await setAsideLog.save().catch(() => {});
    if (outcomes.length < lines.length) throw this.#broken ?? new StoreError('a change was not applied');
    return outcomes;
  }

  /** Writes the records of an append. Resolves when `#follow` has applied them. */
  async #write(
    records: readonly string[],
    append: Omit<Append, 'written'>,
    write: (records: readonly string[]) => Promise<number>,
  ): Promise<void> {
    const written = write(records);
    this.#appends.set(records, { ...append, written });
    await written.finally(() => this.#appends.delete(records));
  }

  /** Applies durable records of this process and of others, in the order of the journal, one in each step. Does not throw. */
  *#follow(records: readonly JournalRecord[], first: number): Generator<void, void> {
    const { eventSink, state } = this.#parts;
    const own = this.#appends.get(records);
    for (let index = 0; index < records.length; index++) {
      const outcome = this.#applyDurable(own, index, { seq: first + index, record: records[index]! });
      if (outcome !== undefined) own?.outcomes.push(outcome);
      yield;
    }
    eventSink?.applied(first + records.length - 1);
    const newEvents = state.drainEvents();
    if (newEvents.length > 0) this.#publishing = eventSink?.publish(newEvents, own !== undefined);
    this.#purgeSchedule.update();
    this.#saver?.changed();
    if (own === undefined) void this.#parts.setAsideLog.save().catch(() => {});
  }

  /**
   * Applies a durable line, or sets it aside. `own`: the append of this process that has the line at the index. Returns
   * undefined if the in-memory archive may hold a partial change: it then applies nothing more.
   */
  #applyDurable(
    own: Append | undefined,
    index: number,
    { seq, record }: { readonly seq: number; readonly record: JournalRecord },
  ): ChangeOutcome | undefined {
    const { state, eventSink, setAsideLog, onSetAside } = this.#parts;
    if (this.#broken !== undefined) return undefined;
    try {
      const checkpoint = eventSink?.checkpoint;
      const publish = checkpoint !== undefined && seq > checkpoint;
      const line = own?.lines[index] ?? parseLine(textOf(record));
      if (line.kind === 'snapshot') return 'unchanged';
      return state.apply(line, { seq, bytes: lengthOf(record), publish });
    } catch (error) {
      const reason = messageOf(error);
      if (error instanceof UnusableRecord) {
        onSetAside(setAsideLog.add(seq, textOf(record), reason));
        return 'set aside';
      }
      this.#broken = new StoreError(
        `a change could not be applied completely (${reason}): restart the server; it then sets the change aside`,
        { cause: error },
      );
      return undefined;
    }
  }
}

/** An append of this process: its lines, the outcomes of those that were applied, and its write. */
interface Append {
  readonly lines: readonly AppliedLine[];
  readonly outcomes: ChangeOutcome[];
  readonly written: Promise<number>;
}

const lengthOf = (record: JournalRecord): number =>
  typeof record === 'string' ? record.length : record.end - record.start;
