/**
 * Tweets by rank, walked from the newest and skipped through: what every query is made of. What can be listed leads, the rest is a
 * check of what the lists find.
 */

/** A walk down the ranks. It has one reader, and goes one way. */
export interface PostingsIterator {
  /** How many tweets at most: the shortest leads. */
  readonly size: number;
  /** The highest rank at or below a bound, or -1 where there is none. A bound is never above the one before it. */
  seek(bound: number): number;
}

/** What a condition finds: the tweets of a walk (all tweets where there is none) that pass a check (all where there is none). */
export interface Postings {
  readonly iterator?: PostingsIterator;
  readonly filter?: (rank: number) => boolean;
}

/** The tweets of a list of ordinals, oldest first. Skips by steps that double: n skips through m tweets cost n × log(m / n). */
export function listed(ordinals: Uint32Array, ranks: Uint32Array): PostingsIterator {
  let place = ordinals.length - 1;
  let current = place < 0 ? -1 : ranks[ordinals[place]!]!;
  return {
    size: ordinals.length,
    seek(bound) {
      if (current <= bound) return current;
      let above = place;
      let low = above - 1;
      for (let step = 1; low >= 0 && ranks[ordinals[low]!]! > bound; step *= 2) {
        above = low;
        low -= step;
      }
      if (low < 0) low = -1;
      while (above - low > 1) {
        const middle = (low + above) >>> 1;
        if (ranks[ordinals[middle]!]! > bound) above = middle;
        else low = middle;
      }
      place = low;
      current = low < 0 ? -1 : ranks[ordinals[low]!]!;
      return current;
    },
  };
}

/** The tweets of the ranks [low, high). */
export const between = (low: number, high: number): PostingsIterator => ({
  size: Math.max(0, high - low),
  seek(bound) {
    const rank = bound < high ? bound : high - 1;
    return rank >= low ? rank : -1;
  },
});

const nothing: PostingsIterator = { size: 0, seek: () => -1 };

/** The tweets that all walks have: where one has not, the shortest skips to what that one has. */
function intersection(walks: readonly PostingsIterator[]): PostingsIterator {
  const [lead, ...others] = walks.toSorted((a, b) => a.size - b.size) as [PostingsIterator, ...PostingsIterator[]];
  if (others.length === 0) return lead;
  return {
    size: lead.size,
    seek(bound) {
      let candidate = lead.seek(bound);
      for (let agreed = 0; candidate >= 0 && agreed < others.length;) {
        const found = others[agreed]!.seek(candidate);
        if (found === candidate) {
          agreed++;
        } else {
          candidate = lead.seek(found);
          agreed = 0;
        }
      }
      return candidate;
    },
  };
}

/** Ranks that a union of many walks takes in at once. */
const windowLength = 1024;
const manyWalks = 8;

/** The tweets that any walk has. */
const union = (walks: readonly PostingsIterator[], seek: PostingsIterator['seek']): PostingsIterator => ({
  size: walks.reduce((sum, { size }) => sum + size, 0),
  seek,
});

/** Leaves each walk where the union is, so that it can be asked whether it has what was found. */
function seekTogether(walks: readonly PostingsIterator[]): PostingsIterator['seek'] {
  return (bound) => {
    let newest = -1;
    for (const walk of walks) {
      const rank = walk.seek(bound);
      if (rank > newest) newest = rank;
    }
    return newest;
  };
}

/** To ask each of many walks for each rank costs by their number; here each runs ahead and gives its ranks of a window in one go. */
function seekByWindows(walks: readonly PostingsIterator[]): PostingsIterator['seek'] {
  const found = new Uint8Array(windowLength);
  let low = Number.POSITIVE_INFINITY;
  return (bound) => {
    while (bound >= 0) {
      if (bound < low) {
        let newest = -1;
        for (const walk of walks) newest = Math.max(newest, walk.seek(bound));
        if (newest < 0) return -1;
        bound = newest;
        low = Math.max(0, newest - windowLength + 1);
        found.fill(0);
        for (const walk of walks)
          for (let rank = walk.seek(newest); rank >= low; rank = walk.seek(rank - 1)) found[rank - low] = 1;
      }
      const place = found.lastIndexOf(1, bound - low);
      if (place >= 0) return low + place;
      bound = low - 1;
    }
    return -1;
  };
}

const has = ({ iterator: walk, filter: passes }: Postings, rank: number): boolean =>
  (walk === undefined || walk.seek(rank) === rank) && (passes === undefined || passes(rank));

/** The tweets that all parts have. */
export function all(parts: readonly Postings[]): Postings {
  const walks = parts.flatMap(({ iterator: walk }) => walk ?? []);
  const checks = parts.flatMap(({ filter: passes }) => passes ?? []);
  return {
    ...(walks.length === 0 ? {} : { iterator: intersection(walks) }),
    ...(checks.length === 0
      ? {}
      : { filter: checks.length === 1 ? checks[0]! : (rank: number) => checks.every((passes) => passes(rank)) }),
  };
}

/** The tweets that any part has. */
export function any(parts: readonly Postings[]): Postings {
  const some = parts.filter(({ iterator: walk }) => walk?.size !== 0);
  if (some.length === 0) return { iterator: nothing };
  if (some.length === 1) return some[0]!;
  const walks = some.flatMap(({ iterator: walk }) => walk ?? []);
  const passes = (rank: number): boolean => some.some((part) => has(part, rank));
  if (walks.length < some.length) return { filter: passes };
  if (some.some((part) => part.filter !== undefined))
    return { iterator: union(walks, seekTogether(walks)), filter: passes };
  return { iterator: union(walks, walks.length > manyWalks ? seekByWindows(walks) : seekTogether(walks)) };
}

/** The tweets that a part does not have. */
export const not = (part: Postings): Postings => ({ filter: (rank) => !has(part, rank) });

/** The highest rank at or below a bound that is found, or -1. Bounds only fall. */
export function next({ iterator, filter }: Required<Pick<Postings, 'iterator'>> & Postings, bound: number): number {
  let rank = iterator.seek(bound);
  if (filter !== undefined) while (rank >= 0 && !filter(rank)) rank = iterator.seek(rank - 1);
  return rank;
}
