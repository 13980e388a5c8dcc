/** The admission filter of a cache: it admits a value when its key is requested for the second time. */

/** Bits of a generation for each of its keys, a power of two: of the new keys, about 1 of 36 at most counts as requested before. */
const bitsPerKey = 16;

/**
 * Returns a function that reports whether a key was requested before, and records it: among the last `keys` to `2 * keys` different
 * keys, where `keys` is a power of two. The keys are hashes of 32 bits, distributed evenly. Takes `4 * keys` bytes.
 *
 * A value that is requested only once would evict values that are requested again, and would live just long enough to be
 * expensive for the garbage collector. The filter is a Bloom filter of two generations: a new one replaces the older one when the
 * newer one is full. So it never misses a second request, and seldom admits a value at the first one.
 */
export function createAdmissionFilter(keys: number): (key: number) => boolean {
  const mask = keys * bitsPerKey - 1;
  const words = (keys * bitsPerKey) / 32;
  let [newer, older] = [new Uint32Array(words), new Uint32Array(words)];
  let size = 0;
  return (key) => {
    const [first, second] = [key & mask, Math.imul(key ^ (key >>> 15), 0x9e3779b1) & mask];
    const has = (generation: Uint32Array): boolean =>
      (((generation[first >>> 5] ?? 0) >>> first) & ((generation[second >>> 5] ?? 0) >>> second) & 1) === 1;
    if (has(newer)) return true;
    const isRepeated = has(older);
    if (size === keys) {
      [newer, older] = [older.fill(0), newer];
      size = 0;
    }
    for (const bit of [first, second]) newer[bit >>> 5] = (newer[bit >>> 5] ?? 0) | (1 << (bit & 31));
    size++;
    return isRepeated;
  };
}
