/** The check of the records of a live source, before the archive gets them. */
import type { ArchiveRecord, ChangeOutcome } from '../domain/records.ts';
import { normaliseRecord } from '../formats/native.ts';
import { messageOf } from '../text/error-text.ts';
import type { SourceMetrics } from './follow-metrics.ts';

/** Returns the valid records. `onInvalid` gets the reason of each other one. */
export function validRecords(
  records: readonly ArchiveRecord[],
  onInvalid: (reason: string) => void,
): readonly ArchiveRecord[] {
  return records.filter((record) => {
    const reason = reasonOf(record);
    if (reason !== undefined) onInvalid(reason);
    return reason === undefined;
  });
}

/** Counts the records that the archive did not take. */
export function countUnusable(outcomes: readonly ChangeOutcome[], metrics: Pick<SourceMetrics, 'rejected'>): void {
  const count = (outcome: ChangeOutcome, reason: string): void => {
    const found = outcomes.filter((each) => each === outcome).length;
    if (found > 0) metrics.rejected(reason, found);
  };
  count('dead letter', 'set_aside');
  count('rejected', 'copied_id');
}

function reasonOf(record: ArchiveRecord): string | undefined {
  try {
    return normaliseRecord(record);
  } catch (error) {
    // Whatever a platform sends must not end the follower.
    return `it cannot be checked: ${messageOf(error)}`;
  }
}
