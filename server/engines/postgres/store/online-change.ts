/**
 * Changes of the schema while instances work. A statement that waits for a lock makes all later ones of its table wait, too: behind a long read, an
 * `ALTER TABLE` would stop the service. It waits a short time instead, again and again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../../../ports/storage.ts';
import type { Database } from './database.ts';
import { isLockTimeout } from './stalled-writer.ts';

type ChangedDatabase = Pick<Database, 'run' | 'maintain'>;

/** How long a statement may wait for a lock, in seconds; and the time between two attempts, in milliseconds. */
const lockSeconds = 2;
const pauseMs = 1_000;
const maxAttempts = 40;

/**
 * Runs statements in one transaction. Rejects with StoreError: after two minutes without a lock with the sessions that may hold it, and as the
 * statements do.
 */
export async function changeOnline(database: ChangedDatabase, text: string, attempts = maxAttempts): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.maintain(`SET LOCAL lock_timeout = '${lockSeconds}s'; ${text}`);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt >= attempts) throw new StoreError(await describeHolders(database), { cause: error });
      await sleep(pauseMs);
    }
  }
}

async function describeHolders(database: ChangedDatabase): Promise<string> {
  const holders = await database.run<{ pid: number; application: string; since: string }>({
    text: `SELECT DISTINCT a.pid, coalesce(nullif(a.application_name, ''), 'no application name') AS application, a.xact_start::text AS since
      FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid AND l.granted
      WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.xact_start IS NOT NULL
        AND l.relation IN (SELECT oid FROM pg_class WHERE relnamespace = 'social_data'::regnamespace)
      ORDER BY since LIMIT 3`,
  });
  const named = holders.map(({ pid, application, since }) => `process ${pid} (${application}) since ${since}`);
  return `the tables cannot be changed: other transactions hold them${named.length > 0 ? `, ${named.join(', ')}` : ''}. Wait for their end, or end them with SELECT pg_terminate_backend(PID), and start again`;
}

/**
 * Builds an index while the table is read and written. Replaces one that is not valid, as an interrupted build leaves it. `definition`: the statement behind
 * `CREATE INDEX CONCURRENTLY name`. Rejects with StoreError.
 */
export async function buildIndexOnline(database: ChangedDatabase, name: string, definition: string): Promise<void> {
  const [found] = await database.run<{ valid: boolean }>({
    text: `SELECT x.indisvalid AS valid FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
      WHERE i.relname = $1 AND i.relnamespace = 'social_data'::regnamespace`,
    params: [name],
  });
  if (found?.valid === true) return;
  if (found !== undefined) await database.maintain(`DROP INDEX CONCURRENTLY social_data.${name}`);
  await database.maintain(`CREATE INDEX CONCURRENTLY ${name} ${definition}`);
}
