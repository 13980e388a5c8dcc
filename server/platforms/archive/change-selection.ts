/** Which changes the records of a call make, before they are in the journal. */
import type { ChangeOutcome } from '../../domain/records.ts';
import type { Archive } from './archive.ts';
import type { Change } from './change.ts';
import type { GivenRecord } from './given-records.ts';
import type { PendingIdentities } from './identity.ts';

/** A change with the index of its record and its JSON. */
export interface SelectedChange {
  readonly index: number;
  readonly change: Change;
  readonly json: string;
}

export interface Selection {
  readonly changes: SelectedChange[];
  /** The outcome of each record: `rejected`, or `unchanged` until its changes are applied. */
  readonly outcomes: ChangeOutcome[];
  /** The keys that the caller removes from the pending identities after the changes are applied. */
  readonly keys: string[];
}

export const emptySelection = (): Selection => ({ changes: [], outcomes: [], keys: [] });

/**
 * Selects the changes of records that may change something, one change in each step. Leaves out a record that would change nothing, and
 * a record equal to the previous one with the same key. Rejects a record whose id another tweet or account has, in the archive or in a
 * pending record.
 */
export function* selectChanges(
  archive: Archive,
  pending: PendingIdentities,
  records: readonly GivenRecord[],
  { changes, outcomes, keys }: Selection,
): Generator<void, void> {
  const last = new Map<string, string>();
  for (let index = 0; index < records.length; index++) {
    const given = records[index]!;
    const { key, record } = given;
    const before = last.get(key);
    const isRejected = archive.rejects(record) || pending.excludes(record, key);
    outcomes.push(isRejected ? 'rejected' : 'unchanged');
    if (isRejected) {
      yield;
      continue;
    }
    let json: string | undefined;
    for (const change of before === undefined ? archive.changesInSteps(record) : [record]) {
      if (json === undefined && pending.add(record, key)) keys.push(key);
      json ??= JSON.stringify(record);
      if (before === undefined || json !== before)
        changes.push({ index, change, json: change === record ? json : JSON.stringify(change) });
      yield;
    }
    if (json === undefined) yield;
    else last.set(key, json);
  }
}
