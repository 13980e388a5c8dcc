/** A growable column of numbers outside the JavaScript heap, with one value for each ordinal. */
import {
  bytesOf,
  readNumbers,
  type Numbers,
  type SavedTable,
  type SectionReader,
  type Sections,
} from './saved-table.ts';

/** From this length, a column grows by a quarter instead of doubling, so that less memory is unused. */
const largeLength = 2 ** 16;

export class Column<Values extends Numbers> implements SavedTable {
  #values: Values;
  #length: number;

  /** `values`: the memory of the column, of which the first `length` values are in use. */
  constructor(values: Values, length = 0) {
    this.#values = values;
    this.#length = length;
  }

  get length(): number {
    return this.#length;
  }

  /** The underlying array, with spare capacity behind the last value; valid until the next push. */
  get values(): Values {
    return this.#values;
  }

  get(ordinal: number): Values[number] {
    return this.#values[ordinal]!;
  }

  set(ordinal: number, value: Values[number]): void {
    this.#values[ordinal] = value;
  }

  /** Sets the value of an ordinal, which is at most the number of values. */
  put(ordinal: number, value: Values[number]): void {
    if (ordinal === this.#length) this.push(value);
    else this.#values[ordinal] = value;
  }

  push(value: Values[number]): void {
    if (this.#length === this.#values.length) {
      const length = Math.max(16, Math.ceil(this.#length * (this.#length < largeLength ? 2 : 1.25)));
      const larger = new this.#type(length);
      larger.set(this.#values as never);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  /** Removes and returns the last value; undefined if there is none. */
  pop(): Values[number] | undefined {
    return this.#length === 0 ? undefined : this.#values[--this.#length];
  }

  get #type(): new (length: number) => Values {
    return this.#values.constructor as new (length: number) => Values;
  }

  save(): Sections {
    return [bytesOf(this.#values.subarray(0, this.#length))];
  }

  load(reader: SectionReader): void {
    this.#values = readNumbers(reader, this.#type);
    this.#length = this.#values.length;
  }
}
