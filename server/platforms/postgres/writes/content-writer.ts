/** Writes the difference that changes made to a part of the content: the rows of the records, then what derives from them. */
import { counts, type ArchivedTweet } from '../../../domain/records.ts';
import type { Run, Statement } from '../../../storage/postgres/database.ts';
import type { SnapshotChange } from '../../archive/change.ts';
import type { Item } from '../rows/content.ts';
import { keyOf, mentionRows, rowOf, targetOf, type Target } from '../rows/content-rows.ts';
import { toDatabaseId } from '../rows/database-id.ts';
import { storedNameDependency, tweetDependency, userDependency } from '../rows/dependencies.ts';
import { DescribedUsers } from './described-users.ts';
import { engagementOfTweet } from '../../../search/engagement.ts';
import { startOfLevel } from '../../../archive/search/engagement-levels.ts';
import { SearchRows, type ChangedCounts } from './search-row-writer.ts';
import { copyRows, countRow, insertRows, upsertRows } from '../rows/search-rows.ts';

/** The content before and after changes, by key. */
export interface Difference {
  readonly before: ReadonlyMap<string, Item>;
  readonly after: ReadonlyMap<string, Item>;
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

export class ContentWriter {
  readonly #run: Run;
  readonly #commit: number;

  /** `commit`: the number of the transaction. */
  constructor(run: Run, commit: number) {
    this.#run = run;
    this.#commit = commit;
  }

  /**
   * Writes a difference. Returns the keys of the changed dependencies (see dependencies.ts), undefined without a difference. Rejects
   * with DatabaseError.
   */
  async write({ before, after }: Difference): Promise<ReadonlySet<string> | undefined> {
    const removed = [...before.values()].filter(({ key }) => !after.has(key));
    const changed = [...after.values()].filter(({ key, json }) => before.get(key)?.json !== json);
    if (removed.length + changed.length === 0) return undefined;
    const tweets = changedTweets(before, [...removed, ...changed], after);
    const named = namedUsers(tweets, [...removed, ...changed]);
    const users = new DescribedUsers(this.#run, named);
    await users.readBefore();
    await this.#removeRows(removed);
    await this.#removeTweets(tweets.flatMap((each) => (each.after === undefined ? [each.id] : [])));
    await this.#writeRows(changed);
    await this.#hideWithdrawn(changed.filter(({ table, key }) => table === 'withdrawn' && !before.has(key)));
    await this.#writeTweets(tweets);
    const rows = new SearchRows(this.#run, this.#commit);
    const present = tweets.filter(isNewContent);
    await rows.write(present);
    await rows.writeLevels(tweets.flatMap(withOtherLevel));
    const renamed = await users.refresh();
    const moved = [...removed, ...changed].flatMap((item) =>
      item.table === 'tombstone' || (item.table === 'tweet' && isMoved(before, after, item.key)) ? [item.id] : [],
    );
    await rows.writeDependent({ present, moved, renamed });
    return new Set([
      ...tweets.map(({ id }) => tweetDependency(id)),
      ...Array.from(named, userDependency),
      ...Array.from(users.usernames, storedNameDependency),
    ]);
  }

  async #removeRows(items: readonly Item[]): Promise<void> {
    for (const [target, group] of byTarget(items))
      for (const part of parts(group)) await this.#run(deleteRows(target, part.map(keyOf)));
  }

  async #writeRows(items: readonly Item[]): Promise<void> {
    for (const [{ table, keys }, group] of byTarget(items))
      for (const part of parts(group)) {
        const rows = part.map(rowOf).filter((row) => row !== undefined);
        await this.#run(upsertRows(table, keys, rows));
      }
  }

  async #removeTweets(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const tables = { tweet: 'id', tweet_count: 'id', long_tweet: 'id', engagement_before: 'id' };
    for (const [table, column] of Object.entries({ ...tables, mention: 'tweet_id' }))
      for (const part of parts(ids))
        await this.#run({
          text: `DELETE FROM social_data.${table} WHERE ${column} = ANY ($1::bigint[])`,
          params: [part.map(toDatabaseId)],
        });
  }

  /** Removes accounts that were withdrawn now from the relations of others. A reinstatement does not bring them back. */
  async #hideWithdrawn(items: readonly Item[]): Promise<void> {
    const ids = items.flatMap((item) => ('id' in item ? [toDatabaseId(item.id)] : []));
    if (ids.length === 0) return;
    for (const [table, column] of Object.entries({
      follow: 'following_id',
      retweet: 'user_id',
      list_member: 'user_id',
    }))
      await this.#run({
        text: `DELETE FROM social_data.${table} WHERE ${column} = ANY ($1::bigint[])`,
        params: [ids],
      });
  }

  /** Writes mentions and counts. */
  async #writeTweets(tweets: readonly ChangedTweet[]): Promise<void> {
    for (const part of parts(tweets.filter(isPresent))) {
      const contents = part.filter(isNewContent);
      const mentioning = contents.filter(({ before }) => before !== undefined && hasMentions(before));
      if (mentioning.length > 0)
        await this.#run({
          text: 'DELETE FROM social_data.mention WHERE tweet_id = ANY ($1::bigint[])',
          params: [mentioning.map(({ id }) => toDatabaseId(id))],
        });
      const mentions = contents.flatMap(({ after }) => mentionRows(after));
      if (mentions.length > 0) await this.#run(copyRows('mention', mentions));
      const [added, others] = [part.filter(isAdded), part.filter((each) => !isAdded(each))].map((each) =>
        each.map(({ after }) => countRow(after)),
      );
      if (added !== undefined && added.length > 0) await this.#run(copyRows('tweet_count', added));
      if (others !== undefined && others.length > 0) await this.#run(upsertRows('tweet_count', ['id'], others));
      await this.#rememberEngagement(part);
    }
  }

  /** Keeps the engagement before this transaction: a ranking reads all its pages as of one commit. */
  async #rememberEngagement(tweets: readonly ChangedTweet[]): Promise<void> {
    const rows = tweets.flatMap(({ id, before, after }) =>
      before === undefined || after === undefined || engagementOfTweet(before) === engagementOfTweet(after)
        ? []
        : [{ id: toDatabaseId(id), commit: this.#commit, engagement: engagementOfTweet(before) }],
    );
    if (rows.length > 0) await this.#run(insertRows('engagement_before', rows, 'ON CONFLICT DO NOTHING'));
  }
}

/** A statement that deletes the rows of these keys. */
function deleteRows({ table, keys, textKeys = [] }: Target, values: readonly (readonly string[])[]): Statement {
  const columns = keys.map((name) => `${name} ${textKeys.includes(name) ? 'text' : 'bigint'}`).join(', ');
  const same = keys.map((name) => `t.${name} = given.${name}`).join(' AND ');
  const rows = values.map((key) => Object.fromEntries(keys.map((name, index) => [name, key[index]])));
  return {
    text: `DELETE FROM social_data.${table} t USING jsonb_to_recordset($1::jsonb) AS given (${columns}) WHERE ${same}`,
    params: [JSON.stringify(rows)],
  };
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

const isAdded = ({ before }: ChangedTweet): boolean => before === undefined;
const hasMentions = ({ entities }: ArchivedTweet): boolean => (entities?.mentions ?? []).length > 0;

type Present = ChangedTweet & { readonly after: ArchivedTweet };
const isPresent = (tweet: ChangedTweet): tweet is Present => tweet.after !== undefined;
const isNewContent = (tweet: ChangedTweet): tweet is Present =>
  isPresent(tweet) && (tweet.before === undefined || contentOf(tweet.before) !== contentOf(tweet.after));

/** The tweet, if only its counts changed, and with them the level of its engagement. */
function withOtherLevel(tweet: ChangedTweet): readonly ChangedCounts[] {
  const { before, after } = tweet;
  if (before === undefined || after === undefined || isNewContent(tweet)) return [];
  return startOfLevel(engagementOfTweet(before)) === startOfLevel(engagementOfTweet(after)) ? [] : [{ before, after }];
}

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
