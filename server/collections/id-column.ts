/** Texts by number, nearly all of them decimal ids: a column with an index. The number of a removed text is used again. */
import { Column } from './column.ts';
import { IdIndex } from './id-index.ts';
import { readValues, saveValues, type SavedTable, type SectionReader, type Sections } from './saved-table.ts';

export class IdColumn implements SavedTable {
  readonly #ids = new Column(new BigUint64Array(0));
  readonly #index = new IdIndex(this.#ids);
  /** By number, the texts that are no decimal ids, such as `007`. */
  readonly #others = new Map<number, string>();
  readonly #free = new Column(new Uint32Array(0));

  get size(): number {
    return this.#index.size;
  }

  /** The number of a text. */
  get(text: string): number | undefined {
    return this.#index.get(text);
  }

  /** The text of a number. */
  text(number: number): string {
    return this.#others.get(number) ?? String(this.#ids.get(number));
  }

  /** Adds a text that the column does not have, and returns its number. */
  add(text: string): number {
    const number = this.#free.pop() ?? this.#ids.length;
    const isId = IdIndex.isId(text);
    this.#ids.put(number, isId ? BigInt(text) : 0n);
    if (!isId) this.#others.set(number, text);
    this.#index.add(text, number);
    return number;
  }

  /** Removes a text, if the column has it. */
  delete(text: string): void {
    const number = this.#index.get(text);
    if (number === undefined) return;
    this.#index.delete(text);
    this.#others.delete(number);
    this.#free.push(number);
  }

  *save(): Sections {
    yield* this.#ids.save();
    yield* this.#index.save();
    yield* saveValues(this.#others);
    yield* this.#free.save();
  }

  load(reader: SectionReader): void {
    this.#ids.load(reader);
    this.#index.load(reader);
    for (const [number, text] of readValues<[number, string]>(reader)) this.#others.set(number, text);
    this.#free.load(reader);
  }
}
