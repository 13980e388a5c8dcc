/** By ordinal, the numbers of the terms of a tweet that depend on another tweet. Most tweets have at most one. */
import { Column } from '../../collections/column.ts';
import { LargeMap } from '../../collections/large-map.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';

/** Numbers of terms are larger than 0: see `firstToken`. */
const none = 0;
const several = 2 ** 32 - 1;
const noTerms: readonly number[] = [];

export class RelatedTerms implements SavedTable {
  readonly #only = new Column(new Uint32Array(0));
  readonly #several = new LargeMap<number, readonly number[]>();

  get(ordinal: number): readonly number[] {
    const only = ordinal < this.#only.length ? this.#only.get(ordinal) : none;
    if (only === none) return noTerms;
    return only === several ? (this.#several.get(ordinal) ?? noTerms) : [only];
  }

  set(ordinal: number, terms: readonly number[]): void {
    while (this.#only.length <= ordinal) this.#only.push(none);
    if (this.#only.get(ordinal) === several) this.#several.delete(ordinal);
    const [first = none, second] = terms;
    this.#only.set(ordinal, second === undefined ? first : several);
    if (second !== undefined) this.#several.set(ordinal, terms);
  }

  *save(): Sections {
    yield* this.#only.save();
    yield* saveValues(this.#several);
  }

  load(reader: SectionReader): void {
    this.#only.load(reader);
    for (const [ordinal, terms] of readValues<[number, number[]]>(reader)) this.#several.set(ordinal, terms);
  }
}
