/**
 * Removes dead rows of the tables in time: PostgreSQL deletes and replaces rows only for later transactions, and VACUUM removes them.
 * Autovacuum alone has no deadline.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError, type Document } from '../../../ports/storage.ts';
import { RepeatedTask } from '../../../process/repeated-task.ts';
import type { Database, Run } from '../store/database.ts';

/** The tables with texts and names, and the counts of tweets. */
const tables = [
  ...['tweet', 'tweet_count', 'mention', 'long_tweet'],
  ...['person', 'list', 'space', 'community', 'change'],
];

/** How long a run waits for older transactions, and the time between two looks, in milliseconds. */
const [waitMs, lookMs] = [10_000, 100];

/** A transaction that began before a time: VACUUM keeps the rows that it may still read. */
interface OlderTransaction {
  readonly pid: number;
  readonly application: string;
  readonly since: string;
}

async function oldestBefore(run: Run, time: string): Promise<OlderTransaction | undefined> {
  const [oldest] = await run<OlderTransaction>({
    text: `SELECT pid, application_name AS application, xact_start::text AS since FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND xact_start <= $1::timestamptz
      ORDER BY xact_start LIMIT 1`,
    params: [time],
  });
  return oldest;
}

/**
 * Removes the dead rows of all tables with texts, with their entries in indexes. Waits for older transactions for a while. Rejects with StoreError, also
 * where such a transaction still runs: then dead rows can be left.
 */
export async function vacuum(database: Pick<Database, 'run' | 'maintain'>, maxWaitMs = waitMs): Promise<void> {
  const [now] = await database.run<{ time: string }>({ text: 'SELECT clock_timestamp()::text AS time' });
  const time = now?.time ?? 'infinity';
  const end = performance.now() + maxWaitMs;
  let oldest = await oldestBefore(database.run, time);
  while (oldest !== undefined && performance.now() < end) {
    await sleep(lookMs);
    oldest = await oldestBefore(database.run, time);
  }
  await database.maintain(`VACUUM (INDEX_CLEANUP ON) ${tables.map((name) => `social_data.${name}`).join(', ')}`);
  if (oldest === undefined) return;
  const { pid, application, since } = oldest;
  throw new StoreError(
    `PostgreSQL keeps removed texts for a transaction of process ${pid} (${application || 'no application name'}) that runs since ${since}: ` +
      `end it, for example with SELECT pg_terminate_backend(${pid}); then repeat the erasure, or wait for the next VACUUM of the service`,
  );
}

/** The last run: the number of the last transaction before it, and its time in milliseconds since the epoch. */
export interface VacuumState {
  commit: number;
  at: number;
}

export interface VacuumParts {
  readonly database: Pick<Database, 'run' | 'maintain'>;
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

export class Vacuum {
  readonly #parts: VacuumParts;
  readonly #checks = new RepeatedTask(checkMs, () => this.check());
  #isStopped = false;

  constructor(parts: VacuumParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#checks.start();
  }

  /** Ends the checks. A run in progress ends with the connection. */
  stop(): void {
    this.#isStopped = true;
    void this.#checks.stop();
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
