/** Watches a file for changes. */
import { once } from 'node:events';
import { watch } from 'chokidar';

/** Debounce time in ms, because editors save in several steps. */
const settleMs = 50;

/** Calls `changed` after each save, one call at a time; a save during a call causes another call. */
export async function watchFile(path: string, changed: () => Promise<void>): Promise<{ close(): Promise<void> }> {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const saved = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(changed);
    }, settleMs);
  };
  // `add`: many editors replace the file by a new one.
  const watcher = watch(path, { ignoreInitial: true }).on('add', saved).on('change', saved);
  await once(watcher, 'ready');
  return {
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
