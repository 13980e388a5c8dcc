/**
 * Positions in a journal on disk. A position names the segments before it with their sizes, and has a checksum of the bytes
 * before it, so that a journal from another backup, or one that a purge has rewritten, does not contain it.
 */
import { crc32 } from 'node:zlib';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError, type JournalPosition } from '../../ports/storage.ts';
import type { Segment } from './segment.ts';
import { isObject } from '../../text/object.ts';

/** Where the records up to a position end. */
export interface SegmentPlace {
  /** The segments before the one of the position: file and size. */
  readonly before: readonly (readonly [file: string, bytes: number])[];
  readonly file: string;
  /** The size of the file up to the position, and the number of its lines. */
  readonly bytes: number;
  readonly lines: number;
  /** The checksum of the last bytes. */
  readonly crc: number;
}

/** The number of bytes before a position that its checksum covers. */
const checkedBytes = 64 * 1024;

async function crcBefore(path: string, end: number): Promise<number> {
  const handle = await open(path, 'r');
  try {
    const start = Math.max(0, end - checkedBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
    return crc32(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** The checksum of the bytes before a place; at the start of a segment, of the end of the one before. */
function crcOf(folder: string, { before, file, bytes }: Omit<SegmentPlace, 'crc'>): Promise<number> {
  const previous = before.at(-1);
  return bytes === 0 && previous !== undefined
    ? crcBefore(join(folder, previous[0]), previous[1])
    : crcBefore(join(folder, file), bytes);
}

/** The position behind the record `seq`, which ends the first `bytes` bytes of the last segment. Rejects where it cannot be read. */
export async function positionAt(
  folder: string,
  segments: readonly Segment[],
  end: { readonly seq: number; readonly bytes: number; readonly lines: number },
): Promise<JournalPosition | undefined> {
  const { seq, bytes, lines } = end;
  const last = segments.at(-1);
  if (last === undefined || seq === 0) return undefined;
  const before = segments.slice(0, -1).map((segment) => [segment.file, segment.bytes] as const);
  const place = { before, file: last.file, bytes, lines };
  const crc = await crcOf(folder, place);
  return { seq, proof: JSON.stringify({ ...place, crc } satisfies SegmentPlace) };
}

/** The place of a position in the segments; undefined where they do not contain it. */
export async function placeOf(
  folder: string,
  segments: readonly Segment[],
  { seq, proof }: JournalPosition,
): Promise<SegmentPlace | undefined> {
  try {
    const place: unknown = JSON.parse(proof);
    if (!isPlace(place)) return undefined;
    const { before, file, crc } = place;
    const isSame = before.every(
      ([name, size], index) => segments[index]?.file === name && segments[index].bytes === size,
    );
    const segment = segments[before.length];
    const next = segments[before.length + 1];
    if (!isSame || segment?.file !== file || segment.first_seq > seq + 1 || (next?.first_seq ?? Infinity) <= seq)
      return undefined;
    return (await crcOf(folder, place)) === crc ? place : undefined;
  } catch {
    return undefined;
  }
}

function isPlace(value: unknown): value is SegmentPlace {
  if (!isObject(value)) return false;
  const { before, file, bytes, lines, crc } = value;
  return (
    Array.isArray(before) && typeof file === 'string' && [bytes, lines, crc].every((each) => typeof each === 'number')
  );
}

/** Checks a segment that is not read: that the file is there and has its size. Throws StoreError. */
export async function requireSegment(folder: string, { file, bytes }: Segment): Promise<void> {
  const path = join(folder, file);
  const handle = await open(path, 'r').catch((error: Error) => {
    throw new StoreError(`${path} is missing or cannot be read (${error.message}): restore the file`, { cause: error });
  });
  try {
    const { size } = await handle.stat();
    if (size !== bytes)
      throw new StoreError(
        `${path} is truncated or not the expected file, with ${size} bytes instead of ${bytes}: restore the file`,
      );
  } finally {
    await handle.close();
  }
}
