/** The transactions of all instances on the tables, by their numbers. */
import type { EventSink } from '../../ports/event-sink.ts';
import type { Journal, Store } from '../../ports/storage.ts';
import { commitLog } from './commit-log.ts';

/** How long a writer waits until this instance knows its own transaction, in milliseconds. */
const waitMs = 1_000;

/**
 * Follows the commit log. An event is shown after its transaction is known here, so a response for its cursor never comes from a
 * cache of before.
 */
export class Commits {
  readonly #log: Pick<EventSink, 'applied'>;
  #last: number;
  #waiting: { readonly commit: number; readonly resolve: () => void }[] = [];

  private constructor(journal: Journal, log: Pick<EventSink, 'applied'>) {
    this.#log = log;
    this.#last = journal.lastSeq;
    log.applied(this.#last);
    journal.follow({ apply: (records, first) => this.#reach(first + records.length - 1) });
  }

  /** `log`: gets the number of each transaction. Rejects with StoreError. */
  static async open(store: Pick<Store, 'journal'>, log: Pick<EventSink, 'applied'>): Promise<Commits> {
    const journal = await store.journal(commitLog);
    await journal.replay(() => {});
    return new Commits(journal, log);
  }

  /** The number of the last transaction that this instance knows. Everything that is read later reflects it. */
  get last(): number {
    return this.#last;
  }

  /** Resolves when this instance knows a transaction, or after a second: the poll of the log finds it then. */
  async reached(commit: number): Promise<void> {
    if (commit <= this.#last) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { commit, resolve };
    this.#waiting.push(waiter);
    const timer = setTimeout(resolve, waitMs);
    await promise;
    clearTimeout(timer);
    this.#waiting = this.#waiting.filter((each) => each !== waiter);
  }

  #reach(commit: number): void {
    this.#last = commit;
    this.#log.applied(commit);
    for (const waiter of this.#waiting) if (waiter.commit <= commit) waiter.resolve();
  }
}
