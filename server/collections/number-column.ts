/**
 * A growable column of numbers outside the JavaScript heap: four bytes each while all are whole numbers below 2^32, and eight from
 * the first other one on.
 */
import { Column } from './column.ts';
import { jsonSection, readJson, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';

export class NumberColumn implements SavedTable {
  #narrow = new Column(new Uint32Array(0));
  #wide: Column<Float64Array> | undefined;

  get length(): number {
    return (this.#wide ?? this.#narrow).length;
  }

  get(ordinal: number): number {
    return this.#wide === undefined ? this.#narrow.get(ordinal) : this.#wide.get(ordinal);
  }

  /** Sets the value of an ordinal, which is at most the number of values. */
  put(ordinal: number, value: number): void {
    if (this.#wide === undefined && value >>> 0 === value) this.#narrow.put(ordinal, value);
    else (this.#wide ??= this.#widened()).put(ordinal, value);
  }

  #widened(): Column<Float64Array> {
    const wide = new Column(new Float64Array(0));
    for (let ordinal = 0; ordinal < this.#narrow.length; ordinal++) wide.push(this.#narrow.get(ordinal));
    this.#narrow = new Column(new Uint32Array(0));
    return wide;
  }

  *save(): Sections {
    yield jsonSection(this.#wide !== undefined);
    yield* (this.#wide ?? this.#narrow).save();
  }

  load(reader: SectionReader): void {
    this.#wide = readJson<boolean>(reader) ? new Column(new Float64Array(0)) : undefined;
    (this.#wide ?? this.#narrow).load(reader);
  }
}
