/** A service on PostgreSQL and one on a SQLite file follow Bluesky alike: the same events lead to the same answers. */
import { expect, test } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { testDatabaseUrl } from '../ports/postgres.ts';
import { AppViewServer } from '../support/bluesky/app-view.ts';
import { JetstreamServer } from '../support/bluesky/jetstream-server.ts';
import { idOf, World } from '../support/bluesky/world.ts';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { key, openCluster, type Instance } from './instances.ts';

type Answering = Pick<Instance, 'request'>;

const names = ['alice', 'bob', 'carol', 'dan'];

/** The body of a response. Counts depend on the moment at which the platform was asked for them. */
const withoutCounts = (body: string): unknown =>
  JSON.parse(body, (key, value: unknown) => (/_counts?$/.test(key) ? undefined : value));

/** What callers see of the accounts and of all posts. */
async function shown(instance: Answering, posts: readonly string[]): Promise<Record<string, unknown>> {
  const paths = [
    '/social/tweet/advanced_search?query=post&limit=100',
    '/social/tweet/advanced_search?query=post%20include:nativeretweets&limit=100',
    ...names.flatMap((name) => [
      `/social/user/info?username=${name}.test`,
      `/social/user/followings?username=${name}.test`,
      `/social/user/last_tweets?username=${name}.test&include_replies=1`,
      `/social/user/mentions?username=${name}.test`,
    ]),
    ...posts.map((uri) => `/social/tweet/info?tweet_id=${idOf(uri)}`),
  ];
  const answers = await Promise.all(
    paths.map(async (path) => {
      const response = await instance.request(path);
      return [path, response.status, withoutCounts(await response.text())] as const;
    }),
  );
  for (const [path, status] of answers) expect([path, [200, 404].includes(status)]).toEqual([path, true]);
  return Object.fromEntries(answers.map(([path, status, body]) => [path, { status, body }]));
}

(testDatabaseUrl === undefined ? test.skip : test)(
  'posts, edits, deletions, follows, accounts that go and come back, and an absence',
  async () => {
    const world = new World(() => Date.now());
    const [alice = '', bob = '', carol = '', dan = ''] = names.map((name) => world.account(`${name}.test`, name));
    const [jetstream, appView] = [await JetstreamServer.start(world), await AppViewServer.start(world)];
    const env = {
      FOLLOW: 'bluesky:alice.test,bluesky:bob.test,bluesky:search:tea',
      RETAIN: '90d',
      FOLLOW_BLUESKY_STREAM: jetstream.url,
      FOLLOW_BLUESKY_API: appView.url,
    };
    const uris = [world.post(alice, 'post of the history'), world.post(carol, 'post that is quoted')];
    const post = (did: string, text: string, extra = {}): string => {
      const uri = world.post(did, `post ${text}`, extra);
      uris.push(uri);
      return uri;
    };
    const [cluster, folder] = [await openCluster(), await temporaryFolder()];
    const own = { API_KEYS: key, DEMO: '0', RATE_LIMIT: 'off' };
    const server = await startLocalServer(folder.path, { ...env, ...own });
    const inFile: Answering = {
      request: (target) => fetch(new URL(target, server.url), { headers: { 'x-api-key': key } }),
    };
    let onDatabase = await cluster.start(env);
    const agree = async (text: string): Promise<Record<string, unknown>> => {
      post(alice, text);
      const has = async (instance: Answering): Promise<boolean> =>
        (await (await instance.request(`/social/tweet/advanced_search?query=%22${text}%22`)).text()).includes(text);
      await until(async () => (await has(inFile)) && (await has(onDatabase)));
      let both: Record<string, unknown>[] = [];
      const end = Date.now() + 30_000;
      do both = await Promise.all([inFile, onDatabase].map((each) => shown(each, uris)));
      while (!isDeepStrictEqual(both[0], both[1]) && Date.now() < end);
      expect(both[1]).toEqual(both[0]);
      return both[0] ?? {};
    };
    const [profile, gone] = [(name: string) => `/social/user/info?username=${name}.test`, { status: 404 }];
    const about = (uri: string): string => `/social/tweet/info?tweet_id=${idOf(uri)}`;
    try {
      await agree('begins');
      const edited = post(alice, 'before the edit', { rkey: '3lbyeqkxpfk2a' });
      const quote = post(bob, 'quotes', { quotes: uris[1] });
      const reply = post(bob, 'replies', { replyTo: quote });
      const found = post(dan, 'about tea');
      post(dan, 'about water');
      const repost = world.repost(alice, quote);
      world.follow(alice, dan);
      const followed = world.follow(bob, alice);
      const first = await agree('collects');
      expect(first[about(found)]).toMatchObject({ status: 200 });
      expect(first[profile('carol')]).toMatchObject({ status: 200 });
      world.put(alice, 'app.bsky.feed.post', { text: 'post after the edit', langs: ['en'] }, '3lbyeqkxpfk2a');
      world.delete(reply);
      world.delete(repost);
      world.delete(followed);
      world.rename(dan, 'dan.test');
      world.setActive(bob, false, 'deleted');
      const second = await agree('removes');
      expect(second[about(edited)]).toMatchObject({ body: { tweet: { text: 'post after the edit' } } });
      expect([second[about(reply)], second[about(quote)], second[profile('bob')]]).toMatchObject([gone, gone, gone]);
      await onDatabase.stop();
      world.setActive(bob, true);
      post(alice, 'while nobody reads for the database');
      world.delete(uris[0] ?? '');
      onDatabase = await cluster.start(env);
      const third = await agree('continues');
      expect(third[profile('bob')]).toMatchObject({ status: 200 });
      expect(third[about(uris[0] ?? '')]).toMatchObject(gone);
      expect(appView.faults).toEqual([]);
    } finally {
      await Promise.all([cluster.stop(), server.end()]);
      await folder.dispose();
      await Promise.all([jetstream.close(), appView.close()]);
    }
  },
  120_000,
);
