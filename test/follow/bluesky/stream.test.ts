// Tests server/follow/bluesky/delivery.ts, server/follow/bluesky/filter.ts, server/follow/bluesky/hydrator.ts,
// server/follow/bluesky/jetstream.ts and server/follow/bluesky/known-records.ts.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { Harness } from '../../support/bluesky/harness.ts';
import { idOf, userId } from '../../support/bluesky/world.ts';

let harness: Harness;
let alice: string;
let bob: string;

beforeEach(async () => {
  ({ harness, alice, bob } = await Harness.startWithAccounts());
});
afterEach(() => harness.close());

const followAlice = () => harness.follow({ targets: [harness.accounts(alice)] });
const tweetAt = (uri: string): ArchivedTweet | undefined => harness.tweet(idOf(uri));

describe('posts', () => {
  test('a post arrives with its author in one batch, with a position at its time', async () => {
    const stream = await followAlice();
    const uri = harness.world.post(alice, 'Good morning #coffee');
    const batch = await stream.next();
    const [event] = harness.world.events.slice(-1);
    expect(batch?.records.map(({ kind }) => kind)).toEqual(['tweet', 'user']);
    expect(batch?.position).toBe(String(event?.time_us));
    expect(batch?.events).toEqual({ post: 1 });
    expect(tweetAt(uri)).toMatchObject({ uri, text: 'Good morning #coffee', author_id: userId(alice), lang: 'en' });
    expect(harness.archive.profile(userId(alice))).toMatchObject({
      username: 'alice.test',
      name: 'Alice',
      did: alice,
    });
    expect(harness.observer.hosts).toEqual([harness.jetstream.host]);
  });

  test('answered and quoted posts of others come with their authors, one level deep', async () => {
    const first = harness.world.post(bob, 'first');
    const parent = harness.world.post(bob, 'parent', { replyTo: first });
    const quoted = harness.world.post(bob, 'quoted');
    const stream = await followAlice();
    const reply = harness.world.post(alice, 'reply', { replyTo: parent });
    const quote = harness.world.post(alice, 'quote', { quotes: quoted });
    await stream.until(() => tweetAt(quoted) !== undefined && tweetAt(parent) !== undefined);
    expect(tweetAt(reply)).toMatchObject({ in_reply_to_id: idOf(parent), conversation_id: idOf(first) });
    expect(tweetAt(quote)).toMatchObject({ quoted_tweet_id: idOf(quoted) });
    expect(tweetAt(parent)).toMatchObject({ text: 'parent', author_id: userId(bob), reply_count: 1 });
    expect(tweetAt(first)).toBeUndefined();
    expect(harness.archive.profile(userId(bob))?.username).toBe('bob.test');
    expect(harness.appView.count('getPosts')).toBe(1);
  });

  test('a repost becomes a native retweet with the text of the original; its deletion names only the record', async () => {
    const original = harness.world.post(bob, 'worth reading', { tags: ['news'] });
    const stream = await followAlice();
    const repost = harness.world.repost(alice, original);
    await stream.until(() => tweetAt(repost) !== undefined);
    expect(tweetAt(repost)).toMatchObject({
      text: 'worth reading',
      author_id: userId(alice),
      retweeted_tweet_id: idOf(original),
      entities: { hashtags: ['news'] },
    });
    expect(harness.archive.retweeters(idOf(original))).toContain(userId(alice));
    harness.world.delete(repost);
    await stream.until(() => tweetAt(repost) === undefined);
    expect(harness.archive.retweeters(idOf(original))).not.toContain(userId(alice));
    expect(tweetAt(original)).toBeDefined();
  });

  test('the deletion of a repost ends the retweeter that a fetch brought later', async () => {
    const original = harness.world.post(bob, 'worth reading');
    const stream = await followAlice();
    const repost = harness.world.repost(alice, original);
    await stream.until(() => tweetAt(repost) !== undefined);
    harness.clock.set(harness.clock.now() + 60_000);
    const created_at = new Date(harness.clock.now() - 10_000).toISOString();
    const retweet = { tweet_id: idOf(original), user_id: userId(alice), created_at };
    await harness.apply({ records: [{ kind: 'retweet', ...retweet }] });
    harness.world.delete(repost);
    await stream.until(() => tweetAt(repost) === undefined);
    expect(harness.archive.retweeters(idOf(original))).not.toContain(userId(alice));
  });

  test('a repost of a post that does not exist is counted', async () => {
    const stream = await followAlice();
    harness.world.repost(alice, `at://${bob}/app.bsky.feed.post/3lbyeqkxpfk2m`);
    harness.world.post(alice, 'later');
    await stream.until(() => stream.position === String(harness.world.events.at(-1)?.time_us));
    expect(harness.observer.rejections).toEqual(['original missing']);
    expect(harness.archive.tweets).toBe(1);
  });

  test('an edit replaces the text and removed media', async () => {
    const stream = await followAlice();
    const image = { $type: 'blob', ref: { $link: 'bafkreieajxclqzwk2mczx7hx' }, mimeType: 'image/jpeg', size: 1 };
    const embed = { $type: 'app.bsky.embed.images', images: [{ image, alt: '' }] };
    const uri = harness.world.post(alice, 'tpyo', { rkey: '3lbyeqkxpfk2m', embed });
    await stream.until(() => tweetAt(uri) !== undefined);
    expect(tweetAt(uri)?.media).toHaveLength(1);
    harness.clock.set(harness.clock.now() + 5000);
    harness.world.post(alice, 'typo', { rkey: '3lbyeqkxpfk2m' });
    await stream.until(() => tweetAt(uri)?.text === 'typo');
    expect(tweetAt(uri)?.media).toEqual([]);
  });

  test('a deleted post is removed, and its repetition by the stream does not bring it back', async () => {
    const stream = await followAlice();
    const uri = harness.world.post(alice, 'regretted');
    await stream.until(() => tweetAt(uri) !== undefined);
    harness.world.delete(uri);
    await stream.until(() => tweetAt(uri) === undefined);
    expect(harness.archive.isRemoved(idOf(uri))).toBe(true);
    const first = String(harness.world.events[0]?.time_us);
    const again = await harness.follow({ targets: [harness.accounts(alice)], position: first });
    harness.world.post(alice, 'new');
    await again.until(() => harness.archive.tweets === 1);
    expect(tweetAt(uri)).toBeUndefined();
  });

  test('a post that is deleted while its quoted post is fetched does not come back', async () => {
    const original = harness.world.post(bob, 'original');
    const stream = await followAlice();
    const { promise, resolve } = Promise.withResolvers<void>();
    harness.appView.gate = promise;
    const repost = harness.world.repost(alice, original);
    harness.world.delete(repost);
    const next = stream.next();
    await harness.clock.pass(300);
    resolve();
    await next;
    await stream.until(() => tweetAt(original) !== undefined);
    expect(tweetAt(repost)).toBeUndefined();
  });

  test('a copied record key touches neither the first post nor its deletion', async () => {
    const stream = await harness.follow({ targets: [harness.accounts(alice, bob)] });
    const first = harness.world.post(alice, 'mine', { rkey: '3lbyeqkxpfk2m' });
    const copy = harness.world.post(bob, 'copied key', { rkey: '3lbyeqkxpfk2m' });
    await stream.until(() => harness.archive.tweets === 2);
    expect(tweetAt(first)).toMatchObject({ uri: first, text: 'mine' });
    harness.world.delete(copy);
    await stream.until(() => harness.archive.tweets === 1);
    expect(tweetAt(first)).toMatchObject({ uri: first, text: 'mine' });
    const again = harness.world.post(bob, 'once more', { rkey: '3lbyeqkxpfk2m' });
    expect(again).toBe(copy);
    harness.world.delete(first);
    await stream.until(() => tweetAt(first) === undefined);
    expect(harness.archive.tweets).toBe(0);
  });

  test('a detached quote stays a quote, without the quoted post', async () => {
    const stream = await harness.follow({ targets: [harness.accounts(alice, bob)] });
    const quoted = harness.world.post(bob, 'quoted');
    const quote = harness.world.post(alice, 'look at this', { quotes: quoted });
    await stream.until(() => tweetAt(quote) !== undefined && tweetAt(quoted) !== undefined);
    harness.clock.set(harness.clock.now() + 5000);
    harness.world.detach(quoted, quote);
    await stream.until(() => tweetAt(quote)?.quoted_tweet_id !== idOf(quoted));
    expect(harness.archive.has(tweetAt(quote)?.quoted_tweet_id ?? '')).toBe(false);
    // A later repetition of the post, or a history, does not attach it again.
    await harness.history(harness.accounts(alice));
    expect(tweetAt(quote)?.quoted_tweet_id).not.toBe(idOf(quoted));
  });
});

describe('accounts', () => {
  test('a profile that changes needs no request; a new handle does', async () => {
    const stream = await followAlice();
    harness.world.post(alice, 'hello');
    await stream.until(() => harness.archive.tweets === 1);
    const before = harness.appView.requests.length;
    harness.clock.set(harness.clock.now() + 5000);
    harness.world.put(alice, 'app.bsky.actor.profile', { displayName: 'Alice B', description: 'Tea' }, 'self');
    const profile = () => harness.archive.profile(userId(alice));
    await stream.until(() => profile()?.name === 'Alice B');
    expect(profile()).toMatchObject({ username: 'alice.test', description: 'Tea' });
    expect(harness.appView.requests).toHaveLength(before);
    harness.world.rename(alice, 'alice.example');
    await stream.until(() => profile()?.username === 'alice.example');
    expect(harness.appView.requests).toHaveLength(before + 1);
  });

  test('a handle that the AppView does not know yet is asked for again', async () => {
    const stream = await followAlice();
    harness.world.post(alice, 'hello');
    await stream.until(() => harness.archive.tweets === 1);
    harness.world.rename(alice, 'alice.example');
    harness.world.get(alice).handle = 'alice.test';
    const position = () => stream.position === String(harness.world.events.at(-1)?.time_us);
    const done = stream.until(position);
    while (harness.appView.count('getProfiles') < 2) await turn();
    expect(position()).toBe(false);
    harness.world.get(alice).handle = 'alice.example';
    await harness.clock.passWhenAwaited(3_000);
    await done;
    expect(harness.archive.profile(userId(alice))?.username).toBe('alice.example');
  });

  test('an account that is not active is withdrawn; when it is back, so is its history', async () => {
    const stream = await followAlice();
    const uri = harness.world.post(alice, 'hello');
    await stream.until(() => tweetAt(uri) !== undefined);
    harness.world.setActive(alice, false);
    await stream.until(() => harness.archive.isWithdrawn(userId(alice)));
    expect(tweetAt(uri)).toBeUndefined();
    harness.world.setActive(alice, true);
    await stream.until(() => tweetAt(uri) !== undefined);
    expect(harness.archive.isWithdrawn(userId(alice))).toBe(false);
    expect(harness.archive.profile(userId(alice))?.username).toBe('alice.test');
  });

  test('an account whose host has a problem stays', async () => {
    const stream = await followAlice();
    const uri = harness.world.post(alice, 'hello');
    await stream.until(() => tweetAt(uri) !== undefined);
    harness.world.setActive(alice, false, 'desynchronized');
    await harness.clock.pass(1000);
    await stream.until(() => stream.position === String(harness.world.events.at(-1)?.time_us));
    expect(tweetAt(uri)).toBeDefined();
  });

  test('an account that asks for signed-in readers is withdrawn, until it takes that back', async () => {
    const stream = await followAlice();
    const uri = harness.world.post(alice, 'hello');
    await stream.until(() => tweetAt(uri) !== undefined);
    harness.world.setSignedInOnly(alice, true);
    await stream.until(() => harness.archive.isWithdrawn(userId(alice)));
    harness.world.setSignedInOnly(alice, false);
    await stream.until(() => tweetAt(uri) !== undefined);
    expect(harness.archive.isWithdrawn(userId(alice))).toBe(false);
  });

  test('posts of others who ask for signed-in readers are not stored', async () => {
    harness.world.setSignedInOnly(bob, true);
    const parent = harness.world.post(bob, 'for members');
    const stream = await followAlice();
    harness.world.post(alice, 'reply', { replyTo: parent });
    const repost = harness.world.repost(alice, parent);
    harness.world.post(alice, 'end');
    await stream.until(() => stream.position === String(harness.world.events.at(-1)?.time_us));
    expect(tweetAt(parent)).toBeUndefined();
    expect(tweetAt(repost)).toBeUndefined();
    expect(harness.archive.tweets).toBe(2);
  });

  test('a follow brings the profile; its end is known from the record, or from the list after a restart', async () => {
    const carol = harness.world.account('carol.test', 'Carol');
    const stream = await followAlice();
    const toBob = harness.world.follow(alice, bob);
    const toCarol = harness.world.follow(alice, carol);
    const followings = () => harness.archive.followings(userId(alice));
    await stream.until(
      () => harness.archive.profile(userId(carol)) !== undefined && harness.archive.profile(userId(bob)) !== undefined,
    );
    expect(followings().toSorted()).toEqual([userId(bob), userId(carol)].toSorted());
    harness.clock.set(harness.clock.now() + 5000);
    harness.world.delete(toBob);
    await stream.until(() => !followings().includes(userId(bob)));
    expect(harness.appView.count('getFollows')).toBe(0);

    // Later than the part of the stream that a restart repeats.
    harness.clock.set(harness.clock.now() + 60_000);
    const last = harness.world.post(alice, 'a minute later');
    await stream.until(() => tweetAt(last) !== undefined);
    const { position = '' } = stream;
    await stream.stop();
    harness.newSource();
    // Later than the time in which the AppView may be behind.
    await harness.clock.pass(3_600_000);
    const again = await harness.follow({ targets: [harness.accounts(alice)], position });
    harness.world.delete(toCarol);
    const ended = again.until(() => !followings().includes(userId(carol)));
    await harness.clock.passWhenAwaited(5_000);
    await ended;
    expect(harness.appView.count('getFollows')).toBe(1);
    expect(followings()).toEqual([]);
  });
});
