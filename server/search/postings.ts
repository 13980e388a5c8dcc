/**
 * Tweets in order of time, walked from the newest and skipped through: what every query is made of. A query comes down to lists
 * that can be looked up, which lead, and a check of what they find.
 */
import type { Timeline } from '../archive/timeline.ts';
import type { TweetSource } from './search.ts';

/** A place in the order of all tweets. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: bigint;
}

/** Tweets that can be looked up: each call costs the logarithm of their number. */
export interface Lookup {
  /** About how many there are: the shortest leads. */
  readonly size: number;
  /** The newest at this moment or before; undefined where there is none. */
  seek(moment: Moment): number | undefined;
  has(ordinal: number): boolean;
}

/** The tweets of a list that pass; all of them where there is no check. */
export interface Postings {
  readonly list: Lookup;
  readonly passes?: ((ordinal: number) => boolean) | undefined;
}

/** Later than every tweet. */
export const endOfTime: Moment = { at: Number.POSITIVE_INFINITY, id: 0n };

const momentOf = (source: TweetSource, ordinal: number): Moment => ({ at: source.createdAt(ordinal), id: source.id(ordinal) });
/** Just before a tweet. */
const olderThan = (source: TweetSource, ordinal: number): Moment => ({ at: source.createdAt(ordinal), id: source.id(ordinal) - 1n });

/** Whether a tweet is at this moment or before. */
function isAtMost(source: TweetSource, ordinal: number, { at, id }: Moment): boolean {
  const created = source.createdAt(ordinal);
  return created < at || (created === at && source.id(ordinal) <= id);
}

/** The tweets of a timeline; nothing where there is none. */
export function listed(source: TweetSource, timeline: Timeline | undefined): Lookup {
  const seek = (moment: Moment): number | undefined => timeline?.newest(source.order, (ordinal) => isAtMost(source, ordinal, moment));
  return {
    get size() {
      return timeline?.length ?? 0;
    },
    seek,
    has: (ordinal) => seek(momentOf(source, ordinal)) === ordinal,
  };
}

/** One tweet, or none. */
export function single(source: TweetSource, only: number | undefined): Lookup {
  return {
    size: only === undefined ? 0 : 1,
    seek: (moment) => (only !== undefined && isAtMost(source, only, moment) ? only : undefined),
    has: (ordinal) => ordinal === only,
  };
}

/** The tweets of a list created within [since, until), in milliseconds. */
export function within(source: TweetSource, list: Lookup, since: number, until: number): Lookup {
  return {
    size: list.size,
    seek(moment) {
      const found = list.seek(moment.at < until ? moment : { at: until, id: -1n });
      return found !== undefined && source.createdAt(found) >= since ? found : undefined;
    },
    has: (ordinal) => source.createdAt(ordinal) >= since && source.createdAt(ordinal) < until && list.has(ordinal),
  };
}

/** The tweets that all lists have: where one has not, the shortest jumps to what that one has. */
function intersection(source: TweetSource, lists: readonly Lookup[]): Lookup {
  const [lead, ...others] = lists.toSorted((a, b) => a.size - b.size) as [Lookup, ...Lookup[]];
  return {
    size: lead.size,
    seek(moment) {
      let candidate = lead.seek(moment);
      for (let agreed = 0; candidate !== undefined && agreed < others.length; ) {
        const found = others[agreed]!.seek(momentOf(source, candidate));
        if (found === candidate) {
          agreed++;
          continue;
        }
        candidate = found === undefined ? undefined : lead.seek(momentOf(source, found));
        agreed = 0;
      }
      return candidate;
    },
    has: (ordinal) => lists.every((list) => list.has(ordinal)),
  };
}

/** The tweets that any list has. */
function union(source: TweetSource, lists: readonly Lookup[]): Lookup {
  return {
    size: lists.reduce((sum, { size }) => sum + size, 0),
    seek(moment) {
      let newest: number | undefined;
      for (const list of lists) {
        const found = list.seek(moment);
        if (found !== undefined && (newest === undefined || source.order(found, newest) > 0)) newest = found;
      }
      return newest;
    },
    has: (ordinal) => lists.some((list) => list.has(ordinal)),
  };
}

const hasPosting = ({ list, passes }: Postings, ordinal: number): boolean => list.has(ordinal) && (passes === undefined || passes(ordinal));

/** The tweets that all parts have; `everything` need not be asked where something else leads. */
export function all(source: TweetSource, parts: readonly Postings[], everything: Lookup): Postings {
  const checks = parts.flatMap(({ passes }) => passes ?? []);
  const lists = [...new Set(parts.map(({ list }) => list))].filter((list) => list !== everything);
  return {
    list: lists.length > 1 ? intersection(source, lists) : (lists[0] ?? everything),
    passes: checks.length === 0 ? undefined : (ordinal) => checks.every((passes) => passes(ordinal)),
  };
}

/** The tweets that any part has. */
export function any(source: TweetSource, parts: readonly Postings[]): Postings {
  if (parts.length === 1) return parts[0]!;
  const list = union(source, parts.map((part) => part.list));
  return { list, passes: parts.every(({ passes }) => passes === undefined) ? undefined : (ordinal) => parts.some((part) => hasPosting(part, ordinal)) };
}

/** The tweets of a list that a part does not have. */
export const without = (list: Lookup, part: Postings): Postings => ({ list, passes: (ordinal) => !hasPosting(part, ordinal) });

/** Walks from a moment towards the oldest. */
export function* newestFirst(source: TweetSource, { list, passes }: Postings, from: Moment): Generator<number, void> {
  for (let found = list.seek(from); found !== undefined; found = list.seek(olderThan(source, found))) {
    if (passes === undefined || passes(found)) yield found;
  }
}
