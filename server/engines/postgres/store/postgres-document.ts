/**
 * A document in PostgreSQL. A write succeeds only if the version is still the one that the mutators saw; otherwise they run
 * again on the newest value. One write stores all updates that arrive during the previous one.
 */
import { randomUUID } from 'node:crypto';
import { StoreError, type Document } from '../../../ports/storage.ts';
import { DatabaseError, type Database } from './database.ts';
import { readDocument, writeDocument, type DocumentRow } from './statements.ts';

interface PendingUpdate<Data> {
  readonly mutate: (data: Data) => void;
  readonly done: PromiseWithResolvers<void>;
}

/** A stored value. */
interface Stored<Data> {
  readonly version: number;
  readonly data: Data;
}

/** Attempts of one write: each failed one means that another process has written. */
const maxAttempts = 100;

export interface DocumentContext {
  readonly database: Database;
  /** Why the value may be outdated. */
  readonly stale: () => StoreError | undefined;
}

export class PostgresDocument<Data extends object> implements Document<Data> {
  readonly #name: string;
  readonly #context: DocumentContext;
  readonly #initial: Data;
  readonly #listeners = new Set<() => void>();
  #stored: Stored<Data>;
  #pending: PendingUpdate<Data>[] = [];
  #writing: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #isClosed = false;

  private constructor(name: string, initial: Data, context: DocumentContext) {
    this.#name = name;
    this.#initial = initial;
    this.#context = context;
    this.#stored = { version: 0, data: initial };
  }

  /** Throws StoreError for a document that cannot be read. */
  static async open<Data extends object>(
    name: string,
    initial: Data,
    context: DocumentContext,
  ): Promise<PostgresDocument<Data>> {
    const document = new PostgresDocument(name, initial, context);
    document.#stored = await document.#read();
    return document;
  }

  get data(): Data {
    return this.#stored.data;
  }

  get stale(): StoreError | undefined {
    return this.#context.stale();
  }

  get version(): number {
    return this.#stored.version;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async update(mutate: (data: Data) => void): Promise<void> {
    if (this.#isClosed) throw new StoreError('the store is closed: nothing can be written');
    const done = Promise.withResolvers<void>();
    this.#pending.push({ mutate, done });
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
    return done.promise;
  }

  /** Reads the value if the database has a newer one. `version`: what the database has, where it is known. */
  async refresh(version = Infinity): Promise<void> {
    if (version <= this.#stored.version || this.#isClosed) return;
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
  }

  async #refresh(): Promise<void> {
    await this.#writing;
    const stored = await this.#read();
    if (stored.version <= this.#stored.version) return;
    this.#stored = stored;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Never rejects: a failure rejects the calls of `update`. */
  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      const updates = this.#pending.splice(0);
      const before = this.#stored;
      try {
        const applied = await this.#writeNewest(updates);
        for (const { done } of applied) done.resolve();
      } catch (error) {
        for (const { done } of updates) done.reject(error);
      }
      // Another process had written in between.
      if (this.#stored.version > before.version + 1) for (const listener of [...this.#listeners]) listener();
    }
  }

  /** Applies updates to the newest value until a write succeeds. Returns those whose mutators did not throw. */
  async #writeNewest(updates: readonly PendingUpdate<Data>[]): Promise<readonly PendingUpdate<Data>[]> {
    let { version, data: newest } = this.#stored;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const data = structuredClone(newest);
      const applied = updates.filter(({ mutate, done }) => {
        try {
          mutate(data);
          return true;
        } catch (error) {
          done.reject(error);
          return false;
        }
      });
      if (applied.length === 0) return applied;
      if (await this.#writeVersion(version, data)) {
        this.#stored = { version: version + 1, data };
        return applied;
      }
      ({ version, data: newest } = await this.#read());
    }
    throw new StoreError(`the document ${this.#name} changes too often to be written`);
  }

  /** Writes a value if the version is still this one. */
  async #writeVersion(version: number, data: Data): Promise<boolean> {
    const id = randomUUID();
    try {
      const [row] = await this.#context.database.run<{ written: boolean }>(
        writeDocument(this.#name, version, JSON.stringify(data), id),
      );
      return row?.written === true;
    } catch (error) {
      if (!(error instanceof DatabaseError && error.isUnknown)) throw error;
      // The answer was lost: the id of the last write shows whether the write succeeded.
      const [row] = await this.#context.database.run<DocumentRow>(readDocument(this.#name)).catch(() => []);
      if (row?.write_id === id) return true;
      throw error;
    }
  }

  async #read(): Promise<Stored<Data>> {
    const [row] = await this.#context.database.run<DocumentRow>(readDocument(this.#name));
    if (row === undefined) return { version: 0, data: this.#initial };
    try {
      return { version: Number(row.version), data: JSON.parse(row.value) as Data };
    } catch {
      throw new StoreError(`the document ${this.#name} in the database is not JSON: restore it from a backup`);
    }
  }
}
