/**
 * The durable archive: it writes each change to the journal first, and applies and acknowledges the change once it is
 * durable.
 */
import { recordKey, tweetKey, type ArchiveRecord, type ChangeOutcome } from '../../domain/records.ts';
import type { EventSink } from '../../ports/event-sink.ts';
import type {
  CallContext,
  ImportProgress,
  ImportSink,
  PreparedRecord,
  PreparedTweet,
} from '../../ports/import-sink.ts';
import type { LiveSink, SourcePosition } from '../../ports/live-sink.ts';
import {
  StoreError,
  textOf,
  type Journal,
  type JournalRecord,
  type PurgeResult,
  type SavedState,
  type Store,
} from '../../ports/storage.ts';
import {
  parseLine,
  readJournal,
  type AppliedLine,
  type ArchiveState,
  type ImportLine,
  type Line,
} from './archive-journal.ts';
import type { Archive } from './archive.ts';
import { UnusableRecord, withTime, type Change, type EvictChange, type TweetAddition } from './change.ts';
import { PendingIdentities } from './identity.ts';
import { restoreTables, TableSaver, type SaveOptions } from './saved-tables.ts';
import { openSetAsideLog, type SetAsideLog, type SetAsideRecord } from './set-aside.ts';
import { TimeSlice } from '../../process/time-slice.ts';
import { messageOf } from '../../text/error-text.ts';

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
  readonly purge: PurgeOptions;
  readonly restoredSeq: number;
  /** Where the storage keeps saved tables: their state, the last record that they cover, and when to save them. */
  readonly tables: { readonly saved: SavedState; readonly savedSeq: number; readonly options: SaveOptions } | undefined;
}

/** When and how the text of removed tweets leaves the disk. */
export interface PurgeOptions {
  /** The maximum time between a removal and the end of its text on the disk, in milliseconds; 0 purges at once. */
  readonly withinMs?: number;
  /** Whether this process starts purges by itself; other processes may share the journal. */
  readonly mayRun?: () => boolean;
  /** Called after each purge that the archive starts by itself. */
  readonly onPurged?: (result: PurgeResult) => void;
  /** Called when such a purge fails. The archive tries again. */
  readonly onFailed?: (error: unknown) => void;
}

const dayMs = 24 * 60 * 60 * 1000;
/** The time that a purge may take: it starts this long before its deadline, or after nine tenths of the time. */
const purgeReserveMs = 10 * 60 * 1000;
const retryPurgeMs = 60 * 1000;
const maxTimerMs = 2 ** 31 - 1;
/** A compaction starts when the lines without effect have more bytes than this and than half of the journal. */
const minSupersededBytes = 8 * 1024 * 1024;

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
  /** The appends in progress. */
  readonly #appending = new Set<Promise<unknown>>();
  readonly #saver: TableSaver | undefined;
  #purgeTimer: NodeJS.Timeout | undefined;
  /** The time at which the timer starts a purge, in milliseconds since the epoch. */
  #purgeAt = Number.POSITIVE_INFINITY;
  /** The keys of the records of calls of `apply`; undefined for records that can have an effect on others. */
  readonly #importKeys = new WeakMap<Promise<unknown>, ReadonlySet<string> | undefined>();
  /** The appends of this process by their records. */
  readonly #appends = new WeakMap<readonly JournalRecord[], Append>();

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
    this.#schedulePurge();
    const { tables, ...others } = parts;
    if (tables === undefined) return;
    const { saved, savedSeq, options } = tables;
    this.#saver = new TableSaver(
      { ...others, saved, pause: (task) => this.#pause(task), settleEvents: () => this.#settleEvents() },
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
      await Promise.allSettled(this.#appending);
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

  /** Ends the work in the background, and saves the tables if that makes the next start faster. Call before the store closes. */
  async close(): Promise<void> {
    clearTimeout(this.#purgeTimer);
    await this.#saver?.close(this.#purging === undefined);
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
   * Applies records and progress. Without removals, both are present after a crash or neither. A removal depends on the
   * records before it, so these become durable first; a repeated import then changes nothing more.
   */
  apply(
    fingerprint: string,
    progress: ImportProgress,
    records: ArchiveRecord[],
    context?: CallContext,
  ): Promise<ChangeOutcome[]> {
    return this.#import(
      { kind: 'import', fingerprint, progress },
      givenRecords(records, context?.json),
      context?.after,
    );
  }

  /** As `apply`: parses only the records that it cannot add by what another thread has prepared. */
  applyPrepared(
    fingerprint: string,
    progress: ImportProgress,
    records: readonly PreparedRecord[],
    after?: Promise<unknown>,
  ): Promise<ChangeOutcome[]> {
    return this.#import({ kind: 'import', fingerprint, progress }, preparedRecords(records), after);
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
        () => this.#settleEvents(),
      );
    } catch (error) {
      stop.undo();
      throw error;
    } finally {
      this.#saver?.resume();
    }
  }

  /** Waits until the events of all applied changes are durable: a replay after a purge cannot create them again. */
  async #settleEvents(): Promise<void> {
    await this.#publishing;
    const failed = this.#parts.eventSink?.failed ?? this.#broken;
    if (failed !== undefined) throw failed;
  }

  /** Starts a purge now or later, as the removals and the size of the journal require. */
  #schedulePurge(): void {
    const { state, journal, purge } = this.#parts;
    const { withinMs = dayMs } = purge;
    const isBloated = state.supersededBytes > Math.max(minSupersededBytes, journal.bytes / 2);
    const since = state.purgeableSince;
    const startAfter = withinMs - Math.min(purgeReserveMs, withinMs / 10);
    const at = isBloated ? 0 : since === undefined ? Number.POSITIVE_INFINITY : since + startAfter;
    if (at < this.#purgeAt) this.#startTimer(at);
  }

  #startTimer(at: number): void {
    clearTimeout(this.#purgeTimer);
    this.#purgeAt = at;
    const delay = Math.min(Math.max(0, at - Date.now()), maxTimerMs);
    this.#purgeTimer = setTimeout(() => void this.#purgeByItself(), delay).unref();
  }

  async #purgeByItself(): Promise<void> {
    if (this.#purgeAt > Date.now()) return this.#startTimer(this.#purgeAt);
    const { onPurged, onFailed, mayRun = () => true } = this.#parts.purge;
    if (!mayRun()) return this.#startTimer(Date.now() + retryPurgeMs);
    let retryAt = Number.POSITIVE_INFINITY;
    try {
      const result = await this.purge();
      onPurged?.(result);
    } catch (error) {
      onFailed?.(error);
      retryAt = Date.now() + retryPurgeMs;
    }
    this.#purgeAt = Number.POSITIVE_INFINITY;
    if (retryAt < Number.POSITIVE_INFINITY) this.#startTimer(retryAt);
    else this.#schedulePurge();
  }

  /**
   * Makes the lines durable; `#follow` then applies them. `selected`: what the caller has of the first lines.
   */
  async #append(
    lines: readonly (AppliedLine | TweetAddition)[],
    selected: readonly SelectedChange[] = [],
  ): Promise<readonly ChangeOutcome[]> {
    while (this.#pausing !== undefined) await this.#pausing;
    const { eventSink, journal, setAsideLog } = this.#parts;
    if (eventSink?.failed !== undefined) throw eventSink.failed;
    if (this.#broken !== undefined) throw this.#broken;
    const encoded = lines.map((line, index) => selected[index]?.json ?? JSON.stringify(line));
    const append: Append = { lines, outcomes: [] };
    const appending =
      journal.appendEncoded?.(this.#noted(encoded, append)) ?? journal.append(this.#noted(encoded.map(textOf), append));
    this.#appending.add(appending);
    await appending.finally(() => this.#appending.delete(appending));
    // If this fails, the next start finds the records again.
    await setAsideLog.save().catch(() => {});
    if (append.outcomes.length < lines.length) throw this.#broken ?? new StoreError('a change was not applied');
    return append.outcomes;
  }

  /** Notes which append has the records. */
  #noted<Records extends readonly JournalRecord[]>(records: Records, append: Append): Records {
    this.#appends.set(records, append);
    return records;
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
    this.#schedulePurge();
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

/** An append of this process: its lines, and the outcomes of those that were applied. */
interface Append {
  readonly lines: readonly (AppliedLine | TweetAddition)[];
  readonly outcomes: ChangeOutcome[];
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
  purge: PurgeOptions = {},
  save: SaveOptions = {},
): Promise<DurableArchive> {
  const journal = await store.journal('archive');
  const setAsideLog = await openSetAsideLog(store);
  const savedSeqs = new Set(setAsideLog.records.map(({ seq }) => seq));
  const saved = journal.positions === undefined ? undefined : store.saved?.('archive');
  const ignored: string[] = [];
  const noteIgnored = (reason: string): void => void ignored.push(reason);
  const restored = saved && (await restoreTables({ journal, saved, setAsideLog, eventSink }, noteIgnored));
  let savedSeq = restored?.position.seq ?? 0;
  const state = await readJournal(journal, setAsideLog, eventSink?.checkpoint, restored);
  // Not before: where the journal is damaged, that is what the operator must know.
  if (restored === undefined && ignored.length > 0) save.onIgnored?.(ignored.join('; '));
  for (const record of setAsideLog.records) if (!savedSeqs.has(record.seq)) onSetAside(record);
  await setAsideLog.save();
  // Publishing an empty list would move the checkpoint, but not durably: a kill would then lose the very first events.
  const isFirst = eventSink?.checkpoint === undefined;
  if (!isFirst) {
    eventSink?.applied(journal.lastSeq);
    await eventSink?.publish(state.drainEvents());
  }
  const records = journal.lastSeq - journal.firstSeq + 1;
  const { archive, imports, positions } = state;
  const live = archive.live + imports.size + positions.size;
  // A rewrite removes the records that are set aside, so their texts must be stored elsewhere. Where other processes read
  // the journal, only purges remove records.
  if (!store.shared && setAsideLog.hasAllTexts && records > maxHistoryRatio * live + minHistoryRecords) {
    // Their position is not in the new records.
    await saved?.remove();
    savedSeq = 0;
    await rewrite(journal, state);
    await eventSink?.advanceCheckpoint(journal.lastSeq);
  } else if (isFirst) {
    await eventSink?.advanceCheckpoint(journal.lastSeq);
  }
  const tables = saved && { saved, savedSeq, options: save };
  const restoredSeq = restored?.position.seq ?? 0;
  return new DurableArchive({ journal, state, setAsideLog, eventSink, onSetAside, purge, restoredSeq, tables });
}

/** The maximum number of changes in one append. */
const maxLinesPerAppend = 2000;
/** The same for removals, whose records need not be durable together. */
const maxRemovalsPerAppend = 128;
/** The maximum number of ids of each kind in one eviction, which the archive applies without a break. */
const maxIdsPerEviction = 16;

/** The keys of records; undefined where one of them can have an effect on records with other keys. */
function keysOf(given: readonly GivenRecord[]): ReadonlySet<string> | undefined {
  return given.some(mayReachFar) ? undefined : new Set(given.map(({ key }) => key));
}

const areIndependent = (a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean =>
  a !== undefined && b !== undefined && a.isDisjointFrom(b);

/** A record of a call, and what the caller has prepared of it. */
interface GivenRecord {
  readonly kind: ArchiveRecord['kind'];
  readonly key: string;
  /** Parsed at the first use, where another thread has encoded it. */
  readonly record: ArchiveRecord;
  readonly json?: JournalRecord | undefined;
  readonly tweet?: PreparedTweet | undefined;
}

/** The records of a call. A removal without a time gets the current time. */
function givenRecords(records: readonly ArchiveRecord[], json?: readonly string[]): GivenRecord[] {
  const now = new Date().toISOString();
  return records.map((given, index) => {
    const record = withTime(given, now);
    const { kind } = record;
    return { kind, key: recordKey(record), record, json: record === given ? json?.[index] : undefined };
  });
}

/** As `givenRecords`. */
const preparedRecords = (records: readonly PreparedRecord[]): GivenRecord[] =>
  records.map((prepared) =>
    prepared.tweet === undefined
      ? givenRecords([prepared.record], [textOf(prepared)])[0]!
      : new GivenTweet(prepared, prepared.tweet),
  );

/** A tweet that another thread has prepared. */
class GivenTweet implements GivenRecord {
  readonly kind = 'tweet';
  readonly key: string;
  readonly json: PreparedRecord;
  readonly tweet: PreparedTweet;

  constructor(prepared: PreparedRecord, tweet: PreparedTweet) {
    this.key = tweetKey(tweet.head.id);
    this.json = prepared;
    this.tweet = tweet;
  }

  get record(): ArchiveRecord {
    return this.json.record;
  }
}

const lengthOf = (record: JournalRecord): number =>
  typeof record === 'string' ? record.length : record.end - record.start;

/** Whether a record can have an effect on records with other keys. */
const mayReachFar = ({ kind }: Pick<ArchiveRecord, 'kind'>): boolean =>
  kind === 'delete' || kind === 'restore' || kind === 'withdraw' || kind === 'reinstate' || kind === 'unretweet';

/**
 * Divides records into groups that the archive can prepare together: the changes of a far-reaching record depend on the
 * records before it.
 */
function groupsOf(archive: Archive, given: readonly GivenRecord[]): (readonly GivenRecord[])[] {
  if (given.length > 0 && !given.some(mayReachFar)) return [given];
  const groups: GivenRecord[][] = [];
  const removes = given.some(({ kind }) => kind === 'delete' || kind === 'withdraw');
  const isFarReaching = (each: GivenRecord): boolean =>
    mayReachFar(each) &&
    // An import with `restore` has one for each tweet; most of them change nothing.
    (removes || (each.kind !== 'restore' && each.kind !== 'reinstate') || archive.wouldChange(each.record));
  let previous: GivenRecord | undefined;
  for (const each of given) {
    // Deletions of several tweets are independent of each other.
    const joins =
      previous !== undefined &&
      (groups.at(-1)?.length ?? 0) < (previous.kind === 'delete' ? maxRemovalsPerAppend : Number.POSITIVE_INFINITY) &&
      (isFarReaching(each) ? each.kind === 'delete' && previous.kind === 'delete' : !isFarReaching(previous));
    if (joins) groups.at(-1)?.push(each);
    else groups.push([each]);
    previous = each;
  }
  return groups;
}

/** A change with the index of its record and its JSON. */
interface SelectedChange {
  readonly index: number;
  readonly change: Change | TweetAddition;
  readonly json: JournalRecord;
}

interface Selection {
  readonly changes: SelectedChange[];
  /** The outcome of each record: `rejected`, or `unchanged` until its changes are applied. */
  readonly outcomes: ChangeOutcome[];
  /** The keys that the caller removes from the pending identities after the changes are applied. */
  readonly keys: string[];
}

const emptySelection = (): Selection => ({ changes: [], outcomes: [], keys: [] });

/**
 * Selects the changes of records that may change something, one change in each step. Leaves out a record that would change nothing, and
 * a record equal to the previous one with the same key. Rejects a record whose id another tweet or account has, in the archive or in a
 * pending record.
 */
function* selectChanges(
  archive: Archive,
  pending: PendingIdentities,
  records: readonly GivenRecord[],
  { changes, outcomes, keys }: Selection,
): Generator<void, void> {
  const last = new Map<string, JournalRecord>();
  for (const [index, given] of records.entries()) {
    const { key, tweet, json: known } = given;
    const before = last.get(key);
    if (tweet !== undefined && known !== undefined && before === undefined && pending.permits(tweet.head, key)) {
      if (archive.isNew(tweet.head)) {
        outcomes.push('unchanged');
        pending.addTweet(tweet.head, key);
        keys.push(key);
        changes.push({ index, change: { kind: 'addition', tweet, whole: () => given.record }, json: known });
        last.set(key, known);
        yield;
        continue;
      }
    }
    const { record } = given;
    const isRejected = archive.rejects(record) || pending.excludes(record, key);
    outcomes.push(isRejected ? 'rejected' : 'unchanged');
    if (isRejected) {
      yield;
      continue;
    }
    let json: JournalRecord | undefined;
    for (const change of before === undefined ? archive.changesInSteps(record) : [record]) {
      if (json === undefined && pending.add(record, key)) keys.push(key);
      json ??= known ?? JSON.stringify(record);
      if (before === undefined || textOf(json) !== textOf(before))
        changes.push({ index, change, json: change === record ? json : JSON.stringify(change) });
      yield;
    }
    if (json === undefined) yield;
    else last.set(key, json);
  }
}

async function rewrite(journal: Journal, { archive, imports, positions }: ArchiveState): Promise<void> {
  function* lines(): Generator<string, void> {
    const line = (value: Line): string => JSON.stringify(value);
    yield line({ kind: 'snapshot', is: 'begin' });
    for (const change of archive.changes()) yield line(change);
    for (const [fingerprint, progress] of imports) yield line({ kind: 'import', fingerprint, progress });
    for (const [source, position] of positions) yield line({ kind: 'position', source, ...position });
    yield line({ kind: 'snapshot', is: 'end' });
  }
  await journal.rewrite(lines);
  archive.advanceTo(journal.lastSeq);
}

/** The number of records from which an import saves tables: a start replays fewer fast enough. */
const minRecordsToSave = 100_000;

/**
 * Opens the archive of a store for an import without a server. Closes the store if that fails. Throws StoreError. After the import
 * of `minRecords` into an empty archive, `close` saves the tables. Any other archive can have an event log: its next start replays
 * the imported records to publish their events.
 */
export async function openArchiveSink(
  store: Store,
  minRecords = minRecordsToSave,
): Promise<{ sink: ImportSink; close(): Promise<void> }> {
  try {
    const sink = await openArchive(store);
    const wasEmpty = sink.archive.revision === 0;
    const close = async (): Promise<void> => {
      try {
        if (wasEmpty && sink.archive.revision >= minRecords) await sink.saveTables();
      } catch (error) {
        // The records are durable: the next start replays them.
        if (!(error instanceof StoreError)) throw error;
      } finally {
        await store.close();
      }
    };
    return { sink, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}
