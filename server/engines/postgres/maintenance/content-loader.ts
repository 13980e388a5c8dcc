/** Loads the content of an archive into empty tables: a snapshot is content already, so no change is applied. */
import type { DocumentContext } from '../../../search/document.ts';
import type { Database, Run } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import type { SnapshotChange } from '../../../archive/rules/change.ts';
import { BinaryRows, copyBinary } from '../rows/binary-rows.ts';
import { itemsOf, keyOfChange, type Item } from '../../../archive/content/content.ts';
import { mentionRows, rowOf } from '../../../archive/content/content-rows.ts';
import { describeUsers, insertionsOf, type ContentPage } from '../../../archive/writes/loaded-rows.ts';
import type { Row } from '../../../archive/sql.ts';
import { copyRows, insertionOf } from '../store/insertion.ts';
import { nameColumns, tweetRows } from '../rows/search-rows.ts';
import { PostgresSearchRows } from '../writes/postgres-search-rows.ts';
import { DescribedUsers } from '../../../archive/writes/described-users.ts';
import { buildIndexes, dropIndexes } from './bulk-indexes.ts';

type LoadedDatabase = Pick<Database, 'transaction' | 'maintain' | 'run'>;

/** The changes of a part of the tweets: the database writes one part while the next one is prepared. */
const partChanges = 200;
/** The tweets and the other records of a batch. Each COPY leaves some empty pages at its end, so small batches waste disk. */
const [batchTweets, batchRecords] = [100_000, 20_000];
/** The tables that are filled by COPY, apart from that of the tweets. */
const copiedTables = ['tweet_count', 'mention', 'long_tweet', 'person'];
/** PostgreSQL writes the rows as VACUUM leaves them. It needs tables that the same transaction has emptied. */
const frozen = 'FREEZE';

/**
 * Writes the changes of a snapshot: the rows of tweets in one transaction and all others in a second one, at the same time; then the indexes that a bulk load
 * builds. `onProgress` gets the number of changes so far. Returns that number. Rejects with StoreError; then rows and indexes can be missing, and a repeated call begins
 * again.
 */
export async function loadSnapshot(
  database: LoadedDatabase,
  content: Iterable<ContentPage> | AsyncIterable<ContentPage>,
  onProgress: (count: number) => void = () => {},
): Promise<number> {
  await dropIndexes(database);
  let count = 0;
  const changed = (changes: number): void => onProgress((count = changes));
  await database.transaction(async (run) => {
    await run(emptied(copiedTables));
    let written = Promise.resolve();
    const write = async (statements: readonly Statement[]): Promise<void> => {
      await written;
      written = inSequence(run, statements);
      written.catch(() => {});
    };
    await database.transaction(async (runTweets) => {
      await runTweets(emptied(['tweet']));
      await runTweets(copyBinary('tweet', rowsOfTweets(content, write, changed), frozen));
    }, unlimited);
    await written;
  }, unlimited);
  await buildIndexes(database);
  await describeUsers(database.run, (ids) =>
    database.transaction(async (run) => {
      await new DescribedUsers(run, new PostgresSearchRows(run, 0), ids).refresh();
    }),
  );
  return count;
}

/** One of the transactions waits while the other one writes. */
const unlimited = { isUnlimited: true };

/** The rows of tweets in parts. `write`: gets the statements that write all other rows, and resolves when the next ones can be prepared. */
async function* rowsOfTweets(
  pages: Iterable<ContentPage> | AsyncIterable<ContentPage>,
  write: (statements: readonly Statement[]) => Promise<void>,
  onProgress: (count: number) => void,
): AsyncGenerator<Uint8Array, void> {
  const tweets = new BinaryRows('tweet');
  let batch = new Batch(tweets);
  let last: SnapshotChange | undefined;
  let count = 0;
  for await (const { changes, context } of pages)
    for (const change of changes) {
      // The changes of one row that follow each other are in one batch.
      if (batch.isFull && last !== undefined && keyOfChange(change) !== keyOfChange(last)) {
        await write(batch.statements());
        batch = new Batch(tweets);
      }
      batch.add(change, context);
      last = change;
      if (++count % partChanges !== 0) continue;
      yield tweets.take();
      onProgress(count);
    }
  await write(batch.statements());
  yield tweets.end();
  onProgress(count);
}

const emptied = (tables: readonly string[]): Statement => ({
  text: `TRUNCATE ${tables.map((table) => `social_data.${table}`).join(', ')}`,
});

async function inSequence(run: Run, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await run(statement);
}

/** Changes that are written together. It keeps the bytes of tweets instead of the tweets: many objects that live long cost time. */
class Batch {
  readonly #tweets: BinaryRows;
  readonly #counts = new BinaryRows('tweet_count');
  readonly #mentions = new BinaryRows('mention');
  readonly #longTweets: Row[] = [];
  readonly #others: SnapshotChange[] = [];

  /** `tweets`: gets the rows of tweets. */
  constructor(tweets: BinaryRows) {
    this.#tweets = tweets;
  }

  get isFull(): boolean {
    return this.#counts.length >= batchTweets || this.#others.length >= batchRecords;
  }

  add(change: SnapshotChange, context: DocumentContext): void {
    if (change.kind !== 'tweet') return void this.#others.push(change);
    const { tweet, words, counts, longTweet } = tweetRows(change.tweet, context);
    this.#tweets.add(tweet, words);
    this.#counts.add(counts);
    for (const mention of mentionRows(change.tweet)) this.#mentions.add(mention);
    if (longTweet !== undefined) this.#longTweets.push(longTweet);
  }

  /** The statements that write it. */
  statements(): Statement[] {
    const items = [...itemsOf(this.#others).values()];
    const statements: Statement[] = [];
    if (this.#counts.length > 0) statements.push(copyBinary('tweet_count', this.#counts.end(), frozen));
    if (this.#mentions.length > 0) statements.push(copyBinary('mention', this.#mentions.end(), frozen));
    if (this.#longTweets.length > 0) statements.push(copyRows('long_tweet', this.#longTweets, `(${frozen})`));
    const users = items.filter(({ table }) => table === 'user');
    if (users.length > 0) statements.push(copyRows('person', users.flatMap(profileRows), `(${frozen})`));
    return [...statements, ...insertionsOf(items).map(insertionOf)];
  }
}

/** The row of a profile with the columns of its names. */
function profileRows(item: Item): Row[] {
  const [change] = item.changes;
  const row = rowOf(item);
  return change?.kind === 'user' && row !== undefined ? [{ ...row, ...nameColumns(change.user) }] : [];
}
