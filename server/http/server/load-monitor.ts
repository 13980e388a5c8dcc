/**
 * Whether there is room for another request. One thread serves all: beyond what it can do, requests would wait ever longer in front of
 * it, until their callers have given up and all work is for nobody. So some are refused at once, and the others are answered in time.
 *
 * Two things bound what is taken. Requests in flight: what waits for the disk, for another service or for a slow caller. And the time for
 * which one turn of the event loop takes requests: they are begun one after the other, so the last has waited for all before it, and what
 * arrives meanwhile waits for the next turn. A single long turn is no overload (a burst, a garbage collection, a busy machine): it may
 * take two seconds. Where no turn was short for so long, the queue stands, and each turn gets a tenth of that: as in CoDel (Nichols and
 * Jacobson, "Controlling Queue Delay", 2012), a short queue is only enforced while a long one will not drain by itself.
 */
import type { EventEmitter } from 'node:events';

/** `in_flight`: too many are not answered yet. `delay`: those before it in this turn of the event loop have taken too long. */
export const overloads = ['in_flight', 'delay'] as const;
export type Overload = (typeof overloads)[number];

export interface LoadLimits {
  /** Requests that are not answered to their end yet. */
  readonly inFlight: number;
  /** Milliseconds for which one turn takes requests, and for which turns may be longer than `standingMs` before that is their bound. */
  readonly burstMs: number;
  /** Milliseconds for which each turn takes requests while they keep coming faster than they are answered. */
  readonly standingMs: number;
}

export const defaultLoadLimits: LoadLimits = { inFlight: 1_000, burstMs: 2_000, standingMs: 200 };

export interface Load {
  readonly inFlight: number;
  /** Why the request that is there cannot be taken; undefined where it can. To be asked once for each, before anything is done for it. */
  overload(): Overload | undefined;
  /** Counts a request until its answer is closed, sent or not. */
  track(answer: Pick<EventEmitter, 'once'>): void;
}

export function createLoad(limits: LoadLimits = defaultLoadLimits): Load {
  let inFlight = 0;
  let isTurn = false;
  let beganAt = 0;
  let endedAt = 0;
  /** Since when no turn was short. */
  let longSince: number | undefined;

  // Immediates run right after all that has arrived was begun: a turn is measured without a timer, and costs nothing while nobody calls.
  function endTurn(): void {
    isTurn = false;
    endedAt = performance.now();
    if (endedAt - beganAt <= limits.standingMs) longSince = undefined;
    else longSince ??= beganAt;
  }

  function beginTurn(at: number): void {
    isTurn = true;
    beganAt = at;
    // Where there was nothing to do in between, nothing waits any more.
    if (at - endedAt > limits.standingMs) longSince = undefined;
    setImmediate(endTurn);
  }

  const end = (): void => void inFlight--;

  return {
    get inFlight() {
      return inFlight;
    },

    overload() {
      const at = performance.now();
      // The first of a turn is always taken, unless too many are in flight: however slow it is, it gets on.
      if (!isTurn) beginTurn(at);
      if (inFlight >= limits.inFlight) return 'in_flight';
      const stands = longSince !== undefined && at - longSince > limits.burstMs;
      return at - beganAt > (stands ? limits.standingMs : limits.burstMs) ? 'delay' : undefined;
    },

    track(answer) {
      inFlight++;
      answer.once('close', end);
    },
  };
}
