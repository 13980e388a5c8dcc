/** Runs the commands of one connection one at a time, in order. A command that needs no waiting runs at once. */

export class CommandQueue<Command> {
  readonly #run: (command: Command) => void | Promise<void>;
  readonly #onError: (error: unknown, command: Command) => void;
  readonly #waiting: Command[] = [];
  #isRunning = false;

  /** `run` executes a command; `onError` receives its errors and must not throw. */
  constructor(run: (command: Command) => void | Promise<void>, onError: (error: unknown, command: Command) => void) {
    this.#run = run;
    this.#onError = onError;
  }

  /** How many commands wait for the running one. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(command: Command): void {
    this.#waiting.push(command);
    if (!this.#isRunning) this.#runNext();
  }

  /** Drops the waiting commands. */
  clear(): void {
    this.#waiting.length = 0;
  }

  #runNext(): void {
    for (let command = this.#waiting.shift(); command !== undefined; command = this.#waiting.shift()) {
      const started = this.#start(command);
      if (started === undefined) continue;
      this.#isRunning = true;
      void started.finally(() => {
        this.#isRunning = false;
        this.#runNext();
      });
      return;
    }
  }

  /** Starts a command. Returns the promise of its end, which never rejects, if it has to wait. */
  #start(command: Command): Promise<void> | undefined {
    try {
      const result = this.#run(command);
      return result?.catch((error: unknown) => this.#onError(error, command));
    } catch (error) {
      this.#onError(error, command);
      return undefined;
    }
  }
}
