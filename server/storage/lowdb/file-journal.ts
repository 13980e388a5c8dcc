/**
 * The journal on disk: a folder of segments. A catalogue lists the segments and a size up to which each is durable. It
 * distinguishes a lost or truncated file from a write that a crash interrupted. A new segment is part of the journal
 * once the catalogue lists it.
 *
 * After a failed write, the bytes on disk behind the durable ones are undefined. So the journal rejects that write and
 * all queued ones, truncates the segment to its durable size, and syncs it before it accepts another write. It never
 * calls fsync twice for the same bytes: the second call can succeed although the bytes are lost (fsyncgate, 2018).
 */
import { fstatSync } from 'node:fs';
import { constants, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './durable-file.ts';
import { placeOf, positionAt, requireSegment, type SegmentPlace } from './journal-position.ts';
import {
  batchBytes,
  copyWithout,
  formatGroup,
  formatLines,
  hasRemovable,
  segmentFileName,
  readSegment,
  scanSegment,
  segmentName,
  writeSegments,
  type Segment,
} from './segment.ts';
import {
  StoreError,
  textOf,
  type Document,
  type Journal,
  type JournalFollower,
  type JournalPosition,
  type JournalPositions,
  type JournalRecord,
  type PurgeResult,
  type RecordPlace,
} from '../../ports/storage.ts';
import { TimeSlice } from '../../process/time-slice.ts';
import { messageOf } from '../../text/error-text.ts';

export interface Catalogue {
  /** 2 where a purge left gaps in the segments, which earlier versions of this program cannot read. */
  format: 1 | 2;
  segments: Segment[];
  /** The number of the next record if there is no segment: after a rewrite without records. */
  next_seq?: number;
}

/** The journal starts a new segment when the last one is larger than this. */
const defaultSegmentBytes = 64 * 1024 * 1024;
/** The memory of the lines of shorter appends is not used again. */
const minReusedBytes = 64 * 1024;
/** The delay in milliseconds before the journal retries after a failure, unless an append retries earlier. */
const retryMs = 1_000;
const isTexts = (records: readonly JournalRecord[]): records is readonly string[] =>
  records.every((record) => typeof record === 'string');
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Whether a document has the shape of a catalogue. */
export function isCatalogue({ format, segments, next_seq = 1 }: Catalogue): boolean {
  return (
    (format === 1 || format === 2) &&
    isCount(next_seq) &&
    Array.isArray(segments) &&
    segments.every(
      (segment: Segment | null) =>
        segmentName.test(segment?.file ?? '') && isCount(segment?.first_seq) && isCount(segment?.bytes),
    )
  );
}

/** Callbacks for the state of a journal on disk. */
export interface JournalObserver {
  /** After each sync of a group, with its duration in milliseconds. */
  readonly synced?: (ms: number) => void;
  /** When the journal cannot be written any more; once for each reason. */
  readonly failed?: (fault: StoreError) => void;
  /** When the journal can be written again. */
  readonly recovered?: () => void;
}

/** What a replay does with the records, and after each part of a segment. */
interface ReplayReader {
  readonly apply: (json: Buffer, seq: number, location: RecordPlace) => void;
  readonly settle: () => Promise<void>;
}

type KeepRecord = (json: Buffer, seq: number) => boolean;

/** One append in progress. */
interface Write {
  readonly bytes: Buffer;
  readonly records: readonly JournalRecord[];
  /** The number of its last record; 0 before it is queued. */
  lastSeq: number;
  readonly done: PromiseWithResolvers<number>;
}

export class FileJournal implements Journal {
  recovered: Journal['recovered'];
  failed: StoreError | undefined;
  /** The number of syncs of appended records. */
  syncs = 0;
  readonly #folder: string;
  readonly #catalogue: Document<Catalogue>;
  readonly #limit: number;
  readonly #observer: JournalObserver;
  #state: 'unread' | 'open' | 'closed' = 'unread';
  #lastSeq = 0;
  #durableSeq = 0;
  #pendingBytes = 0;
  /** The last segment, and its durable size in bytes. */
  #handle: FileHandle | undefined;
  #size = 0;
  /** The number of lines in the durable part of the last segment. */
  #lines = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  #queue: Write[] = [];
  #writing: Promise<void> | undefined;
  /** The memory of the lines of an append that is durable, for the next one: new memory for each would be much garbage in an import. */
  #spareLines: Buffer | undefined;
  /** Appends that wait for the rewrite in progress. */
  #deferred: Write[] = [];
  #rewriting: Promise<void> | undefined;
  #purging: Promise<unknown> | undefined;
  /** Whether the next write starts a new segment. */
  #rollNext = false;
  #follower: JournalFollower | undefined;
  readonly positions: JournalPositions = {
    hold: async (task) => task(await this.#currentPosition()),
    contains: async (position) => (await this.#placeOf(position)) !== undefined,
  };

  constructor(
    folder: string,
    catalogue: Document<Catalogue>,
    limit = defaultSegmentBytes,
    observer: JournalObserver = {},
  ) {
    this.#folder = folder;
    this.#catalogue = catalogue;
    this.#limit = limit;
    this.#observer = observer;
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

  async scan(
    start: string,
    read: (json: Buffer, seq: number, place: RecordPlace) => void,
    after?: JournalPosition,
  ): Promise<void> {
    const startBytes = Buffer.from(start);
    const from = after === undefined ? undefined : await this.#placeOf(after);
    try {
      for (const segment of this.#segments.slice(from?.before.length ?? 0)) {
        const place = { segment: segment.file, line: 0, offset: 0 };
        const found = (json: Buffer, seq: number, line: number, offset: number): void => {
          place.line = line;
          place.offset = offset;
          read(json, seq, place);
        };
        const isFirst = after !== undefined && from?.file === segment.file;
        const begin = isFirst ? { seq: after.seq, bytes: from.bytes, lines: from.lines } : undefined;
        await scanSegment(join(this.#folder, segment.file), segment, startBytes, found, begin);
      }
    } catch {
      // The replay reports the damage.
    }
  }

  async replay(
    apply: (json: Buffer, seq: number, location: RecordPlace) => void,
    after?: JournalPosition,
    settle: (isLast: boolean) => Promise<void> = async () => {},
  ): Promise<void> {
    if (this.#state !== 'unread') throw new StoreError(`${this.#folder} was read before: a journal is replayed once`);
    this.#lastSeq = this.firstSeq - 1;
    const reader = { apply, settle: () => settle(false) };
    const place = after === undefined ? undefined : await this.#placeOf(after);
    if (after !== undefined && place === undefined)
      throw new StoreError(`${this.#folder} does not contain the position behind record ${after.seq}`);
    for (const [index, segment] of this.#segments.entries()) {
      if (after === undefined || place === undefined || index > place.before.length) await this.#read(segment, reader);
      else if (index < place.before.length) await requireSegment(this.#folder, segment);
      else await this.#readBehind(segment, after.seq, place, reader);
    }
    await settle(true);
    // Not before the reads above: if the catalogue is from a backup and lists missing segments, the unlisted ones hold
    // the only data.
    await this.#removeLeftovers();
    const last = this.#segments.at(-1);
    if (last !== undefined) {
      const handle = await this.#open(last.file);
      this.#size = (await handle.stat()).size;
      // The last writes of a killed process may be only in the page cache: the sync makes them durable.
      await handle.datasync();
      await this.#recordSize();
    }
    this.#durableSeq = this.#lastSeq;
    this.#state = 'open';
  }

  follow(follower: JournalFollower): void {
    this.#follower = follower;
  }

  async decide(decide: () => readonly string[]): Promise<number> {
    return this.append(decide());
  }

  append(records: readonly string[]): Promise<number> {
    return this.appendEncoded(records);
  }

  // Assigns the numbers before the first await: callers may read lastSeq right after the call.
  async appendEncoded(records: readonly JournalRecord[]): Promise<number> {
    this.#requireOpen();
    if (records.length === 0) return this.#durableSeq;
    const bytes = formatLines(records, (length) => this.#memoryOf(length));
    const write: Write = { bytes, records, lastSeq: 0, done: Promise.withResolvers() };
    this.#pendingBytes += bytes.length;
    if (this.#rewriting === undefined) this.#enqueue(write);
    else this.#deferred.push(write);
    return write.done.promise;
  }

  #memoryOf(length: number): Buffer {
    if (length < minReusedBytes) return Buffer.allocUnsafeSlow(length);
    const spare = this.#spareLines;
    this.#spareLines = undefined;
    if (spare !== undefined && spare.length >= length) return spare;
    // The next append may be a little longer.
    return Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(length)));
  }

  async rewrite(records: () => Iterable<string> | AsyncIterable<string>): Promise<void> {
    while (this.#rewriting !== undefined || this.#purging !== undefined)
      await (this.#rewriting ?? this.#purging)?.catch(() => {});
    this.#requireOpen();
    // In the same step: the records of later appends are not in the source, and are written behind it.
    this.#rewriting = this.#replace(records()).finally(() => {
      this.#rewriting = undefined;
      for (const write of this.#deferred.splice(0)) this.#enqueue(write);
    });
    return this.#rewriting;
  }

  async purge(keep: KeepRecord, settle: () => Promise<void> = async () => {}): Promise<PurgeResult> {
    while (this.#rewriting !== undefined || this.#purging !== undefined)
      await (this.#rewriting ?? this.#purging)?.catch(() => {});
    this.#requireOpen();
    const purging = this.#purge(keep, settle).finally(() => (this.#purging = undefined));
    this.#purging = purging;
    return purging;
  }

  async trim(upTo: number): Promise<void> {
    while (this.#purging !== undefined) await this.#purging.catch(() => {});
    this.#requireOpen();
    // A segment is obsolete if the next one starts at or before the first retained record. So the last segment always
    // stays.
    const old = this.#segments
      .filter((_segment, index, all) => (all[index + 1]?.first_seq ?? Infinity) <= upTo + 1)
      .map(({ file }) => file);
    if (old.length === 0) return;
    await this.#catalogue.update(
      (data) => void (data.segments = data.segments.filter(({ file }) => !old.includes(file))),
    );
    for (const file of old) await rm(join(this.#folder, file), { force: true }).catch(() => {});
  }

  /** The place of a position that the journal contains; undefined for another one. */
  #placeOf(position: JournalPosition): Promise<SegmentPlace | undefined> {
    return placeOf(this.#folder, this.#segments, position);
  }

  async #currentPosition(): Promise<JournalPosition | undefined> {
    if (this.#state !== 'open' || this.failed !== undefined || this.#lastSeq !== this.#durableSeq) return undefined;
    const end = { seq: this.#lastSeq, bytes: this.#size, lines: this.#lines };
    return positionAt(this.#folder, this.#segments.slice(), end).catch(() => undefined);
  }

  /** Waits for the appends in progress and records the sizes. */
  async close(): Promise<void> {
    const wasOpen = this.#state === 'open';
    this.#state = 'closed';
    for (let busy; (busy = this.#rewriting ?? this.#purging ?? this.#writing) !== undefined;)
      await busy.catch(() => {});
    clearTimeout(this.#retryTimer);
    await this.#handle?.close();
    this.#handle = undefined;
    // All records are durable already. The recorded size only helps the next start to distinguish damage from a crash.
    if (wasOpen && this.failed === undefined) await this.#recordSize().catch(() => {});
  }

  #requireOpen(): void {
    if (this.#state !== 'open')
      throw new StoreError(
        `${this.#folder} is ${this.#state === 'unread' ? 'not replayed yet' : 'closed'}: nothing can be written`,
      );
  }

  #enqueue(write: Write): void {
    write.lastSeq = this.#lastSeq += write.records.length;
    this.#queue.push(write);
    this.#writing ??= this.#drain();
  }

  /**
   * Writes the queue until it is empty, after recovery from an earlier failure. Never rejects: failures reject the
   * appends.
   */
  async #drain(): Promise<void> {
    // Waits one microtask, so that appends of the same step form one group.
    await Promise.resolve();
    do {
      const batch = this.#takeBatch();
      try {
        if (this.failed !== undefined) await this.#recover();
        if (this.#rollNext) await this.#startSegment();
        if (batch.length > 0) await this.#write(batch);
        const slice = new TimeSlice();
        for (const { done, lastSeq, bytes, records } of batch) {
          this.#pendingBytes -= bytes.length;
          const { buffer } = bytes;
          if (buffer.byteLength >= minReusedBytes && buffer.byteLength <= batchBytes)
            this.#spareLines = Buffer.from(buffer);
          await this.#passOn(records, lastSeq - records.length + 1, slice);
          done.resolve(lastSeq);
        }
      } catch (error) {
        const failure = this.#fail(error);
        // The queued writes have numbers after those of the batch, so the journal rejects them too.
        const rejected = [...batch, ...this.#queue.splice(0)];
        this.#lastSeq = this.#durableSeq;
        // Truncates at once, so that a crash does not restore rejected records. If this fails, the next write does it
        // first.
        await this.#truncateToDurable().catch(() => {});
        for (const { done, bytes } of rejected) {
          this.#pendingBytes -= bytes.length;
          done.reject(failure);
        }
      }
    } while (this.#queue.length > 0);
    // In the same step as the last check of the queue: the next append starts a new drain.
    this.#writing = undefined;
  }

  async #passOn(records: readonly JournalRecord[], first: number, slice: TimeSlice): Promise<void> {
    const follower = this.#follower;
    if (follower?.applyInSlices !== undefined) await follower.applyInSlices(records, first, slice);
    else follower?.apply(isTexts(records) ? records : records.map(textOf), first);
  }

  async #write(batch: readonly Write[]): Promise<void> {
    if (this.#handle === undefined || this.#size > this.#limit)
      await this.#roll(batch[0]!.lastSeq - batch[0]!.records.length + 1);
    const bytes = formatGroup(batch.map((write) => write.bytes));
    const handle = this.#handle!;
    await handle.appendFile(bytes);
    this.syncs++;
    const start = performance.now();
    await handle.datasync();
    // The bytes of a removed file disappear when this process closes it. The system has this number in memory.
    if (fstatSync(handle.fd).nlink === 0) throw new Error('its last segment was removed: restore it');
    this.#observer.synced?.(performance.now() - start);
    this.#size += bytes.length;
    this.#lines += batch.reduce((sum, { records }) => sum + records.length, 0);
    this.#durableSeq = batch.at(-1)!.lastSeq;
  }

  async #startSegment(): Promise<void> {
    // Without records, the last segment is new already.
    if (this.#size > 0) await this.#roll(this.#durableSeq + 1);
    this.#rollNext = false;
  }

  /** Rewrites the segments, oldest first, the last one after a new one was started behind it. */
  async #purge(keep: KeepRecord, settle: () => Promise<void>): Promise<PurgeResult> {
    const total = { records: 0, files: 0, bytes: 0 };
    try {
      await this.#closeLastSegment(keep);
      for (const { file, first_seq } of this.#segments.slice(0, -1)) {
        if (this.#state !== 'open') break;
        const path = join(this.#folder, file);
        if (!(await hasRemovable(path, first_seq, keep))) continue;
        const saved = await this.#purgeSegment(file, first_seq, keep, settle);
        total.files++;
        total.records += saved.removed;
        total.bytes += saved.bytes;
      }
      return total;
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError(`${this.#folder} cannot be purged: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Starts a new segment if the last one holds records to remove. */
  async #closeLastSegment(keep: KeepRecord): Promise<void> {
    // The segment grows during the check: only what is durable now is read.
    while (this.#writing !== undefined) await this.#writing;
    const last = this.#segments.at(-1);
    if (last === undefined) return;
    const path = join(this.#folder, last.file);
    const has = await hasRemovable(path, last.first_seq, keep, this.#size);
    if (!has || last.file !== this.#segments.at(-1)?.file) return;
    this.#rollNext = true;
    // A write in progress may have begun before this.
    while (this.#rollNext && this.failed === undefined) {
      this.#writing ??= this.#drain();
      await this.#writing;
    }
    while (this.#writing !== undefined) await this.#writing;
    if (this.failed !== undefined) throw this.failed;
  }

  async #purgeSegment(
    file: string,
    firstSeq: number,
    keep: KeepRecord,
    settle: () => Promise<void>,
  ): Promise<{ bytes: number; removed: number }> {
    const plain = segmentFileName(firstSeq);
    const name = file === plain ? `${plain}.rewritten` : plain;
    const { bytes, removed } = await copyWithout(join(this.#folder, file), join(this.#folder, name), firstSeq, keep);
    await syncFolder(this.#folder);
    await settle();
    let before = 0;
    // The atomic switch from the old file to the new one.
    await this.#catalogue.update((data) => {
      data.format = 2;
      const segment = data.segments.find((each) => each.file === file);
      if (segment === undefined) throw new StoreError(`${file} left the catalogue during a purge`);
      before = segment.bytes;
      Object.assign(segment, { file: name, bytes });
    });
    // The removed text must leave the disk: a failure here is an error. The next start removes the file too.
    await rm(join(this.#folder, file), { force: true });
    return { bytes: before - bytes, removed };
  }

  #takeBatch(): Write[] {
    let bytes = 0;
    const next = this.#queue.findIndex((write) => (bytes += write.bytes.length) > batchBytes);
    return this.#queue.splice(0, next === -1 ? this.#queue.length : Math.max(1, next));
  }

  /** Marks the journal as failed and schedules a retry. */
  #fail(error: unknown): StoreError {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => {
      if (this.#state === 'open' && this.#rewriting === undefined) this.#writing ??= this.#drain();
    }, retryMs).unref();
    const reason =
      error instanceof StoreError ? error.message : `${this.#folder} cannot be written: ${messageOf(error)}`;
    const before = this.failed;
    this.failed = new StoreError(`${reason}; writes resume when the cause is fixed`, { cause: error });
    if (before?.message !== this.failed.message) this.#observer.failed?.(this.failed);
    return this.failed;
  }

  /** Restores the durable state on disk and tests whether the disk accepts writes. Throws where it does not. */
  async #recover(): Promise<void> {
    await this.#truncateToDurable();
    // A failed roll-over or rewrite may have changed the catalogue on disk: this overwrites it. It also tests for free
    // space.
    await this.#recordSize();
    clearTimeout(this.#retryTimer);
    this.failed = undefined;
    this.#observer.recovered?.();
  }

  /** Reopens the last segment and truncates it to its durable size. */
  async #truncateToDurable(): Promise<void> {
    await this.#handle?.close().catch(() => {});
    this.#handle = undefined;
    const last = this.#segments.at(-1);
    if (last === undefined) return;
    const handle = await this.#open(last.file);
    const { size } = await handle.stat();
    if (size < this.#size) throw new Error(`${last.file} has ${size} bytes instead of ${this.#size}`);
    await handle.truncate(this.#size);
    await handle.datasync();
  }

  /** Starts the next segment; the catalogue lists it before any of its records is acknowledged. */
  async #roll(firstSeq: number): Promise<void> {
    const bytes = this.#size;
    const file = segmentFileName(firstSeq);
    // An existing file of this name is left from a failed roll-over: no catalogue lists it.
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
    this.#lines = 0;
    await this.#open(file);
  }

  async #replace(records: Iterable<string> | AsyncIterable<string>): Promise<void> {
    await this.#writing;
    if (this.failed !== undefined) throw this.failed;
    const old = this.#segments.map(({ file }) => file);
    const { segments, lastSeq } = await writeSegments(this.#folder, this.#lastSeq + 1, this.#limit, records);
    try {
      // The atomic switch from the old segments to the new ones.
      await this.#catalogue.update((data) => {
        data.segments = segments;
        data.next_seq = lastSeq + 1;
      });
      const last = segments.at(-1);
      this.#size = last?.bytes ?? 0;
      this.#lines = last === undefined ? 0 : lastSeq - last.first_seq + 1;
      this.#lastSeq = this.#durableSeq = lastSeq;
      await this.#handle?.close();
      this.#handle = undefined;
      if (last !== undefined) await this.#open(last.file);
    } catch (error) {
      throw this.#fail(error);
    }
    // A file that cannot be removed is harmless: the next replay removes it as a leftover.
    for (const file of old) await rm(join(this.#folder, file), { force: true }).catch(() => {});
  }

  /** Opens an existing segment for appends. */
  async #open(file: string): Promise<FileHandle> {
    this.#handle = await open(join(this.#folder, file), constants.O_WRONLY | constants.O_APPEND);
    return this.#handle;
  }

  /** Writes the durable size of the last segment to the catalogue. */
  #recordSize(): Promise<void> {
    return this.#catalogue.update(({ segments }) => {
      const last = segments.at(-1);
      if (last !== undefined) last.bytes = this.#size;
    });
  }

  async #read(segment: Segment, reader: ReplayReader): Promise<void> {
    const path = join(this.#folder, segment.file);
    if (segment.first_seq !== this.#lastSeq + 1) {
      throw new StoreError(
        `${path} starts with record ${segment.first_seq} instead of ${this.#lastSeq + 1}: restore catalogue.json and the segments of the same backup`,
      );
    }
    await this.#readBehind(segment, segment.first_seq - 1, { bytes: 0, lines: 0 }, reader);
  }

  /** Reads the records of a segment behind the one with the number `seq`, which ends at a place of the file. */
  async #readBehind(
    segment: Segment,
    seq: number,
    from: Pick<SegmentPlace, 'bytes' | 'lines'>,
    { apply, settle }: ReplayReader,
  ): Promise<void> {
    const path = join(this.#folder, segment.file);
    this.#lastSeq = seq;
    this.#lines = from.lines;
    // One object for all records of the segment: there may be millions.
    const location = { segment: segment.file, line: 0, offset: 0 };
    const truncatedBytes = await readSegment(
      path,
      segment.bytes,
      segment === this.#segments.at(-1),
      (json, line, offset) => {
        location.line = line;
        location.offset = offset;
        this.#lines = line;
        apply(json, ++this.#lastSeq, location);
      },
      (records, line) => {
        this.#lastSeq += records;
        this.#lines = line;
      },
      from,
      settle,
    );
    if (truncatedBytes > 0) this.recovered = { file: path, bytes: truncatedBytes };
  }

  /**
   * Removes leftovers of an interrupted roll-over or rewrite. Throws StoreError for any other segment outside the
   * catalogue.
   */
  async #removeLeftovers(): Promise<void> {
    const listed = new Set(this.#segments.map(({ file }) => file));
    // Another file with the number of a listed segment is the old or the new form of it: see `purge`.
    const numbers = new Set(this.#segments.map(({ first_seq }) => first_seq));
    for (const file of await readdir(this.#folder)) {
      if (listed.has(file) || !segmentName.test(file)) continue;
      const path = join(this.#folder, file);
      const isLeftover =
        file.endsWith('.rewritten') ||
        numbers.has(Number.parseInt(file, 10)) ||
        Number.parseInt(file, 10) < this.firstSeq ||
        (await stat(path)).size === 0;
      if (!isLeftover)
        throw new StoreError(`${path} is not in the catalogue of its folder: restore the matching catalogue.json`);
      await rm(path);
    }
  }
}
