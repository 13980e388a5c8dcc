/** The store on lowdb: one folder, small values as JSON files, what grows as journals. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { lockDirectory } from './directory-lock.ts';
import { DurableJSONFile, makeFolder } from './durable-file.ts';
import { FileJournal, isCatalogue, type Catalogue, type JournalObserver } from './file-journal.ts';
import { StoreError, type Document, type Journal, type Store } from '../../ports/storage.ts';

export interface StoreOptions {
  /** About how large the files of a journal are, where it is not opened otherwise. */
  readonly segmentBytes?: number;
  /** What is told of each journal. */
  readonly observe?: (journal: string) => JournalObserver;
}

export interface LowdbStore extends Store {
  /** The journals that are open, by name. */
  readonly journals: ReadonlyMap<string, Journal>;
}

/** Opens the data directory, made when it is missing. Throws StoreError when it is in use or a file in it is damaged. */
export async function openLowdbStore(
  directory: string,
  { observe, ...defaults }: StoreOptions = {},
): Promise<LowdbStore> {
  const unlock = await lockDirectory(directory);
  const journals = new Map<string, FileJournal>();
  const documents: LowdbDocument<object>[] = [];
  const names = new Set<string>();

  /** Two of one name would each write over what the other wrote. */
  function takeName(name: string): void {
    if (names.has(name)) throw new StoreError(`${join(directory, name)} is open already: open it once and pass it on`);
    names.add(name);
  }

  async function document<Data extends object>(name: string, initial: Data): Promise<Document<Data>> {
    takeName(`${name}.json`);
    const low = new Low<Data>(new DurableJSONFile(join(directory, `${name}.json`)), initial);
    await low.read();
    const opened = new LowdbDocument(low);
    documents.push(opened as unknown as LowdbDocument<object>);
    return opened;
  }

  return {
    journals,
    document,

    async journal(name, { segmentBytes = defaults.segmentBytes } = {}) {
      takeName(name);
      const folder = join(directory, name);
      await makeFolder(folder);
      const catalogue = join(folder, 'catalogue.json');
      const isNew = await stat(catalogue).then(
        () => false,
        () => true,
      );
      if (isNew && (await readdir(folder)).some((file) => file.includes('.jsonl'))) {
        throw new StoreError(
          `${catalogue} is missing beside its segments: put it back, or move ${folder} away to begin empty`,
        );
      }
      const contents = await document<Catalogue>(join(name, 'catalogue'), { format: 1, segments: [] });
      if (!isCatalogue(contents.data)) {
        throw new StoreError(`${catalogue} is not a catalogue of this program: put back a copy of it`);
      }
      // There from the start: a segment without a catalogue is then always a loss, never a beginning.
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

interface Change<Data> {
  readonly mutate: (data: Data) => void;
  readonly done: PromiseWithResolvers<void>;
}

/** A value that lowdb keeps. Changes made while a write is under way go out together in the next one, and are seen when it is durable. */
class LowdbDocument<Data extends object> implements Document<Data> {
  readonly #low: Low<Data>;
  #durable: Data;
  #changes: Change<Data>[] = [];
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
    // Without the lock on its folder, a write could meet that of another process.
    if (this.#closed) throw new StoreError('the store is closed: nothing can be written');
    const done = Promise.withResolvers<void>();
    this.#changes.push({ mutate, done });
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
    return done.promise;
  }

  /** Waits for the writes under way; their failures have reached those who made the changes. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  /** Never rejects: a failure reaches those who made the changes. */
  async #write(): Promise<void> {
    while (this.#changes.length > 0) {
      const written: Change<Data>[] = [];
      this.#low.data = structuredClone(this.#durable);
      for (const change of this.#changes.splice(0)) {
        try {
          change.mutate(this.#low.data);
          written.push(change);
        } catch (error) {
          change.done.reject(error);
        }
      }
      try {
        await this.#low.write();
        this.#durable = this.#low.data;
        for (const { done } of written) done.resolve();
      } catch (error) {
        for (const { done } of written) done.reject(error);
      }
    }
  }
}
