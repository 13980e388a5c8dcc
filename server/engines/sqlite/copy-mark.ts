/** The mark of a database file that is a copy: see `endCopy` of the port Store. */
import type { SqliteDatabase } from './sqlite-database.ts';
import type { FileWriter } from './file-writer.ts';

/** The name in the table `meta`. */
export const copyMark = 'copied_at';

/** Removes the mark; undefined for a file without it. */
export function endCopyOf(reader: SqliteDatabase, writer: FileWriter): (() => Promise<void>) | undefined {
  if (reader.first('SELECT 1 FROM meta WHERE name = ?', copyMark) === undefined) return undefined;
  return () => writer.forget(copyMark);
}
