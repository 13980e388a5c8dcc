/** Writes to a SQLite file in the thread of the caller. */
import { randomUUID } from 'node:crypto';
import type { ChangeOutcome } from '../../domain/records.ts';
import { SqlArchive, type Progress, type UnusableChange, type Written } from '../../archive/writes/sql-archive.ts';
import type { StoreError } from '../../ports/storage.ts';
import type { Change } from '../../archive/rules/change.ts';
import { eventRecord } from '../../archive/events/event-record.ts';
import type { FileHealth } from './file-health.ts';
import type { Batch, FileWriter, UpkeepOptions } from './file-writer.ts';
import { SqliteArchiveDatabase } from './sqlite-archive-database.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteWriter, type Appended, type Urgency } from './sqlite-writer.ts';
import { markRemoval, type WordTime } from './sqlite-search-rows.ts';
import { setMergesOften, truncateLog } from './purge.ts';
import { WaitingWords } from './waiting-words.ts';
import { SqliteUpkeep } from './upkeep.ts';

/** Words wait after a transaction with at most so many changes: those of a larger one cost less when they are written with it. */
const smallChanges = 100;
/** The longest transaction of an import while no call waits, in milliseconds: then come checkpoints. */
const longestMs = 1_000;

/** The number of changes that a transaction of an import applies beside requests before it looks whether a call waits. */
const sharedStep = 500;

export interface LocalWriterOptions {
  /** The clock of the events, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly health: FileHealth;
  /** No request waits, as in a command: transactions take as long as their call, and the write-ahead log grows to 256 MB. */
  readonly isAlone?: boolean;
  /** Gets what each transaction has appended to logs, before its calls resolve. */
  readonly onAppended?: (appended: Appended) => void;
}

export class LocalWriter implements FileWriter {
  readonly #database: SqliteDatabase;
  readonly #health: FileHealth;
  readonly #isAlone: boolean;
  readonly #writer: SqliteWriter;
  readonly #archives: Readonly<Record<'small' | 'large' | 'smallImport' | 'imported', SqlArchive>>;
  readonly #words: WaitingWords;
  readonly #followers = new Map<string, (appended: Appended) => void>();
  /** Ends with the last import: the steps of two of them would be mixed. */
  #imported: Promise<unknown> = Promise.resolve();
  #mergesOften = true;
  #onFailed: (error: unknown) => void = () => {};
  #upkeep: SqliteUpkeep;

  /** `database`: nothing else uses the connection. */
  constructor(database: SqliteDatabase, { now, health, isAlone = false, onAppended }: LocalWriterOptions) {
    this.#database = database;
    this.#isAlone = isAlone;
    this.#health = health;
    this.#writer = new SqliteWriter(database, {
      health,
      follower: (appended) => {
        onAppended?.(appended);
        this.#followers.get(appended.log)?.(appended);
      },
    });
    const archive = (urgency: Urgency, words: WordTime): SqlArchive =>
      new SqlArchive(new SqliteArchiveDatabase(this.#writer, { urgency, words }), { eventRecord, now });
    this.#archives = {
      small: archive('now', 'later'),
      large: archive('now', 'now'),
      smallImport: archive('later', 'later'),
      imported: archive('later', 'now'),
    };
    this.#words = new WaitingWords(this.#writer, (error) => this.#onFailed(error));
    this.#upkeep = this.#upkeepOf({ withinMs: Number.POSITIVE_INFINITY, buildsTop: false });
  }

  #upkeepOf({ withinMs, buildsTop }: UpkeepOptions): SqliteUpkeep {
    return new SqliteUpkeep({
      ...(buildsTop ? {} : { minTopTweets: Number.POSITIVE_INFINITY }),
      ...{ writer: this.#writer, withinMs, onFailed: (error) => this.#onFailed(error) },
      onCheckpoint: (ms) => this.#health.noteCheckpoint(ms),
      ...(this.#isAlone ? { maxLogPages: 65_536 } : {}),
    });
  }

  get failed(): StoreError | undefined {
    return this.#writer.failed;
  }

  apply(changes: readonly Change[], progress?: Progress): Promise<Written> {
    const isSmall = changes.length <= smallChanges;
    if (progress === undefined || !('fingerprint' in progress))
      return this.#inOneStep(isSmall ? 'small' : 'large', changes, progress);
    const imported = this.#imported.then(() =>
      isSmall ? this.#inOneStep('smallImport', changes, progress) : this.#inSteps(changes, progress),
    );
    this.#imported = imported.catch(() => {});
    return imported;
  }

  async #inOneStep(
    archive: 'small' | 'large' | 'smallImport',
    changes: readonly Change[],
    progress: Progress | undefined,
  ): Promise<Written> {
    const written = await this.#archives[archive].transact(changes, progress);
    if (archive !== 'large') this.#words.wait(changes.length);
    return written;
  }

  async #inSteps(changes: readonly Change[], progress: Progress): Promise<Written> {
    const outcomes: ChangeOutcome[] = [];
    const unusable: UnusableChange[] = [];
    let lastEvent = 0;
    if (this.#isAlone) await this.#mergeOften(false);
    // An import that ends between two transactions begins with the first one again, which then changes nothing.
    for (;;) {
      const step = await this.#archives.imported.transact(changes.slice(outcomes.length), progress, {
        endsEarly: this.#endsForCalls(),
        // Fewer steps need fewer statements that look up what concerns their changes.
        stepSize: this.#isAlone ? undefined : sharedStep,
      });
      outcomes.push(...step.outcomes);
      unusable.push(...step.unusable);
      lastEvent = Math.max(lastEvent, step.lastEvent);
      if (outcomes.length === changes.length) return { outcomes, unusable, commit: step.commit, lastEvent };
    }
  }

  async #mergeOften(mergesOften: boolean): Promise<void> {
    if (mergesOften === this.#mergesOften) return;
    await this.#writer.maintain((database) => setMergesOften(database, mergesOften));
    this.#mergesOften = mergesOften;
  }

  /** Whether a transaction that begins now should end because a call waits, or because it is long. */
  #endsForCalls(): () => Promise<boolean> {
    let until: number | undefined;
    return async () => {
      until ??= this.#isAlone ? Number.POSITIVE_INFINITY : performance.now() + longestMs;
      return !(await this.#writer.mayGoOn(until));
    };
  }

  async append(log: string, batches: readonly Batch[]): Promise<void> {
    await this.#writer.transaction(async () => {
      for (const { batch, records } of batches) this.#writer.append(log, batch, records);
    });
  }

  async rewrite(log: string, records: readonly string[]): Promise<void> {
    await this.#writer.transaction(async (database) => {
      const last = this.#writer.lastOf(log);
      database.run('DELETE FROM change WHERE log = ? AND seq < ?', log, last);
      database.run('UPDATE change SET record = NULL WHERE log = ?', log);
      const rows = records.map((record, index) => ({ log, seq: last + 1 + index, record, batch: randomUUID() }));
      database.insert({ table: 'change', rows });
    });
    // The write-ahead log has the records of before, such as those of a conversation that has ended.
    if (await this.#writer.maintain(truncateLog)) return;
    await this.#writer.transaction(async (database) => markRemoval(database));
  }

  async trim(log: string, upTo: number): Promise<void> {
    await this.#writer.transaction(async (database) => {
      const last = this.#writer.lastOf(log);
      database.run('UPDATE change SET record = NULL WHERE log = ? AND seq = ? AND seq <= ?', log, last, upTo);
      database.run('DELETE FROM change WHERE log = ? AND seq <= ? AND seq < ?', log, upTo, last);
    });
  }

  async forget(name: string): Promise<void> {
    await this.#writer.transaction(async (database) => database.run('DELETE FROM meta WHERE name = ?', name));
  }

  purge(): Promise<void> {
    return this.#upkeep.purge();
  }

  follow(log: string, follower: (appended: Appended) => void): void {
    this.#followers.set(log, follower);
  }

  startUpkeep(options: UpkeepOptions, onFailed: (error: unknown) => void): void {
    this.#onFailed = onFailed;
    this.#upkeep = this.#upkeepOf(options);
    this.#upkeep.start();
    // Those of a process that was killed, as is the setting of an import.
    this.#words.writeSoon();
    if (this.#isAlone) return;
    this.#mergesOften = false;
    this.#mergeOften(true).catch((error: unknown) => this.#onFailed(error));
  }

  stopUpkeep(): void {
    this.#upkeep.stop();
  }

  async close(): Promise<void> {
    this.#upkeep.stop();
    await this.#upkeep.settled();
    await this.#words.close();
    // The next start tries it again.
    await this.#mergeOften(true).catch(() => {});
    await this.#writer.settled();
    this.#database.close();
  }
}
