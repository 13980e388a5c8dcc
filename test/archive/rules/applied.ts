/** Changes applied to an archive in memory. */
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change } from '../../../server/archive/rules/change.ts';

export function archiveOf(...changes: Change[]): Archive {
  const archive = new Archive();
  for (const change of changes) archive.apply(change);
  return archive;
}

/** The outcome of the last change, and its events by name and id. */
export function lastOf(...changes: Change[]): string[] {
  const { outcome, events } = archiveOf(...changes.slice(0, -1)).apply(changes.at(-1)!);
  return [outcome, ...events.map(({ event, id }) => `${event} ${id}`)];
}
