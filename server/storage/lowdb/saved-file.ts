/**
 * A file with the state of the reader of a journal: sections, then a list of them with their checksums, then the size and the
 * checksum of that list. It replaces its predecessor by a rename, so a crash leaves the old file or the new one.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Section, SectionReader, Sections } from '../../collections/saved-table.ts';
import { StoreError, type SavedAbout, type SavedState } from '../../ports/storage.ts';
import { TimeSlice } from '../../process/time-slice.ts';
import { codeOf, messageOf } from '../../text/error-text.ts';
import { createFolder, syncFolder } from './durable-file.ts';

/** The last bytes of the file: they name the format. */
const magic = Buffer.from('sdtable1');
/** The size of the list as a 64-bit number, its checksum, and the magic bytes. */
const trailerBytes = 8 + 4 + magic.length;
/** The size of one write, and of the largest step between two turns of the event loop. */
const pieceBytes = 512 * 1024;
/** The maximum number of bytes of a UTF-16 unit in UTF-8. */
const maxBytesPerUnit = 3;

interface FileIndex {
  readonly about: SavedAbout;
  /** The size and the checksum of each section. */
  readonly sections: readonly (readonly [bytes: number, crc: number])[];
}

/** The bytes of a file. The caller closes the handle. */
export interface SavedBytes {
  readonly about: SavedAbout;
  readonly size: number;
  readonly handle: FileHandle;
}

export class SavedFile implements SavedState {
  readonly #path: string;

  /** `path`: the file. Its folder is created with the first write. */
  constructor(path: string) {
    this.#path = path;
  }

  get #temporary(): string {
    return `${this.#path}.new`;
  }

  async read(load: (about: SavedAbout, reader: SectionReader) => Promise<void>): Promise<'read' | 'none' | 'damaged'> {
    // Left by a crash in the middle of a write.
    await rm(this.#temporary, { force: true }).catch(() => {});
    return this.#open((sections) => load(sections.about, sections));
  }

  /** Whether the file is whole. Changes nothing. */
  async verify(): Promise<'read' | 'none' | 'damaged'> {
    return this.#open(async (sections) => {
      while (!sections.isAtEnd) {
        sections.into(Buffer.allocUnsafe(sections.nextBytes));
        await nextTurn();
      }
    });
  }

  async #open(use: (sections: FileSections) => Promise<void>): Promise<'read' | 'none' | 'damaged'> {
    let file: number;
    try {
      file = openSync(this.#path, 'r');
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? 'none' : 'damaged';
    }
    try {
      await use(new FileSections(file));
      return 'read';
    } catch {
      return 'damaged';
    } finally {
      closeSync(file);
    }
  }

  async write(about: SavedAbout, sections: Sections, mayContinue: () => boolean): Promise<boolean> {
    return this.#replace(async (handle) => new FileWriter(handle).write(about, sections, mayContinue));
  }

  /** Replaces the file by these bytes of another one. Rejects with StoreError, and with that of `pieces`; the file is then as it was. */
  async copyFrom(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#replace(async (handle) => {
      for await (const piece of pieces) await handle.appendFile(piece);
      return true;
    });
  }

  /** Replaces the file by what `write` writes, where it returns true. */
  async #replace(write: (handle: FileHandle) => Promise<boolean>): Promise<boolean> {
    try {
      await createFolder(dirname(this.#path));
      const handle = await open(this.#temporary, 'w', 0o600);
      let isWhole: boolean;
      try {
        isWhole = await write(handle);
        if (isWhole) await handle.sync();
      } finally {
        await handle.close();
      }
      if (isWhole) await rename(this.#temporary, this.#path);
      else await rm(this.#temporary, { force: true });
      await syncFolder(dirname(this.#path));
      return isWhole;
    } catch (error) {
      await rm(this.#temporary, { force: true }).catch(() => {});
      if (error instanceof StoreError) throw error;
      throw new StoreError(`${this.#path} cannot be written: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Opens the bytes of the file, which stay as they are when it is replaced or removed; undefined without a readable file. */
  async openBytes(): Promise<SavedBytes | undefined> {
    let handle: FileHandle;
    try {
      handle = await open(this.#path, 'r');
    } catch {
      return undefined;
    }
    try {
      const { about } = new FileSections(handle.fd);
      const { size } = await handle.stat();
      return { about, size, handle };
    } catch {
      await handle.close();
      return undefined;
    }
  }

  async remove(): Promise<void> {
    try {
      for (const path of [this.#path, this.#temporary]) await rm(path, { force: true });
    } catch (error) {
      throw new StoreError(`${this.#path} cannot be removed: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** Writes sections in pieces; between two pieces the process does other work. */
class FileWriter {
  readonly #handle: FileHandle;
  readonly #sections: [bytes: number, crc: number][] = [];
  /** Small sections that are written together. The memory is used again: new memory for each would cause collections of the whole heap. */
  readonly #piece = Buffer.allocUnsafeSlow(pieceBytes);
  #used = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Returns false where `mayContinue` returned false. */
  async write(about: SavedAbout, sections: Sections, mayContinue: () => boolean): Promise<boolean> {
    // Many small sections, which take longer to create than to write, are written together.
    const slice = new TimeSlice();
    for (const section of sections) {
      if (!mayContinue()) return false;
      await this.#add(section);
      if (slice.isOver) await slice.next();
    }
    await this.#flush();
    const index = Buffer.from(JSON.stringify({ about, sections: this.#sections } satisfies FileIndex));
    const trailer = Buffer.alloc(trailerBytes);
    trailer.writeBigUInt64LE(BigInt(index.length));
    trailer.writeUInt32LE(crc32(index), 8);
    magic.copy(trailer, 12);
    await this.#handle.appendFile(Buffer.concat([index, trailer]));
    return true;
  }

  async #add(section: Section): Promise<void> {
    const maxBytes = section.length * (typeof section === 'string' ? maxBytesPerUnit : 1);
    if (maxBytes > pieceBytes) return this.#addLarge(typeof section === 'string' ? Buffer.from(section) : section);
    if (maxBytes > pieceBytes - this.#used) await this.#flush();
    const start = this.#used;
    if (typeof section === 'string') this.#used += this.#piece.write(section, start);
    else {
      this.#piece.set(section, start);
      this.#used += section.length;
    }
    this.#sections.push([this.#used - start, crc32(this.#piece.subarray(start, this.#used))]);
  }

  async #addLarge(section: Uint8Array): Promise<void> {
    await this.#flush();
    let crc = 0;
    for (let from = 0; from < section.length; from += pieceBytes) {
      const piece = section.subarray(from, from + pieceBytes);
      crc = crc32(piece, crc);
      await this.#handle.appendFile(piece);
      await nextTurn();
    }
    this.#sections.push([section.length, crc]);
  }

  async #flush(): Promise<void> {
    if (this.#used === 0) return;
    await this.#handle.appendFile(this.#piece.subarray(0, this.#used));
    this.#used = 0;
    await nextTurn();
  }
}

/** Reads the sections of a file in order, and checks each. Throws for a damaged file. */
class FileSections implements SectionReader {
  readonly about: SavedAbout;
  readonly #file: number;
  readonly #sections: FileIndex['sections'];
  #next = 0;
  #offset = 0;

  constructor(file: number) {
    this.#file = file;
    const { size } = fstatSync(file);
    const trailer = this.#bytes(size - trailerBytes, trailerBytes);
    if (!trailer.subarray(12).equals(magic)) throw new Error('not a file of saved tables');
    const indexBytes = Number(trailer.readBigUInt64LE());
    const index = this.#bytes(size - trailerBytes - indexBytes, indexBytes);
    if (crc32(index) !== trailer.readUInt32LE(8)) throw new Error('the list of sections is damaged');
    const { about, sections } = JSON.parse(index.toString()) as FileIndex;
    this.about = about;
    this.#sections = sections;
  }

  get nextBytes(): number {
    return this.#section[0];
  }

  into(target: Uint8Array): void {
    const [bytes, crc] = this.#section;
    if (target.length !== bytes) throw new Error('a section has another size');
    this.#read(target, this.#offset);
    if (crc32(target) !== crc) throw new Error('a section is damaged');
    this.#offset += bytes;
    this.#next++;
  }

  get isAtEnd(): boolean {
    return this.#next === this.#sections.length;
  }

  get #section(): readonly [bytes: number, crc: number] {
    const section = this.#sections[this.#next];
    if (section === undefined) throw new Error('there is no further section');
    return section;
  }

  #bytes(offset: number, length: number): Buffer {
    if (offset < 0) throw new Error('the file is too short');
    const bytes = Buffer.alloc(length);
    this.#read(bytes, offset);
    return bytes;
  }

  #read(target: Uint8Array, offset: number): void {
    for (let at = 0; at < target.length;) {
      const read = readSync(this.#file, target, at, target.length - at, offset + at);
      if (read === 0) throw new Error('the file is too short');
      at += read;
    }
  }
}

/** The folder of a data directory that holds saved states. */
export const savedFolder = 'tables';

/** The path of a journal's saved state in a data directory. */
export const savedPathOf = (directory: string, journal: string): string => join(directory, savedFolder, journal);

export const savedFileOf = (directory: string, journal: string): SavedFile =>
  new SavedFile(savedPathOf(directory, journal));
