/** The permissions of the data directory: only its owner may read it. */
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../text/error-text.ts';

/** Files and folders of a data directory, as the first start creates them. */
const ownNames = new Set(['keys.json', 'lock', 'archive', 'log', 'secrets.json', 'copy', 'control.sock']);
const byOthers = 0o077;
/** A data directory has some hundred files; backups in it have more. */
const maxEntries = 20_000;

/** Whether a folder is a data directory or a new one. `lost+found` is in each new file system. */
const isOwn = (names: readonly string[]): boolean =>
  names.some((name) => ownNames.has(name)) || names.every((name) => name === 'lost+found');

/** Takes the permissions of others from a file or folder. Links are left: they may lead elsewhere. */
async function tighten(path: string): Promise<void> {
  const stats = await lstat(path);
  if ((stats.isFile() || stats.isDirectory()) && (stats.mode & byOthers) !== 0) await chmod(path, stats.mode & 0o7700);
}

/**
 * Takes the permissions of others from a data directory that exists, and from its files; a start creates a missing one for its owner
 * only. Returns a warning where that is not possible, or where the folder has foreign files: then it may have another purpose.
 */
export async function keepPrivate(folder: string): Promise<string | undefined> {
  const mode = await lstat(`${folder}/.`).then(
    (stats) => stats.mode,
    () => 0,
  );
  if ((mode & byOthers) === 0 || process.platform === 'win32') return undefined;
  if (!isOwn(await readdir(folder)))
    return 'other users can open the data directory, which has files of others: run chmod 700 on it, or choose a folder of its own';
  try {
    await tighten(`${folder}/.`);
    for (const name of (await readdir(folder, { recursive: true })).slice(0, maxEntries))
      // A file can go away meanwhile: a command may use the directory.
      await tighten(join(folder, name)).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      });
    return undefined;
  } catch (error) {
    return `other users can open the data directory or files in it (${codeOf(error) ?? 'unknown'}): run chmod -R go= on it as its owner`;
  }
}
