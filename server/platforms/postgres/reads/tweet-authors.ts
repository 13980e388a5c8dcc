/** The authors of tweets, also of removed ones. */
import type { Statement } from '../../../storage/postgres/database.ts';
import { toDatabaseId } from '../rows/database-id.ts';

/** The columns `id` and `author_id` of tweets that are in the tables, or were. */
export const readAuthors = (tweetIds: readonly string[]): Statement => ({
  text: `SELECT id, author_id FROM social_data.tombstone WHERE author_id IS NOT NULL AND id = ANY ($1::bigint[])
    UNION ALL SELECT id, author_id FROM social_data.tweet WHERE id = ANY ($1::bigint[])`,
  params: [[...new Set(tweetIds)].map(toDatabaseId)],
});
