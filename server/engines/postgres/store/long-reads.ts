/** Bounds how many reads run at once that may read much, such as searches: they would take all connections from what ends soon. */
import { maxSearchMs, maxWaitingSearches } from '../../../archive/search/archive-search.ts';
import { StoreError } from '../../../ports/storage.ts';

export class LongReads {
  readonly #most: number;
  #running = 0;
  readonly #waiting = new Set<() => void>();

  /** `most`: the reads at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Does a read in its turn. Rejects as it does, and with StoreError where too many wait or it has waited too long. */
  async run<Result>(read: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#most) await this.#turn();
    else this.#running++;
    try {
      return await read();
    } finally {
      const [next] = this.#waiting;
      // The place passes on to the next one.
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.size >= maxWaitingSearches) throw new StoreError('too many searches wait for their turn');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = (): void => {
      this.#waiting.delete(begin);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(begin);
      reject(new StoreError('a search has waited too long for its turn'));
    }, maxSearchMs);
    this.#waiting.add(begin);
    return promise;
  }
}
