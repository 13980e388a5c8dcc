/** Opens an eraser for a command on an archive in tables. Servers of a shared database may run. */
import { openStoredConversations } from '../../server/assistant/open-assistant.ts';
import type { Config } from '../../server/config/config.ts';
import { openStoredArchive } from '../../server/engines/open-archive.ts';
import { openSecrets } from '../../server/storage/document-secrets.ts';
import { requireDataDirectory } from '../../server/maintenance/data-directory.ts';
import { createEraser } from '../../server/maintenance/erase/create-eraser.ts';
import type { OpenEraser } from '../../server/maintenance/erase/eraser.ts';

/** Rejects with StoreError. */
export async function openStoredEraser(config: Config): Promise<OpenEraser> {
  const { conversationTtlMs, dataDir, databaseUrl } = config;
  if (databaseUrl === undefined) await requireDataDirectory(dataDir);
  const opened = await openStoredArchive(config);
  const { close, store } = opened;
  try {
    const secret = await (await openSecrets(store)).secret('conversation');
    const conversations = await openStoredConversations({ store, secret, conversationTtlMs, now: store.now });
    // The command waits until the texts are out of the rows.
    const eraser = createEraser(opened, { conversations, dataDir, purgeWithinMs: 0 });
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
