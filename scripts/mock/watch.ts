/** Notices when a file is saved. */
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors save in several steps; what comes within so many milliseconds is one save. */
const settleMs = 50;

/**
 * Calls `changed` after each save, one call at a time: a save during a call is followed by another call. Watches the folder, because many
 * editors put a new file in the place of the old one.
 */
export function watchFile(path: string, changed: () => Promise<void>): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watcher = watch(dirname(path), (_event, name) => {
    if (name !== null && name !== basename(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => (running = running.then(changed)), settleMs);
  });
  return {
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
