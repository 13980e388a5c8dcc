/**
 * The journal on disk: a folder of segments, each line the CRC-32 of a record and the record. A catalogue says which segments
 * there are and how long each was known to be, so that a lost or shortened file is told from a write that a crash cut off.
 */
import { crc32 } from 'node:zlib';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './durable-file.ts';
import { StoreError, type Document, type Journal } from './store.ts';

interface Segment {
  readonly file: string;
  readonly first_seq: number;
  /** Durable when the catalogue was written; a segment that is not the last has exactly this size. */
  bytes: number;
}

export interface Catalogue {
  format: 1;
  segments: Segment[];
}

/** A segment is closed, and the next begun, when it is larger. */
const segmentBytes = 64 * 1024 * 1024;
const chunkBytes = 4 * 1024 * 1024;
/** 8 hexadecimal digits and a space. */
const prefixBytes = 9;

export class FileJournal implements Journal {
  recovered: Journal['recovered'];
  /** How often the disk was asked to make data durable. */
  syncs = 0;
  readonly #folder: string;
  readonly #catalogue: Document<Catalogue>;
  readonly #limit: number;
  #lastSeq = 0;
  #handle: FileHandle | undefined;
  /** The size of the last segment. */
  #size = 0;
  #queue: { firstSeq: number; lines: string; done: PromiseWithResolvers<void> }[] = [];
  #writing: Promise<void> | undefined;
  #broken: StoreError | undefined;

  constructor(folder: string, catalogue: Document<Catalogue>, limit = segmentBytes) {
    this.#folder = folder;
    this.#catalogue = catalogue;
    this.#limit = limit;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get bytes(): number {
    return this.#segments.slice(0, -1).reduce((sum, segment) => sum + segment.bytes, 0) + this.#size;
  }

  get #segments(): Segment[] {
    return this.#catalogue.data.segments;
  }

  async replay(apply: (json: Buffer, seq: number) => void): Promise<void> {
    await this.#removeLeftovers();
    this.#lastSeq = (this.#segments[0]?.first_seq ?? 1) - 1;
    for (const [place, segment] of this.#segments.entries()) await this.#read(segment, place === this.#segments.length - 1, apply);
    const last = this.#segments.at(-1);
    if (last === undefined) return;
    await this.#open(last.file);
    await this.#noteSize();
  }

  append(records: readonly string[]): Promise<void> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (records.length === 0) return Promise.resolve();
    const done = Promise.withResolvers<void>();
    this.#queue.push({ firstSeq: this.#lastSeq + 1, lines: records.map(lineOf).join(''), done });
    this.#lastSeq += records.length;
    this.#writing ??= this.#drain();
    return done.promise;
  }

  async rewrite(records: Iterable<string>): Promise<void> {
    await this.#writing;
    const old = this.#segments.map(({ file }) => file);
    await this.#handle?.close();
    this.#handle = undefined;
    const anew: Segment[] = [];
    let lines: string[] = [];
    let waiting = 0;
    const flush = async (): Promise<void> => {
      if (this.#handle === undefined) {
        const segment = { file: `${this.#nameOf(this.#lastSeq - lines.length + 1)}.rewritten`, first_seq: this.#lastSeq - lines.length + 1, bytes: 0 };
        anew.push(segment);
        await this.#create(segment.file);
      }
      await this.#handle!.appendFile(lines.join(''));
      anew.at(-1)!.bytes = this.#size += waiting;
      lines = [];
      waiting = 0;
      if (this.#size > this.#limit) await finish();
    };
    const finish = async (): Promise<void> => {
      await this.#sync();
      await this.#handle!.close();
      this.#handle = undefined;
    };
    for (const record of records) {
      const line = lineOf(record);
      this.#lastSeq++;
      lines.push(line);
      waiting += Buffer.byteLength(line);
      if (waiting > chunkBytes) await flush();
    }
    if (lines.length > 0) await flush();
    if (this.#handle !== undefined) await finish();
    await syncFolder(this.#folder);
    // The switch: before it the old segments count, after it the new ones.
    await this.#catalogue.update((data) => (data.segments = anew));
    for (const file of old) await rm(join(this.#folder, file), { force: true });
    const last = anew.at(-1);
    if (last !== undefined) await this.#open(last.file);
  }

  /** Waits for what was appended, and notes the sizes. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#handle === undefined) return;
    await this.#handle.close();
    this.#handle = undefined;
    if (this.#broken === undefined) await this.#noteSize();
  }

  /** Writes the queue until it is empty. Never rejects: a failure reaches those who wait, and every later append. */
  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        if (this.#handle === undefined || this.#size > this.#limit) await this.#roll(batch[0]!.firstSeq);
        const bytes = Buffer.from(batch.map(({ lines }) => lines).join(''));
        await this.#handle!.appendFile(bytes);
        await this.#sync();
        this.#size += bytes.length;
        for (const { done } of batch) done.resolve();
      } catch (error) {
        // What a failed fsync left on disk is not known, so nothing is tried again.
        const reason = (error as Error).message;
        this.#broken ??= new StoreError(`${this.#folder} can no longer be written: ${reason}; mend it, then start again`, { cause: error });
        for (const { done } of [...batch, ...this.#queue.splice(0)]) done.reject(this.#broken);
      }
    }
    // In the same step as the last look at the queue: an append that comes now begins anew.
    this.#writing = undefined;
  }

  /** Begins the next segment; the catalogue knows it before anything in it is acknowledged. */
  async #roll(firstSeq: number): Promise<void> {
    const last = this.#segments.at(-1);
    const bytes = this.#size;
    await this.#handle?.close();
    const file = this.#nameOf(firstSeq);
    await this.#create(file);
    await syncFolder(this.#folder);
    await this.#catalogue.update(({ segments }) => {
      if (last !== undefined) last.bytes = bytes;
      segments.push({ file, first_seq: firstSeq, bytes: 0 });
    });
  }

  async #create(file: string): Promise<void> {
    this.#handle = await open(join(this.#folder, file), 'ax', 0o600);
    this.#size = 0;
  }

  async #open(file: string): Promise<void> {
    this.#handle = await open(join(this.#folder, file), 'a', 0o600);
    this.#size = (await this.#handle.stat()).size;
  }

  async #sync(): Promise<void> {
    this.syncs++;
    await this.#handle!.datasync();
  }

  /** Writes down how long the last segment is known to be. */
  #noteSize(): Promise<void> {
    return this.#catalogue.update(({ segments }) => {
      const last = segments.at(-1);
      if (last !== undefined) last.bytes = this.#size;
    });
  }

  #nameOf(seq: number): string {
    return `${String(seq).padStart(16, '0')}.jsonl`;
  }

  /** Reads one segment line by line; cuts off what a crash left half written at the end of the last one. */
  async #read(segment: Segment, isLast: boolean, apply: (json: Buffer, seq: number) => void): Promise<void> {
    const path = join(this.#folder, segment.file);
    const handle = await open(path, isLast ? 'r+' : 'r').catch((error: Error) => {
      throw new StoreError(`${path} is missing or cannot be read (${error.message}): put the file back`);
    });
    try {
      const { size } = await handle.stat();
      if (size < segment.bytes || (!isLast && size !== segment.bytes)) {
        throw new StoreError(`${path} is truncated or foreign: ${size} bytes where ${segment.bytes} were written: put the file back`);
      }
      let torn: { offset: number; line: number } | undefined;
      let offset = 0;
      let line = 0;
      let rest = Buffer.alloc(0);
      const chunk = Buffer.allocUnsafe(chunkBytes);
      for (let position = 0; position < size; ) {
        const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
        if (bytesRead === 0) break;
        position += bytesRead;
        const data = rest.length === 0 ? chunk.subarray(0, bytesRead) : Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
        let start = 0;
        for (let end = data.indexOf(10, start); end !== -1; end = data.indexOf(10, start)) {
          line++;
          const json = checked(data, start, end);
          if (json === undefined) torn ??= { offset, line };
          else if (torn !== undefined) throw damaged(path, torn);
          else apply(json, ++this.#lastSeq);
          offset += end + 1 - start;
          start = end + 1;
        }
        rest = Buffer.from(data.subarray(start));
      }
      if (rest.length > 0) torn ??= { offset, line: line + 1 };
      if (torn === undefined) {
        this.#size = size;
        return;
      }
      if (!isLast || torn.offset < segment.bytes) throw damaged(path, torn);
      await handle.truncate(torn.offset);
      await handle.sync();
      this.#size = torn.offset;
      this.recovered = { file: path, bytes: size - torn.offset };
    } finally {
      await handle.close();
    }
  }

  /** Removes what a crash in the middle of a roll-over or a rewrite left; throws for a segment that nobody knows of. */
  async #removeLeftovers(): Promise<void> {
    const listed = new Set(this.#segments.map(({ file }) => file));
    const first = this.#segments[0]?.first_seq ?? 1;
    for (const file of await readdir(this.#folder)) {
      if (listed.has(file) || !/^\d{16}\.jsonl(\.rewritten)?$/.test(file)) continue;
      const path = join(this.#folder, file);
      const isLeftover = file.endsWith('.rewritten') || Number.parseInt(file, 10) < first || (await stat(path)).size === 0;
      if (!isLeftover) throw new StoreError(`${path} is not in the catalogue beside it: put back the catalogue.json that belongs to it`);
      await rm(path);
    }
  }
}

const lineOf = (record: string): string => `${crc32(record).toString(16).padStart(8, '0')} ${record}\n`;

/** The record of a line, or undefined where its checksum is not right. */
function checked(data: Buffer, start: number, end: number): Buffer | undefined {
  if (end - start <= prefixBytes) return undefined;
  const json = data.subarray(start + prefixBytes, end);
  return Number.parseInt(data.toString('latin1', start, start + prefixBytes - 1), 16) === crc32(json) ? json : undefined;
}

const damaged = (path: string, { offset, line }: { offset: number; line: number }): StoreError =>
  new StoreError(`${path} is damaged at line ${line} (byte ${offset}): put back a copy of the file`);
