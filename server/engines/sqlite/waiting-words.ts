/** Writes the words of tweets that wait for them, in groups: see `word_pending` in tables.sql. */
import { writeWords } from './sqlite-search-rows.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** The longest time that words wait, in milliseconds, and the changes after which they are written earlier. */
const waitMs = 2_000;
const maxChanges = 2_000;
/** The tweets whose words one transaction writes. */
const stepTweets = 1_000;

/** Writes all words that wait. Rejects with StoreError. */
export async function writeWaitingWords(writer: SqliteWriter): Promise<void> {
  while (!(await writer.transaction(async (database) => writeWords(database, stepTweets), 'later')));
}

export class WaitingWords {
  readonly #writer: SqliteWriter;
  readonly #onFailed: (error: unknown) => void;
  #changes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(writer: SqliteWriter, onFailed: (error: unknown) => void) {
    this.#writer = writer;
    this.#onFailed = onFailed;
  }

  /** Notes that the words of so many changes wait. */
  wait(changes: number): void {
    this.#changes += changes;
    if (this.#changes >= maxChanges) this.writeSoon();
    else this.#timer ??= setTimeout(() => this.#writeWhenDue(), waitMs).unref();
  }

  #writeWhenDue(): void {
    this.#timer = undefined;
    if (this.#writing === undefined) this.writeSoon();
    else this.wait(0);
  }

  /** Writes the words that wait. A failure is reported, and the next words try again. */
  writeSoon(): void {
    if (this.#writing !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changes = 0;
    this.#writing = writeWaitingWords(this.#writer)
      .catch((error: unknown) => this.#onFailed(error))
      .finally(() => (this.#writing = undefined));
  }

  /** Writes the words that wait; where that is not possible, the next start does. */
  async close(): Promise<void> {
    await this.#writing;
    this.writeSoon();
    await this.#writing;
    clearTimeout(this.#timer);
  }
}
