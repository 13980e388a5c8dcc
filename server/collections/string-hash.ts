/** Hashes of strings: FNV-1a over the UTF-16 units, in 32 bits. */

const prime = 0x01000193;

/** The final mix, because a hash table takes the slot from the low bits. */
function finalMix(hash: number): number {
  const multiplied = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (multiplied ^ (multiplied >>> 12)) >>> 0;
}

/** FNV-1a without the final mix, as a signed number. `start`: the hash of what precedes the text. */
export function fnv1a(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), prime);
  return hash;
}

/** The hash of a text as an unsigned number. */
export const hashText = (text: string): number => finalMix(fnv1a(text));
