/** Migrations of the schema: numbered files of SQL, forward only. Old and new instances run side by side. */
import { readdir, readFile } from 'node:fs/promises';
import { StoreError } from '../../../ports/storage.ts';
import type { Database } from './database.ts';
import { changeOnline } from './online-change.ts';

const folder = new URL('migrations/', import.meta.url);

/** Creates or updates the schema, under a lock: instances that start at the same moment agree. Throws StoreError. */
export async function migrate(database: Database): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  if ((await versionOf(database)) >= files.length) return;
  const [server] = await database.run<{ version: number }>({
    text: `SELECT current_setting('server_version_num')::int AS version`,
  });
  if ((server?.version ?? 0) < 150_000) throw new StoreError('DATABASE_URL: PostgreSQL 15 or newer is required');
  for (const [index, file] of files.entries()) {
    const text = await readFile(new URL(file, folder), 'utf8');
    await changeOnline(database, step(index + 1, text));
  }
}

/** Whether the schema has a table. */
export async function hasTable(database: Database, name: string): Promise<boolean> {
  const [found] = await database.run<{ exists: boolean }>({
    text: `SELECT to_regclass('social_data.${name}') IS NOT NULL AS exists`,
  });
  return found?.exists === true;
}

/** The number of migrations that were run. */
async function versionOf(database: Database): Promise<number> {
  if (!(await hasTable(database, 'schema_version'))) return 0;
  const [row] = await database.run<{ version: number }>({
    text: 'SELECT coalesce(max(version), 0) AS version FROM social_data.schema_version',
  });
  return row?.version ?? 0;
}

/**
 * One migration as a script that runs it once. Every process that starts takes the lock first. Several statements in one
 * message are one transaction.
 */
const step = (version: number, migration: string): string => `
SELECT pg_advisory_xact_lock(hashtextextended('social_data.schema', 0));
DO $step$
BEGIN
  IF to_regnamespace('social_data') IS NULL THEN
    CREATE SCHEMA social_data;
  END IF;
  CREATE TABLE IF NOT EXISTS social_data.schema_version (
    version int PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp());
  IF NOT EXISTS (SELECT FROM social_data.schema_version WHERE version = ${version}) THEN
    EXECUTE $migration$${migration}$migration$;
    INSERT INTO social_data.schema_version (version) VALUES (${version});
  END IF;
END
$step$;`;
