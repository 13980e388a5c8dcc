/** Reads the values of an input, converts them to records, and puts these into batches. */
import type { ArchiveRecord } from '../domain/records.ts';
import { TimeSlice } from '../process/time-slice.ts';
import { messageOf } from '../text/error-text.ts';
import { checkedJson, reusedJson, validationError } from '../formats/native.ts';
import { ownerRecord, type Owner } from '../formats/personal.ts';
import { takeInexactId, type Recognised } from '../formats/recognised.ts';
import { parseExactly } from './exact-json.ts';
import { InputError, type Input } from './input-file.ts';
import { recognise } from './recognise.ts';
import type { InputValue } from './value-scanner.ts';
import { inputValues } from './values.ts';

/** Limits of a batch, so that it stays small for a transaction and for the body of a call to a running server. */
const defaultBatchValues = 1000;
const batchBytes = 8 * 1024 * 1024;

/** How the reader reads an input. */
export interface BatchSettings extends Pick<Input, 'owner' | 'notes' | 'media' | 'seenAt'> {
  /** The number of values that an earlier run imported. */
  readonly skip: number;
  /** Whether the input brings back what was deleted or withdrawn before. */
  readonly restore: boolean;
  /** The maximum number of values of a batch, where the sink has one. */
  readonly maxValues?: number | undefined;
  /** The number of values of a batch, where the sink states one. */
  readonly batchValues?: number | undefined;
}

/** A chunk of the decompressed input, and how many bytes of the file were read up to its end. */
export interface Chunk {
  readonly data: Buffer;
  readonly read: number;
}

/** A value that has no usable records. */
interface SkippedValue {
  readonly reason: string;
  readonly line: number;
}

/** What the values of a part of the input contain. */
export interface ImportBatch {
  /** The number of values of the input up to the end of this batch. */
  readonly values: number;
  /** The number of bytes of the file that were read up to then. */
  readonly bytesRead: number;
  /** Values that an earlier run imported. */
  readonly resumed: number;
  readonly skipped: readonly SkippedValue[];
  /** The number of records of each other value, and its first line. Records before those belong to the input itself. */
  readonly sizes: readonly number[];
  readonly lines: readonly number[];
  /** The JSON and the kind of each record. */
  readonly json: readonly string[];
  readonly kinds: readonly ArchiveRecord['kind'][];
  /** The records; undefined where they are to be parsed from the JSON. */
  readonly records?: ArchiveRecord[] | undefined;
  /** Only in the last batch: why the input could not be read to its end; an empty text where it was. */
  readonly end?: string;
}

export class BatchReader {
  readonly #settings: BatchSettings;
  readonly #maxValues: number;
  #values = 0;
  /** The number of values after the last recognised one. */
  #unrecognised = 0;
  #bytesRead = 0;
  /** The batch in progress. `#length`: the size of its values in the input, in characters. */
  #length = 0;
  #resumed = 0;
  #skipped: SkippedValue[] = [];
  #sizes: number[] = [];
  #lines: number[] = [];
  #json: string[] = [];
  #kinds: ArchiveRecord['kind'][] = [];
  #records: ArchiveRecord[] = [];

  constructor(settings: BatchSettings) {
    this.#settings = settings;
    this.#maxValues = Math.min(
      settings.maxValues ?? Number.POSITIVE_INFINITY,
      settings.batchValues ?? defaultBatchValues,
    );
  }

  /** The batches of the input. The last one, which can be empty, has the end. Throws what `chunks` throws, except InputError. */
  async *read(chunks: AsyncIterable<Chunk>): AsyncGenerator<ImportBatch, void> {
    let fault = '';
    const slice = new TimeSlice();
    try {
      this.#addOwner();
      for await (const values of inputValues(this.#bytesOf(chunks))) {
        for (const value of values) {
          for (const element of this.#elementsOf(value)) {
            this.#add(element, value);
            if (this.#isFull()) yield this.#take();
            // One value can have any number of elements.
            if (slice.isOver) await slice.next();
          }
        }
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      fault = error.message;
    }
    yield { ...this.#take(), end: fault };
  }

  async *#bytesOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<Buffer, void> {
    for await (const { data, read } of chunks) {
      this.#bytesRead = read;
      yield data;
    }
  }

  /** Adds the profile of the owner of a personal archive. Throws InputError if it violates the schema. */
  #addOwner(): void {
    const { owner } = this.#settings;
    if (owner === undefined) return;
    const record = validOwner(owner);
    this.#put(record, JSON.stringify(record));
  }

  #put(record: ArchiveRecord, json: string): void {
    this.#records.push(record);
    this.#json.push(json);
    this.#kinds.push(record.kind);
  }

  /** The elements of a value; none for a fault of a wrapper of which an element was recognised. */
  #elementsOf(value: InputValue): Element[] {
    if ('elements' in value && value.elements > this.#unrecognised) return [];
    if ('text' in value && this.#values >= this.#settings.skip) this.#length += value.text.length;
    this.#unrecognised++;
    return elementsOf(value, this.#settings);
  }

  #add(element: Element, value: InputValue): void {
    const { line } = { line: value.line, ...element };
    if ('records' in element) this.#unrecognised = 0;
    if (++this.#values <= this.#settings.skip) this.#resumed++;
    else if (!('records' in element)) this.#skip(element.reason, line);
    else {
      const { records, isWhole = false } = element;
      this.#addRecords(records, line, isWhole && 'text' in value ? value.text : undefined);
    }
  }

  #skip(reason: string, line: number): void {
    this.#skipped.push({ reason, line });
  }

  /** `text`: the JSON of the only record, if it is known. */
  #addRecords(records: readonly ArchiveRecord[], line: number, text: string | undefined): void {
    const { restore, seenAt } = this.#settings;
    const added: { readonly record: ArchiveRecord; readonly json: string }[] = [];
    for (const record of restore ? records.flatMap(withRestore) : records) {
      const isObserved = addObservedAt(record, seenAt);
      const reused =
        text === undefined || restore ? undefined : reusedJson(text, record, isObserved ? seenAt : undefined);
      const checked = reused === undefined ? checkedJson(record) : { json: reused };
      if ('reason' in checked) return this.#skip(checked.reason, line);
      added.push({ record, json: checked.json });
    }
    this.#sizes.push(added.length);
    this.#lines.push(line);
    for (const { record, json } of added) this.#put(record, json);
  }

  #isFull(): boolean {
    const values = this.#sizes.length;
    return values >= this.#maxValues || this.#length >= batchBytes || this.#skipped.length >= this.#maxValues;
  }

  /** Ends the batch in progress. */
  #take(): ImportBatch {
    const batch: ImportBatch = {
      ...{ values: this.#values, bytesRead: this.#bytesRead, resumed: this.#resumed, skipped: this.#skipped },
      ...{ sizes: this.#sizes, lines: this.#lines, json: this.#json, kinds: this.#kinds, records: this.#records },
    };
    [this.#length, this.#resumed, this.#skipped] = [0, 0, []];
    [this.#sizes, this.#lines, this.#json, this.#kinds, this.#records] = [[], [], [], [], []];
    return batch;
  }
}

function validOwner(owner: Owner): ArchiveRecord {
  const record = ownerRecord(owner);
  const reason = validationError(record);
  if (reason !== undefined) throw new InputError(`the owner of this personal archive cannot be stored: ${reason}`);
  return record;
}

/** An element of a value, and its line where it is not the first one of the value. */
type Element = Recognised & { readonly line?: number };

function elementsOf(value: InputValue, origin: BatchSettings): Element[] {
  if ('reason' in value) return [{ reason: value.reason }];
  let json: unknown;
  try {
    json = JSON.parse(value.text);
  } catch (error) {
    // Removes the excerpt of the input from the message: it may be long and unsafe.
    return [{ reason: `broken JSON: ${messageOf(error).replace(/ in JSON.*| \(.*|, (?:\.\.\.)?".*/s, '')}` }];
  }
  takeInexactId();
  const elements = recognise(json, origin);
  const isInside = (element: Recognised): boolean =>
    'reason' in element && element.place !== undefined && element.place !== json;
  const hasLines = elements.some(isInside) && value.text.includes('\n');
  return takeInexactId() || hasLines ? exactElementsOf(value.text, value.line, origin) : elements;
}

/** The elements with all digits of their ids, each with its line. */
function exactElementsOf(text: string, firstLine: number, origin: BatchSettings): Element[] {
  const json = parseExactly(text);
  return recognise(json.value, origin).map((element) => {
    // The text has an id as a number, which the archive has as a text.
    if ('records' in element) return { ...element, isWhole: false };
    return { ...element, line: firstLine - 1 + (element.place === undefined ? 1 : json.lineOf(element.place)) };
  });
}

/** A tweet or a profile after the records that permit it again. */
function withRestore(record: ArchiveRecord): ArchiveRecord[] {
  if (record.kind === 'user') return [{ kind: 'reinstate', user_id: record.user.id }, record];
  if (record.kind !== 'tweet') return [record];
  const { id, author_id } = record.tweet;
  return [{ kind: 'reinstate', user_id: author_id }, { kind: 'restore', tweet_id: id }, record];
}

/** Adds the time of the observation to a tweet or a profile that has none. Returns whether it did. */
function addObservedAt(record: ArchiveRecord, at: string): boolean {
  const observed = record.kind === 'tweet' ? record.tweet : record.kind === 'user' ? record.user : undefined;
  if (observed === undefined || observed.observed_at !== undefined) return false;
  observed.observed_at = at;
  return true;
}
