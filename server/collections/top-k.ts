/** The best few of many, sorted; the rest is let go at once. */
export class TopK<Item> {
  readonly items: Item[] = [];
  readonly #most: number;
  readonly #compare: (a: Item, b: Item) => number;

  /** `compare` is negative where the first is the better one. */
  constructor(most: number, compare: (a: Item, b: Item) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  /** The one that falls out next; undefined while there is room. */
  get worst(): Item | undefined {
    return this.items.length < this.#most ? undefined : this.items.at(-1);
  }

  add(item: Item): void {
    const { worst, items } = this;
    if (worst !== undefined && this.#compare(item, worst) >= 0) return;
    let place = items.length;
    while (place > 0 && this.#compare(item, items[place - 1]!) < 0) place--;
    items.splice(place, 0, item);
    if (items.length > this.#most) items.pop();
  }
}
