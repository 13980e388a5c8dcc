/** What instances say while their database takes no writes, and how soon a write knows itself without notices. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readExposition } from '../support/exposition.ts';
import { openPostgresStore } from '../../server/engines/postgres/store/postgres-store.ts';
import { Commits } from '../../server/archive/writes/commits.ts';
import { startEngine } from '../postgres/engine.js';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { openArchiveAt } from '../support/stored-archive.ts';
import { until } from '../support/until.ts';
import { openCluster, type Cluster } from './instances.ts';
import { idOf, tweetWithLike, unlike } from './load.ts';

(testDatabaseUrl === undefined ? describe.skip : describe)('an instance', () => {
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let cluster: Cluster;
  beforeEach(async () => {
    engine = await startEngine();
    cluster = await openCluster(engine.url);
  });
  afterEach(async () => {
    await cluster.stop();
    await engine.stop();
  });

  test('whose database is read-only answers reads, and says why it takes no changes', async () => {
    const instance = await cluster.start();
    const { sink, close } = await openArchiveAt(cluster.databaseUrl);
    await sink.apply('some', { values: 1, done: true }, tweetWithLike(0));
    await close();
    const status = async (target: string): Promise<number> => (await instance.request(target)).status;
    expect([await status('/readyz'), await status('/readyz?write')]).toEqual([200, 200]);
    const readOnly = (value: string): Promise<void> =>
      engine.administrate(
        `ALTER DATABASE tests SET default_transaction_read_only = ${value}`,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tests'`,
      );
    await readOnly('on');
    await until(async () => (await status('/readyz?write')) === 503);
    const told = await (await instance.request('/readyz?write')).json();
    expect(told).toEqual({ error: expect.stringContaining('the database is read-only') });
    expect(await (await instance.request('/readyz')).json()).toMatchObject({
      status: 'ok',
      writes: expect.any(String),
    });
    const page = `/social/tweet/advanced_search?query=from:7`;
    expect(await status(page)).toBe(200);
    await until(async () => (await unlike(instance, idOf(0))).status === 503);
    const shown = readExposition(await (await instance.request('/metrics')).text());
    const values = (name: string) => shown.series.filter((each) => each.name === name);
    expect(
      values('archive_write_failures_total').find(({ labels }) => labels['reason'] === 'read_only')?.value,
    ).toBeGreaterThan(0);
    expect(values('database_writable')[0]?.value).toBe(0);
    await readOnly('off');
    await until(async () => (await unlike(instance, idOf(0))).status === 200);
    await until(async () => (await status('/readyz?write')) === 200);
  });

  test('says that it is not ready while it drains, and answers', async () => {
    const instance = await cluster.start({ STOP_DELAY: '2' });
    const drained = instance.service.drain();
    expect((await instance.request('/readyz')).status).toBe(503);
    expect((await instance.request('/social/assistant/status')).status).toBe(200);
    await drained;
  });

  test('reads its own commit at once, where no notice arrives', async () => {
    const store = await openPostgresStore({ url: cluster.databaseUrl, listens: false });
    const journal = await store.journal('tables');
    await journal.replay(() => {});
    await store.close();
    const own = await openPostgresStore({ url: cluster.databaseUrl, listens: false });
    const commits = await Commits.open(own, { applied: () => {} });
    // A poll comes each 500 ms: ten writes without it would take five seconds.
    const times: number[] = [];
    for (let n = 0; n < 10; n++) {
      const { archive, close } = await openArchiveAt(cluster.databaseUrl);
      const { commit } = await archive.apply([{ kind: 'like', tweet_id: String(n + 1) }]);
      await close();
      const began = performance.now();
      await commits.reached(commit);
      times.push(performance.now() - began);
      expect(commits.last).toBeGreaterThanOrEqual(commit);
    }
    expect(times.toSorted((a, b) => a - b)[4]).toBeLessThan(150);
    await own.close();
  });
});
