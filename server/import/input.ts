/** The inputs of an import: files, plain or gzip; the folder of a personal archive; standard input. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OwnerClues, isPersonal, ownerOfAccount, type Owner } from './formats/personal.ts';
import { isFields } from './formats/recognised.ts';
import { inputValues } from './values.ts';

/** An input that cannot be used at all; the message says what to do. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

export interface Input {
  readonly name: string;
  /** Bytes to read, 0 where nobody knows. */
  readonly bytes: number;
  /** Names the content, so that an interrupted import finds its place; undefined for standard input. */
  readonly fingerprint: string | undefined;
  /** When what it holds was seen, unless a record says so itself: RFC 3339. */
  readonly seenAt: string;
  /** Whose personal archive it is. */
  readonly owner: Owner | undefined;
  /** Opens it; `onRead` is told the bytes read so far. */
  read(onRead?: (bytes: number) => void): AsyncIterable<Buffer>;
}

/** The tweets of a personal archive; larger ones go on in parts. */
const tweetFile = /^tweets?(-part\d+)?\.js$/;
const endBytes = 64 * 1024;

/** Opens a path as one or more inputs. Throws InputError when it cannot be read or holds nothing to import. */
export async function openInputs(path: string): Promise<Input[]> {
  if (path === '-') return [{ name: 'standard input', bytes: 0, fingerprint: undefined, seenAt: new Date().toISOString(), owner: undefined, read: () => plain(process.stdin) }];
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(error.code === 'ENOENT' ? `${path}: no such file or folder` : `${path}: ${error.message}`);
  });
  return found.isDirectory() ? openFolder(path) : [await openFile(path)];
}

async function openFolder(path: string): Promise<Input[]> {
  for (const folder of [join(path, 'data'), path]) {
    const names = await readdir(folder).catch((): string[] => []);
    const tweets = names.filter((name) => tweetFile.test(name)).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    if (tweets.length === 0) continue;
    const owner = names.includes('account.js') ? await ownerOfFile(join(folder, 'account.js')) : undefined;
    const inputs: Input[] = [];
    for (const name of tweets) {
      // Only what the archive holds: a link could lead anywhere.
      if ((await lstat(join(folder, name))).isFile()) inputs.push(await openFile(join(folder, name), owner));
    }
    return inputs;
  }
  throw new InputError(`${path}: no personal archive in this folder (expected data/tweets.js); name the files to import one by one`);
}

async function ownerOfFile(file: string): Promise<Owner | undefined> {
  for await (const values of inputValues(createReadStream(file))) {
    for (const value of values) if ('text' in value) return ownerOfAccount(JSON.parse(value.text));
  }
  return undefined;
}

async function openFile(path: string, owner?: Owner): Promise<Input> {
  const handle = await open(path).catch((error: Error) => {
    throw new InputError(`${path}: ${error.message}`);
  });
  try {
    const { size, mtime } = await handle.stat();
    const head = Buffer.alloc(Math.min(endBytes, size));
    const tail = Buffer.alloc(Math.min(endBytes, size));
    await handle.read(head, 0, head.length, 0);
    await handle.read(tail, 0, tail.length, size - tail.length);
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    const read: Input['read'] = (onRead) => {
      const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
      let bytes = 0;
      const counted = file.on('data', (chunk) => onRead?.((bytes += chunk.length)));
      if (!isGzip) return plain(counted);
      const gunzip = createGunzip({ chunkSize: 1024 * 1024 });
      return plain(pipeline(counted, gunzip, () => {}));
    };
    const fingerprint = createHash('sha256').update(String(size)).update(head).update(tail).digest('hex');
    return { name: path, bytes: size, fingerprint, seenAt: mtime.toISOString(), owner: owner ?? (await ownerIn(path, read)), read };
  } finally {
    await handle.close();
  }
}

/** The owner of a personal archive, from its tweets; undefined for every other file. Throws InputError when they do not tell. */
async function ownerIn(path: string, read: Input['read']): Promise<Owner | undefined> {
  const clues = new OwnerClues();
  let any = false;
  for await (const values of inputValues(read())) {
    for (const value of values) {
      let json: unknown;
      try {
        json = 'text' in value ? JSON.parse(value.text) : undefined;
      } catch {
        continue;
      }
      if (!any && !(isFields(json) && isPersonal(json) && isFields(json.tweet))) return undefined;
      any = true;
      if (isFields(json)) clues.see(json);
      const owner = clues.owner();
      if (owner !== undefined) return owner;
    }
  }
  if (!any) return undefined;
  throw new InputError(`${path}: the tweets of a personal archive that do not tell whose they are; put account.js of the same archive beside it and import the folder`);
}

/** The stream as it is, with errors as InputError. */
async function* plain(stream: Readable): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw new InputError(`broken off: ${(error as Error).message}`);
  }
}
