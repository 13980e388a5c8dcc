/** The segments of a journal: from its catalogue, or from the file names. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyChecksum } from '../../storage/lowdb/durable-file.ts';
import { isCatalogue, type Catalogue } from '../../storage/lowdb/file-journal.ts';
import { segmentName } from '../../storage/lowdb/segment.ts';
import type { Findings } from './findings.ts';
import { codeOf, messageOf } from '../../text/error-text.ts';

export interface ChainedSegment {
  readonly file: string;
  readonly firstSeq: number;
  /** The size that the catalogue states; undefined if no catalogue does. */
  readonly knownBytes: number | undefined;
  /** The size of the file; undefined for a missing file. */
  readonly bytes: number | undefined;
}

export interface SegmentChain {
  /** Oldest first. */
  readonly segments: readonly ChainedSegment[];
  /** The number of the next record where there is no segment. */
  readonly nextSeq: number;
  /** Whether the catalogue has to be written anew. */
  readonly isRebuilt: boolean;
}

const rebuilt = '--repair makes it anew from the segments';

/** The catalogue of a journal; undefined, with a finding, where it is missing or damaged. */
async function readCatalogue(directory: string, name: string, findings: Findings): Promise<Catalogue | undefined> {
  const file = `${name}/catalogue.json`;
  const report = (reason: string): undefined => {
    findings.add({ file, reason, remedy: rebuilt });
    return undefined;
  };
  let text: string;
  try {
    text = await readFile(join(directory, file), 'utf8');
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    return report(isMissing ? 'it is missing beside its segments' : `it cannot be read (${messageOf(error)})`);
  }
  if (text === '') return report('it is empty');
  const json = verifyChecksum(text);
  if (json === undefined) return report('its checksum is wrong');
  try {
    const catalogue: Catalogue | null = JSON.parse(json);
    if (typeof catalogue === 'object' && catalogue !== null && isCatalogue(catalogue)) return catalogue;
    return report('it is not a catalogue');
  } catch {
    return report('it is not a whole JSON object');
  }
}

const numberOf = (file: string): number => Number.parseInt(file, 10);

/** The chain by the names of the files: each name is the number of its first record. */
function chainOf(sizes: ReadonlyMap<string, number>): SegmentChain {
  const files = [...sizes.keys()].toSorted((a, b) => numberOf(a) - numberOf(b));
  const isLarger = (file: string, other: string): boolean =>
    (sizes.get(file) ?? 0) > (sizes.get(other) ?? 0) || (sizes.get(file) === sizes.get(other) && file <= other);
  const segments = files
    // Of two files with the same number, an interrupted write or purge left one: the larger one has all records.
    .filter((file) => files.every((other) => numberOf(other) !== numberOf(file) || isLarger(file, other)))
    .map((file) => ({ file, firstSeq: numberOf(file), knownBytes: undefined, bytes: sizes.get(file) }));
  return { segments, nextSeq: segments[0]?.firstSeq ?? 1, isRebuilt: true };
}

/** Files that an interrupted write or rewrite left: the next start removes them. */
function isLeftover(file: string, bytes: number, firstSeq: number, numbers: ReadonlySet<number>): boolean {
  return file.endsWith('.rewritten') || numberOf(file) < firstSeq || numbers.has(numberOf(file)) || bytes === 0;
}

/** Reads the chain of a journal, and reports the faults of its catalogue. */
export async function readChain(directory: string, name: string, findings: Findings): Promise<SegmentChain> {
  const folder = join(directory, name);
  const sizes = new Map<string, number>();
  for (const file of await readdir(folder))
    if (segmentName.test(file)) sizes.set(file, (await stat(join(folder, file))).size);
  const catalogue = await readCatalogue(directory, name, findings);
  if (catalogue === undefined) return chainOf(sizes);
  const listed = new Set(catalogue.segments.map(({ file }) => file));
  const firstSeq = catalogue.segments[0]?.first_seq ?? catalogue.next_seq ?? 1;
  const numbers = new Set(catalogue.segments.map(({ first_seq }) => first_seq));
  const unlisted = [...sizes].filter(
    ([file, bytes]) => !listed.has(file) && !isLeftover(file, bytes, firstSeq, numbers),
  );
  if (unlisted.length > 0) {
    for (const [file] of unlisted)
      findings.add({ file: `${name}/${file}`, reason: 'it is not in the catalogue beside it', remedy: rebuilt });
    return chainOf(sizes);
  }
  const segments = catalogue.segments.map(({ file, first_seq, bytes }) => ({
    file,
    firstSeq: first_seq,
    knownBytes: bytes,
    bytes: sizes.get(file),
  }));
  return { segments, nextSeq: catalogue.next_seq ?? firstSeq, isRebuilt: false };
}
