/** The search of this service by SQL: its own tables in PostgreSQL, and its own compiler of queries. */
import { readFile } from 'node:fs/promises';
import { Database } from '../../../server/storage/postgres/database.ts';
import { SqlSearch } from '../../../server/platforms/postgres/search/sql-search.ts';
import {
  insertRows,
  personRow,
  tweetRows,
  type TweetRows,
} from '../../../server/platforms/postgres/rows/search-rows.ts';
import type { DocumentContext } from '../../../server/search/document.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { startEngine } from '../../../test/postgres/engine.js';
import { recordsOf, type Engine } from './engine.ts';

const batchSize = 1000;
const tables = new URL('../../../server/platforms/postgres/tables.sql', import.meta.url);
/** The tweets of the benchmark refer to no other tweet. */
const context: DocumentContext = { user: () => undefined, authorOf: () => undefined };

export async function createEngine(): Promise<Engine> {
  const server = await startEngine();
  const database = new Database({ url: server.url, schema: 'bench' });
  const search = new SqlSearch(database.run);
  /** The tweets in the order of the file, whose index is the number of a tweet. */
  const numbers = new Map<string, number>();
  const positions: (readonly [number, string])[] = [];

  async function insert(batch: readonly TweetRows[]): Promise<void> {
    await database.run(
      insertRows(
        'tweet',
        batch.map(({ tweet }) => tweet),
      ),
    );
    await database.run(
      insertRows(
        'tweet_count',
        batch.map(({ counts }) => counts),
      ),
    );
  }

  return {
    async build(file) {
      await database.script(`CREATE SCHEMA social_data; ${await readFile(tables, 'utf8')}`);
      const batch: TweetRows[] = [];
      for await (const record of recordsOf(file)) {
        if (record.kind === 'user') await database.run(insertRows('person', [personRow(record.user)]));
        if (record.kind !== 'tweet') continue;
        numbers.set(record.tweet.id, positions.push([Date.parse(record.tweet.created_at), record.tweet.id]) - 1);
        batch.push(tweetRows(record.tweet, context));
        if (batch.length === batchSize) await insert(batch.splice(0));
      }
      if (batch.length > 0) await insert(batch);
      await database.run({ text: 'VACUUM ANALYZE' });
    },

    async search({ text }, { limit, after }) {
      const position = after === undefined ? undefined : positions[after];
      const { items } = await search.latest(parse(text), { after: position, limit }, Date.now());
      return items.map((id) => numbers.get(id) ?? -1);
    },

    async memory() {
      const [row] = await database.run<{ bytes: string }>({
        text: "SELECT pg_indexes_size('social_data.tweet') + pg_total_relation_size('social_data.tweet_count') AS bytes",
      });
      return { index: Number(row?.bytes) };
    },

    async close() {
      await database.close();
      await server.stop();
    },
  };
}
