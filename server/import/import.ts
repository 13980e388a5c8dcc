/** An import from its input to the sink: values in, records out, batch by durable batch, and a report. */
import type { ArchiveRecord, ChangeOutcome } from '../platforms/archive/records.ts';
import { whyInvalid } from './formats/native.ts';
import { ownerRecord, type Owner } from './formats/personal.ts';
import { InputError, type Input } from './input.ts';
import { recognise } from './recognise.ts';
import type { ImportSink } from '../ports/import-sink.ts';
import type { InputValue } from './value-scanner.ts';
import { inputValues } from './values.ts';

/** What became of an input. Every value is in exactly one of the counts. */
export interface ImportReport {
  readonly input: string;
  /** Values that brought something new. */
  taken: number;
  /** Values that changed what was known. */
  updated: number;
  /** Values that were known already. */
  unchanged: number;
  skipped: number;
  /** Values that an earlier, interrupted run had taken in. */
  resumed: number;
  /** Records added, by kind. */
  added: Record<string, number>;
  /** Why values were skipped, and on which lines they begin. */
  reasons: Map<string, number[]>;
  /** How many more were skipped for a reason, whose lines are not kept. */
  unlisted: Map<string, number>;
  /** Whether the input was read to its end. */
  complete: boolean;
  /** Why it could not be read on; what came before is taken in. */
  fault?: string;
}

export interface ImportOptions {
  /** Told after each batch: values so far, and bytes of the input read. */
  readonly onProgress?: (values: number, bytes: number) => void;
  /** Stops after the batch under way. */
  readonly signal?: AbortSignal;
}

/** A batch ends with either: so it stays small for the journal, and for the body of a call to a running server. */
const batchValues = 1000;
const batchBytes = 8 * 1024 * 1024;
/** Beyond so many different reasons, which only a hostile input has, the rest is not told apart. */
const mostReasons = 1000;
/** Lines that a report keeps: a small file can unpack to any number of bad ones. */
const mostLines = 1_000_000;

/** Why a value is skipped that the archive has written down and then could not apply. */
const notApplied = 'the archive could not apply it: it is set aside in set-aside.json of DATA_DIR';

interface Batch {
  /** The size of its values in the input. */
  bytes: number;
  /** How many records each value has, and the line on which it begins. */
  readonly sizes: number[];
  readonly lines: number[];
  readonly records: ArchiveRecord[];
}

const emptyBatch = (): Batch => ({ bytes: 0, sizes: [], lines: [], records: [] });

/**
 * Takes an input in, batch by batch; a batch and how far it got are durable in one step. Goes on where an interrupted import of
 * the same input was. A value is an element that `recognise` finds. Rejects only with the sink's own errors.
 */
export async function importInput(input: Input, sink: ImportSink, options: ImportOptions = {}): Promise<ImportReport> {
  const { onProgress, signal } = options;
  const nothing = { taken: 0, updated: 0, unchanged: 0, skipped: 0, resumed: 0 };
  const report: ImportReport = {
    input: input.name,
    ...nothing,
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
  // While a batch is made durable the next one is read.
  let applying = Promise.resolve();

  const flush = async (done: boolean): Promise<void> => {
    const taken = batch;
    batch = emptyBatch();
    const progress = { values, done };
    await applying;
    applying = sink.apply(fingerprint, progress, taken.records).then((outcomes) => {
      tally(report, taken, outcomes);
      onProgress?.(progress.values, bytes);
    });
    // Seen at the next await; until then it is not a rejection that nobody handles.
    applying.catch(() => {});
  };
  const take = (records: ArchiveRecord[], line: number): void => {
    batch.sizes.push(records.length);
    batch.lines.push(line);
    for (const record of records) batch.records.push(seen(record, input.seenAt));
  };
  /** How many values were found since the last one that was recognised. */
  let unrecognised = 0;

  try {
    if (input.owner !== undefined) batch.records.push(validOwner(input.owner));
    for await (const found of inputValues(input.read((read) => (bytes = read)))) {
      for (const value of found) {
        if ('elements' in value && value.elements > unrecognised) continue;
        if ('text' in value && values >= skip) batch.bytes += value.text.length;
        unrecognised++;
        for (const element of elements(value, input)) {
          if ('records' in element) unrecognised = 0;
          if (++values <= skip) report.resumed++;
          else if ('records' in element) take(element.records, value.line);
          else note(report, element.reason, value.line);
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

/** The profile of a personal archive's owner. Throws InputError where it is none that can be kept. */
function validOwner(owner: Owner): ArchiveRecord {
  const record = ownerRecord(owner);
  const reason = whyInvalid(record);
  if (reason !== undefined) throw new InputError(`the owner of this personal archive cannot be kept: ${reason}`);
  return record;
}

function elements(value: InputValue, input: Input): ReturnType<typeof recognise> {
  if ('reason' in value) return [{ reason: value.reason }];
  let json: unknown;
  try {
    json = JSON.parse(value.text);
  } catch (error) {
    // Without the part of the input that the message quotes: it may be long, and anything.
    return [{ reason: `broken JSON: ${(error as Error).message.replace(/ in JSON.*| \(.*|, (?:\.\.\.)?".*/s, '')}` }];
  }
  return recognise(json, input.owner);
}

/** Says of a record when it was seen, where it does not itself. */
function seen(record: ArchiveRecord, at: string): ArchiveRecord {
  if (record.kind === 'tweet') record.tweet.observed_at ??= at;
  else if (record.kind === 'user') record.user.observed_at ??= at;
  return record;
}

/** Characters that would do something to a terminal, or not be seen in it. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
const visible = (text: string): string =>
  text.replace(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

function note(report: ImportReport, why: string, line: number): void {
  const reason = visible(why);
  const { reasons, unlisted } = report;
  const known = reasons.has(reason) || reasons.size < mostReasons ? reason : 'other reasons';
  const lines = reasons.get(known);
  if (lines === undefined) reasons.set(known, [line]);
  else if (report.skipped < mostLines) lines.push(line);
  else unlisted.set(known, (unlisted.get(known) ?? 0) + 1);
  report.skipped++;
}

/** Counts each value by the best that became of its records. Records before the first value's belong to the input itself. */
function tally(report: ImportReport, { sizes, lines, records }: Batch, outcomes: ChangeOutcome[]): void {
  for (const [place, outcome] of outcomes.entries()) {
    const { kind } = records[place]!;
    if (outcome === 'added') report.added[kind] = (report.added[kind] ?? 0) + 1;
  }
  let start = records.length - sizes.reduce((sum, size) => sum + size, 0);
  for (const [place, size] of sizes.entries()) {
    const own = outcomes.slice(start, start + size);
    start += size;
    if (own.includes('set aside')) note(report, notApplied, lines[place]!);
    else if (own.includes('added')) report.taken++;
    else if (own.includes('updated')) report.updated++;
    else report.unchanged++;
  }
}
