/** Loads the content of an archive into empty tables: a snapshot is content already, so no change is applied. */
import type { DocumentContext } from '../../../search/document.ts';
import type { Database, Run, Statement } from '../../../storage/postgres/database.ts';
import type { SnapshotChange } from '../../archive/change.ts';
import { BinaryCopy } from '../rows/binary-rows.ts';
import {
  itemsOf,
  keyOfChange,
  relationTables,
  relationValues,
  type Item,
  type RelationTable,
} from '../rows/content.ts';
import { keyOf, mentionRows, rowOf, targetOf } from '../rows/content-rows.ts';
import { fromDatabaseId } from '../rows/database-id.ts';
import { copyRows, tweetRows, upsertRows, type Row } from '../rows/search-rows.ts';
import { DescribedUsers } from '../writes/described-users.ts';
import { buildIndexes, dropIndexes } from './bulk-indexes.ts';

/** The content to load, and the profiles and the authors of its tweets. */
export interface LoadedContent {
  readonly changes: Iterable<SnapshotChange>;
  readonly context: DocumentContext;
}
type LoadedDatabase = Pick<Database, 'transaction' | 'maintain' | 'run'>;

/** Each COPY leaves some empty pages at its end, so small batches waste disk. */
const batchChanges = 20_000;
/** The users that are described at once. */
const batchUsers = 2_000;
/** The tables that are filled by COPY. */
const copiedTables = ['tweet', 'tweet_count', 'mention', 'long_tweet', 'person'];
/** PostgreSQL writes the rows as VACUUM leaves them. It needs tables that the same transaction has emptied. */
const frozen = 'FREEZE';

/**
 * Writes the changes of a snapshot: the rows in one transaction, then the indexes that a bulk load builds. `onProgress` gets the number of changes so far.
 * Returns that number. Rejects with StoreError; then an index can be missing, and a repeated call begins again.
 */
export async function loadSnapshot(
  database: LoadedDatabase,
  { changes, context }: LoadedContent,
  onProgress: (count: number) => void = () => {},
): Promise<number> {
  await dropIndexes(database);
  let count = 0;
  await database.transaction(async (run) => {
    await run({ text: `TRUNCATE ${copiedTables.map((table) => `social_data.${table}`).join(', ')}` });
    let last = Promise.resolve();
    for (const batch of batchesOf(changes, context)) {
      const statements = batch.statements();
      // The database writes one batch while the next one is prepared.
      await last;
      last = inSequence(run, statements);
      last.catch(() => {});
      count += batch.size;
      onProgress(count);
    }
    await last;
  });
  await buildIndexes(database);
  await describeUsers(database);
  return count;
}

async function inSequence(run: Run, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await run(statement);
}

/** Batches that divide no row: the changes of one row that follow each other are in one batch. */
function* batchesOf(changes: Iterable<SnapshotChange>, context: DocumentContext): Generator<Batch, void> {
  let batch = new Batch(context);
  let last: SnapshotChange | undefined;
  for (const change of changes) {
    if (batch.size >= batchChanges && last !== undefined && keyOfChange(change) !== keyOfChange(last)) {
      yield batch;
      batch = new Batch(context);
    }
    batch.add(change);
    last = change;
  }
  if (batch.size > 0) yield batch;
}

/** Changes that are written together. It keeps the bytes of tweets instead of the tweets: many objects that live long cost time. */
class Batch {
  readonly #context: DocumentContext;
  readonly #tweets = new BinaryCopy('tweet');
  readonly #counts = new BinaryCopy('tweet_count');
  readonly #mentions = new BinaryCopy('mention');
  readonly #longTweets: Row[] = [];
  readonly #others: SnapshotChange[] = [];
  size = 0;

  constructor(context: DocumentContext) {
    this.#context = context;
  }

  add(change: SnapshotChange): void {
    this.size++;
    if (change.kind !== 'tweet') return void this.#others.push(change);
    const { tweet, words, counts, longTweet } = tweetRows(change.tweet, this.#context);
    this.#tweets.add(tweet, words);
    this.#counts.add(counts);
    for (const mention of mentionRows(change.tweet)) this.#mentions.add(mention);
    if (longTweet !== undefined) this.#longTweets.push(longTweet);
  }

  /** The statements that write it. */
  statements(): Statement[] {
    const items = [...itemsOf(this.#others).values()];
    const statements = [this.#tweets, this.#counts, this.#mentions].flatMap((copy) => copy.end(frozen));
    if (this.#longTweets.length > 0) statements.push(copyRows('long_tweet', this.#longTweets, `(${frozen})`));
    for (const [table, [first, ...rest]] of Map.groupBy(items, ({ table }) => table)) {
      if (first === undefined || table in relationTables) continue;
      const rows = [first, ...rest].map(rowOf).filter((row) => row !== undefined);
      const target = targetOf(first);
      if (table === 'user') statements.push(copyRows('person', rows, `(${frozen})`));
      else if (target !== undefined) statements.push(upsertRows(target.table, target.keys, rows));
    }
    for (const [name, rows] of rowsByTable(items.filter(isRelation))) {
      const [table = ''] = name.split(' ');
      const { owner, member } = relationTables[table as RelationTable];
      statements.push(upsertRows(table, [owner, member], rows));
    }
    return statements;
  }
}

type RelationItem = Extract<Item, { table: RelationTable }>;
const isRelation = (item: Item): item is RelationItem => item.table in relationTables;

/** The rows of relations by table and columns. Removals and starts of a relation come apart, and neither changes what the other wrote. */
function rowsByTable(items: readonly RelationItem[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const item of items) {
    const [owner = '', member = ''] = keyOf(item);
    const { keys } = targetOf(item) ?? { keys: [] };
    const key = { [keys[0] ?? '']: owner, [keys[1] ?? '']: member };
    const { at, last, removed_at, ...role } = relationValues(item.changes);
    const add = (part: string, values: Row): void => {
      const name = `${item.table} ${part}`;
      const rows = groups.get(name);
      if (rows === undefined) groups.set(name, [{ ...key, ...values }]);
      else rows.push({ ...key, ...values });
    };
    if (removed_at !== null) add('removals', { removed_at });
    if (at !== null) add('starts', { at, last, ...role });
  }
  return groups;
}

/** Writes the users without a profile that mentions name. */
async function describeUsers(database: LoadedDatabase): Promise<void> {
  let last = '-9223372036854775808';
  for (;;) {
    const rows = await database.run<{ id: string }>({
      text: `SELECT DISTINCT m.user_id AS id FROM social_data.mention m WHERE m.user_id > $1
          AND NOT EXISTS (SELECT FROM social_data.person p WHERE p.id = m.user_id AND p.described_at IS NULL)
        ORDER BY m.user_id LIMIT ${batchUsers}`,
      params: [last],
    });
    if (rows.length === 0) return;
    await database.transaction((run) =>
      new DescribedUsers(
        run,
        rows.map(({ id }) => fromDatabaseId(id)),
      ).refresh(),
    );
    last = rows.at(-1)?.id ?? last;
  }
}
