/** A connection to a SQLite file. All access to `node:sqlite` goes through this module. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export type Value = string | number | bigint | null;
export type Row = Readonly<Record<string, Value>>;

export interface SqliteOptions {
  readonly readOnly?: boolean;
  /** The size of the page cache in megabytes. */
  readonly cacheMb?: number;
}

/**
 * Prepares each statement once. Throws errors of `node:sqlite`.
 *
 * Integers are bound as BigInt: `node:sqlite` binds a number as a floating-point value, and FTS5 ignores such a limit of the rowid, so
 * that a page in the middle of a large archive would read everything before it.
 */
export class SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, { readOnly = false, cacheMb = 16 }: SqliteOptions = {}) {
    this.#database = new DatabaseSync(path, { readOnly });
    if (!readOnly)
      this.script(`
        PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
        PRAGMA fullfsync = 1; PRAGMA wal_autocheckpoint = 0;`);
    this.script(`PRAGMA busy_timeout = 5000; PRAGMA cache_size = ${-1024 * cacheMb}; PRAGMA temp_store = MEMORY;`);
  }

  /** Runs statements without parameters. */
  script(text: string): void {
    this.#database.exec(text);
  }

  /** Makes a function available to SQL that returns whether something is true. */
  predicate(name: string, test: (...values: readonly Value[]) => boolean): void {
    this.#database.function(name, { deterministic: true, varargs: true }, (...values) =>
      test(...(values as Value[])) ? 1 : 0,
    );
  }

  all<Found extends object = Row>(text: string, ...params: readonly Value[]): Found[] {
    return this.#prepared(text).all(...params.map(bound)) as Found[];
  }

  first<Found extends object = Row>(text: string, ...params: readonly Value[]): Found | undefined {
    return this.#prepared(text).get(...params.map(bound)) as Found | undefined;
  }

  run(text: string, ...params: readonly Value[]): void {
    this.#prepared(text).run(...params.map(bound));
  }

  /** Commits what `work` has changed, or undoes it where `work` throws. */
  transaction<Result>(work: () => Result): Result {
    this.script('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.script('COMMIT');
      return result;
    } catch (error) {
      this.script('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #prepared(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      // Texts of searches differ by the number of their filters: most come again.
      if (this.#statements.size >= maxStatements) this.#statements.clear();
      statement = this.#database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

const maxStatements = 500;

const bound = (value: Value): Value =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
