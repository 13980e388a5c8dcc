/** The results of a thread, in the order in which it sends them. */
import type { Worker } from 'node:worker_threads';

export class ThreadResults<Result> {
  readonly #results: Result[] = [];
  #arrived = Promise.withResolvers<void>();
  #failure: unknown;

  /** `task` says what the thread does, for the error if it ends: `reads the input`. */
  constructor(worker: Worker, task: string) {
    worker.on('error', (error) => this.fail(error));
    worker.on('exit', () => this.fail(new Error(`the thread that ${task} has ended`)));
  }

  add(result: Result): void {
    this.#results.push(result);
    this.#arrived.resolve();
  }

  /** Ends the results with an error, the first one if there are several. */
  fail(error: unknown): void {
    this.#failure ??= error;
    this.#arrived.resolve();
  }

  /** The next result if it has arrived; otherwise undefined. */
  take(): Result | undefined {
    return this.#results.shift();
  }

  /** The next result. Rejects if the thread has failed and all its results are taken. */
  async next(): Promise<Result> {
    for (;;) {
      const result = this.take();
      if (result !== undefined) return result;
      if (this.#failure !== undefined) throw this.#failure;
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
    }
  }
}
