/** Applies the records of the archive's journal of version 1.2 to tables. */
import { toDatabaseId } from '../../archive/content/database-id.ts';
import type { ArchiveDatabase, ArchiveTransaction, SearchRows } from '../../archive/writes/archive-database.ts';
import { SqlArchive, type Progress } from '../../archive/writes/sql-archive.ts';
import { deletionsLast } from '../../archive/writes/sql-sink.ts';
import type { RunSql } from '../../archive/sql.ts';
import { prepare, requireShape, UnusableRecord, type Change } from '../../archive/rules/change.ts';
import type { ImportProgress } from '../../ports/import-sink.ts';
import type { EventRecord } from '../../archive/events/event-record.ts';
import { eventRecord } from '../../archive/events/event-record.ts';
import { messageOf } from '../../text/error-text.ts';
import type { OldRecord } from './old-journal.ts';

/** A line of the journal that is no change. */
type NoChange =
  | { readonly kind: 'snapshot'; readonly is: 'begin' | 'end' }
  | { readonly kind: 'import'; readonly fingerprint: string; readonly progress: ImportProgress }
  | { readonly kind: 'position'; readonly source: string; readonly position: string; readonly at: number };

/** How far the upgrade has come; it is durable together with the rows. */
export interface Reached {
  readonly seq: number;
  /** Whether the records that follow are of a snapshot: they are older than any revision that a cursor may contain. */
  readonly isSnapshot: boolean;
  /** The records so far, by kind. */
  readonly read: Readonly<Record<string, number>>;
  /** The last events of the old log, of a change whose other events a crash has left out. */
  readonly incomplete: readonly EventRecord[];
}

/** A transaction of the tables that get the records. */
export interface UpgradeTransaction {
  readonly run: RunSql;
  /** `arrivals`: the numbers at which new tweets have arrived, by their ids. */
  searchRows(commit: number, arrivals: ReadonlyMap<string, number>): SearchRows;
  /** Appends events to the event log. */
  appendEvents(batch: string, records: readonly string[]): Promise<void>;
  /** Writes the numbers at which tweets have arrived, by their stored ids, where they are others. */
  correctArrivals(arrivals: readonly (readonly [storedId: string, seq: number])[]): Promise<void>;
}

export interface OldRecordsParts {
  /** The number of the last record. */
  readonly lastSeq: number;
  /** Events of the records behind this number are not in the event log yet; undefined where there is no event log. */
  readonly checkpoint: number | undefined;
  /** Whether a record is a dead letter already. */
  readonly isDeadLetter: (record: OldRecord) => boolean;
  readonly addDeadLetters: (found: readonly UnusableOldRecord[]) => Promise<void>;
}

export interface UnusableOldRecord {
  readonly record: OldRecord;
  readonly reason: string;
}

/** Records of one step, which get the number of the last one as their commit. */
interface Step {
  readonly changes: Change[];
  readonly isSnapshot: boolean;
  readonly publishes: boolean;
  last: number;
}

const maxStep = 2_000;
/** Of this many last records, each group that was durable together is a step: rankings read their engagement as of such a commit. */
const exactTail = 5_000;

/** The kind of a record, for counts. */
export const kindOf = (json: string): string => /^\{"kind":"([a-z_]{1,20})"/.exec(json)?.[1] ?? 'other';

/**
 * Applies records behind `from` in a transaction. A record that cannot be applied becomes a dead letter. Returns how far that is. Rejects with
 * StoreError, and with another error for a fault of this program.
 */
export const applyRecords = (
  parts: OldRecordsParts,
  transaction: UpgradeTransaction,
  records: readonly OldRecord[],
  from: Reached,
): Promise<Reached> => new Application(parts, transaction, from).apply(records);

/** The application of the records of one transaction. */
class Application {
  readonly #parts: OldRecordsParts;
  readonly #transaction: UpgradeTransaction;
  readonly #records = new Map<Change, OldRecord>();
  readonly #unusable: UnusableOldRecord[] = [];
  #isSnapshot: boolean;
  #incomplete: readonly EventRecord[];
  readonly #from: Reached;
  #step: Step | undefined;
  #commit = 0;
  #publishes = false;
  #isSnapshotStep = false;
  #arrivals: ReadonlyMap<string, number> = new Map();

  constructor(parts: OldRecordsParts, transaction: UpgradeTransaction, from: Reached) {
    this.#parts = parts;
    this.#transaction = transaction;
    this.#from = from;
    this.#isSnapshot = from.isSnapshot;
    this.#incomplete = from.incomplete;
  }

  async apply(records: readonly OldRecord[]): Promise<Reached> {
    const read: Record<string, number> = { ...this.#from.read };
    for (const record of records) {
      const kind = kindOf(record.json);
      read[kind] = (read[kind] ?? 0) + 1;
      if (!this.#parts.isDeadLetter(record)) await this.#add(record);
    }
    await this.#endStep();
    if (this.#unusable.length > 0) await this.#parts.addDeadLetters(this.#unusable);
    const seq = records.at(-1)?.seq ?? this.#from.seq;
    return { seq, isSnapshot: this.#isSnapshot, read, incomplete: this.#incomplete };
  }

  async #add(record: OldRecord): Promise<void> {
    const { checkpoint, lastSeq } = this.#parts;
    try {
      const line = parsed(record.json);
      if (line.kind === 'snapshot') this.#isSnapshot = line.is === 'begin';
      else if (line.kind === 'import' || line.kind === 'position')
        await this.#archive(false).apply([], progressOf(line));
      else {
        prepare(() => requireShape(line));
        const publishes = !this.#isSnapshot && checkpoint !== undefined && record.seq > checkpoint;
        const step = this.#step;
        const isOver =
          step !== undefined &&
          (step.changes.length >= maxStep ||
            step.isSnapshot !== this.#isSnapshot ||
            step.publishes !== publishes ||
            (record.isGroupStart && record.seq > lastSeq - exactTail));
        if (isOver) await this.#endStep();
        this.#step ??= { changes: [], isSnapshot: this.#isSnapshot, publishes, last: 0 };
        this.#step.changes.push(line);
        this.#step.last = record.seq;
        this.#records.set(line, record);
      }
    } catch (error) {
      if (!(error instanceof UnusableRecord)) throw error;
      this.#unusable.push({ record, reason: error.message });
    }
  }

  async #endStep(): Promise<void> {
    const step = this.#step;
    this.#step = undefined;
    if (step === undefined) return;
    const { isSnapshot, publishes, last } = step;
    this.#commit = last;
    this.#publishes = publishes;
    this.#isSnapshotStep = isSnapshot;
    this.#arrivals = new Map(step.changes.toReversed().flatMap((change) => this.#arrivalOf(change)));
    // The order decides about the numbers of events.
    const changes = publishes || isSnapshot ? step.changes : deletionsLast(step.changes).map(({ record }) => record);
    const { outcomes, unusable } = await this.#archive(isSnapshot).apply(changes);
    for (const { change, reason } of unusable) {
      const record = this.#records.get(change);
      if (record !== undefined) this.#unusable.push({ record, reason });
    }
    await this.#correctArrivals(changes.filter((_, index) => outcomes[index] === 'added'));
    this.#records.clear();
  }

  /** The revision at which the tweet of a record arrived: pages of a ranking leave out later ones. */
  #arrivalOf(change: Change): [string, number][] {
    if (change.kind !== 'tweet') return [];
    const arrived = 'arrived' in change && typeof change.arrived === 'number' ? change.arrived : Infinity;
    return [[change.tweet.id, this.#isSnapshotStep ? 0 : Math.min(arrived, this.#records.get(change)?.seq ?? 0)]];
  }

  /** A record before the one that has added a tweet can have had no effect, and a tweet can have been removed and added again. */
  async #correctArrivals(added: readonly Change[]): Promise<void> {
    const arrivals = added.flatMap((change) => this.#arrivalOf(change));
    if (arrivals.length > 0)
      await this.#transaction.correctArrivals(arrivals.map(([id, seq]) => [toDatabaseId(id), seq]));
  }

  #archive(isSnapshot: boolean): SqlArchive {
    const database: ArchiveDatabase = { transaction: (task) => task(this.#part()) };
    return new SqlArchive(database, { eventRecord, now: Date.now, isSnapshot });
  }

  /** A part of the transaction. Its commit has the number of the last record. */
  #part(): ArchiveTransaction {
    const transaction = this.#transaction;
    return {
      run: transaction.run,
      lock: async () => this.#commit - 1,
      findBatch: async () => undefined,
      append: async (log, batch, records) => {
        if (log === 'events' && this.#publishes) await transaction.appendEvents(batch, this.#unknownEvents(records));
        return this.#commit;
      },
      trim: async () => {},
      searchRows: (commit) => transaction.searchRows(commit, this.#arrivals),
    };
  }

  /** Leaves out the events of the first change that are in the event log already. */
  #unknownEvents(records: readonly string[]): readonly string[] {
    const known = this.#incomplete;
    this.#incomplete = [];
    const isKnown = known.every((event, index) =>
      isSameEvent(event, JSON.parse(records[index] ?? '{}') as EventRecord),
    );
    return isKnown ? records.slice(known.length) : records;
  }
}

const isSameEvent = (a: EventRecord, b: EventRecord): boolean =>
  a.event === b.event && a.id === b.id && a.user_id === b.user_id;

/** Throws UnusableRecord. */
function parsed(json: string): Change | NoChange {
  let line: unknown;
  try {
    line = JSON.parse(json);
  } catch (error) {
    throw new UnusableRecord(`broken JSON: ${messageOf(error)}`);
  }
  if (typeof line !== 'object' || line === null) throw new UnusableRecord('not a JSON object');
  return line as Change | NoChange;
}

/** Throws UnusableRecord. */
function progressOf(line: Exclude<NoChange, { kind: 'snapshot' }>): Progress {
  if (line.kind === 'position') {
    const { source, position, at } = line;
    if (typeof source !== 'string' || typeof position !== 'string' || typeof at !== 'number')
      throw new UnusableRecord('it is no position of a live source');
    return { source, position: { position, at }, isShown: false };
  }
  const { fingerprint, progress } = line;
  if (typeof fingerprint !== 'string' || !Number.isSafeInteger(progress?.values))
    throw new UnusableRecord('it is no progress of an import');
  return { fingerprint, progress: { values: progress.values, done: progress.done === true } };
}
