/** Several instances follow live platforms: `TEST_PG=1 npm test -- cluster`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../server/config/config.ts';
import type { OpenSource } from '../../server/follow/sources.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { ReferencePlatform, ReferenceSource } from '../ports/reference/live-source.ts';
import { readExposition } from '../support/exposition.ts';
import { AppViewServer } from '../support/bluesky/app-view.ts';
import { World as BlueskyWorld } from '../support/bluesky/world.ts';
import { createPlatformFile } from '../support/platform-file.ts';
import { rounds } from '../support/rounds.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { listener } from '../support/stream.ts';
import { until } from '../support/until.ts';
import { key, openCluster, type Cluster, type Instance } from './instances.ts';

const alice = 'bluesky:alice.example.com';
const kills = Number(process.env['CRASH_ROUNDS'] ?? rounds(3, 3));

test('live platforms can be followed with a database', () => {
  const config = readConfig({ DATABASE_URL: 'postgres://app:word@db.example/app', FOLLOW: alice, FILL: 'bluesky' });
  expect([config.follow.targets.length, config.fill]).toEqual([1, 'bluesky']);
});

if (testDatabaseUrl !== undefined)
  describe('instances on one database', () => {
    const on = {};
    let cluster: Cluster;
    let platform: ReferencePlatform;
    const open: OpenSource = async (_name, { held, observer }) => new ReferenceSource(platform, held, observer);
    beforeEach(async () => {
      cluster = await openCluster();
      platform = new ReferencePlatform();
      for (const account of ['alice.example.com', 'bob.example.com']) platform.addAccount(account);
    });
    afterEach(() => cluster.stop());

    const json = async (instance: Instance, target: string): Promise<unknown> =>
      (await instance.request(target)).json();
    const textsOf = async (instance: Instance): Promise<string[]> => {
      const { tweets } = (await json(instance, '/social/tweet/advanced_search?query=post')) as {
        tweets: { text: string }[];
      };
      return tweets.map(({ text }) => text);
    };
    const metricsOf = async (instance: Instance) =>
      readExposition(await (await instance.request('/metrics')).text()).series;

    test('exactly one follows; another one goes on after it, from the position in the database', async () => {
      platform.publish('alice.example.com', 'an old post');
      const [a, b] = [
        await cluster.start({ ...on, FOLLOW: alice }, open),
        await cluster.start({ ...on, FOLLOW: alice }, open),
      ];
      for (const each of [a, b]) await until(async () => (await textsOf(each)).length === 1);
      expect(platform.openConnections).toBe(1);
      expect(await json(a, '/readyz')).toEqual({ status: 'ok', following: ['bluesky'] });
      expect(await json(b, '/readyz')).toEqual({ status: 'ok', following: [] });
      for (const each of [a, b])
        await until(async () => {
          const { following } = (await json(each, '/live/following')) as { following: { following?: string }[] };
          return following[0]?.following === '1 account on Bluesky';
        });
      const series = await Promise.all([a, b].map(metricsOf));
      const valuesOf = (name: string): (number | undefined)[] =>
        series.map((each) => each.find((one) => one.name === name)?.value);
      expect(valuesOf('follow_targets')).toEqual([1, 1]);
      expect(valuesOf('follow_connected')).toEqual([1, undefined]);
      platform.publish('alice.example.com', 'a post by the stream');
      await until(async () => (await textsOf(b)).length === 2);
      await a.stop();
      platform.publish('alice.example.com', 'a post in between');
      await until(() => platform.openConnections === 1);
      await until(async () => (await textsOf(b)).length === 3);
      expect(Number(platform.connections.at(-1)?.position)).toBe(2);
    });

    test('what one fetches on request, the others answer without asking again', async () => {
      let now = Date.parse('2026-03-04T05:06:07Z');
      const world = new BlueskyWorld(() => (now += 1000));
      const author = world.account('alice.test', 'Alice');
      for (let index = 0; index < 120; index++) world.post(author, `post ${index}`);
      const appView = await AppViewServer.start(world);
      const env = { ...on, FILL: 'bluesky', FOLLOW_BLUESKY_API: appView.url };
      const [a, b] = [await cluster.start(env), await cluster.start(env)];
      const path = '/social/user/last_tweets?username=alice.test&limit=100';
      const first = await a.request(path);
      const body = await first.text();
      expect(first.status).toBe(200);
      const fetched = appView.requests.length;
      expect(fetched).toBeGreaterThan(0);
      await until(async () => {
        const recordsOf = async (instance: Instance): Promise<number | undefined> =>
          (await metricsOf(instance)).find(
            (metric) => metric.name === 'journal_records_total' && metric.labels['journal'] === 'tables',
          )?.value;
        return (await recordsOf(a)) === (await recordsOf(b));
      });
      expect(await (await b.request(path)).text()).toBe(body);
      expect(appView.requests).toHaveLength(fetched);
      // The second instance continues the list where the first one ended.
      const { next_cursor: next } = JSON.parse(body) as { next_cursor: string };
      const rest = await (await b.request(`${path}&cursor=${next}`)).text();
      expect((JSON.parse(rest) as { tweets: unknown[] }).tweets).toHaveLength(20);
      const continued = appView.requests.length;
      await until(async () => (await (await a.request(`${path}&cursor=${next}`)).text()) === rest);
      expect(appView.requests.length - continued).toBeLessThanOrEqual(1);
      expect(appView.faults).toEqual([]);
      await appView.close();
    });

    test('npm run follow works from any host with the database', async () => {
      const a = await cluster.start(on, open);
      const folder = await temporaryFolder();
      const command = (...args: string[]): ReturnType<typeof run> =>
        run('scripts/cli/follow.ts', args, { ...on, DATA_DIR: folder.path, DATABASE_URL: cluster.databaseUrl });
      await until(async () => (await command('list')).code === 0);
      platform.publish('alice.example.com', 'an old post');
      expect((await command('add', alice)).stdout).toMatch(/^follows bluesky:alice\.example\.com/);
      await until(async () => (await textsOf(a)).length === 1);
      await until(async () => /following 1 account on Bluesky/.test((await command('status')).stdout));
      expect(await command('backfill', alice, '--posts', '9')).toMatchObject({
        code: 0,
        stdout: `${alice}: 1 post read\n`,
      });
      expect(platform.histories.at(-1)?.request.limit).toBe(9);
      expect(await command('remove', alice, '--purge', '--yes')).toMatchObject({ code: 0 });
      await until(() => platform.openConnections === 0);
      await until(async () => (await textsOf(a)).length === 0);
      await folder.dispose();
    });

    test(`the instance that follows is killed ${kills} times: no post is lost, and no event comes twice`, async () => {
      const folder = await temporaryFolder();
      const live = await createPlatformFile(folder.path);
      const env = { ...on, DATABASE_URL: cluster.databaseUrl, API_KEYS: key, DEMO: '0', FOLLOW: alice, ...live.env };
      let started = 0;
      const start = (): Promise<RunningServer> => startServer(`${folder.path}/${started++}`, env);
      const running = [await start(), await start()];
      const leads = async ({ url }: RunningServer): Promise<boolean> => {
        const { following = [] } = (await (await fetch(`${url}/readyz`)).json()) as { following?: string[] };
        return following.length > 0;
      };
      const headers = { 'x-api-key': key };
      const first = (await fetch(`${running[0]?.url}/social/assistant/status`, { headers })).headers;
      const texts: string[] = [];
      const publish = async (): Promise<void> => {
        texts.push(`post ${texts.length}`);
        await live.publish('alice.example.com', texts.at(-1) ?? '');
      };
      for (let kill = 0; kill < kills; kill++) {
        await until(async () => (await Promise.all(running.map(leads))).includes(true));
        const following = (await Promise.all(running.map(leads))).indexOf(true);
        await publish();
        // The kill comes before, while and after the post is written.
        await sleep(kill * 15);
        await running[following]?.end('SIGKILL');
        await publish();
        running[following] = await start();
      }
      await publish();
      const [{ url } = { url: '' }] = running;
      const all = await listener(url, key);
      const cursor = first.get('x-event-cursor') ?? '';
      await all.ask({ type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: 'post' }, cursor });
      const created = () => all.of('event').filter(({ event }) => event === 'tweet.created');
      await until(() => created().length >= texts.length);
      expect(
        created()
          .map(({ data }) => (data as { text: string }).text)
          .toSorted(),
      ).toEqual(texts.toSorted());
      expect((await Promise.all(running.map(leads))).filter(Boolean)).toHaveLength(1);
      all.socket.close();
      for (const each of running) await each.end();
      await folder.dispose();
    });
  });
