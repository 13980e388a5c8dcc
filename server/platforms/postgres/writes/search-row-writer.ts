/** Writes the rows that searches read: those of changed tweets, and of tweets whose terms depend on them or on a username. */
import type { ArchivedTweet, ArchivedUser } from '../../../domain/records.ts';
import type { DocumentContext } from '../../../search/document.ts';
import type { Run } from '../../../storage/postgres/database.ts';
import { readAuthors } from '../reads/tweet-authors.ts';
import { fromDatabaseId, toDatabaseId } from '../rows/database-id.ts';
import type { Renamed } from './described-users.ts';
import { engagementOfTweet } from '../../../search/engagement.ts';
import { lexemesOfEngagement } from '../../../archive/search/engagement-levels.ts';
import { vectorOf } from '../rows/lexemes.ts';
import { copyRows, insertRows, tweetRows, upsertRows, type Row } from '../rows/search-rows.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../rows/tweet-record.ts';

/** A tweet to write; `before`: undefined for one that the tables do not have. */
export interface WrittenTweet {
  readonly before: ArchivedTweet | undefined;
  readonly after: ArchivedTweet;
}

/** A tweet whose counts changed. */
export interface ChangedCounts {
  readonly before: ArchivedTweet;
  readonly after: ArchivedTweet;
}

/** What changed. */
export interface ChangedTerms {
  /** The tweets of `write`. */
  readonly present: readonly WrittenTweet[];
  /** Tweets that came or went, or whose tombstone did: what they say about their author may have changed. */
  readonly moved: readonly string[];
  readonly renamed: readonly Renamed[];
}

/** The number of tweets that are written at once. */
const maxTweets = 1000;

function* partsOf<Each>(all: readonly Each[]): Generator<readonly Each[], void> {
  for (let from = 0; from < all.length; from += maxTweets) yield all.slice(from, from + maxTweets);
}

export class SearchRows {
  readonly #run: Run;
  readonly #commit: number;

  constructor(run: Run, commit: number) {
    this.#run = run;
    this.#commit = commit;
  }

  /** Writes new tweets, and those whose content changed. */
  async write(present: readonly WrittenTweet[]): Promise<void> {
    const all = present.map(({ after }) => after);
    const isNew = new Set(present.flatMap(({ before, after }) => (before === undefined ? [after] : [])));
    for (const part of partsOf([...isNew])) await this.#insertTweets(part, all);
    for (const part of partsOf(all.filter((tweet) => !isNew.has(tweet)))) await this.#replaceTweets(part, all);
  }

  /** Writes the levels of tweets of which only the counts changed. */
  async writeLevels(changed: readonly ChangedCounts[]): Promise<void> {
    for (const part of partsOf(changed)) {
      const rows = part.map(({ before, after }) => ({
        id: toDatabaseId(after.id),
        removed: lexemesOfEngagement(engagementOfTweet(before)),
        added: lexemesOfEngagement(engagementOfTweet(after)).join(' '),
      }));
      await this.#run({
        text: `UPDATE social_data.tweet t SET words = ts_delete(t.words, given.removed) || given.added::tsvector
          FROM jsonb_to_recordset($1::jsonb) AS given (id bigint, removed text[], added text) WHERE t.id = given.id`,
        params: [JSON.stringify(rows)],
      });
    }
  }

  /** Writes the tweets whose terms depend on what changed, after all other rows are written. */
  async writeDependent({ present, moved, renamed }: ChangedTerms): Promise<void> {
    const written = present.map(({ after }) => toDatabaseId(after.id));
    await this.rewrite([...new Set([...(await this.#relatedTo(moved, written)), ...(await this.#byRenamed(renamed))])]);
  }

  /** Writes tweets of the tables again; `ids`: as they are stored. */
  async rewrite(ids: readonly string[]): Promise<void> {
    for (const part of partsOf(ids)) {
      const tweets = await this.#run<TweetRow>({
        text: `SELECT ${tweetColumns} FROM ${tweetTables} WHERE t.id = ANY ($1::bigint[])`,
        params: [part],
      });
      await this.#replaceTweets(tweets.map(tweetOf), []);
    }
  }

  /** The tweets that reply to, quote or retweet tweets that moved, without those that are written already. */
  async #relatedTo(moved: readonly string[], written: readonly string[]): Promise<readonly string[]> {
    if (moved.length === 0) return [];
    const rows = await this.#run<{ id: string }>({
      text: `SELECT id FROM (
          SELECT id FROM social_data.tweet WHERE in_reply_to_id = ANY ($1::bigint[])
          UNION ALL SELECT id FROM social_data.tweet WHERE quoted_id = ANY ($1::bigint[])
          UNION ALL SELECT id FROM social_data.tweet WHERE retweeted_id = ANY ($1::bigint[])) AS related
        WHERE NOT id = ANY ($2::bigint[])`,
      params: [moved.map(toDatabaseId), written],
    });
    return rows.map(({ id }) => id);
  }

  /** The replies of renamed users to one of their usernames. */
  async #byRenamed(renamed: readonly Renamed[]): Promise<readonly string[]> {
    const pairs = renamed.flatMap(({ id, usernames }) => usernames.map((username) => ({ id, username })));
    if (pairs.length === 0) return [];
    const rows = await this.#run<{ id: string }>({
      text: `SELECT t.id FROM unnest($1::bigint[], $2::text[]) AS given (author_id, username)
        JOIN social_data.tweet t ON t.reply_to = given.username AND t.author_id = given.author_id
        WHERE t.in_reply_to_id IS NOT NULL`,
      params: [pairs.map(({ id }) => toDatabaseId(id)), pairs.map(({ username }) => username)],
    });
    return rows.map(({ id }) => id);
  }

  /** `others`: tweets whose rows may be missing yet. */
  async #insertTweets(tweets: readonly ArchivedTweet[], others: readonly ArchivedTweet[]): Promise<void> {
    const { rows, long } = await this.#rowsOf(tweets, others);
    await this.#run(copyRows('tweet', rows));
    if (long.length > 0) await this.#run(insertRows('long_tweet', long));
  }

  async #replaceTweets(tweets: readonly ArchivedTweet[], others: readonly ArchivedTweet[]): Promise<void> {
    const { rows, long } = await this.#rowsOf(tweets, others);
    await this.#run({
      text: 'DELETE FROM social_data.long_tweet WHERE id = ANY ($1::bigint[])',
      params: [tweets.map(({ id }) => toDatabaseId(id))],
    });
    await this.#run(upsertRows('tweet', ['id'], rows, ['arrived_in']));
    if (long.length > 0) await this.#run(insertRows('long_tweet', long));
  }

  async #rowsOf(
    tweets: readonly ArchivedTweet[],
    others: readonly ArchivedTweet[],
  ): Promise<{ readonly rows: readonly Row[]; readonly long: readonly Row[] }> {
    const context = await this.#contextOf(tweets, others);
    const found = tweets.map((tweet) => tweetRows(tweet, context));
    return {
      rows: found.map(({ tweet, words }) => ({ ...tweet, words: vectorOf(words), arrived_in: this.#commit })),
      long: found.flatMap(({ longTweet }) => (longTweet === undefined ? [] : [longTweet])),
    };
  }

  async #contextOf(tweets: readonly ArchivedTweet[], others: readonly ArchivedTweet[]): Promise<DocumentContext> {
    const authors = await this.#authorsOf(tweets);
    for (const { id, author_id } of others) authors.set(id, author_id);
    const users = await this.#users(
      tweets.filter((tweet) => tweet.in_reply_to_username !== undefined).map(({ author_id }) => author_id),
    );
    return { user: (id) => users.get(id), authorOf: (tweetId) => authors.get(tweetId) };
  }

  /** The authors of the related tweets that are in the tables, or were. */
  async #authorsOf(tweets: readonly ArchivedTweet[]): Promise<Map<string, string>> {
    const related = tweets.flatMap((tweet) =>
      [tweet.in_reply_to_id, tweet.quoted_tweet_id, tweet.retweeted_tweet_id].filter((id) => id !== undefined),
    );
    if (related.length === 0) return new Map();
    const rows = await this.#run<{ id: string; author_id: string }>(readAuthors(related));
    return new Map(rows.map(({ id, author_id }) => [fromDatabaseId(id), fromDatabaseId(author_id)]));
  }

  async #users(ids: readonly string[]): Promise<Map<string, ArchivedUser>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#run<{ document: string }>({
      text: 'SELECT document FROM social_data.person WHERE id = ANY ($1::bigint[])',
      params: [[...new Set(ids)].map(toDatabaseId)],
    });
    const users = rows.map(({ document }) => JSON.parse(document) as ArchivedUser);
    return new Map(users.map((user) => [user.id, user]));
  }
}
