/** Passes items from several producers to one consumer: a producer waits while an item is not taken (backpressure). */

export class Channel<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  #end: { readonly error: unknown } | undefined;
  #wake = (): void => {};
  #hasRoom = Promise.withResolvers<void>();

  /** Resolves when the consumer has taken the item and asks for the next one, or when the channel has ended. */
  async push(item: Item): Promise<void> {
    while (this.#items.length > 0 && this.#end === undefined) await this.#hasRoom.promise;
    if (this.#end !== undefined) return;
    this.#items.push(item);
    this.#wake();
    while (this.#items.includes(item) && this.#end === undefined) await this.#hasRoom.promise;
  }

  /** Ends the iteration, after the item that waits; `error`: it throws this. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake();
    this.#moved();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        yield item;
        this.#moved();
      } else if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
      }
    }
  }

  #moved(): void {
    const { resolve } = this.#hasRoom;
    this.#hasRoom = Promise.withResolvers<void>();
    resolve();
  }
}
