/** Erases tweets and accounts, and reports what was erased without a text, a name or an id. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArchiveRecord } from '../../domain/records.ts';
import type { Conversations, TweetsAndUsers } from '../../ports/conversations.ts';
import type { EraseCounts, ErasedArchive, Erasure, EraseRequest } from './erasure.ts';

/** The proof of an erasure. */
export interface EraseReport {
  /** The request: tweets by id, a user, tweets before a time, or tweets by a query. */
  readonly kind: EraseRequest['kind'];
  readonly erased: EraseCounts;
  /** SHA-256 of the sorted ids of the tweets, and of the account, one a line: whoever knows the ids can check it. */
  readonly ids_sha256: string;
  /** RFC 3339. */
  readonly started_at: string;
  readonly finished_at: string;
  /** From when no file of the data directory holds a text of it; with tables: no row of the database. */
  readonly off_disk_by: string;
  /** Places that this erasure does not reach. */
  readonly remaining: readonly string[];
}

export interface OpenEraser {
  preview(request: EraseRequest): Promise<EraseCounts>;
  /** `onProgress` gets the number of records that are erased. */
  erase(request: EraseRequest, onProgress: (done: number, of: number) => void): Promise<EraseReport>;
  close(): Promise<void>;
}

/** The number of records in one durable step. */
const batchRecords = 500;

export interface EraserParts {
  readonly archive: ErasedArchive;
  readonly conversations: Pick<Conversations, 'countUsing' | 'endUsing' | 'purge'>;
  /** The time within which a removed text leaves the disk, in milliseconds; 0: at once. */
  readonly purgeWithinMs: number;
  /** The number of uploaded files that are not imported: nobody knows what they hold. */
  readonly uploads: () => Promise<number>;
  /** The folders in which a repair has kept damaged files. */
  readonly damaged: () => Promise<readonly string[]>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export class Eraser {
  readonly #parts: EraserParts;

  constructor(parts: EraserParts) {
    this.#parts = parts;
  }

  /** Counts what an erasure removes, and changes nothing. Rejects like `ErasedArchive.find`. */
  async preview(request: EraseRequest): Promise<EraseCounts> {
    return this.#count(await this.#parts.archive.find(request));
  }

  async #count(erasure: Erasure): Promise<EraseCounts> {
    const { archive, conversations } = this.#parts;
    return { ...(await archive.count(erasure)), conversations: conversations.countUsing(removedBy(erasure)) };
  }

  /**
   * Erases, step by step; each step is durable. `onProgress` gets the number of records that are erased. An erasure that
   * is interrupted is completed by the same call. Rejects like `ErasedArchive.find`.
   */
  async erase(request: EraseRequest, onProgress: (done: number, of: number) => void = () => {}): Promise<EraseReport> {
    const { archive, conversations, now = Date.now } = this.#parts;
    const startedAt = now();
    const erasure = await archive.find(request);
    const counts = await this.#count(erasure);
    const removed = removedBy(erasure);
    // First, so that the report counts them: the events of the deletions end them, too.
    const ended = await conversations.endUsing(removed);
    for await (const done of this.#apply(erasure.records, startedAt)) onProgress(done, erasure.records.length);
    // Those that were stored meanwhile.
    const endedSince = await conversations.endUsing(removed);
    const offDiskBy = await this.#purge();
    return {
      kind: request.kind,
      erased: { ...counts, conversations: ended + endedSince },
      ids_sha256: hashOf(erasure),
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(now()).toISOString(),
      off_disk_by: new Date(offDiskBy).toISOString(),
      remaining: [
        `backups and exports made before ${new Date(startedAt).toISOString()}`,
        ...(await archive.remaining()),
        ...(await this.#parts.damaged()).map((folder) => `${folder}: damaged files that a repair has kept`),
        ...(await this.#uploads()),
      ],
    };
  }

  async #uploads(): Promise<readonly string[]> {
    const count = await this.#parts.uploads();
    if (count === 0) return [];
    return [
      `uploads/: uploaded files that are not imported (${count}); cancel them on /import, or a running server removes each a day after its last part`,
    ];
  }

  async *#apply(records: readonly ArchiveRecord[], at: number): AsyncGenerator<number, void> {
    const time = new Date(at).toISOString();
    for (let first = 0; first < records.length; first += batchRecords) {
      const batch = records.slice(first, first + batchRecords);
      const done = first + batch.length;
      // The records carry their time, so that the same erasure in two parts is the same as in one.
      const timed = batch.map((record) => ({ ...record, at: time }) as ArchiveRecord);
      await this.#parts.archive.apply(timed);
      yield done;
      await nextTurn();
    }
  }

  /** Removes the texts from the disk where that is to be done at once; returns the time until which it is done. */
  async #purge(): Promise<number> {
    const { archive, conversations, purgeWithinMs, now = Date.now } = this.#parts;
    // Otherwise the archive and the conversations purge by themselves in time.
    if (purgeWithinMs > 0) return now() + purgeWithinMs;
    // The archive last: it can hold the conversations in its file.
    await conversations.purge();
    await archive.purge();
    return now();
  }
}

const removedBy = ({ tweetIds, userId }: Erasure): TweetsAndUsers => ({
  tweetIds,
  userIds: new Set(userId === undefined ? [] : [userId]),
});

function hashOf({ tweetIds, userId }: Erasure): string {
  const ids = [...tweetIds, ...(userId === undefined ? [] : [userId])].toSorted();
  return createHash('sha256').update(ids.join('\n')).digest('hex');
}
