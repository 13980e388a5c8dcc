/**
 * The hash of a string whose UTF-16 units are in a range of an array, as an unsigned number of 32 bits: FNV-1a, and a final mix, because
 * a hash table takes the slot from the low bits. `seed`: a random start, so that nobody can choose strings that collide.
 */
export function hashUnits(units: Uint16Array, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ units[index]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
