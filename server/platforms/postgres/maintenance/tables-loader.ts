/** Loads the content of an archive into empty tables: a snapshot is content already, so no change is applied. */
import type { DocumentContext } from '../../../search/document.ts';
import type { Database, Run, Statement } from '../../../storage/postgres/database.ts';
import type { SnapshotChange } from '../../archive/change.ts';
import { BinaryRows, copyBinary } from '../rows/binary-rows.ts';
import {
  itemsOf,
  keyOfChange,
  relationTables,
  relationValues,
  type Item,
  type RelationTable,
} from '../../../archive/content/content.ts';
import {
  childRowsOf,
  childTables,
  keyOf,
  mentionRows,
  rowOf,
  targetOf,
} from '../../../archive/content/content-rows.ts';
import { fromDatabaseId } from '../../../archive/content/database-id.ts';
import type { Row } from '../../../database/sql.ts';
import { copyRows, insertionOf } from '../../../storage/postgres/insertion.ts';
import { nameColumns, tweetRows } from '../rows/search-rows.ts';
import { PostgresSearchRows } from '../writes/postgres-search-rows.ts';
import { DescribedUsers } from '../../../archive/writes/described-users.ts';
import { buildIndexes, dropIndexes } from './bulk-indexes.ts';

/** The content to load, and the profiles and the authors of its tweets. */
export interface LoadedContent {
  readonly changes: Iterable<SnapshotChange>;
  readonly context: DocumentContext;
}
type LoadedDatabase = Pick<Database, 'transaction' | 'maintain' | 'run'>;

/** The changes of a part of the tweets: the database writes one part while the next one is prepared. */
const partChanges = 200;
/** The tweets and the other records of a batch. Each COPY leaves some empty pages at its end, so small batches waste disk. */
const [batchTweets, batchRecords] = [100_000, 20_000];
/** The users that are described at once. */
const batchUsers = 2_000;
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
  content: LoadedContent,
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
    });
    await written;
  });
  await buildIndexes(database);
  await describeUsers(database);
  return count;
}

/** The rows of tweets in parts. `write`: gets the statements that write all other rows, and resolves when the next ones can be prepared. */
async function* rowsOfTweets(
  { changes, context }: LoadedContent,
  write: (statements: readonly Statement[]) => Promise<void>,
  onProgress: (count: number) => void,
): AsyncGenerator<Uint8Array, void> {
  const tweets = new BinaryRows('tweet');
  let batch = new Batch(context, tweets);
  let last: SnapshotChange | undefined;
  let count = 0;
  for (const change of changes) {
    // The changes of one row that follow each other are in one batch.
    if (batch.isFull && last !== undefined && keyOfChange(change) !== keyOfChange(last)) {
      await write(batch.statements());
      batch = new Batch(context, tweets);
    }
    batch.add(change);
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
  readonly #context: DocumentContext;
  readonly #tweets: BinaryRows;
  readonly #counts = new BinaryRows('tweet_count');
  readonly #mentions = new BinaryRows('mention');
  readonly #longTweets: Row[] = [];
  readonly #others: SnapshotChange[] = [];

  /** `tweets`: gets the rows of tweets. */
  constructor(context: DocumentContext, tweets: BinaryRows) {
    this.#context = context;
    this.#tweets = tweets;
  }

  get isFull(): boolean {
    return this.#counts.length >= batchTweets || this.#others.length >= batchRecords;
  }

  add(change: SnapshotChange): void {
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
    const statements: Statement[] = [];
    if (this.#counts.length > 0) statements.push(copyBinary('tweet_count', this.#counts.end(), frozen));
    if (this.#mentions.length > 0) statements.push(copyBinary('mention', this.#mentions.end(), frozen));
    if (this.#longTweets.length > 0) statements.push(copyRows('long_tweet', this.#longTweets, `(${frozen})`));
    for (const [table, [first, ...rest]] of Map.groupBy(items, ({ table }) => table)) {
      if (first === undefined || table in relationTables) continue;
      const all = [first, ...rest];
      const rows = all.map(rowOf).filter((row) => row !== undefined);
      const target = targetOf(first);
      if (table === 'user') statements.push(copyRows('person', all.flatMap(profileRows), `(${frozen})`));
      else if (target !== undefined) statements.push(replacing(target.table, target.keys, rows));
      const children = childTables[table];
      const childRows = all.flatMap(childRowsOf);
      if (children !== undefined && childRows.length > 0)
        statements.push(
          insertionOf({ table: children.table, rows: childRows, conflict: { keys: [], action: 'keep' } }),
        );
    }
    for (const [name, rows] of rowsByTable(items.filter(isRelation))) {
      const [table = ''] = name.split(' ');
      const { owner, member } = relationTables[table as RelationTable];
      statements.push(replacing(table, [owner, member], rows));
    }
    return statements;
  }
}

const replacing = (table: string, keys: readonly string[], rows: readonly Row[]): Statement =>
  insertionOf({ table, rows, conflict: { keys, action: 'replace' } });

/** The row of a profile with the columns of its names. */
function profileRows(item: Item): Row[] {
  const [change] = item.changes;
  const row = rowOf(item);
  return change?.kind === 'user' && row !== undefined ? [{ ...row, ...nameColumns(change.user) }] : [];
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
        new PostgresSearchRows(run, 0),
        rows.map(({ id }) => fromDatabaseId(id)),
      ).refresh(),
    );
    last = rows.at(-1)?.id ?? last;
  }
}
