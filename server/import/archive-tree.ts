/** The files of an export at their paths, in a folder or in a zip archive. Only files whose path is wanted are listed. */
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPromise } from 'yauzl';
import { inputOf, withZip } from './archive-zip.ts';
import { InputError, openFile, type Input } from './input-file.ts';

/** A file of an export. */
export interface TreeFile {
  /** Its path in the export, with `/`. */
  readonly path: string;
  /** Opens it as an input of an import. Rejects with InputError. */
  input(): Promise<Input>;
  /** Its bytes as they are. The iteration rejects with an error of the file system or of the archive. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** Limits of a folder: those of a zip archive are in archive-zip.ts. */
const maxFiles = 1_000_000;
const maxDepth = 12;

/** The files below a folder. A symbolic link could lead anywhere, so links are left out. */
async function folderTree(path: string, isWanted: (path: string) => boolean, levels = maxDepth): Promise<TreeFile[]> {
  const found: TreeFile[] = [];
  const open: { readonly folder: string; readonly depth: number }[] = [{ folder: '', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, depth } = next;
    for (const entry of await readdir(join(path, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && depth < levels) open.push({ folder: name, depth: depth + 1 });
      if (!entry.isFile() || !isWanted(name) || found.length >= maxFiles) continue;
      const whole = join(path, name);
      found.push({ path: name, input: () => openFile(whole), bytes: () => createReadStream(whole) });
    }
  }
  return found;
}

/** The files in a zip archive. Rejects with InputError where it cannot be read. */
const zipTree = (path: string, isWanted: (path: string) => boolean): Promise<TreeFile[]> =>
  withZip(path, async (zip) => {
    const found: TreeFile[] = [];
    let entries = 0;
    for await (const entry of zip.eachEntry()) {
      if (++entries > maxFiles) throw new InputError(`this zip archive has more than ${maxFiles} entries`);
      if (!isWanted(entry.fileName)) continue;
      found.push({
        path: entry.fileName,
        input: async () => inputOf(path, entry),
        async *bytes() {
          const own = await openPromise(path, { lazyEntries: true, autoClose: false });
          try {
            yield* await own.openReadStreamPromise(entry);
          } finally {
            own.close();
          }
        },
      });
    }
    return found;
  });

/** The files of a folder or a zip archive. `levels`: how many folders deep it looks into a folder. */
export const treeOf = async (
  path: string,
  isWanted: (path: string) => boolean,
  levels = maxDepth,
): Promise<TreeFile[]> =>
  (await lstat(`${path}/.`).catch(() => undefined))?.isDirectory() === true
    ? folderTree(path, isWanted, levels)
    : zipTree(path, isWanted);
