/** Long work in the thread that answers requests. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The duration of a slice in milliseconds. A turn of the event loop can have two slices of a work: behind a read and behind `next`. */
const sliceMs = 0.5;

/** A slice of work: after it, the thread does what waits, such as requests. Begins with its creation. */
export class TimeSlice {
  #began = performance.now();

  /** Whether the work has lasted long enough. */
  get isOver(): boolean {
    return performance.now() - this.#began >= sliceMs;
  }

  /** Lets the thread do what waits, and begins the next slice. */
  async next(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}
