/** The progress of a command as JSON Lines. Passes the newest state on to a reader that may be slow. */
export class ProgressLines<Progress> {
  #newest: Progress | undefined;
  #isOver = false;
  #wake = Promise.withResolvers<void>();

  add(progress: Progress): void {
    this.#newest = progress;
    this.#wake.resolve();
  }

  end(): void {
    this.#isOver = true;
    this.#wake.resolve();
  }

  async *lines(): AsyncGenerator<string, void> {
    for (;;) {
      const newest = this.#newest;
      this.#newest = undefined;
      if (newest !== undefined) yield `${JSON.stringify(newest)}\n`;
      else if (this.#isOver) return;
      else {
        await this.#wake.promise;
        this.#wake = Promise.withResolvers();
      }
    }
  }
}
