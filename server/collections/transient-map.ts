/**
 * A map whose entries live briefly, such as the calls in progress. It creates a new `Map` from time to time, because of the garbage
 * collector of V8: a `Map` with many insertions and deletions replaces its hash table often, and each replaced table refers to the next
 * one. After a full collection, the first of these tables is in the old generation, and young collections treat all old objects as alive.
 * So all later tables, with their deleted entries, stay until the next full collection, which is due earlier for that reason.
 */

/** Deletions before a new `Map` is created, at least. */
const minDeletions = 8;

export class TransientMap<Key, Value> {
  #map = new Map<Key, Value>();
  #deletions = 0;

  get size(): number {
    return this.#map.size;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  set(key: Key, value: Value): void {
    this.#map.set(key, value);
  }

  delete(key: Key): void {
    if (!this.#map.delete(key)) return;
    // As many deletions as entries, so that a deletion takes constant time on average.
    if (++this.#deletions <= this.#map.size + minDeletions) return;
    this.#map = new Map(this.#map);
    this.#deletions = 0;
  }

  keys(): Iterable<Key> {
    return this.#map.keys();
  }

  values(): Iterable<Value> {
    return this.#map.values();
  }
}
