/** The progress of a command: a bar on standard error, where that is a terminal; nothing otherwise. */
import { SingleBar } from 'cli-progress';

export class ProgressBar {
  readonly #bar: SingleBar | undefined;
  readonly #startedAt = performance.now();

  /** `unit`: what is counted, such as `records`. Without `total`, only the count is shown. */
  constructor(unit: string, total: number | undefined) {
    if (!process.stderr.isTTY) return;
    const format = `${total === undefined ? '' : '{bar} {percentage}% | '}{value} ${unit} | {rate}/s`;
    this.#bar = new SingleBar({ format, hideCursor: true });
    this.#bar.start(total ?? 0, 0, { rate: 0 });
  }

  update(count: number): void {
    const seconds = Math.max(0.001, (performance.now() - this.#startedAt) / 1000);
    this.#bar?.update(count, { rate: Math.round(count / seconds) });
  }

  stop(): void {
    this.#bar?.stop();
  }
}
