/** The files of a personal archive that is unpacked in a folder. */
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isTweetFile, type ArchiveFiles } from './personal-archive.ts';
import { InputError, openFile } from './input-file.ts';

/**
 * Finds the files in the folder, or in its folder `data`. Only regular files count: a symbolic link could lead anywhere.
 * Throws InputError if there are no tweets.
 */
export async function folderFiles(path: string): Promise<ArchiveFiles> {
  for (const folder of [join(path, 'data'), path]) {
    if (folder !== path && !(await lstat(folder).catch(() => undefined))?.isDirectory()) continue;
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    if (!names.some(isTweetFile)) continue;
    return {
      path,
      names: new Set(names),
      folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
      open: (name) => openFile(join(folder, name)),
      bytes: async (name) => (await stat(join(folder, name))).size,
    };
  }
  const expected = 'no personal archive in this folder (expected data/tweets.js); list the files to import';
  throw new InputError(`${path}: ${expected}`);
}
