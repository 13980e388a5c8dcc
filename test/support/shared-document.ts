/** A document that several services of a test share, as processes share one in a database. */
import type { Document } from '../../server/ports/storage.ts';

export class SharedDocument<Data extends object> implements Document<Data> {
  readonly stale = undefined;
  data: Data;
  readonly #listeners = new Set<() => void>();

  constructor(data: Data) {
    this.data = data;
  }

  async update(mutate: (data: Data) => void): Promise<void> {
    await Promise.resolve();
    const next = structuredClone(this.data);
    mutate(next);
    this.data = next;
    for (const listener of [...this.#listeners]) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Opens each name as often as it is asked for. */
export class SharedDocuments {
  readonly #opened = new Map<string, SharedDocument<object>>();

  async document<Data extends object>(name: string, initial: Data): Promise<Document<Data>> {
    const opened = this.#opened.get(name) ?? new SharedDocument<object>(initial);
    this.#opened.set(name, opened);
    // The same name always has the same type.
    return opened as SharedDocument<object> as unknown as Document<Data>;
  }
}
