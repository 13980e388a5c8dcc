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

type IndexedDatabase = Pick<Database, 'run' | 'maintain'>;

/** The definitions in tables.sql, by name. */
async function definitions(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(new URL('../tables.sql', import.meta.url), 'utf8');
  const pattern = new RegExp(String.raw`^CREATE INDEX (\w+) ON social_data\.(?:${tables.join('|')}) [^;]+;`, 'gm');
  const found = Array.from(text.matchAll(pattern), ([definition, name = '']): [string, string] => [name, definition]);
  const added = Object.entries(keys).map(([table, key]): [string, string] => [
    `${table}_pkey`,
    `ALTER TABLE social_data.${table} ADD PRIMARY KEY (${key});`,
  ]);
  return new Map([...added, ...found]);
}

/** Drops the indexes that are there. Rejects with DatabaseError. */
export async function dropIndexes(database: Pick<Database, 'maintain'>): Promise<void> {
  const names = Array.from((await definitions()).keys(), (name) => `social_data.${name}`);
  const dropped = tables.map((table) => `ALTER TABLE social_data.${table} DROP CONSTRAINT IF EXISTS ${table}_pkey;`);
  await database.maintain(`${dropped.join(' ')} DROP INDEX IF EXISTS ${names.join(', ')};`);
}

/** The names of the definitions that the tables do not have, with their definitions. */
async function missing(database: IndexedDatabase): Promise<Map<string, string>> {
  const there = await database.run<{ name: string }>({
    text: `SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
      WHERE i.relnamespace = 'social_data'::regnamespace AND x.indisvalid`,
  });
  const left = new Map(await definitions());
  for (const { name } of there) left.delete(name);
  return left;
}

/**
 * Builds the indexes that are missing: that of words, by as many processes as the setting `max_parallel_maintenance_workers` allows, and the others one after
 * the other at the same time. Before version 18, one process of PostgreSQL builds the index of words, which takes longer than all others. `onBuilt` gets the
 * number of built indexes, and of all that were missing. Rejects with DatabaseError when no build is in progress any more; a repeated call builds what
 * is left.
 */
export async function buildIndexes(
  database: IndexedDatabase,
  onBuilt: (built: number, all: number) => void = () => {},
): Promise<void> {
  const left = await missing(database);
  const [all, of] = [left.size, left.get.bind(left)];
  let built = 0;
  onBuilt(built, all);
  const build = async (definition: string): Promise<void> => {
    await database.maintain(definition);
    onBuilt(++built, all);
  };
  // Transactions that only create indexes do not wait for each other. A primary key changes its table.
  const key = of('tweet_pkey');
  if (key !== undefined) await build(key);
  await database.maintain('ALTER TABLE social_data.tweet SET (parallel_workers = 64)');
  const definition = of(words);
  const ofWords = definition === undefined ? undefined : build(inManyProcesses(definition));
  const others = [...left].filter(([name]) => name !== words && name !== 'tweet_pkey');
  const sequence = async (): Promise<void> => {
    // The other processes build the index of words.
    for (const [, each] of others) await build(`SET LOCAL max_parallel_maintenance_workers = 0; ${each}`);
  };
  const builds = await Promise.allSettled([ofWords, sequence()]);
  for (const each of builds) if (each.status === 'rejected') throw each.reason;
  await database.maintain('ALTER TABLE social_data.tweet SET (parallel_workers = 0)');
}

const inManyProcesses = (definition: string): string => `
SELECT set_config('maintenance_work_mem', greatest(pg_size_bytes(current_setting('maintenance_work_mem')) / 1024,
  ${processKb} * (1 + current_setting('max_parallel_maintenance_workers')::int)) || 'kB', true);
${definition}`;
