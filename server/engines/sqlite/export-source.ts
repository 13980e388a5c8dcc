/** The tables of a SQLite file as an export reads them. */
import type { ExportSource } from '../../archive/archive-engine.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { SqliteSearch } from './sqlite-search.ts';

/**
 * How long an export reads the state of one moment, in milliseconds. Meanwhile the write-ahead log cannot be emptied, and it grows with each
 * write. The rest of a longer export has each record in the state of the moment at which it is read.
 */
const defaultSnapshotMs = 10_000;

/** Opens a connection that only reads the file, apart from its temporary tables. Throws StoreError. */
export function openExportSource(path: string, snapshotMs = defaultSnapshotMs): ExportSource {
  const database = new SqliteDatabase(path, { readOnly: true });
  database.script('BEGIN');
  const timer = setTimeout(() => database.script('COMMIT'), snapshotMs).unref();
  let isClosed = false;
  return {
    run: database.runSql,
    search: new SqliteSearch(database),
    total: async () => undefined,
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(timer);
      database.close();
    },
  };
}
