/** Whether the server can take requests. */
import type { DurableArchive } from '../platforms/archive/durable-archive.ts';
import type { LowdbStore } from '../storage/lowdb/lowdb-store.ts';

type ArchiveState = Pick<DurableArchive, 'setAside' | 'broken'>;

/** What the operator should know although the server takes requests. It names no file, as below. */
export function readinessWarnings({ setAside: { length } }: Pick<ArchiveState, 'setAside'>): string[] {
  if (length === 0) return [];
  return [
    `${length} ${length === 1 ? 'record' : 'records'} of the archive could not be applied: set aside, and not in any answer`,
  ];
}

/**
 * True, or in words why not. It tells callers without a key, so it names no file: the log does. While a journal cannot be written,
 * what is durable is still answered, and every change is refused.
 */
export function readiness({
  stopping,
  journals,
  archive,
}: {
  readonly stopping: boolean;
  readonly journals: LowdbStore['journals'];
  readonly archive?: Pick<ArchiveState, 'broken'>;
}): true | string {
  if (stopping) return 'it is stopping';
  if (archive?.broken !== undefined)
    return 'a change of the archive could not be applied as a whole: changes are refused until it is restarted';
  const failed = [...journals].filter(([, journal]) => journal.failed !== undefined).map(([name]) => `'${name}'`);
  if (failed.length === 0) return true;
  return `it cannot write ${failed.join(' and ')}: its log says why; it goes on by itself once that is mended`;
}
