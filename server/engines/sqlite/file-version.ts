/** The marks in the header of a database file: that it is of this service, and the number of its schema. */
import { StoreError } from '../../ports/storage.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** “SoDa” in ASCII; `file` and other programs show it. */
const applicationId = 0x536f4461;
/** The number of the schema in tables.sql. */
const schemaVersion = 1;

/** Statements that mark a new file. */
export const schemaMarks = `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`;

/** Whether a file has no tables yet. Throws StoreError for a file of another program or of another version. */
export function isNewFile(database: SqliteDatabase, path: string): boolean {
  const numberOf = (pragma: string): number =>
    Object.values(database.first<Record<string, number>>(`PRAGMA ${pragma}`) ?? {})[0] ?? 0;
  const tables = database.first<{ n: number }>('SELECT count(*) AS n FROM sqlite_schema')?.n ?? 0;
  if (tables === 0) return true;
  if (numberOf('application_id') !== applicationId)
    throw new StoreError(`${path} is a database of another program: set DATA_DIR to another folder`);
  const version = numberOf('user_version');
  if (version > schemaVersion)
    throw new StoreError(
      `${path} is of a newer version of this service (schema ${version}, this version knows ${schemaVersion}): start that version, or restore a backup of before its start`,
    );
  if (version < schemaVersion)
    throw new StoreError(`${path} is of a version before the first release (schema ${version}): move it away`);
  return false;
}
