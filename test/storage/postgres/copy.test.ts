/** Rows that are copied in parts: all of them or none, whoever fails. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DatabaseError, type Statement } from '../../../server/storage/postgres/database.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../ports/postgres.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const rowsInPart = 20_000;

describeDatabase('rows that are copied in parts', () => {
  let storage: PostgresStorage;
  beforeAll(async () => {
    storage = await postgresStorage();
    await storage.admin.script('CREATE SCHEMA social_data; CREATE TABLE social_data.copied (id int PRIMARY KEY)');
  });
  afterAll(() => storage.dispose());

  const copy = (copied: AsyncIterable<Uint8Array>): Statement => ({
    text: 'COPY social_data.copied FROM STDIN',
    copied,
  });
  const part = (from: number): Buffer =>
    Buffer.from(Array.from({ length: rowsInPart }, (_, index) => `${from + index}\n`).join(''));
  const count = async (): Promise<number> =>
    (await storage.admin.run<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM social_data.copied' }))[0]?.n ?? 0;

  test('are complete', async () => {
    async function* parts(): AsyncGenerator<Uint8Array, void> {
      for (let index = 0; index < 20; index++) yield part(index * rowsInPart);
    }
    await storage.admin.transaction((run) => run(copy(parts())));
    expect(await count()).toBe(20 * rowsInPart);
    await storage.admin.run({ text: 'TRUNCATE social_data.copied' });
  });

  test.each([0, 3])('are none if the source fails after %i parts, and the transaction can continue', async (before) => {
    const failure = new Error('the source fails');
    async function* parts(): AsyncGenerator<Uint8Array, void> {
      for (let index = 0; index < before; index++) yield part(index * rowsInPart);
      throw failure;
    }
    await storage.admin.transaction(async (run) => {
      await run({ text: 'SAVEPOINT before' });
      await expect(run(copy(parts()))).rejects.toBe(failure);
      await run({ text: 'ROLLBACK TO before' });
      await run({ text: 'INSERT INTO social_data.copied VALUES (7)' });
    });
    expect(await count()).toBe(1);
    await storage.admin.run({ text: 'TRUNCATE social_data.copied' });
  });

  test('are none if the database refuses one, and the source ends', async () => {
    let isEnded = false;
    async function* parts(): AsyncGenerator<Uint8Array, void> {
      try {
        // The second part has the keys of the first one.
        for (;;) yield part(0);
      } finally {
        isEnded = true;
      }
    }
    const error = await storage.admin.transaction((run) => run(copy(parts()))).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseError);
    expect(error).toMatchObject({ isDisconnected: false, message: expect.stringContaining('duplicate key') });
    expect(isEnded).toBe(true);
    expect(await count()).toBe(0);
  });

  test('are none if the connection is lost', async () => {
    async function* parts(): AsyncGenerator<Uint8Array, void> {
      yield part(0);
      await storage.admin.run({
        text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY%copied%' AND pid <> pg_backend_pid()`,
      });
      for (let index = 1; ; index++) yield part(index * rowsInPart);
    }
    await expect(storage.admin.transaction((run) => run(copy(parts())))).rejects.toMatchObject({
      isDisconnected: true,
    });
    expect(await count()).toBe(0);
  });
});
