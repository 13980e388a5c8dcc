/** The pictures and videos of tweets that imports have brought: files in the folder `media` of the data directory. */
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, opendir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../text/error-text.ts';
import { createFolder, syncFolder } from './lowdb/durable-file.ts';

/** The folder of the files in a data directory. */
export const mediaFolder = (dataDir: string): string => join(dataDir, 'media');

/** The types of files, by the end of their names. Nothing else is stored: nothing of it can run in a browser. */
export const mediaTypes = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
} as const;
type MediaType = keyof typeof mediaTypes;

const namePattern = /^([0-9]{1,19})-[0-9a-f]{32}\.(jpg|png|gif|webp|mp4|webm)$/;

/** The tweet and the type of a file; undefined for a name that no file has. */
export function readMediaName(name: string): { readonly tweetId: string; readonly type: MediaType } | undefined {
  const [, tweetId, type] = namePattern.exec(name) ?? [];
  return tweetId === undefined ? undefined : { tweetId, type: type as MediaType };
}

/** The maximum size of a file, above that of the platforms, and what must stay free on the disk, in bytes. */
const maxBytes = 1024 ** 3;
const reservedBytes = 1024 ** 3;
/** The bytes that tell the type. */
const headBytes = 16;
const temporary = /^\.new-/;

/** The type of a file by its first bytes; undefined for any other one. */
export function mediaTypeOf(head: Buffer): MediaType | undefined {
  const text = head.toString('latin1', 0, headBytes);
  if (text.startsWith('\xff\xd8\xff')) return 'jpg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (/^RIFF.{4}WEBP/s.test(text)) return 'webp';
  // Containers of the same form also hold pictures (HEIC, AVIF) and the videos of cameras, which not all browsers show.
  if (/^.{4}ftyp(?!heic|heix|hevc|mif1|msf1|avif|avis|qt {2})/s.test(text)) return 'mp4';
  return text.startsWith('\x1a\x45\xdf\xa3') ? 'webm' : undefined;
}

/** A file that is not stored; the message says why. */
export class MediaError extends Error {
  override readonly name = 'MediaError';
}

/** The chunks, of which the first one has what tells the type. */
async function* withHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < headBytes) continue;
    yield head;
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head;
}

export class MediaFiles {
  readonly #folder: string;

  /** `folder`: created with the first file. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Stores the content of a file of a tweet, durably, and returns its name; the same content of the same tweet has the same name.
   * Rejects with MediaError for what is no picture or video, or too large, and where the disk has no room.
   */
  async add(tweetId: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
    const path = join(this.#folder, `.new-${randomUUID()}`);
    let type: MediaType | undefined;
    let file: Awaited<ReturnType<typeof open>> | undefined;
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      for await (const chunk of withHead(chunks)) {
        type ??= mediaTypeOf(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        if (type === undefined) throw new MediaError('neither JPEG, PNG, GIF, WebP, MP4 nor WebM by its content');
        if ((bytes += chunk.length) > maxBytes) throw new MediaError(`larger than ${maxBytes / 1024 ** 3} GB`);
        file ??= await this.#create(path);
        hash.update(chunk);
        await file.write(chunk);
      }
      if (file === undefined || type === undefined) throw new MediaError('empty');
      await file.sync();
      const name = `${tweetId}-${hash.digest('hex').slice(0, 32)}.${type}`;
      await rename(path, join(this.#folder, name));
      return name;
    } catch (error) {
      await rm(path, { force: true });
      throw codeOf(error) === 'ENOSPC' ? new MediaError('the disk has no room for it') : error;
    } finally {
      await file?.close();
    }
  }

  async #create(path: string): ReturnType<typeof open> {
    await createFolder(this.#folder);
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize < reservedBytes) throw new MediaError('the disk has no room for it');
    return open(path, 'wx', 0o600);
  }

  /** Makes the names of stored files durable, and their time the present one: see `purge`. */
  async settle(names: Iterable<string>, now: number): Promise<void> {
    for (const name of names) await utimes(join(this.#folder, name), now / 1000, now / 1000);
    await syncFolder(this.#folder).catch(ignoreMissing);
  }

  /**
   * Removes the files of tweets that the archive does not have, and what interrupted imports have left, except files that are newer
   * than `before`, in milliseconds since the epoch: their tweets may be on their way. Returns the number of removed files.
   */
  async purge(held: (tweetIds: readonly string[]) => Promise<ReadonlySet<string>>, before: number): Promise<number> {
    let removed = 0;
    for await (const names of this.#batches()) {
      const ids = new Set(names.map((name) => readMediaName(name)?.tweetId ?? ''));
      const there = await held([...ids].filter((id) => id !== ''));
      for (const name of names) {
        const { tweetId } = readMediaName(name) ?? {};
        if (tweetId === undefined ? !temporary.test(name) : there.has(tweetId)) continue;
        const path = join(this.#folder, name);
        const changed = (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
        if (changed >= before) continue;
        await rm(path, { force: true });
        removed++;
      }
    }
    if (removed > 0) await syncFolder(this.#folder);
    return removed;
  }

  /** The names in the folder, some at a time. */
  async *#batches(): AsyncGenerator<string[], void> {
    const folder = await opendir(this.#folder).catch(ignoreMissing);
    if (folder === undefined) return;
    let names: string[] = [];
    for await (const entry of folder) {
      if (entry.isFile()) names.push(entry.name);
      if (names.length < 500) continue;
      yield names;
      names = [];
    }
    yield names;
  }

  /** Copies the files to another folder, durably. Returns their number. */
  async copyTo(folder: string): Promise<number> {
    let copied = 0;
    for await (const names of this.#batches()) {
      for (const name of names) {
        if (readMediaName(name) === undefined) continue;
        await createFolder(folder);
        const target = join(folder, name);
        // A file that was removed meanwhile belongs to a removed tweet.
        const isGone = await copyFile(join(this.#folder, name), target, constants.COPYFILE_FICLONE).then(
          () => false,
          (error: unknown) => (codeOf(error) === 'ENOENT' ? true : Promise.reject(error)),
        );
        if (isGone) continue;
        const file = await open(target, 'r+');
        try {
          await file.sync();
        } finally {
          await file.close();
        }
        copied++;
      }
    }
    if (copied > 0) await syncFolder(folder);
    return copied;
  }
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
