/** Random choices that are the same every time: a small pseudo-random generator (mulberry32) and what is drawn from it. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `most`. */
  below(most: number): number;
  chance(probability: number): boolean;
  pick<Thing>(things: readonly Thing[]): Thing;
  /** Some of the things, none twice. */
  some<Thing>(things: readonly Thing[], count: number): Thing[];
  /** Heavy-tailed counts: most are small, few are very large; about `scale` in the middle. */
  heavy(scale: number): number;
}

export function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (things) => things[below(things.length)]!,
    some(things, count) {
      const left = [...things];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)[0]!);
    },
    heavy: (scale) => Math.floor(scale * (1 / (1 - next() * 0.999) ** 0.7 - 0.6)),
  };
}
