/** Reads a segment of a journal line by line, damaged lines included. */
import { open } from 'node:fs/promises';
import { gapMarker, verifiedRecord } from '../../storage/lowdb/segment.ts';

export interface ScannedLine {
  /** From 1. */
  readonly line: number;
  /** The byte at which the line begins. */
  readonly offset: number;
  /** The line without its newline. */
  readonly bytes: Buffer;
  /** The record; undefined if the checksum or the marker is wrong. */
  readonly record: Buffer | undefined;
  /** The number of removed records for which the line stands; 0 for a record. */
  readonly gap: number;
  /** Whether a newline ends the line. */
  readonly isComplete: boolean;
}

const chunkBytes = 1024 * 1024;
/** The size of the read at which the end of the file is found. */
const minChunkBytes = 1024;
const newline = 10;
const markerOffset = 8;

/** The number of removed records in the text of a gap; 0 for another text. */
export const gapOf = (record: Buffer): number =>
  /^[1-9]\d{0,15}$/.test(record.toString('latin1')) ? Number(record) : 0;

/** Yields the lines of a file in groups. Rejects with the file system's error. */
export async function* scanSegment(path: string): AsyncGenerator<ScannedLine[], void> {
  const handle = await open(path, 'r');
  try {
    let rest: Buffer[] = [];
    let line = 0;
    let offset = 0;
    let unread = (await handle.stat()).size;
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(minChunkBytes, unread)));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      unread -= bytesRead;
      const read = chunk.subarray(0, bytesRead);
      if (!read.includes(newline)) {
        rest.push(read);
        continue;
      }
      const data = rest.length === 0 ? read : Buffer.concat([...rest, read]);
      const lines: ScannedLine[] = [];
      let start = 0;
      for (let end = data.indexOf(newline); end !== -1; end = data.indexOf(newline, start)) {
        const bytes = data.subarray(start, end);
        const record = verifiedRecord(data, start, end);
        const gap = record !== undefined && bytes[markerOffset] === gapMarker ? gapOf(record) : 0;
        lines.push({ line: ++line, offset, bytes, record, gap, isComplete: true });
        offset += end + 1 - start;
        start = end + 1;
      }
      rest = start === data.length ? [] : [data.subarray(start)];
      yield lines;
    }
    const last = Buffer.concat(rest);
    if (last.length > 0) yield [{ line: line + 1, offset, bytes: last, record: undefined, gap: 0, isComplete: false }];
  } finally {
    await handle.close();
  }
}
