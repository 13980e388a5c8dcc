/** Work that a service repeats while it runs: one run after the other, however long each takes. */
export class RepeatedTask {
  readonly #everyMs: number;
  readonly #run: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  /** `run` must not reject: what fails is tried again by the next run. The timer does not keep the process alive. */
  constructor(everyMs: number, run: () => Promise<void>) {
    this.#everyMs = everyMs;
    this.#run = run;
  }

  /** Begins with a run at once. */
  start(): void {
    const next = (): void => {
      this.#running = this.#running.then(() => this.#run());
    };
    this.#timer = setInterval(next, this.#everyMs).unref();
    next();
  }

  /** Ends the repetition. Resolves when the run in progress has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }
}
