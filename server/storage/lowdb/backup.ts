/**
 * A copy of a data directory that may be in use. Each journal's catalogue is copied first, then the segments that it names: these only
 * grow, and what is beyond the size that the catalogue knows is read as what a crash would have left. So the copy is what was there
 * when its catalogue was read, and everything acknowledged before is in it.
 */
import { copyFile, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncFolder } from './durable-file.ts';
import { notFolder } from './file-fault.ts';
import type { Catalogue } from './file-journal.ts';
import { openLowdbStore } from './lowdb-store.ts';
import { StoreError } from '../../ports/storage.ts';

export interface Backup {
  readonly bytes: number;
  /** Records of each journal that was copied, by its name. */
  readonly records: Readonly<Record<string, number>>;
  /** How many records of the archive could not be applied, and are in no answer: the copy has them, too. */
  readonly setAside: number;
}

/**
 * The event log is not copied: a server that begins anew where the copy ends would give numbers a second time, and a listener that
 * resumes by one would be told the wrong events. Without it, the next start begins a log of another epoch.
 */
const leftOut = new Set(['events']);

/** A journal that is rewritten while it is copied is copied again; one that is so often is no longer believed. */
const mostTries = 20;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const handle = await open(to, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies a journal as it is at one moment. Throws StoreError. */
async function copyJournal(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await makeFolder(to);
    try {
      const text = await readFile(join(from, 'catalogue.json'), 'utf8');
      for (const { file } of (JSON.parse(text) as Catalogue).segments)
        await copyDurably(join(from, file), join(to, file));
      await writeFile(join(to, 'catalogue.json'), text, { mode: 0o600, flush: true });
      return await syncFolder(to);
    } catch (error) {
      // A segment that its catalogue no longer names was removed; the next catalogue is of what took its place.
      if (!isMissing(error) || tries === mostTries)
        throw new StoreError(`${from} cannot be copied: ${(error as Error).message}`, { cause: error });
      await rm(to, { recursive: true });
    }
  }
}

/** Refuses to mix a copy with what is there. */
async function makeEmpty(folder: string): Promise<void> {
  const there = await readdir(folder).catch((error: unknown) => (isMissing(error) ? [] : Promise.reject(error)));
  if (there.length > 0) throw new StoreError(`${folder} is not empty: name a folder that does not exist yet`);
  await makeFolder(folder);
}

/** Reads every line of the copied journals, and checks it. */
async function verify(directory: string, names: readonly string[]): Promise<Backup['records']> {
  const store = await openLowdbStore(directory);
  try {
    const records: Record<string, number> = {};
    for (const name of names) {
      const journal = await store.journal(name);
      records[name] = 0;
      await journal.replay(() => void records[name]!++);
    }
    return records;
  } finally {
    await store.close();
    await rm(join(directory, 'lock'), { force: true });
  }
}

/** How many records the list beside the archive names; 0 where there is no list. Throws StoreError where it cannot be read. */
async function countSetAside(directory: string): Promise<number> {
  const path = join(directory, 'set-aside.json');
  try {
    const { records } = JSON.parse(await readFile(path, 'utf8')) as { records?: unknown };
    return Array.isArray(records) ? records.length : 0;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw new StoreError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
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
 * Copies a data directory, in use or not, to a folder that does not exist or is empty, and reads the copy back. Throws StoreError
 * where that fails, or where there is nothing to copy.
 */
export async function backUp(directory: string, to: string): Promise<Backup> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: Error) => {
    const other = notFolder(directory);
    const reason = other === undefined ? error.message : `${other} is not a folder`;
    throw new StoreError(`${directory} cannot be read: ${reason}`, { cause: error });
  });
  const documents = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json')).map(({ name }) => name);
  const folders = entries.filter((entry) => entry.isDirectory() && !leftOut.has(entry.name)).map(({ name }) => name);
  const journals = (
    await Promise.all(
      folders.map(async (name) => ((await readdir(join(directory, name))).includes('catalogue.json') ? [name] : [])),
    )
  ).flat();
  if (journals.length === 0)
    throw new StoreError(`${directory} holds no data of this service: DATA_DIR names the folder`);
  await makeEmpty(to);
  for (const name of journals) await copyJournal(join(directory, name), join(to, name));
  for (const name of documents) await copyDurably(join(directory, name), join(to, name));
  await syncFolder(to);
  const records = await verify(to, journals);
  return { bytes: await sizeOf(to), records, setAside: await countSetAside(to) };
}
