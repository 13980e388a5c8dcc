/** The tables of an archive in SQLite. */
import { commitLog } from '../../archive/content/commit-log.ts';
import type { ArchiveDatabase, ArchiveTransaction } from '../../archive/writes/archive-database.ts';
import { sql } from '../../archive/sql.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteSearchRows, type WordTime } from './sqlite-search-rows.ts';
import type { SqliteWriter, Urgency } from './sqlite-writer.ts';

export class SqliteArchiveDatabase implements ArchiveDatabase {
  readonly #writer: SqliteWriter;
  readonly #urgency: Urgency;
  readonly #words: WordTime;

  /** `words`: when the words of tweets are written. */
  constructor(
    writer: SqliteWriter,
    { urgency = 'now', words = 'now' }: { readonly urgency?: Urgency; readonly words?: WordTime } = {},
  ) {
    this.#writer = writer;
    this.#urgency = urgency;
    this.#words = words;
  }

  transaction<Result>(task: (transaction: ArchiveTransaction) => Promise<Result>): Promise<Result> {
    return this.#writer.transaction(
      (database) => task(transactionOn(database, this.#writer, this.#words)),
      this.#urgency,
    );
  }
}

function transactionOn(database: SqliteDatabase, writer: SqliteWriter, words: WordTime): ArchiveTransaction {
  const run = database.runSql;
  return {
    run,
    lock: async () => writer.lastOf(commitLog),
    async findBatch(log, known, batch) {
      const [row] = await run<{ seq: number; record: string | null }>(
        sql`SELECT seq, record FROM social_data.change WHERE log = ${log} AND seq > ${known} AND batch = ${batch}
          ORDER BY seq DESC LIMIT 1`,
      );
      return row;
    },
    append: async (log, batch, records) => writer.append(log, batch, records),
    async trim(log, upTo, most) {
      await run(
        sql`DELETE FROM social_data.change WHERE log = ${log} AND seq IN (
          SELECT seq FROM social_data.change WHERE log = ${log} AND seq <= ${upTo} ORDER BY seq LIMIT ${most})`,
      );
    },
    searchRows: (commit) => new SqliteSearchRows(database, { commit, words }),
  };
}
