/** The files of a personal archive that is unpacked in a folder. */
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMonthFile, monthFolder } from './archive-until-2019.ts';
import { expectedFiles, isImported, type ArchiveFiles } from './personal-archive.ts';
import { InputError, openFile } from './input-file.ts';

/** The names of the files and the folders in a folder. Only regular ones count: a symbolic link could lead anywhere. */
async function contents(folder: string): Promise<{ files: string[]; folders: string[] }> {
  if (!(await lstat(folder).catch(() => undefined))?.isDirectory()) return { files: [], folders: [] };
  const entries = await readdir(folder, { withFileTypes: true });
  return {
    files: entries.filter((entry) => entry.isFile()).map(({ name }) => name),
    folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
  };
}

const filesIn = (path: string, folder: string, names: readonly string[], folders: readonly string[]): ArchiveFiles => ({
  path,
  names: new Set(names),
  folders,
  open: (name) => openFile(join(folder, name)),
  bytes: async (name) => (await stat(join(folder, name))).size,
});

/** An archive until 2019 whose folder `js` is this one, or whose months are in it; undefined if it is neither. */
async function filesUntil2019(path: string, folder: string): Promise<ArchiveFiles | undefined> {
  const { files } = await contents(folder);
  const months = files.filter(isMonthFile);
  const inside = (await contents(join(folder, monthFolder))).files.filter(isMonthFile);
  const names = [...files, ...inside.map((name) => `${monthFolder}/${name}`)];
  if (months.length === 0 && inside.length === 0) return undefined;
  return filesIn(path, folder, names, []);
}

/**
 * Finds the files in the folder, in its folder `data`, or in `data/js` of an archive until 2019. The folder itself can be a link.
 * Throws InputError if nothing in it is imported.
 */
export async function folderFiles(path: string): Promise<ArchiveFiles> {
  const own = `${path}/.`;
  for (const folder of [join(path, 'data'), own]) {
    const { files, folders } = await contents(folder);
    if (files.some(isImported)) return filesIn(path, folder, files, folders);
  }
  const tables = (await contents(own)).files.filter((name) => name.endsWith('.csv'));
  const data = (await contents(join(path, 'data'))).folders;
  for (const folder of [...(data.includes('js') ? [join(path, 'data', 'js')] : []), join(path, 'js'), own]) {
    const found = await filesUntil2019(path, folder);
    if (found !== undefined) return { ...found, tables };
  }
  throw new InputError(
    `${path}: no personal archive in this folder (expected ${expectedFiles}); name files in other formats one by one, as in ${path}/*.json`,
  );
}
