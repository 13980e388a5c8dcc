/** Writes the difference that changes made to a part of the content: the rows of the records, then what derives from them. */
import { among, given, raw, sql, type Fragment, type List, type Row, type RunSql } from '../sql.ts';
import { counts, type ArchivedTweet, type ArchivedUser } from '../../domain/records.ts';
import type { SnapshotChange } from '../rules/change.ts';
import { engagementOfTweet } from '../../search/engagement.ts';
import { itemsOf, type Item } from '../content/content.ts';
import {
  childRowsOf,
  childTables,
  keyOf,
  mentionRows,
  optionalId,
  profileRow,
  rowOf,
  targetOf,
  type Target,
} from '../content/content-rows.ts';
import { idsOf, toDatabaseId } from '../content/database-id.ts';
import { storedNameDependency, tweetDependency, userDependency } from '../content/dependencies.ts';
import type { ArchiveTransaction, SearchRows } from './archive-database.ts';
import { DescribedUsers } from './described-users.ts';
import { retweetOf } from './new-tweets.ts';
import { TweetWriter } from './tweet-writer.ts';

/** The content before and after changes, by key. */
export interface Difference {
  readonly before: ReadonlyMap<string, Item>;
  readonly after: ReadonlyMap<string, Item>;
  /** Further new tweets: see new-tweets.ts. */
  readonly added: readonly ArchivedTweet[];
}

/** The number of rows in one statement. */
const maxRows = 2000;

export function* parts<Each>(all: readonly Each[]): Generator<readonly Each[], void> {
  for (let from = 0; from < all.length; from += maxRows) yield all.slice(from, from + maxRows);
}

/** A tweet before and after the changes; undefined where it is not there. */
interface ChangedTweet {
  readonly id: string;
  readonly before: ArchivedTweet | undefined;
  readonly after: ArchivedTweet | undefined;
}

/** Writes the rows of one transaction. */
export class ContentWriter {
  readonly #run: RunSql;
  readonly #commit: number;
  readonly #rows: SearchRows;

  /** `commit`: the number of the transaction. */
  constructor({ run, searchRows }: Pick<ArchiveTransaction, 'run' | 'searchRows'>, commit: number) {
    this.#run = run;
    this.#commit = commit;
    this.#rows = searchRows(commit);
  }

  /**
   * Writes a difference. Returns the keys of the changed dependencies (see dependencies.ts), which can come more than once; undefined without
   * a difference. Rejects with StoreError.
   */
  async write({ before, after, added }: Difference): Promise<Iterable<string> | undefined> {
    const removed = [...before.values()].filter(({ key }) => !after.has(key));
    const changed = [...after.values()].filter(({ key, json }) => before.get(key)?.json !== json);
    if (removed.length + changed.length + added.length === 0) return undefined;
    changed.push(...itemsOf(added.flatMap(retweetOf)).values());
    const tweets = changedTweets(before, [...removed, ...changed], after);
    for (const tweet of added) tweets.push({ id: tweet.id, before: undefined, after: tweet });
    const named = namedUsers(tweets, [...removed, ...changed]);
    const users = new DescribedUsers(this.#run, this.#rows, named);
    await users.readBefore();
    await this.#removeRows(removed);
    await this.#removeTweets(tweets.flatMap((each) => (each.after === undefined ? [each.id] : [])));
    await this.#writeRows(changed);
    await this.#hideWithdrawn(changed.filter(({ table, key }) => table === 'withdrawn' && !before.has(key)));
    const writer = new TweetWriter(this.#run, this.#rows);
    const content = tweets.filter(isNewContent);
    await this.#writeMentions(content);
    await writer.write(content);
    const recounted = await this.#writeCounts(tweets.filter(isPresent), new Set(content.map(({ id }) => id)));
    const renamed = await users.refresh();
    const moved = [...removed, ...changed].flatMap((item) =>
      item.table === 'tombstone' || (item.table === 'tweet' && isMoved(before, after, item.key)) ? [item.id] : [],
    );
    for (const { id } of added) moved.push(id);
    await writer.writeDependent({ content, moved, renamed, recounted });
    return dependenciesOn(tweets, named, users.usernames);
  }

  async #removeRows(items: readonly Item[]): Promise<void> {
    for (const [target, group] of byTarget(items))
      for (const part of parts(group)) {
        const keys = part.map(keyOf);
        if (target.table === 'person') await this.#rows.removeUsers(keys.map(([id = '']) => id));
        else await this.#run(deleteRows(target, keys));
        await this.#removeChildren(target, part);
      }
  }

  async #writeRows(items: readonly Item[]): Promise<void> {
    for (const [target, group] of byTarget(items))
      for (const part of parts(group)) {
        if (target.table === 'person') {
          await this.#rows.writeUsers(part.flatMap(profileOf));
          continue;
        }
        const rows = part.map(rowOf).filter((row) => row !== undefined);
        await this.#run({ table: target.table, rows, conflict: { keys: target.keys, action: 'replace' } });
        await this.#removeChildren(target, part);
        const children = childTables[target.table];
        const childRows = children === undefined ? [] : part.flatMap(childRowsOf);
        if (children !== undefined && childRows.length > 0) await this.#run({ table: children.table, rows: childRows });
      }
  }

  async #removeChildren({ table, textKeys }: Target, items: readonly Item[]): Promise<void> {
    const children = childTables[table];
    if (children === undefined) return;
    const keys = items.map(keyOf).map(([key = '']) => key);
    const list = textKeys === undefined ? { ids: keys } : { texts: keys };
    await this.#run(sql`DELETE FROM social_data.${raw(children.table)} WHERE ${among(children.parent, list)}`);
  }

  async #removeTweets(ids: readonly string[]): Promise<void> {
    for (const part of parts(ids)) {
      await this.#rows.remove(part);
      for (const [table, column] of Object.entries({ engagement_before: 'id', mention: 'tweet_id' }))
        await this.#run(sql`DELETE FROM social_data.${raw(table)} WHERE ${among(column, idsOf(part))}`);
    }
  }

  /** Removes accounts that were withdrawn now from the relations of others. A reinstatement does not bring them back. */
  async #hideWithdrawn(items: readonly Item[]): Promise<void> {
    const ids = idsOf(items.flatMap((item) => ('id' in item ? [item.id] : [])));
    if (ids.ids.length === 0) return;
    const columns = { follow: 'following_id', retweet: 'user_id', list_member: 'user_id' };
    for (const [table, column] of Object.entries(columns))
      await this.#run(sql`DELETE FROM social_data.${raw(table)} WHERE ${among(column, ids)}`);
  }

  async #writeMentions(tweets: readonly Present[]): Promise<void> {
    for (const part of parts(tweets)) {
      const mentioning = part.filter(({ before }) => before !== undefined && hasMentions(before));
      if (mentioning.length > 0)
        await this.#run(
          sql`DELETE FROM social_data.mention WHERE ${among('tweet_id', idsOf(mentioning.map(({ id }) => id)))}`,
        );
      const rows = part.flatMap(({ after }) => mentionRows(after));
      if (rows.length > 0) await this.#run({ table: 'mention', rows });
    }
  }

  /** Writes counts, and keeps the engagement before this transaction: a ranking reads all its pages as of one commit. */
  async #writeCounts(tweets: readonly Present[], content: ReadonlySet<string>): Promise<readonly string[]> {
    const recounted: string[] = [];
    for (const part of parts(tweets)) {
      recounted.push(...(await this.#rows.writeCounts(part, content)));
      const rows = part.flatMap(({ id, before, after }) =>
        before === undefined || engagementOfTweet(before) === engagementOfTweet(after)
          ? []
          : [
              {
                ...{ id: toDatabaseId(id), commit: this.#commit, engagement: engagementOfTweet(before) },
                community_id: optionalId(after.community_id),
              },
            ],
      );
      if (rows.length > 0)
        await this.#run({ table: 'engagement_before', rows, conflict: { keys: ['id', 'commit'], action: 'keep' } });
    }
    return recounted;
  }
}

/** Keys that a caller may not need: a large transaction does not state its keys. */
function* dependenciesOn(
  tweets: readonly ChangedTweet[],
  users: Iterable<string>,
  usernames: Iterable<string>,
): Generator<string, void> {
  for (const { id } of tweets) yield tweetDependency(id);
  for (const id of users) yield userDependency(id);
  for (const username of usernames) yield storedNameDependency(username);
}

/** The user of an item, with the row. */
function profileOf({ changes: [change] }: Item): { user: ArchivedUser; row: Row }[] {
  return change?.kind === 'user' ? [{ user: change.user, row: profileRow(change.user) }] : [];
}

/** A statement that deletes the rows of these keys. */
function deleteRows({ table, keys, textKeys = [] }: Target, values: readonly (readonly string[])[]): Fragment {
  const lists = keys.map((name, index): readonly [string, List] => {
    const column = values.map((key) => key[index] ?? '');
    return [name, textKeys.includes(name) ? { texts: column } : { ids: column }];
  });
  const [only] = lists;
  const from = sql`DELETE FROM social_data.${raw(table)} WHERE`;
  if (lists.length === 1 && only !== undefined) return sql`${from} ${among(...only)}`;
  const columns = (prefix: string): Fragment => raw(keys.map((name) => prefix + name).join(', '));
  return sql`${from} (${columns('')}) IN (SELECT ${columns('given.')} FROM ${given(Object.fromEntries(lists))})`;
}

function byTarget(items: readonly Item[]): Map<Target, Item[]> {
  const groups = new Map<string, [Target, Item[]]>();
  for (const item of items) {
    const target = targetOf(item);
    if (target === undefined) continue;
    const group = groups.get(target.table);
    if (group === undefined) groups.set(target.table, [target, [item]]);
    else group[1].push(item);
  }
  return new Map(groups.values());
}

const tweetIn = (item: Item | undefined): ArchivedTweet | undefined => {
  const change: SnapshotChange | undefined = item?.changes[0];
  return change?.kind === 'tweet' ? change.tweet : undefined;
};

const changedTweets = (
  before: ReadonlyMap<string, Item>,
  items: readonly Item[],
  after: ReadonlyMap<string, Item>,
): ChangedTweet[] =>
  items.flatMap((item) =>
    item.table === 'tweet'
      ? [{ id: item.id, before: tweetIn(before.get(item.key)), after: tweetIn(after.get(item.key)) }]
      : [],
  );

/** Whether a tweet is there only before or only after the changes. */
const isMoved = (before: ReadonlyMap<string, Item>, after: ReadonlyMap<string, Item>, key: string): boolean =>
  before.has(key) !== after.has(key);

/** The JSON of a tweet without its counts and the time of its observation. */
function contentOf(tweet: ArchivedTweet): string {
  const { observed_at: _observed, ...content } = tweet;
  for (const name of counts) delete content[name];
  return JSON.stringify(content);
}

const hasMentions = ({ entities }: ArchivedTweet): boolean => (entities?.mentions ?? []).length > 0;

type Present = ChangedTweet & { readonly after: ArchivedTweet };
const isPresent = (tweet: ChangedTweet): tweet is Present => tweet.after !== undefined;
const isNewContent = (tweet: ChangedTweet): tweet is Present =>
  isPresent(tweet) && (tweet.before === undefined || contentOf(tweet.before) !== contentOf(tweet.after));

/** The users whose description can have changed: those that changed tweets mention, and those that changed themselves. */
function namedUsers(tweets: readonly ChangedTweet[], items: readonly Item[]): Set<string> {
  const ids = new Set<string>();
  for (const tweet of tweets) {
    if (isPresent(tweet) && !isNewContent(tweet)) continue;
    for (const each of [tweet.before, tweet.after])
      for (const { id } of each?.entities?.mentions ?? []) if (id !== undefined && /^\d{1,19}$/.test(id)) ids.add(id);
  }
  for (const item of items) if (item.table === 'user' || item.table === 'withdrawn') ids.add(item.id);
  return ids;
}
