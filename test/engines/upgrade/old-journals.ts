/** Journals as version 1.2 writes them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** A record with its marker: a space begins a group, `+` continues it. A number: so many records that a purge has removed. */
export type OldLine = string | { readonly json: string; readonly marker: ' ' | '+' } | number;

/** A line of a segment. */
export const lineOf = (record: string, marker = ' '): string =>
  `${crc32(record).toString(16).padStart(8, '0')}${marker}${record}\n`;

const textOf = (line: OldLine): string => {
  if (typeof line === 'number') return lineOf(String(line), '-');
  return typeof line === 'string' ? lineOf(line) : lineOf(line.json, line.marker);
};
const recordsOf = (lines: readonly OldLine[]): number =>
  lines.reduce<number>((sum, line) => sum + (typeof line === 'number' ? line : 1), 0);

/** Writes a journal with these segments. `durableBytes`: the size of the last one that the catalogue states; otherwise all of it. */
export async function writeJournal(
  folder: string,
  segments: readonly (readonly OldLine[])[],
  { durableBytes, format = 2 }: { readonly durableBytes?: number; readonly format?: number } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const listed: object[] = [];
  let seq = 1;
  for (const [index, lines] of segments.entries()) {
    const file = `${String(seq).padStart(16, '0')}.jsonl`;
    const text = lines.map(textOf).join('');
    await writeFile(join(folder, file), text);
    const isLast = index === segments.length - 1;
    listed.push({
      file,
      first_seq: seq,
      bytes: isLast ? (durableBytes ?? Buffer.byteLength(text)) : Buffer.byteLength(text),
    });
    seq += recordsOf(lines);
  }
  await writeFile(join(folder, 'catalogue.json'), JSON.stringify({ format, segments: listed }));
}
