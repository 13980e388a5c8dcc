/** A generator that gives the same numbers each time, each below what it is asked for: xorshift32 (Marsaglia, 2003). The seed is not 0. */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
