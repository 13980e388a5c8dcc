/** The real data sets beside the repository, where they are. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFull } from './rounds.ts';

const shared = new URL('../../../shared/', import.meta.url).pathname;
/** Whether the sets are there. */
export const hasSets = existsSync(join(shared, 'data'));
export const sets = join(shared, 'data');
/** Queries that were collected, one a line. */
export const collectedQueries = join(shared, 'search/cases.jsonl');

/** The files of a set that an import reads. */
export const filesOf = (set: string): string[] =>
  readdirSync(join(sets, set), { recursive: true, encoding: 'utf8' })
    .map((name) => join(sets, set, name))
    .filter((path) => statSync(path).isFile() && /\.(json|jsonl|js)$/.test(path));

/** The sets with few tweets, of all formats. */
export const smallSets = ['01-v1.1', '02-v2', '03-archive'] as const;

/** The large set: 18,706 tweets in a full run, such as that of each night; otherwise a file in `folder` with 1,600 of them. */
export async function largeSet(folder: string): Promise<string[]> {
  const files = filesOf('04-large/stocknet');
  if (isFull) return files;
  const part = join(folder, 'stocknet.jsonl');
  const lines = files.flatMap((path) => readFileSync(path, 'utf8').split('\n', 400));
  await writeFile(part, `${lines.join('\n')}\n`);
  return [part];
}
