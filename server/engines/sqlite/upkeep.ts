/** What the writer of a SQLite file does from time to time: checkpoints, the purge, and what makes searches faster when the archive has grown. */
import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { contextOf } from '../../archive/writes/tweet-writer.ts';
import { oldJournalFolder } from '../../storage/database-file.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { mergeWords, purgeWords, truncateLog, type BetweenSteps } from './purge.ts';
import { TopTweets } from './sqlite-search-rows.ts';
import { writeWaitingWords } from './waiting-words.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

export interface SqliteUpkeepParts {
  readonly writer: SqliteWriter;
  /** The maximum time between a removal and the end of its text in the file, in milliseconds. */
  readonly withinMs: number;
  readonly onFailed: (error: unknown) => void;
  /** The write-ahead log was written to the file. */
  readonly onCheckpoint?: (ms: number) => void;
  /** The pages of the write-ahead log from which a check writes them to the file. */
  readonly maxLogPages?: number;
  /** A smaller archive has no table of the tweets with the most engagement: a ranking reads all matches. */
  readonly minTopTweets?: number;
}

/** The time between two checks, in milliseconds. */
const checkMs = 1_000;
/** How many checks come between two looks at the number of tweets, which reads an index. */
const checksOfTop = 60;
/** A purge is followed by so many times its duration without another one. */
const pauses = 20;
/** 16 MB. */
const defaultMaxLogPages = 4_096;
/** Long work waits while the log has so many times these pages, because searches that follow one another keep it from beginning anew. */
const fullLog = 8;
const waitMs = 100;
const defaultMinTopTweets = 10_000;
/** The table is filled in transactions that end after this time, and sooner where a call waits, in milliseconds. */
const stepMs = 60;
/** The words are merged and the table is built anew when the archive has so many times the tweets. */
const growth = 2;

export class SqliteUpkeep {
  readonly #parts: SqliteUpkeepParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #checkpointing: Promise<void> | undefined;
  readonly #stopped = new AbortController();
  #checks = 0;
  readonly #failing = new Set<string>();
  /** When the next purge may begin, by `performance.now`. */
  #purgeAfter = 0;

  constructor(parts: SqliteUpkeepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.check(), checkMs).unref();
  }

  /** Ends the work in progress at its next step. */
  stop(): void {
    clearInterval(this.#timer);
    this.#stopped.abort();
  }

  /** Resolves when the work in progress has ended. */
  async settled(): Promise<void> {
    await Promise.all([this.#running, this.#checkpointing]);
  }

  /** Does what is due, unless the check before is at work. Checkpoints come between the steps of long work, so the log stays small. */
  check(): void {
    this.#checkpointing ??= this.#try('checkpoint', () => this.#checkpoint()).finally(
      () => (this.#checkpointing = undefined),
    );
    this.#running ??= this.#try('check', () => this.#check()).finally(() => (this.#running = undefined));
  }

  /** Reports the first of several failures in sequence. */
  async #try(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failing.delete(name);
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      if (this.#failing.size === 0) this.#parts.onFailed(error);
      this.#failing.add(name);
    }
  }

  /** Removes the words of deleted tweets from the file now. Rejects with StoreError, and as `between`. */
  async purge(between?: BetweenSteps): Promise<void> {
    const { writer } = this.#parts;
    const start = performance.now();
    // They replace words of before, which are then removed with the others.
    await writeWaitingWords(writer);
    const last = await writer.maintain((database) => factOf(database, 'removed_last'));
    await purgeWords(writer, { between });
    // The journals of an earlier version have the texts too.
    const folder = await writer.maintain(({ path }) => dirname(path));
    await rm(join(folder, oldJournalFolder), { recursive: true, force: true });
    // What was removed during the purge is left for the next one.
    await writer.transaction(async (database) => {
      const newest = factOf(database, 'removed_last');
      if (newest === last) database.run("DELETE FROM meta WHERE name = 'removed_at'");
      else database.run("UPDATE meta SET value = ? WHERE name = 'removed_at'", String(newest));
    }, 'later');
    this.#purgeAfter = performance.now() + pauses * (performance.now() - start);
  }

  async #checkpoint(): Promise<void> {
    const { writer, onCheckpoint, maxLogPages = defaultMaxLogPages } = this.#parts;
    await writer.maintain((database) => {
      if (pagesOfLog(database) < maxLogPages) return;
      const began = performance.now();
      database.all('PRAGMA wal_checkpoint(PASSIVE)');
      onCheckpoint?.(performance.now() - began);
    });
  }

  /** Resolves when long work in the background may go on; rejects when it must end. */
  readonly #mayGoOn = async (): Promise<void> => {
    const { writer, maxLogPages = defaultMaxLogPages } = this.#parts;
    const { signal } = this.#stopped;
    const isFull = (database: SqliteDatabase): boolean =>
      pagesOfLog(database) >= fullLog * maxLogPages && !truncateLog(database);
    await nextTurn(undefined, { signal });
    while (await writer.maintain(isFull)) await sleep(waitMs, undefined, { signal });
  };

  async #check(): Promise<void> {
    const { writer, withinMs } = this.#parts;
    const removedAt = await writer.maintain((database) => factOf(database, 'removed_at'));
    // Half of the time passes at most before a purge, the other half is for the purge.
    const isDue = removedAt !== undefined && Date.now() - removedAt >= withinMs / 2;
    if (isDue && performance.now() >= this.#purgeAfter) await this.purge(this.#mayGoOn);
    if (this.#checks++ % checksOfTop === 0) await this.#checkGrowth();
  }

  async #checkGrowth(): Promise<void> {
    const { writer, minTopTweets = defaultMinTopTweets } = this.#parts;
    const built = (await writer.maintain((database) => factOf(database, 'top_tweets'))) ?? 0;
    const tweets = await writer.maintain(
      (database) => database.first<{ n: number }>('SELECT count(*) AS n FROM tweet_count')?.n ?? 0,
    );
    if (tweets < minTopTweets || tweets < growth * built) return;
    await mergeWords(writer, this.#mayGoOn);
    await this.#buildTop(tweets);
  }

  /** Fills the table of the tweets with the most engagement in steps. */
  async #buildTop(tweets: number): Promise<void> {
    const { writer } = this.#parts;
    const { signal } = this.#stopped;
    await writer.transaction(async (database) => new TopTweets(database).begin(), 'later');
    for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined;) {
      const from: number = after;
      after = await writer.transaction(async (database) => {
        const top = new TopTweets(database);
        const until = performance.now() + stepMs;
        let last: number | undefined = from;
        do last = await top.addPage(last, (page) => contextOf(database.runSql, page));
        while (last !== undefined && !signal.aborted && (await writer.mayGoOn(until)));
        return last;
      }, 'later');
      await this.#mayGoOn();
    }
    await writer.transaction(async (database) => {
      new TopTweets(database).end();
      database.run("INSERT OR REPLACE INTO meta VALUES ('top_tweets', ?)", String(tweets));
    }, 'later');
  }
}

/** The pages in the write-ahead log, also those that a checkpoint has written to the file. */
const pagesOfLog = (database: SqliteDatabase): number =>
  database.first<{ log: number }>('PRAGMA wal_checkpoint(NOOP)')?.log ?? 0;

/** A number that the file keeps. */
function factOf(database: SqliteDatabase, name: string): number | undefined {
  const row = database.first<{ value: string }>('SELECT value FROM meta WHERE name = ?', name);
  return row && Number(row.value);
}
