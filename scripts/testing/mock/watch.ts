/** Notices when a file is saved. */
import { once } from 'node:events';
import { watch } from 'chokidar';

/** Editors save in several steps; what comes within so many milliseconds is one save. */
const settleMs = 50;

/** Calls `changed` after each save, one call at a time: a save during a call is followed by another call. Resolves when it watches. */
export async function watchFile(path: string, changed: () => Promise<void>): Promise<{ close(): Promise<void> }> {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const saved = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => (running = running.then(changed)), settleMs);
  };
  // `add`: many editors put a new file in the place of the old one.
  const watcher = watch(path, { ignoreInitial: true }).on('add', saved).on('change', saved);
  await once(watcher, 'ready');
  return {
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
