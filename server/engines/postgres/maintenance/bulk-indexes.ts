/** The indexes of the tables with a row for each tweet or mention: a bulk load builds them when the rows are there, which is faster. */
import { readFile } from 'node:fs/promises';
import type { Database } from '../store/database.ts';

/** The columns of the primary keys. */
const keys = { tweet: 'id', tweet_count: 'id', mention: 'tweet_id, place' } as const;
const tables = Object.keys(keys);
/** The index that takes most of the time. */
const words = 'tweet_words';
/** Each process that builds an index of words needs this memory at least, in kB. */
const processKb = 32_768;

/** The definitions in tables.sql, by name. */
async function definitions(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(new URL('../tables.sql', import.meta.url), 'utf8');
  const pattern = new RegExp(String.raw`^CREATE INDEX (\w+) ON social_data\.(?:${tables.join('|')}) [^;]+;`, 'gm');
  return new Map(Array.from(text.matchAll(pattern), ([definition, name = '']) => [name, definition]));
}

/** Drops the indexes that are there. Rejects with DatabaseError. */
export async function dropIndexes(database: Pick<Database, 'maintain'>): Promise<void> {
  const names = Array.from((await definitions()).keys(), (name) => `social_data.${name}`);
  const dropped = tables.map((table) => `ALTER TABLE social_data.${table} DROP CONSTRAINT IF EXISTS ${table}_pkey;`);
  await database.maintain(`DROP INDEX IF EXISTS ${names.join(', ')}; ${dropped.join(' ')}`);
}

/**
 * Builds the indexes: that of words, by as many processes as the setting `max_parallel_maintenance_workers` allows, and the others at the same time.
 * Before version 18, one process of PostgreSQL builds the index of words, which takes longer than all others. Rejects with DatabaseError when no build is in
 * progress any more; then indexes can be missing, and `dropIndexes` drops those that are there.
 */
export async function buildIndexes(database: Pick<Database, 'maintain'>): Promise<void> {
  const { tweet, ...others } = keys;
  const addKey = (table: string, key: string): string => `ALTER TABLE social_data.${table} ADD PRIMARY KEY (${key});`;
  // Transactions that only create indexes do not wait for each other. A primary key changes its table.
  await database.maintain(`${addKey('tweet', tweet)} ALTER TABLE social_data.tweet SET (parallel_workers = 64);`);
  const { [words]: indexOfWords, ...indexes } = Object.fromEntries(await definitions());
  const builds = await Promise.allSettled([
    database.maintain(`
SELECT set_config('maintenance_work_mem', greatest(pg_size_bytes(current_setting('maintenance_work_mem')) / 1024,
  ${processKb} * (1 + current_setting('max_parallel_maintenance_workers')::int)) || 'kB', true);
${indexOfWords}`),
    database.maintain(`
SELECT set_config('max_parallel_maintenance_workers', '0', true);
${Object.values(indexes).join('\n')}
${Object.entries(others)
  .map(([table, key]) => addKey(table, key))
  .join('\n')}`),
  ]);
  for (const build of builds) if (build.status === 'rejected') throw build.reason;
  await database.maintain('ALTER TABLE social_data.tweet SET (parallel_workers = 0)');
}
