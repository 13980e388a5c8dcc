/**
 * The segment files of a journal. Each line is the CRC-32 of a record in 8 hexadecimal digits, a marker and the record.
 * The marker is a space on the first line of a group and a plus on the others. The journal syncs a group before it
 * writes the next one. A purge replaces removed records by a gap: a line with the marker `-` and the number of records,
 * so that the numbers of the other records stay. After a power failure any pages of the last group may be missing: the markers distinguish that
 * from damage to durable records.
 */
import { crc32 } from 'node:zlib';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ChunkReader } from './chunk-reader.ts';
import { syncFolder } from './durable-file.ts';
import { StoreError, type JournalRecord } from '../../ports/storage.ts';
import { TimeSlice } from '../../process/time-slice.ts';
import { messageOf } from '../../text/error-text.ts';

export interface Segment {
  readonly file: string;
  readonly first_seq: number;
  /** The durable size when the catalogue was written; each segment except the last has exactly this size. */
  bytes: number;
}

/** The size of one read. */
const chunkBytes = 4 * 1024 * 1024;
/** The maximum size of one write, unless a single append is larger: it bounds the waiting time of the next appends. */
export const batchBytes = 4 * 1024 * 1024;

export const segmentName = /^\d{16}\.jsonl(\.rewritten)?$/;
export const segmentFileName = (seq: number): string => `${String(seq).padStart(16, '0')}.jsonl`;

const crcOf = (record: string | Buffer): string => crc32(record).toString(16).padStart(8, '0');
const hexDigits = Buffer.from('0123456789abcdef');
const digitValues = Array.from({ length: 256 }, (_, byte) =>
  hexDigits.includes(byte) ? hexDigits.indexOf(byte) : Number.NaN,
);
const markerOffset = 8;
const groupStart = ' '.charCodeAt(0);
const groupContinuation = '+'.charCodeAt(0);
export const gapMarker = '-'.charCodeAt(0);
const prefixBytes = markerOffset + 1;
const newline = 10;

/** The line of a record. Throws StoreError for an empty record or one with a newline: it could not be read back. */
export function formatLine(record: string): string {
  requireLine(record);
  return `${crcOf(record)} ${record}\n`;
}

function requireLine(record: string): void {
  if (record === '' || record.includes('\n')) throw new StoreError('a record is one JSON text without a newline');
}

/** Writes a number of 32 bits as `crcOf` does. */
function writeHex(bytes: Buffer, start: number, number: number): void {
  for (let digit = 0; digit < markerOffset; digit++)
    bytes[start + digit] = hexDigits[(number >>> (28 - 4 * digit)) & 15]!;
}

/**
 * The lines of the records of one write, as `formatLine`. `memoryOf` gives memory of at least a size, which it may have used before.
 */
export function formatLines(
  records: readonly JournalRecord[],
  memoryOf: (bytes: number) => Buffer = (bytes) => Buffer.allocUnsafeSlow(bytes),
): Buffer {
  let length = 0;
  for (const record of records) length += prefixBytes + recordBytes(record) + 1;
  const lines = memoryOf(length).subarray(0, length);
  let start = 0;
  for (const record of records) {
    const end = writeRecord(lines, start, record);
    lines[start + markerOffset] = start === 0 ? groupStart : groupContinuation;
    lines[end] = newline;
    start = end + 1;
  }
  return lines;
}

/** The size of a record. Throws as `formatLine`. */
function recordBytes(record: JournalRecord): number {
  if (typeof record !== 'string') return record.end - record.start;
  requireLine(record);
  return Buffer.byteLength(record);
}

/** Writes the checksum and the record of a line that begins at an offset; returns the offset behind it. */
function writeRecord(lines: Buffer, start: number, record: JournalRecord): number {
  const begin = start + prefixBytes;
  if (typeof record !== 'string') {
    writeHex(lines, start, record.checksum);
    return begin + record.bytes.copy(lines, begin, record.start, record.end);
  }
  const end = begin + lines.write(record, begin);
  writeHex(lines, start, crc32(lines.subarray(begin, end)));
  return end;
}

/** The line for a number of removed records. */
export const formatGap = (records: number): string => `${crcOf(String(records))}-${records}\n`;

/** Joins the lines of several writes to one group. Modifies the buffers. */
export function formatGroup(writes: readonly Buffer[]): Buffer {
  for (const lines of writes.slice(1)) lines[markerOffset] = groupContinuation;
  return writes.length === 1 ? writes[0]! : Buffer.concat(writes);
}

/**
 * Reads a segment line by line, in constant memory. `apply` gets the bytes of each record, valid only during the call,
 * and the number and offset of its line; `skip` gets the number of records of each gap. Returns the number of bytes that it truncated from the last segment: an
 * incomplete last group after a crash, from its first damaged line. `from`: a place behind lines that are not read. `settle` runs after each part of the file. Throws StoreError for all other damage; the
 * file is then unchanged.
 */
export async function readSegment(
  path: string,
  knownBytes: number,
  isLast: boolean,
  apply: (json: Buffer, line: number, offset: number) => void,
  skip: (records: number, line: number) => void,
  from: { readonly bytes: number; readonly lines: number } = { bytes: 0, lines: 0 },
  settle?: () => Promise<void>,
): Promise<number> {
  const handle = await open(path, isLast ? 'r+' : 'r').catch((error: Error) => {
    throw new StoreError(`${path} is missing or cannot be read (${error.message}): restore the file`, {
      cause: error,
    });
  });
  try {
    const { size } = await handle.stat();
    if (size < knownBytes || (!isLast && size !== knownBytes)) {
      throw new StoreError(
        `${path} is truncated or not the expected file, with ${size} bytes instead of ${knownBytes}: restore the file`,
      );
    }
    /**
     * `missing`: the line contains zero bytes. Pages that were never written are zero, and no valid line contains a
     * zero byte.
     */
    let torn: { offset: number; line: number; missing: boolean } | undefined;
    let offset = from.bytes;
    let line = from.lines;
    const chunks = new ChunkReader(handle, chunkBytes, from.bytes, size);
    const next = (used: number): Promise<Buffer | undefined> =>
      chunks.next(used).catch((error: Error) => {
        throw new StoreError(`${path} cannot be read at byte ${chunks.position}: ${error.message}`, { cause: error });
      });
    let start = 0;
    for (let data = await next(0); data !== undefined; data = await next(start)) {
      start = 0;
      for (let end = data.indexOf(newline); end !== -1; end = data.indexOf(newline, start)) {
        line++;
        const json = verifiedRecord(data, start, end);
        if (json !== undefined && torn === undefined && data[start + markerOffset] === gapMarker)
          skip(Number(json.toString('latin1')), line);
        else if (json === undefined) torn ??= { offset, line, missing: data.subarray(start, end).includes(0) };
        else if (torn === undefined) apply(json, line, offset);
        // At the start of a group, the previous group was synced already.
        else if (!torn.missing || data[start + markerOffset] === groupStart) throw damaged(path, torn);
        offset += end + 1 - start;
        start = end + 1;
      }
      await settle?.();
    }
    if (chunks.rest.length > 0) torn ??= { offset, line: line + 1, missing: true };
    if (torn === undefined) return 0;
    if (!isLast || torn.offset < knownBytes) throw damaged(path, torn);
    await handle.truncate(torn.offset);
    await handle.sync();
    return size - torn.offset;
  } finally {
    await handle.close();
  }
}

/**
 * Reads the records of a segment that begin with a text, in its first `bytes` bytes. Verifies only the checksums of these
 * records, so it costs little more than a look at each line. `from`: a place behind lines that are not read, the last of them with the record
 * `seq`. Rejects where the file cannot be read or such a record is damaged.
 */
export async function scanSegment(
  path: string,
  { first_seq, bytes }: Segment,
  start: Buffer,
  read: (json: Buffer, seq: number, line: number, offset: number) => void,
  from = { seq: first_seq - 1, bytes: 0, lines: 0 },
): Promise<void> {
  const handle = await open(path, 'r');
  try {
    const chunks = new ChunkReader(handle, chunkBytes, from.bytes, bytes);
    let [seq, line, offset] = [from.seq, from.lines, from.bytes];
    let lineStart = 0;
    for (let data = await chunks.next(0); data !== undefined; data = await chunks.next(lineStart)) {
      lineStart = 0;
      for (let end = data.indexOf(newline); end !== -1; end = data.indexOf(newline, lineStart)) {
        line++;
        if (data[lineStart + markerOffset] === gapMarker) seq += gapRecords(data, lineStart, end);
        else {
          seq++;
          if (startsWith(data, lineStart + prefixBytes, start))
            read(requireRecord(path, data, lineStart, end), seq, line, offset);
        }
        offset += end + 1 - lineStart;
        lineStart = end + 1;
      }
    }
  } finally {
    await handle.close();
  }
}

/** Compares from the end, because the starts of most records are the same. */
function startsWith(data: Buffer, at: number, start: Buffer): boolean {
  for (let index = start.length - 1; index >= 0; index--) if (data[at + index] !== start[index]) return false;
  return true;
}

const gapRecords = (data: Buffer, start: number, end: number): number =>
  Number(data.toString('latin1', start + prefixBytes, end));

function requireRecord(path: string, data: Buffer, start: number, end: number): Buffer {
  const json = verifiedRecord(data, start, end);
  if (json === undefined) throw new StoreError(`${path} is damaged`);
  return json;
}

/**
 * Writes records, numbered from `firstSeq`, to new durable segments in the folder; no catalogue lists them yet. Closes
 * a segment when it is larger than `limit` bytes. Throws StoreError, also for errors of `records`, and then removes the
 * new segments.
 */
export async function writeSegments(
  folder: string,
  firstSeq: number,
  limit: number,
  records: Iterable<string> | AsyncIterable<string>,
): Promise<{ segments: Segment[]; lastSeq: number }> {
  const segments: Segment[] = [];
  let handle: FileHandle | undefined;
  let nextSeq = firstSeq;
  let lines: string[] = [];
  let bufferedBytes = 0;
  const closeSegment = async (): Promise<void> => {
    await handle?.datasync();
    await handle?.close();
    handle = undefined;
  };
  const flush = async (): Promise<void> => {
    if (handle === undefined) {
      const first_seq = nextSeq - lines.length;
      const file = `${segmentFileName(first_seq)}.rewritten`;
      handle = await open(join(folder, file), 'w', 0o600);
      segments.push({ file, first_seq, bytes: 0 });
    }
    const bytes = Buffer.from(lines.join(''));
    await handle.appendFile(bytes);
    const segment = segments.at(-1)!;
    segment.bytes += bytes.length;
    lines = [];
    bufferedBytes = 0;
    if (segment.bytes > limit) await closeSegment();
  };
  try {
    for await (const record of records) {
      const line = formatLine(record);
      lines.push(line);
      nextSeq++;
      bufferedBytes += line.length;
      if (bufferedBytes > batchBytes) await flush();
    }
    if (lines.length > 0) await flush();
    await closeSegment();
    await syncFolder(folder);
    return { segments, lastSeq: nextSeq - 1 };
  } catch (error) {
    await handle?.close().catch(() => {});
    for (const { file } of segments) await rm(join(folder, file), { force: true }).catch(() => {});
    throw new StoreError(`${folder} could not be rewritten and is unchanged: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The number that `writeHex` has written; NaN for other bytes. */
function readHex(bytes: Buffer, start: number): number {
  let number = 0;
  for (let at = start; at < start + markerOffset; at++) number = 16 * number + (digitValues[bytes[at]!] ?? Number.NaN);
  return number;
}

/** The record of a line; undefined if its checksum or marker is wrong. */
export function verifiedRecord(data: Buffer, start: number, end: number): Buffer | undefined {
  if (end - start <= prefixBytes) return undefined;
  const json = data.subarray(start + prefixBytes, end);
  const marker = data[start + markerOffset];
  return (marker === groupStart || marker === groupContinuation || marker === gapMarker) &&
    readHex(data, start) === crc32(json)
    ? json
    : undefined;
}

const damaged = (path: string, { offset, line }: { offset: number; line: number }): StoreError =>
  new StoreError(`${path} is damaged at line ${line} (byte ${offset}): restore the file from a backup`);

/** The size of one read of a purge. */
const purgeStepBytes = 128 * 1024;

/**
 * The lines of a segment up to a size, many at a time, each with its record or the count of a gap. Valid until the next step. Throws
 * StoreError.
 */
async function* linesOf(
  path: string,
  slice: TimeSlice,
  size = Number.POSITIVE_INFINITY,
): AsyncGenerator<{ line: Buffer; json: Buffer; isGap: boolean }[], void> {
  const handle = await open(path, 'r');
  try {
    const chunks = new ChunkReader(handle, purgeStepBytes, 0, size);
    let line = 0;
    let start = 0;
    for (let data = await chunks.next(0); data !== undefined; data = await chunks.next(start)) {
      const lines: { line: Buffer; json: Buffer; isGap: boolean }[] = [];
      start = 0;
      for (let end = data.indexOf(newline); end !== -1; end = data.indexOf(newline, start)) {
        line++;
        const json = verifiedRecord(data, start, end);
        if (json === undefined) throw damaged(path, { offset: chunks.position - data.length + start, line });
        lines.push({ line: data.subarray(start, end + 1), json, isGap: data[start + markerOffset] === gapMarker });
        start = end + 1;
      }
      if (slice.isOver) await slice.next();
      yield lines;
    }
    if (chunks.rest.length > 0) throw damaged(path, { offset: 0, line: line + 1 });
  } finally {
    await handle.close();
  }
}

/**
 * Whether a segment holds a record for which `keep` is false, in its first `size` bytes. Throws StoreError where it is
 * damaged.
 */
export async function hasRemovable(
  path: string,
  firstSeq: number,
  keep: (json: Buffer, seq: number) => boolean,
  size?: number,
): Promise<boolean> {
  let seq = firstSeq - 1;
  const slice = new TimeSlice();
  for await (const lines of linesOf(path, slice, size)) {
    for (const { json, isGap } of lines) {
      if (slice.isOver) await slice.next();
      if (isGap) seq += Number(json.toString('latin1'));
      else if (!keep(json, ++seq)) return true;
    }
  }
  return false;
}

/**
 * Writes a durable copy of a closed segment without the records for which `keep` is false. Returns its size in bytes, and
 * how many records it left out. Throws StoreError where the segment is damaged, and other errors of the disk; the copy is
 * then removed.
 */
export async function copyWithout(
  from: string,
  to: string,
  firstSeq: number,
  keep: (json: Buffer, seq: number) => boolean,
): Promise<{ bytes: number; removed: number }> {
  const handle = await open(to, 'w', 0o600);
  try {
    let [seq, gap, bytes, removed] = [firstSeq - 1, 0, 0, 0];
    const slice = new TimeSlice();
    for await (const lines of linesOf(from, slice)) {
      const kept: Buffer[] = [];
      const closeGap = (): void => {
        if (gap > 0) kept.push(Buffer.from(formatGap(gap)));
        gap = 0;
      };
      for (const { line, json, isGap } of lines) {
        if (slice.isOver) await slice.next();
        if (isGap) {
          const records = Number(json.toString('latin1'));
          seq += records;
          gap += records;
        } else if (keep(json, ++seq)) {
          closeGap();
          kept.push(line);
        } else {
          gap++;
          removed++;
        }
      }
      const part = Buffer.concat(kept);
      bytes += part.length;
      if (part.length > 0) await handle.appendFile(part);
    }
    if (gap > 0) {
      const last = Buffer.from(formatGap(gap));
      bytes += last.length;
      await handle.appendFile(last);
    }
    await handle.sync();
    return { bytes, removed };
  } catch (error) {
    await rm(to, { force: true }).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
}
