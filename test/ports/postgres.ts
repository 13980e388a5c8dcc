/** Storage in a separate schema of the database that `TEST_PG` or `TEST_DATABASE_URL` gives. */
import { randomBytes } from 'node:crypto';
import { Database } from '../../server/engines/postgres/store/database.ts';
import {
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from '../../server/engines/postgres/store/postgres-store.ts';
import type { StorageUnderTest } from './storage.ts';

/** The database for tests; undefined without one. Its tests are then not defined. */
export const testDatabaseUrl = process.env['TEST_DATABASE_URL'];

export interface PostgresStorage extends StorageUnderTest {
  readonly url: string;
  readonly schema: string;
  /** Runs statements as a separate connection. */
  readonly admin: Database;
  open(options?: Partial<PostgresStoreOptions>): Promise<PostgresStore>;
}

/** Every write fails as on a full disk. */
const failing = `
CREATE OR REPLACE FUNCTION social_data.fail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON social_data.change EXECUTE FUNCTION social_data.fail();
CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON social_data.document EXECUTE FUNCTION social_data.fail();`;
const repaired = `
DROP TRIGGER IF EXISTS fail ON social_data.change;
DROP TRIGGER IF EXISTS fail ON social_data.document;`;

/** `url`: the database, instead of the one of all tests. */
export async function postgresStorage(url = testDatabaseUrl): Promise<PostgresStorage> {
  if (url === undefined) throw new Error('TEST_DATABASE_URL is not set');
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const admin = new Database({ url, schema });
  return {
    url,
    schema,
    admin,
    open: (options) => openPostgresStore({ url, schema, ...options }),
    failWrites: () => admin.script(failing),
    repairWrites: () => admin.script(repaired),
    async dispose() {
      await admin.script('DROP SCHEMA IF EXISTS social_data CASCADE');
      await admin.close();
    },
  };
}

/** VACUUM with ANALYZE of the tables of the schema. Other tests drop theirs meanwhile, which a run over the whole database does not bear. */
export async function vacuumTables(database: Pick<Database, 'run' | 'maintain'>): Promise<void> {
  const [row] = await database.run<{ names: string }>({
    text: `SELECT string_agg(format('social_data.%I', tablename), ', ') AS names FROM pg_tables WHERE schemaname = 'social_data'`,
  });
  await database.maintain(`VACUUM (ANALYZE) ${row?.names ?? ''}`);
}
