/** A growable column of numbers outside the JavaScript heap, with one value for each ordinal. */
import { bytesOf, type Numbers, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';
import { tableMemory } from './table-memory.ts';

/**
 * From this length, a column grows by a quarter instead of doubling, so that less memory is unused, and in steps: all columns of a table
 * are full at the same time.
 */
const largeLength = 2 ** 16;
/** The share of a large column at whose end the values begin to move, and the number of values between two steps of that. */
const unmovedShare = 7 / 8;
const valuesPerStep = 1024;

export class Column<Values extends Numbers> implements SavedTable {
  #values: Values;
  #length: number;
  /** The memory that replaces that of the values when they fill theirs. It has the first `#moved` of them. */
  #larger: Values | undefined;
  #moved = 0;

  /** `values`: the memory of the column, of which the first `length` values are in use. */
  constructor(values: Values, length = 0) {
    this.#values = values;
    this.#length = length;
  }

  get length(): number {
    return this.#length;
  }

  /** The underlying array, with spare capacity behind the last value; valid until the next push. Only for reading. */
  get values(): Values {
    return this.#values;
  }

  get(ordinal: number): Values[number] {
    return this.#values[ordinal]!;
  }

  set(ordinal: number, value: Values[number]): void {
    this.#values[ordinal] = value;
    if (ordinal < this.#moved && this.#larger !== undefined) this.#larger[ordinal] = value;
  }

  /** Sets the value of an ordinal, which is at most the number of values. */
  put(ordinal: number, value: Values[number]): void {
    if (ordinal === this.#length) this.push(value);
    else this.set(ordinal, value);
  }

  push(value: Values[number]): void {
    if (this.#length === this.#values.length) this.#enlarge();
    this.set(this.#length++, value);
    if (this.#length % valuesPerStep === 0 && this.#length > largeLength) this.#prepareEnlarging();
  }

  #enlarge(): void {
    this.#larger ??= this.#createLarger();
    this.#moveTo(this.#larger, this.#length);
    this.#values = this.#larger;
    this.#larger = undefined;
    this.#moved = 0;
  }

  #createLarger(): Values {
    const { length } = this.#values;
    return this.#create(Math.max(16, Math.ceil(length * (length < largeLength ? 2 : 1.25))));
  }

  /** Moves so many values that the steps until the column is full move all of them. */
  #prepareEnlarging(): void {
    if (this.#length < this.#values.length * unmovedShare) return;
    this.#larger ??= this.#createLarger();
    const steps = Math.max(1, Math.floor((this.#values.length - this.#length) / valuesPerStep));
    this.#moveTo(this.#larger, this.#moved + Math.ceil((this.#length - this.#moved) / steps));
  }

  #moveTo(larger: Values, end: number): void {
    if (end <= this.#moved) return;
    larger.set(this.#values.subarray(this.#moved, end) as never, this.#moved);
    this.#moved = end;
  }

  /** Removes and returns the last value; undefined if there is none. */
  pop(): Values[number] | undefined {
    return this.#length === 0 ? undefined : this.#values[--this.#length];
  }

  /** Removes the first values: the one at `count` is the first one then. Moves all values behind them. */
  dropFirst(count: number): void {
    // A move in progress goes on: without it, the column would move all its values at once when it is full.
    if (count === 0) return;
    this.#values.copyWithin(0, count, this.#length);
    this.#length -= count;
    this.#larger = undefined;
    this.#moved = 0;
  }

  #create(length: number): Values {
    const Type = this.#values.constructor as new (memory: ArrayBufferLike) => Values;
    return new Type(tableMemory(length * this.#values.BYTES_PER_ELEMENT));
  }

  save(): Sections {
    return [bytesOf(this.#values.subarray(0, this.#length))];
  }

  load(reader: SectionReader): void {
    this.#length = reader.nextBytes / this.#values.BYTES_PER_ELEMENT;
    // Room for the first values after a start; unused memory takes no place.
    this.#values = this.#create(Math.ceil(this.#length / unmovedShare));
    reader.into(bytesOf(this.#values.subarray(0, this.#length) as Values));
  }
}
