// Tests server/follow/bluesky/api.ts.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SourceError } from '../../../server/ports/live-source.ts';
import { Harness } from '../../support/bluesky/harness.ts';
import { idOf, userId } from '../../support/bluesky/world.ts';

let harness: Harness;
let alice: string;
let bob: string;
const { signal } = new AbortController();

beforeEach(async () => {
  ({ harness, alice, bob } = await Harness.startWithAccounts());
});
afterEach(() => harness.close());

const tweetAt = (uri: string) => harness.tweet(idOf(uri));
const target = () => harness.accounts(alice);
/** Later than the time in which the AppView may be behind the stream. */
const later = () => harness.clock.set(harness.clock.now() + 3_600_000);

describe('a history', () => {
  test('brings the profile, the posts and reposts with what they refer to, and the follows', async () => {
    const parent = harness.world.post(bob, 'parent');
    const quoted = harness.world.post(bob, 'quoted');
    const reply = harness.world.post(alice, 'reply', { replyTo: parent });
    const quote = harness.world.post(alice, 'quote', { quotes: quoted });
    const repost = harness.world.repost(alice, parent);
    harness.world.follow(alice, bob);
    harness.world.likes.set(quote, 5);
    const batches = await harness.history(target());
    expect(batches.every(({ position }) => position === undefined)).toBe(true);
    expect(tweetAt(reply)).toMatchObject({ in_reply_to_id: idOf(parent) });
    expect(tweetAt(quote)).toMatchObject({ quoted_tweet_id: idOf(quoted), like_count: 5 });
    expect(tweetAt(repost)).toMatchObject({ retweeted_tweet_id: idOf(parent), text: 'parent' });
    expect(tweetAt(parent)?.author_id).toBe(userId(bob));
    expect(tweetAt(quoted)?.text).toBe('quoted');
    expect(harness.archive.profile(userId(alice))).toMatchObject({ tweet_count: 2, following_count: 1 });
    expect(harness.archive.followings(userId(alice))).toContain(userId(bob));
    // Everything came from the AppView, in few requests.
    expect(harness.appView.requests.map(({ method }) => method)).toEqual([
      'app.bsky.actor.getProfiles',
      'app.bsky.feed.getAuthorFeed',
      'app.bsky.graph.getFollows',
    ]);
  });

  test('brings the pinned post, however old, and the stream brings another one', async () => {
    const [old, other] = ['old', 'other'].map((text) => harness.world.post(alice, text)) as [string, string];
    for (let index = 0; index < 5; index++) harness.world.post(alice, `post ${index}`);
    const pin = (uri: string) =>
      harness.world.put(alice, 'app.bsky.actor.profile', { pinnedPost: harness.world.ref(uri) }, 'self');
    pin(old);
    await harness.history(target(), { limit: 3 });
    expect([tweetAt(old)?.text, tweetAt(other)]).toEqual(['old', undefined]);
    expect(harness.archive.profile(userId(alice))?.pinned_tweet_ids).toEqual([idOf(old)]);
    const stream = await harness.follow({ targets: [target()] });
    harness.clock.set(harness.clock.now() + 60_000);
    pin(other);
    await stream.until(() => tweetAt(other) !== undefined);
    expect(harness.archive.profile(userId(alice))?.pinned_tweet_ids).toEqual([idOf(other)]);
  });

  test('reads as many tweets as asked for, page by page, newest first', async () => {
    const uris = Array.from({ length: 250 }, (_, index) => harness.world.post(alice, `post ${index}`));
    const batches = await harness.history(target(), { limit: 120 });
    expect(harness.archive.tweets).toBe(120);
    expect(tweetAt(uris[130]!)).toBeDefined();
    expect(tweetAt(uris[129]!)).toBeUndefined();
    expect(batches.map(({ events }) => events?.post ?? 0)).toEqual([0, 100, 20]);
  });

  test('a second reading of the same changes nothing', async () => {
    harness.world.post(alice, 'hello', { quotes: harness.world.post(bob, 'quoted') });
    harness.world.follow(alice, bob);
    await harness.history(target());
    const { commit } = harness.archive;
    const again = await harness.history(target());
    expect(harness.archive.commit).toBe(commit);
    expect(again.flatMap(({ records }) => records).map(({ kind }) => kind)).toEqual(['user']);
  });

  test('a batch that nobody took comes again', async () => {
    const uri = harness.world.post(alice, 'hello');
    const request = { limit: 10, reconcile: false, signal };
    const reading = harness.source.history(target(), request)[Symbol.asyncIterator]();
    await reading.next();
    expect((await reading.next()).value).toMatchObject({ records: [{ tweet: { uri } }] });
    await reading.return?.();
    await harness.history(target());
    expect(tweetAt(uri)).toBeDefined();
  });

  test('an account that asks for signed-in readers is withdrawn, or read where the operator says so', async () => {
    const uri = harness.world.post(alice, 'hello');
    await harness.history(target());
    harness.world.setSignedInOnly(alice, true);
    await harness.history(target());
    expect(tweetAt(uri)).toBeUndefined();
    expect(harness.archive.isWithdrawn(userId(alice))).toBe(true);
    harness.world.setSignedInOnly(alice, false);
    await harness.history(target());
    expect(tweetAt(uri)).toBeDefined();

    const open = await Harness.start({ signedInOnly: true });
    const carol = open.world.account('carol.test', 'Carol');
    open.world.setSignedInOnly(carol, true);
    const post = open.world.post(carol, 'for members');
    await open.history(open.accounts(carol));
    expect(open.tweet(idOf(post))).toBeDefined();
    await open.close();
  });
});

describe('a reconciliation', () => {
  test('adds what is new and removes what is gone, also reposts and follows', async () => {
    const original = harness.world.post(bob, 'original');
    const kept = harness.world.post(alice, 'kept');
    const gone = harness.world.post(alice, 'gone');
    const repost = harness.world.repost(alice, original);
    const keptRepost = harness.world.repost(alice, kept);
    const follow = harness.world.follow(alice, bob);
    await harness.history(target());
    later();
    harness.newSource();
    for (const uri of [gone, repost, follow]) harness.world.delete(uri);
    const added = harness.world.post(alice, 'added');
    await harness.history(target(), { reconcile: true });
    expect(tweetAt(gone)).toBeUndefined();
    expect(harness.archive.isRemoved(idOf(gone))).toBe(true);
    expect(tweetAt(repost)).toBeUndefined();
    expect(tweetAt(original)).toBeDefined();
    for (const uri of [kept, keptRepost, added]) expect(tweetAt(uri)).toBeDefined();
    expect(harness.archive.followings(userId(alice))).not.toContain(userId(bob));
  });

  test('removes nothing outside the span that it read, and nothing of a moment ago', async () => {
    const old = harness.world.post(alice, 'old');
    for (let index = 0; index < 20; index++) {
      harness.clock.set(harness.clock.now() + 1000);
      harness.world.post(alice, `post ${index}`);
    }
    await harness.history(target());
    later();
    harness.newSource();
    harness.world.silently(() => harness.world.delete(old));
    await harness.history(target(), { reconcile: true, limit: 10 });
    expect(tweetAt(old)).toBeDefined();
    await harness.history(target(), { reconcile: true });
    expect(tweetAt(old)).toBeUndefined();

    // The stream brought it, and the AppView does not know it yet.
    const stream = await harness.follow({ targets: [target()] });
    const fresh = harness.world.post(alice, 'fresh');
    await stream.until(() => tweetAt(fresh) !== undefined);
    harness.appView.unindexed.add(fresh);
    await harness.history(target(), { reconcile: true });
    expect(tweetAt(fresh)).toBeDefined();
  });

  test('withdraws an account that the platform does not show any more', async () => {
    const uri = harness.world.post(alice, 'hello');
    await harness.history(target());
    harness.world.silently(() => harness.world.setActive(alice, false));
    await harness.history(target());
    expect(tweetAt(uri)).toBeDefined();
    await harness.history(target(), { reconcile: true });
    expect(harness.archive.isWithdrawn(userId(alice))).toBe(true);
  });

  test('what the stream deleted is not added by a history that was read before', async () => {
    const stream = await harness.follow({ targets: [target()] });
    const uri = harness.world.silently(() => harness.world.post(alice, 'short-lived'));
    const { promise, resolve } = Promise.withResolvers<void>();
    const iterator = harness.source.history(target(), { limit: 10, reconcile: false, signal })[Symbol.asyncIterator]();
    await iterator.next();
    // The AppView is behind: it still has the post.
    const record = harness.world.find(uri);
    harness.world.delete(uri);
    harness.world.get(alice).records.set(uri, record!);
    await stream.until(() => stream.position === String(harness.world.events.at(-1)?.time_us));
    resolve();
    await promise;
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next())
      await harness.apply(step.value);
    expect(tweetAt(uri)).toBeUndefined();
  });
});

describe('a refresh', () => {
  const refresh = async (...uris: string[]) => {
    const tweets = uris.map((uri) => tweetAt(uri)!);
    const records = await harness.source.refresh(tweets, signal);
    await harness.apply({ records });
    return records;
  };

  test('returns only what differs: counts, labels, and the quote', async () => {
    const quoted = harness.world.post(bob, 'quoted');
    const plain = harness.world.post(alice, 'plain');
    const quote = harness.world.post(alice, 'quote', { quotes: quoted });
    await harness.history(target());
    later();
    expect(await refresh(plain, quote)).toEqual([]);
    harness.world.likes.set(plain, 3);
    harness.world.labels.set(quote, ['porn']);
    harness.world.detached.add(quote);
    expect(await refresh(plain, quote)).toHaveLength(2);
    expect(tweetAt(plain)?.like_count).toBe(3);
    expect(tweetAt(quote)?.possibly_sensitive).toBe(true);
    expect(harness.archive.has(tweetAt(quote)?.quoted_tweet_id ?? '')).toBe(false);
    expect(await refresh(plain, quote)).toEqual([]);
    harness.world.labels.delete(quote);
    harness.world.detached.delete(quote);
    later();
    await refresh(quote);
    expect(tweetAt(quote)).toMatchObject({ possibly_sensitive: false, quoted_tweet_id: idOf(quoted) });
  });

  test('removes what moderation withholds, and what is absent twice', async () => {
    const withheld = harness.world.post(alice, 'withheld');
    const gone = harness.world.post(alice, 'gone');
    const there = harness.world.post(alice, 'there');
    await harness.history(target());
    later();
    harness.world.labels.set(withheld, ['!takedown']);
    harness.world.silently(() => harness.world.delete(gone));
    const before = harness.appView.count('getPosts');
    const records = await refresh(withheld, gone, there);
    expect(records).toMatchObject([
      { kind: 'delete', tweet_id: idOf(withheld), reason: 'withheld' },
      { kind: 'delete', tweet_id: idOf(gone), reason: 'deleted' },
    ]);
    expect(harness.appView.count('getPosts')).toBe(before + 2);
    expect(harness.appView.requests.at(-1)?.parameters.getAll('uris')).toEqual([gone]);
  });

  test('keeps a post that is absent once', async () => {
    const uri = harness.world.post(alice, 'there');
    await harness.history(target());
    later();
    harness.appView.next.push({ status: 200, body: '{"posts":[]}' });
    expect(await refresh(uri)).toEqual([]);
    expect(harness.appView.count('getPosts')).toBe(2);
  });

  test('withdraws an author who asks for signed-in readers; leaves out reposts and tweets of other platforms', async () => {
    const [one, two] = [harness.world.post(alice, 'one'), harness.world.post(alice, 'two')];
    const repost = harness.world.repost(alice, one);
    await harness.history(target());
    harness.world.setSignedInOnly(alice, true);
    const other = { id: '1', text: 'x', created_at: '2026-01-01T00:00:00.000Z', author_id: '1' };
    const records = await harness.source.refresh([tweetAt(one)!, tweetAt(two)!, tweetAt(repost)!, other], signal);
    expect(records).toMatchObject([{ kind: 'withdraw', user_id: userId(alice) }]);
  });

  test('asks for 25 posts at a time', async () => {
    const uris = Array.from({ length: 60 }, (_, index) => harness.world.post(alice, `post ${index}`));
    await harness.history(target());
    const before = harness.appView.count('getPosts');
    await refresh(...uris);
    expect(harness.appView.count('getPosts')).toBe(before + 3);
  });
});

describe('targets', () => {
  const { parse } = { parse: (text: string) => harness.source.parse(text) };

  test.each([
    ['Alice.Test', { kind: 'account', value: 'alice.test' }],
    ['@alice.test', { kind: 'account', value: 'alice.test' }],
    ['did:plc:ewvi7nxzyoun6zhxrhs64oiz', { kind: 'account', value: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz' }],
    ['did:web:example.com', { kind: 'account', value: 'did:web:example.com' }],
    ['list:at://Alice.test/app.bsky.graph.list/3l', { kind: 'list', value: 'at://alice.test/app.bsky.graph.list/3l' }],
    ['search: coffee OR tea ', { kind: 'search', value: 'coffee OR tea' }],
    ['*', { kind: 'network', value: '' }],
    ['*:fr+DE', { kind: 'network', value: 'de+fr' }],
  ])('%s is a target', (text, expected) => expect(parse(text)).toEqual({ source: 'bluesky', ...expected }));

  test.each([
    '',
    'alice',
    'alice..test',
    '1.2.3.4',
    'did:',
    'did:plc:',
    'list:x',
    'list:at://a.test/app.bsky.feed.post/1',
    'search:',
    'search:"',
    '*:english!',
    'search:from:',
  ])('%j is none, with a reason', (text) => {
    const error = ((): unknown => {
      try {
        return parse(text);
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).isPermanent).toBe(true);
  });

  const resolve = (text: string) => harness.source.resolve(parse(text), signal);

  test('an account is found by its handle and by its DID', async () => {
    for (const text of ['alice.test', alice])
      expect(await resolve(text)).toMatchObject({ title: '@alice.test', accounts: [alice] });
  });

  test('a list is its members, page by page, without those who ask for signed-in readers', async () => {
    const list = harness.world.put(alice, 'app.bsky.graph.list', { name: 'Friends' });
    const members = Array.from({ length: 130 }, (_, index) => harness.world.account(`m${index}.test`));
    for (const subject of members) harness.world.put(alice, 'app.bsky.graph.listitem', { list, subject });
    harness.world.setSignedInOnly(members[0]!, true);
    const byHandle = list.replace(alice, 'alice.test');
    const resolved = await resolve(`list:${byHandle}`);
    expect(resolved).toMatchObject({ title: 'the list Friends', accounts: members.slice(1) });
    expect(harness.appView.count('getList')).toBe(2);
  });

  test('a search and the network are no accounts, and need no request', async () => {
    expect(await resolve('search:coffee')).toMatchObject({ accounts: undefined });
    expect(await resolve('*')).toMatchObject({ accounts: undefined });
    expect(harness.appView.requests).toEqual([]);
  });

  test.each(['nobody.test', 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa', 'list:at://did:plc:a/app.bsky.graph.list/3l'])(
    '%s is not found, for good',
    async (text) => expect(resolve(text)).rejects.toMatchObject({ name: 'SourceError', isPermanent: true }),
  );

  test('an account that asks for signed-in readers is not followed', async () => {
    harness.world.setSignedInOnly(alice, true);
    await expect(resolve('alice.test')).rejects.toMatchObject({ isPermanent: true });
  });

  test.each([
    [{ status: 500 }, 'status 500', undefined],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'a redirect', undefined],
    [{ status: 200, body: 'not json' }, 'an unexpected response', undefined],
    [{ status: 429, headers: { 'retry-after': '7' } }, 'status 429', 7000],
    [{ status: 503, headers: { 'retry-after': '2' } }, 'status 503', 2000],
    [{ status: 200, body: `"${'x'.repeat(9_000_000)}"` }, 'a response of more than', undefined],
  ])('an answer of %j is an error that is no end', async (fault, message, retryAfterMs) => {
    harness.appView.next.push(fault);
    const error: unknown = await resolve('alice.test').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SourceError);
    expect(error).toMatchObject({ isPermanent: false, retryAfterMs });
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('alice');
  });

  test('no answer is an error after ten seconds; an abort ends the request', async () => {
    harness.appView.next.push({ status: 0, hang: true });
    const late = resolve('alice.test').catch((caught: unknown) => caught);
    while (harness.appView.requests.length < 1) await turn();
    await harness.clock.passWhenAwaited(10_000);
    expect(await late).toMatchObject({ message: expect.stringContaining('no response in 10 s') });
    expect(harness.observer.statuses).toEqual([0]);
    harness.appView.next.push({ status: 0, hang: true });
    const abort = new AbortController();
    const aborted = harness.source.resolve(parse('alice.test'), abort.signal).catch((caught: unknown) => caught);
    while (harness.appView.requests.length < 2) await turn();
    abort.abort();
    expect(await aborted).toBeInstanceOf(SourceError);
  });
});
