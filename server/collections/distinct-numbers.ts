/** Collects numbers, each once, in the order of their first occurrence. Cheaper than a Set of JavaScript for many small sets. */

const minSlots = 256;
const free = 0;

export class DistinctNumbers {
  /** Open addressing with linear probing. */
  #slots = new Uint32Array(minSlots);
  #shift = 32 - Math.log2(minSlots);
  #numbers: number[] = [];

  /** Adds a number from 1 to 2^32 - 1, if it is not there yet. */
  add(number: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = Math.imul(number, 0x9e3779b1) >>> this.#shift;
    for (let other = slots[slot]!; other !== free; other = slots[slot]!) {
      if (other === number) return;
      slot = (slot + 1) & mask;
    }
    slots[slot] = number;
    this.#numbers.push(number);
    if (this.#numbers.length * 2 > slots.length) this.#resize(slots.length * 2);
  }

  /** The numbers since the last `clear`. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /** Starts a new collection. The array of the one before stays as it is. */
  clear(): void {
    this.#numbers = [];
    if (this.#slots.length > minSlots) this.#resize(minSlots);
    else this.#slots.fill(free);
  }

  #resize(length: number): void {
    const numbers = this.#numbers;
    this.#slots = new Uint32Array(length);
    this.#shift = 32 - Math.log2(length);
    this.#numbers = [];
    for (const number of numbers) this.add(number);
  }
}
