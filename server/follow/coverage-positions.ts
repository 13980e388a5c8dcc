/** The positions that hold the coverage of lists: see fill/coverage.ts. A service that fetches nothing loads this module only. */

/** How the names of these positions begin. */
export const coveragePrefix = 'fill ';

/** Whether a position holds the coverage of a list, on which responses depend. */
export const isCoverage = (position: string): boolean => position.startsWith(coveragePrefix);
