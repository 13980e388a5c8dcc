/** Opens an eraser for a command on a data directory, or on a store in PostgreSQL, where no server runs. */
import { openStoredConversations } from '../../assistant/open-assistant.ts';
import type { Config } from '../../config/config.ts';
import { closeArchive, openArchive, type OpenReports } from '../../platforms/archive/open-archive.ts';
import { openEventLog, unlimitedRetention } from '../../realtime/journal-event-log.ts';
import { openSecrets } from '../../storage/document-secrets.ts';
import { openCommandStore } from '../../storage/open-command-store.ts';
import { damagedFolders, requireDataDirectory, uploadedFiles } from '../data-directory.ts';
import { ErasedDurableArchive } from './erased-archive.ts';
import { Eraser, type OpenEraser } from './eraser.ts';

/** Rejects with StoreError. */
export async function openArchiveEraser(config: Config, onProgress?: OpenReports['onProgress']): Promise<OpenEraser> {
  const { dataDir, conversationTtlMs } = config;
  if (config.databaseUrl === undefined) await requireDataDirectory(dataDir);
  const store = await openCommandStore(config);
  try {
    const durable = await openArchive(store, await openEventLog(store, unlimitedRetention), { onProgress });
    const secret = await (await openSecrets(store)).secret('conversation');
    const conversations = await openStoredConversations({ store, secret, conversationTtlMs, now: Date.now });
    const eraser = new Eraser({
      archive: new ErasedDurableArchive(durable, () => damagedFolders(dataDir)),
      conversations,
      // Nobody serves now, so the texts can leave the disk at once.
      purgeWithinMs: 0,
      uploads: () => uploadedFiles(dataDir),
    });
    return {
      preview: (request) => eraser.preview(request),
      erase: (request, onProgress) => eraser.erase(request, onProgress),
      close: () => closeArchive(durable, store),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
