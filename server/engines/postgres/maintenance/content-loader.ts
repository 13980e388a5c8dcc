/** Loads the content of an archive into tables that have none of it: a snapshot is content already, so no change is applied. */
import type { DocumentContext } from '../../../search/document.ts';
import type { Database } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import type { SnapshotChange } from '../../../archive/rules/change.ts';
import { BinaryRows, copyBinary } from '../rows/binary-rows.ts';
import { itemsOf, type Item } from '../../../archive/content/content.ts';
import { mentionRows, rowOf } from '../../../archive/content/content-rows.ts';
import { describeUsers, insertionsOf, type ContentPage } from '../../../archive/writes/loaded-rows.ts';
import type { Row } from '../../../archive/sql.ts';
import { copyRows, insertionOf } from '../store/insertion.ts';
import { nameColumns, tweetRows } from '../rows/search-rows.ts';
import { PostgresSearchRows } from '../writes/postgres-search-rows.ts';
import { DescribedUsers } from '../../../archive/writes/described-users.ts';

/** The changes of a part of the tweets: the database writes one part while the next one is prepared. */
const partChanges = 200;

/**
 * Writes pages of content in one transaction, and with them what `done` returns for the number of changes. All other rows than those of tweets are in memory until their end, so the caller
 * divides the content. Returns the number of changes. Rejects with StoreError; then nothing is written.
 */
export function loadPages(
  database: Pick<Database, 'transaction'>,
  pages: Iterable<ContentPage> | AsyncIterable<ContentPage>,
  done?: (changes: number) => Statement,
): Promise<number> {
  return database.transaction(
    async (run) => {
      const rows = new LoadedRows();
      await run(copyBinary('tweet', rows.tweetsOf(pages)));
      for (const statement of rows.statements()) await run(statement);
      if (done !== undefined) await run(done(rows.changes));
      return rows.changes;
    },
    { isUnlimited: true },
  );
}

/** Describes the users without a profile by their mentions, when all rows and indexes are there. Rejects with StoreError. */
export const describeLoadedUsers = (database: Pick<Database, 'transaction' | 'run'>): Promise<void> =>
  describeUsers(database.run, (ids) =>
    database.transaction(async (run) => {
      await new DescribedUsers(run, new PostgresSearchRows(run, 0), ids).refresh();
    }),
  );

/** The rows of pages. It keeps bytes instead of tweets: many objects that live long cost time. */
class LoadedRows {
  readonly #tweets = new BinaryRows('tweet');
  readonly #counts = new BinaryRows('tweet_count');
  readonly #mentions = new BinaryRows('mention');
  readonly #longTweets: Row[] = [];
  readonly #others: SnapshotChange[] = [];
  #changes = 0;

  /** The number of changes so far. */
  get changes(): number {
    return this.#changes;
  }

  /** The rows of the tweets in parts. Collects all other rows. */
  async *tweetsOf(pages: Iterable<ContentPage> | AsyncIterable<ContentPage>): AsyncGenerator<Uint8Array, void> {
    for await (const { changes, context } of pages)
      for (const change of changes) {
        if (change.kind === 'tweet') this.#addTweet(change, context);
        else this.#others.push(change);
        if (++this.#changes % partChanges === 0) yield this.#tweets.take();
      }
    yield this.#tweets.end();
  }

  #addTweet(change: Extract<SnapshotChange, { kind: 'tweet' }>, context: DocumentContext): void {
    const { tweet, words, counts, longTweet } = tweetRows(change.tweet, context);
    this.#tweets.add(tweet, words);
    this.#counts.add(counts);
    for (const mention of mentionRows(change.tweet)) this.#mentions.add(mention);
    if (longTweet !== undefined) this.#longTweets.push(longTweet);
  }

  /** The statements that write the collected rows. */
  statements(): Statement[] {
    const items = [...itemsOf(this.#others).values()];
    const statements: Statement[] = [];
    if (this.#counts.length > 0) statements.push(copyBinary('tweet_count', this.#counts.end()));
    if (this.#mentions.length > 0) statements.push(copyBinary('mention', this.#mentions.end()));
    if (this.#longTweets.length > 0) statements.push(copyRows('long_tweet', this.#longTweets));
    const users = items.filter(({ table }) => table === 'user');
    if (users.length > 0) statements.push(copyRows('person', users.flatMap(profileRows)));
    return [...statements, ...insertionsOf(items).map(insertionOf)];
  }
}

/** The row of a profile with the columns of its names. */
function profileRows(item: Item): Row[] {
  const [change] = item.changes;
  const row = rowOf(item);
  return change?.kind === 'user' && row !== undefined ? [{ ...row, ...nameColumns(change.user) }] : [];
}
