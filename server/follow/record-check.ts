/** The check of the records of a live source, before the archive gets them. */
import type { ArchiveRecord } from '../domain/records.ts';
import { normaliseRecord } from '../import/formats/native.ts';

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

function reasonOf(record: ArchiveRecord): string | undefined {
  try {
    return normaliseRecord(record);
  } catch (error) {
    // Whatever a platform sends must not end the follower.
    return `it cannot be checked: ${(error as Error).message}`;
  }
}
