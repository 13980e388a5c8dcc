/**
 * The files of a personal archive in a zip archive, as X delivers it. Entries are streamed: nothing is written to the disk,
 * and only files with known names are read.
 */
import { createHash } from 'node:crypto';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { messageOf } from '../text/error-text.ts';
import { InputError, readSource, type Input } from './input-file.ts';
import { isMonthFile, monthFolder } from './archive-until-2019.ts';
import { expectedFiles, isImported, type ArchiveFiles } from './personal-archive.ts';

/** Limits of a zip archive. One of X has some 100 files beside the media; it splits files at about 100 MB. */
const maxEntries = 1_000_000;
const maxFiles = 10_000;
const maxEntryBytes = 2 * 1024 ** 3;

/** A folder in the zip archive: its files with JSON by name, and the names of its folders. */
interface Folder {
  readonly files: Map<string, Entry>;
  readonly folders: Set<string>;
}

/** Opens the archive for one use. Throws InputError if it is damaged. */
export async function withZip<Result>(path: string, use: (zip: ZipFile) => Promise<Result>): Promise<Result> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    return await use(zip);
  } catch (error) {
    if (error instanceof InputError) throw error;
    // The message can contain a name from the archive.
    const reason = messageOf(error).replaceAll(/\p{C}/gu, '?');
    throw new InputError(`${path}: this zip archive is damaged or unsafe: ${reason}`);
  } finally {
    zip?.close();
  }
}

/** The maximum number of files with CSV in a report. */
const maxTables = 100;

class Listing {
  readonly folders = new Map<string, Folder>();
  /** The names of files with CSV. */
  readonly tables: string[] = [];
  #entries = 0;
  #files = 0;

  add(entry: Entry): void {
    if (++this.#entries > maxEntries) throw new InputError(`this zip archive has more than ${maxEntries} entries`);
    const parts = entry.fileName.split('/');
    const name = parts.pop() ?? '';
    // What macOS adds when it packs a folder.
    if (parts[0] === '__MACOSX') return;
    const parent = parts.pop();
    if (parent !== undefined) this.#folder(parts.join('/'))?.folders.add(parent);
    if (name.endsWith('.csv') && this.tables.length < maxTables) this.tables.push(name);
    if (!name.endsWith('.js')) return;
    const folder = this.#folder([...parts, ...(parent === undefined ? [] : [parent])].join('/'));
    if (folder === undefined || ++this.#files > maxFiles)
      throw new InputError(`this zip archive has more than ${maxFiles} files with JSON`);
    if (folder.files.has(name)) throw new InputError(`this zip archive has two files ${JSON.stringify(name)}`);
    folder.files.set(name, entry);
  }

  /** The folder with a path; undefined if there are too many. */
  #folder(path: string): Folder | undefined {
    let folder = this.folders.get(path);
    if (folder === undefined && this.folders.size < maxFiles) {
      folder = { files: new Map(), folders: new Set() };
      this.folders.set(path, folder);
    }
    return folder;
  }

  /** The highest folder with files that are imported, or with the months of an archive until 2019. */
  archive(): Folder | undefined {
    return this.#highest(isImported)?.folder ?? this.#until2019();
  }

  #highest(isWanted: (name: string) => boolean): { readonly path: string; readonly folder: Folder } | undefined {
    const depth = (path: string): number => path.split('/').length;
    return [...this.folders]
      .filter(([, { files }]) => [...files.keys()].some(isWanted))
      .toSorted(([a], [b]) => depth(a) - depth(b))
      .map(([path, folder]) => ({ path, folder }))[0];
  }

  /** The months, under the names that they have in the folder around theirs, with the files there. */
  #until2019(): Folder | undefined {
    const months = this.#highest(isMonthFile);
    if (months === undefined) return undefined;
    const parts = months.path.split('/');
    if (parts.pop() !== monthFolder) return { files: months.folder.files, folders: new Set() };
    const around = this.folders.get(parts.join('/'))?.files ?? new Map<string, Entry>();
    const inside = [...months.folder.files].map(([name, entry]) => [`${monthFolder}/${name}`, entry] as const);
    return { files: new Map([...around, ...inside]), folders: new Set() };
  }
}

/** Throws InputError for an entry that cannot be read, or that is larger than any file of X. */
function checkEntry({ fileName, uncompressedSize, ...entry }: Entry, readable: boolean, encrypted: boolean): void {
  const name = fileName.split('/').at(-1);
  if (encrypted) throw new InputError(`${name} in this zip archive is encrypted: unpack it and import the folder`);
  if (!readable)
    throw new InputError(
      `${name} is compressed with method ${entry.compressionMethod}: unpack the archive and import the folder`,
    );
  if (uncompressedSize > maxEntryBytes)
    throw new InputError(`${name} in this zip archive is larger than ${maxEntryBytes / 1024 ** 3} GB`);
}

/** Streams an entry. The library ends the stream with an error when it is longer than its declared size. */
async function* readEntry(path: string, entry: Entry, onRead?: (bytes: number) => void): AsyncGenerator<Buffer, void> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    yield* readSource(await zip.openReadStreamPromise(entry), onRead);
  } finally {
    zip.close();
  }
}

export function inputOf(path: string, entry: Entry): Input {
  const { fileName, uncompressedSize, crc32 } = entry;
  checkEntry(entry, entry.canDecodeFileData(), entry.isEncrypted());
  return {
    name: `${path}: ${fileName.split('/').at(-1)}`,
    bytes: uncompressedSize,
    fingerprint: createHash('sha256').update(`zip ${fileName} ${uncompressedSize} ${crc32}`).digest('hex'),
    seenAt: entry.getLastModDate().toISOString(),
    owner: undefined,
    read: (onRead) => readEntry(path, entry, onRead),
  };
}

/** Finds the files of the archive. Throws InputError if nothing in it is imported, or if it cannot be read. */
export async function zipFiles(path: string): Promise<ArchiveFiles> {
  const listing = new Listing();
  await withZip(path, async (zip) => {
    for await (const entry of zip.eachEntry()) listing.add(entry);
  });
  const archive = listing.archive();
  if (archive === undefined)
    throw new InputError(
      `${path}: no personal archive in this zip (expected ${expectedFiles}); unpack it, and name files in other formats one by one`,
    );
  const entryOf = (name: string): Entry => {
    const entry = archive.files.get(name);
    if (entry === undefined) throw new InputError(`${path}: no file ${name}`);
    return entry;
  };
  return {
    path,
    names: new Set(archive.files.keys()),
    folders: [...archive.folders],
    tables: listing.tables,
    open: async (name) => inputOf(path, entryOf(name)),
    bytes: async (name) => entryOf(name).uncompressedSize,
  };
}
