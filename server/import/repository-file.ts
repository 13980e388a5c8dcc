/**
 * The repository of an account of Bluesky in a CAR file, as the platform exports it (https://atproto.com/specs/repository): its
 * records as JSON Lines. Only an index of the blocks is in memory. The content of each block that is read must have the hash that
 * names it; the signature of the commit is not verified, because that needs the network.
 */
import { hash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { createDecoder } from '@ipld/car/decoder';
import { decode } from '@ipld/dag-cbor';
import { atUri, isDid, isRecordKey } from '../domain/at-uri.ts';
import { idOfTid } from '../domain/tid.ts';
import { TimeSlice } from '../process/time-slice.ts';
import { messageOf } from '../text/error-text.ts';
import { fields, isFields, type Fields } from '../formats/recognised.ts';
import { InputError, openFile, type Input } from './input-file.ts';

/** Limits of a file. The platform permits records of 1 MB, and keys of 512 characters in collections of 317. */
const maxBlocks = 3_000_000;
const maxBlockBytes = 2 * 1024 * 1024;
const maxKeyLength = 1024;
/** So that the offset and the length of a block fit into one number. */
const maxFileBytes = 4 * 1024 ** 3;
const windowBytes = 64 * 1024;
/** How many times the bytes of the file are read at most: a hostile tree can name the same block again and again. */
const maxReads = 4;
/** The size of the texts that are passed on at once, in characters. */
const linesLength = 64 * 1024;
/** SHA-256 in the table of multihashes. */
const sha256 = 0x12;

const damaged = (why: string): InputError => new InputError(`this CAR file is damaged: ${why}`);

/** What this module needs of a content identifier. */
interface Link {
  readonly multihash: { readonly code: number; readonly digest: Uint8Array };
}

const isLink = (value: unknown): value is Link & { toString(): string } =>
  isFields(value) && isFields(value.multihash) && value.multihash.digest instanceof Uint8Array;

/** A content identifier in an index: the bytes of its hash. */
function digestOf(value: unknown): string {
  if (!isLink(value) || value.multihash.code !== sha256) throw damaged('a link is not valid');
  return Buffer.from(value.multihash.digest).toString('latin1');
}

/** The bytes of a file, for the decoder of the library. Holds a small part of the file, and refuses to read more at once. */
class FileReader {
  readonly #file: FileHandle;
  readonly #window = Buffer.alloc(windowBytes);
  #start = 0;
  #length = 0;
  pos = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** A copy of bytes of the file; fewer at its end. Blocks that follow each other need few reads. */
  async at(offset: number, length: number): Promise<Uint8Array> {
    if (length > windowBytes) {
      const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    }
    if (offset < this.#start || offset + length > this.#start + this.#length) {
      this.#start = offset;
      this.#length = (await this.#file.read(this.#window, 0, windowBytes, offset)).bytesRead;
    }
    const from = offset - this.#start;
    return new Uint8Array(this.#window.subarray(from, Math.min(from + length, this.#length)));
  }

  async upTo(length: number): Promise<Uint8Array> {
    if (length > maxBlockBytes) throw damaged('its header is too large');
    return this.at(this.pos, length);
  }

  async exactly(length: number, seek = false): Promise<Uint8Array> {
    const bytes = await this.upTo(length);
    if (bytes.length < length) throw damaged('it ends too early');
    if (seek) this.seek(length);
    return bytes;
  }

  seek(length: number): void {
    this.pos += length;
  }
}

/** The place of a block in the file: its offset and its length in one number, so that an index of millions is small. */
const placeOf = (offset: number, length: number): number => offset * maxBlockBytes + length;

class Repository {
  readonly #reader: FileReader;
  readonly #bytes: number;
  readonly #places = new Map<string, number>();
  #root = '';
  #readBytes = 0;

  constructor(file: FileHandle, bytes: number) {
    this.#reader = new FileReader(file);
    this.#bytes = bytes;
  }

  /** Finds the blocks. */
  async index(): Promise<void> {
    if (this.#bytes >= maxFileBytes) throw new InputError('this CAR file is larger than 4 GB');
    const decoder = createDecoder(this.#reader);
    const [root] = (await decoder.header()).roots;
    const slice = new TimeSlice();
    for await (const { cid, blockLength, blockOffset } of decoder.blocksIndex()) {
      if (blockLength < 0 || blockLength >= maxBlockBytes || blockOffset + blockLength > this.#bytes)
        throw damaged('it ends too early, or a block is too large');
      this.#places.set(digestOf(cid), placeOf(blockOffset, blockLength));
      if (this.#places.size > maxBlocks) throw new InputError(`this CAR file has more than ${maxBlocks} blocks`);
      if (slice.isOver) await slice.next();
    }
    this.#root = digestOf(root);
  }

  /** The content of a block. `once`: the tree may name it only once. */
  async #block(digest: string, once: boolean): Promise<unknown> {
    const place = this.#places.get(digest);
    if (place === undefined) throw damaged('a block is missing, or is named twice');
    if (once) this.#places.delete(digest);
    const length = place % maxBlockBytes;
    this.#readBytes += length;
    if (this.#readBytes > maxReads * this.#bytes) throw damaged('its tree names the same blocks again and again');
    const content = await this.#reader.at((place - length) / maxBlockBytes, length);
    if (content.length < length || hash('sha256', content, 'binary') !== digest)
      throw damaged('the content of a block has another hash');
    return decode(content);
  }

  /** The commit: whose repository it is, the root of its tree, and the revision. */
  async commit(): Promise<{ readonly did: string; readonly tree: string; readonly rev: unknown }> {
    const { did, version, data, rev } = fields(await this.#block(this.#root, true));
    if (!isDid(did) || (version !== 3 && version !== 2))
      throw new InputError('this CAR file is not the repository of an account');
    return { did, tree: digestOf(data), rev };
  }

  /** The records in the order of their keys, `collection/rkey`. */
  async *records(
    tree: string,
  ): AsyncGenerator<{ readonly key: string; readonly cid: string; readonly value: unknown }> {
    const open: (Entry | string)[] = [tree];
    let before = '';
    while (open.length > 0) {
      const next = open.pop()!;
      if (typeof next === 'string') {
        open.push(...partsOf(fields(await this.#block(next, true))));
        continue;
      }
      const { key, link } = next;
      if (key <= before) throw damaged('the keys of its tree are not in order');
      before = key;
      yield { key, cid: String(link), value: await this.#block(digestOf(link), false) };
    }
  }
}

/** A record in the tree: its key and the link to its content. */
interface Entry {
  readonly key: string;
  readonly link: unknown;
}

/** The subtrees and the entries of a node, the last one first. A key is written without what it has in common with the one before. */
function partsOf({ l: left, e: entries }: Fields): (Entry | string)[] {
  if (!Array.isArray(entries)) throw damaged('a node of its tree is not valid');
  const parts: (Entry | string)[] = isLink(left) ? [digestOf(left)] : [];
  let key = '';
  for (const entry of entries) {
    const { p: shared, k: rest, v: link, t: right } = fields(entry);
    if (
      typeof shared !== 'number' ||
      shared > key.length ||
      !(rest instanceof Uint8Array) ||
      rest.length > maxKeyLength
    )
      throw damaged('a node of its tree is not valid');
    key = key.slice(0, shared) + Buffer.from(rest).toString('latin1');
    if (key.length > maxKeyLength) throw damaged('a key of its tree is too long');
    parts.push({ key, link });
    if (isLink(right)) parts.push(digestOf(right));
  }
  return parts.toReversed();
}

/** A record as JSON, as the platform writes it (https://atproto.com/specs/data-model). */
const jsonOf = (record: unknown): string =>
  JSON.stringify(record, function (this: Record<string, unknown>, name, value: unknown) {
    const raw = this[name];
    if (isLink(raw)) return { $link: String(raw) };
    if (raw instanceof Uint8Array) return { $bytes: Buffer.from(raw).toString('base64') };
    return typeof value === 'bigint' ? Number(value) : value;
  });

/** Runs a use of the file. Errors of the libraries become InputError. */
async function withRepository<Result>(path: string, use: (repository: Repository) => Promise<Result>): Promise<Result> {
  const file = await open(path);
  try {
    const repository = new Repository(file, (await file.stat()).size);
    await repository.index();
    return await use(repository);
  } catch (error) {
    throw asInputError(error);
  } finally {
    await file.close();
  }
}

/** The libraries throw errors of many kinds, also RangeError. Their messages can contain text of the file. */
const asInputError = (error: unknown): InputError =>
  error instanceof InputError
    ? error
    : damaged(
        messageOf(error)
          .replaceAll(/[^\x20-\x7e]/g, '?')
          .slice(0, 200),
      );

/** The time of a revision, which is a TID: microseconds since the epoch and a clock id. */
function timeOf(rev: unknown): string | undefined {
  const id = typeof rev === 'string' ? idOfTid(rev) : undefined;
  const time = id === undefined ? 0 : Number(BigInt(id) >> 10n) / 1000;
  return time > 0 && time < 8.64e15 ? new Date(time).toISOString() : undefined;
}

/** One line for each record: `{"uri", "cid", "value"}`, as `com.atproto.repo.listRecords` answers it. */
async function* linesOf(path: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer, void> {
  const file = await open(path);
  try {
    const bytes = (await file.stat()).size;
    const repository = new Repository(file, bytes);
    await repository.index();
    const { did, tree } = await repository.commit();
    const slice = new TimeSlice();
    let [lines, read] = ['', 0];
    for await (const { key, cid, value } of repository.records(tree)) {
      const [collection = '', rkey, ...more] = key.split('/');
      const uri = isRecordKey(rkey) && more.length === 0 ? atUri({ did, collection, rkey }) : key;
      lines += `${jsonOf({ uri, cid, value })}\n`;
      if (slice.isOver) await slice.next();
      if (lines.length < linesLength) continue;
      onRead(Math.min(bytes, (read += lines.length)));
      yield Buffer.from(lines);
      lines = '';
    }
    onRead(bytes);
    yield Buffer.from(lines);
  } catch (error) {
    throw asInputError(error);
  } finally {
    await file.close();
  }
}

/** Opens a CAR file. Rejects with InputError where it is not the repository of an account. */
export async function openRepository(path: string): Promise<Input> {
  const input = await openFile(path);
  const { rev } = await withRepository(path, (repository) => repository.commit());
  return { ...input, seenAt: timeOf(rev) ?? input.seenAt, read: (onRead = () => {}) => linesOf(path, onRead) };
}
