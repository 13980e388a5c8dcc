/**
 * A map and a set without V8's limit: a Map or Set of V8 throws at 2^24 entries, which is fewer than the words of a large archive.
 * https://github.com/v8/v8/blob/main/src/objects/ordered-hash-table.h (MaxCapacity)
 */

/** Entries of one of V8's maps, at most: the largest power of two below the limit, because V8 doubles its tables. */
const mostEntries = 2 ** 23;

/**
 * Several maps in a row as one. A look-up asks one after the other: with fewer entries than fit into the first, it costs what that costs.
 * Entries come in the order of insertion as long as there is one map; an entry that is deleted makes room for any other.
 */
export class LargeMap<Key, Value> {
  readonly #capacity: number;
  readonly #first = new Map<Key, Value>();
  /** What the first has no room for; each has as many entries as it may have, but the last. */
  #more: Map<Key, Value>[] | undefined;

  /** `capacity`: the entries of one map. */
  constructor(capacity = mostEntries) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#more === undefined
      ? this.#first.size
      : this.#more.reduce((sum, { size }) => sum + size, this.#first.size);
  }

  get(key: Key): Value | undefined {
    if (this.#more === undefined) return this.#first.get(key);
    return this.#holder(key)?.get(key);
  }

  has(key: Key): boolean {
    return this.#more === undefined ? this.#first.has(key) : this.#holder(key) !== undefined;
  }

  set(key: Key, value: Value): this {
    if (this.#more === undefined && this.#first.size < this.#capacity) this.#first.set(key, value);
    else (this.#holder(key) ?? this.#withRoom()).set(key, value);
    return this;
  }

  delete(key: Key): boolean {
    return this.#more === undefined ? this.#first.delete(key) : this.#holder(key)?.delete(key) === true;
  }

  *entries(): Generator<[Key, Value], void> {
    for (const map of this.#maps()) yield* map;
  }

  *keys(): Generator<Key, void> {
    for (const map of this.#maps()) yield* map.keys();
  }

  *values(): Generator<Value, void> {
    for (const map of this.#maps()) yield* map.values();
  }

  [Symbol.iterator](): Generator<[Key, Value], void> {
    return this.entries();
  }

  #maps(): readonly Map<Key, Value>[] {
    return [this.#first, ...(this.#more ?? [])];
  }

  /** The map that has a key. */
  #holder(key: Key): Map<Key, Value> | undefined {
    return this.#first.has(key) ? this.#first : this.#more?.find((map) => map.has(key));
  }

  /** A map with room for another entry. */
  #withRoom(): Map<Key, Value> {
    const more = (this.#more ??= []);
    const found = this.#maps().find(({ size }) => size < this.#capacity);
    if (found !== undefined) return found;
    const added = new Map<Key, Value>();
    more.push(added);
    return added;
  }
}

/** A set of the same kind. */
export class LargeSet<Value> {
  readonly #values: LargeMap<Value, true>;

  /** `capacity`: the values of one of V8's maps. */
  constructor(values: Iterable<Value> = [], capacity = mostEntries) {
    this.#values = new LargeMap(capacity);
    for (const value of values) this.add(value);
  }

  get size(): number {
    return this.#values.size;
  }

  has(value: Value): boolean {
    return this.#values.has(value);
  }

  add(value: Value): this {
    this.#values.set(value, true);
    return this;
  }
}
