/** A database loses its last commits, as when an asynchronous standby is promoted. What it has kept stays what it was for listeners. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { toDatabaseId } from '../../server/archive/content/database-id.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { listener, type Listener } from '../support/stream.ts';
import { until } from '../support/until.ts';
import { key, openCluster, type Cluster, type Instance } from './instances.ts';
import { ada, foundBy, idOf, importInto, tweetWithLike } from './load.ts';

const cursorOf = async (instance: Instance): Promise<string> =>
  (await instance.request('/social/assistant/status')).headers.get('x-event-cursor') ?? '';

(testDatabaseUrl === undefined ? describe.skip : describe)('a lost tail of the event log', () => {
  let cluster: Cluster;
  let relays: Relay[];
  beforeEach(async () => {
    cluster = await openCluster();
    relays = [await startRelay(), await startRelay()];
    for (const relay of relays) relay.target(testDatabaseUrl ?? '');
  });
  afterEach(async () => {
    await cluster.stop();
    for (const relay of relays) await relay.stop();
  });

  const startBehind = (relay: Relay | undefined): Promise<Instance> => {
    const url = new URL(cluster.databaseUrl);
    url.host = new URL(relay?.url ?? '').host;
    return cluster.start({ RATE_LIMIT: 'off', DATABASE_URL: url.href });
  };
  const imported = (file: string, records: ArchiveRecord[]) => importInto(cluster.databaseUrl, file, records);
  /** Takes the commits behind a number out of the database, as if it had never got them. */
  const lose = async (commit: number, tweets: readonly number[]): Promise<void> => {
    const { run } = cluster.storage.admin;
    const ids = tweets.map((n) => toDatabaseId(idOf(n)));
    for (const [table, column] of [
      ['tweet', 'id'],
      ['tweet_count', 'id'],
      ['tweet_like', 'tweet_id'],
    ] as const)
      await run({ text: `DELETE FROM social_data.${table} WHERE ${column} = ANY($1)`, params: [ids] });
    await run({ text: `DELETE FROM social_data.change WHERE log = 'tables' AND seq > $1`, params: [commit] });
    await run({ text: `DELETE FROM social_data.change WHERE log = 'events' AND seq > 3` });
  };
  const commitNow = async (): Promise<number> => {
    const text = `SELECT max(seq)::float8 AS seq FROM social_data.change WHERE log = 'tables'`;
    return (await cluster.storage.admin.run<{ seq: number }>({ text }))[0]?.seq ?? 0;
  };
  const subscribe = async (listening: Listener, cursor: string, options: object = {}) =>
    listening.ask({
      type: 'subscribe',
      id: cursor,
      channel: 'search:tweets',
      params: { query: 'from:ada' },
      cursor,
      ...options,
    });
  const createdOf = (listening: Listener): string[] => listening.of('event').map(({ event_id: id }) => id);

  test('ends the cursors behind it only, and only the instances that had read it start again', async () => {
    const [informed, other] = [await startBehind(relays[0]), await startBehind(relays[1])];
    await imported('kept', [ada, ...[0, 1, 2].flatMap(tweetWithLike)]);
    for (const each of [informed, other]) await until(async () => (await cursorOf(each)).endsWith('.3'));
    const [epoch = ''] = (await cursorOf(informed)).split('.');
    const kept = await commitNow();
    // This instance reads nothing of what is lost.
    relays[1]?.cut();
    await imported('lost', [3, 4].flatMap(tweetWithLike));
    await until(async () => (await cursorOf(informed)) === `${epoch}.5`);
    relays[0]?.cut();
    await lose(kept, [3, 4]);
    await imported('instead', [5, 6].flatMap(tweetWithLike));
    for (const relay of relays) relay.target(testDatabaseUrl ?? '');
    expect(await informed.service.ended).toMatch(/has lost record \d+|or has another one/);
    await informed.stop();
    await until(async () => !(await cursorOf(other)).startsWith(`${epoch}.`));
    await until(async () => (await cursorOf(other)).endsWith('.5'));
    expect(await Promise.race([other.service.ended, Promise.resolve('runs')])).toBe('runs');
    expect((await foundBy(other)).toReversed()).toEqual([0, 1, 2, 5, 6].map(idOf));
    const again = await startBehind(relays[0]);
    for (const each of [other, again]) {
      const [before, behind, gap] = [
        await listener(each.url, key),
        await listener(each.url, key),
        await listener(each.url, key),
      ];
      expect(await subscribe(before, `${epoch}.1`)).toMatchObject({ type: 'subscribed', recovered: true });
      await until(() => before.of('caught_up').length === 1);
      expect(createdOf(before)).toEqual([1, 2, 5, 6].map((n) => `tweet.created:${idOf(n)}`));
      const cursors = before.of('event').map(({ cursor }) => cursor);
      expect(cursors.map((cursor) => cursor.startsWith(`${epoch}.`))).toEqual([true, true, false, false]);
      expect(await subscribe(behind, `${epoch}.4`)).toMatchObject({ type: 'error', code: 'epoch_changed' });
      await subscribe(gap, `${epoch}.5`, { on_gap: 'continue' });
      await until(() => gap.of('caught_up').length === 1);
      expect(gap.of('gap')).toMatchObject([{ reason: 'epoch' }]);
      expect(createdOf(gap)).toEqual([5, 6].map((n) => `tweet.created:${idOf(n)}`));
      for (const each of [before, behind, gap]) each.socket.close();
    }
  });
});
