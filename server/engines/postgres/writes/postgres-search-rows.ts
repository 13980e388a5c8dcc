/** The rows by which PostgreSQL finds tweets and users. */
import { countRow } from '../../../archive/content/content-rows.ts';
import { idsOf, toDatabaseId } from '../../../archive/content/database-id.ts';
import { lexemesOfEngagement, startOfLevel } from '../../../archive/search/engagement-levels.ts';
import type { CountedTweet, SearchRows } from '../../../archive/writes/archive-database.ts';
import { among, raw, sql, type Row } from '../../../archive/sql.ts';
import type { ArchivedTweet, ArchivedUser } from '../../../domain/records.ts';
import type { DocumentContext } from '../../../search/document.ts';
import { engagementOfTweet } from '../../../search/engagement.ts';
import type { RunAny } from '../store/database.ts';
import { vectorOf } from '../rows/lexemes.ts';
import { nameColumns, tweetRows } from '../rows/search-rows.ts';

export class PostgresSearchRows implements SearchRows {
  readonly #run: RunAny;
  readonly #commit: number;

  /** `commit`: the number of the transaction. */
  constructor(run: RunAny, commit: number) {
    this.#run = run;
    this.#commit = commit;
  }

  async insert(tweets: readonly ArchivedTweet[], context: DocumentContext): Promise<void> {
    const { rows, long } = this.#rowsOf(tweets, context);
    await this.#run({ table: 'tweet', rows });
    if (long.length > 0) await this.#run({ table: 'long_tweet', rows: long });
  }

  async replace(tweets: readonly ArchivedTweet[], context: DocumentContext): Promise<void> {
    if (tweets.length === 0) return;
    const { rows, long } = this.#rowsOf(tweets, context);
    await this.#run(sql`DELETE FROM social_data.long_tweet WHERE ${among('id', idsOf(tweets.map(({ id }) => id)))}`);
    await this.#run({ table: 'tweet', rows, conflict: { keys: ['id'], action: 'replace', except: ['arrived_in'] } });
    if (long.length > 0) await this.#run({ table: 'long_tweet', rows: long });
  }

  async writeCounts(tweets: readonly CountedTweet[], content: ReadonlySet<string>): Promise<readonly string[]> {
    const [added, others] = [true, false].map((isAdded) =>
      tweets.filter(({ before }) => (before === undefined) === isAdded).map(({ after }) => countRow(after)),
    );
    if (added !== undefined && added.length > 0) await this.#run({ table: 'tweet_count', rows: added });
    if (others !== undefined && others.length > 0)
      await this.#run({ table: 'tweet_count', rows: others, conflict: { keys: ['id'], action: 'replace' } });
    await this.#writeLevels(tweets.filter(({ after }) => !content.has(after.id)));
    return [];
  }

  /** Writes the levels of tweets of which only the counts changed. */
  async #writeLevels(tweets: readonly CountedTweet[]): Promise<void> {
    const rows = tweets.flatMap(({ before, after }) => {
      if (before === undefined) return [];
      const [old, current] = [engagementOfTweet(before), engagementOfTweet(after)];
      if (startOfLevel(old) === startOfLevel(current)) return [];
      const [removed, added] = [lexemesOfEngagement(old), lexemesOfEngagement(current).join(' ')];
      return [{ id: toDatabaseId(after.id), removed, added }];
    });
    if (rows.length === 0) return;
    await this.#run({
      text: `UPDATE social_data.tweet t SET words = ts_delete(t.words, given.removed) || given.added::tsvector
        FROM jsonb_to_recordset($1::jsonb) AS given (id bigint, removed text[], added text) WHERE t.id = given.id`,
      params: [JSON.stringify(rows)],
    });
  }

  async remove(tweetIds: readonly string[]): Promise<void> {
    for (const table of ['tweet', 'tweet_count', 'long_tweet'])
      await this.#run(sql`DELETE FROM social_data.${raw(table)} WHERE ${among('id', idsOf(tweetIds))}`);
  }

  async writeUsers(users: readonly { readonly user: ArchivedUser; readonly row: Row }[]): Promise<void> {
    const rows = users.map(({ user, row }) => ({ ...row, ...nameColumns(user) }));
    await this.#run({ table: 'person', rows, conflict: { keys: ['id'], action: 'replace' } });
  }

  async removeUsers(ids: readonly string[]): Promise<void> {
    await this.#run(sql`DELETE FROM social_data.person WHERE ${among('id', { ids })}`);
  }

  #rowsOf(
    tweets: readonly ArchivedTweet[],
    context: DocumentContext,
  ): { readonly rows: readonly Row[]; readonly long: readonly Row[] } {
    const found = tweets.map((tweet) => tweetRows(tweet, context));
    return {
      rows: found.map(({ tweet, words }) => ({ ...tweet, words: vectorOf(words), arrived_in: this.#commit })),
      long: found.flatMap(({ longTweet }) => (longTweet === undefined ? [] : [longTweet])),
    };
  }
}
