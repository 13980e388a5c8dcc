/** Whether the server can take requests. */
import type { LowdbStore } from './store/lowdb-store.ts';

/**
 * True, or in words why not. It tells callers without a key, so it names no file: the log does. While a journal cannot be written,
 * what is durable is still answered, and every change is refused.
 */
export function readiness({ stopping, journals }: { readonly stopping: boolean; readonly journals: LowdbStore['journals'] }): true | string {
  if (stopping) return 'it is stopping';
  const failed = [...journals].filter(([, journal]) => journal.failed !== undefined).map(([name]) => `'${name}'`);
  if (failed.length === 0) return true;
  return `it cannot write ${failed.join(' and ')}: its log says why; it goes on by itself once that is mended`;
}
