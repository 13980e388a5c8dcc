/** Opens an eraser for a command: in the running server, or on the data directory where no server runs. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { connectControl, type Control } from '../../server/admin/control-client.ts';
import type { Config } from '../../server/config/config.ts';
import type { EraseProgress } from '../../server/maintenance/erase/erase-routes.ts';
import type { EraseReport, OpenEraser } from '../../server/maintenance/erase/eraser.ts';
import type { EraseCounts } from '../../server/maintenance/erase/erasure.ts';

/** Rejects with StoreError, and with the errors of the control socket. */
export async function openEraser(config: Config): Promise<OpenEraser> {
  const control = await connectControl(config.dataDir);
  if (control !== undefined) return inServer(control);
  // Beside a server, loading these modules would only take time from requests.
  const { openStoredEraser } = await import('./open-stored-eraser.ts');
  return openStoredEraser(config);
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
