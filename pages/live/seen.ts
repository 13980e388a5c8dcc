/** Remembers which events were shown, by `event_id`: at most `max` ids, of which it forgets the oldest first. */
export class DuplicateFilter {
  readonly #seen = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether an event was shown already. Records it. */
  isDuplicate(eventId: string): boolean {
    if (this.#seen.has(eventId)) return true;
    this.#seen.add(eventId);
    const [oldest] = this.#seen;
    if (this.#seen.size > this.#max && oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }

  forget(eventId: string): void {
    this.#seen.delete(eventId);
  }
}
