/**
 * Postings iterators over the ranks of tweets, newest first, with skipping. Every query is composed of them. A
 * condition that cannot be listed becomes a filter on the results of the iterators.
 */

/** A forward-only iterator over descending ranks, for one reader. */
export interface PostingsIterator {
  /** An upper bound of the number of tweets. An intersection starts with the smallest iterator. */
  readonly size: number;
  /** Returns the highest rank at or below the bound, or -1. The bound must not be higher than in the previous call. */
  seek(bound: number): number;
}

/** A list of ordinals, oldest first, and the ranks by ordinal. */
interface RankedList {
  readonly list: Uint32Array;
  readonly ranks: Uint32Array;
}

const isList = (iterator: PostingsIterator): iterator is PostingsIterator & RankedList => 'list' in iterator;

/**
 * The result of a condition: the tweets of the iterator (all tweets without one) that pass the filter (all without
 * one).
 */
export interface Postings {
  readonly iterator?: PostingsIterator;
  readonly filter?: (rank: number) => boolean;
}

/**
 * Iterates over a list of ordinals, oldest first in the list, by galloping search: n seeks over m tweets cost O(n ×
 * log(m / n)).
 */
export function ordinalIterator(ordinals: Uint32Array, ranks: Uint32Array): PostingsIterator & RankedList {
  let index = ordinals.length - 1;
  let current = index < 0 ? -1 : ranks[ordinals[index]!]!;
  return {
    size: ordinals.length,
    list: ordinals,
    ranks,
    seek(bound) {
      if (current <= bound) return current;
      index = placeAtMost(ordinals, ranks, index, bound);
      current = index < 0 ? -1 : ranks[ordinals[index]!]!;
      return current;
    },
  };
}

/** The last place, from a place downwards, with a rank at or below the bound, or -1. */
function placeAtMost(ordinals: Uint32Array, ranks: Uint32Array, from: number, bound: number): number {
  let above = from;
  let low = from;
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
  return low;
}

/** Iterates over the ranks [low, high). */
export const rankRange = (low: number, high: number): PostingsIterator => ({
  size: Math.max(0, high - low),
  seek(bound) {
    const rank = bound < high ? bound : high - 1;
    return rank >= low ? rank : -1;
  },
});

const emptyIterator: PostingsIterator = { size: 0, seek: () => -1 };

/** The intersection. The smallest iterator proposes a rank; the others confirm it or skip further. */
function intersection(iterators: readonly PostingsIterator[]): PostingsIterator {
  const lists = iterators.filter(isList);
  if (lists.length > 1 && lists.length < iterators.length)
    return intersection([listIntersection(lists), ...iterators.filter((each) => !isList(each))]);
  if (lists.length > 1) return listIntersection(lists);
  const [lead, ...others] = iterators.toSorted((a, b) => a.size - b.size) as [PostingsIterator, ...PostingsIterator[]];
  if (others.length === 0) return lead;
  return {
    size: lead.size,
    seek(bound) {
      let candidate = lead.seek(bound);
      for (let agreed = 0; candidate >= 0 && agreed < others.length;) {
        const rank = others[agreed]!.seek(candidate);
        if (rank === candidate) {
          agreed++;
        } else {
          candidate = lead.seek(rank);
          agreed = 0;
        }
      }
      return candidate;
    },
  };
}

/** The intersection of at least two lists. Faster than the iterators of the lists: most steps are to the place before. */
function listIntersection(lists: readonly RankedList[]): PostingsIterator {
  const [lead, ...others] = lists.map(({ list }) => list).toSorted((a, b) => a.length - b.length) as [
    Uint32Array,
    ...Uint32Array[],
  ];
  const { ranks } = lists[0]!;
  const places = others.map(({ length }) => length - 1);
  let place = lead.length - 1;
  let current = Number.POSITIVE_INFINITY;
  /** Moves the other lists to a rank. Returns the rank, or the highest one below it that the first list without it has. */
  const confirm = (rank: number): number => {
    for (let index = 0; index < others.length; index++) {
      const other = others[index]!;
      const at = placeAtMost(other, ranks, places[index]!, rank);
      places[index] = at;
      const found = at < 0 ? -1 : ranks[other[at]!]!;
      if (found !== rank) return found;
    }
    return rank;
  };
  return {
    size: lead.length,
    seek(bound) {
      for (let wanted = bound; current > bound;) {
        place = placeAtMost(lead, ranks, place, wanted);
        const rank = place < 0 ? -1 : ranks[lead[place]!]!;
        wanted = rank < 0 ? -1 : confirm(rank);
        if (wanted === rank || wanted < 0) current = wanted;
      }
      return current;
    },
  };
}

/** The number of ranks that a union of many iterators reads at once. */
const windowSize = 1024;
const maxSeekTogether = 8;

/** The union of the iterators, with the given seek function. */
const union = (iterators: readonly PostingsIterator[], seek: PostingsIterator['seek']): PostingsIterator => ({
  size: iterators.reduce((sum, { size }) => sum + size, 0),
  seek,
});

/** Seeks in every iterator. Each iterator is then at the rank of the union, so that `has` can test that rank. */
function seekTogether(iterators: readonly PostingsIterator[]): PostingsIterator['seek'] {
  return (bound) => {
    let newest = -1;
    for (const iterator of iterators) {
      const rank = iterator.seek(bound);
      if (rank > newest) newest = rank;
    }
    return newest;
  };
}

/**
 * Reads all iterators one window of ranks at a time. Seeking in each of many iterators for each rank would cost more.
 */
function seekByWindows(iterators: readonly PostingsIterator[]): PostingsIterator['seek'] {
  const matching = new Uint8Array(windowSize);
  let low = Number.POSITIVE_INFINITY;
  return (bound) => {
    while (bound >= 0) {
      if (bound < low) {
        let newest = -1;
        for (const iterator of iterators) newest = Math.max(newest, iterator.seek(bound));
        if (newest < 0) return -1;
        bound = newest;
        low = Math.max(0, newest - windowSize + 1);
        matching.fill(0);
        for (const iterator of iterators)
          for (let rank = iterator.seek(newest); rank >= low; rank = iterator.seek(rank - 1)) matching[rank - low] = 1;
      }
      const index = matching.lastIndexOf(1, bound - low);
      if (index >= 0) return low + index;
      bound = low - 1;
    }
    return -1;
  };
}

const has = ({ iterator, filter }: Postings, rank: number): boolean =>
  (iterator === undefined || iterator.seek(rank) === rank) && (filter === undefined || filter(rank));

/** The tweets that match all parts. */
export function all(parts: readonly Postings[]): Postings {
  const iterators = parts.flatMap(({ iterator }) => iterator ?? []);
  const filters = parts.flatMap(({ filter }) => filter ?? []);
  return {
    ...(iterators.length === 0 ? {} : { iterator: intersection(iterators) }),
    ...(filters.length === 0
      ? {}
      : { filter: filters.length === 1 ? filters[0]! : (rank: number) => filters.every((filter) => filter(rank)) }),
  };
}

/** The tweets that match at least one part. `maxSeeks`: an upper bound of the ranks that the caller asks for, if it knows one. */
export function any(parts: readonly Postings[], maxSeeks = Number.POSITIVE_INFINITY): Postings {
  const nonEmpty = parts.filter(({ iterator }) => iterator?.size !== 0);
  if (nonEmpty.length === 0) return { iterator: emptyIterator };
  if (nonEmpty.length === 1) return nonEmpty[0]!;
  const iterators = nonEmpty.flatMap(({ iterator }) => iterator ?? []);
  const filter = (rank: number): boolean => nonEmpty.some((part) => has(part, rank));
  if (iterators.length < nonEmpty.length) return { filter };
  const together = union(iterators, seekTogether(iterators));
  if (nonEmpty.some((part) => part.filter !== undefined)) return { iterator: together, filter };
  const areFewSeeks = iterators.length <= maxSeekTogether || iterators.length * maxSeeks < together.size;
  return { iterator: areFewSeeks ? together : union(iterators, seekByWindows(iterators)) };
}

/** The tweets that do not match the part. */
export const not = (part: Postings): Postings => ({ filter: (rank) => !has(part, rank) });

/** The highest matching rank at or below the bound, or -1. The bound must not increase between calls. */
export function next({ iterator, filter }: Required<Pick<Postings, 'iterator'>> & Postings, bound: number): number {
  let rank = iterator.seek(bound);
  if (filter !== undefined) while (rank >= 0 && !filter(rank)) rank = iterator.seek(rank - 1);
  return rank;
}
