/** Parts of a table in the order of its key, so that a long search can be ended between two of them. */
import type { SqliteDatabase } from './sqlite-database.ts';

/** The rows of a window. */
const windowRows = 16_384;
/** The known windows are read anew after this time, in milliseconds: rows are added and removed. */
const validMs = 20_000;

export class SearchWindows {
  readonly #database: SqliteDatabase;
  readonly #statement: string;
  readonly #rows: number;
  /** The lowest keys of the windows from the highest key on, highest first. */
  #starts: number[] = [];
  /** Whether fewer rows than a window has are below the known ones. */
  #isWhole = false;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `key`: the primary key of the table. */
  constructor(database: SqliteDatabase, { table, key }: { table: string; key: string }, rows = windowRows) {
    this.#database = database;
    this.#rows = rows;
    this.#statement = `SELECT ${key} AS key FROM ${table} WHERE ${key} <= ? ORDER BY ${key} DESC LIMIT 1 OFFSET ?`;
  }

  /** The lowest key of about `count` windows down from a key; undefined where no row is below. */
  startBelow(to: number, count: number): number | undefined {
    if (performance.now() - this.#readAt > validMs) {
      this.#readAt = performance.now();
      this.#starts = [];
      this.#isWhole = false;
    }
    let start: number | undefined = to;
    for (let n = 0; n < count && start !== undefined; n++) start = this.#next(n === 0 ? to : start - 1);
    return start;
  }

  /** The lowest key of the window with a key. */
  #next(key: number): number | undefined {
    const starts = this.#starts;
    if (starts.length === 0 && !this.#isWhole) this.#add(Number.MAX_SAFE_INTEGER);
    const last = starts.at(-1);
    if (last === undefined) return undefined;
    if (key >= last) return starts[firstAtMost(starts, key)];
    if (this.#isWhole) return undefined;
    // The windows are read one behind the other; a page far below is read from its own place on.
    return key === last - 1 ? this.#add(key) : this.#read(key);
  }

  #add(key: number): number | undefined {
    const start = this.#read(key);
    if (start === undefined) this.#isWhole = true;
    else this.#starts.push(start);
    return start;
  }

  #read(key: number): number | undefined {
    return this.#database.first<{ key: number }>(this.#statement, key, this.#rows - 1)?.key;
  }
}

/** The place of the first number that is at most `value`, of numbers in descending order. */
function firstAtMost(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= value) high = middle;
    else low = middle + 1;
  }
  return low;
}
