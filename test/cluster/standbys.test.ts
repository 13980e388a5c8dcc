// Tests server/engines/postgres/reads/read-server.ts, server/engines/postgres/reads/standby-reads.ts,
// server/archive/reads/consistent-platform.ts, server/engines/postgres/store/located-connections.ts and
// server/engines/postgres/store/server-choice.ts.
/** Reads from standbys: which server answers, what it has to show, and what happens while the primary fails over. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { startEngine, type Engine } from '../postgres/engine.js';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { until } from '../support/until.ts';
import { openCluster, type Cluster, type Instance } from './instances.ts';
import { ada, foundBy, idOf, importInto, tweetWithLike, unlike, valueOf } from './load.ts';

const env = { RATE_LIMIT: 'off' };
const tweets = 60;

/** An address of several servers. */
const addressOf = (engines: readonly Engine[]): string =>
  `postgres://tests:tests@${engines.map(({ port }) => `127.0.0.1:${port}`).join(',')}/tests`;

async function likesOf(instance: Instance, id: string): Promise<number> {
  const answer = await instance.request(`/social/tweets?ids=${id}`);
  return ((await answer.json()) as { tweets: { like_count: number }[] }).tweets[0]?.like_count ?? Number.NaN;
}

/** Removes a like, again until that is durable: a busy machine can take longer than a statement may. */
const unliked = (instance: Instance, id: string): Promise<void> =>
  until(async () => (await unlike(instance, id)).status === 200);

const warningsOf = async (instance: Instance): Promise<string> =>
  JSON.stringify(((await (await instance.request('/readyz')).json()) as { warnings?: string[] }).warnings ?? []);

/** How often a server has looked for tweets. */
async function scansOf(engine: Engine, schema: string): Promise<number> {
  const text = `SELECT coalesce(sum(idx_scan + seq_scan), 0)::int AS n FROM pg_stat_user_tables
    WHERE schemaname = '${schema}' AND relname = 'tweet'`;
  return (await engine.query<{ n: number }>(text))[0]?.n ?? 0;
}

(testDatabaseUrl === undefined ? describe.skip : describe)('with standbys', () => {
  let primary: Engine;
  let standbys: Engine[] = [];
  let cluster: Cluster;
  let instance: Instance;
  let reads: string;

  const importMore = (name: string, records: ArchiveRecord[]) => importInto(cluster.databaseUrl, name, records);
  const inUse = async (standby: number): Promise<number | undefined> =>
    valueOf(instance, 'database_standby_in_use', { standby: String(standby) });
  const pause = (isPaused: boolean): Promise<unknown> =>
    Promise.all(standbys.map((each) => each.query(`SELECT pg_wal_replay_${isPaused ? 'pause' : 'resume'}()`)));

  beforeAll(async () => {
    primary = await startEngine();
    // The second one does not hold up a commit.
    standbys = [await primary.createStandby(), await primary.createStandby({ name: 'other', isSynchronous: false })];
    cluster = await openCluster(addressOf([primary, ...standbys]));
    reads = `${addressOf(standbys)}?schema=${cluster.storage.schema}`;
    instance = await cluster.start({ ...env, DATABASE_READ_URL: reads });
    await importMore('some', [ada, ...Array.from({ length: tweets }, (_, n) => tweetWithLike(n)).flat()]);
    await until(async () => (await inUse(1)) === 1 && (await inUse(2)) === 1);
  }, 120_000);
  afterAll(async () => {
    await cluster?.stop();
    await Promise.all([...standbys, primary].map((each) => each?.stop()));
  });

  test('they answer the reads, each its part', async () => {
    const schema = cluster.storage.schema;
    await until(async () => (await foundBy(instance)).length === tweets);
    const before = await Promise.all(standbys.map((each) => scansOf(each, schema)));
    const readsOf = (server: string) => valueOf(instance, 'database_reads_total', { server });
    const [fromPrimary, fromStandbys = 0] = [await readsOf('primary'), await readsOf('standby')];
    for (let n = 0; n < 20; n++) await instance.request(`/social/tweet/advanced_search?query=tweet%20${n}`);
    // A session reports what it has read after a second.
    await until(async () => {
      const now = await Promise.all(standbys.map((each) => scansOf(each, schema)));
      return now.every((scans, index) => scans > (before[index] ?? 0));
    });
    expect(await readsOf('primary')).toBe(fromPrimary);
    expect(await readsOf('standby')).toBeGreaterThanOrEqual(fromStandbys + 20);
    const guide = await (await instance.request('/docs/operations.md')).text();
    const [section = ''] = /^#+ Metrics of standbys$[^#]*/m.exec(guide) ?? [];
    const names = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? '');
    expect(names).toHaveLength(4);
    for (const name of names) expect([name, await valueOf(instance, name)]).toEqual([name, expect.any(Number)]);
  });

  test('no read lacks what its caller has written, whether the standbys keep up or stand still', async () => {
    for (let n = 0; n < 10; n++) {
      await unliked(instance, idOf(n));
      expect([n, await likesOf(instance, idOf(n))]).toEqual([n, 0]);
    }
    await pause(true);
    try {
      for (let n = 10; n < 20; n++) {
        await unliked(instance, idOf(n));
        expect([n, await likesOf(instance, idOf(n))]).toEqual([n, 0]);
      }
      expect([await inUse(1), await inUse(2)]).toEqual([0, 0]);
      expect(await warningsOf(instance)).toContain('standby 2 of DATABASE_READ_URL answers no reads: it is behind');
      await until(async () => ((await valueOf(instance, 'database_standby_lag_seconds', { standby: '1' })) ?? 0) > 0.2);
      expect(await valueOf(instance, 'database_standby_lag_commits', { standby: '1' })).toBeGreaterThan(0);
    } finally {
      await pause(false);
    }
    await until(async () => (await inUse(1)) === 1 && (await inUse(2)) === 1);
    expect(await warningsOf(instance)).not.toContain('standby');
  });

  test('a page continues one of another server, also of an instance that has shown more', async () => {
    const other = await cluster.start(env);
    const page = async (from: Instance, cursor = ''): Promise<{ tweets: { id: string }[]; next_cursor: string }> => {
      const target = `/social/tweet/advanced_search?query=from%3Aada&query_type=Top&limit=5${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      return (await (await from.request(target)).json()) as { tweets: { id: string }[]; next_cursor: string };
    };
    const [first, behind] = [await page(instance), await page(other)];
    expect(first.tweets).toEqual(behind.tweets);
    expect((await page(other, first.next_cursor)).tweets).toEqual((await page(instance, behind.next_cursor)).tweets);
    expect((await page(instance, first.next_cursor)).tweets).toHaveLength(5);
    await other.stop();
  });

  test('a database with another history answers no reads', async () => {
    const wrong = await openCluster(primary.url);
    const lonely = await wrong.start(env);
    await lonely.stop();
    const mixed = await cluster.start({ ...env, DATABASE_READ_URL: wrong.databaseUrl });
    await importMore('further', [...tweetWithLike(tweets)]);
    await until(async () => (await warningsOf(mixed)).includes('answers no reads'));
    expect((await foundBy(mixed)).length).toBe(tweets + 1);
    await mixed.stop();
    await wrong.stop();
  });

  test('reads go on while the primary fails over, and writes come back without a restart', async () => {
    const found: { readonly at: number; readonly kind: string; readonly status: number }[] = [];
    let isOver = false;
    const traffic = async (kind: string, call: (n: number) => Promise<Response>): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const { status } = await call(n);
        found.push({ at: performance.now(), kind, status });
        await sleep(5);
      }
    };
    const running = [
      traffic('read', (n) => instance.request(`/social/tweet/advanced_search?query=tweet%20${n % tweets}`)),
      traffic('read', (n) => instance.request(`/social/tweets?ids=${idOf(n % tweets)}`)),
      traffic('write', (n) => unlike(instance, idOf(20 + (n % 40)))),
    ];
    await sleep(300);
    const began = performance.now();
    await primary.kill();
    await sleep(1_000);
    await standbys[0]?.promote();
    const isBack = (): boolean =>
      found.some(({ at, kind, status }) => kind === 'write' && status === 200 && at > began + 1_000);
    await until(isBack);
    isOver = true;
    await Promise.all(running);
    const of = (kind: string, isOk: boolean) =>
      found.filter((each) => each.kind === kind && (each.status === 200) === isOk);
    const resumed = of('write', true).find(({ at }) => at > began + 1_000);
    console.log(
      `writes were away for ${Math.round((resumed?.at ?? 0) - began)} ms; reads: ${of('read', true).length} answered, ${of('read', false).length} refused`,
    );
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(of('read', false).length).toBeLessThan(of('read', true).length / 20);
    expect(of('write', false).length).toBeGreaterThan(0);
    await importMore('after', [...tweetWithLike(tweets + 1)]);
    await until(async () => (await foundBy(instance)).length === tweets + 2);
  });
});
