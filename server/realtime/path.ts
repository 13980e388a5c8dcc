/** Where the event stream is. */

export const path = '/ws';

/** Whether a target has a query that says something: `?` alone, and `&` without anything, say nothing. */
export const hasParameters = (target: string): boolean => /\?.*[^&]/s.test(target);
