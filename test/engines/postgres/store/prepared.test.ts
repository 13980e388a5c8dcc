/** Prepared statements, also behind a pooler that gives a connection another session, and those that share a connection. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database } from '../../../../server/engines/postgres/store/database.ts';
import { testDatabaseUrl } from '../../../ports/postgres.ts';
import { until } from '../../../support/until.ts';

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

describeDatabase('short statements', () => {
  let database: Database;
  beforeAll(() => {
    database = new Database({ url: testDatabaseUrl ?? '' });
  });
  afterAll(() => database.close());

  const ask = async (text: string, ...params: number[]): Promise<Record<string, number>> => {
    const [row] = await database.run<Record<string, number>>({ text, params, isShort: true });
    return row!;
  };
  const session = (n: number) => ask('SELECT $1::int AS n, pg_backend_pid() AS pid', n);

  test('share a connection, and one that fails is alone', async () => {
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const answers = await Promise.allSettled([
      ...numbers.map(session),
      ask('SELECT 1 / $1::int AS n', 0),
      ...numbers.map(session),
    ]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(found.map(({ n }) => n)).toEqual([...numbers, ...numbers]);
    expect(new Set(found.map(({ pid }) => pid)).size).toBe(1);
    expect(answers[50]).toMatchObject({ status: 'rejected', reason: { isDisconnected: false } });
  });

  test('use a new connection after a loss, on which those in progress run again', async () => {
    const { pid = 0 } = await session(1);
    const lost = Promise.all([ask('SELECT pg_sleep($1), pg_backend_pid() AS pid', 2), session(2), session(3)]);
    const sleeps = async (): Promise<boolean> => {
      const params = [pid];
      const text = `SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'`;
      return (await database.run({ text, params })).length > 0;
    };
    await until(sleeps);
    await database.run({ text: 'SELECT pg_terminate_backend($1)', params: [pid] });
    const pids = (await lost).map((answer) => answer['pid']);
    expect(new Set(pids).size).toBe(1);
    expect(pids).not.toContain(pid);
    const next = await Promise.all([session(4), session(5)]);
    expect(next).toEqual([4, 5].map((n) => ({ n, pid: pids[0] })));
  });
});
