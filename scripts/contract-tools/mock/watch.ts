/** Watches files for changes. */
import { once } from 'node:events';
import { watch } from 'chokidar';

/** Debounce time in ms, because editors save in several steps. */
const settleMs = 50;

/** A running watch. */
export interface FileWatcher {
  /** Watches these files too. */
  watch(paths: readonly string[]): void;
  close(): Promise<void>;
}

/** Calls `changed` after each save, one call at a time; a save during a call causes another call. */
export async function watchFiles(paths: readonly string[], changed: () => Promise<void>): Promise<FileWatcher> {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const saved = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(changed);
    }, settleMs);
  };
  // `add`: many editors replace the file by a new one.
  const watcher = watch([...paths], { ignoreInitial: true })
    .on('add', saved)
    .on('change', saved);
  await once(watcher, 'ready');
  return {
    watch: (added) => void watcher.add([...added]),
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
