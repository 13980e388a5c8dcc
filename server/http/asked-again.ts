/** Which targets are asked for more than once: only their answers are worth keeping. */

/** Targets that are remembered at least; at most twice as many. */
const remembered = 8192;
/** Characters of a target that is remembered, at most: with the number above, a bound of the memory. */
const longest = 1024;

/**
 * Tells whether a target was asked for before, and remembers it. What is asked for once only would drive out what is asked for again, and
 * would live just long enough to be expensive to the garbage collector. Very long targets never count as asked for before.
 */
export function createAskedAgain(): (target: string) => boolean {
  let newer = new Set<string>();
  let older = new Set<string>();
  return (target) => {
    if (target.length > longest) return false;
    if (newer.has(target)) return true;
    const isKnown = older.has(target);
    newer.add(target);
    if (newer.size === remembered) {
      older = newer;
      newer = new Set();
    }
    return isKnown;
  };
}
