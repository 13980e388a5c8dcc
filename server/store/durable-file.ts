/** A lowdb adapter whose write survives a crash: temporary file, fsync, rename, fsync of the folder. */
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Adapter } from 'lowdb';
import writeFileAtomic from 'write-file-atomic';
import { StoreError } from './store.ts';

/** Makes the names in a folder durable: a file is only safe when its folder says so. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads and writes one JSON object. `read` throws StoreError for a file that is there but is not whole. */
export class DurableJSONFile<Data extends object> implements Adapter<Data> {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<Data | null> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new StoreError(`${this.#file} cannot be read: ${(error as Error).message}`, { cause: error });
    }
    try {
      const data: unknown = JSON.parse(text);
      if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Data;
    } catch {
      // Said below, like every other content that is not ours.
    }
    const fault = text.length === 0 ? 'is empty' : 'is not a whole JSON object';
    throw new StoreError(`${this.#file} ${fault}: put back a copy of it, or move it away to begin without what it held`);
  }

  async write(data: Data): Promise<void> {
    try {
      await writeFileAtomic(this.#file, `${JSON.stringify(data)}\n`, { mode: 0o600, fsync: true });
      await syncFolder(dirname(this.#file));
    } catch (error) {
      throw new StoreError(`${this.#file} cannot be written: ${(error as Error).message}`, { cause: error });
    }
  }
}
