/**
 * Copies a data directory that may be in use. For each journal it reads the catalogue first and then copies the
 * segments in it. Segments only grow, and a start treats an incomplete end beyond the size in the catalogue like the
 * rest of a crash. So the copy contains everything that was acknowledged before the catalogue was read.
 */
import { copyFile, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEmptyFolder } from '../../maintenance/empty-folder.ts';
import { createFolder, syncFolder } from './durable-file.ts';
import { notFolder } from '../../process/file-fault.ts';
import type { Catalogue } from './file-journal.ts';
import { openLowdbStore } from './lowdb-store.ts';
import { StoreError } from '../../ports/storage.ts';
import { codeOf, messageOf } from '../../text/error-text.ts';

export interface Backup {
  readonly bytes: number;
  /** The number of records of each copied journal, by the name of the journal. */
  readonly records: Readonly<Record<string, number>>;
  /** The number of records that the archive could not apply and that are in no response. The copy contains them too. */
  readonly setAside: number;
}

/**
 * The backup leaves out the event log: a server that continues from the copy would assign the same event numbers again,
 * and a client that resumes from such a number would receive wrong events. Without the log, the next start creates one
 * with a new epoch.
 */
const excluded = new Set(['events']);

/** The number of attempts to copy a journal. A rewrite during the copy makes another attempt necessary. */
const maxAttempts = 20;

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const handle = await open(to, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies a consistent state of a journal. Throws StoreError. */
async function copyJournal(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await createFolder(to);
    try {
      const text = await readFile(join(from, 'catalogue.json'), 'utf8');
      const { segments }: Catalogue = JSON.parse(text);
      for (const { file } of segments) await copyDurably(join(from, file), join(to, file));
      await writeFile(join(to, 'catalogue.json'), text, { mode: 0o600, flush: true });
      return await syncFolder(to);
    } catch (error) {
      // A rewrite or trim removed the segment: the next attempt reads the new catalogue.
      if (!isMissing(error) || attempt === maxAttempts)
        throw new StoreError(`${from} cannot be copied: ${messageOf(error)}`, { cause: error });
      await rm(to, { recursive: true });
    }
  }
}

/** Reads and checks every line of the copied journals; returns the number of records of each. */
async function verify(
  directory: string,
  names: readonly string[],
  inspect: (journal: string, record: Buffer) => void,
): Promise<Backup['records']> {
  const store = await openLowdbStore(directory);
  try {
    const records: Record<string, number> = {};
    for (const name of names) {
      const journal = await store.journal(name);
      records[name] = 0;
      await journal.replay((json) => {
        records[name]!++;
        inspect(name, json);
      });
    }
    return records;
  } finally {
    await store.close();
    await rm(join(directory, 'lock'), { force: true });
  }
}

/** The number of records in set-aside.json; 0 if there is no such file. Throws StoreError if it cannot be read. */
async function countSetAside(directory: string): Promise<number> {
  const path = join(directory, 'set-aside.json');
  try {
    const { records }: { records?: unknown } = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(records) ? records.length : 0;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw new StoreError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Copies a data directory, in use or not, to a folder that does not exist or is empty, and verifies the copy. `inspect`
 * gets each record of the copy; the buffer is valid only during the call. Throws StoreError where a step fails, or where
 * there is nothing to copy.
 */
export async function backUp(
  directory: string,
  to: string,
  inspect: (journal: string, record: Buffer) => void = () => {},
): Promise<Backup> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: Error) => {
    const fileInPath = notFolder(directory);
    const reason = fileInPath === undefined ? error.message : `${fileInPath} is not a folder`;
    throw new StoreError(`${directory} cannot be read: ${reason}`, { cause: error });
  });
  const documents = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json')).map(({ name }) => name);
  const folders = entries.filter((entry) => entry.isDirectory() && !excluded.has(entry.name)).map(({ name }) => name);
  const journals = (
    await Promise.all(
      folders.map(async (name) => ((await readdir(join(directory, name))).includes('catalogue.json') ? [name] : [])),
    )
  ).flat();
  if (journals.length === 0)
    throw new StoreError(`${directory} contains no data of this service: set DATA_DIR to its folder`);
  await createEmptyFolder(to);
  for (const name of journals) await copyJournal(join(directory, name), join(to, name));
  for (const name of documents) await copyDurably(join(directory, name), join(to, name));
  await syncFolder(to);
  const records = await verify(to, journals, inspect);
  return { bytes: await sizeOf(to), records, setAside: await countSetAside(to) };
}
