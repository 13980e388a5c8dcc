/** Detects queries whose result depends on the current time. */

/**
 * Whether the results of a query can change without a change of the data. Only `within_time:` causes that. A text that
 * only contains the word also returns true; the only cost is a response that is not cached.
 */
export const dependsOnClock = (query: string): boolean => /within_time/i.test(query);
