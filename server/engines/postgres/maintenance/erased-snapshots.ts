/** What erasures need of PostgreSQL. */
import type { ErasableTables } from '../../../archive/archive-engine.ts';
import type { Database } from '../store/database.ts';
import { readSnapshot } from '../store/statements.ts';
import { SqlSearch } from '../search/sql-search.ts';
import { vacuum } from './vacuum.ts';

/** Rejects with StoreError. */
export const erasedIn = (database: Database): ErasableTables => ({
  inSnapshot: (read) =>
    database.transaction(async (run) => {
      await run(readSnapshot);
      return read({ run, search: new SqlSearch(run) });
    }),
  purge: () => vacuum(database),
  remains: [
    'the write-ahead log, the replicas and the backups of the database',
    'pages of the database that are not overwritten yet: VACUUM FULL rewrites the tables, REINDEX the words of the search index',
  ],
});
