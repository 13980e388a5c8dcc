/** The admission filter of the response cache: it admits a response at the second request of its target. */

/** Number of slots in the hash table. A new hash overwrites the old one in its slot. Must be a power of two. */
const slots = 16_384;

/** FNV-1a, 32 bits. It only has to distribute the keys evenly. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/**
 * Returns a function that reports whether a target was requested before, and records it. A slot that another target has
 * overwritten counts as not requested. A target that is requested only once would evict targets that are requested
 * again, and would live just long enough to be expensive for the garbage collector, so the filter stores hashes and no
 * strings. A hash collision is harmless: the cache admits one response too early.
 */
export function createAdmissionFilter(): (target: string) => boolean {
  const hashes = new Uint32Array(slots);
  return (target) => {
    const hash = hashOf(target);
    const slot = hash & (slots - 1);
    const isRepeated = hashes[slot] === hash;
    hashes[slot] = hash;
    return isRepeated;
  };
}
