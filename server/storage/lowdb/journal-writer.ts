/** Writes a whole journal whose records have numbers already, such as those of a database. */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder, DurableJSONFile, syncFolder } from './durable-file.ts';
import type { Catalogue } from './file-journal.ts';
import { batchBytes, formatGap, formatLine, segmentFileName, type Segment } from './segment.ts';

export interface NumberedRecord {
  readonly seq: number;
  readonly record: string;
}

const segmentBytes = 64 * 1024 * 1024;

/**
 * Writes records in the order of their numbers to a folder that does not exist yet. Numbers between them have no record.
 * `lastSeq` returns the last number of the journal, after the last page. Returns the number of records. The journal is
 * complete and durable when the promise resolves.
 */
export async function writeJournal(
  folder: string,
  pages: AsyncIterable<readonly NumberedRecord[]>,
  lastSeq: () => number,
): Promise<number> {
  await createFolder(folder);
  const writer = new SegmentWriter(folder);
  let records = 0;
  for await (const page of pages) {
    for (const { seq, record } of page) writer.add(seq, record);
    records += page.length;
    await writer.flush(batchBytes);
  }
  const catalogue = await writer.end(lastSeq());
  await new DurableJSONFile<Catalogue>(join(folder, 'catalogue.json')).write(catalogue);
  await syncFolder(folder);
  return records;
}

class SegmentWriter {
  readonly #folder: string;
  readonly #segments: Segment[] = [];
  #handle: FileHandle | undefined;
  #lines: string[] = [];
  #length = 0;
  /** The number of the last line; undefined before the first record. */
  #last: number | undefined;
  #hasGaps = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(seq: number, record: string): void {
    this.#fill(seq - 1);
    if (this.#segments.length === 0) this.#segments.push({ file: segmentFileName(seq), first_seq: seq, bytes: 0 });
    this.#push(formatLine(record));
    this.#last = seq;
  }

  /** Notes that the numbers up to this one have no record. */
  #fill(upTo: number): void {
    if (this.#last === undefined || upTo <= this.#last) return;
    this.#push(formatGap(upTo - this.#last));
    this.#hasGaps = true;
    this.#last = upTo;
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
  }

  /** Writes the lines if they have this length. */
  async flush(length: number): Promise<void> {
    const segment = this.#segments.at(-1);
    if (segment === undefined || this.#length < length) return;
    this.#handle ??= await open(join(this.#folder, segment.file), 'wx', 0o600);
    const bytes = Buffer.from(this.#lines.join(''));
    [this.#lines, this.#length] = [[], 0];
    await this.#handle.appendFile(bytes);
    segment.bytes += bytes.length;
    if (segment.bytes > segmentBytes) await this.#startSegment();
  }

  async #startSegment(): Promise<void> {
    await this.#close();
    const first_seq = (this.#last ?? 0) + 1;
    this.#segments.push({ file: segmentFileName(first_seq), first_seq, bytes: 0 });
  }

  async #close(): Promise<void> {
    await this.#handle?.datasync();
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async end(lastSeq: number): Promise<Catalogue> {
    this.#fill(lastSeq);
    await this.flush(1);
    await this.#close();
    const segments = this.#segments.filter(({ bytes }) => bytes > 0);
    return { format: this.#hasGaps ? 2 : 1, segments, ...(segments.length > 0 ? {} : { next_seq: lastSeq + 1 }) };
  }
}
