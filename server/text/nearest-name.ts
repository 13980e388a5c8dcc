/** Suggestions for misspelled names. */

/** The maximum length of a compared name, which bounds the work: all names in the contract are shorter. */
const maxNameLength = 100;

/**
 * The number of single-character insertions, deletions, replacements and swaps of neighbours between two strings
 * (optimal string alignment, https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance).
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}

/** The candidate nearest to a name, case-insensitive; undefined if none is near enough. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxNameLength) return undefined;
  let best: string | undefined;
  // At most about a third of the letters may differ: otherwise any two short names would be near.
  let bound = Math.floor(name.length / 3) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bound) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance >= bound) continue;
    best = candidate;
    bound = distance;
  }
  return best;
}

/** The end of an error message: `: did you mean 'x'?`, or the list of candidates. */
export function suggestion(name: string, candidates: readonly string[]): string {
  const best = nearest(name, candidates);
  if (best !== undefined) return `: did you mean '${best}'?`;
  if (candidates.length === 0) return ': there are none here';
  if (candidates.length === 1) return `: expected '${candidates[0]}'`;
  return `: expected one of ${candidates.map((candidate) => `'${candidate}'`).join(', ')}`;
}
