/**
 * The database is away for a while under load: reads and changes are refused, and everything continues by itself afterwards.
 * `TEST_PG=1 npm test -- cluster`. With `TEST_ROUNDS` of 1 or more, an outage of 30 s follows.
 */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentKeys } from '../../server/keys/keys.ts';
import { toDatabaseId } from '../../server/archive/content/database-id.ts';
import { Database } from '../../server/engines/postgres/store/database.ts';
import { openPostgresStore } from '../../server/engines/postgres/store/postgres-store.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { startEngine } from '../postgres/engine.js';
import { startRelay } from '../support/relay.ts';
import { listener, type Listener } from '../support/stream.ts';
import { until } from '../support/until.ts';
import { key, openCluster, type Cluster, type Instance } from './instances.ts';
import { ada, eventsOf, foundBy, idOf, importInto, Load, tweetWithLike, unlike } from './load.ts';

const isNightly = Number(process.env['TEST_ROUNDS'] ?? 0) >= 1;
const env = { RATE_LIMIT: 'off' };
/** The tweets that are there before the load. */
const preloaded = 600;
/** Requests that arrive at once in an outage, for the last of these tweets. */
const burst = 200;

/** A database that a test can take away. */
interface Outage {
  readonly url: string;
  begin(): Promise<void>;
  /** The database can be reached when this resolves. */
  end(): Promise<void>;
  dispose(): Promise<void>;
}

/** Connections are cut and refused, by a relay in front of the database of all tests. */
async function relayed(): Promise<Outage> {
  const relay = await startRelay();
  const url = new URL(testDatabaseUrl ?? '');
  relay.target(url.href);
  url.host = new URL(relay.url).host;
  return {
    url: url.href,
    begin: async () => relay.cut(),
    end: async () => relay.target(testDatabaseUrl ?? ''),
    dispose: () => relay.stop(),
  };
}

/** The engine itself ends at once, and starts again with a recovery. */
async function stopped(): Promise<Outage> {
  const engine = await startEngine();
  return {
    url: engine.url,
    begin: () => engine.kill(),
    end: () => engine.start(),
    dispose: () => engine.stop(),
  };
}

/** The engine ends at once, and its synchronous standby takes its place at the same address. */
async function failedOver(): Promise<Outage> {
  const relay = await startRelay();
  const primary = await startEngine();
  const standby = await primary.createStandby();
  relay.target(primary.url);
  const url = new URL(primary.url);
  url.host = new URL(relay.url).host;
  return {
    url: url.href,
    async begin() {
      await primary.kill();
      relay.cut();
    },
    async end() {
      await standby.promote();
      relay.target(standby.url);
    },
    async dispose() {
      await standby.stop();
      await primary.stop();
      await relay.stop();
    },
  };
}

const cursorOf = async (each: Instance | undefined): Promise<string> =>
  (await each?.request('/social/assistant/status'))?.headers.get('x-event-cursor') ?? '';

/** Waits until instances have applied so many tweets and have published their events. */
async function reached(all: readonly Instance[], tweets: number): Promise<void> {
  for (const each of all) await until(async () => (await foundBy(each)).length === tweets);
  for (const each of all) await until(async () => (await cursorOf(each)).endsWith(`.${tweets}`));
}

async function storedKey(cluster: Cluster): Promise<string> {
  const store = await openPostgresStore({ url: cluster.databaseUrl });
  const created = await new DocumentKeys(await store.document('keys', { keys: [] })).create({ name: 'app' });
  await store.close();
  return created.key;
}

async function subscribed({ url }: Instance): Promise<Listener> {
  const listening = await listener(url, key);
  const params = { query: 'from:ada' };
  const answer = await listening.ask({ type: 'subscribe', id: 's', channel: 'search:tweets', params });
  expect(answer.type).toBe('subscribed');
  return listening;
}

/** All changes that arrive in an outage are refused in it: they wait in no queue. */
async function expectRefusals(all: readonly Instance[]): Promise<void> {
  for (const each of all) {
    const answers = await Promise.all(Array.from({ length: burst }, (_, n) => unlike(each, idOf(preloaded - 1 - n))));
    for (const { status, headers } of answers)
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true]);
  }
}

/** Waits until an instance is as before the outage, and returns how long that took, in milliseconds. */
async function recovered(instance: Instance, stored: string, liked: string): Promise<number> {
  const startedAt = Date.now();
  const isOk = async (answer: Promise<Response>): Promise<boolean> => (await answer).status === 200;
  await until(() => isOk(instance.request('/social/assistant/status', { key: stored })));
  await until(() => isOk(unlike(instance, liked)));
  await until(() => isOk(instance.request('/readyz')));
  return Date.now() - startedAt;
}

/** The outage. `pass` resolves when more than ten seconds of it have passed. */
async function takeAway(outage: Outage, load: Load, stored: string, pass: () => Promise<void>): Promise<void> {
  const { instances } = load;
  await outage.begin();
  try {
    const before = load.refusedReads;
    await until(() => load.refusedReads >= before + 50);
    const asking = load.startToAsk();
    await pass();
    for (const each of instances) {
      await until(async () => (await each.request('/readyz')).status === 503);
      const refused = await each.request('/social/assistant/status', { key: stored });
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    }
    await until(() => load.refused.every(({ unlikes, asks }) => unlikes >= 3 && asks >= 3) && load.refusedImports >= 1);
    await expectRefusals(instances);
    await asking.end();
  } finally {
    await outage.end();
  }
}

async function expectNothingLost(cluster: Cluster, load: Load, listeners: readonly Listener[]): Promise<void> {
  const all = [...load.instances, await cluster.start(env)];
  const expected = Array.from({ length: load.imported }, (_, n) => idOf(n));
  for (const each of all) {
    await until(async () => (await foundBy(each)).length >= expected.length);
    expect((await foundBy(each)).toReversed()).toEqual(expected);
    for (const id of load.unliked)
      expect([id, await (await unlike(each, id)).json()]).toMatchObject([id, { success: false }]);
  }
  const created = expected.slice(preloaded);
  for (const each of listeners) {
    await until(() => eventsOf(each, 'tweet.created').length >= created.length);
    expect(eventsOf(each, 'tweet.created').map(({ id }) => id)).toEqual(created);
    const seqs = each.of('event').map(({ cursor }) => Number(cursor.split('.')[1]));
    expect(seqs).toEqual([...new Set(seqs)].toSorted((x, y) => x - y));
    expect([...each.of('error'), ...each.of('gap')]).toEqual([]);
    // The connection has lasted.
    expect(each.socket.readyState).toBe(each.socket.OPEN);
    each.socket.close();
  }
}

async function survive(outage: Outage, pass: () => Promise<void>): Promise<void> {
  const cluster = await openCluster(outage.url);
  let load: Load | undefined;
  try {
    const instances = [await cluster.start(env), await cluster.start(env)];
    const tweets = Array.from({ length: preloaded }, (_, n) => tweetWithLike(n)).flat();
    await importInto(cluster.databaseUrl, 'preloaded', [ada, ...tweets]);
    await reached(instances, preloaded);
    const stored = await storedKey(cluster);
    for (const each of instances)
      await until(async () => (await each.request('/social/assistant/status', { key: stored })).status === 200);
    const listeners = [];
    for (const each of instances) listeners.push(await subscribed(each));
    load = await Load.start({ instances, url: cluster.databaseUrl, stored, from: preloaded });
    const running = load;
    await until(() => running.imported >= preloaded + 10 && running.unliked.length >= 10);
    await takeAway(outage, running, stored, pass);
    const times = await Promise.all(
      instances.map((each, index) => recovered(each, stored, idOf(preloaded - 1 - index))),
    );
    console.log(
      `the instances have recovered ${times.map((ms) => `${ms} ms`).join(' and ')} after the database was back`,
    );
    const [{ length: unliked }, count] = [running.unliked, running.imported];
    await until(() => running.imported >= count + 10 && running.unliked.length >= unliked + 10);
    await running.end();
    expect(running.faults).toEqual([]);
    await expectNothingLost(cluster, running, listeners);
    // Two seconds on an idle machine.
    expect(Math.max(...times)).toBeLessThan(20_000);
  } finally {
    await load?.end();
    await cluster.stop();
  }
}

/** Ten seconds pass on the clock of this process. */
async function passAtOnce(): Promise<void> {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 10_500);
}

/** Removes all that tables have of tweets without mentions. */
async function removeTweets({ run }: Database, ids: readonly string[]): Promise<void> {
  for (const table of ['tweet', 'tweet_count'])
    await run({ text: `DELETE FROM social_data.${table} WHERE id = ANY($1)`, params: [ids.map(toDatabaseId)] });
  await run({ text: 'DELETE FROM social_data.tweet_like WHERE tweet_id = ANY($1)', params: [ids.map(toDatabaseId)] });
}

(testDatabaseUrl === undefined ? describe.skip : describe)('the database is away under load', () => {
  let outage: Outage;
  afterEach(async () => {
    await outage?.dispose();
    jest.restoreAllMocks();
  });

  test('because its connections are cut and refused', async () => {
    outage = await relayed();
    await survive(outage, passAtOnce);
  });

  test('because the engine has ended', async () => {
    outage = await stopped();
    await survive(outage, passAtOnce);
  });

  test('because the engine has ended, and a synchronous standby takes its place', async () => {
    outage = await failedOver();
    await survive(outage, passAtOnce);
  });

  (isNightly ? test : test.skip)('for 30 seconds', async () => {
    outage = await relayed();
    await survive(outage, () => sleep(30_000));
  });

  test('and returns without its last commits, and with others in their place: a new epoch, equal instances', async () => {
    outage = await relayed();
    const cluster = await openCluster(outage.url);
    const behind = `${testDatabaseUrl}?schema=${cluster.storage.schema}`;
    const instances = [await cluster.start(env), await cluster.start(env)];
    await importInto(cluster.databaseUrl, 'kept', [ada, ...[0, 1, 2].flatMap(tweetWithLike)]);
    await reached(instances, 3);
    const head = async (): Promise<number> => {
      const text = `SELECT max(seq)::float8 AS seq FROM social_data.change WHERE log = $1`;
      return (await cluster.storage.admin.run<{ seq: number }>({ text, params: ['tables'] }))[0]?.seq ?? 0;
    };
    const kept = await head();
    await importInto(cluster.databaseUrl, 'lost', [3, 4].flatMap(tweetWithLike));
    await reached(instances, 5);
    const before = await cursorOf(instances[0]);
    const lost = await head();
    await outage.begin();
    const standby = new Database({ url: behind });
    const params = ['tables', kept];
    await standby.run({ text: `DELETE FROM social_data.change WHERE log = $1 AND seq > $2`, params });
    await removeTweets(standby, [3, 4].map(idOf));
    await standby.run({ text: `DELETE FROM social_data.change WHERE log = 'events' AND seq > 3` });
    // As many other records: only the chain shows the difference.
    await importInto(behind, 'other', [5, 6].flatMap(tweetWithLike));
    await standby.close();
    await outage.end();
    expect(await head()).toBe(lost);
    const reasons = await Promise.all(instances.map((each) => each.service.ended));
    expect(reasons).toContainEqual(expect.stringMatching(/has lost record \d+ .*or has another one/));
    const next = [await cluster.start(env), await cluster.start(env)];
    for (const each of next) await until(async () => (await foundBy(each)).length === 5);
    for (const each of next) expect((await foundBy(each)).toReversed()).toEqual([0, 1, 2, 5, 6].map(idOf));
    await until(async () => (await cursorOf(next[0])) === (await cursorOf(next[1])));
    expect((await cursorOf(next[0])).split('.')[0]).not.toBe(before.split('.')[0]);
    await cluster.stop();
  });
});
