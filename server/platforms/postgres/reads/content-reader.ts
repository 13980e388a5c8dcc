/** Reads the content that a group of changes touches, in the order in which `Archive.restore` takes it. */
import type { ArchivedTweet } from '../../../domain/records.ts';
import type { Tombstone } from '../../../domain/tombstone.ts';
import type { HeldKeys } from '../../../ports/held-records.ts';
import type { Run } from '../../../storage/postgres/database.ts';
import type { Change, SnapshotChange } from '../../archive/change.ts';
import { scrubKeysOf } from '../../archive/geo-scrubs.ts';
import { deleteChange, withdrawChanges } from '../../archive/snapshot.ts';
import {
  relationChanges,
  relationTables,
  valuesOfRow,
  type Pair,
  type RelationRow,
  type RelationTable,
  type RelationValues,
} from '../rows/content.ts';
import { fromDatabaseId, toDatabaseId } from '../rows/database-id.ts';
import { Touched } from './touched.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../rows/tweet-record.ts';

const isoTime = (at: number): string => new Date(at).toISOString();
const databaseIds = (ids: Iterable<string>): string[] => Array.from(ids, toDatabaseId);

export class ContentReader {
  readonly #run: Run;

  constructor(run: Run) {
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
    const retweets = [...nativeRetweets.values()];
    const rows = await this.#run<{ id: string }>({
      text: `WITH RECURSIVE tree (id) AS (
          SELECT given.id FROM (
            SELECT unnest($1::bigint[]) AS id
            UNION ALL SELECT id FROM social_data.tweet WHERE author_id = ANY ($2::bigint[])
            UNION ALL SELECT t.id FROM social_data.tweet t
              JOIN unnest($3::bigint[], $4::bigint[]) AS r (owner, member)
              ON t.retweeted_id = r.owner AND t.author_id = r.member) AS given
          UNION
          SELECT retweet.id FROM tree JOIN LATERAL (
            SELECT t.id FROM social_data.tweet t WHERE t.retweeted_id = tree.id
            UNION ALL
            SELECT d.id FROM social_data.tombstone d WHERE d.retweeted_id = tree.id AND d.reason = 'retweet'
          ) AS retweet ON true)
        SELECT id FROM tree`,
      params: [
        databaseIds(removedTweets),
        databaseIds(withdrawnUsers),
        databaseIds(retweets.map(({ owner }) => owner)),
        databaseIds(retweets.map(({ member }) => member)),
      ],
    });
    return rows.map(({ id }) => fromDatabaseId(id));
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
    const rows = await this.#run<{ id: string }>({
      text: `SELECT w.id FROM unnest($1::bigint[]) AS given (id) JOIN LATERAL (
          SELECT t.id FROM social_data.tweet t WHERE t.author_id = given.id AND NOT t.id = ANY ($2::bigint[]) LIMIT 1
        ) AS w ON true
        UNION SELECT o.id FROM social_data.tweet t
          JOIN social_data.tweet o ON o.retweeted_id = t.retweeted_id AND o.author_id = t.author_id
          WHERE t.id = ANY ($2::bigint[])`,
      params: [databaseIds(evictedUsers), databaseIds(tree)],
    });
    return rows.map(({ id }) => fromDatabaseId(id));
  }

  async #tweetRecords(ids: Iterable<string>): Promise<ArchivedTweet[]> {
    const rows = await this.#byIds<TweetRow>(
      ids,
      `SELECT ${tweetColumns} FROM ${tweetTables} WHERE t.id = ANY ($1::bigint[])`,
    );
    return rows.map(tweetOf);
  }

  /** The tombstones, and those of the tweets on which it depends whether they are in force. */
  async #tombstones(touched: Touched): Promise<SnapshotChange[]> {
    const rows = await this.#byIds<{ document: string }>(
      touched.blockedTweets,
      `WITH RECURSIVE chain (id) AS (
          SELECT unnest($1::bigint[])
          UNION
          SELECT d.retweeted_id FROM chain JOIN social_data.tombstone d ON d.id = chain.id
            WHERE d.reason = 'retweet' AND d.retweeted_id IS NOT NULL)
        SELECT d.document FROM social_data.tombstone d JOIN chain ON chain.id = d.id`,
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
    const rows = await this.#run<{ user_id: string; at: string; list_ids: string[] }>({
      text: `SELECT user_id, at, list_ids FROM social_data.withdrawn
        WHERE user_id = ANY ($1::bigint[]) OR list_ids && $2::text[]
          OR list_ids && ARRAY(SELECT id FROM social_data.list WHERE owner_id = ANY ($3::bigint[]))`,
      params: [databaseIds(users), [...listIds], databaseIds(withdrawnUsers)],
    });
    return rows.flatMap(({ user_id, at, list_ids }) => {
      const removedAt = Number(at) === 0 ? {} : { at: isoTime(Number(at)) };
      return withdrawChanges({ kind: 'withdraw', user_id: fromDatabaseId(user_id), ...removedAt }, list_ids);
    });
  }

  async #scrubs({ scrubKeys }: Touched): Promise<SnapshotChange[]> {
    if (scrubKeys.size === 0) return [];
    const rows = await this.#run<{ document: string }>({
      text: 'SELECT document FROM social_data.geo_scrub WHERE key = ANY ($1::text[])',
      params: [[...scrubKeys]],
    });
    return rows.map(({ document }) => JSON.parse(document) as SnapshotChange);
  }

  /** The tweets of users whose places the changes remove. */
  async #locatedTweets({ userScrubs }: Touched): Promise<readonly string[]> {
    if (userScrubs.length === 0) return [];
    // A place without an id is in the document only.
    const rows = await this.#run<{ id: string }>({
      text: `SELECT t.id FROM unnest($1::bigint[], $2::bigint[]) AS given (author_id, last)
        JOIN social_data.tweet t ON t.author_id = given.author_id AND t.id <= given.last
        WHERE t.place_id IS NOT NULL OR t.longitude IS NOT NULL OR t.document LIKE '%"place":%'
          OR t.document LIKE '%"coordinates":%'`,
      params: [
        databaseIds(userScrubs.map(({ user_id }) => user_id)),
        databaseIds(userScrubs.map(({ tweet_id }) => tweet_id)),
      ],
    });
    return rows.map(({ id }) => fromDatabaseId(id));
  }

  async #entities(touched: Touched): Promise<SnapshotChange[]> {
    const { users, evictedUsers, withdrawnUsers, communities, spaces, places, lists } = touched;
    const profiles = [...users, ...evictedUsers, ...withdrawnUsers];
    const withdrawn = databaseIds(withdrawnUsers);
    const people = await this.#byIds<{ document: string }>(
      profiles,
      `SELECT document FROM social_data.person WHERE id = ANY ($1::bigint[]) AND described_at IS NULL`,
    );
    const owned = async (table: string, ids: ReadonlySet<string>, owner: string): Promise<readonly string[]> => {
      if (ids.size + withdrawn.length === 0) return [];
      const text = `SELECT document FROM social_data.${table} WHERE id = ANY ($1::text[]) OR ${owner} = ANY ($2::bigint[])`;
      const rows = await this.#run<{ document: string }>({ text, params: [[...ids], withdrawn] });
      return rows.map(({ document }) => document);
    };
    const byText = async (table: string, ids: ReadonlySet<string>): Promise<readonly string[]> => {
      if (ids.size === 0) return [];
      const text = `SELECT document FROM social_data.${table} WHERE id = ANY ($1::text[])`;
      const rows = await this.#run<{ document: string }>({ text, params: [[...ids]] });
      return rows.map(({ document }) => document);
    };
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
    const type = isText ? 'text' : 'bigint';
    const ownerIds = (ids: readonly string[]): string[] => (isText ? [...ids] : databaseIds(ids));
    const columns = `${owner} AS owner, ${member} AS member, at, last, removed_at, ${table === 'membership' ? 'role' : 'NULL AS role'}`;
    const rows = await this.#run<RelationRow>({
      text: `SELECT ${columns} FROM social_data.${table}
          WHERE (${owner}, ${member}) IN (SELECT * FROM unnest($1::${type}[], $2::bigint[]))
        UNION SELECT ${columns} FROM social_data.${table} WHERE ${owner} = ANY ($3::${type}[])`,
      params: [
        ownerIds(pairs.map((pair) => pair.owner)),
        databaseIds(pairs.map((pair) => pair.member)),
        ownerIds(owners),
      ],
    });
    return rows.map((row) => [
      { owner: isText ? row.owner : fromDatabaseId(row.owner), member: fromDatabaseId(row.member) },
      valuesOfRow(row),
    ]);
  }

  async #likes(ids: Iterable<string>): Promise<SnapshotChange[]> {
    const rows = await this.#byIds<{ tweet_id: string; is_liked: boolean; at: string }>(
      ids,
      'SELECT tweet_id, is_liked, at FROM social_data.tweet_like WHERE tweet_id = ANY ($1::bigint[])',
    );
    return rows.map(({ tweet_id: id, is_liked, at }) => {
      const tweet_id = fromDatabaseId(id);
      const created = Number(at) === 0 ? {} : { created_at: isoTime(Number(at)) };
      return is_liked ? { kind: 'like', tweet_id, ...created } : { kind: 'unlike', tweet_id, at: Number(at) };
    });
  }

  /** Runs a statement whose only parameter are ids; without an id, there is nothing to read. */
  async #byIds<Row extends object>(ids: Iterable<string>, text: string): Promise<readonly Row[]> {
    const params = [databaseIds(ids)] as const;
    return params[0].length === 0 ? [] : this.#run<Row>({ text, params });
  }
}

const relationNames: readonly RelationTable[] = ['follow', 'retweet', 'highlight', 'membership', 'list_member'];
