/** Pages of search results in the orders `Latest` and `Top`. */
import { TopK } from '../../collections/top-k.ts';
import { badRequest } from '../../contract/service-error.ts';
import type { Page, PageRequest, Position } from '../../contract/page.ts';
import type { TweetSource } from '../tweet-index.ts';
import type { ChronologicalOrder } from './chronological-order.ts';
import { next, type Postings, type PostingsIterator } from './postings.ts';

/** The tweets to page through, and their order. */
export interface Results {
  readonly source: TweetSource;
  readonly chronology: ChronologicalOrder;
  readonly postings: Postings & { readonly iterator: PostingsIterator };
}

/** Newest first by (created_at, id). */
export function latestPage({ source, chronology, postings }: Results, { after, limit }: PageRequest): Page<number> {
  const [at, id] = (after === undefined ? [] : parsePosition(after, 2)) as [number?, string?];
  let rank =
    at === undefined || id === undefined
      ? chronology.size
      : chronology.count((ordinal) => source.isOlder(ordinal, at, BigInt(id)));
  const { byRank } = chronology;
  const items: number[] = [];
  while ((rank = next(postings, rank - 1)) >= 0) {
    if (source.isGone(byRank[rank]!)) continue;
    if (items.length === limit) {
      const last = items.at(-1)!;
      return { items, next: [source.createdAt(last), String(source.id(last))] };
    }
    items.push(byRank[rank]!);
  }
  return { items, next: null };
}

/**
 * Sorts by the engagement at the time of the first page and ignores tweets that arrived later; the newer tweet wins a
 * tie.
 */
export function topPage({ source, chronology, postings }: Results, { after, limit }: PageRequest): Page<number> {
  const [revision = source.revision, score, at = 0, id = '0'] = (
    after === undefined ? [] : parsePosition(after, 4)
  ) as [number?, number?, number?, string?];
  const { byRank } = chronology;
  const lastShown =
    score === undefined
      ? undefined
      : { score, rank: chronology.count((ordinal) => source.isOlder(ordinal, at, BigInt(id))) };
  const best = new TopK<{ rank: number; score: number }>(limit + 1, (a, b) => b.score - a.score || b.rank - a.rank);
  for (let rank = chronology.size; (rank = next(postings, rank - 1)) >= 0;) {
    const ordinal = byRank[rank]!;
    if (source.isGone(ordinal)) continue;
    const engagement = source.engagement(ordinal, revision);
    // The iteration is newest first, so a tweet with the same score as the worst result ranks after it.
    if (best.worst !== undefined && engagement <= best.worst.score) continue;
    if (
      lastShown !== undefined &&
      (engagement > lastShown.score || (engagement === lastShown.score && rank >= lastShown.rank))
    )
      continue;
    if (source.arrivedAt(ordinal) <= revision) best.add({ rank, score: engagement });
  }
  const items = best.items.slice(0, limit).map(({ rank, score }) => ({ ordinal: byRank[rank]!, score }));
  const last = items.at(-1);
  const more = best.items.length > limit && last !== undefined;
  return {
    items: items.map(({ ordinal }) => ordinal),
    next: more ? [revision, last.score, source.createdAt(last.ordinal), String(source.id(last.ordinal))] : null,
  };
}

/**
 * Checks that a position has `length` parts, all of them numbers except the id at the end. Throws ServiceError 400
 * otherwise.
 */
function parsePosition(position: Position, length: number): Position {
  const isValid =
    position.length === length &&
    position.every((part, place) => typeof part === (place === length - 1 ? 'string' : 'number'));
  if (!isValid) throw badRequest("'cursor' belongs to another order");
  return position;
}
