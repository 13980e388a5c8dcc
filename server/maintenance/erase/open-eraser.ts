/** Opens an eraser for a command: in the running server, or on the data directory where no server runs. */
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { connectControl, type Control } from '../../admin/control-client.ts';
import { openStoredConversations } from '../../assistant/open-assistant.ts';
import type { Config } from '../../config/config.ts';
import { openArchive } from '../../platforms/archive/open-archive.ts';
import { openEventLog } from '../../realtime/journal-event-log.ts';
import { openSecrets } from '../../storage/document-secrets.ts';
import { openCommandStore } from '../../storage/open-command-store.ts';
import { requireDataDirectory } from '../data-directory.ts';
import type { EraseProgress } from './erase-routes.ts';
import { ErasedDurableArchive } from './erased-archive.ts';
import { Eraser, type EraseReport, type OpenEraser } from './eraser.ts';
import type { EraseCounts } from './erasure.ts';

/** The names of the folders in which a repair has kept damaged files. */
export const damagedFolders = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.startsWith('damaged-'));

/** Rejects with StoreError, and with the errors of the control socket. */
export async function openEraser(config: Config): Promise<OpenEraser> {
  const control = await connectControl(config.dataDir);
  if (control !== undefined) return inServer(control);
  if (config.platform === 'archive' || config.databaseUrl === undefined) return openLocally(config);
  const { openTablesEraser } = await import('./open-tables-eraser.ts');
  return openTablesEraser(config.databaseUrl, config);
}

const inServer = (control: Control): OpenEraser => ({
  preview: (request) => control.call<EraseCounts>('erase/preview', request),
  async erase(request, onProgress) {
    const { chunks, end } = await control.stream('erase', request);
    for await (const line of createInterface({ input: Readable.from(chunks), crlfDelay: Infinity })) {
      const { done, of }: EraseProgress = JSON.parse(line);
      onProgress(done, of);
    }
    return end() as EraseReport;
  },
  close: async () => control.close(),
});

async function openLocally(config: Config): Promise<OpenEraser> {
  const { dataDir, eventRetention, conversationTtlMs } = config;
  if (config.databaseUrl === undefined) await requireDataDirectory(dataDir);
  const store = await openCommandStore(config);
  try {
    const durable = await openArchive(store, await openEventLog(store, eventRetention));
    const secret = await (await openSecrets(store)).secret('conversation');
    const conversations = await openStoredConversations({ store, secret, conversationTtlMs, now: Date.now });
    const eraser = new Eraser({
      archive: new ErasedDurableArchive(durable, () => damagedFolders(dataDir)),
      conversations,
      // Nobody serves now, so the texts can leave the disk at once.
      purgeWithinMs: 0,
    });
    return {
      preview: (request) => eraser.preview(request),
      erase: (request, onProgress) => eraser.erase(request, onProgress),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
