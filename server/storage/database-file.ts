/** The names of the database file and of what is beside it in the data directory. */

/** The name of the file in the data directory. */
export const databaseFile = 'archive.db';
/** The name of the copy in a backup until it is whole. */
export const partialDatabaseFile = `${databaseFile}.partial`;
/** The folder for the journals of version 1.2 after an upgrade. It has texts: the first purge removes it. */
export const oldJournalFolder = 'journal-1.2';
