/**
 * The files of a journal: each line the CRC-32 of a record, 8 hexadecimal digits, then a sign and the record. The sign is a space where the
 * line begins a group, and a plus where it goes on with one. A group is written at once and synced before the next one: so what a loss of
 * power left of the last group, of which any pages may be missing, is told from damage to what had been durable.
 */
import { crc32 } from 'node:zlib';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './durable-file.ts';
import { StoreError } from '../../ports/storage.ts';

export interface Segment {
  readonly file: string;
  readonly first_seq: number;
  /** Durable when the catalogue was written; a segment that is not the last has exactly this size. */
  bytes: number;
}

/** Read at once. */
const chunkBytes = 4 * 1024 * 1024;
/** Written at once: what waits behind it is not held up longer than this takes. */
export const batchBytes = 4 * 1024 * 1024;

export const segmentName = /^\d{16}\.jsonl(\.rewritten)?$/;
export const nameOf = (seq: number): string => `${String(seq).padStart(16, '0')}.jsonl`;

const crcOf = (record: string | Buffer): string => crc32(record).toString(16).padStart(8, '0');
const signPlace = 8;
const begins = ' '.charCodeAt(0);
const goesOn = '+'.charCodeAt(0);
const prefixBytes = signPlace + 1;

/** The line that holds a record. Throws StoreError for a record that could not be read again. */
export function lineOf(record: string, isFirst = true): string {
  if (record === '' || record.includes('\n')) throw new StoreError('a record is one JSON text without a newline');
  return `${crcOf(record)}${isFirst ? ' ' : '+'}${record}\n`;
}

/** The lines of several writes as one group. Changes what is passed. */
export function groupOf(writes: readonly Buffer[]): Buffer {
  for (const lines of writes.slice(1)) lines[signPlace] = goesOn;
  return Buffer.concat(writes);
}

/**
 * Reads a segment line by line, in constant memory; `apply` gets each record's bytes, valid only during the call,
 * and the place of its line. Returns how many
 * bytes were cut off the end of the last segment: what a crash left of its last group, from the first line of it that is not whole.
 * Throws StoreError for every other damage, and changes nothing then.
 */
export async function readSegment(
  path: string,
  known: number,
  isLast: boolean,
  apply: (json: Buffer, line: number, offset: number) => void,
): Promise<number> {
  const handle = await open(path, isLast ? 'r+' : 'r').catch((error: Error) => {
    throw new StoreError(`${path} is missing or cannot be read (${error.message}): put the file back`, {
      cause: error,
    });
  });
  try {
    const { size } = await handle.stat();
    if (size < known || (!isLast && size !== known)) {
      throw new StoreError(
        `${path} is truncated or foreign: ${size} bytes where ${known} were written: put the file back`,
      );
    }
    /** `missing`: zeros are in it, which the pages of a file are that were never written, and which no line has. */
    let torn: { offset: number; line: number; missing: boolean } | undefined;
    let offset = 0;
    let line = 0;
    let rest = Buffer.alloc(0);
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (let position = 0; position < size;) {
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position).catch((error: Error) => {
        throw new StoreError(`${path} cannot be read at byte ${position}: ${error.message}`, { cause: error });
      });
      if (bytesRead === 0) break;
      position += bytesRead;
      const data =
        rest.length === 0 ? chunk.subarray(0, bytesRead) : Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      let start = 0;
      for (let end = data.indexOf(10, start); end !== -1; end = data.indexOf(10, start)) {
        line++;
        const json = checked(data, start, end);
        if (json === undefined) torn ??= { offset, line, missing: data.subarray(start, end).includes(0) };
        else if (torn === undefined) apply(json, line, offset);
        // Where a group begins, the one before had been synced.
        else if (!torn.missing || data[start + signPlace] === begins) throw damaged(path, torn);
        offset += end + 1 - start;
        start = end + 1;
      }
      rest = Buffer.from(data.subarray(start));
    }
    if (rest.length > 0) torn ??= { offset, line: line + 1, missing: true };
    if (torn === undefined) return 0;
    if (!isLast || torn.offset < known) throw damaged(path, torn);
    await handle.truncate(torn.offset);
    await handle.sync();
    return size - torn.offset;
  } finally {
    await handle.close();
  }
}

/**
 * Writes records, numbered from `firstSeq`, to segments of their own beside what is in the folder: durable, named by no catalogue yet.
 * One is closed when it is larger than `limit` bytes. Throws StoreError, also for what `records` throws, and then leaves nothing.
 */
export async function writeBeside(
  folder: string,
  firstSeq: number,
  limit: number,
  records: Iterable<string> | AsyncIterable<string>,
): Promise<{ segments: Segment[]; lastSeq: number }> {
  const segments: Segment[] = [];
  let handle: FileHandle | undefined;
  let nextSeq = firstSeq;
  let lines: string[] = [];
  let waiting = 0;
  const finish = async (): Promise<void> => {
    await handle?.datasync();
    await handle?.close();
    handle = undefined;
  };
  const flush = async (): Promise<void> => {
    if (handle === undefined) {
      const first_seq = nextSeq - lines.length;
      const file = `${nameOf(first_seq)}.rewritten`;
      handle = await open(join(folder, file), 'w', 0o600);
      segments.push({ file, first_seq, bytes: 0 });
    }
    const bytes = Buffer.from(lines.join(''));
    await handle.appendFile(bytes);
    const segment = segments.at(-1)!;
    segment.bytes += bytes.length;
    lines = [];
    waiting = 0;
    if (segment.bytes > limit) await finish();
  };
  try {
    for await (const record of records) {
      const line = lineOf(record);
      lines.push(line);
      nextSeq++;
      waiting += line.length;
      if (waiting > batchBytes) await flush();
    }
    if (lines.length > 0) await flush();
    await finish();
    await syncFolder(folder);
    return { segments, lastSeq: nextSeq - 1 };
  } catch (error) {
    await handle?.close().catch(() => {});
    for (const { file } of segments) await rm(join(folder, file), { force: true }).catch(() => {});
    throw new StoreError(`${folder} could not be rewritten, and is as it was: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The record of a line, or undefined where its checksum is not right. */
function checked(data: Buffer, start: number, end: number): Buffer | undefined {
  if (end - start <= prefixBytes) return undefined;
  const json = data.subarray(start + prefixBytes, end);
  const sign = data[start + signPlace];
  return (sign === begins || sign === goesOn) && data.toString('latin1', start, start + signPlace) === crcOf(json)
    ? json
    : undefined;
}

const damaged = (path: string, { offset, line }: { offset: number; line: number }): StoreError =>
  new StoreError(`${path} is damaged at line ${line} (byte ${offset}): put back a copy of the file`);
