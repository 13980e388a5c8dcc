/**
 * The inputs of an import: files, repositories of Bluesky, personal archives (a folder, or the zip archive as X delivers it), pipes and
 * standard input.
 */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { MediaFiles } from '../storage/media-files.ts';
import { placeInPersonal, storeMedia } from './archive-media.ts';
import { folderFiles } from './archive-folder.ts';
import { isRepositoryHead } from './binary.ts';
import { InputError, openFile, pipe, type Input } from './input-file.ts';
import { isUntil2019, openUntil2019 } from './archive-until-2019.ts';
import { openPersonal, ownerOfTweets, type ArchiveFiles } from './personal-archive.ts';

/** The first bytes of a zip archive with content. */
const zipMagic = Buffer.from('PK\x03\x04', 'latin1');

/** The bytes that tell the kinds of files apart. */
const headBytes = 64;

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path).catch((error: Error) => {
    throw new InputError(`${path}: ${error.message}`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const openArchive = (files: ArchiveFiles): Promise<Input[]> =>
  isUntil2019(files) ? openUntil2019(files) : openPersonal(files);

/** Opens a zip archive. The module, with its library, is loaded only for one. */
async function openZip(path: string): Promise<Input[]> {
  const { zipFiles } = await import('./archive-zip.ts');
  return openArchive(await zipFiles(path));
}

/** How an export is opened. */
export interface OpenSettings {
  /** The folder of media files in the data directory; without it, those of an export are not imported. */
  readonly mediaFolder?: string;
  /** Stops the import of media files. */
  readonly signal?: AbortSignal;
}

/** Opens a folder or a zip archive, and stores its media files. `openOther`: opens it as a personal archive of X. */
async function openExport(
  path: string,
  { mediaFolder, signal }: OpenSettings,
  openOther: () => Promise<Input[]>,
): Promise<Input[]> {
  const { isMastodonArchive, openMastodon } = await import('./mastodon-archive.ts');
  const files = mediaFolder === undefined ? undefined : new MediaFiles(mediaFolder);
  if (await isMastodonArchive(path)) return openMastodon(path, files, signal);
  const inputs = await openOther();
  if (files === undefined) return inputs;
  const { treeOf } = await import('./archive-tree.ts');
  const tree = await treeOf(path, (name) => placeInPersonal(name) !== undefined);
  const { names, leftOut } = await storeMedia(tree, placeInPersonal, files, signal);
  return inputs.map((input) => ({
    ...input,
    media: names,
    ...(input.leftOut === undefined ? {} : { leftOut: [...input.leftOut, ...leftOut] }),
  }));
}

/**
 * Opens a path as one or more inputs; `-` is standard input. Throws InputError for an unreadable path, or for a folder or
 * a zip archive without tweets.
 */
export async function openInputs(path: string, settings: OpenSettings = {}): Promise<Input[]> {
  if (path === '-') return [pipe('standard input', () => process.stdin)];
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(error.code === 'ENOENT' ? `${path}: no such file or folder` : `${path}: ${error.message}`);
  });
  if (stats.isDirectory()) return openExport(path, settings, async () => openArchive(await folderFiles(path)));
  if (!stats.isFile()) return [pipe(path, () => createReadStream(path))];
  const head = await headOf(path);
  if (head.subarray(0, zipMagic.length).equals(zipMagic)) return openExport(path, settings, () => openZip(path));
  if (isRepositoryHead(head)) {
    const { openRepository } = await import('./repository-file.ts');
    return [await openRepository(path)];
  }
  const file = await openFile(path);
  return [{ ...file, owner: await ownerOfTweets([file]) }];
}
