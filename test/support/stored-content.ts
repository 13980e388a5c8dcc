/** What the tables of a SQLite file hold, read at once: for the conditions of tests, and for what a test expects. */
import { fromDatabaseId, idOf } from '../../server/archive/content/database-id.ts';
import { commitLog } from '../../server/archive/content/commit-log.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../../server/archive/content/tweet-record.ts';
import { sql, type Fragment, type Integer } from '../../server/archive/sql.ts';
import { rendered } from '../../server/engines/sqlite/sqlite-dialect.ts';
import type { SqliteDatabase } from '../../server/engines/sqlite/sqlite-database.ts';
import type { ArchivedTweet, ArchivedUser } from '../../server/domain/records.ts';
import type { Tombstone } from '../../server/domain/tombstone.ts';

export class StoredContent {
  readonly #reader: SqliteDatabase;

  /** `reader`: a connection outside of transactions. */
  constructor(reader: SqliteDatabase) {
    this.#reader = reader;
  }

  /** The number of tweets. */
  get tweets(): number {
    return this.#count(sql`SELECT count(*) AS n FROM social_data.tweet`);
  }

  /** The number of profiles. */
  get profiles(): number {
    return this.#count(sql`SELECT count(*) AS n FROM social_data.person WHERE described_at IS NULL`);
  }

  /** The number of the last transaction that changed something. */
  get commit(): number {
    return this.#reader.lastSeqOf(commitLog);
  }

  tweet(id: string): ArchivedTweet | undefined {
    const [row] = this.#all<TweetRow>(sql`SELECT ${tweetColumns} FROM ${tweetTables} WHERE t.id = ${idOf(id)}`);
    return row && tweetOf(row);
  }

  has(tweetId: string): boolean {
    return this.#count(sql`SELECT count(*) AS n FROM social_data.tweet WHERE id = ${idOf(tweetId)}`) > 0;
  }

  /** The ids of all tweets, in their order. */
  get tweetIds(): string[] {
    return this.#ids(sql`SELECT id FROM social_data.tweet ORDER BY id`);
  }

  profile(userId: string): ArchivedUser | undefined {
    return this.#document<ArchivedUser>(
      sql`SELECT document FROM social_data.person WHERE id = ${idOf(userId)} AND described_at IS NULL`,
    );
  }

  /** The ids of all profiles, in their order. */
  get profileIds(): string[] {
    return this.#ids(sql`SELECT id FROM social_data.person WHERE described_at IS NULL ORDER BY id`);
  }

  tombstone(tweetId: string): Tombstone | undefined {
    return this.#document<Tombstone>(sql`SELECT document FROM social_data.tombstone WHERE id = ${idOf(tweetId)}`);
  }

  isRemoved(tweetId: string): boolean {
    return this.tombstone(tweetId) !== undefined;
  }

  isWithdrawn(userId: string): boolean {
    return this.#count(sql`SELECT count(*) AS n FROM social_data.withdrawn WHERE user_id = ${idOf(userId)}`) > 0;
  }

  /** The ids of the users whom a user follows. */
  followings(userId: string): string[] {
    return this.#ids(
      sql`SELECT following_id AS id FROM social_data.follow WHERE follower_id = ${idOf(userId)} AND at IS NOT NULL`,
    );
  }

  /** The ids of the users who have retweeted a tweet. */
  retweeters(tweetId: string): string[] {
    return this.#ids(
      sql`SELECT user_id AS id FROM social_data.retweet WHERE tweet_id = ${idOf(tweetId)} AND at IS NOT NULL`,
    );
  }

  /** The position of a live source. */
  position(source: string): string | undefined {
    const [row] = this.#all<{ position: string }>(
      sql`SELECT position FROM social_data.source_position WHERE source = ${source}`,
    );
    return row?.position;
  }

  #document<Value>(statement: Fragment): Value | undefined {
    const [row] = this.#all<{ document: string }>(statement);
    return row && (JSON.parse(row.document) as Value);
  }

  #ids(statement: Fragment): string[] {
    return this.#all<{ id: Integer }>(statement).map(({ id }) => fromDatabaseId(id));
  }

  #count(statement: Fragment): number {
    return Number(this.#all<{ n: Integer }>(statement)[0]?.n);
  }

  #all<Found extends object>(statement: Fragment): Found[] {
    const { text, params } = rendered(statement);
    return this.#reader.all<Found>(text, ...params);
  }
}
