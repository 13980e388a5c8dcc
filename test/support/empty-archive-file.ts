/** An archive without content in a SQLite file. */
import { join } from 'node:path';
import { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import { createTables } from '../../server/engines/sqlite/sqlite-search-rows.ts';
import { temporaryFolder } from './folder.ts';

export interface EmptyArchiveFile {
  /** The paths of its folder and of the file. */
  readonly folder: string;
  readonly path: string;
  readonly database: SqliteDatabase;
  /** Closes the file, and removes its folder. */
  dispose(): Promise<void>;
}

/** Creates the file in a folder of its own. */
export async function emptyArchiveFile(): Promise<EmptyArchiveFile> {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'archive.db');
  const database = new SqliteDatabase(path);
  createTables(database);
  return {
    ...{ folder: folder.path, path, database },
    dispose: () => {
      database.close();
      return folder.dispose();
    },
  };
}
