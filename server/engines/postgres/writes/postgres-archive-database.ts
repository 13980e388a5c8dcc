/** The tables of an archive in PostgreSQL. */
import type { ArchiveDatabase, ArchiveTransaction } from '../../../archive/writes/archive-database.ts';
import type { Database, RunAny } from '../store/database.ts';
import { appendRecords, findBatch, lockLog, readHead, trimLog, type AppendedRow } from '../store/statements.ts';
import { commitLog } from '../../../archive/content/commit-log.ts';
import { withLock } from '../store/stalled-writer.ts';
import { PostgresSearchRows } from './postgres-search-rows.ts';

/** A number behind every number of a log: the batch is not looked up. */
const noLookup = Number.MAX_SAFE_INTEGER;

type LockedDatabase = Pick<Database, 'transaction' | 'run' | 'reportStalled'>;

export class PostgresArchiveDatabase implements ArchiveDatabase {
  readonly #database: LockedDatabase;
  readonly #locked: (ms: number) => void;

  /** `locked`: gets how long a transaction has waited for the lock, in milliseconds. */
  constructor(database: LockedDatabase, locked: (ms: number) => void = () => {}) {
    this.#database = database;
    this.#locked = locked;
  }

  transaction<Result>(task: (transaction: ArchiveTransaction) => Promise<Result>): Promise<Result> {
    return withLock(this.#database, [commitLog, 'events'], () =>
      this.#database.transaction((run) => task(transactionOn(run, this.#locked))),
    );
  }
}

const transactionOn = (run: RunAny, locked: (ms: number) => void): ArchiveTransaction => ({
  run,
  async lock() {
    const began = performance.now();
    const [lock] = await run<{ lock_wait_ms: string }>(lockLog(commitLog)).catch((error: unknown) => {
      locked(performance.now() - began);
      throw error;
    });
    locked(Number(lock?.lock_wait_ms ?? 0));
    const [row] = await run<{ seq: string }>(readHead(commitLog));
    return Number(row?.seq ?? 0);
  },
  async findBatch(log, known, batch) {
    const [row] = await run<{ seq: string; record: string | null }>(findBatch(log, known, batch));
    return row && { seq: Number(row.seq), record: row.record };
  },
  async append(log, batch, records) {
    const [row] = await run<AppendedRow>(appendRecords(log, { batch, known: noLookup, records }));
    return Number(row?.last_seq ?? 0);
  },
  async trim(log, upTo, most) {
    await run(trimLog(log, upTo, most, false));
  },
  searchRows: (commit) => new PostgresSearchRows(run, commit),
});
