/**
 * Imports an input into a sink: reads values, converts them to records, applies durable batches, and returns a report.
 */
import type { ArchiveRecord, ChangeOutcome } from '../domain/records.ts';
import { validationError } from './formats/native.ts';
import { ownerRecord, type Owner } from './formats/personal.ts';
import { InputError, type Input } from './input.ts';
import { recognise } from './recognise.ts';
import type { ImportSink } from '../ports/import-sink.ts';
import type { InputValue } from './value-scanner.ts';
import { inputValues } from './values.ts';

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

/** The reason for a value whose records are in the journal but could not be applied. */
const notApplied = 'the archive could not apply it: it is set aside in set-aside.json of DATA_DIR';

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
  const { onProgress, signal, restore = false } = options;
  const zeroCounts = { taken: 0, updated: 0, unchanged: 0, skipped: 0, resumed: 0 };
  const report: ImportReport = {
    input: input.name,
    ...zeroCounts,
    added: {},
    reasons: new Map(),
    unlisted: new Map(),
    complete: false,
  };
  const fingerprint = input.fingerprint ?? `${input.name} ${input.seenAt}`;
  const before = await sink.resume(fingerprint);
  const skip = before === undefined || before.done ? 0 : before.values;
  let values = 0;
  let bytes = 0;
  let batch: Batch = emptyBatch();
  // The import reads the next batch while the sink applies the previous one.
  let applying = Promise.resolve();

  const flush = async (done: boolean): Promise<void> => {
    const currentBatch = batch;
    batch = emptyBatch();
    const progress = { values, done };
    await applying;
    applying = sink.apply(fingerprint, progress, currentBatch.records).then((outcomes) => {
      tally(report, currentBatch, outcomes);
      onProgress?.(progress.values, bytes);
    });
    // Prevents an unhandled rejection until the next await of `applying`.
    applying.catch(() => {});
  };
  const addToBatch = (records: ArchiveRecord[], line: number): void => {
    const all = restore ? records.flatMap(withRestore) : records;
    batch.sizes.push(all.length);
    batch.lines.push(line);
    for (const record of all) batch.records.push(withObservedAt(record, input.seenAt));
  };
  /** The number of values after the last recognised one. */
  let unrecognised = 0;

  try {
    if (input.owner !== undefined) batch.records.push(validOwner(input.owner));
    for await (const scanned of inputValues(input.read((read) => (bytes = read)))) {
      for (const value of scanned) {
        if ('elements' in value && value.elements > unrecognised) continue;
        if ('text' in value && values >= skip) batch.bytes += value.text.length;
        unrecognised++;
        for (const element of elements(value, input)) {
          if ('records' in element) unrecognised = 0;
          if (++values <= skip) report.resumed++;
          else if ('records' in element) addToBatch(element.records, value.line);
          else recordSkip(report, element.reason, value.line);
          if (batch.sizes.length >= batchValues || batch.bytes >= batchBytes) await flush(false);
        }
      }
      if (signal?.aborted) break;
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    report.fault = error.message;
  }
  report.complete = report.fault === undefined && !signal?.aborted;
  await flush(report.complete);
  await applying;
  return report;
}

/** The profile of the owner of a personal archive. Throws InputError where it violates the schema. */
function validOwner(owner: Owner): ArchiveRecord {
  const record = ownerRecord(owner);
  const reason = validationError(record);
  if (reason !== undefined) throw new InputError(`the owner of this personal archive cannot be kept: ${reason}`);
  return record;
}

function elements(value: InputValue, input: Input): ReturnType<typeof recognise> {
  if ('reason' in value) return [{ reason: value.reason }];
  let json: unknown;
  try {
    json = JSON.parse(value.text);
  } catch (error) {
    // Removes the excerpt of the input from the message: it may be long and unsafe.
    return [{ reason: `broken JSON: ${(error as Error).message.replace(/ in JSON.*| \(.*|, (?:\.\.\.)?".*/s, '')}` }];
  }
  return recognise(json, input.owner);
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
  for (const [index, outcome] of outcomes.entries()) {
    const { kind } = records[index]!;
    if (outcome === 'added') report.added[kind] = (report.added[kind] ?? 0) + 1;
  }
  let start = records.length - sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, size] of sizes.entries()) {
    const valueOutcomes = outcomes.slice(start, start + size);
    start += size;
    if (valueOutcomes.includes('set aside')) recordSkip(report, notApplied, lines[index]!);
    else if (valueOutcomes.includes('added')) report.taken++;
    else if (valueOutcomes.includes('updated')) report.updated++;
    else report.unchanged++;
  }
}
