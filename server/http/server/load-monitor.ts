/**
 * Decides whether the server can accept another request. One thread processes all requests: beyond its capacity,
 * requests would wait longer and longer, until their callers have given up and all work is wasted. So the server
 * rejects some requests immediately, and responds to the others in time.
 *
 * Two limits apply. The first is the number of requests in flight: requests that wait for the disk, for another service
 * or for a slow caller. The second is the time for which one turn of the event loop accepts requests: the turn starts
 * them one after the other, so the last one has waited for all others, and requests that arrive meanwhile wait for the
 * next turn. A single long turn is no overload (a burst, a garbage collection, a busy machine): it may take two
 * seconds. If no turn was short for two seconds, there is a standing queue, and each turn gets a tenth of that time.
 * CoDel works in the same way (Nichols and Jacobson, "Controlling Queue Delay", 2012): it enforces a short queue only
 * while a long queue does not drain by itself.
 */
import type { EventEmitter } from 'node:events';

/**
 * `in_flight`: too many requests are in flight. `delay`: this turn of the event loop has accepted requests for too
 * long.
 */
export const overloads = ['in_flight', 'delay'] as const;
export type Overload = (typeof overloads)[number];

export interface LoadLimits {
  /** Maximum number of requests without a complete response. */
  readonly inFlight: number;
  /**
   * Milliseconds for which one turn accepts requests; and the time after which turns longer than `standingMs` count as
   * a standing queue.
   */
  readonly burstMs: number;
  /** Milliseconds for which each turn accepts requests while there is a standing queue. */
  readonly standingMs: number;
}

export const defaultLoadLimits: LoadLimits = { inFlight: 1_000, burstMs: 2_000, standingMs: 200 };

export interface Load {
  readonly inFlight: number;
  /**
   * Why the server cannot accept the current request; undefined if it can. Call it once for each request, before any
   * other work.
   */
  overload(): Overload | undefined;
  /** Counts a request as in flight until its response is closed, whether it was sent or not. */
  track(response: Pick<EventEmitter, 'once'>): void;
}

export function createLoad(limits: LoadLimits = defaultLoadLimits): Load {
  let inFlight = 0;
  let isTurn = false;
  let turnStartedAt = 0;
  let turnEndedAt = 0;
  /** Start of the first turn since the last short one, as `performance.now()`. */
  let longSince: number | undefined;

  // Immediates run after all requests that have arrived were started. So the end of a turn needs no timer, and an idle
  // server does no work.
  function endTurn(): void {
    isTurn = false;
    turnEndedAt = performance.now();
    if (turnEndedAt - turnStartedAt <= limits.standingMs) longSince = undefined;
    else longSince ??= turnStartedAt;
  }

  function beginTurn(now: number): void {
    isTurn = true;
    turnStartedAt = now;
    // After an idle period no request waits any more.
    if (now - turnEndedAt > limits.standingMs) longSince = undefined;
    setImmediate(endTurn);
  }

  const onClose = (): void => void inFlight--;

  return {
    get inFlight() {
      return inFlight;
    },

    overload() {
      const now = performance.now();
      // The first request of a turn is accepted unless too many are in flight, so that a slow server makes progress.
      if (!isTurn) beginTurn(now);
      if (inFlight >= limits.inFlight) return 'in_flight';
      const isStanding = longSince !== undefined && now - longSince > limits.burstMs;
      return now - turnStartedAt > (isStanding ? limits.standingMs : limits.burstMs) ? 'delay' : undefined;
    },

    track(response) {
      inFlight++;
      response.once('close', onClose);
    },
  };
}
