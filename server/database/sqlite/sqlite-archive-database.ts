/** The tables of an archive in SQLite. */
import { commitLog } from '../../archive/content/commit-log.ts';
import { lastOf } from '../../archive/reads/engagement-at.ts';
import type { ArchiveDatabase, ArchiveTransaction } from '../../archive/writes/archive-database.ts';
import { sql } from '../sql.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteSearchRows } from './sqlite-search-rows.ts';

/** `database`: a connection that only transactions use, one after the other. */
export class SqliteArchiveDatabase implements ArchiveDatabase {
  readonly #database: SqliteDatabase;
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  transaction<Result>(task: (transaction: ArchiveTransaction) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => this.#database.asyncTransaction(() => task(transactionOn(this.#database))));
    this.#last = result.catch(() => {});
    return result;
  }
}

function transactionOn(database: SqliteDatabase): ArchiveTransaction {
  const run = database.runSql;
  return {
    run,
    lock: () => lastOf(run, commitLog),
    async findBatch(log, known, batch) {
      const [row] = await run<{ seq: number; record: string | null }>(
        sql`SELECT seq, record FROM social_data.change WHERE log = ${log} AND seq > ${known} AND batch = ${batch}
          ORDER BY seq DESC LIMIT 1`,
      );
      return row;
    },
    async append(log, batch, records) {
      const last = await lastOf(run, log);
      const rows = records.map((record, index) => ({ log, seq: last + 1 + index, record, batch }));
      database.insert({ table: 'change', rows });
      return last + records.length;
    },
    async trim(log, upTo, most) {
      await run(
        sql`DELETE FROM social_data.change WHERE log = ${log} AND seq IN (
          SELECT seq FROM social_data.change WHERE log = ${log} AND seq <= ${upTo} ORDER BY seq LIMIT ${most})`,
      );
    },
    searchRows: (commit) => new SqliteSearchRows(database, { commit }),
  };
}
