/**
 * A lowdb adapter with durable writes: temporary file, fsync, rename, fsync of the folder. The last member of the
 * object is the CRC-32 of the text before it, so that damage to a hash or a counter is detected.
 */
import { crc32 } from 'node:zlib';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Adapter } from 'lowdb';
import writeFileAtomic from 'write-file-atomic';
import { StoreError } from '../../ports/storage.ts';
import { codeOf, messageOf } from '../../text/error-text.ts';
import { isObject } from '../../text/object.ts';

/**
 * Makes the directory entries of a folder durable: without that, a crash can lose a file although its content is
 * durable.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder if it is missing, readable for this user only, and makes its entry in the parent folder durable. */
export async function createFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  for (let created = resolve(folder); created.length >= resolve(topmost).length; created = dirname(created))
    await syncFolder(dirname(created));
}

const crcOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');
const checksumMember = /,?"crc32":"([\da-f]{8})"\}\n$/;

/** The JSON of an object with its checksum. */
function withChecksum(data: object): string {
  const text = JSON.stringify(data);
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"crc32":"${crcOf(text)}"}\n`;
}

/** The JSON without its checksum; the text itself if it has no checksum; undefined if the checksum is wrong. */
export function verifyChecksum(text: string): string | undefined {
  const match = checksumMember.exec(text);
  if (match === null) return text;
  const json = `${text.slice(0, match.index)}}`;
  return crcOf(json) === match[1] ? json : undefined;
}

/** Reads and writes one JSON object. `read` throws StoreError for a file that exists but is damaged. */
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
      if (codeOf(error) === 'ENOENT') return null;
      throw new StoreError(`${this.#file} cannot be read: ${messageOf(error)}`, { cause: error });
    }
    const json = verifyChecksum(text);
    if (json === undefined) {
      throw new StoreError(
        `${this.#file} is damaged: restore it from a backup. If you changed it by hand, remove its last member, crc32`,
      );
    }
    try {
      const data: unknown = JSON.parse(json);
      if (isObject(data)) return data as Data;
    } catch {
      // The error below covers invalid JSON and every other foreign content.
    }
    const reason = text.length === 0 ? 'is empty' : 'is not a whole JSON object';
    throw new StoreError(
      `${this.#file} ${reason}: restore it from a backup, or move it away to start without its data`,
    );
  }

  async write(data: Data): Promise<void> {
    try {
      const text = withChecksum(data);
      await writeFileAtomic(this.#file, '', {
        mode: 0o600,
        // The package calls write once and ignores the number of written bytes: on a full disk it would replace the
        // file with a truncated one. So this function writes the whole text or fails, before the package syncs and
        // renames the file.
        // oxlint-disable-next-line typescript/no-misused-promises -- the package awaits the promise; its types say void.
        tmpfileCreated: (temporary) => writeFile(temporary, text),
      });
      await syncFolder(dirname(this.#file));
    } catch (error) {
      throw new StoreError(`${this.#file} cannot be written: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Removes the temporary files of a process that was killed during a write: the file name and a number. */
  async #removeTemporaries(): Promise<void> {
    const folder = dirname(this.#file);
    const prefix = `${basename(this.#file)}.`;
    for (const name of await readdir(folder)) {
      if (name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
        await rm(join(folder, name), { force: true });
    }
  }
}
