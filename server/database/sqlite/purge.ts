/** Removes the words of deleted tweets from the file. */
import type { SqliteDatabase } from './sqlite-database.ts';

const wordTables = ['word', 'top_word', 'name_word'];
/** The pages that one step merges at least: a step takes some 25 ms. */
const pagesOfStep = 400;

/**
 * Merges the segments of the word tables until none has the words of a deleted tweet, and empties the write-ahead log. A word table without
 * content marks deleted rows only, and `secure-delete` of FTS5 has no effect on it. Each step is a transaction; the caller decides in
 * `pause` what comes between two of them. Returns the number of steps.
 */
export async function purgeWords(database: SqliteDatabase, pause: () => Promise<void>): Promise<number> {
  let steps = 0;
  for (const table of wordTables) {
    // A negative number begins a merge of all segments; the next steps continue it.
    mergeStep(database, table, -pagesOfStep);
    do {
      steps++;
      await pause();
    } while (mergeStep(database, table, pagesOfStep));
  }
  // A reader that began before the last step holds its pages back.
  while (database.first<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 1) await pause();
  return steps;
}

/** Whether a step has changed more than its own statement, by the documentation of FTS5: less than two changes end a merge. */
function mergeStep(database: SqliteDatabase, table: string, pages: number): boolean {
  const changes = (): number => database.first<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
  const before = changes();
  database.transaction(() => database.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages));
  return changes() - before >= 2;
}
