/**
 * Tables as sections of bytes: a table yields its sections in a fixed order and is restored from the same sections in the same
 * order. Large typed arrays are one section each; everything else is JSON.
 */

/** The typed arrays of tables. */
export type Numbers = Float64Array | Uint32Array | Int32Array | Uint8Array | BigUint64Array;
type NumbersType<Values extends Numbers> = new (length: number) => Values;

/** The content of one section; a text stands for its bytes in UTF-8. Bytes are valid until the next step of the save. */
export type Section = Uint8Array | string;
/** The steps of a save. */
export type Sections = Iterable<Section>;

/** Reads sections in the order of the save. Throws where the next section is missing or has another size. */
export interface SectionReader {
  /** The size of the next section in bytes. */
  readonly nextBytes: number;
  /** Reads the next section into memory of its size. */
  into(target: Uint8Array): void;
}

/** A table that can be saved and restored. */
export interface SavedTable {
  /** The table must not change before the last section is read; reading from the table is allowed. */
  save(): Sections;
  /** Fills a new, empty table. */
  load(reader: SectionReader): void;
}

/** The number of values in one section: it bounds the duration of a step. */
const valuesPerSection = 128;

export const bytesOf = (values: Numbers): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

export const jsonSection = (value: unknown): string => JSON.stringify(value);

export function readBytes(reader: SectionReader): Buffer {
  const bytes = Buffer.allocUnsafeSlow(reader.nextBytes);
  reader.into(bytes);
  return bytes;
}

/** Reads a section of numbers into a new array. */
export function readNumbers<Values extends Numbers>(reader: SectionReader, type: NumbersType<Values>): Values {
  const values = new type(reader.nextBytes / bytesPerNumber(type));
  reader.into(bytesOf(values));
  return values;
}

const bytesPerNumber = <Values extends Numbers>(type: NumbersType<Values>): number => new type(0).BYTES_PER_ELEMENT;

/** Reads a section of `jsonSection`; the caller knows its type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- JSON has no types.
export const readJson = <Value>(reader: SectionReader): Value => JSON.parse(readBytes(reader).toString()) as Value;

/** Any number of values that JSON can express, some in each section. */
export function* saveValues(values: Iterable<unknown>): Generator<string, void> {
  let batch: unknown[] = [];
  for (const value of values) {
    if (batch.push(value) < valuesPerSection) continue;
    yield jsonSection(batch);
    batch = [];
  }
  if (batch.length > 0) yield jsonSection(batch);
  yield jsonSection([]);
}

/** The values of `saveValues`. Read all of them before the next section. */
export function* readValues<Value>(reader: SectionReader): Generator<Value, void> {
  for (let batch = readJson<Value[]>(reader); batch.length > 0; batch = readJson<Value[]>(reader)) yield* batch;
}
