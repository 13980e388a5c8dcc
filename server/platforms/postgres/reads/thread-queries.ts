/** The tweets around a tweet, by statements that each read a bounded number of rows. All tweets exist. */
import type { Run } from '../../../storage/postgres/database.ts';
import { fromDatabaseId, toDatabaseId } from '../rows/database-id.ts';

/** The number of replies that are ranked or searched, and of posts that are scanned: see archive-platform.ts. */
const maxRankedReplies = 2000;
const maxScannedPosts = 500;

interface IdRow {
  readonly id: string;
}

async function idsOf(
  run: Run,
  text: string,
  params: readonly (string | number | readonly string[])[],
): Promise<string[]> {
  return (await run<IdRow>({ text, params })).map(({ id }) => fromDatabaseId(id));
}

/** The tweets that a tweet replies to, directly or through others, the nearest first; at most `limit`. */
export const ancestorsOf = (run: Run, tweetId: string, limit: number): Promise<string[]> =>
  idsOf(
    run,
    `WITH RECURSIVE up (id, parent, depth, path) AS (
        SELECT t.id, t.in_reply_to_id, 0, ARRAY[t.id] FROM social_data.tweet t WHERE t.id = $1
        UNION ALL
        SELECT t.id, t.in_reply_to_id, up.depth + 1, up.path || t.id
          FROM up JOIN social_data.tweet t ON t.id = up.parent WHERE up.depth < $2 AND NOT t.id = ANY (up.path))
      SELECT id FROM up WHERE depth > 0 ORDER BY depth`,
    [toDatabaseId(tweetId), limit],
  );

/** The replies with the most engagement of the newest ones, highest first; the newer one wins a tie. */
export const topRepliesTo = (run: Run, tweetId: string, limit: number): Promise<string[]> =>
  idsOf(
    run,
    `SELECT r.id FROM (SELECT t.id, t.created_at FROM social_data.tweet t WHERE t.in_reply_to_id = $1
        ORDER BY t.created_at DESC, t.id DESC LIMIT ${maxRankedReplies}) AS r
      JOIN social_data.tweet_count c ON c.id = r.id
      ORDER BY c.engagement DESC, r.created_at DESC, r.id DESC LIMIT $2`,
    [toDatabaseId(tweetId), limit],
  );

/** The newest other tweets of the author of a tweet that are of its kind, without retweets. */
export const comparableTo = (run: Run, tweetId: string, limit: number): Promise<string[]> =>
  idsOf(
    run,
    `SELECT s.id FROM social_data.tweet o JOIN LATERAL (
        SELECT t.id, t.created_at, t.in_reply_to_id, t.retweeted_id FROM social_data.tweet t
        WHERE t.author_id = o.author_id AND (o.in_reply_to_id IS NOT NULL OR t.in_reply_to_id IS NULL)
        ORDER BY t.created_at DESC, t.id DESC LIMIT ${maxScannedPosts}) AS s ON true
      WHERE o.id = $1 AND s.id <> o.id AND s.retweeted_id IS NULL
        AND (s.in_reply_to_id IS NULL) = (o.in_reply_to_id IS NULL)
      ORDER BY s.created_at DESC, s.id DESC LIMIT $2`,
    [toDatabaseId(tweetId), limit],
  );

/** The author's oldest reply to a tweet, the author's oldest reply to that one, and so on. */
export async function continuationOf(run: Run, tweetId: string, limit: number): Promise<string[]> {
  const seen = [tweetId];
  while (seen.length <= limit) {
    const [next] = await idsOf(
      run,
      `SELECT r.id FROM (SELECT t.id, t.author_id, t.created_at FROM social_data.tweet t WHERE t.in_reply_to_id = $1
          ORDER BY t.created_at, t.id LIMIT ${maxRankedReplies}) AS r
        WHERE r.author_id = (SELECT author_id FROM social_data.tweet WHERE id = $2) AND NOT r.id = ANY ($3::bigint[])
        ORDER BY r.created_at, r.id LIMIT 1`,
      [toDatabaseId(seen.at(-1) ?? tweetId), toDatabaseId(tweetId), seen.map(toDatabaseId)],
    );
    if (next === undefined) break;
    seen.push(next);
  }
  return seen.slice(1);
}
