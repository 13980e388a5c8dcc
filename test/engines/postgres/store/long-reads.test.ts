/** Reads that may read much leave a connection to what ends soon. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database } from '../../../../server/engines/postgres/store/database.ts';
import { LongReads } from '../../../../server/engines/postgres/store/long-reads.ts';
import { StoreError } from '../../../../server/ports/storage.ts';
import { testDatabaseUrl } from '../../../ports/postgres.ts';

test('a read waits for its turn, and too many are refused', async () => {
  const reads = new LongReads(2);
  const ends: (() => void)[] = [];
  const read = (): Promise<number> => new Promise((resolve) => void ends.push(() => resolve(ends.length)));
  const all = Array.from({ length: 2 + 256 }, () => reads.run(read));
  expect(ends).toHaveLength(2);
  await expect(reads.run(read)).rejects.toThrow(StoreError);
  for (let n = 0; n < all.length; n++) {
    ends[n]?.();
    await all[n];
    expect(ends.length).toBeLessThanOrEqual(n + 3);
  }
  await expect(reads.run(() => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  expect(await reads.run(() => Promise.resolve('an answer'))).toBe('an answer');
});

(testDatabaseUrl === undefined ? describe.skip : describe)('while long reads wait for each other', () => {
  let database: Database;
  beforeAll(() => {
    database = new Database({ url: testDatabaseUrl ?? '' });
  });
  afterAll(() => database?.close());

  test('a write and a read that ends soon do not wait', async () => {
    let ended = 0;
    const long = Array.from({ length: 8 }, () =>
      database.run({ text: 'SELECT pg_sleep(0.5)', isLong: true }).then(() => ended++),
    );
    await database.run({ text: 'SELECT 1' });
    expect(await database.transaction((run) => run<{ two: number }>({ text: 'SELECT 2 AS two' }))).toEqual([
      { two: 2 },
    ]);
    // They run in four turns.
    expect(ended).toBeLessThan(8);
    await Promise.all(long);
    expect(ended).toBe(8);
  });
});
