/** Tweets in order of time, walked from the newest and skipped through: what every query is made of. */
import type { Timeline } from '../archive/timeline.ts';
import type { TweetSource } from './search.ts';

/** A place in the order of all tweets. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: bigint;
}

export interface Postings {
  /** The newest tweet at this moment or before; undefined where there is none. */
  seek(moment: Moment): number | undefined;
  /** About how many tweets it has: the shortest leads. */
  readonly size: number;
}

/** Later than every tweet. */
export const endOfTime: Moment = { at: Number.POSITIVE_INFINITY, id: 0n };

export const momentOf = (source: TweetSource, ordinal: number): Moment => ({ at: source.createdAt(ordinal), id: source.id(ordinal) });
/** Just before a tweet. */
export const olderThan = (source: TweetSource, ordinal: number): Moment => ({ at: source.createdAt(ordinal), id: source.id(ordinal) - 1n });

/** The tweets of a list; nothing where there is no list. */
export function listed(source: TweetSource, timeline: Timeline | undefined): Postings {
  return {
    size: timeline?.length ?? 0,
    seek: ({ at, id }) =>
      timeline?.newest(source.order, (ordinal) => {
        const created = source.createdAt(ordinal);
        return created < at || (created === at && source.id(ordinal) <= id);
      }),
  };
}

/** The tweets that all have: where one has not, the lead jumps to what that one has. */
export function all(source: TweetSource, lists: readonly Postings[]): Postings {
  const [lead, ...others] = lists.toSorted((a, b) => a.size - b.size) as [Postings, ...Postings[]];
  const seek = (moment: Moment): number | undefined => {
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
  };
  return { size: lead.size, seek };
}

/** The tweets that any has. */
export function any(source: TweetSource, lists: readonly Postings[]): Postings {
  if (lists.length === 1) return lists[0]!;
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
  };
}

/** The tweets of a list that pass. */
export function passing(source: TweetSource, list: Postings, passes: (ordinal: number) => boolean): Postings {
  return {
    size: list.size,
    seek(moment) {
      let found = list.seek(moment);
      while (found !== undefined && !passes(found)) found = list.seek(olderThan(source, found));
      return found;
    },
  };
}

/** The tweets of a list created within [since, until). */
export function within(source: TweetSource, list: Postings, since: number, until: number): Postings {
  return {
    size: list.size,
    seek(moment) {
      const found = list.seek(moment.at < until ? moment : { at: until, id: -1n });
      return found !== undefined && source.createdAt(found) >= since ? found : undefined;
    },
  };
}
