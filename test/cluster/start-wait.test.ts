/** The start of an instance while its database is away. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitForDatabase } from '../../server/engines/database-wait.ts';
import { Database } from '../../server/engines/postgres/store/database.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { key, openCluster, type Cluster } from './instances.ts';

(testDatabaseUrl === undefined ? describe.skip : describe)('a start', () => {
  let relay: Relay;
  let cluster: Cluster;
  let behind: string;
  beforeEach(async () => {
    relay = await startRelay();
    cluster = await openCluster();
    const url = new URL(cluster.databaseUrl);
    url.host = new URL(relay.url).host;
    behind = url.href;
  });
  afterEach(async () => {
    await cluster.stop();
    await relay.stop();
  });

  test('waits for a database that refuses connections, and goes on when it answers', async () => {
    const starting = cluster.start({ DATABASE_URL: behind });
    const isOver = await Promise.race([
      starting.then(() => true),
      new Promise((resolve) => setTimeout(resolve, 1_500)),
    ]);
    expect(isOver).toBeUndefined();
    relay.target(testDatabaseUrl ?? '');
    const instance = await starting;
    expect((await instance.request('/readyz', { key })).status).toBe(200);
  });

  test('ends with the reason where the database does not come in time, and at once where waiting does not help', async () => {
    const refused = cluster.start({ DATABASE_URL: behind, DATABASE_WAIT: '1' });
    await expect(refused).rejects.toThrow(/the database cannot be used/);
    const url = new URL(testDatabaseUrl ?? '');
    url.pathname = '/no_such_database';
    const began = performance.now();
    await expect(cluster.start({ DATABASE_URL: url.href, DATABASE_WAIT: '3600' })).rejects.toThrow('createdb');
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  test('says every ten seconds at most that it waits, and for what', async () => {
    const lines: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => void lines.push(line), info: () => {} };
    const database = new Database({ url: behind });
    const opened = waitForDatabase(() => database.run({ text: 'SELECT 1' }), { limitMs: 2_000, logger });
    await expect(opened).rejects.toThrow(StoreError);
    await database.close();
    expect(lines).toEqual([
      [
        { reason: expect.stringContaining('the database cannot be used'), seconds: { waited: 0, limit: 2 } },
        'the start waits for the database',
      ],
    ]);
    expect(JSON.stringify(lines)).not.toContain(new URL(behind).password || 'no password');
  });
});
