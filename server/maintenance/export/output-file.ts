/** The file of an export: it appears under its name when it is whole and durable, readable for its user only. */
import { link, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFolder } from '../../storage/lowdb/durable-file.ts';
import { codeOf } from '../../text/error-text.ts';

/** The output cannot be written; the message names the necessary action. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

export interface OutputOptions {
  /** Whether to replace an existing file. */
  readonly force: boolean;
  /** Ends the write and removes the unfinished file. */
  readonly signal?: AbortSignal;
}

const existsError = (path: string): OutputError =>
  new OutputError(`${path} exists: name another file, or replace it with --force`);

/** Throws OutputError if the path is a folder, exists without `force`, or has no folder. */
async function checkPath(path: string, force: boolean): Promise<'file' | 'device'> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new OutputError(`${path} cannot be written: ${error.message}`);
  });
  if (stats?.isDirectory() === true) throw new OutputError(`${path} is a folder: name a file in it`);
  if (stats !== undefined && !stats.isFile()) return 'device';
  if (stats !== undefined && !force) throw existsError(path);
  return 'file';
}

/**
 * Writes the chunks to a file, compressed where its name ends in `.gz`. Until the end they are in a temporary file beside
 * it. Returns the number of bytes written. Throws OutputError, and the errors of `chunks`; the path is then unchanged.
 */
export async function writeOutput(
  path: string,
  chunks: AsyncIterable<string | Buffer>,
  { force, signal }: OutputOptions,
): Promise<number> {
  if ((await checkPath(path, force)) === 'device') {
    const device = await open(path, 'w');
    try {
      return await writeTo(device, path, chunks, signal);
    } finally {
      await device.close();
    }
  }
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  const file = await open(temporary, 'wx', 0o600).catch((error: Error) => {
    throw new OutputError(`${path} cannot be written: ${error.message}`);
  });
  try {
    const bytes = await writeTo(file, path, chunks, signal);
    await file.sync();
    await file.close();
    await publish(temporary, path, force);
    await syncFolder(dirname(path));
    return bytes;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes the chunks, compressed if the name ends in `.gz`; returns the number of bytes written. */
async function writeTo(
  file: FileHandle,
  path: string,
  chunks: AsyncIterable<string | Buffer>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let bytes = 0;
  async function write(buffers: AsyncIterable<string | Buffer>): Promise<void> {
    for await (const buffer of buffers) {
      await file.appendFile(buffer);
      bytes += Buffer.byteLength(buffer);
    }
  }
  const source = Readable.from(chunks, { highWaterMark: 1 });
  const options = signal === undefined ? {} : { signal };
  if (path.endsWith('.gz')) await pipeline(source, createGzip(), write, options);
  else await pipeline(source, write, options);
  return bytes;
}

/** Gives the finished file its name. A file that another process created meanwhile is not replaced without `force`. */
async function publish(temporary: string, path: string, force: boolean): Promise<void> {
  if (force) return rename(temporary, path);
  try {
    await link(temporary, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw existsError(path);
    // A file system without hard links.
    return rename(temporary, path);
  }
  await rm(temporary);
}
