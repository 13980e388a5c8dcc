/**
 * Reads of the stream: counted in small portions before the posts are used. X bills a post when it sends it, so what the buffers of
 * the connection hold when the budget ends is billed and not counted: at most some hundred kilobytes.
 */
import type { ReadBudget, Reservation } from './budget.ts';

/** The maximum number of reads of a portion. */
const maxPortion = 100;

export class CountedReads {
  readonly #budget: ReadBudget;
  #reservation: Reservation | undefined;
  #used = 0;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  /** Counts one read. Rejects with BudgetError where none is left. */
  async use(): Promise<void> {
    if (this.#reservation === undefined || this.#used === this.#reservation.count) {
      this.#reservation = undefined;
      // A twentieth: other requests find the rest.
      const portion = Math.max(1, Math.min(maxPortion, Math.ceil(this.#budget.limit / 20)));
      this.#reservation = await this.#budget.take(portion, { min: 1 });
      this.#used = 0;
    }
    this.#used++;
  }

  /** Gives back what was not used. */
  async end(): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    await reservation?.settle(this.#used);
  }
}
