/** What an archive in memory does with changes. */
import type { Written } from '../../../server/archive/writes/sql-archive.ts';
import type { DomainEvent } from '../../../server/domain/events.ts';
import type { Archive } from '../../../server/archive/rules/archive.ts';
import { UnusableRecord, type Change } from '../../../server/archive/rules/change.ts';

/** Applies changes in memory, as the tables must. */
export function applied(
  archive: Archive,
  changes: readonly Change[],
): Pick<Written, 'outcomes'> & { events: DomainEvent[] } {
  const events: DomainEvent[] = [];
  const outcomes = changes.map((change) => {
    try {
      const result = archive.apply(change);
      events.push(...result.events);
      return result.outcome;
    } catch (error) {
      if (!(error instanceof UnusableRecord)) throw error;
      return 'dead letter';
    }
  });
  return { outcomes, events };
}
