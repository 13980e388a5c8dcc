/** A seeded random number generator: the same seed gives the same sample on every machine. */

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One of the items, uniformly distributed. Throws an Error for an empty list. */
  pick<T>(items: readonly T[]): T;
  /** Up to `count` different items, in random order. */
  draw<T>(items: readonly T[], count: number): T[];
  /** A heavy-tailed number from 1 up (Pareto distribution): small `shape` means a heavier tail. */
  pareto(shape: number): number;
}

/** The generator is Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, which is enough for a few thousand posts. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const draw = <T>(items: readonly T[], count: number): T[] => {
    const remaining = [...items];
    return Array.from(
      { length: Math.min(count, remaining.length) },
      () => remaining.splice(integer(0, remaining.length - 1), 1)[0]!,
    );
  };
  return {
    next,
    integer,
    draw,
    chance: (probability) => next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new Error('the list is empty');
      return items[integer(0, items.length - 1)]!;
    },
    pareto: (shape) => Math.exp(-Math.log(1 - next()) / shape),
  };
}

/** Deals the items in random order, each once before any repeats, so that neighbouring posts differ. */
export class Deck<T> {
  readonly #random: Random;
  readonly #items: readonly T[];
  #remaining: T[] = [];

  constructor(random: Random, items: readonly T[]) {
    this.#random = random;
    this.#items = items;
  }

  /** The next item. Throws an Error for an empty list. */
  deal(): T {
    if (this.#remaining.length === 0) this.#remaining = this.#random.draw(this.#items, this.#items.length);
    const item = this.#remaining.pop();
    if (item === undefined) throw new Error('the list is empty');
    return item;
  }
}
