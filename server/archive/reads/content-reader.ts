/** Reads the content that a group of changes touches, in the order in which `Archive.restore` takes it. */
import type { ArchivedTweet } from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import type { HeldKeys } from '../../ports/held-records.ts';
import { among, given, raw, sql, type Fragment, type Integer, type List, type RunSql } from '../sql.ts';
import type { Change, SnapshotChange } from '../rules/change.ts';
import { scrubKeysOf } from '../rules/geo-scrubs.ts';
import { deleteChange, withdrawChanges } from '../rules/snapshot.ts';
import {
  relationChanges,
  relationTables,
  valuesOfRow,
  type Pair,
  type RelationRow,
  type RelationTable,
  type RelationValues,
} from '../content/content.ts';
import { fromDatabaseId, idsOf, textsOf } from '../content/database-id.ts';
import { Touched } from './touched.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../content/tweet-record.ts';

const isoTime = (at: number): string => new Date(at).toISOString();

export class ContentReader {
  readonly #run: RunSql;

  constructor(run: RunSql) {
    this.#run = run;
  }

  /** The content that changes touch: everything that decides about their effect, and everything that they can change. */
  async read(changes: readonly Change[]): Promise<SnapshotChange[]> {
    const touched = new Touched(changes);
    const tree = await this.#removedTweets(touched);
    const tweets = await this.#tweets(touched, tree, changes);
    const tombstones = await this.#tombstones(touched);
    const withdrawals = await this.#withdrawals(touched);
    const scrubs = await this.#scrubs(touched);
    const entities = await this.#entities(touched);
    const relations = await this.#relations(touched, tree);
    const likes = await this.#likes(touched.likes);
    const removals = relations.filter(({ kind }) => kind === 'unfollow' || kind === 'unretweet');
    const starts = relations.filter(({ kind }) => kind !== 'unfollow' && kind !== 'unretweet');
    return [...removals, ...tweets, ...entities, ...starts, ...likes, ...tombstones, ...withdrawals, ...scrubs];
  }

  /** What decides whether tweets and users are held, removed or withdrawn. */
  async held({ tweets, users }: HeldKeys): Promise<SnapshotChange[]> {
    const touched = new Touched([]);
    for (const id of tweets) touched.blockedTweets.add(id);
    for (const id of users) {
      touched.users.add(id);
      touched.people.add(id);
    }
    const records = await this.#tweetRecords(tweets);
    const tombstones = await this.#tombstones(touched);
    const withdrawals = await this.#withdrawals(touched);
    const entities = await this.#entities(touched);
    const found = records.map((tweet): SnapshotChange => ({ kind: 'tweet', tweet }));
    return [...found, ...entities, ...tombstones, ...withdrawals];
  }

  /** The tweets that the changes can remove, with their native retweets, those of these, and so on. */
  async #removedTweets({ removedTweets, withdrawnUsers, nativeRetweets }: Touched): Promise<readonly string[]> {
    if (removedTweets.size + withdrawnUsers.size + nativeRetweets.size === 0) return [];
    const tree = new Set(removedTweets);
    if (withdrawnUsers.size > 0)
      for (const id of await this.#ids(
        sql`SELECT id FROM social_data.tweet WHERE ${among('author_id', idsOf(withdrawnUsers))}`,
      ))
        tree.add(id);
    const retweets = [...nativeRetweets.values()];
    if (retweets.length > 0) {
      const owners = idsOf(retweets.map(({ owner }) => owner));
      const members = idsOf(retweets.map(({ member }) => member));
      for (const id of await this.#ids(
        sql`SELECT t.id FROM ${given({ owner: owners, member: members })}
          JOIN social_data.tweet t ON t.retweeted_id = given.owner AND t.author_id = given.member`,
      ))
        tree.add(id);
    }
    let level = [...tree];
    while (level.length > 0) {
      const found = await this.#ids(
        sql`SELECT id FROM social_data.tweet WHERE ${among('retweeted_id', idsOf(level))}
          UNION ALL SELECT id FROM social_data.tombstone WHERE ${among('retweeted_id', idsOf(level))} AND reason = 'retweet'`,
      );
      level = [...new Set(found)].filter((id) => !tree.has(id));
      for (const id of level) tree.add(id);
    }
    return [...tree];
  }

  async #tweets(touched: Touched, tree: readonly string[], changes: readonly Change[]): Promise<SnapshotChange[]> {
    const { tweets, blockedTweets, likes } = touched;
    for (const id of tree) {
      tweets.add(id);
      blockedTweets.add(id);
      likes.add(id);
    }
    if (touched.evictedUsers.size > 0 || changes.some(({ kind }) => kind === 'evict'))
      for (const id of await this.#witnesses(touched, tree)) tweets.add(id);
    for (const id of await this.#locatedTweets(touched)) tweets.add(id);
    const records = new Map((await this.#tweetRecords(tweets)).map((tweet) => [tweet.id, tweet]));
    for (const tweet of records.values()) {
      const { author_id, retweeted_tweet_id: retweeted } = tweet;
      if (retweeted !== undefined) touched.addRetweet(retweeted, author_id);
      // A record can name another author than the tweet that is there.
      for (const key of scrubKeysOf(tweet)) touched.scrubKeys.add(key);
    }
    for (const change of changes) {
      if (change.kind !== 'tweet' || change.tweet.retweeted_tweet_id === undefined) continue;
      const author = records.get(change.tweet.id)?.author_id;
      if (author !== undefined) touched.addRetweet(change.tweet.retweeted_tweet_id, author);
    }
    return Array.from(records.values(), (tweet) => ({ kind: 'tweet', tweet }));
  }

  /** Tweets that stay after an eviction, and show that their author stays, or stays among the retweeters of a tweet. */
  async #witnesses({ evictedUsers }: Touched, tree: readonly string[]): Promise<readonly string[]> {
    const isRemoved = among('t.id', idsOf(tree));
    const rows = await this.#run<{ id: Integer | null }>(
      sql`SELECT (SELECT t.id FROM social_data.tweet t WHERE t.author_id = given.id AND NOT ${isRemoved} LIMIT 1) AS id
          FROM ${given({ id: idsOf(evictedUsers) })}
        UNION SELECT o.id FROM social_data.tweet t
          JOIN social_data.tweet o ON o.retweeted_id = t.retweeted_id AND o.author_id = t.author_id WHERE ${isRemoved}`,
    );
    return rows.flatMap(({ id }) => (id === null ? [] : [fromDatabaseId(id)]));
  }

  async #tweetRecords(ids: Iterable<string>): Promise<ArchivedTweet[]> {
    const rows = await this.#byIds<TweetRow>(
      ids,
      (list) => sql`SELECT ${tweetColumns} FROM ${tweetTables} WHERE ${among('t.id', list)}`,
    );
    return rows.map(tweetOf);
  }

  /** The tombstones, and those of the tweets on which it depends whether they are in force. */
  async #tombstones(touched: Touched): Promise<SnapshotChange[]> {
    const rows = await this.#byIds<{ document: string }>(
      touched.blockedTweets,
      (ids) => sql`WITH RECURSIVE chain (id) AS (
          SELECT given.id FROM ${given({ id: ids })}
          UNION
          SELECT d.retweeted_id FROM chain JOIN social_data.tombstone d ON d.id = chain.id
            WHERE d.reason = 'retweet' AND d.retweeted_id IS NOT NULL)
        SELECT d.document FROM chain JOIN social_data.tombstone d ON d.id = chain.id`,
    );
    return rows.map(({ document }) => {
      const tombstone = JSON.parse(document) as Tombstone;
      const { author_id, retweeted_tweet_id: retweeted } = tombstone.tweet ?? {};
      if (author_id !== undefined) touched.people.add(author_id);
      if (author_id !== undefined && retweeted !== undefined) touched.addPair('retweet', retweeted, author_id);
      return deleteChange(tombstone);
    });
  }

  async #withdrawals({ people, withdrawnUsers, removedLists, lists }: Touched): Promise<SnapshotChange[]> {
    const users = new Set([...people, ...withdrawnUsers]);
    const listIds = new Set([...removedLists, ...(withdrawnUsers.size > 0 ? lists : [])]);
    if (users.size + listIds.size === 0) return [];
    // A withdrawal takes over the lists that it removes: an earlier withdrawal can name them.
    const rows = await this.#run<{ user_id: Integer; at: Integer }>(
      sql`SELECT user_id, at FROM social_data.withdrawn WHERE ${among('user_id', idsOf(users))} OR user_id IN (
          SELECT l.user_id FROM social_data.withdrawn_list l WHERE ${among('l.list_id', textsOf(listIds))}
            OR l.list_id IN (SELECT id FROM social_data.list WHERE ${among('owner_id', idsOf(withdrawnUsers))}))`,
    );
    const removed = await this.#withdrawnLists(rows.map(({ user_id: id }) => fromDatabaseId(id)));
    return rows.flatMap(({ user_id, at }) => {
      const removedAt = Number(at) === 0 ? {} : { at: isoTime(Number(at)) };
      const id = fromDatabaseId(user_id);
      return withdrawChanges({ kind: 'withdraw', user_id: id, ...removedAt }, removed.get(id) ?? []);
    });
  }

  /** The lists that withdrawals removed, by the withdrawn user. */
  async #withdrawnLists(users: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.#byIds<{ user_id: Integer; list_id: string }>(
      users,
      (ids) => sql`SELECT user_id, list_id FROM social_data.withdrawn_list WHERE ${among('user_id', ids)}
        ORDER BY user_id, list_id`,
    );
    const lists = new Map<string, string[]>();
    for (const { user_id: stored, list_id: list } of rows) {
      const user = fromDatabaseId(stored);
      lists.set(user, [...(lists.get(user) ?? []), list]);
    }
    return lists;
  }

  async #scrubs({ scrubKeys }: Touched): Promise<SnapshotChange[]> {
    if (scrubKeys.size === 0) return [];
    const rows = await this.#run<{ document: string }>(
      sql`SELECT document FROM social_data.geo_scrub WHERE ${among('key', textsOf(scrubKeys))}`,
    );
    return rows.map(({ document }) => JSON.parse(document) as SnapshotChange);
  }

  /** The tweets of users whose places the changes remove. */
  async #locatedTweets({ userScrubs }: Touched): Promise<readonly string[]> {
    if (userScrubs.length === 0) return [];
    // A place without an id is in the document only.
    const authors = idsOf(userScrubs.map(({ user_id }) => user_id));
    const last = idsOf(userScrubs.map(({ tweet_id }) => tweet_id));
    return this.#ids(
      sql`SELECT t.id FROM ${given({ author_id: authors, last })}
        JOIN social_data.tweet t ON t.author_id = given.author_id AND t.id <= given.last
        WHERE t.place_id IS NOT NULL OR t.longitude IS NOT NULL OR t.document LIKE '%"place":%'
          OR t.document LIKE '%"coordinates":%'`,
    );
  }

  async #entities(touched: Touched): Promise<SnapshotChange[]> {
    const { users, evictedUsers, withdrawnUsers, communities, spaces, places, lists } = touched;
    const profiles = [...users, ...evictedUsers, ...withdrawnUsers];
    const people = await this.#byIds<{ document: string }>(
      profiles,
      (ids) => sql`SELECT document FROM social_data.person WHERE ${among('id', ids)} AND described_at IS NULL`,
    );
    const documents = async (table: string, condition: Fragment): Promise<readonly string[]> => {
      const rows = await this.#run<{ document: string }>(
        sql`SELECT document FROM social_data.${raw(table)} WHERE ${condition}`,
      );
      return rows.map(({ document }) => document);
    };
    const owned = async (table: string, ids: ReadonlySet<string>, owner: string): Promise<readonly string[]> =>
      ids.size + withdrawnUsers.size === 0
        ? []
        : documents(table, sql`${among('id', textsOf(ids))} OR ${among(owner, idsOf(withdrawnUsers))}`);
    const byText = async (table: string, ids: ReadonlySet<string>): Promise<readonly string[]> =>
      ids.size === 0 ? [] : documents(table, among('id', textsOf(ids)));
    const found: SnapshotChange[] = people.map(({ document }) => ({ kind: 'user', user: JSON.parse(document) }));
    for (const each of await byText('community', communities))
      found.push({ kind: 'community', community: JSON.parse(each) });
    for (const each of await owned('space', spaces, 'host_id')) found.push({ kind: 'space', space: JSON.parse(each) });
    for (const each of await byText('place', places)) found.push({ kind: 'place', place: JSON.parse(each) });
    for (const each of await owned('list', lists, 'owner_id')) found.push({ kind: 'list', list: JSON.parse(each) });
    if (withdrawnUsers.size > 0)
      for (const change of found) if (change.kind === 'list') touched.lists.add(change.list.id);
    return found;
  }

  async #relations(touched: Touched, tree: readonly string[]): Promise<SnapshotChange[]> {
    const withdrawn = [...touched.withdrawnUsers];
    const owners: Record<RelationTable, readonly string[]> = {
      follow: withdrawn,
      highlight: withdrawn,
      membership: withdrawn,
      retweet: tree,
      list_member: withdrawn.length > 0 ? [...touched.lists] : [],
    };
    const found: SnapshotChange[] = [];
    for (const table of relationNames)
      for (const [pair, values] of await this.#relation(table, touched.pairs(table), owners[table]))
        found.push(...relationChanges(table, pair, values));
    return found;
  }

  /** The rows of a relation for these pairs, and all rows of these owners. */
  async #relation(
    table: RelationTable,
    pairs: readonly Pair[],
    owners: readonly string[],
  ): Promise<[Pair, RelationValues][]> {
    if (pairs.length + owners.length === 0) return [];
    const { owner, member } = relationTables[table];
    const isText = table === 'list_member';
    const ownerIds = (ids: readonly string[]): List => (isText ? textsOf(ids) : idsOf(ids));
    const columns = raw(
      `r.${owner} AS owner, r.${member} AS member, r.at, r.last, r.removed_at, ${table === 'membership' ? 'r.role' : 'NULL AS role'}`,
    );
    const from = sql`SELECT ${columns} FROM social_data.${raw(table)} r`;
    const [givenOwners, givenMembers] = [
      ownerIds(pairs.map((pair) => pair.owner)),
      idsOf(pairs.map((pair) => pair.member)),
    ];
    const rows = await this.#run<RelationRow>(
      sql`${from} JOIN ${given({ owner: givenOwners, member: givenMembers })}
          ON r.${raw(owner)} = given.owner AND r.${raw(member)} = given.member
        UNION ${from} WHERE ${among(`r.${owner}`, ownerIds(owners))}`,
    );
    return rows.map((row) => [
      { owner: isText ? String(row.owner) : fromDatabaseId(row.owner), member: fromDatabaseId(row.member) },
      valuesOfRow(row),
    ]);
  }

  async #likes(ids: Iterable<string>): Promise<SnapshotChange[]> {
    const rows = await this.#byIds<{ tweet_id: Integer; is_liked: boolean | number; at: Integer }>(
      ids,
      (list) => sql`SELECT tweet_id, is_liked, at FROM social_data.tweet_like WHERE ${among('tweet_id', list)}`,
    );
    return rows.map(({ tweet_id: id, is_liked, at }) => {
      const tweet_id = fromDatabaseId(id);
      const created = Number(at) === 0 ? {} : { created_at: isoTime(Number(at)) };
      return is_liked ? { kind: 'like', tweet_id, ...created } : { kind: 'unlike', tweet_id, at: Number(at) };
    });
  }

  /** Runs a statement whose only parameter are ids; without an id, there is nothing to read. */
  async #byIds<Row extends object>(ids: Iterable<string>, statement: (ids: List) => Fragment): Promise<readonly Row[]> {
    const list = [...ids];
    return list.length === 0 ? [] : this.#run<Row>(statement(idsOf(list)));
  }

  async #ids(statement: Fragment): Promise<string[]> {
    return (await this.#run<{ id: Integer }>(statement)).map(({ id }) => fromDatabaseId(id));
  }
}

const relationNames: readonly RelationTable[] = ['follow', 'retweet', 'highlight', 'membership', 'list_member'];
