/** The tweets around a tweet, by statements that each read a bounded number of rows. All tweets exist. */
import { among, given, sql, type Fragment, type Integer, type RunSql, type Value } from '../sql.ts';
import { fromDatabaseId, idOf, idsOf } from '../content/database-id.ts';
import { tweetTables } from '../content/tweet-record.ts';

/** The number of replies or quotes that are ranked or searched, and of posts that are scanned. */
const maxRanked = 2000;
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
  topAmong(run, sql`r.in_reply_to_id = ${idOf(tweetId)}`, limit);

/** The tweets that quote a tweet, without native retweets of them, as `topRepliesTo`. */
export const topQuotesOf = (run: RunSql, tweetId: string, limit: number): Promise<string[]> =>
  topAmong(run, sql`r.quoted_id = ${idOf(tweetId)} AND r.retweeted_id IS NULL`, limit);

const topAmong = (run: RunSql, condition: Fragment, limit: number): Promise<string[]> =>
  idsFrom(
    run,
    sql`SELECT t.id FROM ${tweetTables} WHERE t.id IN (SELECT r.id FROM social_data.tweet r
        WHERE ${condition} ORDER BY r.created_at DESC, r.id DESC LIMIT ${maxRanked})
      ORDER BY c.engagement DESC, t.created_at DESC, t.id DESC LIMIT ${limit}`,
  );

/** The replies to some tweets, the replies to these, and so on, each once: of each level the newest `limit`, newest first. */
export async function repliesBelow(
  run: RunSql,
  tweetIds: readonly string[],
  { levels, limit }: { readonly levels: number; readonly limit: number },
): Promise<string[]> {
  const found = new Set<string>();
  let above = tweetIds;
  for (let level = 0; level < levels && above.length > 0; level++) {
    // Of the replies to one tweet, no others than the newest `limit` are read.
    const replies = await idsFrom(
      run,
      sql`SELECT r.id FROM ${given({ id: idsOf(above) })} JOIN social_data.tweet r ON r.in_reply_to_id = given.id
          AND r.created_at >= (SELECT min(n.created_at) FROM (SELECT t.created_at FROM social_data.tweet t
            WHERE t.in_reply_to_id = given.id ORDER BY t.created_at DESC LIMIT ${limit}) AS n)
        ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}`,
    );
    above = replies.filter((id) => !found.has(id));
    for (const id of above) found.add(id);
  }
  return [...found];
}

/** The newest other tweets of an author that are replies, or that are none, without retweets. */
export function comparableTo(
  run: RunSql,
  { id, author, isReply }: { readonly id: string; readonly author: Value; readonly isReply: boolean },
  limit: number,
): Promise<string[]> {
  // Without an order of its own, the outer statement reads no further than to its limit.
  return idsFrom(
    run,
    sql`SELECT p.id FROM (SELECT t.id, t.in_reply_to_id, t.retweeted_id FROM social_data.tweet t
        WHERE t.author_id = ${author} ${isReply ? sql`` : sql`AND t.in_reply_to_id IS NULL`}
        ORDER BY t.created_at DESC, t.id DESC LIMIT ${maxScannedPosts}) AS p
      WHERE p.retweeted_id IS NULL ${isReply ? sql`AND p.in_reply_to_id IS NOT NULL` : sql``}
        AND p.id <> ${idOf(id)} LIMIT ${limit}`,
  );
}

/** The author's oldest reply to a tweet, the author's oldest reply to that one, and so on. */
export async function continuationOf(run: RunSql, tweetId: string, limit: number): Promise<string[]> {
  const seen = [tweetId];
  while (seen.length <= limit) {
    const [next] = await idsFrom(
      run,
      sql`SELECT r.id FROM (SELECT t.id, t.author_id, t.created_at FROM social_data.tweet t
          WHERE t.in_reply_to_id = ${idOf(seen.at(-1) ?? tweetId)} ORDER BY t.created_at, t.id LIMIT ${maxRanked}) AS r
        WHERE r.author_id = (SELECT author_id FROM social_data.tweet WHERE id = ${idOf(tweetId)})
          AND NOT ${among('r.id', idsOf(seen))}
        ORDER BY r.created_at, r.id LIMIT 1`,
    );
    if (next === undefined) break;
    seen.push(next);
  }
  return seen.slice(1);
}
