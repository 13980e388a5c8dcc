/** Reads the journal of the archive: applies its lines, and sets aside each record that the archive cannot apply. */
import {
  jsonSection,
  readJson,
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { DomainEvent, PublishedEvent } from '../../domain/events.ts';
import type { ArchiveRecord, ChangeOutcome } from '../../domain/records.ts';
import type { ImportProgress } from '../../ports/import-sink.ts';
import type { PreparedTweet } from './prepared-tweets.ts';
import type { SourcePosition } from '../../ports/live-sink.ts';
import { StoreError, type Journal, type JournalPosition, type RecordPlace } from '../../ports/storage.ts';
import { Archive } from './archive.ts';
import { requireShape, time, UnusableRecord, type Change, type TweetAddition } from './change.ts';
import { JournalReplay, ThreadFailure, type ReplayOptions } from './journal-replay.ts';
import { RecordedDeletions } from './recorded-deletions.ts';
import type { SetAsideLog } from './set-aside.ts';
import { messageOf } from '../../text/error-text.ts';

/** The progress of an import, in the same append as its records and behind them, so that it is never durable without them. */
export type ImportLine = { kind: 'import'; fingerprint: string; progress: ImportProgress };
/** The position of a live source, in the same append as the records before it. */
export type PositionLine = { kind: 'position'; source: string; position: string; at: number };
/** Marks the start and the end of a snapshot: its records are older than any revision that a cursor may contain. */
export type SnapshotLine = { kind: 'snapshot'; is: 'begin' | 'end' };
/** What is applied to the state: a change, or how far a reader of data has come. */
export type AppliedLine = Change | ImportLine | PositionLine;
export type Line = AppliedLine | SnapshotLine;

/** Where a line stands in the journal. */
export interface LineContext {
  readonly seq: number;
  /** The size of the line. */
  readonly bytes: number;
  /** Whether to collect the events. */
  readonly publish: boolean;
  /** Whether the line is part of a snapshot. */
  readonly snapshot?: boolean;
}

/** The start of the line of a tweet, as this program writes it, and its maximum length. */
const tweetLine = /^\{"kind":"tweet","tweet":\{(?:"author_id":"\d+",)?"id":"(\d+)"/;
const maxTweetStart = 96;

/** The state after the replayed part of the journal. */
export class ArchiveState implements SavedTable {
  readonly archive = new Archive();
  readonly imports = new Map<string, ImportProgress>();
  /** By the name of the live source. */
  readonly positions = new Map<string, SourcePosition>();
  /** The number of the last line of each import, and of each position. */
  readonly #importSeqs = new Map<string, number>();
  readonly #positionSeqs = new Map<string, number>();
  /** The time of the first removal whose text may still be on the disk, in milliseconds since the epoch. */
  #purgeableSince: number | undefined;
  /** Bytes of lines that have no effect any more, by a rough count. */
  #supersededBytes = 0;
  #events: PublishedEvent[] = [];
  readonly #positionListeners = new Set<(source: string) => void>();

  /**
   * Applies a journal line. Throws UnusableRecord where the archive cannot apply the record; then only the revision
   * changes.
   */
  apply(line: AppliedLine | TweetAddition, { seq, bytes, publish, snapshot = false }: LineContext): ChangeOutcome {
    if (line.kind === 'import' || line.kind === 'position') {
      if (line.kind === 'position') requirePosition(line);
      this.archive.advanceTo(seq);
      if (this.#record(line, seq)) this.#supersededBytes += bytes;
      return 'unchanged';
    }
    const { outcome, events } = this.archive.apply(line, { seq, snapshot });
    if (outcome !== 'added') this.#supersededBytes += bytes;
    this.#supersededBytes += this.archive.takeRemovedBytes();
    this.#countRemoval(line, outcome, events);
    if (publish) for (const event of events) this.#events.push({ ...event, change: seq });
    return outcome;
  }

  /** Leaves out the record of a tweet that a deletion in the journal removes; `removedAt` is the time of that deletion. */
  skip(removedAt: number, { seq, bytes }: Pick<LineContext, 'seq' | 'bytes'>): void {
    this.archive.advanceTo(seq);
    this.#supersededBytes += bytes;
    this.#countPurgeable(removedAt);
  }

  /** Records how far a reader of data has come. Returns whether the line replaces an earlier one. */
  #record(line: ImportLine | PositionLine, seq: number): boolean {
    if (line.kind === 'import') {
      const isKnown = this.imports.has(line.fingerprint);
      this.imports.set(line.fingerprint, line.progress);
      this.#importSeqs.set(line.fingerprint, seq);
      return isKnown;
    }
    const { source, position, at } = line;
    const isKnown = this.positions.has(source);
    this.positions.set(source, { position, at });
    this.#positionSeqs.set(source, seq);
    for (const listener of this.#positionListeners) listener(source);
    return isKnown;
  }

  /** Calls `listener` with the source of each position that is applied from now on. */
  onPosition(listener: (source: string) => void): void {
    this.#positionListeners.add(listener);
  }

  /** Whether a line of the journal still has an effect. */
  needs(json: Buffer, seq: number): boolean {
    // Most lines of a journal: to parse a line costs more than all the rest.
    const [, tweetId] = tweetLine.exec(json.toString('latin1', 0, maxTweetStart)) ?? [];
    if (tweetId !== undefined && this.archive.isWholeIn(tweetId, seq)) return true;
    let line: Line;
    try {
      line = parseLine(json.toString());
    } catch {
      // The list of records that were set aside refers to it.
      return true;
    }
    if (line.kind === 'snapshot') return true;
    if (line.kind === 'import') return seq >= (this.#importSeqs.get(line.fingerprint) ?? 0);
    if (line.kind === 'position') return seq >= (this.#positionSeqs.get(line.source) ?? 0);
    return this.archive.needs(line, seq);
  }

  *save(): Sections {
    yield jsonSection([this.#supersededBytes, this.#purgeableSince ?? null]);
    for (const map of this.#maps()) yield* saveValues(map);
    yield* this.archive.save();
  }

  load(reader: SectionReader): void {
    const [bytes, since] = readJson<[number, number | null]>(reader);
    this.#supersededBytes = bytes;
    this.#purgeableSince = since ?? undefined;
    for (const map of this.#maps()) for (const [key, value] of readValues<[string, never]>(reader)) map.set(key, value);
    this.archive.load(reader);
  }

  #maps(): Map<string, unknown>[] {
    return [this.imports, this.positions, this.#importSeqs, this.#positionSeqs];
  }

  get purgeableSince(): number | undefined {
    return this.#purgeableSince;
  }

  get supersededBytes(): number {
    return this.#supersededBytes;
  }

  /** Starts the counts for the next purge, before a purge reads the journal. `undo` adds the old counts again. */
  startPurge(): { undo: () => void } {
    const [since, bytes] = [this.#purgeableSince, this.#supersededBytes];
    this.#purgeableSince = undefined;
    this.#supersededBytes = 0;
    return {
      undo: () => {
        if (since !== undefined) this.#purgeableSince = Math.min(since, this.#purgeableSince ?? since);
        this.#supersededBytes += bytes;
      },
    };
  }

  /** Records that the text of a removed tweet or account is on the disk. */
  #countRemoval(line: Change | TweetAddition, outcome: ChangeOutcome, events: readonly DomainEvent[]): void {
    if (line.kind === 'addition' && outcome === 'added') return;
    const removedAt = events.flatMap((event) => (event.event === 'tweet.deleted' ? event.tombstone.at : []));
    if ((line.kind === 'withdraw' || line.kind === 'evict' || line.kind === 'scrub_geo') && outcome !== 'unchanged')
      removedAt.push(time(line.at));
    // A record of a removed tweet that was on its way when the tweet was removed.
    if (outcome === 'unchanged' && this.archive.ignores(line)) removedAt.push(Date.now());
    for (const at of removedAt) this.#countPurgeable(at);
  }

  #countPurgeable(removedAt: number): void {
    if (this.#purgeableSince === undefined || removedAt < this.#purgeableSince) this.#purgeableSince = removedAt;
  }

  /** Returns the collected events and removes them. */
  drainEvents(): PublishedEvent[] {
    const drained = this.#events;
    this.#events = [];
    return drained;
  }
}

/** Throws UnusableRecord for a line without its members: another program may have written the journal. */
function requirePosition({ source, position, at }: PositionLine): void {
  if (typeof source !== 'string' || typeof position !== 'string' || typeof at !== 'number')
    throw new UnusableRecord('it is no position of a live source');
}

/** Parses a line of the journal. Throws UnusableRecord if it is not a JSON object. */
export function parseLine(json: string): Line {
  let line: unknown;
  try {
    line = JSON.parse(json);
  } catch (error) {
    throw new UnusableRecord(`broken JSON: ${messageOf(error)}`);
  }
  if (typeof line !== 'object' || line === null) throw new UnusableRecord('not a JSON object');
  return line as Line;
}

/** Applies a line, except the record of a tweet that a later deletion removes. */
function applyOrSkip(
  state: ArchiveState,
  deletions: RecordedDeletions,
  line: AppliedLine | TweetAddition,
  context: LineContext,
): void {
  const tweet = line.kind === 'tweet' ? line.tweet : line.kind === 'addition' ? line.tweet.head : undefined;
  const removedAt = tweet && deletions.removalOf(tweet);
  if (removedAt !== undefined) {
    if (line.kind === 'tweet') requireShape(line);
    return state.skip(removedAt, context);
  }
  if (line.kind === 'delete') deletions.reached(line);
  state.apply(line, context);
}

const newState = (): { state: ArchiveState; position: undefined } => ({
  state: new ArchiveState(),
  position: undefined,
});

/** The number of records that may fail halfway before the start gives up. */
const maxFailedRecords = 3;

/**
 * Replays the journal and sets aside each record that the archive cannot apply. A record that fails halfway, because of
 * a fault of this program, may leave a partial change: the function then replays everything without that record.
 * Collects the events of the changes after `checkpoint`, none if it is undefined. Throws StoreError if a file is
 * damaged, or if too many records fail halfway. `restored`: a state that contains the records up to a position already.
 */
export async function readJournal(
  journal: Journal,
  setAsideLog: SetAsideLog,
  checkpoint: number | undefined,
  restored?: { readonly state: ArchiveState; readonly position: JournalPosition },
  options: ReplayOptions = {},
): Promise<ArchiveState> {
  let [start, replayOptions, failures] = [restored, options, 0];
  for (;;) {
    const { state, position } = start ?? newState();
    start = undefined;
    let failed: { seq: number; place: RecordPlace; json: string; reason: string } | undefined;
    let snapshot = false;
    const deletions = await RecordedDeletions.read(journal, setAsideLog, checkpoint ?? Infinity, position);
    state.archive.isBulkLoading = true;
    const replay = new JournalReplay((bytes, seq, location, tweet) => {
      if (setAsideLog.has(seq, location)) return;
      try {
        const line = tweet === undefined ? parseLine(bytes.toString()) : additionOf(tweet, bytes);
        if (line.kind === 'snapshot') snapshot = line.is === 'begin';
        else {
          const publish = !snapshot && checkpoint !== undefined && seq > checkpoint;
          applyOrSkip(state, deletions, line, { seq, bytes: bytes.length, publish, snapshot });
        }
      } catch (error) {
        const [json, reason] = [bytes.toString(), messageOf(error)];
        if (error instanceof UnusableRecord) return void setAsideLog.add(seq, json, reason, location);
        failed = { seq, place: { ...location }, json, reason };
        throw error;
      }
    }, replayOptions);
    try {
      await journal.replay(
        (json, seq, place) => replay.add(json, seq, place),
        position,
        (isLast) => replay.settle(isLast),
      );
      state.archive.isBulkLoading = false;
      return state;
    } catch (error) {
      if (error instanceof ThreadFailure) {
        process.emitWarning(`${error.message}: the replay begins again without a second thread`);
        replayOptions = { ...options, threadBytes: Number.POSITIVE_INFINITY };
        continue;
      }
      if (failed === undefined) throw error;
      const { seq, place: location, json, reason } = failed;
      if (++failures === maxFailedRecords) {
        throw new StoreError(
          `archive/${location.segment}, line ${location.line} (byte ${location.offset}) cannot be applied: ${reason}`,
          { cause: error },
        );
      }
      setAsideLog.add(seq, json, reason, location);
    } finally {
      await replay.end();
    }
  }
}

/** The addition of a prepared tweet. `json`: its record, which is parsed where the archive has the tweet already. */
const additionOf = (tweet: PreparedTweet, json: Buffer): TweetAddition => ({
  kind: 'addition',
  tweet,
  whole: () => parseLine(json.toString()) as ArchiveRecord,
});
