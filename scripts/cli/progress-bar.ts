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

/** The time between two lines, in milliseconds. */
const lineMs = 10_000;

/** The progress of a command with several steps, each with its unit: a bar for each, or a line every ten seconds without a terminal. */
export class StepsProgress {
  #unit: string | undefined;
  #bar: ProgressBar | undefined;
  #lineAt = performance.now();

  /** `total`: undefined where it is not known. */
  readonly update = (step: {
    readonly unit: string;
    readonly done: number;
    readonly total: number | undefined;
  }): void => {
    const { unit, done, total } = step;
    if (unit !== this.#unit) {
      this.stop();
      this.#unit = unit;
      this.#bar = new ProgressBar(unit, total);
    }
    this.#bar?.update(done);
    if (process.stderr.isTTY || performance.now() - this.#lineAt < lineMs) return;
    this.#lineAt = performance.now();
    const share = total === undefined || total === 0 ? '' : ` of ${total} (${Math.floor((100 * done) / total)} %)`;
    console.error(`${unit}: ${done}${share}`);
  };

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }
}
