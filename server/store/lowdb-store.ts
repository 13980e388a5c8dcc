/** The store on lowdb: one folder, small values as JSON files, what grows as journals. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { lockDirectory } from './directory-lock.ts';
import { DurableJSONFile, makeFolder } from './durable-file.ts';
import { FileJournal, isCatalogue, type Catalogue } from './journal.ts';
import { StoreError, type Document, type Journal, type Store } from './store.ts';

export interface StoreOptions {
  /** About how large the files of a journal are, where it is not opened otherwise. */
  readonly segmentBytes?: number;
  /** Told of each time that the disk made a journal durable, and how many milliseconds it took. */
  readonly synced?: (journal: string, ms: number) => void;
}

export interface LowdbStore extends Store {
  /** The journals that are open, by name. */
  readonly journals: ReadonlyMap<string, Journal>;
}

/** Opens the data directory, made when it is missing. Throws StoreError when it is in use or a file in it is damaged. */
export async function openLowdbStore(directory: string, { synced, ...defaults }: StoreOptions = {}): Promise<LowdbStore> {
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
      const isNew = await stat(catalogue).then(() => false, () => true);
      if (isNew && (await readdir(folder)).some((file) => file.includes('.jsonl'))) {
        throw new StoreError(`${catalogue} is missing beside its segments: put it back, or move ${folder} away to begin empty`);
      }
      const contents = await document<Catalogue>(join(name, 'catalogue'), { format: 1, segments: [] });
      if (!isCatalogue(contents.data)) {
        throw new StoreError(`${catalogue} is not a catalogue of this program: put back a copy of it`);
      }
      // There from the start: a segment without a catalogue is then always a loss, never a beginning.
      if (isNew) await contents.update(() => {});
      const journal = new FileJournal(folder, contents, segmentBytes, (ms) => synced?.(name, ms));
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

/** A value that lowdb keeps. Changes made while a write is under way go out together in the next one. */
class LowdbDocument<Data extends object> implements Document<Data> {
  readonly #low: Low<Data>;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #closed = false;

  constructor(low: Low<Data>) {
    this.#low = low;
  }

  get data(): Data {
    return this.#low.data;
  }

  async update(mutate: (data: Data) => void): Promise<void> {
    // Without the lock on its folder, a write could meet that of another process.
    if (this.#closed) throw new StoreError('the store is closed: nothing can be written');
    mutate(this.#low.data);
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return (this.#writing = this.#low.write());
      });
    return this.#next;
  }

  /** Waits for the writes under way; their failures have reached those who made the changes. */
  async close(): Promise<void> {
    this.#closed = true;
    await (this.#next ?? this.#writing).catch(() => {});
  }
}
