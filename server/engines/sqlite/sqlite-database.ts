/** A connection to a SQLite file. All access to `node:sqlite` goes through this module. */
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { Fragment, type Insertion, type RunSql } from '../../archive/sql.ts';
import { insertionText, rendered } from './sqlite-dialect.ts';
import { storeErrorOf } from './sqlite-error.ts';

/** Integers beyond the safe ones are texts in rows, and BigInt in parameters. */
export type Value = string | number | bigint | null;
export type Row = Readonly<Record<string, string | number | null>>;

export interface SqliteOptions {
  readonly readOnly?: boolean;
  /** The size of the page cache in megabytes. */
  readonly cacheMb?: number;
  /** How long a statement waits for a lock of another program, in milliseconds. */
  readonly busyMs?: number | undefined;
  /** Gets each error of the file. */
  readonly onError?: (error: unknown) => void;
}

interface Prepared {
  readonly statement: StatementSync;
  /** The names of the columns of its rows. */
  readonly names: readonly string[];
}

/**
 * Prepares each statement once. Throws StoreError where the file cannot be used, and errors of `node:sqlite` for a faulty statement.
 *
 * Integers are bound as BigInt: `node:sqlite` binds a number as a floating-point value, and FTS5 ignores such a limit of the rowid, so
 * that a page in the middle of a large archive would read everything before it.
 */
export class SqliteDatabase {
  readonly path: string;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();
  #writes = 0;

  constructor(path: string, { readOnly = false, cacheMb = 16, busyMs = 5000, onError }: SqliteOptions = {}) {
    this.path = path;
    this.#onError = onError;
    this.#database = this.#try(() => new DatabaseSync(path, { readOnly }));
    try {
      this.script(
        `PRAGMA busy_timeout = ${busyMs}; PRAGMA cache_size = ${-1024 * cacheMb}; PRAGMA temp_store = MEMORY;`,
      );
      if (!readOnly)
        this.script(`
          PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
          PRAGMA fullfsync = 1; PRAGMA wal_autocheckpoint = 0;`);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Runs statements without parameters. */
  script(text: string): void {
    this.#try(() => this.#database.exec(text));
  }

  /** Makes a function available to SQL that returns whether something is true. */
  predicate(name: string, test: (...values: readonly Value[]) => boolean): void {
    this.#database.function(name, { deterministic: true, varargs: true }, (...values) =>
      test(...(values as Value[])) ? 1 : 0,
    );
  }

  /** Runs a statement of either engine, at once. Rejects with StoreError where the file cannot be used. */
  readonly runSql: RunSql = async <Found extends object>(statement: Fragment | Insertion) => {
    if (!(statement instanceof Fragment)) {
      this.insert(statement);
      return [];
    }
    const { text, params } = rendered(statement);
    return this.all<Found>(text, ...params);
  };

  /** The number of the last record of a log, also of one without its text; 0 for an empty log. Throws StoreError. */
  lastSeqOf(log: string): number {
    return this.first<{ seq: number }>('SELECT seq FROM change WHERE log = ? ORDER BY seq DESC LIMIT 1', log)?.seq ?? 0;
  }

  /** The number of calls of `insert` and `run`. */
  get writes(): number {
    return this.#writes;
  }

  /** Inserts rows, each document with its checksum. Throws StoreError where the file cannot be used. */
  insert(insertion: Insertion): void {
    if (insertion.rows.length === 0) return;
    this.#writes++;
    const columns = Object.keys(insertion.rows[0] ?? {});
    const checked = columns.find((name) => name === 'document' || name === 'record');
    const written = checked === undefined ? columns : [...columns, 'crc'];
    const { statement } = this.#prepared(insertionText(insertion, written));
    this.#try(() => {
      for (const row of insertion.rows) {
        const values = columns.map((name) => stored(row[name] ?? null));
        if (checked !== undefined) values.push(checksumOf(row[checked] ?? null));
        statement.run(...values);
      }
    });
  }

  all<Found extends object = Row>(text: string, ...params: readonly (Value | boolean)[]): Found[] {
    const { statement, names } = this.#prepared(text);
    const rows = this.#try(() => statement.all(...params.map(bound)));
    return rows.map((row) => rowOf(names, row)) as Found[];
  }

  first<Found extends object = Row>(text: string, ...params: readonly (Value | boolean)[]): Found | undefined {
    const { statement, names } = this.#prepared(text);
    const row = this.#try(() => statement.get(...params.map(bound)));
    return row && (rowOf(names, row) as Found);
  }

  /** The rows one by one, with a statement of their own. Throws StoreError at the first row that cannot be read. */
  *rows<Found extends object = Row>(text: string, ...params: readonly Value[]): Generator<Found, void> {
    const { statement, names } = this.#prepare(text);
    const iterator = this.#try(() => statement.iterate(...params.map(bound)));
    for (;;) {
      const { done, value } = this.#try(() => iterator.next());
      if (done === true) return;
      yield rowOf(names, value) as Found;
    }
  }

  run(text: string, ...params: readonly (Value | boolean)[]): void {
    this.#writes++;
    const { statement } = this.#prepared(text);
    this.#try(() => statement.run(...params.map(bound)));
  }

  #try<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      const failure = storeErrorOf(error, this.path);
      this.#onError?.(failure);
      throw failure;
    }
  }

  /**
   * Commits what `work` has changed, or undoes it where `work` rejects. Until then, nothing else may use this connection. Rejects with
   * StoreError where the file cannot be used.
   */
  async asyncTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    this.script('BEGIN IMMEDIATE');
    try {
      const result = await work();
      this.script('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Whether a transaction has begun. An error of the disk can end it. */
  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Undoes the transaction. An error can have ended it, and the same error can meet its end: SQLite undoes it then. */
  rollBack(): void {
    try {
      if (this.isTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // The caller gets the first error.
    }
  }

  /** Commits what `work` has changed, or undoes it where `work` throws. */
  transaction<Result>(work: () => Result): Result {
    this.script('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.script('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Reads the state of one moment. `read` does not wait for anything. */
  snapshot<Result>(read: () => Result): Result {
    if (this.isTransaction) return read();
    this.script('BEGIN');
    try {
      return read();
    } finally {
      this.script('COMMIT');
    }
  }

  /**
   * Copies the file as it is now to a path without a file, some pages at a time. `onProgress` gets the copied and the total number of pages.
   * Nothing else may use this connection meanwhile. Rejects with StoreError.
   */
  async copyTo(
    path: string,
    { pages, onProgress }: { readonly pages: number; readonly onProgress: (copied: number, total: number) => void },
  ): Promise<void> {
    // The transaction holds the state: without it, each change of another connection would begin the copy anew.
    this.script('BEGIN');
    try {
      this.first('SELECT 1 AS found FROM sqlite_schema');
      await backup(this.#database, path, {
        rate: pages,
        progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
      }).catch((error: unknown) => Promise.reject(storeErrorOf(error, this.path)));
    } finally {
      this.rollBack();
    }
  }

  close(): void {
    this.#database.close();
  }

  #prepared(text: string): Prepared {
    let prepared = this.#statements.get(text);
    if (prepared === undefined) {
      // Texts of searches differ by the number of their filters: most come again.
      if (this.#statements.size >= maxStatements) this.#statements.clear();
      prepared = this.#prepare(text.replaceAll('social_data.', ''));
      this.#statements.set(text, prepared);
    }
    return prepared;
  }

  #prepare(text: string): Prepared {
    const statement = this.#try(() => this.#database.prepare(text));
    statement.setReadBigInts(true);
    // The objects that `node:sqlite` makes take longer to create and to read than those of `rowOf`.
    statement.setReturnArrays(true);
    return { statement, names: statement.columns().map(({ name }) => name) };
  }
}

const maxStatements = 500;

/** The checksum of a document or a record: the CRC-32 of its text. */
export const checksumOf = (text: Row[string] | boolean): number => crc32(String(text ?? ''));

const bound = (value: Value | boolean): Value => {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
};

/** A value of a row to insert. The column makes an integer of a number, which costs less than a BigInt. */
const stored = (value: Value | boolean): Value => (typeof value === 'boolean' ? Number(value) : value);

/** A row as an object. Its integers are numbers, or texts where those are not safe. */
function rowOf(names: readonly string[], values: object): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index]!] = shortened((values as unknown[])[index]);
  return row;
}

function shortened(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
