/** The behaviour of every platform that takes in records. An adapter passes it as a whole. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { operationIds } from '../../server/contract/operations.ts';
import type { Page, PageRequest } from '../../server/contract/page.ts';
import type { Platform, TweetSnapshot, UserRef } from '../../server/ports/platform.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { parse } from '../../server/search/language/parse.ts';
import { idOf, userId } from '../support/bluesky/world.ts';
import { options } from '../support/call-options.ts';
import { expectSchema } from '../support/contract.ts';

export interface OpenedPlatform {
  readonly platform: Platform;
  /** Takes in records; resolves when they are visible. */
  add(records: readonly ArchiveRecord[]): Promise<void>;
  /** Deletes a tweet, where the platform can. */
  readonly remove?: (tweetId: string) => Promise<void>;
  close(): Promise<void>;
}

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const tweet = (id: number, author: number, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), author_id: String(author), text: `tweet ${id}`, created_at: at(id - 100), ...more },
});
const mentioning = (username: string): object => ({
  text: `hello @${username}`,
  entities: { mentions: [{ username }], hashtags: [], cashtags: [], urls: [] },
});
const photo = [{ type: 'photo', url: 'https://images.example/a.jpg' }];

/** Mira (1) and Tom (2) have profiles, 3 is only followed, `ann` is only mentioned. */
const world: readonly ArchiveRecord[] = [
  { kind: 'user', user: { id: '1', username: 'Mira_Codes', name: 'Mira', followers_count: 7, verified: true } },
  { kind: 'user', user: { id: '2', username: 'tom', name: 'Tom' } },
  { kind: 'community', community: { id: '70', name: 'Makers', member_count: 2 } },
  { kind: 'community', community: { id: '71', name: 'Empty' } },
  tweet(101, 1, { like_count: 5 }),
  tweet(102, 2, { in_reply_to_id: '101', like_count: 1 }),
  tweet(103, 1, { in_reply_to_id: '102', like_count: 9 }),
  tweet(104, 2, { in_reply_to_id: '101', like_count: 3, ...mentioning('MIRA_codes') }),
  tweet(105, 1, { community_id: '70', media: photo, quote_count: 1 }),
  tweet(106, 2, { community_id: '70', retweet_count: 9, ...mentioning('ann') }),
  tweet(107, 2, { retweeted_tweet_id: '101' }),
  tweet(108, 1, { quoted_tweet_id: '106', text: 'brew coffee' }),
  tweet(109, 2, { in_reply_to_id: '101', like_count: 3 }),
  tweet(110, 1, { in_reply_to_id: '999' }),
  { kind: 'follow', follower_id: '1', following_id: '2', created_at: at(5) },
  { kind: 'follow', follower_id: '1', following_id: '3', created_at: at(6) },
  { kind: 'retweet', tweet_id: '101', user_id: '3', created_at: at(60) },
  { kind: 'highlight', user_id: '1', tweet_id: '101', created_at: at(1) },
  { kind: 'highlight', user_id: '1', tweet_id: '105', created_at: at(2) },
  { kind: 'highlight', user_id: '1', tweet_id: '999', created_at: at(3) },
  { kind: 'membership', community_id: '70', user_id: '1', role: 'admin', created_at: at(1) },
  { kind: 'membership', community_id: '71', user_id: '1', role: 'member', created_at: at(2) },
  { kind: 'like', tweet_id: '101', created_at: at(50) },
  {
    kind: 'space',
    space: { id: 's1', title: 'Talk', state: 'ended', host_id: '1', speaker_ids: ['2'], created_at: at(0) },
  },
];

type Item = { readonly id: string };
type ReadPage = (platform: Platform, page: PageRequest) => Promise<Page<Item>>;
const mira = { username: '@mira_codes' };
const always = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** Every list of the port, its component of the contract, and its items. */
const lists: Record<string, readonly [read: ReadPage, component: string, ids: readonly number[]]> = {
  'last tweets': [(port, page) => port.lastTweets(mira, false, page, options), 'Tweet', [108, 105, 101]],
  'last tweets with replies': [
    (port, page) => port.lastTweets({ user_id: '1' }, true, page, options),
    'Tweet',
    [110, 108, 105, 103, 101],
  ],
  highlights: [(port, page) => port.highlights(mira, page, options), 'Tweet', [105, 101]],
  followings: [(port, page) => port.followings(mira, page, options), 'User', [3, 2]],
  followers: [(port, page) => port.followers({ username: 'Tom' }, page, options), 'User', [1]],
  mentions: [(port, page) => port.mentions(mira, always, page, options), 'TweetShort', [104]],
  replies: [(port, page) => port.replies('101', page, options), 'Tweet', [109, 104, 102]],
  quotes: [(port, page) => port.quotes('106', page, options), 'Tweet', [108]],
  retweeters: [(port, page) => port.retweeters('101', page, options), 'User', [3, 2]],
  'latest results': [
    (port, page) => port.search(parse('tweet from:1'), 'Latest', page, options),
    'TweetShort',
    [110, 105, 103, 101],
  ],
  'top results': [
    (port, page) => port.search(parse('from:mira_codes OR from:tom'), 'Top', page, options),
    'TweetShort',
    [106, 103, 101, 109, 104, 105, 102, 110, 108],
  ],
  discover: [(port, page) => port.discover('70', page, options), 'TweetShort', [106, 105]],
  'community media': [(port, page) => port.communityMedia('70', page, options), 'TweetShort', [105]],
  communities: [(port, page) => port.communitiesOf('MIRA_CODES', page, options), 'Community', [71, 70]],
};

const whole: PageRequest = { after: undefined, limit: 100 };
const idsOf = ({ items }: Pick<Page<Item>, 'items'>): number[] => items.map(({ id }) => Number(id));

async function walk(
  platform: Platform,
  read: ReadPage,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<number[]> {
  const ids: number[] = [];
  for (let after: PageRequest['after']; ;) {
    const page = await read(platform, { after, limit });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...idsOf(page));
    if (page.next === null) return ids;
    expect(page.items).toHaveLength(limit);
    // A position survives the trip through a cursor.
    after = JSON.parse(JSON.stringify(page.next)) as PageRequest['after'];
    await between();
  }
}

/** The same limit for every part of a conversation. */
export const around = (limit: number): Parameters<Platform['conversation']>[1] => ({
  thread: limit,
  replies: limit,
  quotes: limit,
  authored: limit,
  continuation: limit,
});

/** A call of every method that takes an entity, with one that the platform does not have. */
const unknown: Record<string, (platform: Platform) => Promise<unknown>> = {
  userInfo: (port) => port.userInfo({ username: 'nobody' }, options),
  lastTweets: (port) => port.lastTweets({ username: 'nobody' }, true, whole, options),
  highlights: (port) => port.highlights({ user_id: '77' }, whole, options),
  followings: (port) => port.followings({ user_id: '77' }, whole, options),
  followers: (port) => port.followers({ user_id: '77' }, whole, options),
  mentions: (port) => port.mentions({ username: 'nobody' }, always, whole, options),
  replies: (port) => port.replies('999', whole, options),
  quotes: (port) => port.quotes('999', whole, options),
  retweeters: (port) => port.retweeters('999', whole, options),
  communityInfo: (port) => port.communityInfo('999', options),
  discover: (port) => port.discover('999', whole, options),
  communityMedia: (port) => port.communityMedia('999', whole, options),
  communitiesOf: (port) => port.communitiesOf('nobody', whole, options),
  space: (port) => port.space('nowhere', options),
  unlike: (port) => port.unlike('999', options),
  tweet: (port) => port.tweet('999', options),
  user: (port) => port.user({ username: 'nobody' }, options),
  thread: (port) => port.thread('999', 5, options),
  conversation: (port) => port.conversation('999', around(5), options),
  continuation: (port) => port.continuation('999', 5, options),
};

/** `canRemove`: whether the platform can delete tweets; `open` then returns `remove`. */
export function describePlatform(
  name: string,
  open: () => Promise<OpenedPlatform>,
  { canRemove }: { readonly canRemove: boolean },
): void {
  describe(`the platform: ${name}`, () => {
    let opened: OpenedPlatform;
    let platform: Platform;
    beforeEach(async () => {
      opened = await open();
      ({ platform } = opened);
      await opened.add(world);
    });
    afterEach(() => opened.close());

    const snapshotOf = async (id: string): Promise<TweetSnapshot> => {
      const [found] = await platform.snapshots([id], options);
      if (found === undefined || found.isGone) throw new Error(`no snapshot of ${id}`);
      return found;
    };

    test.each(Object.entries(lists))('%s have the items and the order of the contract', async (_, list) => {
      const [read, component, ids] = list;
      const { items, next } = await read(platform, whole);
      expect([idsOf({ items }), next]).toEqual([ids, null]);
      for (const item of items) await expectSchema(component, item);
    });

    test.each(Object.entries(lists))('%s are the same by pages of any size', async (_, [read, , ids]) => {
      for (const limit of [1, 2, 3, ids.length]) expect(await walk(platform, read, limit)).toEqual(ids);
    });

    test.each(Object.entries(lists))(
      '%s have no duplicates and no gaps while data is added',
      async (_, [read, , ids]) => {
        let next = 120;
        const walked = await walk(platform, read, 1, async () => {
          const id = next++;
          await opened.add([
            tweet(id, 1, { in_reply_to_id: '101', community_id: '70', media: photo, ...mentioning('mira_codes') }),
            tweet(next++, 2, { retweeted_tweet_id: '101' }),
            { kind: 'follow', follower_id: '1', following_id: String(id), created_at: at(id) },
            { kind: 'highlight', user_id: '1', tweet_id: String(id), created_at: at(id) },
          ]);
        });
        expect(walked.filter((id) => ids.includes(id))).toEqual(ids);
        expect(new Set(walked).size).toBe(walked.length);
      },
    );

    test('followers and quotes have the order and the pages of lists, without what is gone', async () => {
      await opened.add([
        ...[4, 5, 6].map((id): ArchiveRecord => ({
          kind: 'follow',
          follower_id: String(id),
          following_id: '2',
          created_at: at(9),
        })),
        { kind: 'follow', follower_id: '7', following_id: '2' },
        tweet(130, 3, { quoted_tweet_id: '106' }),
        tweet(131, 4, { quoted_tweet_id: '106', retweeted_tweet_id: '108' }),
        tweet(132, 4, { quoted_tweet_id: '106' }),
      ]);
      const followers: ReadPage = (port, page) => port.followers({ user_id: '2' }, page, options);
      const quotes: ReadPage = (port, page) => port.quotes('106', page, options);
      for (const limit of [1, 2, 9]) {
        expect(await walk(platform, followers, limit)).toEqual([6, 5, 4, 1, 7]);
        expect(await walk(platform, quotes, limit)).toEqual([132, 130, 108]);
      }
      if (opened.remove === undefined) return;
      await opened.remove('130');
      expect(await walk(platform, quotes, 1)).toEqual([132, 108]);
      await opened.remove('106');
      await expect(platform.quotes('106', whole, options)).rejects.toMatchObject({ status: 404 });
    });

    test('a community names the counts that are not known', async () => {
      await opened.add([
        {
          kind: 'community',
          community: { id: '72', name: 'Whole', member_count: 0, moderator_count: 3, join_policy: 'closed' },
        },
      ]);
      const makers = await platform.communityInfo('70', options);
      await expectSchema('CommunityInfo', makers);
      expect(makers).toEqual({
        community: {
          id: '70',
          name: 'Makers',
          description: '',
          member_count: 2,
          moderator_count: 0,
          join_policy: 'open',
        },
        unknown_counts: ['moderator_count'],
      });
      const { community, unknown_counts } = await platform.communityInfo('72', options);
      expect([community.join_policy, community.moderator_count, unknown_counts]).toEqual(['closed', 3, []]);
      await expect(platform.communityInfo('070', options)).rejects.toMatchObject({ status: 404 });
    });

    test('Top pages end behind the tweets with the largest counts, which have the same engagement', async () => {
      const most = Number.MAX_SAFE_INTEGER;
      await opened.add([
        tweet(121, 1, { like_count: most, retweet_count: most, quote_count: most, reply_count: most }),
        tweet(122, 2, { retweet_count: most - 1 }),
        tweet(123, 2, { like_count: most - 1 }),
      ]);
      const top: ReadPage = (port, page) => port.search(parse('from:1 OR from:2'), 'Top', page, options);
      expect(await walk(platform, top, 1)).toEqual([122, 121, 123, 106, 103, 101, 109, 104, 105, 102, 110, 108]);
    });

    test('an id with a leading zero is the id of nothing', async () => {
      await expect(platform.userInfo({ user_id: '01' }, options)).rejects.toMatchObject({ status: 404 });
      await expect(platform.lastTweets({ user_id: '01' }, true, whole, options)).rejects.toMatchObject({ status: 404 });
      await expect(platform.replies('0101', whole, options)).rejects.toMatchObject({ status: 404 });
      await expect(platform.retweeters('0101', whole, options)).rejects.toMatchObject({ status: 404 });
      await expect(platform.unlike('0101', options)).rejects.toMatchObject({ status: 404 });
      await expect(platform.discover('070', whole, options)).rejects.toMatchObject({ status: 404 });
      await expect(platform.tweet('0101', options)).rejects.toMatchObject({ status: 404 });
      expect(await platform.tweets(['0101'], options)).toEqual([undefined]);
      expect(await platform.users([{ user_id: '01' }], options)).toEqual([undefined]);
      expect(await platform.snapshots(['0101'], options)).toEqual([undefined]);
      expect(await platform.hasCommunity('070', options)).toBe(false);
    });

    test.each(Object.entries(lists))('%s return 400 for a position of another platform', async (_, [read]) => {
      const after = ['a position of another platform'];
      await expect(read(platform, { after, limit: 1 })).rejects.toMatchObject({ status: 400 });
    });

    test('mentions follow their user to a new username, and away from one that another user has now', async () => {
      const named = (id: number, username: string, userId?: string): ArchiveRecord =>
        tweet(id, 2, {
          entities: {
            mentions: [{ username, ...(userId === undefined ? {} : { id: userId }) }],
            hashtags: [],
            cashtags: [],
            urls: [],
          },
        });
      const profile = (id: string, username: string, minute: number): ArchiveRecord => ({
        kind: 'user',
        user: { id, username, observed_at: at(minute) },
      });
      const mentions = async (ref: Parameters<Platform['mentions']>[0]): Promise<number[]> =>
        idsOf(await platform.mentions(ref, always, whole, options));
      await opened.add([
        profile('5', 'alice.example.com', 10),
        named(120, 'Alice.example.com', '5'),
        named(121, 'alice.example.com'),
      ]);
      expect(await mentions({ username: 'alice.example.com' })).toEqual([121, 120]);
      await opened.add([profile('5', 'alice.example.org', 20), named(122, 'alice.example.org')]);
      expect(await mentions({ username: 'ALICE.example.org' })).toEqual([122, 120]);
      expect(await mentions({ user_id: '5' })).toEqual([122, 120]);
      // Nobody has the earlier username: it finds the texts that name it.
      expect(await mentions({ username: 'alice.example.com' })).toEqual([121, 120]);
      await opened.add([profile('6', 'alice.example.com', 30), named(123, 'alice.example.com', '6')]);
      expect(await mentions({ username: 'alice.example.com' })).toEqual([123, 121]);
      expect(await mentions({ user_id: '5' })).toEqual([122, 120]);
      const [renamed, unidentified] = await platform.snapshots(['120', '121'], options);
      expect([renamed?.mentions, unidentified?.mentions]).toEqual([
        [{ id: '5', username: 'Alice.example.com' }],
        [{ id: '6', username: 'alice.example.com' }],
      ]);
    });

    test('mentions respect the time span: since inclusive, until exclusive', async () => {
      const span = (since: number, until: number) =>
        platform.mentions(mira, { since: Date.parse(at(since)), until: Date.parse(at(until)) }, whole, options);
      expect(idsOf(await span(4, 5))).toEqual([104]);
      expect(idsOf(await span(5, 9))).toEqual([]);
      expect(idsOf(await span(0, 4))).toEqual([]);
    });

    test.each(Object.entries(unknown))('%s returns 404 for an unknown entity, and names it', async (_, ask) => {
      await expect(ask(platform)).rejects.toMatchObject({
        status: 404,
        message: expect.stringMatching(/nobody|77|999|nowhere/),
      });
    });

    test('a user exists by a profile, in any letter case, and by references in other records', async () => {
      for (const ref of [{ username: 'mira_CODES' }, mira, { user_id: '1' }])
        expect(await platform.user(ref, options)).toEqual({ id: '1', username: 'Mira_Codes' });
      expect(await platform.user({ user_id: '3' }, options)).toEqual({ id: '3', username: undefined });
      expect(await platform.user({ username: 'ann' }, options)).toEqual({ id: undefined, username: 'ann' });
      expect(idsOf(await platform.lastTweets({ username: 'ann' }, true, whole, options))).toEqual([]);
      expect(idsOf(await platform.mentions({ username: 'ann' }, always, whole, options))).toEqual([106]);
    });

    test('a user has the profile, and its unknown counts are named', async () => {
      await opened.add([{ kind: 'user', user: { id: '5', username: 'eva', following_count: 0, media_count: 4 } }]);
      const known = await platform.userInfo({ username: '@EVA' }, options);
      await expectSchema('UserInfo', known);
      expect(known.user).toMatchObject({
        id: '5',
        username: 'eva',
        followers_count: 0,
        following_count: 0,
        media_count: 4,
      });
      expect(known.unknown_counts).toEqual(['followers_count', 'tweet_count', 'like_count']);
      const stub = await platform.userInfo({ user_id: '3' }, options);
      expect(stub.user).toMatchObject({ id: '3', username: '', followers_count: 0 });
      expect(stub.unknown_counts).toHaveLength(5);
    });

    test('a user of whom only the username is known has no id, which is 404', async () => {
      await expect(platform.userInfo({ username: 'ann' }, options)).rejects.toMatchObject({ status: 404 });
    });

    test('several users have the order of the references, each in the form of its own; undefined where userInfo has 404', async () => {
      const one = async (ref: UserRef) => (await platform.userInfo(ref, options)).user;
      const ids = ['3', '1', '77', '2', '1'].map((user_id) => ({ user_id }));
      expect(await platform.users(ids, options)).toEqual([
        await one({ user_id: '3' }),
        await one(mira),
        undefined,
        await one({ username: 'tom' }),
        await one(mira),
      ]);
      const names = ['TOM', 'ann', 'nobody', '@mira_CODES'].map((username) => ({ username }));
      const byName = await platform.users(names, options);
      expect(byName.map((user) => user?.id)).toEqual(['2', undefined, undefined, '1']);
      for (const user of byName) if (user !== undefined) await expectSchema('User', user);
      expect(await platform.users([], options)).toEqual([]);
    });

    test('several tweets have the order of the references, each in its full form; undefined for a tweet that is not there', async () => {
      const found = await platform.tweets(['108', '999', '107', '101', '108'], options);
      const one = (id: string) => platform.tweet(id, options);
      expect(found).toEqual([await one('108'), undefined, await one('107'), await one('101'), await one('108')]);
      expect(await platform.tweets([], options)).toEqual([]);
      if (opened.remove === undefined) return;
      await opened.remove('107');
      expect((await platform.tweets(['107', '101'], options)).map((tweet) => tweet?.id)).toEqual([undefined, '101']);
    });

    test('a tweet has its author, its counts and the tweets that it refers to, one level deep', async () => {
      const quoting = await platform.tweet('108', options);
      await expectSchema('Tweet', quoting);
      expect(quoting).toMatchObject({
        id: '108',
        created_at: at(8),
        author: { id: '1', username: 'Mira_Codes', verified: true, followers_count: 7 },
        quoted_tweet: { id: '106', retweet_count: 9, author: { username: 'tom' }, quoted_tweet: null },
        retweeted_tweet: null,
      });
      expect((await platform.tweet('107', options)).retweeted_tweet).toMatchObject({ id: '101', like_count: 5 });
    });

    test('a post of Bluesky is found by its address, with the DID or the handle', async () => {
      const [did, rkey] = ['did:plc:ewvi7nxzyoun6zhxrhs64oiz', '3l6oveex3ii2l'];
      const uri = `at://${did}/app.bsky.feed.post/${rkey}`;
      const id = idOf(uri);
      const user = { id: userId(did), username: 'alice.example.com', did };
      await opened.add([
        { kind: 'user', user },
        { kind: 'tweet', tweet: { id, uri, text: 'hello', created_at: at(9), author_id: user.id } },
      ]);
      for (const repository of [did, 'alice.example.com'])
        expect(await platform.tweetIdAt({ repository, rkey }, options)).toBe(id);
      const others = [
        { repository: did, rkey: '3l6oveex3ii22' },
        // Who owns a repository chooses the keys of its records.
        { repository: 'did:plc:ewvi7nxzyoun6zhxrhs64ooo', rkey },
        { repository: 'bob.example.com', rkey },
      ];
      for (const address of others)
        await expect(platform.tweetIdAt(address, options)).rejects.toMatchObject({ status: 404 });
      const together = [
        others[0]!,
        { repository: did, rkey },
        '101',
        { repository: 'alice.example.com', rkey },
        others[2]!,
      ];
      const found = await platform.tweets(together, options);
      expect(found.map((tweet) => tweet?.id)).toEqual([undefined, id, '101', id, undefined]);
    });

    test('the pinned post of an account of Bluesky is its highlight, until another one is pinned', async () => {
      const user = { id: '40', username: 'alice.example.com', did: 'did:plc:alice', pinned_tweet_ids: ['140'] };
      const pins = (id: string, minute: number): ArchiveRecord => ({
        kind: 'user',
        user: { ...user, pinned_tweet_ids: [id], observed_at: at(minute) },
      });
      const highlights = async () => idsOf(await platform.highlights({ user_id: '40' }, whole, options));
      await opened.add([pins('140', 1), tweet(140, 40), tweet(141, 40)]);
      expect(await highlights()).toEqual([140]);
      await opened.add([pins('141', 2)]);
      expect(await highlights()).toEqual([141]);
      // A pinned post that the platform does not have.
      await opened.add([pins('142', 3)]);
      expect(await highlights()).toEqual([]);
    });

    test('a space has its host and speakers', async () => {
      const space = await platform.space('s1', options);
      await expectSchema('Space', space);
      expect([space.host.username, space.speakers.map(({ id }) => id)]).toEqual(['Mira_Codes', ['2']]);
    });

    test('a thread has the nearest ancestors of a tweet, oldest first; it ends at a gap or a cycle', async () => {
      const thread = async (id: string, limit: number) =>
        idsOf({ items: [...(await platform.thread(id, limit, options))] });
      expect(await thread('103', 5)).toEqual([101, 102]);
      expect(await thread('103', 1)).toEqual([102]);
      expect([await thread('101', 5), await thread('110', 5)]).toEqual([[], []]);
      await opened.add([tweet(130, 1, { in_reply_to_id: '131' }), tweet(131, 1, { in_reply_to_id: '130' })]);
      expect(await thread('130', 5)).toEqual([131]);
    });

    const part = async (id: string, name: keyof ReturnType<typeof around>, limit: number) =>
      idsOf({ items: [...(await platform.conversation(id, around(limit), options))[name]] });

    test('a conversation has the tweet, and its thread and continuation as these have their own', async () => {
      const { tweet: itself, thread, continuation } = await platform.conversation('103', around(9), options);
      expect(itself).toEqual(await platform.tweet('103', options));
      expect(thread).toEqual(await platform.thread('103', 9, options));
      expect(thread.map(({ id }) => id)).toEqual(['101', '102']);
      await opened.add([tweet(140, 1, { in_reply_to_id: '103' })]);
      expect([await part('103', 'continuation', 9), continuation]).toEqual([[140], []]);
      expect([await part('103', 'thread', 1), await part('103', 'continuation', 0)]).toEqual([[102], []]);
    });

    test('the replies and the quotes of a conversation are sorted by engagement, the newer one first at a tie', async () => {
      expect([await part('101', 'replies', 5), await part('101', 'replies', 2)]).toEqual([
        [109, 104, 102],
        [109, 104],
      ]);
      await opened.add([
        tweet(170, 2, { quoted_tweet_id: '106', like_count: 4 }),
        tweet(171, 1, { quoted_tweet_id: '106' }),
        // A native retweet of a quote has the quoted tweet, too.
        tweet(172, 1, { quoted_tweet_id: '106', retweeted_tweet_id: '170', like_count: 4 }),
      ]);
      expect([await part('106', 'quotes', 9), await part('106', 'quotes', 2)]).toEqual([
        [170, 171, 108],
        [170, 171],
      ]);
    });

    test('the replies below tweets are read level by level, the newest of each, and each once', async () => {
      const below = async (ids: readonly string[], levels: number, limit: number) =>
        idsOf({ items: [...(await platform.repliesBelow(ids, { levels, limit }, options))] });
      await opened.add([
        tweet(180, 2, { in_reply_to_id: '102' }),
        tweet(181, 1, { in_reply_to_id: '104' }),
        tweet(182, 2, { in_reply_to_id: '181' }),
        tweet(190, 1, { in_reply_to_id: '191' }),
        tweet(191, 1, { in_reply_to_id: '190' }),
      ]);
      expect(await below(['102', '104', '102'], 1, 9)).toEqual([181, 180, 103]);
      expect(await below(['104', '102'], 2, 9)).toEqual([181, 180, 103, 182]);
      expect(await below(['104', '102'], 2, 1)).toEqual([181, 182]);
      expect(await below(['101', '102'], 3, 9)).toEqual([180, 109, 104, 103, 102, 181, 182]);
      expect([await below(['190'], 9, 9), await below([], 3, 9), await below(['999', '106'], 3, 9)]).toEqual([
        [191, 190],
        [],
        [110],
      ]);
    });

    test('the present tweets are those that the platform has', async () => {
      expect([...(await platform.present(['101', '999', '107'], options))].toSorted()).toEqual(['101', '107']);
      expect((await platform.present([], options)).size).toBe(0);
      await opened.remove?.('101');
      expect((await platform.present(['101'], options)).has('101')).toBe(opened.remove === undefined);
    });

    test('the compared tweets of a conversation are of the same author and kind, without retweets', async () => {
      const like = (id: string, limit = 9) => part(id, 'authored', limit);
      expect([await like('101'), await like('103'), await like('101', 1)]).toEqual([[108, 105], [110], [108]]);
      expect([await like('106'), await like('102')]).toEqual([[], [109, 104]]);
    });

    test('a continuation has the replies of the author to itself, oldest first; it ends at a cycle', async () => {
      const next = async (id: string, limit = 9) =>
        idsOf({ items: [...(await platform.continuation(id, limit, options))] });
      await opened.add([
        tweet(140, 1),
        tweet(141, 2, { in_reply_to_id: '140' }),
        tweet(142, 1, { in_reply_to_id: '140' }),
        tweet(143, 1, { in_reply_to_id: '140' }),
        tweet(144, 1, { in_reply_to_id: '142' }),
        tweet(150, 1, { in_reply_to_id: '151' }),
        tweet(151, 1, { in_reply_to_id: '150' }),
      ]);
      expect([await next('140'), await next('140', 1), await next('141')]).toEqual([[142, 144], [142], []]);
      expect(await next('150')).toEqual([151]);
    });

    test('a background tells an unknown count from zero, and names the tweets that a tweet refers to', async () => {
      await opened.add([
        tweet(160, 1, { like_count: 0, view_count: 7, lang: 'de' }),
        tweet(161, 2, { in_reply_to_id: '99998', in_reply_to_username: 'gone_gil', quoted_tweet_id: '99999' }),
      ]);
      const [known, lost, none] = await platform.backgrounds(['160', '161', '999'], options);
      const nothing = {
        inReplyToId: undefined,
        inReplyToUsername: undefined,
        quotedId: undefined,
        retweetedId: undefined,
        lang: undefined,
      };
      expect(known).toEqual({ ...nothing, knownCounts: ['like_count', 'view_count'], lang: 'de' });
      expect(lost).toMatchObject({ inReplyToId: '99998', inReplyToUsername: 'gone_gil', quotedId: '99999' });
      expect([lost?.knownCounts, none]).toEqual([[], undefined]);
    });

    test('snapshots come in the order of the ids, with the relations and the views of REST', async () => {
      const found = await platform.snapshots(['106', '999', '104'], options);
      expect(found.map((each) => each?.authorId)).toEqual(['2', undefined, '2']);
      expect(await platform.snapshots([], options)).toEqual([]);
      const { authorUsername, mentions, inReplyToId, communityId } = await snapshotOf('104');
      expect({ authorUsername, mentions, inReplyToId, communityId }).toEqual({
        authorUsername: 'tom',
        mentions: [{ id: '1', username: 'MIRA_codes' }],
        inReplyToId: '101',
        communityId: undefined,
      });
      expect(await snapshotOf('106')).toMatchObject({ communityId: '70', inReplyToId: undefined });
      const quoting = await snapshotOf('108');
      expect(quoting.full()).toEqual(await platform.tweet('108', options));
      const [short] = (await platform.search(parse('brew'), 'Latest', whole, options)).items;
      expect(quoting.short()).toEqual(short);
      expect((await snapshotOf('101')).engagement()).toEqual({
        tweet_id: '101',
        retweet_count: 0,
        reply_count: 0,
        like_count: 5,
        quote_count: 0,
        bookmark_count: 0,
        view_count: 0,
      });
    });

    test('the document of a snapshot matches the queries that find the tweet', async () => {
      const document = (await snapshotOf('108')).document();
      for (const [query, isMatch] of [
        ['coffee from:mira_codes', true],
        ['"brew coffee" quoted_user_id:2', true],
        ['coffee -from:1', false],
      ] as const) {
        const text = parse(query);
        expect([query, matches(compileQuery(text), document, Date.now())]).toEqual([query, isMatch]);
        expect(idsOf(await platform.search(text, 'Latest', whole, options))).toEqual(isMatch ? [108] : []);
      }
    });

    test('a community has its members', async () => {
      expect([await platform.hasCommunity('70', options), await platform.hasCommunity('999', options)]).toEqual([
        true,
        false,
      ]);
      const { username, community } = await platform.communityOf('70', '1', options);
      await expectSchema('Community', community);
      expect([username, community?.role, community?.member_count]).toEqual(['Mira_Codes', 'admin', 2]);
      expect((await platform.communityOf('70', '2', options)).community).toBe(undefined);
      expect(await platform.communityOf('70', '3', options)).toEqual({ username: undefined, community: undefined });
    });

    test('a like is removed once; the counts follow, in lists and in new snapshots', async () => {
      const likes = (...ids: string[]): Promise<boolean[]> => Promise.all(ids.map((id) => platform.liked(id, options)));
      expect(await likes('101', '102', '999')).toEqual([true, false, false]);
      expect([await platform.unlike('101', options), await platform.unlike('101', options)]).toEqual([true, false]);
      expect(await likes('101')).toEqual([false]);
      expect(await platform.unlike('102', options)).toBe(false);
      expect((await platform.tweet('101', options)).like_count).toBe(4);
      expect((await snapshotOf('101')).engagement().like_count).toBe(4);
    });

    test('the revision, if supported, changes only with the data', async () => {
      const first = platform.revision();
      await platform.search(parse('tweet'), 'Top', whole, options);
      expect(platform.revision()).toBe(first);
      if (first === undefined) return;
      await opened.add([tweet(140, 1)]);
      const second = platform.revision();
      await platform.unlike('101', options);
      expect(new Set([first, second, platform.revision()]).size).toBe(3);
    });

    test('every operation is supported, or has a reason for the caller', () => {
      for (const id of operationIds) expect(platform.capabilities.whyUnsupported(id) ?? 'a reason').toMatch(/\S/);
    });

    test('an aborted call ends with the reason of the signal or with the result', async () => {
      const controller = new AbortController();
      const reason = new Error('the caller has gone');
      const { signal } = controller;
      const calls = [
        platform.search(parse('tweet'), 'Latest', whole, { signal }),
        platform.tweet('101', { signal }),
        platform.thread('103', 5, { signal }),
        Promise.resolve(platform.snapshots(['101'], { signal })),
      ];
      controller.abort(reason);
      for (const { status, ...outcome } of await Promise.allSettled(calls))
        expect(status === 'fulfilled' || ('reason' in outcome && outcome.reason === reason)).toBe(true);
    });

    test('a snapshot names the tweets whose text it includes', async () => {
      const included = async (id: string): Promise<readonly string[]> => (await snapshotOf(id)).includedIds;
      expect([await included('101'), await included('107'), await included('108')]).toEqual([[], ['101'], ['106']]);
    });

    (canRemove ? test : test.skip)(
      'a snapshot of before the deletion has the data of then, or throws 404',
      async () => {
        const before = await snapshotOf('104');
        const full = before.full();
        await opened.remove?.('104');
        const read = (): unknown => {
          try {
            return before.full();
          } catch (error) {
            return error;
          }
        };
        if (read() instanceof Error) expect(read()).toMatchObject({ status: 404 });
        else expect(read()).toEqual(full);
      },
    );

    (canRemove ? test : test.skip)('a deleted tweet is nowhere, and its tombstone has no text', async () => {
      await opened.remove?.('104');
      await expect(platform.tweet('104', options)).rejects.toMatchObject({ status: 404 });
      expect(idsOf(await platform.replies('101', whole, options))).toEqual([109, 102]);
      expect(idsOf(await platform.mentions(mira, always, whole, options))).toEqual([]);
      expect(idsOf(await platform.search(parse('hello'), 'Latest', whole, options))).toEqual([106]);
      const [gone] = await platform.snapshots(['104'], options);
      expect(gone).toEqual({
        isGone: true,
        authorId: '2',
        authorUsername: 'tom',
        mentions: [{ id: '1', username: expect.stringMatching(/^mira_codes$/i) }],
        inReplyToId: '101',
        communityId: undefined,
      });
    });
  });
}
