/**
 * Removes dead rows of the tables in time: PostgreSQL deletes and replaces rows only for later transactions, and VACUUM removes them.
 * Autovacuum alone has no deadline.
 */
import type { Document } from '../../../ports/storage.ts';
import type { Database } from '../../../storage/postgres/database.ts';

/** The tables with texts and names, and the counts of tweets. */
const tables = [
  ...['tweet', 'tweet_count', 'mention', 'long_tweet'],
  ...['person', 'list', 'space', 'community', 'change'],
];

/** Removes the dead rows of all tables with texts, with their entries in indexes. Rejects with StoreError. */
export const vacuum = (database: Pick<Database, 'maintain'>): Promise<void> =>
  database.maintain(`VACUUM (INDEX_CLEANUP ON) ${tables.map((name) => `social_data.${name}`).join(', ')}`);

/** The last run: the number of the last transaction before it, and its time in milliseconds since the epoch. */
export interface VacuumState {
  commit: number;
  at: number;
}

export interface TablesVacuumParts {
  readonly database: Pick<Database, 'maintain'>;
  readonly state: Document<VacuumState>;
  /** The last transaction that this instance knows. */
  readonly commits: { readonly last: number };
  /** The maximum time between a removal and the end of its text in the rows, in milliseconds. */
  readonly withinMs: number;
  /** Whether this instance does it; others may share the tables. */
  readonly mayRun: () => boolean;
  readonly now: () => number;
  readonly onFailed: (error: unknown) => void;
}

/** The time between two checks, in milliseconds. */
const checkMs = 60_000;

export class TablesVacuum {
  readonly #parts: TablesVacuumParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: TablesVacuumParts) {
    this.#parts = parts;
  }

  start(): void {
    const check = (): void => {
      this.#running = this.#running.then(() => this.check());
    };
    this.#timer = setInterval(check, checkMs).unref();
    check();
  }

  /** Ends the checks. A run in progress ends with the connection. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** Removes the dead rows now. Rejects with StoreError. */
  async run(): Promise<void> {
    const { database, state, commits, now } = this.#parts;
    const [commit, at] = [commits.last, now()];
    await vacuum(database);
    await state.update((data) => void Object.assign(data, { commit, at }));
  }

  /** Removes the dead rows if that is due. Never rejects: the next check tries again. */
  async check(): Promise<void> {
    const { state, commits, withinMs, mayRun, now, onFailed } = this.#parts;
    const { commit, at } = state.data;
    // Half of the time passes at most before a run, the other half is for the run.
    if (this.#isStopped || !mayRun() || commits.last <= commit || now() - at < withinMs / 2) return;
    try {
      await this.run();
    } catch (error) {
      if (!this.#isStopped) onFailed(error);
    }
  }
}
