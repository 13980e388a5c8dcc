/** Repairs a journal: keeps its usable records with their numbers, and removes the damaged ones. */
import { open, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder, DurableJSONFile, syncFolder } from '../../storage/lowdb/durable-file.ts';
import type { Catalogue } from '../../storage/lowdb/file-journal.ts';
import { formatGap, formatLine, segmentFileName, type Segment } from '../../storage/lowdb/segment.ts';
import type { JournalCheck, JournalFacts, RepairSink } from './journal-check.ts';
import type { Quarantine } from './quarantine.ts';
import type { ScannedLine } from './scan-segment.ts';
import type { ChainedSegment, SegmentChain } from './segment-chain.ts';

/** The size of one write. */
const bufferBytes = 1024 * 1024;

/** Writes one repaired segment. */
class SegmentWriter implements RepairSink {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #placeholder: string;
  readonly #quarantine: Quarantine;
  #lines: string[] = [];
  #buffered = 0;
  bytes = 0;
  records = 0;

  constructor(file: FileHandle, path: string, placeholder: string, quarantine: Quarantine) {
    this.#file = file;
    this.#path = path;
    this.#placeholder = placeholder;
    this.#quarantine = quarantine;
  }

  async record(record: Buffer): Promise<void> {
    await this.#write(record.toString());
  }

  async gap(records: number): Promise<void> {
    await this.#add(formatGap(records));
  }

  async removed({ line, offset, bytes }: ScannedLine, reason: string, isReplaced: boolean): Promise<void> {
    await this.#quarantine.addRecord({ file: this.#path, line, offset, reason, text: bytes.toString() });
    if (isReplaced) await this.#write(this.#placeholder);
  }

  async missing(count: number): Promise<void> {
    for (let index = 0; index < count; index++) await this.#write(this.#placeholder);
  }

  async append(records: readonly string[]): Promise<void> {
    for (const record of records) await this.#write(record);
  }

  async flush(): Promise<void> {
    const data = Buffer.from(this.#lines.join(''));
    await this.#file.appendFile(data);
    this.bytes += data.length;
    this.#lines = [];
    this.#buffered = 0;
  }

  async #write(record: string): Promise<void> {
    await this.#add(formatLine(record));
  }

  async #add(line: string): Promise<void> {
    this.#lines.push(line);
    this.#buffered += line.length;
    this.records++;
    if (this.#buffered > bufferBytes) await this.flush();
  }
}

export interface JournalToRepair {
  readonly directory: string;
  readonly name: string;
  readonly chain: SegmentChain;
  readonly facts: JournalFacts;
  /** A check for the pass of the repair, which has seen no record yet. */
  readonly check: JournalCheck;
  readonly placeholder: string;
  /** The records that the repaired journal gets at its end. */
  readonly appendix: readonly string[];
  readonly quarantine: Quarantine;
}

/**
 * Writes the damaged segments and the catalogue anew. A crash in the midst leaves segments that the catalogue does not
 * describe: a second repair corrects that.
 */
export async function repairJournal(journal: JournalToRepair): Promise<void> {
  const { directory, name, chain, facts, quarantine } = journal;
  await createFolder(join(directory, name));
  const catalogue = `${name}/catalogue.json`;
  await quarantine.keep(catalogue).catch(() => {});
  const segments: Segment[] = [];
  for (const segment of segmentsToWrite(journal)) {
    const isLast = segment === chain.segments.at(-1) || chain.segments.length === 0;
    const isChanged = facts.damaged.has(segment.file) || (isLast && journal.appendix.length > 0);
    const bytes = isChanged ? await repairSegment(journal, segment, isLast) : (segment.bytes ?? 0);
    segments.push({ file: segment.file, first_seq: segment.firstSeq, bytes });
  }
  const format = facts.hasGaps ? 2 : 1;
  const content: Catalogue = { format, segments, ...(segments.length === 0 ? { next_seq: chain.nextSeq } : {}) };
  await new DurableJSONFile<Catalogue>(join(directory, catalogue)).write(content);
}

/** The segments of the repaired journal. A last segment of which nothing is left is left out. */
function segmentsToWrite({ chain, facts, appendix }: JournalToRepair): readonly ChainedSegment[] {
  const kept = chain.segments.filter(
    (segment, index) =>
      segment.bytes !== undefined ||
      index < chain.segments.length - 1 ||
      (facts.lengths.get(segment.file)?.records ?? 0) > 0,
  );
  if (kept.length > 0 || appendix.length === 0) return kept;
  return [{ file: segmentFileName(chain.nextSeq), firstSeq: chain.nextSeq, knownBytes: undefined, bytes: undefined }];
}

/** Writes a segment anew under its name; returns its size in bytes. */
async function repairSegment(
  { directory, name, facts, check, placeholder, appendix, quarantine }: JournalToRepair,
  segment: ChainedSegment,
  isLast: boolean,
): Promise<number> {
  const path = `${name}/${segment.file}`;
  if (segment.bytes !== undefined) await quarantine.keep(path);
  const temporary = join(directory, `${path}.repaired`);
  const file = await open(temporary, 'w', 0o600);
  try {
    const writer = new SegmentWriter(file, path, placeholder, quarantine);
    await check.write(segment, writer, facts);
    if (isLast) await writer.append(appendix);
    await writer.flush();
    await file.sync();
    await rename(temporary, join(directory, path));
    await syncFolder(join(directory, name));
    return writer.bytes;
  } finally {
    await file.close();
  }
}
