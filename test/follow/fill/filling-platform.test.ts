// Not in `npm run test:fast`: it asks a server for some hundred pages.
// Tests server/follow/bluesky/fill.ts and server/follow/bluesky/request-budget.ts.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PageRequest } from '../../../server/contract/page.ts';
import { idOf, userId } from '../../support/bluesky/world.ts';
import { options } from '../../support/call-options.ts';
import { FillWorld, walk } from './world.ts';

let filled: FillWorld;
let alice: string;
beforeEach(async () => {
  filled = await FillWorld.start();
  alice = filled.world.account('alice.test', 'Alice');
});
afterEach(async () => {
  expect(filled.appView.faults).toEqual([]);
  await filled.close();
});

const first: PageRequest = { after: undefined, limit: 20 };
const name = { username: 'alice.test' };
const lastTweets = (page: PageRequest = first, keyId = 'one') =>
  filled.platform.lastTweets(name, true, page, { ...options, keyId });
const followings = (page: PageRequest = first) => filled.platform.followings(name, page, options);
const fails = (status: number) => ({ status, body: '{}' });

describe('an unknown user', () => {
  test('is fetched once, with the newest tweets, and answered from the archive', async () => {
    const uris = filled.posts(alice, 3);
    const { items, next } = await lastTweets();
    expect(items.map(({ id }) => id)).toEqual(uris.map(idOf));
    expect(items[0]?.author).toMatchObject({ username: 'alice.test', name: 'Alice' });
    expect(next).toBeNull();
    await lastTweets();
    await filled.platform.user(name, options);
    expect(filled.asked).toEqual(['getProfiles', 'getAuthorFeed']);
    expect((await filled.archive.held.identity(name))?.id).toBe(userId(alice));
    expect(filled.outcomes).toEqual(['filled', 'filled']);
  });

  test('with highlights, mentions or a look-up is fetched too; communities are not supported', async () => {
    await filled.platform.highlights({ username: '@Alice.test' }, first, options);
    const span = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
    expect((await filled.platform.mentions(name, span, first, options)).items).toEqual([]);
    await expect(filled.platform.communitiesOf('alice.test', first, options)).rejects.toMatchObject({ status: 501 });
    expect(filled.asked).toEqual(['getProfiles']);
  });

  test('with the profile is fetched too', async () => {
    const { user } = await filled.platform.userInfo(name, options);
    expect(user).toMatchObject({ id: userId(alice), username: 'alice.test', name: 'Alice' });
    expect(filled.asked).toEqual(['getProfiles']);
  });

  test('that only a mention names is fetched', async () => {
    await filled.add({
      kind: 'tweet',
      tweet: {
        ...{ id: '5', text: 'hello @alice.test', created_at: '2026-01-01T00:00:00.000Z', author_id: '4' },
        entities: { hashtags: [], cashtags: [], urls: [], mentions: [{ username: 'alice.test' }] },
      },
    });
    expect(await filled.archive.held.identity(name)).toBeDefined();
    filled.posts(alice, 1);
    expect((await lastTweets()).items).toHaveLength(1);
  });

  test('that the platform does not have costs one request a minute', async () => {
    const ask = () => filled.platform.lastTweets({ username: 'nobody.test' }, true, first, options);
    for (let count = 0; count < 3; count++) await expect(ask()).rejects.toMatchObject({ status: 404 });
    expect(filled.asked).toEqual(['getProfiles']);
    filled.clock.set(filled.clock.now() + 60_001);
    await expect(ask()).rejects.toMatchObject({ status: 404 });
    expect(filled.asked).toEqual(['getProfiles', 'getProfiles']);
  });

  test('that cannot be of Bluesky is not asked for', async () => {
    for (const ref of [{ username: 'mira_codes' }, { user_id: '4200000001' }])
      await expect(filled.platform.lastTweets(ref, true, first, options)).rejects.toMatchObject({ status: 404 });
    await filled.add({ kind: 'user', user: { id: '7', username: 'mira_codes', name: 'Mira' } });
    expect(await filled.platform.followings({ username: 'mira_codes' }, first, options)).toEqual({
      items: [],
      next: null,
    });
    expect(filled.asked).toEqual([]);
  });

  test('that several requests ask for is fetched once', async () => {
    filled.posts(alice, 2);
    const gate = Promise.withResolvers<void>();
    filled.appView.gate = gate.promise;
    const pages = Array.from({ length: 5 }, () => lastTweets());
    gate.resolve();
    for (const page of await Promise.all(pages)) expect(page.items).toHaveLength(2);
    expect(filled.asked).toEqual(['getProfiles', 'getAuthorFeed']);
  });

  test('that asks to be shown to signed-in people only, or is withheld, stays unknown', async () => {
    filled.world.setSignedInOnly(alice, true);
    const bob = filled.world.account('bob.test', 'Bob');
    filled.world.get(bob).labels.push('!takedown');
    await expect(lastTweets()).rejects.toMatchObject({ status: 404 });
    await expect(filled.platform.user({ username: 'bob.test' }, options)).rejects.toMatchObject({ status: 404 });
    expect(filled.archive.content.profiles).toBe(0);
  });

  test('that was withdrawn or erased here is not fetched again, nor is a tweet that was deleted', async () => {
    const [uri = ''] = filled.posts(alice, 2);
    await lastTweets();
    await filled.add({ kind: 'withdraw', user_id: userId(alice), at: new Date(filled.clock.now()).toISOString() });
    const bob = filled.world.account('bob.test', 'Bob');
    const reply = filled.world.post(bob, 'reply', { replyTo: uri });
    filled.clock.set(filled.clock.now() + 120_000);
    await expect(lastTweets()).rejects.toMatchObject({ status: 404 });
    await expect(followings()).rejects.toMatchObject({ status: 404 });
    await filled.platform.lastTweets({ username: 'bob.test' }, true, first, options);
    expect(filled.archive.content.has(idOf(reply))).toBe(true);
    await expect(filled.platform.tweet(idOf(uri), options)).rejects.toMatchObject({ status: 404 });
    expect(filled.archive.content.profile(userId(alice))).toBeUndefined();
  });
});

describe('the thread of a tweet', () => {
  const around = { thread: 100, replies: 0, quotes: 0, authored: 0, continuation: 0 };
  test.each<[string, (leaf: string) => Promise<readonly { readonly id: string }[]>]>([
    ['thread', (leaf) => filled.platform.thread(leaf, 100, options)],
    ['conversation', async (leaf) => (await filled.platform.conversation(leaf, around, options)).thread],
  ])('%s: has the ancestors that the archive did not have, three for each request', async (_, read) => {
    const bob = filled.world.account('bob.test', 'Bob');
    const uris = [filled.world.post(alice, 'root')];
    for (let index = 0; index < 5; index++) {
      filled.clock.set(filled.clock.now() + 1000);
      uris.push(filled.world.post(index === 4 ? bob : alice, `reply ${index}`, { replyTo: uris.at(-1) ?? '' }));
    }
    const ids = uris.map(idOf);
    const leaf = ids.at(-1) ?? '';
    await filled.platform.lastTweets({ username: 'bob.test' }, true, first, options);
    const thread = async () => (await read(leaf)).map(({ id }) => id);
    const held = ids.filter((id) => filled.archive.content.has(id)).length;
    expect(await thread()).toEqual(ids.slice(6 - held - 3, 5));
    expect(await thread()).toEqual(ids.slice(0, 5));
  });

  test('ends at an ancestor that cannot be fetched', async () => {
    const [root = ''] = filled.posts(alice, 1);
    const parent = filled.world.post(alice, 'reply', { replyTo: root });
    const bob = filled.world.account('bob.test', 'Bob');
    const leaf = filled.world.post(bob, 'reply', { replyTo: parent });
    await filled.platform.lastTweets({ username: 'bob.test' }, true, first, options);
    filled.appView.next.push(...Array.from({ length: 9 }, () => fails(500)));
    const revision = filled.platform.revision();
    const above = await filled.platform.thread(idOf(leaf), 100, options);
    // The timeline of the reply brings what it replies to.
    expect(above.map(({ id }) => id)).toEqual([idOf(parent)]);
    // The next request may get more.
    expect(filled.platform.revision()).not.toBe(revision);
  });
});

test('a request for several users or tweets fetches nothing, and changes no revision', async () => {
  const uris = filled.posts(alice, 2);
  const [repository = '', , rkey = ''] = uris[0]!.slice('at://'.length).split('/');
  const ids = () => filled.platform.tweets([{ repository, rkey }, idOf(uris[1]!)], options);
  expect(await filled.platform.users([name, { user_id: userId(alice) }], options)).toEqual([undefined, undefined]);
  expect(await ids()).toEqual([undefined, undefined]);
  expect(filled.asked).toEqual([]);
  await lastTweets();
  filled.clock.set(filled.clock.now() + 3_600_000);
  const [asked, revision] = [filled.asked.length, filled.platform.revision()];
  expect((await ids()).map((tweet) => tweet?.id)).toEqual(uris.map(idOf));
  expect((await filled.platform.users([name], options)).map((user) => user?.id)).toEqual([userId(alice)]);
  expect([filled.asked.length, filled.platform.revision()]).toEqual([asked, revision]);
});

describe('a list that is longer than a fetch', () => {
  test('has 250 tweets once and in order in pages of 20', async () => {
    const uris = filled.posts(alice, 250);
    const { ids, sizes } = await walk((page) => lastTweets(page), 20);
    expect(ids).toEqual(uris.map(idOf));
    expect(sizes.slice(0, -1).every((size) => size === 20)).toBe(true);
    expect(filled.asked.filter((method) => method === 'getAuthorFeed')).toHaveLength(3);
  });

  test('has 250 tweets once also where held tweets are older than what was fetched', async () => {
    const uris = filled.posts(alice, 250);
    // Quotes of old posts bring the posts before the timeline is fetched.
    const bob = filled.world.account('bob.test', 'Bob');
    for (const uri of uris.slice(-25)) filled.world.post(bob, 'look', { quotes: uri });
    await filled.platform.lastTweets({ username: 'bob.test' }, true, first, options);
    expect(filled.archive.content.has(idOf(uris.at(-1) ?? ''))).toBe(true);
    const { ids } = await walk((page) => lastTweets(page), 20);
    expect(ids).toEqual(uris.map(idOf));
  });

  test('has all tweets once where all have the same time', async () => {
    const uris = Array.from({ length: 250 }, (_, index) => filled.world.post(alice, `post ${index}`));
    const { ids } = await walk((page) => lastTweets(page), 20);
    expect(new Set(ids)).toEqual(new Set(uris.map(idOf)));
    expect(ids).toHaveLength(250);
  });

  test('has all tweets once without the replies, which a fetch brings too', async () => {
    const bob = filled.world.account('bob.test', 'Bob');
    const parent = filled.world.post(bob, 'parent');
    const own: string[] = [];
    for (let index = 0; index < 240; index++) {
      filled.clock.set(filled.clock.now() + 1000);
      if (index % 80 === 0) own.unshift(filled.world.post(alice, 'post'));
      else filled.world.post(alice, 'reply', { replyTo: parent });
    }
    const { ids } = await walk((page) => filled.platform.lastTweets(name, false, page, options), 20);
    expect(ids).toEqual(own.map(idOf));
  });

  test('continues after a restart where it was', async () => {
    const uris = filled.posts(alice, 150);
    const page = await lastTweets({ after: undefined, limit: 99 });
    expect(page.items).toHaveLength(99);
    await filled.restart();
    const rest = await walk(
      (request) => lastTweets({ ...request, after: request.after ?? page.next ?? undefined }),
      60,
    );
    expect([...page.items.map(({ id }) => id), ...rest.ids]).toEqual(uris.map(idOf));
    expect(filled.asked).toEqual(['getProfiles', 'getAuthorFeed', 'getAuthorFeed']);
    expect(filled.appView.requests.at(-1)?.parameters.get('cursor')).toBe('100');
    await filled.restart();
    expect((await walk((request) => lastTweets(request), 100)).ids).toHaveLength(150);
    expect(filled.asked).toHaveLength(3);
  });

  test('is fetched again after the archive evicted the oldest fetched tweet, but not after its deletion', async () => {
    const uris = filled.posts(alice, 5);
    const oldest = idOf(uris.at(-1) ?? '');
    await lastTweets();
    await filled.add({ kind: 'delete', tweet_id: oldest }, { kind: 'delete', tweet_id: idOf(uris[0] ?? '') });
    expect((await lastTweets()).items).toHaveLength(3);
    expect(filled.asked).toEqual(['getProfiles', 'getAuthorFeed']);
    // An eviction leaves no tombstone. What was deleted does not come back.
    await filled.add({ kind: 'restore', tweet_id: oldest });
    expect((await walk((page) => lastTweets(page), 20)).ids).toEqual(uris.slice(1).map(idOf));
    expect(filled.asked).toEqual(['getProfiles', 'getAuthorFeed', 'getAuthorFeed']);
  });

  test('has what was published since, ten minutes after it was fetched', async () => {
    const old = filled.posts(alice, 150);
    const before = await walk((page) => lastTweets(page), 50);
    expect(before.ids).toEqual(old.map(idOf));
    const revision = filled.platform.revision();
    filled.clock.set(filled.clock.now() + 600_000);
    expect(filled.platform.revision()).not.toBe(revision);
    const asked = filled.asked.length;
    const young = filled.posts(alice, 30);
    const after = await walk((page) => lastTweets(page), 50);
    expect(after.ids).toEqual([...young, ...old].map(idOf));
    // The new part continues the old one, so nothing else is fetched; nor is it within the next minutes.
    expect(filled.asked.slice(asked)).toEqual(['getProfiles', 'getAuthorFeed']);
    await lastTweets();
    expect(filled.asked).toHaveLength(asked + 2);
  });

  test('has no gap where more was published since than a fetch brings', async () => {
    const old = filled.posts(alice, 150);
    await walk((page) => lastTweets(page), 50);
    filled.clock.set(filled.clock.now() + 600_000);
    const young = filled.posts(alice, 220);
    expect((await walk((page) => lastTweets(page), 50)).ids).toEqual([...young, ...old].map(idOf));
  });

  test('of a followed account is not fetched again, and a failure to do so is no error', async () => {
    filled.posts(alice, 3);
    await lastTweets();
    filled.clock.set(filled.clock.now() + 600_000);
    filled.followed.add(alice);
    await lastTweets();
    expect(filled.asked).toEqual(['getProfiles', 'getAuthorFeed']);
    filled.followed.clear();
    filled.appView.next.push(fails(500), fails(500));
    expect((await lastTweets()).items).toHaveLength(3);
    expect(filled.asked).toEqual(['getProfiles', 'getAuthorFeed', 'getProfiles', 'getAuthorFeed']);
  });

  test('of the followings of a followed account is not fetched', async () => {
    await filled.platform.user(name, options);
    filled.followed.add(alice);
    filled.world.follow(alice, filled.world.account('bob.test', 'Bob'));
    expect(await followings()).toEqual({ items: [], next: null });
    expect(filled.asked).toEqual(['getProfiles']);
    filled.followed.clear();
    expect((await followings()).items).toHaveLength(1);
  });

  test('of followings and retweeters has the order of the platform', async () => {
    const post = filled.world.post(alice, 'post');
    const others = Array.from({ length: 230 }, (_, index) => filled.world.account(`a${index}.test`, `A${index}`));
    for (const other of others) {
      filled.clock.set(filled.clock.now() + 1000);
      filled.world.follow(alice, other);
      filled.world.repost(other, post);
    }
    const expected = others.toReversed().map(userId);
    expect((await walk((page) => followings(page), 20)).ids).toEqual(expected);
    await lastTweets();
    const retweeters = await walk((page) => filled.platform.retweeters(idOf(post), page, options), 70);
    expect(retweeters.ids).toEqual(expected);
    expect(filled.asked.filter((method) => method === 'getFollows')).toHaveLength(3);
    expect(filled.asked.filter((method) => method === 'getRepostedBy')).toHaveLength(3);
    // The next reading asks nobody.
    const before = filled.asked.length;
    expect((await walk((page) => followings(page), 100)).ids).toEqual(expected);
    expect(filled.asked).toHaveLength(before);
  });

  test('of replies is complete, newest first', async () => {
    const post = filled.world.post(alice, 'post');
    const bob = filled.world.account('bob.test', 'Bob');
    const replies: string[] = [];
    for (let index = 0; index < 230; index++) {
      filled.clock.set(filled.clock.now() + 1000);
      replies.unshift(filled.world.post(bob, `reply ${index}`, { replyTo: post }));
    }
    await lastTweets();
    const { ids } = await walk((page) => filled.platform.replies(idOf(post), page, options), 20);
    expect(ids).toEqual(replies.map(idOf));
    expect(filled.asked.filter((method) => method === 'getPostThread')).toHaveLength(3);
  });
});

test('an unknown tweet is fetched where a held reply answers it', async () => {
  const bob = filled.world.account('bob.test', 'Bob');
  const parent = filled.world.post(alice, 'parent');
  const reply = filled.world.post(bob, 'reply', { replyTo: parent });
  await filled.add({
    kind: 'tweet',
    tweet: {
      ...{ id: idOf(reply), uri: reply, text: 'reply', created_at: '2026-01-01T00:00:00.000Z' },
      ...{ author_id: userId(bob), in_reply_to_id: idOf(parent) },
    },
  });
  const { items } = await filled.platform.replies(idOf(parent), first, options);
  expect(items.map(({ id }) => id)).toEqual([idOf(reply)]);
  expect(await filled.platform.tweet(idOf(parent), options)).toMatchObject({ text: 'parent' });
  await expect(filled.platform.replies('77', first, options)).rejects.toMatchObject({ status: 404 });
  expect(filled.asked).toEqual(['getPostThread', 'getPostThread']);
});

describe('a caller', () => {
  test('may cause 30 fetches a minute; another caller has its own', async () => {
    const ask = (index: number, keyId: string) =>
      filled.platform.user({ username: `nobody${index}.test` }, { ...options, keyId });
    for (let index = 0; index < 30; index++) await expect(ask(index, 'one')).rejects.toMatchObject({ status: 404 });
    await expect(ask(30, 'one')).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '2' } });
    // What is known costs nothing.
    await expect(ask(0, 'one')).rejects.toMatchObject({ status: 404 });
    await expect(ask(31, 'two')).rejects.toMatchObject({ status: 404 });
    filled.clock.set(filled.clock.now() + 2000);
    await expect(ask(30, 'one')).rejects.toMatchObject({ status: 404 });
    expect(filled.outcomes.filter((outcome) => outcome === 'limited')).toHaveLength(1);
    expect(filled.asked).toHaveLength(32);
  });

  test('that leaves gets the reason of its signal, and the fetch goes on', async () => {
    filled.posts(alice, 1);
    const gate = Promise.withResolvers<void>();
    filled.appView.gate = gate.promise;
    const caller = new AbortController();
    const left = filled.platform.user(name, { signal: caller.signal });
    const other = filled.platform.user(name, options);
    caller.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    gate.resolve();
    expect(await other).toMatchObject({ username: 'alice.test' });
  });
});

describe('while the platform fails', () => {
  test('an unknown user gets 502, or 503 while it asks to wait; the message has no text of the platform', async () => {
    filled.appView.next.push(fails(500), { status: 429, headers: { 'retry-after': '7' }, body: '{}' });
    await expect(lastTweets()).rejects.toMatchObject({ status: 502, message: 'Bluesky cannot be read now' });
    await expect(lastTweets()).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '7' } });
    expect(filled.outcomes).toEqual(['failed', 'failed']);
    expect(filled.logged).toHaveLength(1);
  });

  test('an unknown user gets 504 after 3 s', async () => {
    filled.appView.next.push({ ...fails(200), hang: true });
    const answer = lastTweets().catch((error: unknown) => error);
    await filled.clock.passWhenAwaited(3_000);
    expect(await answer).toMatchObject({ status: 504, message: 'Bluesky did not answer in 3 s' });
    expect(filled.outcomes).toEqual(['timeout']);
  });

  test('the end of what is held is not the end of the list', async () => {
    const uris = filled.posts(alice, 150);
    await lastTweets();
    const before = filled.platform.revision();
    filled.appView.next.push(fails(500), fails(500), fails(500));
    const { items, next } = await lastTweets({ after: undefined, limit: 100 });
    expect(items.map(({ id }) => id)).toEqual(uris.slice(0, 99).map(idOf));
    expect(next).not.toBeNull();
    // Nobody may keep this page: the next one can be whole.
    expect(filled.platform.revision()).not.toBe(before);
    const behind = { after: next ?? undefined, limit: 100 };
    await expect(lastTweets(behind)).rejects.toMatchObject({ status: 502 });
    filled.appView.next.length = 0;
    const rest = await lastTweets(behind);
    expect(rest.items.map(({ id }) => id)).toEqual(uris.slice(99).map(idOf));
    expect(rest.next).toBeNull();
  });

  test('a held tweet of a list that was never fetched is answered', async () => {
    const [uri = ''] = filled.posts(alice, 1);
    const bob = filled.world.account('bob.test', 'Bob');
    filled.world.post(bob, 'look', { quotes: uri });
    await filled.platform.lastTweets({ username: 'bob.test' }, true, first, options);
    filled.appView.next.push(fails(500));
    const { items, next } = await lastTweets();
    expect(items.map(({ id }) => id)).toEqual([idOf(uri)]);
    expect(next).not.toBeNull();
  });
});

test('a fetch that brings no record changes the revision where it completes a list', async () => {
  await filled.platform.user(name, options);
  const { commit } = filled.archive.content;
  const before = filled.platform.revision();
  expect(await followings()).toEqual({ items: [], next: null });
  expect(filled.archive.content.commit).toBe(commit + 1);
  expect(filled.platform.revision()).not.toBe(before);
});

test('an archive that cannot be written gives 503, and the next request fetches again', async () => {
  filled.posts(alice, 2);
  filled.isDiskFull = true;
  await expect(lastTweets()).rejects.toMatchObject({ status: 503, message: 'the archive cannot be written now' });
  filled.isDiskFull = false;
  expect((await lastTweets()).items).toHaveLength(2);
  expect(filled.outcomes).toEqual(['unwritten', 'filled', 'filled']);
});

describe('a post that nothing names', () => {
  const addressOf = (uri: string) => ({ repository: uri.split('/')[2] ?? '', rkey: uri.split('/')[4] ?? '' });

  test('is fetched once by its address, with its author and the quoted post, and found by its id then', async () => {
    const [quoted = ''] = filled.posts(alice, 1);
    const bob = filled.world.account('bob.test', 'Bob');
    const uri = filled.world.post(bob, 'a quote', { quotes: quoted });
    const { rkey } = addressOf(uri);
    await expect(filled.platform.tweet(idOf(uri), options)).rejects.toMatchObject({ status: 404 });
    expect(filled.asked).toEqual([]);
    expect(await filled.platform.tweetIdAt({ repository: 'bob.test', rkey }, options)).toBe(idOf(uri));
    expect(filled.asked).toEqual(['resolveHandle', 'getPosts']);
    expect(await filled.platform.tweetIdAt(addressOf(uri), options)).toBe(idOf(uri));
    expect(await filled.platform.tweet(idOf(uri), options)).toMatchObject({
      author: { username: 'bob.test' },
      quoted_tweet: { id: idOf(quoted) },
    });
    expect(filled.asked).toHaveLength(2);
  });

  test('is 404 where the platform does not have it, and where it was removed here', async () => {
    const uri = filled.world.post(alice, 'hello');
    await filled.platform.tweetIdAt(addressOf(uri), options);
    await filled.add({ kind: 'delete', tweet_id: idOf(uri), at: new Date(filled.clock.now()).toISOString() });
    filled.clock.set(filled.clock.now() + 3_600_000);
    const gone = [addressOf(uri), { repository: alice, rkey: '3l6oveex3ii2l' }, { repository: 'x.test', rkey: 'a' }];
    for (const address of gone)
      await expect(filled.platform.tweetIdAt(address, options)).rejects.toMatchObject({ status: 404 });
    expect(filled.asked).toEqual(['getPosts', 'getPosts', 'resolveHandle']);
  });
});

describe('what was fetched long ago', () => {
  const later = (): void => filled.clock.set(filled.clock.now() + 3_600_000);

  test('is read again when it is asked for, at most every ten minutes', async () => {
    const [uri = ''] = filled.posts(alice, 1);
    await lastTweets();
    filled.world.likes.set(uri, 7);
    expect((await filled.platform.tweet(idOf(uri), options)).like_count).toBe(0);
    later();
    filled.world.silently(() => filled.world.put(alice, 'app.bsky.actor.profile', { displayName: 'Al' }, 'self'));
    const asked = filled.asked.length;
    for (let count = 0; count < 3; count++)
      expect((await filled.platform.tweet(idOf(uri), options)).like_count).toBe(7);
    await filled.platform.user(name, options);
    await filled.platform.user(name, options);
    expect((await filled.platform.tweet(idOf(uri), options)).author.name).toBe('Al');
    expect(filled.asked.slice(asked)).toEqual(['getPosts', 'getProfiles']);
  });

  test('is removed when the platform does not have it any more', async () => {
    const [first = '', second = ''] = filled.posts(alice, 2);
    await lastTweets();
    later();
    filled.world.delete(first);
    await expect(filled.platform.tweet(idOf(first), options)).rejects.toMatchObject({ status: 404 });
    expect((await filled.platform.tweet(idOf(second), options)).id).toBe(idOf(second));
    filled.world.setActive(alice, false, 'deleted');
    later();
    await expect(filled.platform.user(name, options)).rejects.toMatchObject({ status: 404 });
    await expect(filled.platform.tweet(idOf(second), options)).rejects.toMatchObject({ status: 404 });
    expect(filled.archive.content.isWithdrawn(userId(alice))).toBe(true);
  });

  test('is answered as it is while the platform fails, and where a follower keeps it current', async () => {
    const [uri = ''] = filled.posts(alice, 1);
    await lastTweets();
    later();
    filled.appView.next.push(fails(500), fails(500));
    expect((await filled.platform.tweet(idOf(uri), options)).id).toBe(idOf(uri));
    expect((await filled.platform.user(name, options)).id).toBe(userId(alice));
    filled.appView.next.length = 0;
    filled.followed.add(alice);
    const asked = filled.asked.length;
    await filled.platform.tweet(idOf(uri), options);
    await filled.platform.user(name, options);
    expect(filled.asked).toHaveLength(asked);
  });
});
