/** The saved searches in a document of the store. */
import { randomBytes } from 'node:crypto';
import { notFound, ServiceError } from '../contract/service-error.ts';
import type { Schemas } from '../contract/operations.ts';
import type { Document } from '../ports/storage.ts';
import { randomText } from '../text/random-text.ts';
import { formatSecret } from './webhook-request.ts';

/** A saved search with its secrets. It is replaced when it changes. */
export interface StoredSearch {
  readonly id: string;
  /** The id of the API key that has created it. */
  readonly owner: string;
  readonly name: string;
  readonly query: string;
  readonly url: string | null;
  readonly events: Schemas['WebhookEvents'];
  readonly created_at: string;
  /** The newest first. `until`: when an older one ends, in milliseconds since 1970. */
  readonly secrets: readonly { readonly secret: string; readonly until?: number }[];
}

export interface SearchFile {
  searches: StoredSearch[];
}

/** Saved searches of one key, and of all keys. */
const maxOfKey = 25;
const maxSearches = 1_000;

/** Makes a secret of 32 random bytes. */
export const newSecret = (): string => formatSecret(randomBytes(32));

export class SearchStore {
  readonly #document: Document<SearchFile>;

  constructor(document: Document<SearchFile>) {
    this.#document = document;
  }

  /** All saved searches, oldest first. */
  get all(): readonly StoredSearch[] {
    return this.#document.data.searches;
  }

  /** Calls `listener` when another process has changed them. */
  onChange(listener: () => void): void {
    this.#document.onChange(listener);
  }

  /** Throws 404 for an unknown one, also of another key. `owner` undefined: of any key. */
  get(owner: string | undefined, id: string): StoredSearch {
    const found = this.all.find((search) => search.id === id && (owner === undefined || search.owner === owner));
    if (found === undefined) throw notFound('this saved search');
    return found;
  }

  /** Adds a saved search with a new id. Throws 409 where there is no place. Rejects with StoreError, as all that write. */
  async add(search: Omit<StoredSearch, 'id'>): Promise<StoredSearch> {
    const added = { id: `s_${randomText(12)}`, ...search };
    await this.#document.update((data) => {
      if (data.searches.filter(({ owner }) => owner === search.owner).length >= maxOfKey)
        throw new ServiceError(409, `this API key has ${maxOfKey} saved searches, the maximum: delete one`);
      if (data.searches.length >= maxSearches)
        throw new ServiceError(409, `this service has ${maxSearches} saved searches, the maximum: ask its operator`);
      data.searches.push(added);
    });
    return added;
  }

  /** Replaces a saved search by what `change` makes of the newest one. Throws 404, and what `change` throws. */
  async change(
    owner: string | undefined,
    id: string,
    change: (search: StoredSearch) => StoredSearch,
  ): Promise<StoredSearch> {
    let changed = this.get(owner, id);
    await this.#document.update((data) => {
      const place = data.searches.findIndex((search) => search.id === id);
      if (place < 0) throw notFound('this saved search');
      changed = data.searches[place] = change(data.searches[place]!);
    });
    return changed;
  }

  /** Throws 404. */
  async delete(owner: string | undefined, id: string): Promise<void> {
    this.get(owner, id);
    await this.#document.update((data) => {
      data.searches = data.searches.filter((search) => search.id !== id);
    });
  }
}
