/** The records of a call as the archive applies them, and which of them it can prepare together. */
import { recordKey, tweetKey, type ArchiveRecord } from '../../domain/records.ts';
import type { PreparedRecord, PreparedTweet } from '../../ports/import-sink.ts';
import { textOf, type JournalRecord } from '../../ports/storage.ts';
import type { Archive } from './archive.ts';
import { withTime } from './change.ts';

/** The maximum number of removals in one append: their records need not be durable together. */
export const maxRemovalsPerAppend = 128;

/** A record of a call, and what the caller has prepared of it. */
export interface GivenRecord {
  readonly kind: ArchiveRecord['kind'];
  readonly key: string;
  /** Parsed at the first use, where another thread has encoded it. */
  readonly record: ArchiveRecord;
  readonly json?: JournalRecord | undefined;
  readonly tweet?: PreparedTweet | undefined;
}

/** The records of a call. A removal without a time gets the current time. */
export function givenRecords(records: readonly ArchiveRecord[], json?: readonly string[]): GivenRecord[] {
  const now = new Date().toISOString();
  return records.map((given, index) => {
    const record = withTime(given, now);
    const { kind } = record;
    return { kind, key: recordKey(record), record, json: record === given ? json?.[index] : undefined };
  });
}

/** As `givenRecords`. */
export const preparedRecords = (records: readonly PreparedRecord[]): GivenRecord[] =>
  records.map((prepared) =>
    prepared.tweet === undefined
      ? givenRecords([prepared.record], [textOf(prepared)])[0]!
      : new GivenTweet(prepared, prepared.tweet),
  );

/** A tweet that another thread has prepared. */
class GivenTweet implements GivenRecord {
  readonly kind = 'tweet';
  readonly key: string;
  readonly json: PreparedRecord;
  readonly tweet: PreparedTweet;

  constructor(prepared: PreparedRecord, tweet: PreparedTweet) {
    this.key = tweetKey(tweet.head.id);
    this.json = prepared;
    this.tweet = tweet;
  }

  get record(): ArchiveRecord {
    return this.json.record;
  }
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
