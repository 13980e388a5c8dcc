/** The clock by which the event stream measures its time limits. */
import { jest } from '@jest/globals';

/**
 * Stops `performance.now` and the timers that repeat, until `jest.useRealTimers`; `jest.advanceTimersByTime` moves them. Other timers
 * and the date go on.
 */
export function stopClock(): void {
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
    ],
  });
}
