/** The tables of an archive in PostgreSQL. */
import type { ArchiveDatabase, ArchiveTransaction } from '../../../archive/writes/archive-database.ts';
import type { Database, RunAny } from '../../../storage/postgres/database.ts';
import {
  appendRecords,
  findBatch,
  lockLog,
  readHead,
  trimLog,
  type AppendedRow,
} from '../../../storage/postgres/statements.ts';
import { commitLog } from '../../../archive/content/commit-log.ts';
import { PostgresSearchRows } from './postgres-search-rows.ts';

/** A number behind every number of a log: the batch is not looked up. */
const noLookup = Number.MAX_SAFE_INTEGER;

export class PostgresArchiveDatabase implements ArchiveDatabase {
  readonly #database: Pick<Database, 'transaction'>;

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database;
  }

  transaction<Result>(task: (transaction: ArchiveTransaction) => Promise<Result>): Promise<Result> {
    return this.#database.transaction((run) => task(transactionOn(run)));
  }
}

const transactionOn = (run: RunAny): ArchiveTransaction => ({
  run,
  async lock() {
    await run(lockLog(commitLog));
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
