/**
 * Reads a journal of version 1.2 and earlier: a folder with segments and a catalogue of them. A line of a segment is the CRC-32 of a record
 * in 8 hexadecimal digits, a marker and the record. The marker is a space on the first line of a group, which one sync made durable, `+` on
 * the others, and `-` on a line that has the number of removed records instead of a record. Nothing is written to the folder.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StoreError } from '../../ports/storage.ts';
import { DurableJSONFile } from '../../storage/lowdb/durable-file.ts';
import { codeOf, messageOf } from '../../text/error-text.ts';

interface Segment {
  readonly file: string;
  readonly first_seq: number;
  /** The durable size: each segment except the last has exactly this size. */
  readonly bytes: number;
}

interface Catalogue {
  readonly format: number;
  readonly segments: readonly Segment[];
  /** The number of the next record where there is no segment. */
  readonly next_seq?: number;
}

/** A line that holds a record. */
export interface OldRecord {
  readonly seq: number;
  readonly json: string;
  /** Whether it begins a group. */
  readonly isGroupStart: boolean;
  readonly segment: string;
  /** The line in the segment, from 1, and the byte at which it begins. */
  readonly line: number;
  readonly offset: number;
}

/** A line whose record cannot be read, or the incomplete write at the end of the journal. */
export interface LostLine {
  readonly segment: string;
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
  /** The number that its record has; undefined for the incomplete write, which was never acknowledged. */
  readonly seq: number | undefined;
}

/** The formats that this program reads. Format 2 has lines with the marker `-`. */
const formats = [1, 2];
const segmentName = /^\d{16}\.jsonl(\.rewritten)?$/;
const markers = ' +-';
const prefixLength = 9;
const newline = 10;

const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** The remedy for a file that is not whole. */
const remedy = 'restore it from a backup, or repair it with `npm run doctor -- --repair` of version 1.2.0';

export class OldJournal {
  readonly folder: string;
  readonly #catalogue: Catalogue;
  #lastSeq = 0;
  /** What identifies the content: it changes whenever version 1.2 writes to the journal. */
  readonly identity: string;
  /** The size of the segments. */
  readonly bytes: number;

  private constructor(folder: string, catalogue: Catalogue, sizes: readonly number[]) {
    this.folder = folder;
    this.#catalogue = catalogue;
    this.identity = JSON.stringify([catalogue, sizes]);
    this.bytes = sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Opens the journal in a folder; undefined where there is none. Rejects with StoreError for one that is not whole or is of a newer version. */
  static async open(folder: string): Promise<OldJournal | undefined> {
    const names = await readdir(folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw new StoreError(`${folder} cannot be read: ${messageOf(error)}`, { cause: error });
    });
    const segments = names.filter((name) => segmentName.test(name));
    const path = join(folder, 'catalogue.json');
    const catalogue = await new DurableJSONFile<Catalogue>(path).read();
    if (catalogue === null) {
      if (segments.length > 0) throw new StoreError(`${path} is missing: ${remedy}`);
      return undefined;
    }
    requireCatalogue(path, catalogue);
    const sizes: number[] = [];
    for (const segment of catalogue.segments) sizes.push(await sizeOf(folder, segment, catalogue));
    for (const name of segments) await requireListed(join(folder, name), name, catalogue);
    return new OldJournal(folder, catalogue, sizes);
  }

  /** The number of the first record, or of the next one where there is none. */
  get firstSeq(): number {
    return this.#catalogue.segments[0]?.first_seq ?? this.#catalogue.next_seq ?? 1;
  }

  /** The number of the last record that was read, also of a removed one. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /**
   * Reads the records behind a number, a segment at a time: each has some 64 MB. `onLost`: gets each line that is left out. Rejects with
   * StoreError.
   */
  async *read(after = 0, onLost: (lost: LostLine) => void = () => {}): AsyncGenerator<Iterable<OldRecord>, void> {
    const { segments } = this.#catalogue;
    this.#lastSeq = this.firstSeq - 1;
    for (const [index, segment] of segments.entries()) {
      const next = segments[index + 1];
      if (next !== undefined && next.first_seq <= after + 1) continue;
      const path = join(this.folder, segment.file);
      const data = await readFile(path).catch((error: unknown) => {
        throw new StoreError(`${path} cannot be read: ${messageOf(error)}: ${remedy}`, { cause: error });
      });
      const lines = new Lines(data, segment, next === undefined);
      yield lines.records(after, onLost);
      if (next !== undefined && next.first_seq !== lines.lastSeq + 1 && !lines.hasLost)
        throw new StoreError(
          `${join(this.folder, next.file)} starts with record ${next.first_seq} instead of ${lines.lastSeq + 1}: restore ` +
            'catalogue.json and the segments of the same backup',
        );
      this.#lastSeq = next === undefined ? lines.lastSeq : next.first_seq - 1;
    }
  }
}

function requireCatalogue(path: string, { format, segments, next_seq = 1 }: Catalogue): void {
  if (typeof format === 'number' && !formats.includes(format))
    throw new StoreError(`${path} has the format ${format} of a newer version: upgrade with that version`);
  const isWhole =
    formats.includes(format) &&
    isCount(next_seq) &&
    Array.isArray(segments) &&
    (segments as (Segment | null)[]).every(
      (segment) => segmentName.test(segment?.file ?? '') && isCount(segment?.first_seq) && isCount(segment?.bytes),
    );
  if (!isWhole) throw new StoreError(`${path} is not a catalogue of this service: restore it from a backup`);
}

/** The size of a segment. Rejects with StoreError where it is not that of the catalogue. */
async function sizeOf(folder: string, segment: Segment, { segments }: Catalogue): Promise<number> {
  const path = join(folder, segment.file);
  const { size } = await stat(path).catch((error: unknown) => {
    throw new StoreError(`${path} is missing or cannot be read (${messageOf(error)}): ${remedy}`, { cause: error });
  });
  if (size < segment.bytes || (segment !== segments.at(-1) && size !== segment.bytes))
    throw new StoreError(`${path} has ${size} bytes instead of ${segment.bytes}: ${remedy}`);
  return size;
}

/** Rejects with StoreError for a segment outside of the catalogue that is no rest of an interrupted change of files. */
async function requireListed(path: string, name: string, { segments, next_seq = 1 }: Catalogue): Promise<void> {
  const number = Number.parseInt(name, 10);
  const isKnown =
    segments.some(({ file, first_seq }) => file === name || first_seq === number) ||
    name.endsWith('.rewritten') ||
    number < (segments[0]?.first_seq ?? next_seq);
  if (!isKnown && (await stat(path)).size > 0)
    throw new StoreError(`${path} is not in the catalogue of its folder: restore the matching catalogue.json`);
}

/** A line of a segment, from `start` to its newline at `end`. */
interface Line {
  readonly start: number;
  readonly end: number;
  /** Undefined for a damaged one. */
  readonly marker: string | undefined;
}

/** The lines of one segment. */
class Lines {
  readonly #data: Buffer;
  readonly #segment: Segment;
  readonly #lines: Line[] = [];
  /** The line with which the incomplete last write begins. */
  readonly #torn: number;
  /** The number of the last record that was read. */
  lastSeq: number;
  hasLost = false;

  constructor(data: Buffer, segment: Segment, isLast: boolean) {
    this.#data = data;
    this.#segment = segment;
    this.lastSeq = segment.first_seq - 1;
    for (let start = 0; start < data.length;) {
      const found = data.indexOf(newline, start);
      const end = found === -1 ? data.length : found;
      this.#lines.push({ start, end, marker: found === -1 ? undefined : markerOf(data, start, end) });
      start = end + 1;
    }
    this.#torn = isLast ? this.#tornFrom() : this.#lines.length;
  }

  *records(after: number, onLost: (lost: LostLine) => void): Generator<OldRecord, void> {
    const { file: segment } = this.#segment;
    for (const [index, { start, end, marker }] of this.#lines.slice(0, this.#torn).entries()) {
      const place = { segment, line: index + 1, offset: start };
      if (marker === '-') {
        this.lastSeq += Number(this.#text(start, end));
        continue;
      }
      const seq = ++this.lastSeq;
      if (marker === undefined) {
        this.hasLost = true;
        if (seq > after) onLost({ ...place, bytes: end - start, seq });
      } else if (seq > after) yield { seq, json: this.#text(start, end), isGroupStart: marker === ' ', ...place };
    }
    const torn = this.#lines[this.#torn];
    if (torn !== undefined)
      onLost({
        ...{ segment, line: this.#torn + 1, offset: torn.start },
        ...{ bytes: this.#data.length - torn.start, seq: undefined },
      });
  }

  #text(start: number, end: number): string {
    return this.#data.toString('utf8', start + prefixLength, end);
  }

  /**
   * After a power failure, any pages of the last group may be missing, and a page that was never written is zero. A group was durable
   * before the next one began. So the rest from a damaged line on is an incomplete write if no group begins behind it, and if the line has
   * zeros or no line follows.
   */
  #tornFrom(): number {
    const lines = this.#lines;
    const lastGroup = lines.findLastIndex(({ marker }) => marker === ' ');
    const lastWhole = lines.findLastIndex(({ marker }) => marker !== undefined);
    const torn = lines.findIndex(
      ({ start, end, marker }, index) =>
        marker === undefined &&
        start >= this.#segment.bytes &&
        index > lastGroup &&
        (index > lastWhole || this.#data.subarray(start, end).includes(0)),
    );
    return torn === -1 ? lines.length : torn;
  }
}

/** The marker of a whole line; undefined for a damaged one. */
function markerOf(data: Buffer, start: number, end: number): string | undefined {
  const record = start + prefixLength;
  if (end <= record) return undefined;
  const sum = data.toString('latin1', start, record - 1);
  const marker = String.fromCharCode(data[record - 1] ?? 0);
  const isWhole =
    markers.includes(marker) &&
    /^[0-9a-f]{8}$/.test(sum) &&
    Number.parseInt(sum, 16) === crc32(data.subarray(record, end));
  return isWhole ? marker : undefined;
}
