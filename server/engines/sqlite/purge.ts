/** Removes the words of deleted tweets from the file. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../ports/storage.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** Called between two steps of long work: the work goes on when the promise resolves, and ends when it rejects. */
export type BetweenSteps = () => Promise<void>;

const wordTables = ['word', 'top_word', 'name_word'];
/** The pages that are merged at least before it is checked whether a call waits: some milliseconds. */
const pagesOfStep = 100;
/** A step ends after this time, and sooner where a call waits, in milliseconds. */
const stepMs = 25;
/** The time between two attempts to empty the write-ahead log, in milliseconds. */
const retryMs = 50;
/** How long a purge waits for the readers of the write-ahead log, in milliseconds. */
const maxWaitMs = 10_000;

/**
 * Merges the segments of the word tables until none has the words of a deleted tweet, and empties the write-ahead log. A word table without
 * content marks deleted rows only, and `secure-delete` of FTS5 has no effect on it. Returns the number of steps. Rejects with StoreError, also
 * where another program reads the log for longer than `waitMs`, and as `mergeWords`.
 */
export async function purgeWords(
  writer: SqliteWriter,
  { waitMs = maxWaitMs, between }: { readonly waitMs?: number; readonly between?: BetweenSteps | undefined } = {},
): Promise<number> {
  const steps = await mergeWords(writer, between);
  // A reader that began before the last step holds its pages back.
  const until = performance.now() + waitMs;
  while (!(await writer.maintain(truncateLog))) {
    if (performance.now() > until)
      throw new StoreError(
        'another program reads the database file without a pause, such as Litestream, and so keeps removed texts in its write-ahead log: end that program; the purge is tried again',
      );
    await sleep(retryMs);
  }
  return steps;
}

/**
 * Merges the segments of the word tables into one: a search looks a word up in each segment. Each step is a transaction, and others come
 * between two of them. Returns the number of steps. Rejects with StoreError, and as `between`.
 */
export async function mergeWords(writer: SqliteWriter, between: BetweenSteps = nextTurn): Promise<number> {
  let steps = 0;
  for (const table of wordTables) {
    // A negative number begins a merge of all segments; the next steps continue it.
    await mergeStep(writer, table, -pagesOfStep);
    do {
      steps++;
      await between();
    } while (await mergeStep(writer, table, pagesOfStep));
  }
  return steps;
}

/** The segments of a level from which FTS5 merges them while words are written, by its documentation. */
const usualMerge = 4;

/**
 * Whether FTS5 merges segments while words are written. Without that it merges 16 of a level at once, so a long import reads and writes its
 * words fewer times. The file keeps the setting. Throws StoreError.
 */
export function setMergesOften(database: SqliteDatabase, mergesOften: boolean): void {
  const wanted = mergesOften ? usualMerge : 0;
  const known = database.first<{ v: number }>("SELECT v FROM word_config WHERE k = 'automerge'")?.v ?? usualMerge;
  if (known !== wanted) database.run("INSERT INTO word (word, rank) VALUES ('automerge', ?)", wanted);
}

/** Writes the write-ahead log to the file and empties it. Returns false at once where a reader holds it back. */
export function truncateLog(database: SqliteDatabase): boolean {
  const [{ timeout } = { timeout: 0 }] = database.all<{ timeout: number }>('PRAGMA busy_timeout');
  // SQLite would wait for the reader, which can be on this thread.
  database.script('PRAGMA busy_timeout = 0');
  try {
    return database.first<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy !== 1;
  } finally {
    database.script(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/** Merges pages in one transaction. Resolves with whether more may be left. */
const mergeStep = (writer: SqliteWriter, table: string, pages: number): Promise<boolean> =>
  writer.transaction(async (database) => {
    const until = performance.now() + stepMs;
    for (let next = pages; merge(database, table, next); next = pagesOfStep)
      if (!(await writer.mayGoOn(until))) return true;
    return false;
  }, 'later');

/** Merges pages. Whether that changed more than its own statement, by the documentation of FTS5: less than two changes end a merge. */
function merge(database: SqliteDatabase, table: string, pages: number): boolean {
  const changes = (): number => database.first<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
  const before = changes();
  database.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages);
  return changes() - before >= 2;
}
