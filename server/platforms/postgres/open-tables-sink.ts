/** Opens the tables for an import without a server. */
import type { ImportSink } from '../../ports/import-sink.ts';
import { eventRecord } from '../../realtime/journal-event-log.ts';
import { openPostgresStore } from '../../storage/postgres/postgres-store.ts';
import { openTables } from './open-tables.ts';
import { SqlArchive, type UnusableChange } from './sql-archive.ts';
import { TablesSink } from './tables-sink.ts';

/**
 * Connects to the tables of a database, whose servers may run. `onUnusable`: called with each record that cannot be applied.
 * Rejects with StoreError.
 */
export async function openTablesSink(
  url: string,
  onUnusable: (unusable: UnusableChange) => void,
): Promise<{ sink: ImportSink; close(): Promise<void> }> {
  const store = await openPostgresStore({ url, usesTables: true });
  try {
    const database = await openTables(url);
    const archive = new SqlArchive(database, { eventRecord, now: store.now });
    return {
      sink: new TablesSink(database.run, archive, onUnusable),
      async close() {
        await database.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
