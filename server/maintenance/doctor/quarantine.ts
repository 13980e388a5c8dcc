/** The folder that a repair fills: the damaged files as they were, and the records that were taken out. */
import { copyFile, link, mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolder, syncFolder } from '../../storage/lowdb/durable-file.ts';

/** A record that a repair took out of a file. */
export interface RemovedRecord {
  readonly file: string;
  readonly line?: number;
  readonly offset?: number;
  readonly reason: string;
  /** The bytes as text; invalid UTF-8 is replaced, the damaged file has the exact bytes. */
  readonly text: string;
}

export class Quarantine {
  /** The name below the data directory. */
  readonly name: string;
  readonly #directory: string;
  readonly #kept = new Set<string>();
  #records: FileHandle | undefined;

  /** `now` in milliseconds since 1970 names the folder. It is created when something is put into it. */
  constructor(directory: string, now: number) {
    this.#directory = directory;
    this.name = `damaged-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  }

  /** Whether anything is in the folder. */
  get isUsed(): boolean {
    return this.#kept.size > 0 || this.#records !== undefined;
  }

  /** Keeps a file as it is now under the same path in the folder, once. The file may then be replaced, not changed. */
  async keep(file: string): Promise<void> {
    if (this.#kept.has(file)) return;
    const [from, to] = [join(this.#directory, file), this.#pathOf(file)];
    await createFolder(dirname(to));
    // A link needs no space, which a damaged disk may lack. Not all file systems have links.
    await link(from, to).catch(() => copyFile(from, to));
    this.#kept.add(file);
    await syncFolder(dirname(to));
  }

  /** Moves a file or folder into the folder. */
  async move(path: string): Promise<void> {
    this.#kept.add(path);
    const to = this.#pathOf(path);
    await createFolder(dirname(to));
    await rename(join(this.#directory, path), to);
    await syncFolder(dirname(to));
    await syncFolder(dirname(join(this.#directory, path)));
  }

  /** Writes down a record that is taken out. */
  async addRecord(record: RemovedRecord): Promise<void> {
    if (this.#records === undefined) {
      await mkdir(join(this.#directory, this.name), { recursive: true, mode: 0o700 });
      this.#records = await open(this.#pathOf('records.jsonl'), 'a', 0o600);
    }
    await this.#records.appendFile(`${JSON.stringify(record)}\n`);
  }

  async close(): Promise<void> {
    await this.#records?.sync();
    await this.#records?.close();
    if (this.isUsed) await syncFolder(this.#directory);
  }

  #pathOf(path: string): string {
    return join(this.#directory, this.name, path);
  }
}
