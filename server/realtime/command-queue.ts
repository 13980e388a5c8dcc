/** Runs the commands of one connection one at a time, in order. A command that needs no waiting runs at once. */

/** Executes the commands of a queue. */
export interface CommandRunner<Command> {
  execute(command: Command): void | Promise<void>;
  /** Gets the error of a command; must not throw. */
  rejectCommand(error: unknown, command: Command): void;
}

export class CommandQueue<Command> {
  readonly #runner: CommandRunner<Command>;
  readonly #waiting: Command[] = [];
  #isRunning = false;

  constructor(runner: CommandRunner<Command>) {
    this.#runner = runner;
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
      const result = this.#runner.execute(command);
      return result?.catch((error: unknown) => this.#runner.rejectCommand(error, command));
    } catch (error) {
      this.#runner.rejectCommand(error, command);
      return undefined;
    }
  }
}
