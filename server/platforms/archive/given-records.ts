/** The records of a call as the archive applies them, and which of them it can prepare together. */
import { recordKey, type ArchiveRecord } from '../../domain/records.ts';
import type { Archive } from './archive.ts';
import { withTime } from './change.ts';

/** The maximum number of removals in one append: their records need not be durable together. */
export const maxRemovalsPerAppend = 128;

/** A record of a call. */
export interface GivenRecord {
  readonly kind: ArchiveRecord['kind'];
  readonly key: string;
  readonly record: ArchiveRecord;
}

/** The records of a call. A removal without a time gets the current time. */
export function givenRecords(records: readonly ArchiveRecord[]): GivenRecord[] {
  const now = new Date().toISOString();
  return records.map((given) => {
    const record = withTime(given, now);
    const { kind } = record;
    return { kind, key: recordKey(record), record };
  });
}

/** Whether a record can have an effect on records with other keys. */
const mayReachFar = ({ kind }: Pick<ArchiveRecord, 'kind'>): boolean =>
  kind === 'delete' ||
  kind === 'restore' ||
  kind === 'withdraw' ||
  kind === 'reinstate' ||
  kind === 'unretweet' ||
  kind === 'scrub_geo';

/** Whether records of this kind that follow each other are independent of each other. */
const isAlike = (kind: ArchiveRecord['kind']): boolean => kind === 'delete' || kind === 'scrub_geo';

/**
 * Divides records into groups that the archive can prepare together: the changes of a far-reaching record depend on the
 * records before it.
 */
export function groupsOf(archive: Archive, given: readonly GivenRecord[]): (readonly GivenRecord[])[] {
  if (given.length > 0 && !given.some(mayReachFar)) return [given];
  const groups: GivenRecord[][] = [];
  const removes = given.some(({ kind }) => kind === 'delete' || kind === 'withdraw');
  const isFarReaching = (each: GivenRecord): boolean =>
    mayReachFar(each) &&
    // An import with `restore` has one for each tweet; most of them change nothing.
    (removes || (each.kind !== 'restore' && each.kind !== 'reinstate') || archive.wouldChange(each.record));
  let previous: GivenRecord | undefined;
  for (const each of given) {
    const joins =
      previous !== undefined &&
      (groups.at(-1)?.length ?? 0) < (isAlike(previous.kind) ? maxRemovalsPerAppend : Number.POSITIVE_INFINITY) &&
      (isFarReaching(each) ? isAlike(each.kind) && each.kind === previous.kind : !isFarReaching(previous));
    if (joins) groups.at(-1)?.push(each);
    else groups.push([each]);
    previous = each;
  }
  return groups;
}

/** The keys of records; undefined where one of them can have an effect on records with other keys. */
export function keysOf(given: readonly GivenRecord[]): ReadonlySet<string> | undefined {
  return given.some(mayReachFar) ? undefined : new Set(given.map(({ key }) => key));
}

export const areIndependent = (a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean =>
  a !== undefined && b !== undefined && a.isDisjointFrom(b);
