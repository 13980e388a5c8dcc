/** The path of the event stream. */

export const path = '/ws';

/** Whether a request target has query parameters; `?` and `&` without a parameter do not count. */
export const hasParameters = (target: string): boolean => /\?.*[^&]/s.test(target);
