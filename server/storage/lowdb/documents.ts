/** The documents of a data directory on lowdb: one JSON file for each. */
import { dirname, join } from 'node:path';
import { Low } from 'lowdb';
import { lockDirectory } from './directory-lock.ts';
import { createFolder, DurableJSONFile } from './durable-file.ts';
import { steadyClock } from '../../process/steady-clock.ts';
import { StoreError, type Document, type Store } from '../../ports/storage.ts';

/** The part of a store that has no journals. */
export type Documents = Pick<Store, 'now' | 'document' | 'close'>;

/**
 * Opens the documents of a data directory, which it creates if missing, and locks it. Throws StoreError if it is in use. Opening a
 * document throws StoreError for a damaged file.
 */
export async function openDocuments(directory: string): Promise<Documents> {
  const unlock = await lockDirectory(directory);
  const documents = new Map<string, LowdbDocument<object>>();
  return {
    now: steadyClock,
    async document<Data extends object>(name: string, initial: Data): Promise<Document<Data>> {
      const path = join(directory, `${name}.json`);
      // Two would overwrite each other.
      if (documents.has(name)) throw new StoreError(`${path} is already open: open it once`);
      // Such as `events/log`.
      await createFolder(dirname(path));
      const low = new Low<Data>(new DurableJSONFile(path), initial);
      await low.read();
      const opened = new LowdbDocument(low);
      documents.set(name, opened as unknown as LowdbDocument<object>);
      return opened;
    },
    async close() {
      try {
        for (const each of documents.values()) await each.close();
      } finally {
        unlock();
      }
    },
  };
}

interface PendingUpdate<Data> {
  readonly mutate: (data: Data) => void;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * A document in lowdb. One write stores all updates that arrive during the previous one; they are visible once it is
 * durable.
 */
class LowdbDocument<Data extends object> implements Document<Data> {
  /** The data directory is locked, so no other process changes the document. */
  readonly stale = undefined;
  readonly #low: Low<Data>;
  #durable: Data;
  #pending: PendingUpdate<Data>[] = [];
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(low: Low<Data>) {
    this.#low = low;
    this.#durable = low.data;
  }

  get data(): Data {
    return this.#durable;
  }

  async update(mutate: (data: Data) => void): Promise<void> {
    // After the release of the lock, another process may write to the folder.
    if (this.#closed) throw new StoreError('the store is closed: nothing can be written');
    const done = Promise.withResolvers<void>();
    this.#pending.push({ mutate, done });
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
    return done.promise;
  }

  onChange(): () => void {
    return () => {};
  }

  /** Waits for the writes in progress. Their failures reject the calls of `update`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  /** Never rejects: a failure rejects the calls of `update`. */
  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      const applied: PendingUpdate<Data>[] = [];
      this.#low.data = structuredClone(this.#durable);
      for (const change of this.#pending.splice(0)) {
        try {
          change.mutate(this.#low.data);
          applied.push(change);
        } catch (error) {
          change.done.reject(error);
        }
      }
      try {
        await this.#low.write();
        this.#durable = this.#low.data;
        for (const { done } of applied) done.resolve();
      } catch (error) {
        for (const { done } of applied) done.reject(error);
      }
    }
  }
}
