/**
 * A lowdb adapter whose write survives a crash: temporary file, fsync, rename, fsync of the folder. The last member of the object is the
 * CRC-32 of the text before it, so that no digit of a hash or a counter changes unseen.
 */
import { crc32 } from 'node:zlib';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Adapter } from 'lowdb';
import writeFileAtomic from 'write-file-atomic';
import { StoreError } from '../../ports/storage.ts';

/** Makes the names in a folder durable: a file is only safe when its folder says so. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder that may be missing, for this user only, and its name durable in the one above. */
export async function makeFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  for (let made = resolve(folder); made.length >= resolve(topmost).length; made = dirname(made))
    await syncFolder(dirname(made));
}

const crcOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');
const checksum = /,?"crc32":"([\da-f]{8})"\}\n$/;

/** The text of an object with its checksum. */
function sealed(data: object): string {
  const text = JSON.stringify(data);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"crc32":"${crcOf(text)}"}\n`;
}

/** The text that was sealed; as it is where it has no checksum; undefined where the checksum is not right. */
function unsealed(text: string): string | undefined {
  const found = checksum.exec(text);
  if (found === null) return text;
  const json = `${text.slice(0, found.index)}}`;
  return crcOf(json) === found[1] ? json : undefined;
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
      await this.#removeTemporaries();
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new StoreError(`${this.#file} cannot be read: ${(error as Error).message}`, { cause: error });
    }
    const json = unsealed(text);
    if (json === undefined) {
      throw new StoreError(
        `${this.#file} is damaged: put back a copy of it. If it was changed by hand, take its last member, crc32, out`,
      );
    }
    try {
      const data: unknown = JSON.parse(json);
      if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Data;
    } catch {
      // Said below, like every other content that is not ours.
    }
    const fault = text.length === 0 ? 'is empty' : 'is not a whole JSON object';
    throw new StoreError(
      `${this.#file} ${fault}: put back a copy of it, or move it away to begin without what it held`,
    );
  }

  async write(data: Data): Promise<void> {
    try {
      const text = sealed(data);
      await writeFileAtomic(this.#file, '', {
        mode: 0o600,
        // The package writes once and does not look how much was taken: on a full disk it would put a part in place of the whole.
        // So the text is written here, to its end or to an error, before the package syncs and renames the file.
        tmpfileCreated: (temporary) => writeFile(temporary, text),
      });
      await syncFolder(dirname(this.#file));
    } catch (error) {
      throw new StoreError(`${this.#file} cannot be written: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Removes what a process that was killed while it wrote has left: the name and a number. */
  async #removeTemporaries(): Promise<void> {
    const folder = dirname(this.#file);
    const prefix = `${basename(this.#file)}.`;
    for (const name of await readdir(folder)) {
      if (name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
        await rm(join(folder, name), { force: true });
    }
  }
}
