/** What live sources and their services read of the tables. */
import { isDid } from '../../domain/at-uri.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import type { HeldArchive, HeldKeys, HeldPart, HeldTweets } from '../../ports/held-records.ts';
import type { KnownUser, UserRef } from '../../ports/platform.ts';
import { parse } from '../../search/language/parse.ts';
import { among, given, sql, type Fragment, type Integer, type RunSql } from '../sql.ts';
import { Archive } from '../rules/archive.ts';
import { ContentReader } from './content-reader.ts';
import { fromDatabaseId, idOf, idsOf, textsOf } from '../content/database-id.ts';
import type { ArchiveSearch } from '../search/archive-search.ts';
import { findUser } from './known-users.ts';
import { isId } from '../../domain/record-id.ts';
import { idsFound } from './tweet-ids.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../content/tweet-record.ts';

/** The tweets of one statement of a list. */
const pageTweets = 200;

export class SqlHeldRecords implements HeldArchive {
  readonly #run: RunSql;
  readonly #search: Pick<ArchiveSearch, 'latest'>;

  constructor(run: RunSql, search: Pick<ArchiveSearch, 'latest'>) {
    this.#run = run;
    this.#search = search;
  }

  /** Loads the rows into an archive in memory, which says what is held and what is removed. */
  async read(keys: HeldKeys): Promise<HeldPart> {
    const [tweets, users] = [new Set(keys.tweets), new Set([...keys.users].filter(isId))];
    const archive = new Archive();
    archive.restore(await new ContentReader(this.#run).held({ tweets, users }));
    const authors = await this.#authorsAmong(users);
    const read = <Value>(ids: ReadonlySet<string>, id: string, value: Value): Value => {
      if (!ids.has(id) && isId(id)) throw new RangeError(`the record ${id} was not read`);
      return value;
    };
    return {
      tweet: (id) => read(tweets, id, archive.tweet(id)),
      isRemoved: (id) => read(tweets, id, archive.isRemoved(id)),
      addressOf: (id) => read(tweets, id, archive.addressOf(id)),
      profile: (id) => read(users, id, archive.profile(id)),
      isWithdrawn: (id) => read(users, id, archive.isWithdrawn(id)),
      hasTweets: (id) => read(users, id, authors.has(id)),
    };
  }

  /** The users of whom there is a tweet. */
  async #authorsAmong(users: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    if (users.size === 0) return new Set();
    const rows = await this.#run<{ id: Integer }>(
      sql`SELECT given.id FROM ${given({ id: idsOf(users) })}
        WHERE EXISTS (SELECT 1 FROM social_data.tweet t WHERE t.author_id = given.id)`,
    );
    return new Set(rows.map(({ id }) => fromDatabaseId(id)));
  }

  async followings(user: string): Promise<readonly string[]> {
    const rows = await this.#run<{ id: Integer }>(
      sql`SELECT following_id AS id FROM social_data.follow WHERE follower_id = ${idOf(user)} AND at IS NOT NULL`,
    );
    return rows.map(({ id }) => fromDatabaseId(id));
  }

  async *tweetsOf(author: string): AsyncGenerator<ArchivedTweet, void> {
    let behind: Fragment = sql``;
    for (;;) {
      const rows = await this.#run<TweetRow>(
        sql`SELECT ${tweetColumns} FROM ${tweetTables} WHERE t.author_id = ${idOf(author)} ${behind}
          ORDER BY t.created_at DESC, t.id DESC LIMIT ${pageTweets}`,
      );
      for (const row of rows) yield tweetOf(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageTweets) return;
      behind = sql`AND (t.created_at, t.id) < (${Number(last.created_at)}, ${{ id: String(last.id) }})`;
    }
  }

  async identity(ref: UserRef): Promise<KnownUser | undefined> {
    return (await findUser(this.#run, ref))?.user;
  }

  async replyTo(tweetId: string): Promise<ArchivedTweet | undefined> {
    if (!isId(tweetId)) return undefined;
    const [row] = await this.#run<TweetRow>(
      sql`SELECT ${tweetColumns} FROM ${tweetTables} WHERE t.in_reply_to_id = ${idOf(tweetId)}
        ORDER BY t.created_at, t.id LIMIT 1`,
    );
    return row && tweetOf(row);
  }

  async *tweets(): AsyncGenerator<ArchivedTweet, void> {
    let first = 0n;
    for (;;) {
      const rows = await this.#run<TweetRow>(
        sql`SELECT ${tweetColumns} FROM ${tweetTables} WHERE t.id >= ${idOf(first)} ORDER BY t.id LIMIT ${pageTweets}`,
      );
      for (const row of rows) yield tweetOf(row);
      const end = rows.at(-1);
      if (end === undefined || rows.length < pageTweets) return;
      first = BigInt(fromDatabaseId(end.id)) + 1n;
    }
  }

  async heldTweets(userIds: readonly string[]): Promise<HeldTweets> {
    const [row] = await this.#run<{ tweets: Integer; oldest: Integer | null; newest: Integer | null }>(
      sql`SELECT count(*) AS tweets, min(created_at) AS oldest, max(created_at) AS newest
        FROM social_data.tweet WHERE ${among('author_id', idsOf(userIds.filter(isId)))}`,
    );
    const time = (value: Integer | null | undefined): number | undefined => (value == null ? undefined : Number(value));
    return { tweets: Number(row?.tweets ?? 0), oldest: time(row?.oldest), newest: time(row?.newest) };
  }

  async *found(query: string): AsyncGenerator<ArchivedTweet, void> {
    for await (const ids of idsFound(this.#search, parse(query))) {
      const rows = await this.#run<TweetRow>(
        sql`SELECT ${tweetColumns} FROM ${tweetTables} WHERE ${among('t.id', idsOf(ids))}`,
      );
      for (const row of rows) yield tweetOf(row);
    }
  }

  async userIdOfName(username: string): Promise<string | undefined> {
    return (await this.identity({ username }))?.id;
  }

  async userIdsOf(accounts: readonly string[]): Promise<string[]> {
    const ids = new Set(accounts.filter(isId));
    const dids = accounts.filter(isDid);
    if (dids.length === 0) return [...ids];
    const rows = await this.#run<{ id: Integer }>(
      sql`SELECT id FROM social_data.person WHERE ${among('did', textsOf(dids))}`,
    );
    for (const { id } of rows) ids.add(fromDatabaseId(id));
    return [...ids];
  }
}
