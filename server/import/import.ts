/** Imports an input into a sink: applies its records in durable batches, and returns a report. */
import type { ArchiveRecord, ChangeOutcome } from '../domain/records.ts';
import type { ImportProgress, ImportSink } from '../ports/import-sink.ts';
import type { ImportBatch } from './batch-reader.ts';
import { batchesOf } from './batches.ts';
import type { Input, LeftOut } from './input-file.ts';

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
  /** The size from which an input is read in a thread of its own, in bytes of its decompressed content. */
  readonly threadBytes?: number;
}

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
  /** The calls of the sink in progress. The import takes the next batch while the sink applies those before. */
  readonly #applying: Promise<void>[] = [];
  #last: Promise<unknown> | undefined;

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
    const { owner, notes, media, seenAt } = this.#input;
    const { restore = false, signal, threadBytes } = this.#options;
    const settings = {
      ...{ owner, seenAt, skip: this.#skip, restore, maxValues: this.#sink.maxValues },
      batchValues: this.#sink.batchValues,
      ...(notes === undefined ? {} : { notes }),
      ...(media === undefined ? {} : { media }),
    };
    for await (const batch of batchesOf(this.#input, settings, threadBytes)) {
      if (batch.end !== undefined && batch.end !== '') report.fault = batch.end;
      report.complete = batch.end === '' && signal?.aborted !== true;
      await this.#apply(batch);
      if (signal?.aborted === true) break;
    }
    await Promise.all(this.#applying);
    return report;
  }

  /** Counts a batch, and passes its records to the sink, when the sink takes another call. */
  async #apply(batch: ImportBatch): Promise<void> {
    this.#report.resumed += batch.resumed;
    for (const { reason, line } of batch.skipped) recordSkip(this.#report, reason, line);
    const { fault, complete } = this.#report;
    if (batch.json.length === 0 && fault === undefined && !complete) return;
    while (this.#applying.length >= (this.#sink.maxCalls ?? 1)) await this.#applying.shift();
    const applying = this.#passOn(batch, { values: batch.values, done: complete });
    const counted = applying.then((outcomes) => {
      tally(this.#report, batch, outcomes);
      this.#options.onProgress?.(batch.values, batch.bytesRead);
    });
    // Prevents an unhandled rejection until it is awaited.
    counted.catch(() => {});
    this.#last = applying;
    this.#applying.push(counted);
  }

  #passOn({ json, records }: ImportBatch, progress: ImportProgress): Promise<ChangeOutcome[]> {
    const context = { after: this.#last };
    if (this.#sink.applyJson !== undefined)
      return this.#sink.applyJson(this.#fingerprint, progress, `[${json.join(',')}]`, context);
    const parsed = records ?? json.map((text) => JSON.parse(text) as ArchiveRecord);
    return this.#sink.apply(this.#fingerprint, progress, parsed, context);
  }
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
function tally(
  report: ImportReport,
  { sizes, lines, kinds }: Pick<ImportBatch, 'sizes' | 'lines' | 'kinds'>,
  outcomes: ChangeOutcome[],
): void {
  for (const [index, kind] of kinds.entries())
    if (outcomes[index] === 'added') report.added[kind] = (report.added[kind] ?? 0) + 1;
  let start = kinds.length - sizes.reduce((sum, size) => sum + size, 0);
  for (let index = 0; index < sizes.length; index++) {
    const size = sizes[index]!;
    if (size === 1 && outcomes[start] === 'added') {
      report.taken++;
      start++;
      continue;
    }
    const valueOutcomes = outcomes.slice(start, start + size);
    const rejected = kinds[start + valueOutcomes.indexOf('rejected')];
    start += size;
    if (valueOutcomes.includes('dead letter')) recordSkip(report, notApplied, lines[index] ?? 0);
    else if (valueOutcomes.includes('rejected') && rejected !== undefined)
      recordSkip(report, rejections[rejected] ?? 'rejected', lines[index] ?? 0);
    else if (valueOutcomes.includes('added')) report.taken++;
    else if (valueOutcomes.includes('updated')) report.updated++;
    else report.unchanged++;
  }
}
