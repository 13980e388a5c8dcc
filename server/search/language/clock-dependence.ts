/** Which queries read the clock. */

/**
 * Whether tweets may stop answering a query by time alone. Only `within_time:` makes them; a text that merely holds the word counts too,
 * which costs no more than an answer that is made anew.
 */
export const dependsOnClock = (query: string): boolean => /within_time/i.test(query);
