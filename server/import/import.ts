/**
 * Imports an input into a sink: reads values, converts them to records, applies durable batches, and returns a report.
 */
import type { ArchiveRecord, ChangeOutcome } from '../domain/records.ts';
import { validationError } from './formats/native.ts';
import { ownerRecord, type Owner } from './formats/personal.ts';
import { InputError, type Input, type LeftOut } from './input-file.ts';
import { recognise } from './recognise.ts';
import type { Recognised } from './formats/recognised.ts';
import type { ImportSink } from '../ports/import-sink.ts';
import type { InputValue } from './value-scanner.ts';
import { inputValues } from './values.ts';
import { messageOf } from '../text/error-text.ts';

/** The result of an import. Each value is in exactly one of the counts. */
export interface ImportReport {
  readonly input: string;
  /** Values that added a record. */
  taken: number;
  /** Values that changed an existing record. */
  updated: number;
  /** Values that changed nothing. */
  unchanged: number;
  skipped: number;
  /** Values that an earlier, interrupted run imported. */
  resumed: number;
  /** Records added, by kind. */
  added: Record<string, number>;
  /** The reasons for skipped values, each with the first lines of the values. */
  reasons: Map<string, number[]>;
  /** The number of further skipped values for each reason, beyond the limit of stored lines. */
  unlisted: Map<string, number>;
  /** The files of a personal archive that are not imported; only in the report of its first input. */
  readonly leftOut?: readonly LeftOut[];
  /** Whether the import read the input to its end. */
  complete: boolean;
  /** Why the input could not be read to its end; the values before the error are imported. */
  fault?: string;
}

export interface ImportOptions {
  /** Called after each batch with the number of values and of input bytes so far. */
  readonly onProgress?: (values: number, bytes: number) => void;
  /** Stops the import after the current batch. */
  readonly signal?: AbortSignal;
  /** Whether the input brings back what was deleted or withdrawn before. */
  readonly restore?: boolean;
}

/** Limits of a batch, so that it stays small for the journal and for the body of a call to a running server. */
const batchValues = 1000;
const batchBytes = 8 * 1024 * 1024;
/** The maximum number of different reasons in a report: only a hostile input has more. */
const maxReasons = 1000;
/** The maximum number of lines in a report: a small compressed file can contain any number of invalid values. */
const maxLines = 1_000_000;

/** The reasons for a rejected record, by its kind. */
const rejections: Partial<Record<ArchiveRecord['kind'], string>> = {
  tweet: 'the archive has another tweet with this id: its uri or its author differs, and the first one keeps the id',
  user: 'the archive has another account with this id: its did differs, and the first one keeps the id',
  delete: 'the tweet with this id has another uri: it stays',
};
/** The reason for a value whose records are in the journal but could not be applied. */
const notApplied = 'the archive could not apply the record; it is in set-aside.json of DATA_DIR';

interface Batch {
  /** The size of its values in the input, in characters. */
  bytes: number;
  /** The number of records of each value, and its first line. */
  readonly sizes: number[];
  readonly lines: number[];
  readonly records: ArchiveRecord[];
}

const emptyBatch = (): Batch => ({ bytes: 0, sizes: [], lines: [], records: [] });

/**
 * Imports an input batch by batch. The records of a batch and the progress become durable in one step. Resumes an
 * interrupted import of the same input. A value is an element that `recognise` finds. Rejects only with the errors of
 * the sink.
 */
export async function importInput(input: Input, sink: ImportSink, options: ImportOptions = {}): Promise<ImportReport> {
  const fingerprint = input.fingerprint ?? `${input.name} ${input.seenAt}`;
  const before = await sink.resume(fingerprint);
  const skip = before === undefined || before.done ? 0 : before.values;
  return new ImportRun(input, sink, fingerprint, skip, options).run();
}

const emptyReport = ({ name, leftOut }: Input): ImportReport => ({
  input: name,
  ...(leftOut === undefined ? {} : { leftOut }),
  taken: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  resumed: 0,
  added: {},
  reasons: new Map(),
  unlisted: new Map(),
  complete: false,
});

/** One run over an input. */
class ImportRun {
  readonly #input: Input;
  readonly #sink: ImportSink;
  readonly #fingerprint: string;
  /** The number of values that an earlier run imported. */
  readonly #skip: number;
  readonly #options: ImportOptions;
  readonly #report: ImportReport;
  #batch = emptyBatch();
  #values = 0;
  /** The number of values after the last recognised one. */
  #unrecognised = 0;
  #bytesRead = 0;
  /** The import reads the next batch while the sink applies the previous one. */
  #applying = Promise.resolve();

  constructor(input: Input, sink: ImportSink, fingerprint: string, skip: number, options: ImportOptions) {
    this.#input = input;
    this.#sink = sink;
    this.#fingerprint = fingerprint;
    this.#skip = skip;
    this.#options = options;
    this.#report = emptyReport(input);
  }

  async run(): Promise<ImportReport> {
    const report = this.#report;
    try {
      await this.#readAll();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      report.fault = error.message;
    }
    report.complete = report.fault === undefined && this.#options.signal?.aborted !== true;
    await this.#flush(report.complete);
    await this.#applying;
    return report;
  }

  /** Reads the input to its end, or to the end of the current chunk when the import is stopped. */
  async #readAll(): Promise<void> {
    const input = this.#input;
    if (input.owner !== undefined) this.#batch.records.push(validOwner(input.owner));
    for await (const values of inputValues(input.read((read) => (this.#bytesRead = read)))) {
      for (const value of values) {
        for (const element of this.#elementsOf(value)) {
          this.#add(element, value.line);
          if (this.#isBatchFull()) await this.#flush(false);
        }
      }
      if (this.#options.signal?.aborted) break;
    }
  }

  /** The elements of a value; none for a fault of a wrapper of which an element was recognised. */
  #elementsOf(value: InputValue): ReturnType<typeof recognise> {
    if ('elements' in value && value.elements > this.#unrecognised) return [];
    if ('text' in value && this.#values >= this.#skip) this.#batch.bytes += value.text.length;
    this.#unrecognised++;
    return elements(value, this.#input);
  }

  #add(element: Recognised, line: number): void {
    if ('records' in element) this.#unrecognised = 0;
    if (++this.#values <= this.#skip) this.#report.resumed++;
    else if ('records' in element) this.#addRecords(element.records, line);
    else recordSkip(this.#report, element.reason, line);
  }

  #isBatchFull(): boolean {
    const maxValues = Math.min(batchValues, this.#sink.maxValues ?? batchValues);
    return this.#batch.sizes.length >= maxValues || this.#batch.bytes >= batchBytes;
  }

  #addRecords(records: readonly ArchiveRecord[], line: number): void {
    const all = this.#options.restore === true ? records.flatMap(withRestore) : records;
    this.#batch.sizes.push(all.length);
    this.#batch.lines.push(line);
    for (const record of all) this.#batch.records.push(withObservedAt(record, this.#input.seenAt));
  }

  async #flush(done: boolean): Promise<void> {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    const progress = { values: this.#values, done };
    await this.#applying;
    this.#applying = this.#sink.apply(this.#fingerprint, progress, batch.records).then((outcomes) => {
      tally(this.#report, batch, outcomes);
      this.#options.onProgress?.(progress.values, this.#bytesRead);
    });
    // Prevents an unhandled rejection until the next await of `applying`.
    this.#applying.catch(() => {});
  }
}

/** The profile of the owner of a personal archive. Throws InputError if it violates the schema. */
function validOwner(owner: Owner): ArchiveRecord {
  const record = ownerRecord(owner);
  const reason = validationError(record);
  if (reason !== undefined) throw new InputError(`the owner of this personal archive cannot be stored: ${reason}`);
  return record;
}

function elements(value: InputValue, input: Input): ReturnType<typeof recognise> {
  if ('reason' in value) return [{ reason: value.reason }];
  let json: unknown;
  try {
    json = JSON.parse(value.text);
  } catch (error) {
    // Removes the excerpt of the input from the message: it may be long and unsafe.
    return [{ reason: `broken JSON: ${messageOf(error).replace(/ in JSON.*| \(.*|, (?:\.\.\.)?".*/s, '')}` }];
  }
  return recognise(json, input);
}

/** A tweet or a profile after the records that permit it again. */
function withRestore(record: ArchiveRecord): ArchiveRecord[] {
  if (record.kind === 'user') return [{ kind: 'reinstate', user_id: record.user.id }, record];
  if (record.kind !== 'tweet') return [record];
  const { id, author_id } = record.tweet;
  return [{ kind: 'reinstate', user_id: author_id }, { kind: 'restore', tweet_id: id }, record];
}

/** Sets the time of the observation if the record has none. Modifies the record. */
function withObservedAt(record: ArchiveRecord, at: string): ArchiveRecord {
  if (record.kind === 'tweet') record.tweet.observed_at ??= at;
  else if (record.kind === 'user') record.user.observed_at ??= at;
  return record;
}

/** Characters that control a terminal or are invisible in it. */
const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
const escapeUnsafe = (text: string): string =>
  text.replace(unsafeCharacters, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

function recordSkip(report: ImportReport, why: string, line: number): void {
  const reason = escapeUnsafe(why);
  const { reasons, unlisted } = report;
  const key = reasons.has(reason) || reasons.size < maxReasons ? reason : 'other reasons';
  const lines = reasons.get(key);
  if (lines === undefined) reasons.set(key, [line]);
  else if (report.skipped < maxLines) lines.push(line);
  else unlisted.set(key, (unlisted.get(key) ?? 0) + 1);
  report.skipped++;
}

/**
 * Counts each value by the best outcome of its records. Records before those of the first value belong to the input
 * itself.
 */
function tally(report: ImportReport, { sizes, lines, records }: Batch, outcomes: ChangeOutcome[]): void {
  for (const [index, { kind }] of records.entries())
    if (outcomes[index] === 'added') report.added[kind] = (report.added[kind] ?? 0) + 1;
  let start = records.length - sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, size] of sizes.entries()) {
    const valueOutcomes = outcomes.slice(start, start + size);
    const rejected = records[start + valueOutcomes.indexOf('rejected')];
    start += size;
    if (valueOutcomes.includes('set aside')) recordSkip(report, notApplied, lines[index] ?? 0);
    else if (valueOutcomes.includes('rejected') && rejected !== undefined)
      recordSkip(report, rejections[rejected.kind] ?? 'rejected', lines[index] ?? 0);
    else if (valueOutcomes.includes('added')) report.taken++;
    else if (valueOutcomes.includes('updated')) report.updated++;
    else report.unchanged++;
  }
}
