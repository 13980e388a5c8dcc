/** Applies the records of the archive's journal of version 1.2 to the tables of a SQLite file. */
import { toDatabaseId } from '../archive/content/database-id.ts';
import type { ArchiveDatabase, ArchiveTransaction } from '../archive/writes/archive-database.ts';
import { SqlArchive, type Progress } from '../archive/writes/sql-archive.ts';
import { deletionsLast } from '../archive/writes/tables-sink.ts';
import type { SqliteDatabase } from '../database/sqlite/sqlite-database.ts';
import { SqliteSearchRows } from '../database/sqlite/sqlite-search-rows.ts';
import { prepare, requireShape, UnusableRecord, type Change } from '../platforms/archive/change.ts';
import type { ImportProgress } from '../ports/import-sink.ts';
import { StoreError } from '../ports/storage.ts';
import type { EventRecord } from '../realtime/event-table.ts';
import { eventRecord } from '../realtime/journal-event-log.ts';
import { messageOf } from '../text/error-text.ts';
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

export interface OldRecordsParts {
  readonly database: SqliteDatabase;
  /** The number of the last record. */
  readonly lastSeq: number;
  /** Events of the records behind this number are not in the event log yet; undefined where there is no event log. */
  readonly checkpoint: number | undefined;
  /** Whether a record is set aside already. */
  readonly isSetAside: (record: OldRecord) => boolean;
  readonly setAside: (found: readonly UnusableOldRecord[]) => Promise<void>;
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

export class OldRecords {
  readonly #parts: OldRecordsParts;

  constructor(parts: OldRecordsParts) {
    this.#parts = parts;
  }

  /**
   * Applies records behind `from` in one transaction, in which `save` stores how far that is. A record that cannot be applied is set aside.
   * Rejects with StoreError; then nothing is stored.
   */
  async apply(records: readonly OldRecord[], from: Reached, save: (reached: Reached) => void): Promise<Reached> {
    try {
      return await this.#parts.database.asyncTransaction(async () => {
        const reached = await new Transaction(this.#parts, from).apply(records);
        save(reached);
        return reached;
      });
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const [first] = records;
      if (records.length > 1) {
        // A fault of this program: the record that shows it is found by halves.
        const half = Math.ceil(records.length / 2);
        return this.apply(records.slice(half), await this.apply(records.slice(0, half), from, save), save);
      }
      if (first === undefined) throw error;
      await this.#parts.setAside([{ record: first, reason: messageOf(error) }]);
      return this.apply(records, from, save);
    }
  }
}

/** The application of the records of one transaction. */
class Transaction {
  readonly #parts: OldRecordsParts;
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

  constructor(parts: OldRecordsParts, from: Reached) {
    this.#parts = parts;
    this.#from = from;
    this.#isSnapshot = from.isSnapshot;
    this.#incomplete = from.incomplete;
  }

  async apply(records: readonly OldRecord[]): Promise<Reached> {
    const read: Record<string, number> = { ...this.#from.read };
    for (const record of records) {
      const kind = kindOf(record.json);
      read[kind] = (read[kind] ?? 0) + 1;
      if (!this.#parts.isSetAside(record)) await this.#add(record);
    }
    await this.#endStep();
    if (this.#unusable.length > 0) await this.#parts.setAside(this.#unusable);
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
    this.#correctArrivals(changes.filter((_, index) => outcomes[index] === 'added'));
    this.#records.clear();
  }

  /** The revision at which the tweet of a record arrived: pages of a ranking leave out later ones. */
  #arrivalOf(change: Change): [string, number][] {
    if (change.kind !== 'tweet') return [];
    const arrived = 'arrived' in change && typeof change.arrived === 'number' ? change.arrived : Infinity;
    return [[change.tweet.id, this.#isSnapshotStep ? 0 : Math.min(arrived, this.#records.get(change)?.seq ?? 0)]];
  }

  /** A record before the one that has added a tweet can have had no effect, and a tweet can have been removed and added again. */
  #correctArrivals(added: readonly Change[]): void {
    const arrivals = added
      .flatMap((change) => this.#arrivalOf(change))
      .map(([id, seq]) => `[${toDatabaseId(id)},${seq}]`);
    this.#parts.database.run(
      `UPDATE tweet SET arrived_in = given.value ->> 1 FROM json_each(?) given
        WHERE tweet.id = given.value ->> 0 AND arrived_in <> given.value ->> 1`,
      `[${arrivals.join(',')}]`,
    );
  }

  #archive(isSnapshot: boolean): SqlArchive {
    const database: ArchiveDatabase = { transaction: (task) => task(this.#transaction()) };
    return new SqlArchive(database, { eventRecord, now: Date.now, isSnapshot });
  }

  /** A part of the transaction of the file. Its commit has the number of the last record. */
  #transaction(): ArchiveTransaction {
    const { database } = this.#parts;
    return {
      run: database.runSql,
      lock: async () => this.#commit - 1,
      findBatch: async () => undefined,
      append: async (log, batch, records) => {
        if (log === 'events' && this.#publishes) this.#publish(batch, records);
        return this.#commit;
      },
      trim: async () => {},
      searchRows: (commit) => new SqliteSearchRows(database, { commit, arrivals: this.#arrivals }),
    };
  }

  #publish(batch: string, records: readonly string[]): void {
    const { database } = this.#parts;
    const known = this.#incomplete;
    this.#incomplete = [];
    const isKnown = known.every((event, index) =>
      isSameEvent(event, JSON.parse(records[index] ?? '{}') as EventRecord),
    );
    const first = database.lastSeqOf('events') + 1;
    const rows = (isKnown ? records.slice(known.length) : records).map((record, index) => ({
      ...{ log: 'events', seq: first + index, record, batch },
    }));
    database.insert({ table: 'change', rows });
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
