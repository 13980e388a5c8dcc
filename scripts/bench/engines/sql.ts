/** The search of this service by SQL: its own tables in PostgreSQL, and its own compiler of queries. */
import { closeSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { Database } from '../../../server/storage/postgres/database.ts';
import type { SnapshotChange } from '../../../server/archive/rules/change.ts';
import { loadSnapshot } from '../../../server/platforms/postgres/maintenance/tables-loader.ts';
import { SqlSearch } from '../../../server/platforms/postgres/search/sql-search.ts';
import { startEngine } from '../../../test/postgres/engine.js';
import { numberOf } from '../tweets.ts';
import type { Engine } from './engine.ts';
import { searchCalls } from './sql-calls.ts';

const tables = new URL('../../../server/platforms/postgres/tables.sql', import.meta.url);

/** The records of a file, without waiting. */
function* recordsIn(file: string): Generator<SnapshotChange, void> {
  const decoder = new StringDecoder();
  const chunk = Buffer.alloc(1 << 20);
  const descriptor = openSync(file, 'r');
  let text = '';
  for (let bytes = 1; bytes > 0;) {
    bytes = readSync(descriptor, chunk);
    const lines = (text + decoder.write(chunk.subarray(0, bytes))).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as SnapshotChange;
  }
  closeSync(descriptor);
}

export async function createEngine(): Promise<Engine> {
  const server = await startEngine();
  const database = new Database({ url: server.url, schema: 'bench' });
  const search = new SqlSearch(database.run);

  return {
    async build(file) {
      await database.script(`CREATE SCHEMA social_data; ${await readFile(tables, 'utf8')}`);
      const authors: string[] = [];
      for (const record of recordsIn(file)) if (record.kind === 'tweet') authors.push(record.tweet.author_id);
      const context = { user: () => undefined, authorOf: (id: string) => authors[numberOf(id)] };
      await loadSnapshot(database, [{ changes: recordsIn(file), context }]);
      await database.maintain('VACUUM ANALYZE');
    },

    ...searchCalls(() => search),

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
