/**
 * Fills empty tables of PostgreSQL with the content of a database file, in several threads, each with a connection. A segment of the content is one
 * transaction, so a repeated call goes on where another one ended.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { countRows, hasTweets, segmentsOf, type Segment } from '../archive/upkeep/contents.ts';
import { buildIndexes, dropIndexes } from '../engines/postgres/maintenance/bulk-indexes.ts';
import { describeLoadedUsers } from '../engines/postgres/maintenance/content-loader.ts';
import type { Database } from '../engines/postgres/store/database.ts';
import { SqliteDatabase } from '../engines/sqlite/sqlite-database.ts';
import { StoreError } from '../ports/storage.ts';
import {
  copiedSegments,
  nameOfSegment,
  openSegmentCopy,
  type SegmentCopy,
  type SegmentCopySettings,
} from './segment-copy.ts';
import type { SegmentAnswer } from './segment-thread.ts';

/** How far a copy is. */
export interface CopyProgress {
  /** What is done now, for people: `records`, `indexes`. */
  readonly unit: string;
  readonly done: number;
  /** Undefined where it is not known. */
  readonly total: number | undefined;
}
export type OnCopyProgress = (progress: CopyProgress) => void;

export interface FillOptions {
  readonly onProgress?: OnCopyProgress;
  /** The rows of a segment. Smaller ones repeat less after an interruption, and cost more. */
  readonly segmentRows?: number;
  /** The number of rows from which on threads copy them: a thread takes half a second to start. */
  readonly threadRows?: number;
  /** How long a call waits for the end of another one into the same tables, in milliseconds: PostgreSQL notices within 5 s that a process was killed. */
  readonly waitMs?: number;
}

/** The rows of one transaction: their counts and mentions are in memory, some 5 MB. */
const defaultSegmentRows = 20_000;
const defaultThreadRows = 100_000;
/** A thread and its session of PostgreSQL use about one core each, two thirds of it in PostgreSQL. */
const maxThreads = 4;

/**
 * Copies the content of a database file, builds the indexes, and describes users. Segments that are noted for the same name of a copy are left out.
 * Returns the number of changes that create the content. Rejects with StoreError.
 */
export async function fillTables(
  database: Database,
  { path, url, run }: SegmentCopySettings,
  { onProgress = () => {}, segmentRows = defaultSegmentRows, threadRows = defaultThreadRows }: FillOptions = {},
): Promise<number> {
  const from = new SqliteDatabase(path, { readOnly: true });
  try {
    const total = await countRows(from.runSql);
    const copied = await copiedSegments(database, run);
    if (copied.size === 0) await dropIndexes(database);
    const count = total < threadRows ? 1 : Math.min(maxThreads, Math.max(2, availableParallelism()));
    const open = total < threadRows ? openSegmentCopy : openInThread;
    const copies = Array.from({ length: count }, () => open({ path, url, run }));
    const segments = new SegmentQueue(segmentsOf(from.runSql, segmentRows));
    let changes = 0;
    const work = async (copy: SegmentCopy, isFirst: boolean): Promise<void> => {
      for (let segment = await segments.next(isFirst); segment !== undefined; segment = await segments.next(isFirst)) {
        const ofSegment = copied.get(nameOfSegment(run, segment)) ?? (await copy.copy(segment));
        changes += ofSegment;
        onProgress({ unit: 'records', done: Math.min(changes, total), total });
      }
    };
    try {
      const works = copies.map((copy, index) =>
        work(copy, index === 0).catch((error: unknown) => segments.fail(error)),
      );
      await Promise.all(works);
      segments.requireWhole();
    } finally {
      await Promise.all(copies.map((copy) => copy.close()));
    }
    await buildIndexes(database, (built, all) => onProgress({ unit: 'indexes', done: built, total: all }));
    await describeLoadedUsers(database);
    return changes;
  } finally {
    from.close();
  }
}

/**
 * Gives segments to several workers. Only the first one gets those without tweets, one after the other: triggers of their tables change one row, and
 * relations have rows in two segments.
 */
class SegmentQueue {
  readonly #segments: AsyncGenerator<Segment, void>;
  readonly #waiting: { readonly others: Segment[]; readonly tweets: Segment[] } = { others: [], tweets: [] };
  #reading: Promise<unknown> = Promise.resolve();
  #isRead = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(segments: AsyncGenerator<Segment, void>) {
    this.#segments = segments;
  }

  /** The next segment; undefined without more of them, and after a failure. Rejects with StoreError. */
  next(isFirst: boolean): Promise<Segment | undefined> {
    const found = this.#reading.then(() => this.#take(isFirst));
    this.#reading = found.catch(() => {});
    return found;
  }

  async #take(isFirst: boolean): Promise<Segment | undefined> {
    const { others, tweets } = this.#waiting;
    for (;;) {
      if (this.#failure !== undefined) return undefined;
      const segment = (isFirst ? others.shift() : undefined) ?? tweets.shift();
      if (segment !== undefined || (this.#isRead && (isFirst || tweets.length === 0))) return segment;
      const { value, done } = await this.#segments.next();
      if (done === true) this.#isRead = true;
      else if (value !== undefined) (hasTweets(value) ? tweets : others).push(value);
    }
  }

  /** Ends the work of all workers. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Throws the first failure. */
  requireWhole(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** As `openSegmentCopy`, in a thread. */
function openInThread(settings: SegmentCopySettings): SegmentCopy {
  const worker = new Worker(new URL('segment-thread.ts', import.meta.url), { workerData: settings });
  const ended = once(worker, 'exit');
  let answer = Promise.withResolvers<SegmentAnswer>();
  worker.on('message', (message: SegmentAnswer) => answer.resolve(message));
  worker.on('error', (error) => answer.reject(error));
  worker.on('exit', () => answer.reject(new StoreError('a thread of the copy has ended')));
  answer.promise.catch(() => {});
  return {
    async copy(segment) {
      worker.postMessage(segment);
      const message = await answer.promise;
      answer = Promise.withResolvers();
      answer.promise.catch(() => {});
      if ('failure' in message) throw new StoreError(message.failure);
      return message.changes;
    },
    async close() {
      worker.postMessage(undefined);
      await ended;
    },
  };
}
