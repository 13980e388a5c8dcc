/** The store on lowdb: one folder with small values as JSON files and growing data as journals. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { lockDirectory } from './directory-lock.ts';
import { DurableJSONFile, createFolder } from './durable-file.ts';
import { FileJournal, isCatalogue, type Catalogue, type JournalObserver } from './file-journal.ts';
import { savedFileOf } from './saved-file.ts';
import { StoreError, type Document, type Journal, type Store } from '../../ports/storage.ts';
import { steadyClock } from '../../process/steady-clock.ts';

export interface StoreOptions {
  /** The approximate size of a segment in bytes, unless the call of `journal` sets another one. */
  readonly segmentBytes?: number;
  /** Returns the observer of a journal. */
  readonly observe?: (journal: string) => JournalObserver;
}

export interface LowdbStore extends Store {
  /** The open journals by name. */
  readonly journals: ReadonlyMap<string, Journal>;
}

/**
 * Opens the data directory, which it creates if missing. Throws StoreError if it is in use or a file in it is
 * damaged.
 */
export async function openLowdbStore(
  directory: string,
  { observe, ...defaults }: StoreOptions = {},
): Promise<LowdbStore> {
  const unlock = await lockDirectory(directory);
  const journals = new Map<string, FileJournal>();
  const documents: LowdbDocument<object>[] = [];
  const names = new Set<string>();

  /** Rejects a second document or journal of the same name: the two would overwrite each other. */
  function reserveName(name: string): void {
    if (names.has(name)) throw new StoreError(`${join(directory, name)} is already open: open it once`);
    names.add(name);
  }

  async function document<Data extends object>(name: string, initial: Data): Promise<Document<Data>> {
    reserveName(`${name}.json`);
    const low = new Low<Data>(new DurableJSONFile(join(directory, `${name}.json`)), initial);
    await low.read();
    const opened = new LowdbDocument(low);
    documents.push(opened as unknown as LowdbDocument<object>);
    return opened;
  }

  return {
    shared: false,
    now: steadyClock,
    journals,
    document,
    saved: (journal) => savedFileOf(directory, journal),

    async journal(name, { segmentBytes = defaults.segmentBytes } = {}) {
      reserveName(name);
      const folder = join(directory, name);
      await createFolder(folder);
      const catalogue = join(folder, 'catalogue.json');
      const isNew = await stat(catalogue).then(
        () => false,
        () => true,
      );
      if (isNew && (await readdir(folder)).some((file) => file.includes('.jsonl'))) {
        throw new StoreError(`${catalogue} is missing: restore it, or move ${folder} away to start empty`);
      }
      const contents = await document<Catalogue>(join(name, 'catalogue'), { format: 1, segments: [] });
      if (!isCatalogue(contents.data)) {
        throw new StoreError(`${catalogue} is not a catalogue of this service: restore it from a backup`);
      }
      // Creates the catalogue before any segment: a segment without a catalogue then always means a lost file.
      if (isNew) await contents.update(() => {});
      const journal = new FileJournal(folder, contents, segmentBytes, observe?.(name));
      journals.set(name, journal);
      return journal;
    },

    async close() {
      try {
        const closed = await Promise.allSettled([...journals.values()].map((journal) => journal.close()));
        for (const each of documents) await each.close();
        for (const result of closed) if (result.status === 'rejected') throw result.reason;
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
