/** The prepared events that connections share. Connections that replay at the same time mostly read the same events. */
import type { DeletedIds, TweetDataHolder } from '../ports/tweet-data-holder.ts';
import type { StreamEvent } from './stream-event.ts';

export class PreparedEvents implements TweetDataHolder {
  readonly #slots: (StreamEvent | undefined)[];
  #isEmpty = true;

  /**
   * `maxEvents`: few, such as those of one read of the log. Events that live longer outlive two young collections of the heap, and
   * their garbage then costs more than it costs to prepare an event again.
   */
  constructor(maxEvents: number) {
    this.#slots = new Array<StreamEvent | undefined>(maxEvents);
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  get(seq: number): StreamEvent | undefined {
    const event = this.#slots[seq % this.#slots.length];
    return event?.seq === seq ? event : undefined;
  }

  /** Adds an event in place of an older one. */
  add(event: StreamEvent): void {
    this.#slots[event.seq % this.#slots.length] = event;
    this.#isEmpty = false;
  }

  drop(deleted: DeletedIds): void {
    for (const [place, event] of this.#slots.entries())
      if (event?.holdsTextOf(deleted) === true) this.#slots[place] = undefined;
  }
}
