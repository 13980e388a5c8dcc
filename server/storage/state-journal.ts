/** A journal whose records make up a state in memory. The records of all processes that share the journal have one order. */
import type { Journal, Store, StoreError } from '../ports/storage.ts';

export interface StateJournalParts<Entry> {
  /** Changes the state by a record: one of the journal, or one of another process. */
  readonly apply: (record: Entry) => void;
  /** Empties the state: the records that follow make it up anew. */
  readonly reset: () => void;
  /** The records that make up the newest state, for a rewrite. */
  readonly snapshot: () => readonly Entry[];
  /** Called when a rewrite has failed after `snapshot`: the old records can still be there. */
  readonly onFailedRewrite?: () => void;
  /** Whether a journal with so many records has enough history to be rewritten. */
  readonly hasHistory: (records: number) => boolean;
  /** Called after records of other processes. */
  readonly onOthers?: () => void;
}

export class StateJournal<Entry extends object> {
  readonly #journal: Journal;
  readonly #parts: StateJournalParts<Entry>;
  /** The records of this process, which the state has already. */
  readonly #own = new WeakSet<readonly string[]>();
  #records = 0;
  #rewriting: Promise<void> | undefined;

  private constructor(journal: Journal, parts: StateJournalParts<Entry>) {
    this.#journal = journal;
    this.#parts = parts;
  }

  /** Opens the journal and applies its records. Rejects with StoreError if it is damaged. */
  static async open<Entry extends object>(
    store: Pick<Store, 'journal'>,
    name: string,
    parts: StateJournalParts<Entry>,
  ): Promise<StateJournal<Entry>> {
    const journal = await store.journal(name);
    const opened = new StateJournal(journal, parts);
    await journal.replay((json) => opened.#apply(json.toString()));
    journal.follow({
      apply: (lines) => opened.#follow(lines),
      reset: () => {
        opened.#records = 0;
        parts.reset();
      },
    });
    return opened;
  }

  /** Why the journal cannot be written. */
  get failed(): StoreError | undefined {
    return this.#journal.failed;
  }

  /**
   * Appends the records that `decide` returns. It sees the newest state and changes it; in one process it runs at once. Resolves when they
   * are durable, and rejects as `Journal.decide` does. No records: resolves when the state has what other processes have written until now.
   */
  async decide(decide: () => readonly Entry[]): Promise<void> {
    const durable = this.#journal.decide(() => {
      const lines = decide().map((record) => JSON.stringify(record));
      this.#records += lines.length;
      this.#own.add(lines);
      return lines;
    });
    // After a failed rewrite either the old journal remains, or later appends fail and report the error.
    if (this.#rewriting === undefined && this.#parts.hasHistory(this.#records)) this.rewrite().catch(() => {});
    await durable;
  }

  /**
   * Replaces the records by those of the newest state, after a rewrite in progress. Later records follow them, earlier ones are included in
   * them. Rejects with StoreError.
   */
  async rewrite(): Promise<void> {
    while (this.#rewriting !== undefined) await this.#rewriting.catch(() => {});
    this.#rewriting = this.#replaceRecords().finally(() => (this.#rewriting = undefined));
    await this.#rewriting;
  }

  async #replaceRecords(): Promise<void> {
    const { snapshot, onFailedRewrite } = this.#parts;
    let isTaken = false;
    try {
      await this.#journal.rewrite(() => {
        isTaken = true;
        const lines = snapshot().map((record) => JSON.stringify(record));
        this.#records = lines.length;
        return lines;
      });
    } catch (error) {
      if (isTaken) onFailedRewrite?.();
      throw error;
    }
  }

  #apply(json: string): void {
    this.#parts.apply(JSON.parse(json) as Entry);
    this.#records++;
  }

  /** Applies the records of other processes. */
  #follow(lines: readonly string[]): void {
    if (this.#own.has(lines)) return;
    for (const json of lines) this.#apply(json);
    this.#parts.onOthers?.();
  }
}
