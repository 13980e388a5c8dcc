/** The data directory that version 1.2.0 has left when it was killed, and what it answered: see make-released-data.ts. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Answer } from './answers.ts';
import { lineOf } from './old-journals.ts';

/** What the released service answered on these data. */
export interface ReleasedAnswers {
  /** The pages behind pages that it gave before the last changes. */
  readonly continued: readonly Answer[];
  readonly pages: readonly Answer[];
  /** The events after some numbers. */
  readonly events: readonly (readonly unknown[])[];
}

const read = async <Value>(name: string): Promise<Value> =>
  JSON.parse(gunzipSync(await readFile(new URL(`released/${name}.json.gz`, import.meta.url))).toString()) as Value;

export const releasedAnswers = (): Promise<ReleasedAnswers> => read('answers');

/** Writes the released data to a folder that does not exist yet. */
export async function writeReleasedData(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 });
  for (const [name, content] of Object.entries(await read<Record<string, string>>('data'))) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const bytes = Buffer.from(content, 'base64');
    await writeFile(path, name.startsWith('events/') && name.includes('.jsonl') ? recent(bytes) : bytes, {
      mode: 0o600,
    });
  }
}

/** The same events a moment ago: a service forgets old ones. */
const recent = (segment: Buffer): string =>
  segment
    .toString()
    .split('\n')
    .map((line) =>
      line === '' ? '' : lineOf(line.slice(9).replace(/"at":\d+/, `"at":${Date.now() - 60_000}`), line[8]).trimEnd(),
    )
    .join('\n');
