/** Numbers for texts that several items refer to. The number of a text that nothing refers to is used again. */
import { Column } from './column.ts';
import { LargeMap } from './large-map.ts';

export class ReusableNumbers {
  readonly #numbers = new LargeMap<string, number>();
  readonly #texts: string[] = [];
  /** The number of references by number. */
  readonly #references = new Column(new Uint32Array(0));
  readonly #free: number[] = [];

  /** The number of a text, with one more reference to it. */
  add(text: string): number {
    const existing = this.#numbers.get(text);
    if (existing !== undefined) {
      this.#references.set(existing, this.#references.get(existing) + 1);
      return existing;
    }
    const number = this.#free.pop() ?? this.#texts.length;
    this.#texts[number] = text;
    this.#references.put(number, 1);
    this.#numbers.set(text, number);
    return number;
  }

  /** The text of a number that something refers to. */
  at(number: number): string {
    return this.#texts[number] ?? '';
  }

  /** Removes one reference. */
  remove(number: number): void {
    const left = this.#references.get(number) - 1;
    this.#references.set(number, left);
    if (left > 0) return;
    this.#numbers.delete(this.at(number));
    this.#texts[number] = '';
    this.#free.push(number);
  }
}
