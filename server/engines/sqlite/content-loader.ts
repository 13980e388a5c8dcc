/** Loads content into the empty tables of a SQLite file. */
import { itemsOf } from '../../archive/content/content.ts';
import { mentionRows, profileRow } from '../../archive/content/content-rows.ts';
import { DescribedUsers } from '../../archive/writes/described-users.ts';
import { describeUsers, insertionsOf, type ContentPage } from '../../archive/writes/loaded-rows.ts';
import { truncateLog } from './purge.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteSearchRows } from './sqlite-search-rows.ts';

/** The pages of a transaction between two checkpoints. */
const checkpointPages = 50;

/**
 * Writes the pages of the content, each in a transaction. Nothing else uses the file. `onProgress` gets the number of changes so far. Rejects
 * with StoreError; then only a part of the content is there. Returns the number of changes.
 */
export async function loadContent(
  database: SqliteDatabase,
  pages: AsyncIterable<ContentPage>,
  onProgress: (count: number) => void = () => {},
): Promise<number> {
  let [count, written] = [0, 0];
  for await (const page of pages) {
    count += await database.asyncTransaction(() => writePage(database, page));
    if (++written % checkpointPages === 0) truncateLog(database);
    onProgress(count);
  }
  await describeUsers(database.runSql, (ids) =>
    database.asyncTransaction(async () => {
      await new DescribedUsers(database.runSql, rowsIn(database), ids).refresh();
    }),
  );
  return count;
}

/** All tweets are as if they had arrived before the first commit. */
const rowsIn = (database: SqliteDatabase): SqliteSearchRows => new SqliteSearchRows(database, { commit: 0 });

async function writePage(database: SqliteDatabase, { changes, context }: ContentPage): Promise<number> {
  const all = [...changes];
  const rows = rowsIn(database);
  const tweets = all.flatMap((change) => (change.kind === 'tweet' ? [change.tweet] : []));
  await rows.insert(tweets, context);
  await rows.writeCounts(
    tweets.map((after) => ({ before: undefined, after })),
    new Set(tweets.map(({ id }) => id)),
  );
  database.insert({ table: 'mention', rows: tweets.flatMap(mentionRows) });
  const users = all.flatMap((change) => (change.kind === 'user' ? [change.user] : []));
  await rows.writeUsers(users.map((user) => ({ user, row: profileRow(user) })));
  const others = all.filter(({ kind }) => kind !== 'tweet' && kind !== 'user');
  for (const insertion of insertionsOf([...itemsOf(others).values()])) database.insert(insertion);
  return all.length;
}
