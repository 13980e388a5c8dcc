/** Several instances on one PostgreSQL. The tests need a database: `TEST_PG=1 npm test -- cluster`. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { readConfig } from '../../server/config/config.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openPostgresStore } from '../../server/engines/postgres/store/postgres-store.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { readExposition } from '../support/exposition.ts';
import { until } from '../support/until.ts';
import { key, openCluster, type Cluster, type Instance } from './instances.ts';
import { importInto } from './load.ts';

const time = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const tweet = (n: number): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(1000 + n), author_id: '7', text: `tweet number ${n}`, created_at: time(n), observed_at: time(n) },
});
const like = (n: number): ArchiveRecord => ({ kind: 'like', tweet_id: String(1000 + n), created_at: time(n) });
const user: ArchiveRecord = {
  kind: 'user',
  user: { id: '7', username: 'ada', name: 'Ada', created_at: time(0), observed_at: time(0) },
};

const imported = (cluster: Cluster, records: readonly ArchiveRecord[], file = 'file') =>
  importInto(cluster.databaseUrl, file, records);

const found = async (instance: Instance): Promise<number> => {
  const response = await instance.request('/social/tweet/advanced_search?query=number');
  const { tweets } = (await response.json()) as { tweets: unknown[] };
  return tweets.length;
};
const cursorOf = async (instance: Instance): Promise<string | null> =>
  (await instance.request('/social/assistant/status')).headers.get('x-event-cursor');

/** The value of a metric; undefined if it is not there. */
async function valueOf(instance: Instance | undefined, name: string): Promise<number | undefined> {
  const response = await instance?.request('/metrics');
  return readExposition((await response?.text()) ?? '').series.find((series) => series.name === name)?.value;
}

interface Listener {
  readonly events: { readonly event: string; readonly cursor: string }[];
  readonly closed: Promise<number>;
  close(): void;
}

/** A subscription of all tweets of the author, from a cursor on. */
async function listen({ url }: Instance, cursor?: string, presented = key): Promise<Listener> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { 'x-api-key': presented } });
  const events: Listener['events'] = [];
  const closed = new Promise<number>((resolve) => void socket.on('close', resolve));
  const subscribed = Promise.withResolvers<void>();
  socket.on('error', subscribed.reject);
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Record<string, unknown>;
    if (message['type'] === 'subscribed') subscribed.resolve();
    if (message['type'] === 'error') subscribed.reject(new Error(JSON.stringify(message)));
    if (message['type'] === 'event')
      events.push({ event: String(message['event']), cursor: String(message['cursor']) });
  });
  socket.on('open', () =>
    socket.send(
      JSON.stringify({
        type: 'subscribe',
        id: 's',
        channel: 'search:tweets',
        params: { query: 'from:ada' },
        ...(cursor ? { cursor } : {}),
      }),
    ),
  );
  void closed.then(() => subscribed.reject(new Error('closed')));
  await subscribed.promise;
  return { events, closed, close: () => socket.close() };
}

test('the configuration takes the URL of a database, and its messages do not show the password', () => {
  const DATABASE_URL = 'postgres://app:secret-word@db.example/app';
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  for (const invalid of ['mysql://app:secret-word@db/app', 'postgres://app:secret-word@db', 'secret-word'])
    expect(() => readConfig({ DATABASE_URL: invalid })).toThrow(/^DATABASE_URL: (?!.*secret-word).*expected /);
});

if (testDatabaseUrl !== undefined)
  describe('instances on one database', () => {
    let cluster: Cluster;
    beforeEach(async () => void (cluster = await openCluster()));
    afterEach(() => cluster.stop());

    test('that start at the same moment on an empty database agree, and answer alike', async () => {
      const all = await Promise.all([1, 2, 3].map(() => cluster.start({ DEMO: '1' })));
      await until(async () => new Set(await Promise.all(all.map(cursorOf))).size === 1);
      const bodies = await Promise.all(
        all.map(async (each) => (await each.request('/social/tweet/advanced_search?query=the')).text()),
      );
      expect(new Set(bodies).size).toBe(1);
      const [first] = bodies;
      const { next_cursor: next } = JSON.parse(first ?? '') as { next_cursor: string };
      // Any instance answers the next page.
      const pages = await Promise.all(
        all.map(async (each) =>
          (await each.request(`/social/tweet/advanced_search?query=the&cursor=${encodeURIComponent(next)}`)).text(),
        ),
      );
      expect(new Set(pages).size).toBe(1);
      expect(JSON.parse(pages[0] ?? '')).toHaveProperty('tweets');
    });

    test('show an import of any host, and number its events alike; imports at once change nothing twice', async () => {
      const [a, b] = [await cluster.start(), await cluster.start()];
      const records = [user, ...Array.from({ length: 8 }, (_, n) => tweet(n))];
      const listeners = [await listen(a), await listen(b)];
      const outcomes = await Promise.all([imported(cluster, records), imported(cluster, records, 'copy')]);
      expect(outcomes.flat().filter((outcome) => outcome === 'added')).toHaveLength(records.length);
      for (const each of [a, b]) await until(async () => (await found(each)) === 8);
      for (const { events } of listeners) await until(() => events.length >= 8);
      expect(listeners[0]?.events).toEqual(listeners[1]?.events);
      expect(listeners[0]?.events.map(({ event }) => event)).toEqual(Array.from({ length: 8 }, () => 'tweet.created'));
      // A listener goes on at another instance, without a gap or a repeat.
      const third = listeners[0]?.events[2]?.cursor ?? '';
      const resumed = await listen(b, third);
      await until(() => resumed.events.length === 5);
      expect(resumed.events).toEqual(listeners[0]?.events.slice(3));
      expect(await cursorOf(a)).toBe(await cursorOf(b));
      for (const each of [...listeners, resumed]) each.close();
    });

    test('an unlike is visible everywhere, and succeeds once', async () => {
      await imported(cluster, [user, tweet(1), like(1)]);
      const all = [await cluster.start(), await cluster.start()];
      const unlike = (each: Instance): Promise<Response> =>
        each.request('/social/tweet/unlike', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ tweet_id: '1001' }),
        });
      const successes = await Promise.all(
        all.map(async (each) => ((await (await unlike(each)).json()) as { success: boolean }).success),
      );
      expect(successes.filter(Boolean)).toHaveLength(1);
      for (const each of all)
        await until(async () => !((await (await unlike(each)).json()) as { success: boolean }).success);
    });

    test('the cursor of a write lets every instance answer with that write', async () => {
      await imported(cluster, [user, ...Array.from({ length: 20 }, (_, n) => [tweet(n), like(n)]).flat()]);
      const [a, b] = [await cluster.start(), await cluster.start()];
      await until(
        async () => (await cursorOf(a))?.endsWith('.20') === true && (await cursorOf(a)) === (await cursorOf(b)),
      );
      for (let n = 0; n < 20; n++) {
        const [writer, reader] = n % 2 === 0 ? [a, b] : [b, a];
        const written = await writer.request('/social/tweet/unlike', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ tweet_id: String(1000 + n) }),
        });
        const cursor = written.headers.get('x-event-cursor') ?? '';
        expect(Number(cursor.split('.')[1])).toBe(21 + n);
        const again = await reader.request('/social/tweet/advanced_search?query=number', {
          headers: { 'x-event-cursor': cursor },
        });
        expect([again.status, Number(again.headers.get('x-event-cursor')?.split('.')[1])]).toEqual([200, 21 + n]);
      }
      const [epoch] = (await cursorOf(a))?.split('.') ?? [];
      const ahead = await a.request('/social/tweet/advanced_search?query=number', {
        headers: { 'x-event-cursor': `${epoch}.999` },
      });
      expect([ahead.status, ahead.headers.get('retry-after')]).toEqual([503, '1']);
    });

    test('a key that one instance revokes is refused by the others without a request to them, and its sockets close', async () => {
      const [a, b] = [await cluster.start({ API_KEYS: '' }), await cluster.start({ API_KEYS: '' })];
      const first = a.service.firstKey ?? b.service.firstKey ?? '';
      expect([a.service.firstKey, b.service.firstKey].filter(Boolean)).toHaveLength(1);
      await until(async () => (await b.request('/social/assistant/status', { key: first })).status === 200);
      const listener = await listen(b, undefined, first);
      const store = await openPostgresStore({ url: cluster.databaseUrl });
      const { DocumentKeys } = await import('../../server/keys/keys.ts');
      const keys = new DocumentKeys(await store.document('keys', { keys: [] }));
      await keys.revoke(first.split('_')[1] ?? '');
      expect(await listener.closed).toBe(4005);
      for (const each of [a, b])
        await until(async () => (await each.request('/social/assistant/status', { key: first })).status === 401);
      await store.close();
    });

    test('together permit no more requests than the limit of a key', async () => {
      const env = { RATE_LIMIT: '40/1h' };
      const all = [await cluster.start(env), await cluster.start(env), await cluster.start(env)];
      const statuses = await Promise.all(
        Array.from({ length: 90 }, async (_, n) => (await all[n % 3]?.request('/social/assistant/status'))?.status),
      );
      const permitted = statuses.filter((status) => status === 200).length;
      expect(permitted).toBeLessThanOrEqual(40);
      expect(permitted).toBeGreaterThanOrEqual(36);
      expect(statuses.filter((status) => status !== 200).every((status) => status === 429)).toBe(true);
    });

    test('count the connections of a key together', async () => {
      const env = { WS_CONNECTIONS: '2' };
      const [a, b] = [await cluster.start(env), await cluster.start(env)];
      const open = [await listen(a), await listen(a)];
      await until(async () => {
        const refused = await listen(b).then(
          (each) => (each.close(), false),
          () => true,
        );
        return refused;
      });
      for (const each of open) each.close();
    });

    test('an erasure on one instance reaches the others and the database', async () => {
      await imported(cluster, [user, tweet(1), tweet(2)]);
      const [a, b] = [await cluster.start({ PURGE_WITHIN: '0' }), await cluster.start({ PURGE_WITHIN: '0' })];
      await imported(cluster, [{ kind: 'delete', tweet_id: '1001', at: time(99) }], 'removal');
      for (const each of [a, b]) await until(async () => (await found(each)) === 1);
      const { admin } = cluster.storage;
      await until(async () => {
        const [row] = await admin.run<{ n: string }>({
          text: `SELECT count(*) AS n FROM (
            SELECT record AS text FROM social_data.change UNION ALL SELECT document::text FROM social_data.tweet
            UNION ALL SELECT document::text FROM social_data.tombstone) AS stored WHERE text LIKE '%number 1%'`,
        });
        return row?.n === '0';
      });
    });

    test('an operator acts on any instance: keys, accounts, what is followed, imports and erasures hold on all', async () => {
      // Nothing answers where the live platform is said to be.
      const env = {
        ...{ API_KEYS: '', FOLLOW_BLUESKY_STREAM: 'ws://127.0.0.1:1', FOLLOW_BLUESKY_API: 'http://127.0.0.1:1' },
        ASSISTANT_HTTP: 'loopback',
      };
      const [a, b] = [await cluster.start(env), await cluster.start(env)];
      const operator = a.service.operatorKey ?? '';
      const call = async (on: Instance, method: string, path: string, body?: object): Promise<[number, any]> => {
        const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
        const response = await on.request(`/operate/api${path}`, { key: operator, method, ...init });
        return [response.status, await response.json()];
      };
      await until(async () => (await call(b, 'GET', '/overview'))[0] === 200);
      const [, made] = await call(a, 'POST', '/keys', { name: 'app' });
      await until(async () => (await b.request('/social/assistant/status', { key: made.key })).status === 200);
      expect(await call(b, 'DELETE', `/keys/${made.id}`)).toEqual([200, { id: made.id, revoked: true }]);
      await until(async () => (await a.request('/social/assistant/status', { key: made.key })).status === 401);

      const [added, account] = await call(a, 'POST', '/accounts', {
        base_url: 'http://127.0.0.1:1/v1',
        api_key: 'secret-1',
      });
      expect([added, account]).toEqual([200, expect.anything()]);
      const accounts = async (on: Instance): Promise<string[]> =>
        (await call(on, 'GET', '/accounts'))[1].accounts.map(({ id }: { id: string }) => id);
      await until(async () => (await accounts(b)).includes(account.id));
      expect((await call(b, 'DELETE', `/accounts/${account.id}`))[0]).toBe(200);
      await until(async () => !(await accounts(a)).includes(account.id));

      const targets = ['bluesky:alice.example.com'];
      const followed = async (on: Instance): Promise<unknown[]> => (await call(on, 'GET', '/follow'))[1].sources;
      for (const [one, other] of [
        [a, b],
        [b, a],
      ] as const) {
        expect((await call(one, 'POST', '/follow', { targets }))[0]).toBe(200);
        await until(async () => (await followed(other)).length === 1);
        expect((await call(other, 'POST', '/follow/remove', { targets }))[0]).toBe(200);
        await until(async () => (await followed(one)).length === 0);
      }

      await imported(cluster, [user, tweet(1)]);
      const preview = async (): Promise<{ tweets: number; users: number }> =>
        (await call(b, 'POST', '/erase/preview', { user: 'ada' }))[1];
      await until(async () => (await preview()).tweets === 1);
      const expected = { tweets: 1, users: 1 };
      expect((await call(b, 'POST', '/erase', { user: 'ada', expected }))[0]).toBe(200);
      const [, reader] = await call(a, 'POST', '/keys', { name: 'reader' });
      const read = (on: Instance): Promise<Response> =>
        on.request('/social/user/info?username=ada', { key: reader.key });
      await until(async () => (await read(a)).status === 404);
      expect(await call(a, 'POST', '/backups')).toEqual([501, { error: expect.stringContaining('pg_dump') }]);
      const actions = async (): Promise<string[]> =>
        (await call(b, 'GET', '/audit'))[1].entries.map(({ action }: { action: string }) => action);
      await until(async () => (await actions()).includes('POST /backups'));
      expect(await actions()).toEqual(expect.arrayContaining(['POST /keys', 'DELETE /keys/{id}', 'POST /erase']));
    });

    test('the documented metrics show the state of an instance', async () => {
      const all = [await cluster.start(), await cluster.start()];
      await until(async () => (await valueOf(all[0], 'instances_others')) === 1);
      const guide = (await (await all[0]?.request('/docs/operations.md'))?.text()) ?? '';
      const [section = ''] = /^#+ Metrics of an instance$[^#]*/m.exec(guide) ?? [];
      const names = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? '');
      expect(names).toHaveLength(8);
      for (const name of names)
        expect([name, (await valueOf(all[0], name)) ?? (await valueOf(all[0], `${name}_count`))]).toEqual([
          name,
          expect.any(Number),
        ]);
      expect(await valueOf(all[0], 'database_log_bytes')).toBeGreaterThan(0);
      await imported(cluster, [user, tweet(1), like(1)]);
      const waits = async (): Promise<number | undefined> =>
        readExposition((await (await all[0]?.request('/metrics'))?.text()) ?? '').series.find(
          ({ name, labels }) => name === 'journal_lock_wait_seconds_count' && labels['journal'] === 'tables',
        )?.value;
      expect(await waits()).toBe(0);
      // A change takes the lock.
      const body = JSON.stringify({ tweet_id: '1001' });
      const headers = { 'content-type': 'application/json' };
      await all[0]?.request('/social/tweet/unlike', { method: 'POST', headers, body });
      expect(await waits()).toBe(1);
      const leaders = await Promise.all(all.map((each) => valueOf(each, 'instance_leader')));
      expect(leaders.toSorted()).toEqual([0, 1]);
    });

    test('the poll alone is enough: changes arrive without notices', async () => {
      const a = await cluster.start();
      await cluster.storage.admin.run({
        text: `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE query ILIKE 'listen%' AND pid <> pg_backend_pid() AND usename = current_user`,
      });
      await imported(cluster, [user, tweet(1)]);
      await until(async () => (await found(a)) === 1);
    });
  });
