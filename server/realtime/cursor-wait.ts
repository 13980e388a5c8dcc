/** The request header X-Event-Cursor: a response that reflects all changes up to a position of the event stream. */
import { ServiceError, unavailable } from '../contract/service-error.ts';
import type { EventLog } from '../ports/event-log.ts';

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
    const [, epoch, seq] = /^([\w-]{1,32})\.(\d{1,15})$/.exec(cursor) ?? [];
    if (epoch === undefined)
      throw new ServiceError(400, "the header 'X-Event-Cursor' is not a cursor of the event stream");
    if (epoch !== this.#log.epoch || Number(seq) <= this.#log.head) return undefined;
    return this.#wait(Number(seq));
  }

  async #wait(seq: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => reject(unavailable('this position of the event stream is not reached yet', 1)),
      waitMs,
    );
    const stop = this.#log.onHead(() => {
      if (this.#log.head >= seq) resolve();
    });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }
}
