/** Counts the work of functions on texts, for tests of how it grows: a count is the same on every machine. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Counts in a separate thread. There the methods of strings and regular expressions are replaced; in the thread of the
 * tests, V8 would from then on take several times as long for all regular expressions.
 */
export class CharacterCounter {
  readonly #thread: Worker;

  /** @param module The address of a module whose exported functions can be counted. */
  constructor(module: URL) {
    this.#thread = new Worker(new URL('counting-thread.ts', import.meta.url), { workerData: module.href });
  }

  /**
   * The characters that the methods of strings and regular expressions handle until the function with this name has ended,
   * an upper bound for what they look at. It shows how often a text is read again, not how often an expression goes back
   * in it. Rejects with what the function throws.
   */
  async count(name: string, ...args: readonly unknown[]): Promise<number> {
    this.#thread.postMessage({ name, args });
    const [counted] = (await once(this.#thread, 'message')) as [number | undefined];
    if (counted === undefined) throw new Error(`the module has no function ${name}`);
    return counted;
  }

  async end(): Promise<void> {
    await this.#thread.terminate();
  }
}
