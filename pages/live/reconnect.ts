/** Decides by the close code whether and when to reconnect. */

/**
 * Exponential backoff with full jitter, in milliseconds, so that many clients that lost a server do not reconnect at
 * the same time.
 */
const [initialMs, maxMs] = [250, 30_000];
const minBackOffMs = 1_000;

/** Codes of RFC 6455 §7.4.1 for errors of this client that would repeat. */
const finalCodes = new Set([1002, 1003, 1007, 1008, 1009, 1010]);

export interface Closed {
  readonly code: number;
  /** Number of failed connections since the last successful one. */
  readonly failures: number;
  /** The delay that the server requested in `going_away`, in milliseconds. */
  readonly goingAwayMs: number | undefined;
}

/**
 * Returns the delay before the next connection in milliseconds; undefined if an unchanged retry would fail. The
 * codes 4000–4099 are final, 4100–4199 require at least one second, and 4200–4299 no delay except that of `going_away`.
 * `random` returns numbers in [0, 1).
 */
export function reconnectAfter({ code, failures, goingAwayMs }: Closed, random: () => number): number | undefined {
  if ((code >= 4000 && code < 4100) || finalCodes.has(code)) return undefined;
  if (goingAwayMs !== undefined) return goingAwayMs;
  if (code >= 4200 && code < 4300 && failures === 0) return 0;
  const backOff = Math.floor(random() * Math.min(maxMs, initialMs * 2 ** Math.min(failures, 20)));
  return code >= 4100 && code < 4200 ? minBackOffMs + backOff : backOff;
}
