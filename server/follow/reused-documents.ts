/** The documents of the live sources. */
import type { Document, Store } from '../ports/storage.ts';

/** The documents of a store that were opened before: a store opens each name once, a source is opened again. */
export class ReusedDocuments implements Pick<Store, 'document'> {
  readonly #store: Pick<Store, 'document'>;
  readonly #opened = new Map<string, Promise<Document<object>>>();

  constructor(store: Pick<Store, 'document'>) {
    this.#store = store;
  }

  document<Data extends object>(name: string, initial: Data): Promise<Document<Data>> {
    const opened = this.#opened.get(name) ?? this.#store.document(name, initial);
    this.#opened.set(name, opened);
    // The same name always has the same type.
    return opened as Promise<Document<Data>>;
  }
}
