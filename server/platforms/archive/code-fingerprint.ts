/** Identifies the program that builds the tables: another tokenizer, another ranking or another layout is another program. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders below `server` whose code decides what the tables contain. */
export const tableFolders: readonly string[] = ['collections', 'domain', 'platforms/archive', 'search', 'text'];
const root = fileURLToPath(new URL('../../', import.meta.url));

/** By the names of the folders. */
const known = new Map<string, string>();

/**
 * A hash of the code in folders below `server`, of the version of Node, which has the Unicode data of the tokenizer, and of the order of
 * bytes. Undefined where the code cannot be read, and where it has changed since this process started: the process then runs other code
 * than that on the disk.
 */
export async function codeFingerprint(folders: readonly string[] = tableFolders): Promise<string | undefined> {
  const name = folders.join(' ');
  const fingerprint = known.get(name) ?? (await computed(folders).catch(() => undefined));
  if (fingerprint !== undefined) known.set(name, fingerprint);
  return fingerprint;
}

async function computed(folders: readonly string[]): Promise<string | undefined> {
  const files = (await Promise.all(folders.map(filesIn))).flat();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  // After the contents are read. The time of the last change of a file's content or name, which no copy and no archive sets.
  const changed = await Promise.all(files.map(async (file) => (await stat(file)).ctimeMs));
  if (changed.some((time) => time > performance.timeOrigin)) return undefined;
  const hash = createHash('sha256').update(`${process.version} ${endianness()}`);
  for (const [index, file] of files.entries())
    hash.update(`\0${file.slice(root.length)}\0`).update(contents[index] ?? '');
  return hash.digest('hex').slice(0, 32);
}

/** The files of a folder, sorted by path. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}
