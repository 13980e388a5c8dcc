/** Which targets are asked for more than once: only their answers are worth keeping. */

/** Places for what was asked for; who falls on the place of another takes it. A power of two. */
const places = 16_384;

/** FNV-1a, 32 bits: it only has to scatter. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Tells whether a target was asked for before, and remembers it, unless others took its place since. What is asked for once only would
 * drive out what is asked for again, and would live just long enough to be expensive to the garbage collector: so hashes are remembered
 * and no texts. Two targets of one hash do no harm: one of them is kept too early.
 */
export function createAdmissionFilter(): (target: string) => boolean {
  const hashes = new Uint32Array(places);
  return (target) => {
    const hash = hashOf(target);
    const place = hash & (places - 1);
    const isKnown = hashes[place] === hash;
    hashes[place] = hash;
    return isKnown;
  };
}
