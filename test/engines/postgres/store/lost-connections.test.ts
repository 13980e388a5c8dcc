// Tests server/engines/postgres/store/session-limits.ts and server/engines/postgres/store/short-reads.ts.
/** Connections that are lost without a word: what waits on them, and what they hold in the database. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../../../server/engines/postgres/store/database.ts';
import { SqlArchive } from '../../../../server/archive/writes/sql-archive.ts';
import { openTables } from '../../../../server/engines/postgres/open-tables.ts';
import { PostgresArchiveDatabase } from '../../../../server/engines/postgres/writes/postgres-archive-database.ts';
import { withLock } from '../../../../server/engines/postgres/store/stalled-writer.ts';
import { lockLog } from '../../../../server/engines/postgres/store/statements.ts';
import type { PostgresStore } from '../../../../server/engines/postgres/store/postgres-store.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../../ports/postgres.ts';
import { startRelay, type Relay } from '../../../support/relay.ts';
import { until } from '../../../support/until.ts';

const row = new TextEncoder().encode(`${'x'.repeat(100)}\n`);

(testDatabaseUrl === undefined ? describe.skip : describe)('a connection that is lost without a word', () => {
  let storage: PostgresStorage;
  let relay: Relay;
  let near: Database;
  let far: Database;
  let store: PostgresStore;
  beforeEach(async () => {
    storage = await postgresStorage();
    store = await storage.open();
    await storage.admin.script('CREATE TABLE social_data.filled (value text)');
    near = new Database({ url: testDatabaseUrl ?? '', schema: storage.schema });
    relay = await startRelay();
    const url = new URL(testDatabaseUrl ?? '');
    relay.target(url.href);
    url.host = new URL(relay.url).host;
    far = new Database({ url: url.href, schema: storage.schema });
  });
  afterEach(async () => {
    await relay.stop();
    await Promise.all([near.close(), far.close(), store.close()]);
    await storage.dispose();
  });

  const held = async (): Promise<readonly number[]> => {
    const text = `SELECT pid FROM social_data.lock_holder('tables')`;
    return (await near.run<{ pid: number }>({ text })).map(({ pid }) => pid);
  };

  /** Takes the lock, and copies rows with it. */
  const copies = (database: Database, copied: AsyncIterable<Uint8Array>): Promise<void> =>
    database.transaction(async (run) => {
      await run(lockLog('tables'));
      await run({ text: 'COPY social_data.filled (value) FROM STDIN', copied });
    });

  /** The number of another session after it has got the lock. */
  const locks = (): Promise<number> =>
    withLock(near, ['tables'], () =>
      near.transaction(async (run) => {
        await run(lockLog('tables'));
        return (await run<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' }))[0]?.pid ?? 0;
      }),
    );

  test('and that holds the lock of the writers in a COPY is ended by the next writer', async () => {
    let isFrozen = false;
    const over = Promise.withResolvers<void>();
    async function* parts(): AsyncGenerator<Uint8Array, void> {
      yield row;
      await until(async () => (await held()).length > 0);
      relay.freeze();
      isFrozen = true;
      yield row;
      await over.promise;
    }
    const lost = Promise.allSettled([copies(far, parts())]);
    await until(() => isFrozen);
    const [holder] = await held();
    expect(holder).toBeGreaterThan(0);
    expect(await locks()).not.toBe(holder);
    expect(await held()).toEqual([]);
    expect(await near.run({ text: 'SELECT FROM pg_stat_activity WHERE pid = $1', params: [holder!] })).toEqual([]);
    expect(await near.run({ text: 'SELECT FROM social_data.filled' })).toEqual([]);
    await relay.stop();
    over.resolve();
    expect(await lost).toMatchObject([{ status: 'rejected', reason: { isDisconnected: true } }]);
  });

  test('does not end a writer that makes progress, however long it takes', async () => {
    let isOver = false;
    async function* parts(): AsyncGenerator<Uint8Array, void> {
      for (; !isOver; await sleep(50)) yield row;
    }
    const copied = copies(far, parts());
    await until(async () => (await held()).length > 0);
    await expect(locks()).rejects.toMatchObject({ code: '55P03' });
    isOver = true;
    await copied;
    expect(await locks()).toBeGreaterThan(0);
  });

  test('delays a short read once: it is read again on a new connection, and the other ones are dropped', async () => {
    const short = { text: 'SELECT 1 AS one', isShort: true };
    expect(await far.run(short)).toEqual([{ one: 1 }]);
    const pids = async (): Promise<unknown[]> =>
      Promise.all([1, 2, 3].map(() => far.run({ text: 'SELECT pg_backend_pid() AS pid, pg_sleep(0.1)' })));
    await pids();
    relay.freeze({ onlyOpen: true });
    const waiting = Promise.allSettled([1, 2, 3].map(() => far.run({ text: 'SELECT pg_backend_pid() AS pid' })));
    const began = performance.now();
    expect(await far.run(short)).toEqual([{ one: 1 }]);
    // They would wait for 15 seconds each.
    for (const each of await waiting)
      expect(each).toMatchObject({ status: 'rejected', reason: { isDisconnected: true } });
    expect(performance.now() - began).toBeLessThan(14_000);
    await pids();
  });

  test('because this process was held up in a transaction is replaced, and the transaction runs again', async () => {
    const archive = new SqlArchive(
      {
        transaction: (task) =>
          new PostgresArchiveDatabase({
            ...{ run: near.run, reportStalled: () => {} },
            transaction: (steps) =>
              near.transaction(async (run) => {
                const result = await steps(run);
                if (held++ === 0) {
                  await run({ text: "SET LOCAL idle_in_transaction_session_timeout = '50ms'" });
                  // As a long computation does. The answer then waits in the socket when the next statement is sent.
                  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
                }
                return result;
              }),
          }).transaction(task),
      },
      { eventRecord: (event) => event, now: () => 0 },
    );
    let held = 0;
    const tables = await openTables(`${storage.url}?schema=${storage.schema}`);
    await tables.close();
    const record = { id: '1', author_id: '7', text: 'a', created_at: '2026-01-01T00:00:00.000Z' };
    const { outcomes } = await archive.apply([{ kind: 'tweet', tweet: record }]);
    expect([outcomes, held]).toEqual([['added'], 2]);
  });

  test('has limits in the database, by which it notices that the client is gone', async () => {
    const names = ['tcp_keepalives_idle', 'tcp_user_timeout', 'statement_timeout', 'lock_timeout'];
    for (const isShort of [true, false]) {
      const rows = await near.run<{ name: string; setting: string }>({
        text: 'SELECT name, current_setting(name) AS setting FROM unnest($1::text[]) AS name',
        params: [names],
        isShort,
      });
      expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
        tcp_keepalives_idle: '10',
        tcp_user_timeout: expect.stringMatching(/^20(000|s)$/),
        statement_timeout: '14s',
        lock_timeout: '10s',
      });
    }
    await near.maintain('SELECT pg_sleep(0.01)');
    const [after] = await near.run<{ limit: string }>({ text: `SELECT current_setting('statement_timeout') AS limit` });
    expect(after).toEqual({ limit: '14s' });
    const snapshot = await near.openSnapshot();
    expect(await snapshot.run({ text: `SELECT current_setting('statement_timeout') AS limit` })).toEqual([
      { limit: '0' },
    ]);
    await snapshot.end();
  });
});
