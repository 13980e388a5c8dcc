/** The database file in the data directory: its name, the names of what is beside it, and its state. */
import type { StoreError } from '../ports/storage.ts';

/** The name of the file in the data directory. */
export const databaseFile = 'archive.db';
/** The name of the copy in a backup until it is whole. */
export const partialDatabaseFile = `${databaseFile}.partial`;
/** The folder for the journals of version 1.2 after an upgrade. It has texts: the first purge removes it. */
export const oldJournalFolder = 'journal-1.2';

/** The state of the database file in the data directory. */
export interface DatabaseFileState {
  /** Why it cannot be written now. */
  readonly failed: StoreError | undefined;
  /** Whether a part of it was found damaged. */
  readonly isDamaged: boolean;
  /** The bytes of the file, and of the write-ahead log beside it. */
  sizes(): { readonly file: number; readonly log: number };
}
