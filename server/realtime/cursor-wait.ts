/** The request header X-Event-Cursor: a response that reflects all changes up to a position of the event stream. */
import { ServiceError, unavailable } from '../contract/service-error.ts';
import { headReaches, type EventLog } from '../ports/event-log.ts';
import { positionAhead } from './event-cursor.ts';

/** How long a request waits for the position, in milliseconds. */
const waitMs = 1_000;

export class CursorWait {
  readonly #log: Pick<EventLog, 'epoch' | 'head' | 'onHead'>;

  constructor(log: Pick<EventLog, 'epoch' | 'head' | 'onHead'>) {
    this.#log = log;
  }

  /**
   * Returns undefined if the position is reached, or belongs to another epoch, whose positions cannot be compared. Otherwise
   * returns a promise that resolves when the position is reached, and rejects with ServiceError 503 after one second. Throws
   * ServiceError 400 for a text that is no cursor.
   */
  reached(cursor: string): Promise<void> | undefined {
    const position = positionAhead(cursor, this.#log);
    if (position === 'malformed')
      throw new ServiceError(400, "header 'X-Event-Cursor' must be a cursor of the event stream");
    return position === undefined ? undefined : this.#wait(position);
  }

  async #wait(position: number): Promise<void> {
    if (await headReaches(this.#log, position, waitMs)) return;
    throw unavailable('this position of the event stream is not reached yet', 1);
  }
}
