/** The prepared events that connections share. Connections that replay at the same time mostly read the same events. */
import type { DeletedIds, TweetDataHolder } from './deletions.ts';
import type { StreamEvent } from './stream-event.ts';

const maxEvents = 2048;

export class PreparedEvents implements TweetDataHolder {
  readonly #slots = new Array<StreamEvent | undefined>(maxEvents);
  #isEmpty = true;

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  get(seq: number): StreamEvent | undefined {
    const event = this.#slots[seq % maxEvents];
    return event?.seq === seq ? event : undefined;
  }

  /** Adds an event in place of an older one. */
  add(event: StreamEvent): void {
    this.#slots[event.seq % maxEvents] = event;
    this.#isEmpty = false;
  }

  drop(deleted: DeletedIds): void {
    for (const [place, event] of this.#slots.entries())
      if (event?.holdsTextOf(deleted) === true) this.#slots[place] = undefined;
  }
}
