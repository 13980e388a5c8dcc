/** Opens an eraser for a command on an archive in tables. Servers of a shared database may run. */
import { openStoredConversations } from '../../assistant/open-assistant.ts';
import type { Config } from '../../config/config.ts';
import { openStoredArchive } from '../../open-archive.ts';
import { openSecrets } from '../../storage/document-secrets.ts';
import { damagedFolders, requireDataDirectory, uploadedFiles } from '../data-directory.ts';
import { ErasedTables } from './erased-tables.ts';
import { Eraser, type OpenEraser } from './eraser.ts';

/** Rejects with StoreError. */
export async function openTablesEraser(config: Config): Promise<OpenEraser> {
  const { conversationTtlMs, dataDir, databaseUrl } = config;
  if (databaseUrl === undefined) await requireDataDirectory(dataDir);
  const { archive, close, engine, setAside, store } = await openStoredArchive(config);
  try {
    const secret = await (await openSecrets(store)).secret('conversation');
    const eraser = new Eraser({
      archive: new ErasedTables({ ...engine.erased, archive, setAside: () => setAside.count }),
      conversations: await openStoredConversations({ store, secret, conversationTtlMs, now: store.now }),
      // The command waits until the texts are out of the rows.
      purgeWithinMs: 0,
      uploads: () => uploadedFiles(dataDir),
      damaged: () => damagedFolders(dataDir),
    });
    return {
      preview: (request) => eraser.preview(request),
      erase: (request, onProgress) => eraser.erase(request, onProgress),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
