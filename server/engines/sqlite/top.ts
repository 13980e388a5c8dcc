/**
 * The order of the table `top`: tweets with the most engagement, by level. A doubling of the engagement has 64 levels, and a rank is the
 * number of the level and a number within it, so that a search reads `top_word` from the highest level down and sorts one level exactly.
 */

const levelsOfDoubling = 64;
const slotsOfLevel = 2 ** 32;

/** The number of the level of an engagement: a higher engagement has the same level or a higher one. */
export function levelOf(engagement: number): number {
  if (engagement < 1) return 0;
  let octave = Math.floor(Math.log2(engagement));
  // The logarithm of a large number can be that of the next power of two.
  if (2 ** octave > engagement) octave--;
  return 1 + octave * levelsOfDoubling + Math.floor((engagement / 2 ** octave - 1) * levelsOfDoubling);
}

export const levelOfRank = (rank: number): number => Math.floor(rank / slotsOfLevel);
/** The first and the last rank of a level. */
export const startOfLevel = (level: number): number => level * slotsOfLevel;
export const endOfLevel = (level: number): number => startOfLevel(level + 1) - 1;
