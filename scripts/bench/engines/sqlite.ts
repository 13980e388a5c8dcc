/** The search of this service in a SQLite file, with its own compiler of queries. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profileRow } from '../../../server/archive/content/content-rows.ts';
import { createTables, SqliteSearchRows, TopTweets } from '../../../server/database/sqlite/sqlite-search-rows.ts';
import type { DocumentContext } from '../../../server/search/document.ts';
import { SqliteDatabase } from '../../../server/database/sqlite/sqlite-database.ts';
import { SqliteSearch } from '../../../server/database/sqlite/sqlite-search.ts';
import { numberOf } from '../tweets.ts';
import { recordsOf, type Engine } from './engine.ts';
import { searchCalls } from './sql-calls.ts';

/** How many tweets one transaction writes. */
const tweetsOfTransaction = 20_000;
/** The page caches of the writer and of a reader, in megabytes. */
const [writerMb, readerMb] = [64, 16];

export async function createEngine(): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-sqlite-'));
  const path = join(folder, 'archive.db');
  let database = new SqliteDatabase(path, { cacheMb: writerMb });
  let search = new SqliteSearch(database);

  return {
    async build(file) {
      createTables(database);
      const authors: string[] = [];
      const context: DocumentContext = { user: () => undefined, authorOf: (id: string) => authors[numberOf(id)] };
      const rows = new SqliteSearchRows(database, { commit: 1 });
      database.script('BEGIN');
      for await (const record of recordsOf(file)) {
        if (record.kind === 'user') await rows.writeUsers([{ user: record.user, row: profileRow(record.user) }]);
        if (record.kind !== 'tweet') continue;
        const { tweet } = record;
        await rows.insert([tweet], context);
        await rows.writeCounts([{ before: undefined, after: tweet }], new Set([tweet.id]));
        if (authors.push(tweet.author_id) % tweetsOfTransaction === 0)
          database.script('COMMIT; PRAGMA wal_checkpoint(PASSIVE); BEGIN');
      }
      const top = new TopTweets(database);
      top.begin();
      for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined;)
        after = await top.addPage(after, async () => context);
      top.end();
      database.script('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
      database = new SqliteDatabase(path, { readOnly: true, cacheMb: readerMb });
      search = new SqliteSearch(database);
    },

    ...searchCalls(() => search),

    /** All but the records of the tweets and users. */
    async memory() {
      const row = database.first<{ bytes: number }>(
        "SELECT sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE AND name NOT IN ('tweet', 'person')",
      );
      return { index: row?.bytes ?? Number.NaN };
    },

    async close() {
      database.close();
      await rm(folder, { recursive: true });
    },
  };
}
