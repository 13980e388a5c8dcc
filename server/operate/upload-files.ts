/** The files of uploads: the bytes of each that have arrived, and beside them what is known of the whole file. */
import { mkdir, open, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memberOf } from '../text/object.ts';

/** The file that the operator uploads, as the browser knows it. The same file resumes its upload. */
export interface FileFacts {
  readonly name: string;
  /** Its size in bytes. */
  readonly bytes: number;
  /** When it was changed last, in milliseconds since 1970. */
  readonly modified: number;
}

/** An upload on the disk. */
interface StoredUpload {
  readonly id: string;
  /** Undefined where they cannot be read, and for an upload that version 1.2.0 began. */
  readonly facts: FileFacts | undefined;
  readonly received: number;
  /** When the last part arrived, in milliseconds since 1970. */
  readonly activeAt: number;
}

const factsEnd = '.json';

function parsedFacts(text: string): FileFacts | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const [name, bytes, modified] = ['name', 'bytes', 'modified'].map((member) => memberOf(value, member));
    const isKnown = typeof name === 'string' && typeof bytes === 'number' && typeof modified === 'number';
    return isKnown ? { name, bytes, modified } : undefined;
  } catch {
    return undefined;
  }
}

export class UploadFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  path(id: string): string {
    return join(this.#folder, id);
  }

  /** Creates the folder of all uploads. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** The bytes of an upload that have arrived. */
  async received(id: string): Promise<number> {
    return (await stat(this.path(id)).catch(() => undefined))?.size ?? 0;
  }

  /** The bytes that the disk has free. */
  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  /** Stores what is known of the file, so that its upload is listed after a restart. */
  async describe(id: string, facts: FileFacts): Promise<void> {
    await writeFile(this.path(id) + factsEnd, JSON.stringify(facts), { mode: 0o600 });
  }

  /** Writes a part; it is on the disk when the promise resolves. */
  async write(id: string, offset: number, part: Buffer): Promise<void> {
    const file = await open(this.path(id), offset === 0 ? 'w' : 'r+', 0o600);
    try {
      await file.write(part, 0, part.length, offset);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async remove(id: string): Promise<void> {
    await rm(this.path(id), { force: true });
    await rm(this.path(id) + factsEnd, { force: true });
  }

  /** The uploads on the disk, the one without a part for the longest time first. */
  async list(): Promise<readonly StoredUpload[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = new Set(names.map((name) => (name.endsWith(factsEnd) ? name.slice(0, -factsEnd.length) : name)));
    const stored = await Promise.all([...ids].map((id) => this.#read(id)));
    return stored.toSorted((a, b) => a.activeAt - b.activeAt);
  }

  async #read(id: string): Promise<StoredUpload> {
    const [described, content, facts] = await Promise.all([
      stat(this.path(id) + factsEnd).catch(() => undefined),
      stat(this.path(id)).catch(() => undefined),
      readFile(this.path(id) + factsEnd, 'utf8').then(parsedFacts, () => undefined),
    ]);
    const activeAt = Math.max(described?.mtimeMs ?? 0, content?.mtimeMs ?? 0);
    return { id, facts, received: content?.size ?? 0, activeAt };
  }
}
