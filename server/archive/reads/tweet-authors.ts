/** The authors of tweets, also of removed ones. */
import { among, sql, type Fragment } from '../sql.ts';
import { idsOf } from '../content/database-id.ts';

/** The columns `id` and `author_id` of tweets that are in the tables, or were. */
export function readAuthors(tweetIds: readonly string[]): Fragment {
  const isGiven = among('id', idsOf(new Set(tweetIds)));
  return sql`SELECT id, author_id FROM social_data.tombstone WHERE author_id IS NOT NULL AND ${isGiven}
    UNION ALL SELECT id, author_id FROM social_data.tweet WHERE ${isGiven}`;
}
