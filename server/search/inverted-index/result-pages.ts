/** Pages of search results in the orders `Latest` and `Top`. */
import { TopK } from '../../collections/top-k.ts';
import { badRequest } from '../../contract/service-error.ts';
import type { Page, PageRequest, Position } from '../../contract/page.ts';
import type { TweetSource } from '../tweet-source.ts';
import type { ChronologicalOrder } from './chronological-order.ts';
import type { EngagementTiers } from './engagement-tiers.ts';
import { all, next, ordinalIterator, type Postings, type PostingsIterator } from './postings.ts';

/** The tweets of an archive, and their order. */
interface Tweets {
  readonly source: TweetSource;
  readonly chronology: ChronologicalOrder;
}

type Matching = Postings & { readonly iterator: PostingsIterator };

/** The tweets to page through, newest first. */
export interface LatestResults extends Tweets {
  readonly postings: Matching;
}

/** The tweets to page through by engagement. */
export interface TopResults extends Tweets {
  /** The tweets that match: new postings with each call. `maxSeeks`: an upper bound of the ranks that they are asked for. */
  readonly postings: (maxSeeks?: number) => Matching;
  readonly tiers: Pick<EngagementTiers, 'at'>;
  /** A lower bound of the engagement of all tweets that match. */
  readonly minEngagement: number;
}

/** Newest first by (created_at, id). */
export function latestPage(
  { source, chronology, postings }: LatestResults,
  { after, limit }: PageRequest,
): Page<number> {
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

interface ScoredRank {
  readonly rank: number;
  readonly score: number;
}

/** What a page by engagement contains: the tweets after the last one shown, by their engagement at a revision. */
interface Wanted {
  readonly limit: number;
  readonly revision: number;
  readonly lastShown: ScoredRank | undefined;
}

/**
 * Sorts by the engagement at the time of the first page and ignores tweets that arrived later; the newer tweet wins a
 * tie. Reads the tweets of the smallest tier that is known to contain the page, or else all that match.
 */
export function topPage(results: TopResults, { after, limit }: PageRequest): Page<number> {
  const { source, chronology, postings, tiers, minEngagement } = results;
  const [revision = source.revision, score, at = 0, id = '0'] = (
    after === undefined ? [] : parsePosition(after, 4)
  ) as [number?, number?, number?, string?];
  const lastShown =
    score === undefined
      ? undefined
      : { score, rank: chronology.count((ordinal) => source.isOlder(ordinal, at, BigInt(id))) };
  const wanted = { limit, revision, lastShown };
  for (const { threshold, ordinals } of tiers.at(revision)) {
    const tier = { iterator: ordinalIterator(ordinals, chronology.ranks) };
    const best = bestOf(results, all([postings(ordinals.length), tier]) as Matching, wanted);
    // All tweets outside of the tier have less engagement than the threshold.
    if (minEngagement >= threshold || (best.worst !== undefined && best.worst.score >= threshold))
      return pageOf(results, best, wanted);
  }
  return pageOf(results, bestOf(results, postings(), wanted), wanted);
}

/** The best tweets of a page, and the one after them. */
function bestOf({ source, chronology }: Tweets, matching: Matching, wanted: Wanted): TopK<ScoredRank> {
  const { limit, revision, lastShown } = wanted;
  const { byRank } = chronology;
  const best = new TopK<ScoredRank>(limit + 1, (a, b) => b.score - a.score || b.rank - a.rank);
  for (let rank = chronology.size; (rank = next(matching, rank - 1)) >= 0;) {
    const ordinal = byRank[rank]!;
    if (source.isGone(ordinal)) continue;
    const score = source.engagement(ordinal, revision);
    // The iteration is newest first, so a tweet with the same score as the worst result ranks after it.
    if (best.worst !== undefined && score <= best.worst.score) continue;
    if (lastShown !== undefined && (score > lastShown.score || (score === lastShown.score && rank >= lastShown.rank)))
      continue;
    if (source.arrivedAt(ordinal) <= revision) best.add({ rank, score });
  }
  return best;
}

function pageOf({ source, chronology }: Tweets, best: TopK<ScoredRank>, { limit, revision }: Wanted): Page<number> {
  const items = best.items.slice(0, limit).map(({ rank, score }) => ({ ordinal: chronology.byRank[rank]!, score }));
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
