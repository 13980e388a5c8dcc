/** An event log in an array: the simplest program that passes the suite of the port. */
import type { EventLog, LogEntry, NewEvent, Retention } from '../../../server/ports/event-log.ts';

/** What outlives a process, in the place of a disk. */
export interface StoredEvents {
  readonly epoch: string;
  readonly entries: LogEntry[];
}

export class MemoryEventLog implements EventLog {
  readonly retention: Retention;
  readonly failed = undefined;
  readonly #stored: StoredEvents;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();

  constructor(stored: StoredEvents, retention: Retention, now: () => number) {
    this.#stored = stored;
    this.retention = retention;
    this.#now = now;
  }

  get epoch(): string {
    return this.#stored.epoch;
  }

  get head(): number {
    return this.#stored.entries.length;
  }

  get floor(): number {
    const { entries } = this.#stored;
    const oldest = this.#now() - this.retention.ageMs;
    const retained = entries.findIndex(({ seq, at }) => at >= oldest && seq > this.head - this.retention.events);
    return retained < 0 ? this.head : retained;
  }

  async append(events: readonly NewEvent[]): Promise<number> {
    for (const event of events) this.#stored.entries.push({ ...event, seq: this.head + 1, at: this.#now() });
    const last = this.head;
    if (events.length > 0) for (const listener of this.#listeners) listener();
    return last;
  }

  async read(after: number, limit: number): Promise<readonly LogEntry[]> {
    const from = Math.max(after, this.floor);
    return this.#stored.entries.slice(from, from + limit);
  }

  onHead(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
