/**
 * The snapshot of the saved tables in the database, from which an instance without local files starts. It is the file of saved tables in
 * compressed chunks. Only the row of a snapshot whose chunks are all there says how many it has. A purge removes the rows of the snapshots
 * of its log in its own transaction, and the chunks with them, so no process can add chunks to a snapshot from before a purge.
 */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompress } from 'node:zlib';
import { StoreError, type SavedAbout } from '../../ports/storage.ts';
import { isObject } from '../../text/object.ts';
import { SavedFile, type SavedBytes } from '../lowdb/saved-file.ts';
import type { Run } from './database.ts';
import { proofOf } from './log-position.ts';
import {
  addChunk,
  beginSnapshot,
  dropSnapshot,
  endSnapshot,
  readChunk,
  readSnapshotRow,
  type ChunkRow,
  type DoneRow,
  type SnapshotRow,
} from './statements.ts';

/** Another way to store the tables is another format: an instance ignores one that it does not know. */
const format = 1;
/** The largest part of the file in one chunk. It bounds the memory of a reader and of a writer. */
const maxPieceBytes = 4 * 1024 * 1024;
/** The whole result is one step in another thread: with the default, each 16 kB of it are a step, and a turn of the event loop. */
const chunkSize = maxPieceBytes + 64 * 1024;
const compression = { chunkSize, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** What a snapshot is. */
export interface SnapshotAbout {
  readonly about: SavedAbout;
  /** The size of the tables, and of the chunks. */
  readonly bytes: number;
  readonly stored: number;
}

export class TablesSnapshot {
  readonly #log: string;
  readonly #run: Run;
  readonly #pieceBytes: number;

  /** `run`: of the database with the log. */
  constructor(log: string, run: Run, pieceBytes = maxPieceBytes) {
    this.#log = log;
    this.#run = run;
    this.#pieceBytes = pieceBytes;
  }

  /** What the whole snapshot is; undefined without one, and for one of another format. Rejects with StoreError. */
  async describe(): Promise<SnapshotAbout | undefined> {
    const row = await this.#row();
    return row?.format === format ? aboutOf(row) : undefined;
  }

  async #row(): Promise<SnapshotRow | undefined> {
    return (await this.#run<SnapshotRow>(readSnapshotRow(this.#log)))[0];
  }

  /**
   * Copies the snapshot to a file. `requireUsable` rejects where it cannot be used. Returns what was copied, undefined without a snapshot.
   * Rejects as `requireUsable`, and with StoreError where the snapshot is not whole.
   */
  async copyTo(
    file: SavedFile,
    requireUsable: (about: SavedAbout) => Promise<void>,
  ): Promise<SnapshotAbout | undefined> {
    const row = await this.#row();
    if (row === undefined) return undefined;
    if (row.format !== format) throw new StoreError('another version of the program wrote them');
    const described = aboutOf(row);
    await requireUsable(described.about);
    await file.copyFrom(this.#pieces(row));
    return described;
  }

  /** The pieces of the file. Throws StoreError behind the last one unless they are what was written. */
  async *#pieces({ id, chunks, bytes, crc: expected }: SnapshotRow): AsyncGenerator<Uint8Array, void> {
    let [read, crc] = [0, 0];
    for (let n = 0; n < chunks; n++) {
      const [chunk] = await this.#run<ChunkRow>(readChunk(id, n));
      if (chunk === undefined) throw new StoreError('a part is missing');
      const piece = await decompress(chunk.data, { chunkSize, maxOutputLength: maxPieceBytes }).catch(() => undefined);
      if (piece === undefined) throw new StoreError('a part is damaged');
      read += piece.length;
      crc = crc32(piece, crc);
      yield piece;
    }
    if (read !== Number(bytes) || crc !== Number(expected)) throw new StoreError('they are damaged');
  }

  /**
   * Writes the bytes of a file as the snapshot, in the place of the one before. `pause` runs before each chunk, and returns whether to go on.
   * Returns whether the snapshot was written: not where the log has another history or was purged since, and not where another instance has
   * begun one. What was written until then is removed, at the latest by the next one. Rejects with StoreError.
   */
  async write(bytes: SavedBytes, pause: () => Promise<boolean>): Promise<boolean> {
    const { about } = bytes;
    const proof = proofOf(about.position);
    if (proof === undefined) return false;
    const id = randomUUID();
    const row = { format, about: JSON.stringify(about), seq: about.position.seq, ...proof };
    if (!(await this.#isDone(beginSnapshot(id, this.#log, row)))) return false;
    let isWhole = false;
    try {
      const ended = await this.#writeChunks(id, bytes, pause);
      isWhole = ended !== undefined && (await this.#isDone(endSnapshot(id, this.#log, ended)));
    } finally {
      if (!isWhole) await this.#run(dropSnapshot(id)).catch(() => {});
    }
    return isWhole;
  }

  async #isDone(statement: Parameters<Run>[0]): Promise<boolean> {
    return (await this.#run<DoneRow>(statement))[0]?.done === true;
  }

  /** Returns what was written; undefined where it ended early. */
  async #writeChunks(
    id: string,
    { handle, size }: SavedBytes,
    pause: () => Promise<boolean>,
  ): Promise<{ readonly chunks: number; readonly bytes: number; readonly crc: number } | undefined> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(this.#pieceBytes, size));
    let [at, chunks, crc] = [0, 0, 0];
    for (; at < size; chunks++) {
      if (!(await pause())) return undefined;
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return undefined;
      const piece = buffer.subarray(0, bytesRead);
      crc = crc32(piece, crc);
      at += bytesRead;
      const isAdded = (await this.#run(addChunk(id, chunks, await compress(piece, compression)))).length > 0;
      if (!isAdded) return undefined;
    }
    return { chunks, bytes: at, crc };
  }
}

/** Throws StoreError for a row that no instance has written. */
function aboutOf({ about, bytes, stored }: SnapshotRow): SnapshotAbout {
  const parsed = parsedJSON(about);
  if (!isAbout(parsed)) throw new StoreError('their description is damaged');
  return { about: parsed, bytes: Number(bytes), stored: Number(stored) };
}

function parsedJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isAbout = (value: unknown): value is SavedAbout =>
  isObject(value) &&
  typeof value['format'] === 'string' &&
  typeof value['records'] === 'number' &&
  isObject(value['facts']) &&
  isObject(value['position']) &&
  typeof value['position']['seq'] === 'number' &&
  typeof value['position']['proof'] === 'string';

/** The saved tables of an instance, which it can fetch from the database. */
export class FetchedFile extends SavedFile {
  readonly #snapshot: TablesSnapshot;
  readonly #onFetched: (snapshot: SnapshotAbout) => void;

  constructor(path: string, snapshot: TablesSnapshot, onFetched: (snapshot: SnapshotAbout) => void = () => {}) {
    super(path);
    this.#snapshot = snapshot;
    this.#onFetched = onFetched;
  }

  async fetch(requireUsable: (about: SavedAbout) => Promise<void>): Promise<boolean> {
    const fetched = await this.#snapshot.copyTo(this, requireUsable);
    if (fetched !== undefined) this.#onFetched(fetched);
    return fetched !== undefined;
  }
}
