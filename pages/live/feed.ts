/**
 * The list of cards, newest first. It holds a limited number of them, also of those that wait while it is paused or hidden. It
 * changes once in an animation frame, so that the cost is bounded at any rate of events.
 */
import type { VNode } from '../kit/index.ts';

/** The maximum number of cards. More would make the page slow. */
export const maxCards = 300;

export interface Card {
  readonly id: number;
  /** Made once: a list that is drawn again leaves it as it is. */
  readonly view: VNode;
}

export class Feed {
  readonly #changed: () => void;
  /** Cards that are not shown yet, newest last. */
  #waiting: Card[] = [];
  #made = 0;
  #isDrawing = false;
  cards: readonly Card[] = [];
  /** Number of events since the feed was cleared. */
  total = 0;
  /** Number of events that came while it was paused. */
  missed = 0;
  isPaused = false;

  /** `changed` is called when the feed must be drawn again. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Adds an event at the top. */
  addEvent(view: VNode): void {
    this.total++;
    if (this.isPaused) this.missed++;
    this.addNotice(view);
  }

  /** Adds a notice at the top; it does not count as an event. */
  addNotice(view: VNode): void {
    this.#waiting.push({ id: this.#made++, view });
    if (this.#waiting.length > maxCards) this.#waiting.shift();
    this.#schedule();
  }

  /** Removes all cards; later events are shown, or wait, as before. */
  clear(): void {
    this.#waiting = [];
    this.cards = [];
    this.total = this.missed = 0;
    this.#changed();
  }

  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused;
    this.#changed();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      if (!this.isPaused) {
        this.cards = [...this.#waiting.toReversed(), ...this.cards].slice(0, maxCards);
        this.#waiting = [];
        this.missed = 0;
      }
      this.#changed();
    });
  }
}
