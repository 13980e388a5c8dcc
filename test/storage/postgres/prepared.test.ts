/** Prepared statements, also behind a pooler that gives a connection another session. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database } from '../../../server/storage/postgres/database.ts';
import { testDatabaseUrl } from '../../ports/postgres.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

describeDatabase('a prepared statement', () => {
  let database: Database;
  beforeAll(() => {
    database = new Database({ url: testDatabaseUrl ?? '' });
  });
  afterAll(() => database.close());

  const sum = async (a: number, isPrepared = true): Promise<unknown> => {
    const text = 'SELECT $1::int + 1 AS sum, count(*)::int AS plans FROM pg_prepared_statements';
    return (await database.run({ text, params: [a], isPrepared }))[0];
  };

  test('is planned once, and is planned at each call where a pooler has lost it', async () => {
    expect(await sum(1)).toEqual({ sum: 2, plans: 1 });
    expect(await sum(2)).toEqual({ sum: 3, plans: 1 });
    expect(await sum(2, false)).toEqual({ sum: 3, plans: 1 });
    await database.run({ text: 'DEALLOCATE ALL' });
    expect(await sum(3)).toEqual({ sum: 4, plans: 0 });
    expect(await sum(4)).toEqual({ sum: 5, plans: 0 });
  });

  test('fails as any other one', async () => {
    const failing = database.run({ text: 'SELECT 1 / $1::int', params: [0], isPrepared: true });
    await expect(failing).rejects.toThrow('the database cannot be used: division by zero');
  });
});
