/** Writes changed tweets to the rows that searches read, and the tweets whose terms depend on them or on a username. */
import { among, given, sql, type Integer, type RunSql } from '../sql.ts';
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import type { DocumentContext } from '../../search/document.ts';
import { fromDatabaseId, idsOf, textsOf } from '../content/database-id.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../content/tweet-record.ts';
import { readAuthors } from '../reads/tweet-authors.ts';
import type { CountedTweet, SearchRows } from './archive-database.ts';
import type { Renamed } from './described-users.ts';

/** What changed. */
export interface ChangedTerms {
  /** The tweets of `write`. */
  readonly content: readonly CountedTweet[];
  /** Tweets that came or went, or whose tombstone did: what they say about their author may have changed. */
  readonly moved: readonly string[];
  readonly renamed: readonly Renamed[];
  /** Tweets whose words depend on their counts, which changed. */
  readonly recounted: readonly string[];
}

/** The number of tweets that are written at once. */
const maxTweets = 2000;

function* partsOf<Each>(all: readonly Each[]): Generator<readonly Each[], void> {
  for (let from = 0; from < all.length; from += maxTweets) yield all.slice(from, from + maxTweets);
}

export class TweetWriter {
  readonly #run: RunSql;
  readonly #rows: Pick<SearchRows, 'insert' | 'replace'>;

  constructor(run: RunSql, rows: Pick<SearchRows, 'insert' | 'replace'>) {
    this.#run = run;
    this.#rows = rows;
  }

  /** Writes new tweets, and those whose content changed. */
  async write(content: readonly CountedTweet[]): Promise<void> {
    const all = content.map(({ after }) => after);
    const isNew = new Set(content.flatMap(({ before, after }) => (before === undefined ? [after] : [])));
    for (const part of partsOf([...isNew])) await this.#rows.insert(part, await contextOf(this.#run, part, all));
    for (const part of partsOf(all.filter((tweet) => !isNew.has(tweet))))
      await this.#rows.replace(part, await contextOf(this.#run, part, all));
  }

  /** Writes the tweets whose terms depend on what changed, after all other rows are written. */
  async writeDependent({ content, moved, renamed, recounted }: ChangedTerms): Promise<void> {
    const written = content.map(({ after }) => after.id);
    const related = await this.#relatedTo(moved, written);
    await this.rewrite([...new Set([...related, ...(await this.#byRenamed(renamed)), ...recounted])]);
  }

  /** Writes tweets of the tables again. */
  async rewrite(ids: readonly string[]): Promise<void> {
    for (const part of partsOf(ids)) {
      const rows = await this.#run<TweetRow>(
        sql`SELECT ${tweetColumns} FROM ${tweetTables} WHERE ${among('t.id', idsOf(part))}`,
      );
      const tweets = rows.map(tweetOf);
      await this.#rows.replace(tweets, await contextOf(this.#run, tweets));
    }
  }

  /** The tweets that reply to, quote or retweet tweets that moved, without those that are written already. */
  async #relatedTo(moved: readonly string[], written: readonly string[]): Promise<readonly string[]> {
    if (moved.length === 0) return [];
    const ids = idsOf(moved);
    const rows = await this.#run<{ id: Integer }>(
      sql`SELECT id FROM social_data.tweet WHERE ${among('in_reply_to_id', ids)}
        UNION ALL SELECT id FROM social_data.tweet WHERE ${among('quoted_id', ids)}
        UNION ALL SELECT id FROM social_data.tweet WHERE ${among('retweeted_id', ids)}`,
    );
    const isWritten = new Set(written);
    return rows.map(({ id }) => fromDatabaseId(id)).filter((id) => !isWritten.has(id));
  }

  /** The replies of renamed users to one of their usernames. */
  async #byRenamed(renamed: readonly Renamed[]): Promise<readonly string[]> {
    const pairs = renamed.flatMap(({ id, usernames }) => usernames.map((username) => ({ id, username })));
    if (pairs.length === 0) return [];
    const authors = idsOf(pairs.map(({ id }) => id));
    const rows = await this.#run<{ id: Integer }>(
      sql`SELECT t.id FROM ${given({ author_id: authors, username: textsOf(pairs.map(({ username }) => username)) })}
        JOIN social_data.tweet t ON t.reply_to = given.username AND t.author_id = given.author_id
        WHERE t.in_reply_to_id IS NOT NULL`,
    );
    return rows.map(({ id }) => fromDatabaseId(id));
  }
}

/** What the words of tweets need of other records. `others`: tweets whose rows may be missing yet. Rejects with StoreError. */
export async function contextOf(
  run: RunSql,
  tweets: readonly ArchivedTweet[],
  others: readonly ArchivedTweet[] = [],
): Promise<DocumentContext> {
  const authors = await authorsOf(run, tweets);
  for (const { id, author_id } of others) authors.set(id, author_id);
  const users = await usersOf(
    run,
    tweets.filter((tweet) => tweet.in_reply_to_username !== undefined).map(({ author_id }) => author_id),
  );
  return { user: (id) => users.get(id), authorOf: (tweetId) => authors.get(tweetId) };
}

/** The authors of the related tweets that are in the tables, or were. */
async function authorsOf(run: RunSql, tweets: readonly ArchivedTweet[]): Promise<Map<string, string>> {
  const related = tweets.flatMap((tweet) =>
    [tweet.in_reply_to_id, tweet.quoted_tweet_id, tweet.retweeted_tweet_id].filter((id) => id !== undefined),
  );
  if (related.length === 0) return new Map();
  const rows = await run<{ id: Integer; author_id: Integer }>(readAuthors(related));
  return new Map(rows.map(({ id, author_id }) => [fromDatabaseId(id), fromDatabaseId(author_id)]));
}

async function usersOf(run: RunSql, ids: readonly string[]): Promise<Map<string, ArchivedUser>> {
  if (ids.length === 0) return new Map();
  const rows = await run<{ document: string }>(
    sql`SELECT document FROM social_data.person WHERE ${among('id', idsOf(new Set(ids)))}`,
  );
  const users = rows.map(({ document }) => JSON.parse(document) as ArchivedUser);
  return new Map(users.map((user) => [user.id, user]));
}
