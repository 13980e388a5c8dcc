/** One file or stream that an import reads, uncompressed or gzip. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BinaryError, rejectBinary } from './binary.ts';
import type { NoteTexts } from '../formats/note-tweets.ts';
import type { Owner } from '../formats/personal.ts';
import { isFields, type Fields } from '../formats/recognised.ts';
import { inputValues } from './values.ts';
import { messageOf } from '../text/error-text.ts';

/** An unusable input; the message names the necessary action. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** A file or folder of a personal archive that is not imported. */
export interface LeftOut {
  readonly name: string;
  /** Why not, if there is more to say than that the import does not support it. */
  readonly reason?: string;
}

/** The names of stored files, by the id of the tweet, a space, and the last part of the address on the platform. */
export type MediaNames = ReadonlyMap<string, string>;

/** One input: a stream of values in one format. */
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
  /** The whole texts of the owner's long tweets. */
  readonly notes?: NoteTexts;
  /** The stored media files of the tweets. */
  readonly media?: MediaNames;
  /** The other files of the archive, which are not imported; only of its first input. */
  readonly leftOut?: readonly LeftOut[];
  /**
   * Streams the decompressed bytes; calls `onRead` with the number of file bytes read so far. The iterable throws
   * InputError.
   */
  read(onRead?: (bytes: number) => void): AsyncIterable<Buffer>;
}

const endBytes = 64 * 1024;
const chunkBytes = 1024 * 1024;
const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** An input that can be read only once, so that its import cannot resume. */
export const pipe = (name: string, source: () => Readable): Input => ({
  name,
  bytes: 0,
  fingerprint: undefined,
  seenAt: new Date().toISOString(),
  owner: undefined,
  read: (onRead) => readSource(source(), onRead),
});

/** Opens a file. Throws InputError if it cannot be read. */
export async function openFile(path: string): Promise<Input> {
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

/** The maximum size of a value of which this thread, which may also answer requests, only reads some members, in bytes. */
const maxReadBytes = 1024 * 1024;

/** The JSON objects among the values of an input, except very large ones. */
export async function* objectsIn(input: Input): AsyncGenerator<Fields, void> {
  for await (const values of inputValues(input.read(), maxReadBytes)) {
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

/** The first result that `find` returns for an object of an input; undefined if there is none. */
export async function firstIn<Found>(
  input: Input,
  find: (value: Fields) => Found | undefined,
): Promise<Found | undefined> {
  for await (const value of objectsIn(input)) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Streams the bytes of a source and decompresses gzip. Throws InputError if the source fails. */
export async function* readSource(
  source: Readable,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer, void> {
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
