/** The only connection that writes to a SQLite file, and the order of its transactions. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoreError } from '../../ports/storage.ts';
import { FileHealth } from './file-health.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Records that a transaction has appended to a log; `first`: the number of the first one, `batch`: what the append was called with. */
export interface Appended {
  readonly log: string;
  readonly batch: string;
  readonly records: readonly string[];
  readonly first: number;
}

/** `now`: what a caller waits for, such as a request or a live source. `later`: long work, such as an import or the upkeep. */
export type Urgency = 'now' | 'later';

interface Task {
  readonly run: (database: SqliteDatabase) => Promise<unknown>;
  readonly done: PromiseWithResolvers<unknown>;
}
interface Finished {
  readonly task: Task;
  readonly result: unknown;
}

/** The transaction of calls that waited together ends after this time, in milliseconds; so does that of long work when a call waits. */
const groupMs = 20;
/** The transaction of long work ends after this time. */
const longestMs = 200;

export interface SqliteWriterOptions {
  readonly health?: FileHealth;
  /** Gets what a transaction has appended to logs, after its end and before its calls resolve. */
  readonly follower?: (appended: Appended) => void;
}

/**
 * Calls that wait at the same time share a transaction, so one sync of the disk. A call that fails is undone by itself. Long work is done
 * while no call waits; while calls come all the time, it takes turns with them.
 */
export class SqliteWriter {
  readonly #database: SqliteDatabase;
  readonly #health: FileHealth;
  readonly #follower: (appended: Appended) => void;
  readonly #waiting: Record<Urgency, Task[]> = { now: [], later: [] };
  #outside: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #mayBeLater = false;
  #appended: Appended[] = [];

  /** `database`: nothing else uses the connection. */
  constructor(database: SqliteDatabase, { health = new FileHealth(), follower = () => {} }: SqliteWriterOptions = {}) {
    this.#database = database;
    this.#health = health;
    this.#follower = follower;
  }

  /** Why the file cannot be written now; each transaction, and an attempt each second, can end that. */
  get failed(): StoreError | undefined {
    return this.#health.failed;
  }

  /** Runs a task in a transaction. Rejects with StoreError, and as the task does; then nothing of it is stored. */
  transaction<Result>(run: (database: SqliteDatabase) => Promise<Result>, urgency: Urgency = 'now'): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting[urgency].push({ run, done: done as PromiseWithResolvers<unknown> });
    this.#start();
    return done.promise;
  }

  /**
   * Whether a transaction in steps may go on, at most until a time by `performance.now`: calls that have arrived are taken in a turn of the
   * event loop, and none of them waits then.
   */
  async mayGoOn(until: number): Promise<boolean> {
    await nextTurn();
    return this.#waiting.now.length === 0 && performance.now() < until;
  }

  /** Runs a task outside of a transaction. */
  maintain<Result>(task: (database: SqliteDatabase) => Result): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#outside.push(() => {
      try {
        done.resolve(task(this.#database));
      } catch (error) {
        done.reject(error);
      }
    });
    this.#start();
    return done.promise;
  }

  /** Writes to the file, and changes nothing. Rejects with StoreError where that is not possible. */
  #probe(): Promise<void> {
    return this.maintain((database) =>
      database.transaction(() => database.run("INSERT OR REPLACE INTO meta VALUES ('probe', ?)", String(Date.now()))),
    );
  }

  /** Appends records to a log within a transaction, and returns the number of the last one. */
  append(log: string, batch: string, records: readonly string[]): number {
    const last = this.lastOf(log);
    this.#database.insert({
      table: 'change',
      rows: records.map((record, index) => ({ log, seq: last + 1 + index, record, batch })),
    });
    this.#appended.push({ log, batch, records, first: last + 1 });
    return last + records.length;
  }

  /** The number of the last record of a log, also of a removed one. */
  lastOf(log: string): number {
    return this.#database.lastSeqOf(log);
  }

  /** Resolves when no work is left. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #start(): void {
    this.#running ??= this.#runAll();
  }

  async #runAll(): Promise<void> {
    const { now, later } = this.#waiting;
    for (;;) {
      // Calls that have arrived with this one come into the same transaction.
      await nextTurn();
      for (const task of this.#outside.splice(0)) task();
      if (now.length + later.length > 0) await this.#group(this.#nextUrgency());
      else if (this.#outside.length === 0) {
        this.#running = undefined;
        return;
      }
    }
  }

  #nextUrgency(): Urgency {
    const { now, later } = this.#waiting;
    if (now.length === 0) return 'later';
    const isLater = this.#mayBeLater && later.length > 0;
    this.#mayBeLater = !isLater;
    return isLater ? 'later' : 'now';
  }

  /** Runs tasks in one transaction. */
  async #group(urgency: Urgency): Promise<void> {
    const began = performance.now();
    const finished: Finished[] = [];
    let committing = began;
    this.#appended = [];
    let task = this.#waiting[urgency].shift();
    try {
      // Each transaction would wait for the lock by itself.
      if (this.#health.failed?.fault === 'locked') throw this.#health.failed;
      this.#database.script('BEGIN IMMEDIATE');
      for (; task !== undefined; task = await this.#another(urgency, performance.now() - began))
        await this.#runOne(task, finished);
      committing = performance.now();
      this.#database.script('COMMIT');
    } catch (error) {
      // The failed task is not among the finished ones where the whole transaction has ended with it.
      this.#database.rollBack();
      this.#health.fail(error, () => this.#probe());
      for (const each of [...finished.map((one) => one.task), ...(task === undefined ? [] : [task])])
        each.done.reject(error);
      return;
    }
    this.#health.noteCommit(performance.now() - committing);
    for (const appended of this.#appended) this.#follower(appended);
    for (const {
      task: { done },
      result,
    } of finished)
      done.resolve(result);
  }

  /** The next task for the transaction in progress. */
  async #another(urgency: Urgency, ms: number): Promise<Task | undefined> {
    const { now, later } = this.#waiting;
    if (urgency === 'now') return ms < groupMs ? now.shift() : undefined;
    await nextTurn();
    if (now.length > 0) return ms < groupMs ? now.shift() : undefined;
    return ms < longestMs ? later.shift() : undefined;
  }

  /** Throws where the transaction has ended with the task. */
  async #runOne(task: Task, finished: Finished[]): Promise<void> {
    const before = this.#appended.length;
    // The first one is alone: a savepoint costs a part of the statements of a small transaction.
    if (finished.length > 0) this.#database.script('SAVEPOINT call');
    try {
      const result = await task.run(this.#database);
      if (finished.length > 0) this.#database.script('RELEASE call');
      finished.push({ task, result });
    } catch (error) {
      if (finished.length === 0 || !this.#database.isTransaction) throw error;
      this.#database.script('ROLLBACK TO call; RELEASE call');
      this.#appended.length = before;
      task.done.reject(error);
    }
  }
}
