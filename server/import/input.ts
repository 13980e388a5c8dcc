/** The inputs of an import: uncompressed or gzip files, the folder of a personal archive, pipes and standard input. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OwnerClues, isPersonal, ownerOfAccount, userOfHeader, type Owner } from './formats/personal.ts';
import { isFields, type Fields } from './formats/recognised.ts';
import { BinaryError, rejectBinary } from './binary.ts';
import { inputValues } from './values.ts';
import { messageOf } from '../text/error-text.ts';

/** An unusable input; the message names the necessary action. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

export interface Input {
  readonly name: string;
  /** The size in bytes; 0 if unknown. */
  readonly bytes: number;
  /**
   * Identifies the content, so that an interrupted import can resume; undefined for an input that can be read only
   * once.
   */
  readonly fingerprint: string | undefined;
  /** The time of the observation for records without one: RFC 3339. */
  readonly seenAt: string;
  /** The owner of the personal archive; undefined for other inputs. */
  readonly owner: Owner | undefined;
  /**
   * Streams the decompressed bytes; calls `onRead` with the number of file bytes read so far. The iterable throws
   * InputError.
   */
  read(onRead?: (bytes: number) => void): AsyncIterable<Buffer>;
}

/** The names of the tweet files in a personal archive; a large archive has several parts. */
const tweetFile = /^tweets?(?:-part(\d+))?\.js$/;
const partOf = (name: string): number => Number(tweetFile.exec(name)?.[1] ?? 0);
const endBytes = 64 * 1024;
const chunkBytes = 1024 * 1024;
const gzipMagic = Buffer.from([0x1f, 0x8b]);

/**
 * Opens a path as one or more inputs; `-` is standard input. Throws InputError for an unreadable path or a folder
 * without tweets.
 */
export async function openInputs(path: string): Promise<Input[]> {
  if (path === '-') return [pipe('standard input', () => process.stdin)];
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(error.code === 'ENOENT' ? `${path}: no such file or folder` : `${path}: ${error.message}`);
  });
  if (stats.isDirectory()) return openFolder(path);
  if (!stats.isFile()) return [pipe(path, () => createReadStream(path))];
  const file = await openFile(path);
  return [{ ...file, owner: await ownerOfTweets([file]) }];
}

/** An input that can be read only once, so that its import cannot resume. */
const pipe = (name: string, source: () => Readable): Input => ({
  name,
  bytes: 0,
  fingerprint: undefined,
  seenAt: new Date().toISOString(),
  owner: undefined,
  read: (onRead) => readSource(source(), onRead),
});

/**
 * Opens a personal archive. Reads only the expected regular files in the folder: a symbolic link could lead anywhere.
 */
async function openFolder(path: string): Promise<Input[]> {
  for (const folder of [join(path, 'data'), path]) {
    if (folder !== path && !(await lstat(folder).catch(() => undefined))?.isDirectory()) continue;
    const present = (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    const names = present.filter((name) => tweetFile.test(name)).toSorted((a, b) => partOf(a) - partOf(b));
    if (names.length === 0) continue;
    const files: Input[] = [];
    for (const name of names) files.push(await openFile(join(folder, name)));
    const first = async <Found>(name: string, find: (value: Fields) => Found | undefined): Promise<Found | undefined> =>
      present.includes(name) ? firstIn(await openFile(join(folder, name)), find) : undefined;
    const account = await first('account.js', ownerOfAccount);
    const owner = account ?? (await ownerOfTweets(files, true, await first('tweet-headers.js', userOfHeader)));
    return files.map((file) => ({ ...file, owner }));
  }
  const expected = 'no personal archive in this folder (expected data/tweets.js); list the files to import';
  throw new InputError(`${path}: ${expected}`);
}

async function openFile(path: string): Promise<Input> {
  const handle = await open(path).catch((error: Error) => {
    throw new InputError(`${path}: ${error.message}`);
  });
  try {
    const { size, mtime } = await handle.stat();
    const head = Buffer.alloc(Math.min(endBytes, size));
    const tail = Buffer.alloc(Math.min(endBytes, size));
    await handle.read(head, 0, head.length, 0);
    await handle.read(tail, 0, tail.length, size - tail.length);
    return {
      name: path,
      bytes: size,
      fingerprint: createHash('sha256').update(String(size)).update(head).update(tail).digest('hex'),
      seenAt: mtime.toISOString(),
      owner: undefined,
      read: (onRead) => readSource(createReadStream(path, { highWaterMark: chunkBytes }), onRead),
    };
  } finally {
    await handle.close();
  }
}

/** The JSON objects among the values of an input. */
async function* objectsIn(input: Input): AsyncGenerator<Fields, void> {
  for await (const values of inputValues(input.read())) {
    for (const value of values) {
      let json: unknown;
      try {
        json = 'text' in value ? JSON.parse(value.text) : undefined;
      } catch {
        continue;
      }
      if (isFields(json)) yield json;
    }
  }
}

async function firstIn<Found>(input: Input, find: (value: Fields) => Found | undefined): Promise<Found | undefined> {
  for await (const value of objectsIn(input)) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Finds the owner of a personal archive from its tweets; undefined if the first value is not a status of a personal
 * archive, unless `certain`. `userId`: the id of the owner, if known. Throws InputError if the tweets do not
 * identify the owner.
 */
async function ownerOfTweets(inputs: Input[], certain = false, userId?: string): Promise<Owner | undefined> {
  const clues = new OwnerClues(userId);
  for (const input of inputs) {
    let isFirst = !certain;
    for await (const value of objectsIn(input)) {
      if (isFirst && !(isPersonal(value) && isFields(value.tweet))) return undefined;
      isFirst = false;
      clues.add(value);
    }
    if (isFirst) return undefined;
  }
  const owner = clues.owner();
  if (owner !== undefined) return owner;
  const missing = 'the tweets of this personal archive do not name their author; put account.js into the same folder';
  throw new InputError(`${inputs[0]!.name}: ${missing} and import the folder`);
}

/** Streams the bytes of a source and decompresses gzip. Throws InputError if the source fails. */
async function* readSource(source: Readable, onRead: (bytes: number) => void = () => {}): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer, void> {
    for await (const chunk of source) {
      onRead((bytes += chunk.length));
      yield chunk;
    }
  }
  const chunks = counted();
  try {
    let head: Buffer = Buffer.alloc(0);
    while (head.length < gzipMagic.length) {
      const { value, done } = await chunks.next();
      if (done) break;
      head = head.length === 0 ? value : Buffer.concat([head, value]);
    }
    const all = async function* (): AsyncGenerator<Buffer, void> {
      yield head;
      yield* chunks;
    };
    if (head.subarray(0, gzipMagic.length).equals(gzipMagic)) {
      // The iteration over gunzip below throws the errors of the pipeline.
      const gunzip = createGunzip({ chunkSize: chunkBytes });
      pipeline(Readable.from(all(), { highWaterMark: 1 }), gunzip, () => {});
      yield* rejectBinary(gunzip as AsyncIterable<Buffer>);
    } else {
      yield* rejectBinary(all());
    }
  } catch (error) {
    if (error instanceof BinaryError) throw new InputError(error.message);
    throw new InputError(`the import was interrupted: ${messageOf(error)}`);
  } finally {
    source.destroy();
  }
}
