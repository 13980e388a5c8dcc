/** A growable column of counts, 0 or more, of which some are unknown. A count takes four bytes. */
import { Column } from './column.ts';
import { readValues, saveValues, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';

const unknown = 2 ** 32 - 1;
/** The count is in the map of the few that need more than four bytes, or that are no whole numbers. */
const elsewhere = 2 ** 32 - 2;

export class CountColumn implements SavedTable {
  readonly #values = new Column(new Uint32Array(0));
  readonly #others = new Map<number, number>();

  /** The count with this ordinal; NaN for an unknown one. */
  get(ordinal: number): number {
    const value = this.#values.get(ordinal);
    if (value < elsewhere) return value;
    return value === unknown ? Number.NaN : this.#others.get(ordinal)!;
  }

  /** Sets the count of an ordinal, which is at most the number of counts; `undefined` for an unknown one. */
  put(ordinal: number, count: number | undefined): void {
    this.#values.put(ordinal, 0);
    this.set(ordinal, count);
  }

  set(ordinal: number, count: number | undefined): void {
    const fits = count !== undefined && count >>> 0 === count && count < elsewhere;
    this.#values.set(ordinal, fits ? count : count === undefined ? unknown : elsewhere);
    if (count !== undefined && !fits) this.#others.set(ordinal, count);
    else if (this.#others.size > 0) this.#others.delete(ordinal);
  }

  *save(): Sections {
    yield* this.#values.save();
    yield* saveValues(this.#others);
  }

  load(reader: SectionReader): void {
    this.#values.load(reader);
    for (const [ordinal, count] of readValues<[number, number]>(reader)) this.#others.set(ordinal, count);
  }
}
