/** The ranking of `discover`: recency and engagement within a community. */
import { TopK } from '../../collections/top-k.ts';
import type { Page, PageRequest } from '../../contract/page.ts';
import { badRequest } from '../../contract/service-error.ts';
import { sql, type Integer, type RunSql } from '../sql.ts';
import { tweetTables } from '../content/tweet-record.ts';
import { fromDatabaseId, idOf, toDatabaseId } from '../content/database-id.ts';
import { isId } from '../../domain/record-id.ts';
import { engagementAt, headOf } from './engagement-at.ts';

/** The half-life of a tweet's score, in milliseconds. */
const halfLife = 24 * 60 * 60 * 1000;

interface Ranked {
  readonly id: string;
  readonly at: number;
  /** The stored id, for the order. */
  readonly place: bigint;
  readonly rank: number;
}

const compare = (a: Ranked, b: Ranked): number =>
  b.rank - a.rank || b.at - a.at || (a.place < b.place ? 1 : a.place > b.place ? -1 : 0);

/**
 * A page of a community's tweets by (engagement + 1) × 2^(−age / half-life), highest first, ties newest first. It reads the keys of all
 * its tweets.
 *
 * The logarithm of the score is log2(engagement + 1) + created_at / half-life − now / half-life. The last term is the same for all tweets,
 * so the order does not depend on the clock and a cursor stays valid. All pages use the engagement at the commit of the first page and
 * leave out later tweets, so no page repeats or loses a tweet. Rejects with StoreError, and
 * with ServiceError 400 for a position of another list.
 */
export async function rankedPage(
  run: RunSql,
  communityId: string,
  { after, limit }: PageRequest,
): Promise<Page<string>> {
  const [first = await headOf(run), rank, at, id] = after ?? [];
  const commit = Number(first);
  const isValid =
    Number.isSafeInteger(first) && typeof rank === 'number' && typeof at === 'number' && typeof id === 'string';
  if (after !== undefined && (after.length !== 4 || !isValid || !isId(id)))
    throw badRequest("'cursor' belongs to another data source");
  const rows = await run<{ id: Integer; at: Integer; engagement: Integer }>(
    sql`SELECT t.id, t.created_at AS at, ${engagementAt(commit)} AS engagement FROM ${tweetTables}
      WHERE t.community_id = ${idOf(communityId)} AND t.arrived_in <= ${commit}`.long(),
  );
  const last = isValid ? { id, at, rank, place: BigInt(toDatabaseId(id)) } : undefined;
  const best = new TopK<Ranked>(limit + 1, compare);
  for (const row of rows) {
    const ranked = {
      ...{ id: fromDatabaseId(row.id), at: Number(row.at), place: BigInt(row.id) },
      rank: Math.log2(Number(row.engagement) + 1) + Number(row.at) / halfLife,
    };
    if (last === undefined || compare(last, ranked) < 0) best.add(ranked);
  }
  const items = best.items.slice(0, limit);
  const end = items.at(-1);
  return {
    items: items.map((each) => each.id),
    next: best.items.length > limit && end !== undefined ? [commit, end.rank, end.at, end.id] : null,
  };
}
