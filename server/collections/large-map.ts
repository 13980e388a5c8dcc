/**
 * A map and a set without V8's limit: a Map or Set of V8 throws at 2^24 entries, and a large archive has more words
 * than that. https://github.com/v8/v8/blob/main/src/objects/ordered-hash-table.h (MaxCapacity)
 */

/**
 * The maximum number of entries of one V8 map: the largest power of two below the limit, because V8 doubles its tables.
 */
const maxEntries = 2 ** 23;

/**
 * Several V8 maps as one. A look-up searches them one after the other; while one map is enough, a look-up costs as much
 * as in a V8 map. Iteration is in the order of insertion only while there is one map: a later entry may take the space
 * of a deleted one.
 */
export class LargeMap<Key, Value> {
  readonly #capacity: number;
  readonly #first = new Map<Key, Value>();
  /** The maps after the first one. A new one is added when all maps are full. */
  #overflow: Map<Key, Value>[] | undefined;

  /** `capacity`: the maximum number of entries of one V8 map. */
  constructor(capacity = maxEntries) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#overflow === undefined
      ? this.#first.size
      : this.#overflow.reduce((sum, { size }) => sum + size, this.#first.size);
  }

  get(key: Key): Value | undefined {
    if (this.#overflow === undefined) return this.#first.get(key);
    return this.#mapOf(key)?.get(key);
  }

  has(key: Key): boolean {
    return this.#overflow === undefined ? this.#first.has(key) : this.#mapOf(key) !== undefined;
  }

  set(key: Key, value: Value): this {
    if (this.#overflow === undefined && this.#first.size < this.#capacity) this.#first.set(key, value);
    else (this.#mapOf(key) ?? this.#mapWithSpace()).set(key, value);
    return this;
  }

  delete(key: Key): boolean {
    return this.#overflow === undefined ? this.#first.delete(key) : this.#mapOf(key)?.delete(key) === true;
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
    return [this.#first, ...(this.#overflow ?? [])];
  }

  /** The V8 map that contains a key. */
  #mapOf(key: Key): Map<Key, Value> | undefined {
    return this.#first.has(key) ? this.#first : this.#overflow?.find((map) => map.has(key));
  }

  /** A V8 map with space for another entry. */
  #mapWithSpace(): Map<Key, Value> {
    const overflow = (this.#overflow ??= []);
    const available = this.#maps().find(({ size }) => size < this.#capacity);
    if (available !== undefined) return available;
    const added = new Map<Key, Value>();
    overflow.push(added);
    return added;
  }
}

/** A set on top of LargeMap. */
export class LargeSet<Value> {
  readonly #values: LargeMap<Value, true>;

  /** `capacity`: the maximum number of values of one V8 map. */
  constructor(values: Iterable<Value> = [], capacity = maxEntries) {
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
