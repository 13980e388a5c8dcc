/** The tables of a SQLite file that get the records of version 1.2. */
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts';
import { SqliteSearchRows } from '../sqlite/sqlite-search-rows.ts';
import type { UpgradeTransaction } from './old-records.ts';

/** The transaction in progress on a connection. */
export const transactionOn = (database: SqliteDatabase): UpgradeTransaction => ({
  run: database.runSql,
  searchRows: (commit, arrivals) => new SqliteSearchRows(database, { commit, arrivals }),
  async appendEvents(batch, records) {
    const first = database.lastSeqOf('events') + 1;
    const rows = records.map((record, index) => ({ log: 'events', seq: first + index, record, batch }));
    database.insert({ table: 'change', rows });
  },
  async correctArrivals(arrivals) {
    database.run(
      `UPDATE tweet SET arrived_in = given.value ->> 1 FROM json_each(?) given
        WHERE tweet.id = given.value ->> 0 AND arrived_in <> given.value ->> 1`,
      `[${arrivals.map(([id, seq]) => `[${id},${seq}]`).join(',')}]`,
    );
  },
});
