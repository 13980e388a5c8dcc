/** Time limits that pass when a test says so: no result depends on which of two things is faster. */
import { jest } from '@jest/globals';

/** A duration that no other timer has, in milliseconds. */
export const heldMs = 7_654_321;

export interface HeldTimers {
  /** Lets the newest held timer end now. */
  end(): void;
}

/** Holds all timers of a duration, until `jest.restoreAllMocks`. */
export function holdTimers(held = heldMs): HeldTimers {
  const real = globalThis.setTimeout;
  let end = (): void => {};
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: (...values: unknown[]) => void, ms?: number) => {
    if (ms === held) end = run;
    return ms === held ? real(() => {}, 0) : real(run, ms);
  }) as typeof setTimeout);
  return { end: () => end() };
}
