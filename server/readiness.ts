/** Whether the server can take requests. */
import type { LowdbStore } from './store/lowdb-store.ts';

/**
 * True, or in words why not. It tells callers without a key, so it names no file: the log does. A journal that failed stays so
 * until a restart: what is in memory is still answered, but no change would last, and listeners are sent away.
 */
export function readiness({ stopping, journals }: { readonly stopping: boolean; readonly journals: LowdbStore['journals'] }): true | string {
  if (stopping) return 'it is stopping';
  const failed = [...journals].filter(([, journal]) => journal.failed !== undefined).map(([name]) => `'${name}'`);
  if (failed.length === 0) return true;
  return `it can no longer write ${failed.join(' and ')}: see its log, mend the disk, then start it again`;
}
