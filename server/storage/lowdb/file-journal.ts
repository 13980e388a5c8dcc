/**
 * The journal on disk: a folder of segments. A catalogue says which segments there are and how long each was known to be, so that a
 * lost or shortened file is told from a write that a crash cut off. A new segment counts from when the catalogue names it.
 *
 * After a write that failed it is not known what is on disk beyond what was durable. So it is refused with all that waits behind it, the
 * segment is cut back to its last good length, and no write is tried before that is done and synced: never a second fsync for the same
 * bytes, which may succeed although they are lost (fsyncgate, 2018).
 */
import { constants, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './durable-file.ts';
import { batchBytes, groupOf, lineOf, nameOf, readSegment, segmentName, writeBeside, type Segment } from './segment.ts';
import { StoreError, type Document, type Journal, type RecordPlace } from '../../ports/storage.ts';

export interface Catalogue {
  format: 1;
  segments: Segment[];
  /** The number of the next record where there is no segment to tell it: after a rewrite that kept nothing. */
  next_seq?: number;
}

/** A segment is closed, and the next begun, when it is larger. */
const segmentBytes = 64 * 1024 * 1024;
/** How long after a failure it is looked whether the disk takes writes again, where no append does so before, in milliseconds. */
const mendMs = 1_000;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether a document that was read is a catalogue that this program wrote. */
export function isCatalogue({ format, segments, next_seq = 1 }: Catalogue): boolean {
  return (
    format === 1 &&
    isCount(next_seq) &&
    Array.isArray(segments) &&
    segments.every(
      (segment: Segment | null) =>
        segmentName.test(segment?.file ?? '') && isCount(segment?.first_seq) && isCount(segment?.bytes),
    )
  );
}

/** Is told what a journal meets with on disk. */
export interface JournalObserver {
  /** Each time that the disk made a group durable, and how many milliseconds it took. */
  readonly synced?: (ms: number) => void;
  /** Why it cannot be written from now on; once for each reason. */
  readonly failed?: (fault: StoreError) => void;
  /** It can be written again. */
  readonly mended?: () => void;
}

/** One append under way. */
interface Write {
  readonly bytes: Buffer;
  readonly records: number;
  /** Its last record's number, once that is known. */
  lastSeq: number;
  readonly done: PromiseWithResolvers<number>;
}

export class FileJournal implements Journal {
  recovered: Journal['recovered'];
  failed: StoreError | undefined;
  /** How often the disk was asked to make appended records durable. */
  syncs = 0;
  readonly #folder: string;
  readonly #catalogue: Document<Catalogue>;
  readonly #limit: number;
  readonly #told: JournalObserver;
  #state: 'unread' | 'open' | 'closed' = 'unread';
  #lastSeq = 0;
  #durableSeq = 0;
  #pendingBytes = 0;
  /** The last segment, and how long it is known to be. */
  #handle: FileHandle | undefined;
  #size = 0;
  #mending: NodeJS.Timeout | undefined;
  #queue: Write[] = [];
  #writing: Promise<void> | undefined;
  /** Appends that wait for the rewrite under way. */
  #held: Write[] = [];
  #rewriting: Promise<void> | undefined;

  constructor(folder: string, catalogue: Document<Catalogue>, limit = segmentBytes, told: JournalObserver = {}) {
    this.#folder = folder;
    this.#catalogue = catalogue;
    this.#limit = limit;
    this.#told = told;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get durableSeq(): number {
    return this.#durableSeq;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  get bytes(): number {
    return this.#segments.slice(0, -1).reduce((sum, segment) => sum + segment.bytes, 0) + this.#size;
  }

  get #segments(): Segment[] {
    return this.#catalogue.data.segments;
  }

  get firstSeq(): number {
    return this.#segments[0]?.first_seq ?? this.#catalogue.data.next_seq ?? 1;
  }

  async replay(apply: (json: Buffer, seq: number, place: RecordPlace) => void): Promise<void> {
    if (this.#state !== 'unread') throw new StoreError(`${this.#folder} was read before: a journal is replayed once`);
    this.#lastSeq = this.firstSeq - 1;
    for (const segment of this.#segments) await this.#read(segment, apply);
    // Only now: when a catalogue from a backup names segments that are gone, the ones that it does not name are all there is.
    await this.#removeLeftovers();
    const last = this.#segments.at(-1);
    if (last !== undefined) {
      await this.#open(last.file);
      this.#size = (await this.#handle!.stat()).size;
      // What a killed process wrote may be in memory only, and from now on counts as durable.
      await this.#handle!.datasync();
      await this.#noteSize();
    }
    this.#durableSeq = this.#lastSeq;
    this.#state = 'open';
  }

  // Numbers are given before the first await: callers may read lastSeq right after the call.
  async append(records: readonly string[]): Promise<number> {
    this.#refuseUnlessOpen();
    if (records.length === 0) return this.#durableSeq;
    const bytes = Buffer.from(records.map((record, place) => lineOf(record, place === 0)).join(''));
    const write: Write = { bytes, records: records.length, lastSeq: 0, done: Promise.withResolvers() };
    this.#pendingBytes += bytes.length;
    if (this.#rewriting === undefined) this.#enqueue(write);
    else this.#held.push(write);
    return write.done.promise;
  }

  async rewrite(records: Iterable<string> | AsyncIterable<string>): Promise<void> {
    while (this.#rewriting !== undefined) await this.#rewriting.catch(() => {});
    this.#refuseUnlessOpen();
    this.#rewriting = this.#replace(records).finally(() => {
      this.#rewriting = undefined;
      for (const write of this.#held.splice(0)) this.#enqueue(write);
    });
    return this.#rewriting;
  }

  async trim(upTo: number): Promise<void> {
    this.#refuseUnlessOpen();
    // A segment is old when the one after it begins with what stays; so the last one always stays.
    const old = this.#segments
      .filter((_segment, place, all) => (all[place + 1]?.first_seq ?? Infinity) <= upTo + 1)
      .map(({ file }) => file);
    if (old.length === 0) return;
    await this.#catalogue.update(
      (data) => void (data.segments = data.segments.filter(({ file }) => !old.includes(file))),
    );
    for (const file of old) await rm(join(this.#folder, file), { force: true }).catch(() => {});
  }

  /** Waits for what was appended, and notes the sizes. */
  async close(): Promise<void> {
    const wasOpen = this.#state === 'open';
    this.#state = 'closed';
    while (this.#rewriting !== undefined || this.#writing !== undefined)
      await (this.#rewriting ?? this.#writing)!.catch(() => {});
    clearTimeout(this.#mending);
    await this.#handle?.close();
    this.#handle = undefined;
    // All is durable already: without the note, only less damage could be told from a crash.
    if (wasOpen && this.failed === undefined) await this.#noteSize().catch(() => {});
  }

  #refuseUnlessOpen(): void {
    if (this.#state !== 'open')
      throw new StoreError(
        `${this.#folder} is ${this.#state === 'unread' ? 'not replayed yet' : 'closed'}: nothing can be written`,
      );
  }

  #enqueue(write: Write): void {
    write.lastSeq = this.#lastSeq += write.records;
    this.#queue.push(write);
    this.#writing ??= this.#drain();
  }

  /** Writes the queue until it is empty, after mending what failed before. Never rejects: a failure reaches those who wait. */
  async #drain(): Promise<void> {
    // Appends of the same step go out together.
    await Promise.resolve();
    do {
      const batch = this.#takeBatch();
      try {
        if (this.failed !== undefined) await this.#mend();
        if (batch.length > 0) await this.#write(batch);
        for (const { done, lastSeq, bytes } of batch) {
          this.#pendingBytes -= bytes.length;
          done.resolve(lastSeq);
        }
      } catch (error) {
        const failure = this.#fail(error);
        // What waits has numbers that come after those of the batch.
        const refused = [...batch, ...this.#queue.splice(0)];
        this.#lastSeq = this.#durableSeq;
        // At once, so that a crash does not bring back what was refused; where that fails, too, it is done before the next write.
        await this.#cutBack().catch(() => {});
        for (const { done, bytes } of refused) {
          this.#pendingBytes -= bytes.length;
          done.reject(failure);
        }
      }
    } while (this.#queue.length > 0);
    // In the same step as the last look at the queue: an append that comes now begins anew.
    this.#writing = undefined;
  }

  async #write(batch: readonly Write[]): Promise<void> {
    if (this.#handle === undefined || this.#size > this.#limit)
      await this.#roll(batch[0]!.lastSeq - batch[0]!.records + 1);
    const bytes = groupOf(batch.map((write) => write.bytes));
    const handle = this.#handle!;
    await handle.appendFile(bytes);
    this.syncs++;
    const start = performance.now();
    const [{ nlink }] = await Promise.all([handle.stat(), handle.datasync()]);
    // What is written to it would be gone with this process.
    if (nlink === 0) throw new Error('its last segment was removed: put it back');
    this.#told.synced?.(performance.now() - start);
    this.#size += bytes.length;
    this.#durableSeq = batch.at(-1)!.lastSeq;
  }

  #takeBatch(): Write[] {
    let bytes = 0;
    const next = this.#queue.findIndex((write) => (bytes += write.bytes.length) > batchBytes);
    return this.#queue.splice(0, next === -1 ? this.#queue.length : Math.max(1, next));
  }

  /** From now on it is looked again and again whether the disk takes writes. */
  #fail(error: unknown): StoreError {
    clearTimeout(this.#mending);
    this.#mending = setTimeout(() => {
      if (this.#state === 'open' && this.#rewriting === undefined) this.#writing ??= this.#drain();
    }, mendMs).unref();
    const reason =
      error instanceof StoreError ? error.message : `${this.#folder} cannot be written: ${(error as Error).message}`;
    const before = this.failed;
    this.failed = new StoreError(`${reason}; it goes on by itself once that is mended`, { cause: error });
    if (before?.message !== this.failed.message) this.#told.failed?.(this.failed);
    return this.failed;
  }

  /** Brings the disk back to what is durable, and finds out whether it can be written. Throws where it cannot. */
  async #mend(): Promise<void> {
    await this.#cutBack();
    // A roll-over or rewrite that failed may have reached the disk: what is in memory is written over it. It needs room, too.
    await this.#noteSize();
    clearTimeout(this.#mending);
    this.failed = undefined;
    this.#told.mended?.();
  }

  /** Opens the last segment anew, cut back to what is durable of it. */
  async #cutBack(): Promise<void> {
    await this.#handle?.close().catch(() => {});
    this.#handle = undefined;
    const last = this.#segments.at(-1);
    if (last === undefined) return;
    await this.#open(last.file);
    const { size } = await this.#handle!.stat();
    if (size < this.#size) throw new Error(`${last.file} has ${size} bytes where ${this.#size} were written`);
    await this.#handle!.truncate(this.#size);
    await this.#handle!.datasync();
  }

  /** Begins the next segment; the catalogue knows it before anything in it is acknowledged. */
  async #roll(firstSeq: number): Promise<void> {
    const bytes = this.#size;
    const file = nameOf(firstSeq);
    // One that is there is left from a roll-over that failed: no catalogue names it.
    const handle = await open(join(this.#folder, file), 'w', 0o600);
    try {
      await syncFolder(this.#folder);
      await this.#catalogue.update(({ segments }) => {
        const last = segments.at(-1);
        if (last !== undefined) last.bytes = bytes;
        segments.push({ file, first_seq: firstSeq, bytes: 0 });
      });
    } finally {
      await handle.close();
    }
    await this.#handle?.close();
    this.#size = 0;
    await this.#open(file);
  }

  async #replace(records: Iterable<string> | AsyncIterable<string>): Promise<void> {
    await this.#writing;
    if (this.failed !== undefined) throw this.failed;
    const old = this.#segments.map(({ file }) => file);
    const { segments, lastSeq } = await writeBeside(this.#folder, this.#lastSeq + 1, this.#limit, records);
    try {
      // The switch: before it the old segments count, after it the new ones.
      await this.#catalogue.update((data) => {
        data.segments = segments;
        data.next_seq = lastSeq + 1;
      });
      const last = segments.at(-1);
      this.#size = last?.bytes ?? 0;
      this.#lastSeq = this.#durableSeq = lastSeq;
      await this.#handle?.close();
      this.#handle = undefined;
      if (last !== undefined) await this.#open(last.file);
    } catch (error) {
      throw this.#fail(error);
    }
    // One that cannot be removed is harmless: the next replay knows it for a leftover.
    for (const file of old) await rm(join(this.#folder, file), { force: true }).catch(() => {});
  }

  /** To append to a segment that must be there. */
  async #open(file: string): Promise<void> {
    this.#handle = await open(join(this.#folder, file), constants.O_WRONLY | constants.O_APPEND);
  }

  /** Writes down how long the last segment is known to be. */
  #noteSize(): Promise<void> {
    return this.#catalogue.update(({ segments }) => {
      const last = segments.at(-1);
      if (last !== undefined) last.bytes = this.#size;
    });
  }

  async #read(segment: Segment, apply: (json: Buffer, seq: number, place: RecordPlace) => void): Promise<void> {
    const path = join(this.#folder, segment.file);
    if (segment.first_seq !== this.#lastSeq + 1) {
      throw new StoreError(
        `${path} begins with record ${segment.first_seq} where ${this.#lastSeq + 1} is the next: put back the catalogue.json and the segments that belong together`,
      );
    }
    // One for all records of the segment: there may be millions.
    const place = { segment: segment.file, line: 0, offset: 0 };
    const cut = await readSegment(path, segment.bytes, segment === this.#segments.at(-1), (json, line, offset) => {
      place.line = line;
      place.offset = offset;
      apply(json, ++this.#lastSeq, place);
    });
    if (cut > 0) this.recovered = { file: path, bytes: cut };
  }

  /** Removes what a crash in the middle of a roll-over or a rewrite left; throws for a segment that nobody knows of. */
  async #removeLeftovers(): Promise<void> {
    const listed = new Set(this.#segments.map(({ file }) => file));
    for (const file of await readdir(this.#folder)) {
      if (listed.has(file) || !segmentName.test(file)) continue;
      const path = join(this.#folder, file);
      const isLeftover =
        file.endsWith('.rewritten') || Number.parseInt(file, 10) < this.firstSeq || (await stat(path)).size === 0;
      if (!isLeftover)
        throw new StoreError(
          `${path} is not in the catalogue beside it: put back the catalogue.json that belongs to it`,
        );
      await rm(path);
    }
  }
}
