/** Copies a database into the format of a data directory: as a backup, or to go on without the database. */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreError } from '../ports/storage.ts';
import { createFolder, DurableJSONFile, syncFolder } from '../storage/lowdb/durable-file.ts';
import { verifyBackup, type Backup } from '../storage/lowdb/backup.ts';
import { createEmptyFolder } from './empty-folder.ts';
import { writeJournal, type NumberedRecord } from '../storage/lowdb/journal-writer.ts';
import type { Run, RunAny } from '../storage/postgres/database.ts';
import { openPostgresStore } from '../storage/postgres/postgres-store.ts';
import {
  countInstances,
  listDocuments,
  listLogs,
  readChanges,
  readSnapshot,
  type ChangeRow,
  type DocumentRow,
} from '../storage/postgres/statements.ts';

/** Documents that only running instances need. */
const transient = new Set(['follow-status', 'follow-requests', 'vacuum']);
/** The journal of the archive, and the log that tables have in its place. */
const [archiveJournal, tablesLog] = ['archive', 'tables'];
/** A backup leaves the event log out, as that of a data directory does. */
const eventLog = { journal: 'events', documents: new Set(['events/log']) } as const;
const pageRows = 5_000;

export interface CopyOptions {
  /** Where the database has the data: in the log of an archive in memory, or in tables. */
  readonly platform: 'archive' | 'postgres' | 'sqlite';
  /** A backup has no event log, so that no event number is assigned twice. */
  readonly isBackup: boolean;
  /** Gets the number of copied records. */
  readonly onProgress?: (records: number) => void;
  /** Gets each record of the finished copy. The buffer is valid only during the call. */
  readonly inspect?: ((journal: string, record: Buffer) => void) | undefined;
}

/**
 * Copies the state of one moment to a folder that does not exist or is empty, and reads every line of the copy back. The numbers
 * of all records stay. Without `isBackup`, no instance may run. Rejects with StoreError; the folder is then empty.
 */
export async function copyDatabase(url: string, folder: string, options: CopyOptions): Promise<Backup> {
  const usesTables = options.platform === 'postgres';
  const store = await openPostgresStore({ url, listens: false, usesTables });
  try {
    if (usesTables) await (await import('../platforms/postgres/open-tables.ts')).requireTables(store.database);
    if (!options.isBackup) await requireNoInstance(store.database.run);
    await createEmptyFolder(folder);
    try {
      // One snapshot: what an instance writes meanwhile is in no part of the copy.
      const journals = await store.database.transaction(async (run) => {
        await run(readSnapshot);
        return copyAll(run, folder, options);
      });
      await syncFolder(folder);
      return await verifyBackup(folder, journals, options.inspect);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  } finally {
    await store.close();
  }
}

async function requireNoInstance(run: Run): Promise<void> {
  const [row] = await run<{ n: string }>(countInstances);
  if (row?.n !== '0') throw new StoreError('instances use the database: stop them first');
}

/** Returns the names of the copied journals. */
async function copyAll(
  run: RunAny,
  folder: string,
  { isBackup, onProgress, platform }: CopyOptions,
): Promise<string[]> {
  const logs = (await run<{ log: string }>(listLogs)).map(({ log }) => log);
  const journals = logs.filter((log) => !(isBackup && log === eventLog.journal) && log !== tablesLog);
  if (platform === 'postgres') journals.unshift(archiveJournal);
  if (!journals.includes(archiveJournal)) throw new StoreError('the database contains no data of this service');
  const fromTables = platform === 'postgres' ? (await import('./tables-copy.ts')).writeTablesAsJournal : undefined;
  let copied = 0;
  for (const log of journals) {
    const progress = (records: number): void => onProgress?.(copied + records);
    const path = join(folder, log);
    copied +=
      log === archiveJournal && fromTables !== undefined
        ? await fromTables(run, path, progress)
        : await copyLog(run, log, path, progress);
  }
  const documents = await run<DocumentRow & { readonly name: string }>(listDocuments);
  for (const { name, value } of documents) {
    if (transient.has(name) || (isBackup && eventLog.documents.has(name))) continue;
    const path = join(folder, `${name}.json`);
    await createFolder(dirname(path));
    await new DurableJSONFile<object>(path).write(JSON.parse(value) as object);
  }
  return journals;
}

async function copyLog(run: Run, log: string, folder: string, onProgress: (records: number) => void): Promise<number> {
  let last = 0;
  let copied = 0;
  async function* pages(): AsyncGenerator<NumberedRecord[], void> {
    for (let isLast = false; !isLast;) {
      const rows = await run<ChangeRow>(readChanges(log, last + 1, pageRows));
      last = Number(rows.at(-1)?.seq ?? last);
      isLast = rows.length < pageRows;
      const page = rows.flatMap(({ seq, record }) => (record === null ? [] : [{ seq: Number(seq), record }]));
      copied += page.length;
      yield page;
      onProgress(copied);
    }
  }
  return writeJournal(folder, pages(), () => last);
}
