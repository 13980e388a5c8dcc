/** The records that the views of some tweets or users need, read with few statements. */
import { nameKey } from '../content/stored-text.ts';
import { isId } from '../../domain/record-id.ts';
import type { ArchivedCommunity, ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import { among, given, sql, type Integer, type RunSql } from '../sql.ts';
import { parseTime } from '../../text/iso-time.ts';
import type { Role } from '../rules/memberships.ts';
import type { ViewSource } from './views.ts';
import { fromDatabaseId, idOf, idsOf, textsOf } from '../content/database-id.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../content/tweet-record.ts';

type Mention = { readonly username: string; readonly id?: string };

/** What to read. Tweets are read with the tweets that they refer to, their authors, and the users that they mention. */
export interface Wanted {
  readonly tweets?: readonly string[];
  /** Without it, the short forms of tweets: no mentions, and no other tweets. */
  readonly isFull?: boolean;
  readonly users?: readonly string[];
  readonly mentions?: readonly Mention[];
}

/** Records in memory, as the views read them. The ordinals number the tweets. */
export class LoadedRecords implements ViewSource {
  readonly #run: RunSql;
  readonly #tweets: ArchivedTweet[] = [];
  readonly #ordinals = new Map<string, number>();
  readonly #users = new Map<string, ArchivedUser>();
  /** The users without a row, of those that were looked up as authors. */
  readonly #unknownUsers = new Set<string>();
  readonly #usersByName = new Map<string, ArchivedUser>();
  readonly #communities = new Map<string, ArchivedCommunity>();
  readonly #roles = new Map<string, Role>();

  constructor(run: RunSql) {
    this.#run = run;
  }

  /** Reads records. Rejects with StoreError. */
  async read({ tweets = [], isFull = true, users = [], mentions = [] }: Wanted): Promise<void> {
    const found = await this.#readTweets(tweets);
    const referred = isFull ? found.flatMap((tweet) => referencesOf(tweet)) : [];
    const all = [...found, ...(await this.#readTweets(referred))];
    const named = [...mentions, ...(isFull ? all.flatMap((tweet) => tweet.entities?.mentions ?? []) : [])];
    const ids = named.flatMap(({ id }) => id ?? []);
    await this.readUsers([...users, ...ids]);
    await this.readNames(named.flatMap(({ id, username }) => (id === undefined ? [username] : [])));
  }

  async #readTweets(ids: readonly string[]): Promise<ArchivedTweet[]> {
    const missing = [...new Set(ids)].filter((id) => !this.#ordinals.has(id));
    if (missing.length === 0) return [];
    const rows = await this.#run<TweetRow & { readonly author: string | null }>(
      sql`SELECT ${tweetColumns}, p.document AS author FROM ${tweetTables}
        LEFT JOIN social_data.person p ON p.id = t.author_id WHERE ${among('t.id', idsOf(missing))}`.short(),
    );
    return rows.map((row) => {
      const tweet = tweetOf(row);
      this.#ordinals.set(tweet.id, this.#tweets.push(tweet) - 1);
      if (row.author === null) this.#unknownUsers.add(tweet.author_id);
      else if (!this.#users.has(tweet.author_id))
        this.#users.set(tweet.author_id, JSON.parse(row.author) as ArchivedUser);
      return tweet;
    });
  }

  /** Reads users by their ids. */
  async readUsers(ids: readonly string[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => isId(id) && !this.#users.has(id) && !this.#unknownUsers.has(id));
    if (missing.length === 0) return;
    const rows = await this.#run<{ document: string }>(
      sql`SELECT document FROM social_data.person WHERE ${among('id', idsOf(missing))}`.short(),
    );
    for (const { document } of rows) {
      const user = JSON.parse(document) as ArchivedUser;
      this.#users.set(user.id, user);
    }
  }

  /**
   * Reads the users who have these usernames now: the profile that was observed last, otherwise the user whom the newest mention
   * describes. The higher id decides a tie.
   */
  async readNames(usernames: readonly string[]): Promise<void> {
    const names = [...new Set(usernames.map(nameKey))].filter((name) => !this.#usersByName.has(name));
    if (names.length === 0) return;
    const rows = await this.#run<{ username: string; document: string }>(
      sql`SELECT username, document FROM social_data.person WHERE ${among('username', textsOf(names))}
        ORDER BY described_at IS NOT NULL, observed_at DESC, described_at DESC, described_by DESC, id DESC`.short(),
    );
    for (const { username, document } of rows) {
      if (this.#usersByName.has(username)) continue;
      const user = JSON.parse(document) as ArchivedUser;
      this.#usersByName.set(username, user);
      this.#users.set(user.id, user);
    }
  }

  /** Reads the communities of a user with the roles. */
  async readCommunities(userId: string, communityIds: readonly string[]): Promise<void> {
    if (communityIds.length === 0) return;
    const rows = await this.#run<{ id: Integer; role: Role; document: string }>(
      sql`SELECT m.community_id AS id, m.role, c.document
        FROM ${given({ id: idsOf(communityIds), community_id: textsOf(communityIds) })}
        JOIN social_data.membership m ON m.user_id = ${idOf(userId)} AND m.community_id = given.id AND m.at IS NOT NULL
        JOIN social_data.community c ON c.id = given.community_id`,
    );
    for (const { id, role, document } of rows) {
      const communityId = fromDatabaseId(id);
      this.#communities.set(communityId, JSON.parse(document) as ArchivedCommunity);
      this.#roles.set(`${communityId} ${userId}`, role);
    }
  }

  readonly communities = { get: (id: string): ArchivedCommunity | undefined => this.#communities.get(id) };

  ordinal(id: string): number | undefined {
    return this.#ordinals.get(id);
  }

  tweet(ordinal: number): ArchivedTweet {
    const tweet = this.#tweets[ordinal];
    if (tweet === undefined) throw new RangeError(`no tweet has the ordinal ${ordinal}`);
    return tweet;
  }

  createdAt(ordinal: number): number {
    return parseTime(this.tweet(ordinal).created_at);
  }

  user(id: string): ArchivedUser | undefined {
    return this.#users.get(id);
  }

  userByName(username: string): ArchivedUser | undefined {
    return this.#usersByName.get(nameKey(username));
  }

  mentioned({ username, id }: Mention): ArchivedUser | undefined {
    return id === undefined ? this.userByName(username) : this.user(id);
  }

  role(communityId: string, userId: string): Role | undefined {
    return this.#roles.get(`${communityId} ${userId}`);
  }
}

/** The tweets whose text the full form of a tweet includes. */
export const referencesOf = ({ quoted_tweet_id: quoted, retweeted_tweet_id: retweeted }: ArchivedTweet): string[] =>
  [quoted, retweeted].filter((id) => id !== undefined);
