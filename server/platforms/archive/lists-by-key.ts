/** Lists by key, such as the timelines of all authors. */
import { LargeMap } from '../../collections/large-map.ts';

/** Read access to the lists. */
export interface ListLookup<List> extends Iterable<readonly [key: string, list: List]> {
  get(key: string): List | undefined;
}

export class ListsByKey<List> implements ListLookup<List> {
  readonly #lists = new LargeMap<string, List>();
  readonly #create: () => List;

  constructor(create: () => List) {
    this.#create = create;
  }

  get(key: string): List | undefined {
    return this.#lists.get(key);
  }

  /** The list of a key; the first use of a key creates its list. */
  getOrCreate(key: string): List {
    let list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, (list = this.#create()));
    return list;
  }

  delete(key: string): void {
    this.#lists.delete(key);
  }

  [Symbol.iterator](): Iterator<[string, List]> {
    return this.#lists.entries();
  }
}
