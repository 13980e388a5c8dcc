/** The admission filter of a cache: it admits a value when its key is requested for the second time. */

/**
 * Returns a function that reports whether a key was requested before, and records it. The keys are integers, such as ordinals, or
 * hashes of 32 bits, distributed evenly.
 *
 * A value that is requested only once would evict values that are requested again, and would live just long enough to be
 * expensive for the garbage collector. A key counts as not requested after another one has overwritten it in its slot, so the
 * number of slots, a power of two, limits how long ago the first request may be. Where two keys are equal in 32 bits, the
 * cache admits one value too early.
 */
export function createAdmissionFilter(slots: number): (key: number) => boolean {
  const keys = new Uint32Array(slots);
  return (key) => {
    const slot = key & (slots - 1);
    const isRepeated = keys[slot] === key >>> 0;
    keys[slot] = key;
    return isRepeated;
  };
}
