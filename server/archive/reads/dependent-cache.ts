/** A cache in memory of what was derived from rows. An entry is removed when a transaction changes what it depends on. */
import { LRUCache } from 'lru-cache';

/** The transactions that this instance knows. */
export interface KnownCommits {
  /** The number of the last one. */
  readonly last: number;
  /** Calls `listener` with the keys that a transaction changes, before `last` is its number. Undefined: any key. */
  onCommit(listener: (keys: readonly string[] | undefined) => void): void;
}

interface Entry<Value> {
  readonly value: Value;
  readonly keys: readonly string[];
}

export class DependentCache<Value> {
  readonly #commits: KnownCommits;
  readonly #entries: LRUCache<string, Entry<Value>>;
  /** The names of the entries that depend on a key. */
  readonly #dependent = new Map<string, Set<string>>();

  /** `maxBytes`: the maximum size of all values; `sizeOf`: the size of one in bytes, by an estimate. */
  constructor(commits: KnownCommits, maxBytes: number, sizeOf: (value: Value) => number) {
    this.#commits = commits;
    this.#entries = new LRUCache<string, Entry<Value>>({
      maxSize: maxBytes,
      sizeCalculation: ({ value, keys }) => sizeOf(value) + 200 * keys.length,
      dispose: ({ keys }, name) => this.#release(name, keys),
    });
    commits.onCommit((keys) => this.#change(keys));
  }

  /** The number of the last known transaction: rows that are read from now on reflect it. */
  get readAt(): number {
    return this.#commits.last;
  }

  get(name: string): Value | undefined {
    return this.#entries.get(name)?.value;
  }

  /** Adds a value that was derived from rows. `readAt`: the property with this name, before the rows were read. */
  set(name: string, value: Value, keys: readonly string[], readAt: number): void {
    // A transaction that became known meanwhile may have changed the rows.
    if (readAt !== this.#commits.last) return;
    this.#entries.set(name, { value, keys });
    if (!this.#entries.has(name)) return;
    for (const key of keys) {
      const names = this.#dependent.get(key);
      if (names === undefined) this.#dependent.set(key, new Set([name]));
      else names.add(name);
    }
  }

  #change(keys: readonly string[] | undefined): void {
    if (keys === undefined) {
      this.#entries.clear();
      this.#dependent.clear();
      return;
    }
    for (const key of keys) for (const name of this.#dependent.get(key) ?? []) this.#entries.delete(name);
  }

  #release(name: string, keys: readonly string[]): void {
    for (const key of keys) {
      const names = this.#dependent.get(key);
      names?.delete(name);
      if (names?.size === 0) this.#dependent.delete(key);
    }
  }
}
