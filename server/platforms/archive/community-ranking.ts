/** The ranking of `discover`: recency and engagement within a community. */
import { badRequest } from '../../contract/service-error.ts';
import type { Page, PageRequest } from '../../contract/page.ts';
import type { Archive } from './archive.ts';
import { TopK } from '../../collections/top-k.ts';

/** The half-life of a tweet's score, in milliseconds. */
export const halfLife = 24 * 60 * 60 * 1000;

/**
 * A page of a community's tweets by (engagement + 1) × 2^(−age / half-life), highest first, ties newest first.
 *
 * The logarithm of the score is log2(engagement + 1) + created_at / half-life − now / half-life. The last term is the
 * same for all tweets, so the order does not depend on the clock and a cursor stays valid. All pages use the engagement
 * at the revision of the first page and leave out later tweets, so no page repeats or loses a tweet. The function reads
 * from the newest tweet to the oldest. It stops where even the community's largest engagement could not lift an older
 * tweet into the top-k.
 */
export function rankCommunity(archive: Archive, communityId: string, { after, limit }: PageRequest): Page<number> {
  const position = after as [revision: number, rank: number, createdAt: number, id: string] | undefined;
  if (position !== undefined && (position.length !== 4 || typeof position[3] !== 'string'))
    throw badRequest("'cursor' belongs to another data source");
  const revision = position?.[0] ?? archive.revision;
  const maxLogEngagement = Math.log2(archive.maxEngagement(communityId) + 1);
  type Ranked = { ordinal: number; rank: number };
  const rankOf = (ordinal: number): number =>
    Math.log2(archive.engagement(ordinal, revision) + 1) + archive.createdAt(ordinal) / halfLife;
  const compare = (a: Ranked, b: Ranked): number => b.rank - a.rank || archive.tweets.order(b.ordinal, a.ordinal);
  const isAfterCursor = ({ ordinal, rank }: Ranked): boolean => {
    if (position === undefined) return true;
    const [, lastRank, lastAt, lastId] = position;
    if (rank !== lastRank) return rank < lastRank;
    return archive.isOlder(ordinal, lastAt, BigInt(lastId));
  };

  const best = new TopK<Ranked>(limit + 1, compare);
  const isCandidate = (ordinal: number): boolean =>
    position === undefined || archive.createdAt(ordinal) / halfLife <= position[1];
  const candidates = archive.communityTweets.get(communityId)?.upTo(archive.tweets.order, isCandidate) ?? [];
  for (let index = candidates.length - 1; index >= 0; index--) {
    const ordinal = candidates[index]!;
    if (best.worst !== undefined && archive.createdAt(ordinal) / halfLife + maxLogEngagement < best.worst.rank) break;
    if (archive.arrivedAt(ordinal) > revision) continue;
    const ranked = { ordinal, rank: rankOf(ordinal) };
    if (isAfterCursor(ranked)) best.add(ranked);
  }
  const items = best.items.slice(0, limit);
  const last = items.at(-1);
  const next = best.items.length > limit && last !== undefined;
  return {
    items: items.map(({ ordinal }) => ordinal),
    next: next ? [revision, last.rank, archive.createdAt(last.ordinal), String(archive.id(last.ordinal))] : null,
  };
}
