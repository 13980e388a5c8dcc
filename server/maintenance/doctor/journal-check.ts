/** Checks the records of a journal, and writes a repaired copy where one is wanted. */
import { join } from 'node:path';
import type { Findings } from './findings.ts';
import { correctedRecord } from './correct-byte.ts';
import type { JournalDamage, RecordCheck } from './journal-rules.ts';
import { gapOf, scanSegment, type ScannedLine } from './scan-segment.ts';
import type { ChainedSegment, SegmentChain } from './segment-chain.ts';

/** Receives the parts of a repaired journal. */
export interface RepairSink {
  /** A usable record; `isCorrected`: other than in the file. */
  record(record: Buffer): Promise<void>;
  /** A place from which a purge removed this number of records. */
  gap(records: number): Promise<void>;
  /** A record that is taken out; `isReplaced`: a placeholder takes its place. */
  removed(line: ScannedLine, reason: string, isReplaced: boolean): Promise<void>;
  /** Placeholders for records of which nothing is left. */
  missing(count: number): Promise<void>;
}

/** The result of the check of a segment. */
interface SegmentFacts {
  readonly usable: number;
  readonly unusable: number;
  readonly isDamaged: boolean;
}

export interface JournalFacts {
  readonly damage: JournalDamage;
  /** The segments to be written anew. */
  readonly damaged: ReadonlySet<string>;
  /** The number of the last record. */
  readonly lastSeq: number;
  readonly records: number;
  /** Whether a purge removed records from it. */
  readonly hasGaps: boolean;
  /** By segment: the number of records that it has after a repair, and how many of them are usable. */
  readonly lengths: ReadonlyMap<string, { readonly records: number; readonly usable: number }>;
}

interface Verdict {
  readonly line: ScannedLine;
  /** The usable record; undefined for one that is not. */
  readonly record?: Buffer;
  /** The number of removed records for which the line stands; 0 for a record. */
  readonly gap: number;
  readonly fault?: string;
  readonly isCorrected?: boolean;
}

const setAside = '--repair sets it aside';
const correctedFault = 'one byte is damaged, and the checksum identifies it';
/** The marker of a line that is not the first one of its group. */
const groupContinuation = '+'.charCodeAt(0);

/**
 * Whether a line of the last segment belongs to an unfinished write, whose first damaged line is `first`. After a power
 * failure any pages of the last group may be missing; missing pages are zero.
 */
function isTorn(line: ScannedLine, first: ScannedLine | undefined, knownBytes: number): boolean {
  if (line.record === undefined || !line.isComplete) return first !== undefined || line.offset >= knownBytes;
  return first?.bytes.includes(0) === true && line.bytes[8] === groupContinuation;
}

export class JournalCheck {
  readonly #folder: string;
  readonly #name: string;
  readonly #chain: SegmentChain;
  readonly #check: RecordCheck;
  readonly #findings: Findings;
  #unknown = false;
  #hasGaps = false;

  constructor(directory: string, name: string, chain: SegmentChain, check: RecordCheck, findings: Findings) {
    this.#folder = join(directory, name);
    this.#name = name;
    this.#chain = chain;
    this.#check = check;
    this.#findings = findings;
  }

  /** Reads all segments and reports the damage. */
  async run(): Promise<JournalFacts> {
    const { segments } = this.#chain;
    const checked = new Map<string, SegmentFacts>();
    const lengths = new Map<string, { records: number; usable: number }>();
    for (const [index, segment] of segments.entries()) {
      const expected = this.#expectedRecords(index);
      const facts = await this.#checkSegment(segment, expected, index === segments.length - 1);
      checked.set(segment.file, facts);
      lengths.set(segment.file, { records: expected ?? facts.usable + facts.unusable, usable: facts.usable });
    }
    const facts = [...checked];
    const unusable = facts.reduce((sum, [, each]) => sum + each.unusable, 0);
    const first = segments[0]?.firstSeq ?? this.#chain.nextSeq;
    const last = segments.at(-1);
    return {
      damage: { records: unusable, unknown: this.#unknown },
      damaged: new Set(facts.filter(([, { isDamaged }]) => isDamaged).map(([file]) => file)),
      lastSeq: last === undefined ? first - 1 : last.firstSeq + (lengths.get(last.file)?.records ?? 0) - 1,
      records: facts.reduce((sum, [, { usable }]) => sum + usable, 0),
      hasGaps: this.#hasGaps,
      lengths,
    };
  }

  /** The number of records of a segment, from the next one; undefined for the last segment. */
  #expectedRecords(index: number): number | undefined {
    const [segment, next] = [this.#chain.segments[index], this.#chain.segments[index + 1]];
    return segment === undefined || next === undefined ? undefined : next.firstSeq - segment.firstSeq;
  }

  #report(segment: ChainedSegment, reason: string, remedy: string, line?: ScannedLine): void {
    const place = line === undefined ? {} : { line: line.line, offset: line.offset };
    this.#findings.add({ file: `${this.#name}/${segment.file}`, ...place, reason, remedy });
  }

  async #checkSegment(segment: ChainedSegment, expected: number | undefined, isLast: boolean): Promise<SegmentFacts> {
    const { bytes, knownBytes } = segment;
    if (bytes === undefined) {
      this.#report(segment, 'the file is missing', 'put it back, or --repair goes on without it');
      this.#unknown ||= isLast;
      return { usable: 0, unusable: 0, isDamaged: true };
    }
    let [usable, unusable, isDamaged] = [0, 0, false];
    for await (const { line, record, gap, fault, isCorrected } of this.#verdicts(segment, isLast)) {
      this.#hasGaps ||= gap > 0;
      if (gap > 0) usable += gap;
      else if (record === undefined) unusable++;
      else usable++;
      if (fault === undefined) continue;
      isDamaged = true;
      this.#report(segment, fault, isCorrected ? '--repair corrects it' : setAside, line);
    }
    if (knownBytes !== undefined && (bytes < knownBytes || (!isLast && bytes !== knownBytes))) {
      const difference = bytes < knownBytes ? `${knownBytes - bytes} bytes are missing` : 'the file has grown';
      this.#report(segment, `${difference}: ${bytes} bytes where ${knownBytes} were written`, setAside);
      this.#unknown ||= isLast;
      isDamaged = true;
    }
    const found = usable + unusable;
    if (expected !== undefined && found !== expected) {
      this.#report(segment, `it has ${found} records where ${expected} were written`, setAside);
      isDamaged = true;
    }
    return { usable, unusable, isDamaged };
  }

  /** Writes the parts of a repaired segment, with the results of an earlier `run`. */
  async write(segment: ChainedSegment, sink: RepairSink, { lengths }: JournalFacts): Promise<void> {
    const isLast = segment === this.#chain.segments.at(-1);
    const { records: length, usable } = lengths.get(segment.file) ?? { records: 0, usable: 0 };
    let placeholders = Math.max(0, length - usable);
    let records = 0;
    if (segment.bytes !== undefined) {
      for await (const { line, record, gap, fault = '' } of this.#verdicts(segment, isLast)) {
        if (gap > 0 && records + gap <= length) {
          records += gap;
          await sink.gap(gap);
        } else if (record !== undefined && records < length) {
          records++;
          await sink.record(record);
        } else {
          const isReplaced = record === undefined && placeholders > 0;
          if (isReplaced) placeholders--;
          await sink.removed(line, record === undefined ? fault : 'more records than were written', isReplaced);
        }
      }
    }
    await sink.missing(placeholders);
  }

  /** The lines of a segment with their faults, up to an unfinished write at the end. */
  async *#verdicts(segment: ChainedSegment, isLast: boolean): AsyncGenerator<Verdict, void> {
    const knownBytes = segment.knownBytes ?? segment.bytes ?? 0;
    let seq = segment.firstSeq;
    /** Damaged lines at the end of the last segment: an unfinished write, unless whole lines follow. */
    let torn: ScannedLine[] = [];
    for await (const lines of scanSegment(join(this.#folder, segment.file))) {
      for (const line of lines) {
        if (isLast && isTorn(line, torn[0], knownBytes)) {
          torn.push(line);
          continue;
        }
        for (const each of [...torn.splice(0), line]) {
          const verdict = this.#verdict(each, seq);
          seq += verdict.gap || 1;
          yield verdict;
        }
      }
    }
    if (torn.length === 0) return;
    const size = (segment.bytes ?? 0) - (torn[0]?.offset ?? 0);
    this.#findings.note(
      `${this.#name}/${segment.file}: an unfinished write of ${size} bytes, which was never acknowledged: the next start removes it`,
    );
  }

  #verdict(line: ScannedLine, seq: number): Verdict {
    const { record, isComplete, gap } = line;
    if (gap > 0) return { line, gap };
    if (record === undefined || !isComplete) {
      const corrected = isComplete ? correctedRecord(line.bytes) : undefined;
      const correctedGap = corrected === undefined ? 0 : gapOf(corrected);
      if (correctedGap > 0) return { line, gap: correctedGap, isCorrected: true, fault: correctedFault };
      if (corrected === undefined || this.#fault(corrected, seq) !== undefined)
        return { line, gap, fault: isComplete ? 'the checksum is wrong' : 'the line has no end' };
      return { line, gap, record: corrected, isCorrected: true, fault: correctedFault };
    }
    const fault = this.#fault(record, seq);
    return fault === undefined ? { line, gap, record } : { line, gap, fault };
  }

  #fault(record: Buffer, seq: number): string | undefined {
    let value: unknown;
    try {
      value = JSON.parse(record.toString());
    } catch {
      return 'it is no JSON';
    }
    return this.#check.fault(value, seq);
  }
}
