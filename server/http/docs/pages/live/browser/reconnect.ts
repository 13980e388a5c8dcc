/** Whether and when to connect again, by the code that a connection was closed with. */

/** Full jitter: a random share of a bound that doubles, so that many who lost a server do not come back at once. */
const [firstMs, mostMs] = [250, 30_000];
const leastBackOffMs = 1_000;

/** Codes of RFC 6455 §7.4.1 that say this client did something that would fail again. */
const faults = new Set([1002, 1003, 1007, 1008, 1009, 1010]);

export interface Closed {
  readonly code: number;
  /** Connections that have failed since the last one that worked. */
  readonly failures: number;
  /** What the server said before it went away. */
  readonly goingAwayMs: number | undefined;
}

/**
 * Milliseconds to wait before the next connection; undefined where it makes no sense to connect again unchanged. 4000–4099 end it,
 * 4100–4199 ask for a second at least, 4200–4299 for none but what `going_away` said. `random` gives numbers in [0, 1).
 */
export function reconnectAfter({ code, failures, goingAwayMs }: Closed, random: () => number): number | undefined {
  if ((code >= 4000 && code < 4100) || faults.has(code)) return undefined;
  if (goingAwayMs !== undefined) return goingAwayMs;
  if (code >= 4200 && code < 4300 && failures === 0) return 0;
  const backOff = Math.floor(random() * Math.min(mostMs, firstMs * 2 ** Math.min(failures, 20)));
  return code >= 4100 && code < 4200 ? leastBackOffMs + backOff : backOff;
}
