/** Numbers for texts that several items refer to. The number of a text that nothing refers to is used again. */
import { Column } from './column.ts';
import type { SavedTable, SectionReader, Sections } from './saved-table.ts';
import { StringTable } from './string-table.ts';

export class ReusableNumbers implements SavedTable {
  readonly #strings = new StringTable();
  /** The texts that were read or added so far. */
  #texts: (string | undefined)[] = [];
  /** The number of references by number. */
  readonly #references = new Column(new Uint32Array(0));
  #version = 0;

  /** Changes whenever a text may have lost its number. */
  get version(): number {
    return this.#version;
  }

  /** The number of a text, with one more reference to it. The text has no lone surrogates. */
  add(text: string): number {
    const number = this.#strings.number(text);
    const isKnown = number < this.#references.length;
    this.#references.put(number, isKnown ? this.#references.get(number) + 1 : 1);
    this.#texts[number] = text;
    return number;
  }

  /** Adds one more reference to the text of a number, which something refers to. */
  addReference(number: number): void {
    this.#references.set(number, this.#references.get(number) + 1);
  }

  /** The text of a number that something refers to. */
  at(number: number): string {
    return (this.#texts[number] ??= this.#strings.text(number) ?? '');
  }

  /** Removes one reference. */
  remove(number: number): void {
    const left = this.#references.get(number) - 1;
    this.#references.set(number, left);
    if (left > 0) return;
    this.#version++;
    this.#strings.remove(number);
    this.#texts[number] = undefined;
  }

  *save(): Sections {
    yield* this.#strings.save();
    yield* this.#references.save();
  }

  load(reader: SectionReader): void {
    this.#version++;
    this.#strings.load(reader);
    this.#references.load(reader);
    this.#texts = Array.from({ length: this.#references.length });
  }
}
