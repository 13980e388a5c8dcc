/** The only connection that writes to a SQLite file, and the order of its transactions. */
import type { StoreError } from '../../ports/storage.ts';
import { FileHealth } from './file-health.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Records that a transaction has appended to a log; `first`: the number of the first one. */
export interface Appended {
  readonly log: string;
  readonly records: readonly string[];
  readonly first: number;
}

export class SqliteWriter {
  readonly #database: SqliteDatabase;
  readonly #health: FileHealth;
  readonly #followers = new Map<string, (appended: Appended) => void>();
  #last: Promise<unknown> = Promise.resolve();
  #appended: Appended[] = [];

  /** `database`: nothing else uses the connection. */
  constructor(database: SqliteDatabase, health = new FileHealth()) {
    this.#database = database;
    this.#health = health;
  }

  /** Why the file cannot be written now; each transaction, and an attempt each second, can end that. */
  get failed(): StoreError | undefined {
    return this.#health.failed;
  }

  /** Runs a transaction after those of earlier calls. Rejects with StoreError, and as the task does; then nothing is stored. */
  transaction<Result>(task: (database: SqliteDatabase) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => this.#transact(task));
    this.#last = result.catch(() => {});
    return result;
  }

  /** Runs a task outside of a transaction, after the transactions of earlier calls. */
  maintain<Result>(task: (database: SqliteDatabase) => Result): Promise<Result> {
    const result = this.#last.then(() => task(this.#database));
    this.#last = result.catch(() => {});
    return result;
  }

  /** Writes to the file, and changes nothing. Rejects with StoreError where that is not possible. */
  #probe(): Promise<void> {
    return this.maintain((database) =>
      database.transaction(() => database.run("INSERT OR REPLACE INTO meta VALUES ('probe', ?)", String(Date.now()))),
    );
  }

  /** Calls `follower` after each transaction that has appended records to a log. */
  follow(log: string, follower: (appended: Appended) => void): void {
    this.#followers.set(log, follower);
  }

  /** Appends records to a log within a transaction, and returns the number of the last one. */
  append(log: string, batch: string, records: readonly string[]): number {
    const last = this.lastOf(log);
    this.#database.insert({
      table: 'change',
      rows: records.map((record, index) => ({ log, seq: last + 1 + index, record, batch })),
    });
    this.#appended.push({ log, records, first: last + 1 });
    return last + records.length;
  }

  /** The number of the last record of a log, also of a removed one. */
  lastOf(log: string): number {
    return this.#database.lastSeqOf(log);
  }

  /** Resolves when all transactions have ended. */
  async settled(): Promise<void> {
    await this.#last;
  }

  async #transact<Result>(task: (database: SqliteDatabase) => Promise<Result>): Promise<Result> {
    // Each transaction would wait for the lock by itself.
    if (this.#health.failed?.fault === 'locked') throw this.#health.failed;
    this.#appended = [];
    const result = await this.#database
      .asyncTransaction(() => task(this.#database))
      .catch((error: unknown) => {
        this.#health.fail(error, () => this.#probe());
        throw error;
      });
    this.#health.recover();
    for (const appended of this.#appended) this.#followers.get(appended.log)?.(appended);
    return result;
  }
}
