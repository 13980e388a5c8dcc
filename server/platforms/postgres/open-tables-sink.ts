/** Opens the tables for a command without a server. */
import { eventRecord } from '../../realtime/journal-event-log.ts';
import { openPostgresStore } from '../../storage/postgres/postgres-store.ts';
import type { Store } from '../../ports/storage.ts';
import { openTables } from './open-tables.ts';
import { SqlSearch } from './search/sql-search.ts';
import { PostgresArchiveDatabase } from './writes/postgres-archive-database.ts';
import { SqlArchive, type UnusableChange } from '../../archive/writes/sql-archive.ts';
import { TablesHeldRecords } from '../../archive/reads/tables-held-records.ts';
import { TablesSetAside } from '../../archive/writes/tables-set-aside.ts';
import { TablesSink } from '../../archive/writes/tables-sink.ts';

/** The tables, and the store of the same database. */
interface TablesForCommand {
  readonly store: Store;
  readonly sink: TablesSink;
  readonly held: TablesHeldRecords;
  close(): Promise<void>;
}

/**
 * Connects to the tables of a database, whose servers may run. `onUnusable`: called with each record that cannot be applied.
 * Rejects with StoreError.
 */
export async function openTablesSink(
  url: string,
  onUnusable: (unusable: UnusableChange) => void,
): Promise<TablesForCommand> {
  const store = await openPostgresStore({ url, usesTables: true });
  try {
    const database = await openTables(url);
    const archive = new SqlArchive(new PostgresArchiveDatabase(database), { eventRecord, now: store.now });
    const setAside = await TablesSetAside.open(store);
    const setAsideUnusable = (unusable: UnusableChange): void => {
      onUnusable(unusable);
      setAside.add(unusable).catch(() => {});
    };
    return {
      store,
      held: new TablesHeldRecords(database.run, new SqlSearch(database.run)),
      sink: new TablesSink(database.run, archive, { onUnusable: setAsideUnusable }),
      async close() {
        await setAside.settled();
        await database.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
