/** The transactions of all instances on the tables, by their numbers. */
import type { Journal, Store } from '../../ports/storage.ts';
import { changedKeys, commitLog } from '../content/commit-log.ts';
import type { KnownCommits } from '../reads/dependent-cache.ts';

/** How long a writer waits until this instance knows its own transaction, in milliseconds. */
const waitMs = 1_000;

/** Shows the events of a change after its commit is known. */
interface CommittedEvents {
  /** All commits up to this one are known. */
  applied(commit: number): void;
}

/**
 * Follows the commit log. An event is shown after its transaction is known here, so a response for its cursor never comes from a
 * cache of before.
 */
export class Commits implements KnownCommits {
  readonly #log: CommittedEvents;
  readonly #journal: Journal;
  readonly #listeners: ((keys: readonly string[] | undefined) => void)[] = [];
  #last: number;
  #waiting: { readonly commit: number; readonly resolve: () => void }[] = [];

  private constructor(journal: Journal, log: CommittedEvents) {
    this.#log = log;
    this.#journal = journal;
    this.#last = journal.lastSeq;
    log.applied(this.#last);
    journal.follow({ apply: (records, first) => this.#apply(records, first) });
  }

  /** `log`: gets the number of each transaction. Rejects with StoreError. */
  static async open(store: Pick<Store, 'journal'>, log: CommittedEvents): Promise<Commits> {
    const journal = await store.journal(commitLog);
    // The last one, which the next ones follow.
    await journal.replay(() => {}, { last: 1 });
    return new Commits(journal, log);
  }

  /** The number of the last transaction that this instance knows. Everything that is read later reflects it. */
  get last(): number {
    return this.#last;
  }

  onCommit(listener: (keys: readonly string[] | undefined) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Resolves when this instance knows a transaction, or after a second: the poll of the log finds it then. It is read at once: behind some
   * poolers, no notice arrives.
   */
  async reached(commit: number): Promise<void> {
    if (commit <= this.#last) return;
    this.#journal.wake?.(commit);
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { commit, resolve };
    this.#waiting.push(waiter);
    const timer = setTimeout(resolve, waitMs);
    await promise;
    clearTimeout(timer);
    this.#waiting = this.#waiting.filter((each) => each !== waiter);
  }

  #apply(records: readonly string[], first: number): void {
    for (const record of records) {
      // Without the transaction before, what that one changed is not known.
      const keys = first === this.#last + 1 ? changedKeys(record) : undefined;
      for (const listener of this.#listeners) listener(keys);
    }
    this.#reach(first + records.length - 1);
  }

  #reach(commit: number): void {
    this.#last = commit;
    this.#log.applied(commit);
    for (const waiter of this.#waiting) if (waiter.commit <= commit) waiter.resolve();
  }
}
