/** The ranking of `discover`: recency and engagement within a community. */
import { TopK } from '../../collections/top-k.ts';
import type { Page, PageRequest, Position } from '../../contract/page.ts';
import { badRequest } from '../../contract/service-error.ts';
import { isId } from '../../domain/record-id.ts';
import { communityRank, rankOfLogarithm } from '../../search/community-rank.ts';
import { sameTweet, sql, type Fragment, type Integer, type RunSql, type Value } from '../sql.ts';
import { tweetTables } from '../content/tweet-record.ts';
import { fromDatabaseId, idOf, toDatabaseId } from '../content/database-id.ts';
import { engagementAt, headOf } from './engagement-at.ts';

interface Ranked {
  readonly id: string;
  /** The stored id, for the order. */
  readonly place: bigint;
  readonly rank: number;
}

const compare = (a: Ranked, b: Ranked): number =>
  b.rank - a.rank || (a.place < b.place ? 1 : a.place > b.place ? -1 : 0);

/**
 * A page of a community's tweets, highest rank first, ties by the id, highest first. All pages use the engagement at the commit of the first page
 * and leave out later tweets, so no page repeats or loses a tweet.
 *
 * `isIndexed`: whether the ranks of all tweets are in the tables. A page then reads its own tweets, and those of the community whose engagement has changed since
 * the first page; otherwise all tweets of the community. Rejects with StoreError, and with ServiceError 400 for a position of another list.
 */
export async function rankedPage(
  run: RunSql,
  communityId: string,
  { after, limit }: PageRequest,
  isIndexed: boolean,
): Promise<Page<string>> {
  const position = after && positionOf(after);
  const commit = position?.commit ?? (await headOf(run));
  const last = position?.last;
  const community = idOf(communityId);
  const statement = isIndexed
    ? sql`SELECT * FROM (${ofIndex({ community, commit, last, limit: limit + 1 })}) AS ranked
        UNION ALL ${changedSince(community, commit)}`
    : sql`${tweetsAt(commit)} AND t.community_id = ${community}`.long();
  const rows = await run<{ id: Integer; at: Integer; engagement: Integer; rank: Integer | null }>(statement);
  const best = new TopK<Ranked>(limit + 1, compare);
  for (const { id, at, engagement, rank } of rows) {
    const ranked = {
      ...{ id: fromDatabaseId(id), place: BigInt(id) },
      rank: rank === null ? communityRank(Number(engagement), Number(at)) : Number(rank),
    };
    if (last === undefined || compare(last, ranked) < 0) best.add(ranked);
  }
  const items = best.items.slice(0, limit);
  const end = items.at(-1);
  return {
    items: items.map(({ id }) => id),
    next: best.items.length > limit && end !== undefined ? [commit, end.rank, end.id] : null,
  };
}

interface IndexPage {
  readonly community: Value;
  readonly commit: number;
  readonly last: Ranked | undefined;
  readonly limit: number;
}

/** The next tweets of the index that are as they were at a commit. */
function ofIndex({ community, commit, last, limit }: IndexPage): Fragment {
  const behind =
    last === undefined
      ? sql``
      : sql` AND c.rank <= ${last.rank} AND (c.rank < ${last.rank} OR t.id < ${idOf(last.id)})`;
  // The look-up by a sub-query: PostgreSQL would read all of `engagement_before` for a join. A comparison: it would expect that `IS NULL`
  // is hardly ever true, and sort all tweets of the community.
  return sql`SELECT t.id, t.created_at AS at, c.engagement, c.rank
    FROM social_data.tweet_count c JOIN social_data.tweet t ON ${sameTweet('c', 't')}
    WHERE c.community_id = ${community}${behind} AND t.arrived_in <= ${commit} AND coalesce((SELECT b."commit"
      FROM social_data.engagement_before b WHERE b.id = t.id AND b."commit" + 0 > ${commit} LIMIT 1), 0) <= ${commit}
    ORDER BY c.rank DESC, t.id DESC LIMIT ${limit}`;
}

/** Tweets with their engagement as of a commit. */
const tweetsAt = (
  commit: number,
): Fragment => sql`SELECT t.id, t.created_at AS at, ${engagementAt(commit)} AS engagement,
  NULL AS rank FROM ${tweetTables} WHERE t.arrived_in <= ${commit}`;

/** Those of a community whose engagement has changed since a commit. The sum keeps the databases from reading the index of all its tweets. */
const changedSince = (community: Value, commit: number): Fragment =>
  sql`${tweetsAt(commit)} AND t.community_id + 0 = ${community} AND t.id IN (SELECT b.id
    FROM social_data.engagement_before b WHERE b.community_id = ${community} AND b."commit" > ${commit})`;

/** What a position says. Versions before 1.3 wrote the logarithm of the score, and the time of creation behind it. */
function positionOf(position: Position): { readonly commit: number; readonly last: Ranked } {
  const [commit, first, ...rest] = position;
  const [id, createdAt] = rest.toReversed();
  const isKnown = rest.length === 1 || (rest.length === 2 && typeof createdAt === 'number');
  if (!Number.isSafeInteger(commit) || typeof first !== 'number' || typeof id !== 'string' || !isId(id) || !isKnown)
    throw badRequest("'cursor' belongs to another data source");
  const rank = typeof createdAt === 'number' ? rankOfLogarithm(first, createdAt) : first;
  return { commit: Number(commit), last: { id, rank, place: BigInt(toDatabaseId(id)) } };
}
