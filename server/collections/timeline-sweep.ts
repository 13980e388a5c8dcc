/** Removes ordinals from a long timeline in steps, between which the timeline is read and changed. */
import { Timeline, type Order } from './timeline.ts';

/**
 * A copy of a timeline without what is gone. The owner of the timeline reports what it adds and removes meanwhile, and uses the copy
 * when `step` has returned true, before the next change. Until then the timeline is as it was.
 */
export class TimelineSweep {
  readonly #timeline: Timeline;
  readonly #order: Order;
  readonly #kept: Timeline;
  /** What arrived behind the reader: ordinals that are older than the last one that was read. */
  readonly #late = new Timeline();
  /** The last ordinal that was read, gone or not. */
  #last: number | undefined;

  constructor(timeline: Timeline, order: Order) {
    this.#timeline = timeline;
    this.#order = order;
    this.#kept = Timeline.withCapacity(timeline.length);
  }

  /** Reads at most `max` further ordinals, unless more have the same place in the order. Returns whether all are read. */
  step(isGone: (ordinal: number) => boolean, max: number): boolean {
    const ordinals = this.#timeline.sorted(this.#order);
    const last = this.#last;
    let at = last === undefined ? 0 : this.#timeline.upTo(this.#order, (each) => this.#order(each, last) <= 0).length;
    for (const end = at + max; at < ordinals.length; at++) {
      const ordinal = ordinals[at]!;
      // A tweet that came back has the place of the removed one: the next step begins behind both.
      if (at >= end && this.#order(ordinals[at - 1]!, ordinal) < 0) break;
      if (!isGone(ordinal)) this.#kept.push(ordinal);
      this.#last = ordinal;
    }
    return at === ordinals.length;
  }

  /** Call it for each ordinal that the timeline gets. */
  added(ordinal: number): void {
    if (this.#isRead(ordinal)) this.#late.add(ordinal, this.#order);
  }

  /** Call it for each ordinal that is removed from the timeline. */
  removed(ordinal: number): void {
    if (this.#isRead(ordinal) && !this.#late.removeOne(ordinal, this.#order))
      this.#kept.removeOne(ordinal, this.#order);
  }

  #isRead(ordinal: number): boolean {
    return this.#last !== undefined && this.#order(ordinal, this.#last) <= 0;
  }

  /** What stays of the ordinals that were read, sorted; without those that arrived late. */
  get kept(): Timeline {
    return this.#kept;
  }

  /** What stays, after the last step. Costs as much as the ordinals that arrived late. */
  result(): Timeline {
    const { ordinals } = this.#late.stored;
    for (const ordinal of ordinals) this.#kept.add(ordinal, this.#order);
    return this.#kept;
  }
}
