/** A start that the database refuses says what to do. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openPostgresStore } from '../../../../server/engines/postgres/store/postgres-store.ts';
import { Database } from '../../../../server/engines/postgres/store/database.ts';
import { testDatabaseUrl } from '../../../ports/postgres.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

const refusal = async (url: string): Promise<string> => {
  const store = await openPostgresStore({ url }).catch((error: unknown) => error);
  if (!(store instanceof Error)) throw new Error('the database was opened');
  return store.message;
};

test('a server that does not run', async () => {
  const message = await refusal('postgres://app@127.0.0.1:1/app');
  expect(message).toContain('connect ECONNREFUSED; check that PostgreSQL runs at the address in DATABASE_URL');
});

describeDatabase('a database', () => {
  const url = new URL(testDatabaseUrl ?? 'postgres://none');
  const schema = `advice_${process.pid}`;
  let admin: Database;
  beforeAll(async () => {
    admin = new Database({ url: url.href });
    await admin.script(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.change (x int);`);
  });
  afterAll(async () => {
    await admin.script(`DROP SCHEMA ${schema} CASCADE;`);
    await admin.close();
  });
  const changed = (change: (changed: URL) => void): string => {
    const other = new URL(url);
    change(other);
    return other.href;
  };

  test('that does not exist', async () => {
    const message = await refusal(changed((other) => void (other.pathname = '/no_such_database')));
    expect(message).toContain(
      'the database does not exist; create the database with createdb, or correct DATABASE_URL',
    );
  });

  test('whose user cannot write to the schema', async () => {
    const message = await refusal(changed((other) => other.searchParams.set('schema', 'pg_catalog')));
    expect(message).toMatch(/permission denied .*; the user of DATABASE_URL must own the schema/);
  });

  test('with tables of another program', async () => {
    const message = await refusal(changed((other) => other.searchParams.set('schema', schema)));
    expect(message).toContain('another program has tables in this schema: choose another one with ?schema=NAME');
  });
});
