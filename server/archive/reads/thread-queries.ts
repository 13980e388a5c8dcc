/** The tweets around a tweet, by statements that each read a bounded number of rows. All tweets exist. */
import { among, sql, type Fragment, type Integer, type RunSql } from '../sql.ts';
import { fromDatabaseId, idOf, idsOf } from '../content/database-id.ts';
import { tweetTables } from '../content/tweet-record.ts';

/** The number of replies that are ranked or searched, and of posts that are scanned. */
const maxRankedReplies = 2000;
const maxScannedPosts = 500;

async function idsFrom(run: RunSql, statement: Fragment): Promise<string[]> {
  return (await run<{ id: Integer }>(statement)).map(({ id }) => fromDatabaseId(id));
}

/** The tweets that a tweet replies to, directly or through others, the nearest first; at most `limit`. */
export async function ancestorsOf(run: RunSql, tweetId: string, limit: number): Promise<string[]> {
  const ids = await idsFrom(
    run,
    sql`WITH RECURSIVE up (id, parent, depth) AS (
        SELECT t.id, t.in_reply_to_id, 0 FROM social_data.tweet t WHERE t.id = ${idOf(tweetId)}
        UNION ALL
        SELECT t.id, t.in_reply_to_id, up.depth + 1
          FROM up JOIN social_data.tweet t ON t.id = up.parent WHERE up.depth < ${limit})
      SELECT id FROM up ORDER BY depth`,
  );
  // Tweets that reply to each other in a circle come again and again.
  const first = ids.findIndex((id, index) => ids.indexOf(id) < index);
  return ids.slice(1, first < 0 ? undefined : first);
}

/** The replies with the most engagement of the newest ones, highest first; the newer one wins a tie. */
export const topRepliesTo = (run: RunSql, tweetId: string, limit: number): Promise<string[]> =>
  idsFrom(
    run,
    sql`SELECT t.id FROM ${tweetTables} WHERE t.id IN (SELECT r.id FROM social_data.tweet r
        WHERE r.in_reply_to_id = ${idOf(tweetId)} ORDER BY r.created_at DESC, r.id DESC LIMIT ${maxRankedReplies})
      ORDER BY c.engagement DESC, t.created_at DESC, t.id DESC LIMIT ${limit}`,
  );

/** The newest other tweets of the author of a tweet that are of its kind, without retweets. */
export async function comparableTo(run: RunSql, tweetId: string, limit: number): Promise<string[]> {
  const [tweet] = await run<{ author_id: Integer; in_reply_to_id: Integer | null }>(
    sql`SELECT author_id, in_reply_to_id FROM social_data.tweet WHERE id = ${idOf(tweetId)}`,
  );
  if (tweet === undefined) return [];
  const isReply = tweet.in_reply_to_id !== null;
  const rows = await run<{ id: Integer; in_reply_to_id: Integer | null; retweeted_id: Integer | null }>(
    sql`SELECT t.id, t.in_reply_to_id, t.retweeted_id FROM social_data.tweet t
      WHERE t.author_id = ${{ id: String(tweet.author_id) }} ${isReply ? sql`` : sql`AND t.in_reply_to_id IS NULL`}
      ORDER BY t.created_at DESC, t.id DESC LIMIT ${maxScannedPosts}`,
  );
  const others = rows.filter((row) => row.retweeted_id === null && (row.in_reply_to_id !== null) === isReply);
  return others
    .map(({ id }) => fromDatabaseId(id))
    .filter((id) => id !== tweetId)
    .slice(0, limit);
}

/** The author's oldest reply to a tweet, the author's oldest reply to that one, and so on. */
export async function continuationOf(run: RunSql, tweetId: string, limit: number): Promise<string[]> {
  const seen = [tweetId];
  while (seen.length <= limit) {
    const [next] = await idsFrom(
      run,
      sql`SELECT r.id FROM (SELECT t.id, t.author_id, t.created_at FROM social_data.tweet t
          WHERE t.in_reply_to_id = ${idOf(seen.at(-1) ?? tweetId)} ORDER BY t.created_at, t.id LIMIT ${maxRankedReplies}) AS r
        WHERE r.author_id = (SELECT author_id FROM social_data.tweet WHERE id = ${idOf(tweetId)})
          AND NOT ${among('r.id', idsOf(seen))}
        ORDER BY r.created_at, r.id LIMIT 1`,
    );
    if (next === undefined) break;
    seen.push(next);
  }
  return seen.slice(1);
}
