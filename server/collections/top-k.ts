/** The k best of many items, sorted; it discards all other items at once. */
export class TopK<Item> {
  readonly items: Item[] = [];
  readonly #limit: number;
  readonly #compare: (a: Item, b: Item) => number;

  /** `limit` is k. `compare` is negative if the first item is better. */
  constructor(limit: number, compare: (a: Item, b: Item) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** The item that the next better one replaces; undefined while there are fewer than k items. */
  get worst(): Item | undefined {
    return this.items.length < this.#limit ? undefined : this.items.at(-1);
  }

  add(item: Item): void {
    const { worst, items } = this;
    if (worst !== undefined && this.#compare(item, worst) >= 0) return;
    let index = items.length;
    while (index > 0 && this.#compare(item, items[index - 1]!) < 0) index--;
    items.splice(index, 0, item);
    if (items.length > this.#limit) items.pop();
  }
}
