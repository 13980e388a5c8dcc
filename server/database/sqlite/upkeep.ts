/** What the writer of a SQLite file does from time to time: checkpoints, the purge, and the table of the tweets with the most engagement. */
import { commitLog } from '../../archive/content/commit-log.ts';
import { contextOf } from '../../archive/writes/tweet-writer.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { purgeWords } from './purge.ts';
import { TopTweets } from './sqlite-search-rows.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

export interface SqliteUpkeepParts {
  readonly writer: SqliteWriter;
  /** The maximum time between a removal and the end of its text in the file, in milliseconds. */
  readonly withinMs: number;
  readonly onFailed: (error: unknown) => void;
}

/** The time between two checks, in milliseconds. */
const checkMs = 1_000;
/** The pages of the write-ahead log from which a check writes them to the file: 16 MB. */
const maxLogPages = 4_096;
/** A smaller archive has no table of the tweets with the most engagement: a ranking reads all matches. */
const minTopTweets = 10_000;
/** The table is built anew when the archive has so many times the tweets. */
const growth = 2;

export class SqliteUpkeep {
  readonly #parts: SqliteUpkeepParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: SqliteUpkeepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.check(), checkMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Resolves when the work in progress has ended. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Does what is due, after the check before. */
  check(): void {
    this.#running = this.#running.then(() => this.#check()).catch((error: unknown) => this.#parts.onFailed(error));
  }

  /** Removes the words of deleted tweets from the file now. Rejects with StoreError. */
  async purge(): Promise<void> {
    const { writer } = this.#parts;
    const commit = writer.lastOf(commitLog);
    await purgeWords(writer);
    await writer.maintain((database) => write(database, { purged_commit: commit, purged_at: Date.now() }));
  }

  async #check(): Promise<void> {
    const { writer, withinMs } = this.#parts;
    await writer.maintain((database) => {
      const { log } = database.first<{ log: number }>('PRAGMA wal_checkpoint(NOOP)') ?? { log: 0 };
      if (log >= maxLogPages) database.all('PRAGMA wal_checkpoint(PASSIVE)');
    });
    const { purged_commit: commit = 0, purged_at: at = 0, top_tweets: built = 0 } = await writer.maintain(read);
    // Half of the time passes at most before a purge, the other half is for the purge.
    if (writer.lastOf(commitLog) > commit && Date.now() - at >= withinMs / 2) await this.purge();
    const tweets = await writer.maintain(
      (database) => database.first<{ n: number }>('SELECT count(*) AS n FROM tweet_count')?.n ?? 0,
    );
    if (tweets >= minTopTweets && tweets >= growth * built) await this.#buildTop(tweets);
  }

  /** Fills the table of the tweets with the most engagement in steps. */
  async #buildTop(tweets: number): Promise<void> {
    const { writer } = this.#parts;
    await writer.transaction(async (database) => new TopTweets(database).begin());
    for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined;) {
      const from: number = after;
      after = await writer.transaction((database) =>
        new TopTweets(database).addPage(from, (page) => contextOf(database.runSql, page)),
      );
    }
    await writer.transaction(async (database) => {
      new TopTweets(database).end();
      write(database, { top_tweets: tweets });
    });
  }
}

const names = ['purged_commit', 'purged_at', 'top_tweets'] as const;
type Facts = Partial<Record<(typeof names)[number], number>>;

function read(database: SqliteDatabase): Facts {
  const rows = database.all<{ name: string; value: string }>('SELECT name, value FROM meta');
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
}

function write(database: SqliteDatabase, facts: Facts): void {
  for (const [name, value] of Object.entries(facts))
    database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', name, String(value));
}
