/** Opens an eraser for a command on the tables of PostgreSQL, whose servers may run. */
import { openStoredConversations } from '../../assistant/open-assistant.ts';
import type { Config } from '../../config/config.ts';
import { openTables } from '../../platforms/postgres/open-tables.ts';
import { SqlArchive } from '../../archive/writes/sql-archive.ts';
import { TablesSetAside } from '../../archive/writes/tables-set-aside.ts';
import { erasedIn } from '../../platforms/postgres/maintenance/erased-snapshots.ts';
import { PostgresArchiveDatabase } from '../../platforms/postgres/writes/postgres-archive-database.ts';
import { eventRecord } from '../../realtime/journal-event-log.ts';
import { openSecrets } from '../../storage/document-secrets.ts';
import { openPostgresStore } from '../../storage/postgres/postgres-store.ts';
import { uploadedFiles } from '../data-directory.ts';
import { ErasedTables } from './erased-tables.ts';
import { Eraser, type OpenEraser } from './eraser.ts';

/** Rejects with StoreError. */
export async function openTablesEraser(url: string, { conversationTtlMs, dataDir }: Config): Promise<OpenEraser> {
  const store = await openPostgresStore({ url, usesTables: true });
  try {
    const database = await openTables(url);
    const setAside = await TablesSetAside.open(store);
    const secret = await (await openSecrets(store)).secret('conversation');
    const eraser = new Eraser({
      archive: new ErasedTables({
        ...erasedIn(database),
        archive: new SqlArchive(new PostgresArchiveDatabase(database), { eventRecord, now: store.now }),
        setAside: () => setAside.count,
      }),
      conversations: await openStoredConversations({ store, secret, conversationTtlMs, now: store.now }),
      // The command waits until the texts are out of the rows.
      purgeWithinMs: 0,
      uploads: () => uploadedFiles(dataDir),
    });
    return {
      preview: (request) => eraser.preview(request),
      erase: (request, onProgress) => eraser.erase(request, onProgress),
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
