/** What happens on the network arrives in REST, in the search and on /ws. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import type { Schemas } from '../../server/contract/operations.ts';
import { idOf, userId } from '../support/bluesky/world.ts';
import { AppViewServer } from '../support/bluesky/app-view.ts';
import { JetstreamServer } from '../support/bluesky/jetstream-server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { listener, type Listener } from '../support/stream.ts';
import { PdsNetwork, type Member, type Reference } from './pds-network.ts';

const apiKey = 'network-test-key';
const post = 'app.bsky.feed.post';
type Tweet = Schemas['Tweet'];

let network: PdsNetwork;
let jetstream: JetstreamServer;
let appView: AppViewServer;
let server: RunningServer;
let events: Listener;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let alice: Member;
let bob: Member;
let early: Reference;

/** Tries until a condition holds; fails after 20 seconds with the last result. */
async function eventually<Value>(read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  let value = await read();
  for (let tries = 0; tries < 200 && !holds(value); tries++) {
    await sleep(100);
    value = await read();
  }
  assert.ok(holds(value), `not reached: ${JSON.stringify(value)}`);
  return value;
}

async function get<Body>(path: string, parameters: Record<string, string>): Promise<Body & { status: number }> {
  const query = new URLSearchParams(parameters);
  const response = await fetch(`${server.url}${path}?${query}`, { headers: { 'x-api-key': apiKey } });
  return { ...((await response.json()) as Body), status: response.status };
}

const search = async (query: string): Promise<Tweet[]> =>
  (await get<{ tweets: Tweet[] }>('/social/tweet/advanced_search', { query, query_type: 'Latest' })).tweets;
const found = (query: string, holds: (tweets: Tweet[]) => boolean): Promise<Tweet[]> =>
  eventually(() => search(query), holds);
const created = (text: string): Promise<unknown> =>
  events.first('event', ({ event, data }) => event === 'tweet.created' && (data as Tweet).text === text);

before(async () => {
  network = await PdsNetwork.start();
  [alice, bob] = [await network.account('alice.test'), await network.account('bob.test')];
  await network.put(alice, 'app.bsky.actor.profile', 'self', { displayName: 'Alice', description: 'Tea' });
  early = await network.create(alice, post, { text: 'written before anybody followed' });
  jetstream = await JetstreamServer.start(network.world);
  appView = await AppViewServer.start(network.world);
  await eventually(
    async () => network.world.find(early.uri),
    (record) => record !== undefined,
  );
  folder = await temporaryFolder();
  server = await startServer(folder.path, {
    DEMO: '0',
    API_KEYS: apiKey,
    FOLLOW: 'bluesky:alice.test',
    FILL: 'bluesky',
    FOLLOW_BLUESKY_STREAM: jetstream.url,
    FOLLOW_BLUESKY_API: appView.url,
  });
  events = await listener(server.url, apiKey);
  const params = { query: '-nothing' };
  const answer = await events.ask({ type: 'subscribe', id: 'all', channel: 'search:tweets', params });
  assert.equal(answer.type, 'subscribed');
});

after(async () => {
  events?.socket.close();
  await server?.end();
  await jetstream?.close();
  await appView?.close();
  await network?.close();
  await folder?.dispose();
  assert.deepEqual(appView.faults, []);
});

void test('the history of the account is there, with the profile', async () => {
  const [tweet] = await found('written before', ({ length }) => length === 1);
  assert.equal(tweet?.id, idOf(early.uri));
  assert.equal(tweet?.author.username, 'alice.test');
  assert.equal(tweet?.author.name, 'Alice');
});

void test('a post arrives on /ws and in the search', async () => {
  const reference = await network.create(alice, post, { text: 'fresh coffee', langs: ['en'] });
  await created('fresh coffee');
  const [tweet] = await found('from:alice.test "fresh coffee" lang:en', ({ length }) => length === 1);
  assert.equal(tweet?.id, idOf(reference.uri));
  const { tweets } = await get<{ tweets: Tweet[] }>('/social/user/last_tweets', { user_id: userId(alice.did) });
  assert.equal(tweets[0]?.text, 'fresh coffee');
});

void test('an answer and a quote bring the posts of others', async () => {
  const parent = await network.create(bob, post, { text: 'what do you drink?' });
  await network.create(alice, post, { text: 'tea, always', reply: { root: parent, parent } });
  await network.create(alice, post, {
    text: 'see above, tea',
    embed: { $type: 'app.bsky.embed.record', record: parent },
  });
  const lastTweets = async (): Promise<Tweet[]> =>
    (await get<{ tweets: Tweet[] }>('/social/user/last_tweets', { user_id: userId(alice.did) })).tweets;
  const [quote] = await eventually(lastTweets, ([tweet]) => tweet?.quoted_tweet != null);
  assert.equal(quote?.quoted_tweet?.text, 'what do you drink?');
  assert.equal(quote?.quoted_tweet?.author.username, 'bob.test');
  const replies = await eventually(
    () => get<{ replies: Tweet[] }>('/social/tweet/replies', { tweet_id: idOf(parent.uri) }),
    ({ status }) => status === 200,
  );
  assert.deepEqual(
    replies.replies.map(({ text }) => text),
    ['tea, always'],
  );
});

void test('a repost makes a retweeter, and its deletion ends that', async () => {
  const original = await network.create(bob, post, { text: 'worth a repost' });
  const repost = await network.create(alice, 'app.bsky.feed.repost', { subject: original });
  const retweeters = () =>
    get<{ retweeters?: { id: string }[] }>('/social/tweet/retweeters', { tweet_id: idOf(original.uri) });
  await eventually(retweeters, (body) => body.retweeters?.[0]?.id === userId(alice.did));
  await network.delete(alice, repost);
  await eventually(retweeters, (body) => body.retweeters?.length === 0);
});

void test('a follow begins and ends; a like changes nothing here', async () => {
  await network.create(alice, 'app.bsky.feed.like', { subject: early });
  const follow = await network.create(alice, 'app.bsky.graph.follow', { subject: bob.did });
  const followings = () =>
    get<{ following?: { username: string }[] }>('/social/user/followings', { user_id: userId(alice.did) });
  await eventually(followings, (body) => body.following?.[0]?.username === 'bob.test');
  await network.delete(alice, follow);
  await eventually(followings, (body) => body.following?.length === 0);
});

void test('an edited post has its new text', async () => {
  const reference = await network.create(alice, post, { text: 'tea with a tpyo' });
  await found('tpyo', ({ length }) => length === 1);
  const rkey = reference.uri.split('/').at(-1) ?? '';
  const createdAt = new Date().toISOString();
  await network.put(alice, post, rkey, { text: 'tea without a mistake', createdAt });
  const [tweet] = await found('"without a mistake"', ({ length }) => length === 1);
  assert.equal(tweet?.id, idOf(reference.uri));
  assert.deepEqual(await search('tpyo'), []);
});

void test('a deleted post is gone everywhere, and /ws says so', async () => {
  const reference = await network.create(alice, post, { text: 'tea that I regret' });
  await created('tea that I regret');
  await network.delete(alice, reference);
  await events.first(
    'event',
    ({ event, data }) => event === 'tweet.deleted' && JSON.stringify(data).includes(idOf(reference.uri)),
  );
  assert.deepEqual(await search('regret'), []);
  const { status } = await get('/social/tweet/replies', { tweet_id: idOf(reference.uri) });
  assert.equal(status, 404);
});

void test('a new handle is the new username', async () => {
  await network.rename(alice, 'alice-b.test');
  await found('from:alice-b.test', ({ length }) => length > 0);
  assert.deepEqual(await search('from:alice.test'), []);
});

void test('a deactivated account disappears, and comes back when it is active', async () => {
  await network.setActive(alice, false);
  await found('tea', ({ length }) => length === 0);
  await network.setActive(alice, true);
  await found('tea', (tweets) => tweets.some(({ text }) => text === 'tea, always'));
});

void test('a post of an account that nobody follows is fetched by its address, with the replies to it', async () => {
  const carol = await network.account('carol.test');
  const parent = await network.create(carol, post, { text: 'who reads this?' });
  const reply = await network.create(bob, post, { text: 'I do', reply: { root: parent, parent } });
  // What is fetched too early is not fetched again at once.
  await eventually(
    async () => network.world.find(reply.uri),
    (record) => record !== undefined,
  );
  const address = `https://bsky.app/profile/carol.test/post/${parent.uri.split('/').at(-1)}`;
  const { replies } = await get<{ replies: Tweet[] }>('/social/tweet/replies', { tweet_id: address });
  assert.deepEqual(
    replies.map(({ text }) => text),
    ['I do'],
  );
  const lastTweets = await get<{ tweets: Tweet[] }>('/social/user/last_tweets', { username: 'carol.test' });
  assert.deepEqual(
    lastTweets.tweets.map(({ id, text }) => [id, text]),
    [[idOf(parent.uri), 'who reads this?']],
  );
});

void test('a deleted account is gone from every answer', async () => {
  assert.ok((await search('tea')).length > 0);
  await network.deleteAccount(alice);
  await found('tea', ({ length }) => length === 0);
  const { status } = await get('/social/user/last_tweets', { user_id: userId(alice.did) });
  assert.equal(status, 404);
  const { status: ofPost } = await get('/social/tweet/replies', { tweet_id: idOf(early.uri) });
  assert.equal(ofPost, 404);
});
