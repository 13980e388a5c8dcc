// Tests server/archive/writes/described-users.ts and server/archive/reads/known-users.ts.
/** Users without a profile: a user exists if any record names the user, with the data of the records; any other is 404. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import type { ArchivedTweet, ArchivedUser, ArchiveRecord } from '../../server/domain/records.ts';
import type { Page, PageRequest } from '../../server/contract/page.ts';
import type { Platform, UserRef } from '../../server/ports/platform.ts';
import { resolveChannel, type ChannelName, type ChannelParams } from '../../server/realtime/channels.ts';
import { StreamEvent } from '../../server/realtime/stream-event.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { parse } from '../../server/search/language/parse.ts';
import type { ArchiveWriter } from '../../server/archive/writes/sql-archive.ts';
import type { Change, SnapshotChange } from '../../server/archive/rules/change.ts';
import { archiveOn, contentIn, platformOn, sqliteTables, type ArchiveTables } from './engines.ts';
import { EvaluatedContent } from '../search/searched-archive.ts';
import { options } from '../support/call-options.ts';
import { record as anyRecord } from './rules/arbitrary.ts';
import { rounds } from '../support/rounds.ts';

type Mention = NonNullable<ArchivedTweet['entities']>['mentions'][number];

const everyId = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const everyName = ['u1', 'u2', 'u3', 'u4', 'ann', 'bob', 'cat', 'dan'];
const id = fc.constantFrom(...everyId);
const name = fc.constantFrom(...everyName);
const moment = fc
  .integer({ min: 0, max: 9 })
  .map((hour) => new Date(1_770_000_000_000 + hour * 3_600_000).toISOString());

/** A member that may be absent. */
const some = <Value>(key: string, value: fc.Arbitrary<Value>): fc.Arbitrary<object> =>
  fc.option(value, { freq: 2 }).map((given) => (given === null ? {} : { [key]: given }));
const joined = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as object);

const mention = joined(
  name.map((username) => ({ username: username.toUpperCase() })),
  some('id', id),
  some('name', fc.constantFrom('Ann', 'Bob')),
);
const tweet = joined(
  fc.record({
    id: fc.integer({ min: 100, max: 112 }).map(String),
    text: fc.constant('hello'),
    created_at: moment,
    author_id: id,
  }),
  fc
    .array(mention, { maxLength: 3 })
    .map((mentions) => ({ entities: { mentions, hashtags: [], cashtags: [], urls: [] } })),
  some('in_reply_to_username', name),
  some('observed_at', moment),
);
const profile = joined(
  fc.record({ id, username: name }),
  some('name', fc.constantFrom('Ann Profile', 'Bob Profile')),
  some('observed_at', moment),
);
const space = joined(
  fc.record({
    id: fc.constantFrom('s1', 's2'),
    title: fc.constant('t'),
    state: fc.constant('live'),
    host_id: id,
    created_at: moment,
  }),
  some('speaker_ids', fc.array(id, { maxLength: 2 })),
);
/** Records of every kind, in any order, about users of whom few have a profile. */
const record: fc.Arbitrary<ArchiveRecord> = fc.oneof(
  { weight: 5, arbitrary: tweet.map((each) => ({ kind: 'tweet', tweet: each }) as ArchiveRecord) },
  { weight: 1, arbitrary: profile.map((user) => ({ kind: 'user', user }) as ArchiveRecord) },
  { weight: 1, arbitrary: space.map((each) => ({ kind: 'space', space: each }) as ArchiveRecord) },
  { weight: 2, arbitrary: anyRecord },
);
const records = fc.array(record, { maxLength: 25 });

let tables: ArchiveTables;
beforeAll(async () => void (tables = await sqliteTables()));
afterAll(() => tables.dispose());

/** An archive with these records alone: each call ends the archive of the call before. */
async function archiveOf(all: Iterable<Change>): Promise<{ archive: ArchiveWriter; platform: Platform }> {
  await tables.clear();
  const archive = archiveOn(tables);
  const { unusable } = await archive.apply([...all]);
  expect(unusable).toEqual([]);
  return { archive, platform: platformOn(tables, archive) };
}

/** What the archive holds. */
class Content {
  readonly changes: readonly SnapshotChange[];
  readonly users = new Map<string, ArchivedUser>();
  /** Oldest first. */
  readonly tweets: readonly ArchivedTweet[];

  constructor(changes: readonly SnapshotChange[]) {
    this.changes = changes;
    for (const change of changes) if (change.kind === 'user') this.users.set(change.user.id, change.user);
    this.tweets = changes
      .flatMap((change) => (change.kind === 'tweet' ? [change.tweet] : []))
      .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || Number(a.id) - Number(b.id));
  }
}
const contentNow = async (): Promise<Content> => new Content(await contentIn(tables));
const idOf = async (platform: Platform, username: string): Promise<string | undefined> =>
  (await platform.user({ username }, options).catch(() => undefined))?.id;

const lower = (text: string | undefined): string | undefined => text?.toLowerCase();

/** The users of an archive, computed by a scan of all records. */
function toldBy({ changes, tweets }: Content) {
  const ids = new Set<string>();
  const names = new Set<string>();
  const described = new Map<string, Mention>();
  for (const change of changes) {
    if (change.kind === 'user') (ids.add(change.user.id), names.add(change.user.username));
    if (change.kind === 'follow') ids.add(change.follower_id).add(change.following_id);
    if (change.kind === 'retweet' || change.kind === 'highlight' || change.kind === 'membership')
      ids.add(change.user_id);
    if (change.kind === 'space')
      for (const person of [change.space.host_id, ...(change.space.speaker_ids ?? [])]) ids.add(person);
  }
  for (const each of tweets) {
    ids.add(each.author_id);
    if (each.in_reply_to_username !== undefined) names.add(each.in_reply_to_username);
    const first = new Map<string, Mention>();
    for (const mentioned of each.entities?.mentions ?? []) {
      names.add(mentioned.username.toLowerCase());
      if (mentioned.id !== undefined && !first.has(mentioned.id)) first.set(mentioned.id, mentioned);
    }
    for (const [mentionedId, mentioned] of first) (ids.add(mentionedId), described.set(mentionedId, mentioned));
  }
  return { ids, names, described };
}

/** The username and the display name of an id: of its profile, or else of the newest mention that has the id. */
function identity(content: Content, userId: string): { username: string; name: string } {
  const known = content.users.get(userId) ?? toldBy(content).described.get(userId);
  return { username: known?.username ?? '', name: known?.name ?? known?.username ?? '' };
}

const page: PageRequest = { after: undefined, limit: 100 };
const statusOf = async (asked: () => unknown): Promise<number> => {
  try {
    await asked();
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
};

/** Every operation and channel that takes a user. */
const byRef: Record<string, (platform: Platform, ref: UserRef, page?: PageRequest) => Promise<Page<unknown>>> = {
  lastTweets: (platform, ref) => platform.lastTweets(ref, true, page, options),
  highlights: (platform, ref) => platform.highlights(ref, page, options),
  followings: (platform, ref) => platform.followings(ref, page, options),
  mentions: (platform, ref, part = page) =>
    platform.mentions(ref, { since: -Infinity, until: Infinity }, part, options),
  communitiesOf: (platform, ref) => platform.communitiesOf('username' in ref ? ref.username : '', page, options),
};
const channelsByRef: [ChannelName, (keyof ChannelParams)[]][] = [
  ['user:tweets', ['username', 'user_id']],
  ['user:mentions', ['username']],
  ['community:members', ['username']],
];

describe('a user exists if any record names the user', () => {
  test.each(Object.entries(byRef))('%s', async (operation, ask) => {
    await fc.assert(
      fc.asyncProperty(records, async (all) => {
        const { platform } = await archiveOf(all);
        const delivered = toldBy(await contentNow());
        for (const username of [...everyName, 'nobody']) {
          expect([username, await statusOf(() => ask(platform, { username: `@${username.toUpperCase()}` }))]).toEqual([
            username,
            delivered.names.has(username) ? 200 : 404,
          ]);
        }
        if (operation === 'communitiesOf') return;
        for (const user_id of [...everyId, '77']) {
          expect([user_id, await statusOf(() => ask(platform, { user_id }))]).toEqual([
            user_id,
            delivered.ids.has(user_id) ? 200 : 404,
          ]);
        }
      }),
      { numRuns: rounds(60) },
    );
  });

  test.each(channelsByRef)('%s', async (channel, params) => {
    await fc.assert(
      fc.asyncProperty(records, async (all) => {
        const { platform } = await archiveOf(all);
        const delivered = toldBy(await contentNow());
        const candidates = params.flatMap((param) =>
          (param === 'username' ? [...everyName, 'nobody'] : [...everyId, '77']).map((value) => ({
            params: { [param]: value },
            known: (param === 'username' ? delivered.names : delivered.ids).has(value),
          })),
        );
        for (const each of candidates) {
          expect([each.params, await statusOf(() => resolveChannel(channel, each.params, platform, options))]).toEqual([
            each.params,
            each.known ? 200 : 404,
          ]);
        }
      }),
      { numRuns: rounds(60) },
    );
  });
});

test('lists contain every user, with the data of the records', async () => {
  await fc.assert(
    fc.asyncProperty(records, async (all) => {
      const { platform } = await archiveOf(all);
      const content = await contentNow();
      const seen = (user: { id: string; username: string; name: string }) =>
        expect({ id: user.id, username: lower(user.username), name: user.name }).toEqual({
          id: user.id,
          username: lower(identity(content, user.id).username),
          name: identity(content, user.id).name,
        });
      const follows = content.changes.flatMap((change) => (change.kind === 'follow' ? [change] : []));
      for (const user_id of new Set(follows.map(({ follower_id }) => follower_id))) {
        const { items } = await platform.followings({ user_id }, page, options);
        expect(new Set(items.map((user) => user.id))).toEqual(
          new Set(follows.flatMap((each) => (each.follower_id === user_id ? [each.following_id] : []))),
        );
        items.forEach(seen);
      }
      for (const each of content.tweets) {
        const { items } = await platform.retweeters(each.id, page, options);
        expect(new Set(items.map((user) => user.id))).toEqual(
          new Set(
            content.changes.flatMap((change) =>
              change.kind === 'retweet' && change.tweet_id === each.id ? [change.user_id] : [],
            ),
          ),
        );
        items.forEach(seen);
        seen((await platform.tweet(each.id, options)).author);
      }
      for (const change of content.changes) {
        if (change.kind !== 'space') continue;
        const { host, speakers } = await platform.space(change.space.id, options);
        expect([host.id, ...speakers.map((speaker) => speaker.id)]).toEqual([
          change.space.host_id,
          ...(change.space.speaker_ids ?? []),
        ]);
        [host, ...speakers].forEach(seen);
      }
    }),
    { numRuns: rounds(80) },
  );
});

test('from: finds the tweets of a username from a profile or a mention; a registered query does the same', async () => {
  await fc.assert(
    fc.asyncProperty(records, async (all) => {
      const { platform } = await archiveOf(all);
      const content = await contentNow();
      const evaluated = new EvaluatedContent(content.changes);
      for (const username of everyName) {
        const asked = parse(`from:${username} include:nativeretweets`);
        const { items } = await platform.search(asked, 'Latest', page, options);
        const expected = content.tweets
          .filter(({ author_id }) => lower(identity(content, author_id).username) === username)
          .map((each) => each.id)
          .toReversed();
        expect([username, items.map((each) => each.id)]).toEqual([username, expected]);
        const standing = evaluated.matching(compileQuery(asked), 'Latest', Date.now());
        expect([username, standing]).toEqual([username, expected]);
      }
    }),
    { numRuns: rounds(80) },
  );
});

test('a mention has the name and id of its user, also after an import or a new username', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(record, { maxLength: 4 }), { maxLength: 8 }), async (steps) => {
      const { archive, platform } = await archiveOf([]);
      for (const step of steps) {
        await archive.apply(step);
        const content = await contentNow();
        for (const { id: tweetId, entities: given } of content.tweets) {
          const { entities } = await platform.tweet(tweetId, options);
          const mentions = given?.mentions ?? [];
          expect(entities.mentions.map(({ username }) => username)).toEqual(mentions.map(({ username }) => username));
          for (const [place, { id: shownId, name: shownName }] of entities.mentions.entries()) {
            const { id: givenId, name: givenName, username } = mentions[place]!;
            const byName = givenId === undefined ? await idOf(platform, username) : undefined;
            const profile = content.users.get(givenId ?? byName ?? '');
            expect(shownId).toBe(givenId ?? byName);
            if (profile !== undefined) expect(shownName).toBe(profile.name ?? givenName);
          }
        }
      }
    }),
    { numRuns: rounds(80) },
  );
});

test('the mentions of a user are those with the id, and those without one by the username of the user', async () => {
  await fc.assert(
    fc.asyncProperty(records, fc.integer({ min: 1, max: 4 }), async (all, limit) => {
      const { platform } = await archiveOf(all);
      const content = await contentNow();
      const ids = new Map<string, string | undefined>();
      for (const username of everyName) ids.set(username, await idOf(platform, username));
      /** All pages, as ids. */
      const walk = async (ref: UserRef): Promise<string[]> => {
        const found: string[] = [];
        for (let after: PageRequest['after']; ;) {
          const { items, next } = await byRef.mentions!(platform, ref, { after, limit });
          found.push(...items.map((item) => (item as { id: string }).id));
          if (next === null) return found;
          after = next;
        }
      };
      const mentioning = (isMeant: (each: Mention) => boolean): string[] =>
        content.tweets
          .filter((each) => each.entities?.mentions.some(isMeant) === true)
          .map((each) => each.id)
          .toReversed();
      const delivered = toldBy(content);
      for (const user_id of everyId.filter((each) => delivered.ids.has(each)))
        expect([user_id, await walk({ user_id })]).toEqual([
          user_id,
          mentioning((each) => (each.id ?? ids.get(each.username.toLowerCase())) === user_id),
        ]);
      for (const username of everyName.filter((each) => delivered.names.has(each))) {
        const userId = ids.get(username);
        if (userId !== undefined) expect(await walk({ username })).toEqual(await walk({ user_id: userId }));
        else
          expect([username, await walk({ username })]).toEqual([
            username,
            mentioning((each) => lower(each.username) === username),
          ]);
      }
    }),
    { numRuns: rounds(100) },
  );
});

describe('regressions', () => {
  const at = '2026-03-04T05:06:07.000Z';
  const naming = (tweetId: string, mentions: Mention[], more: object = {}): ArchiveRecord => ({
    kind: 'tweet',
    tweet: {
      id: tweetId,
      author_id: '1',
      text: 'hello @bob',
      created_at: at,
      entities: { mentions, hashtags: [], cashtags: [], urls: [] },
      ...more,
    },
  });
  const bob: ArchiveRecord = { kind: 'user', user: { id: '42', username: 'Bob', name: 'Bob Ray' } };

  test('resolves a mention in the tweet, in its quotes and in its event after the user is imported or renamed', async () => {
    const { archive, platform } = await archiveOf([
      naming('10', [{ username: 'bob' }]),
      naming('11', [], { quoted_tweet_id: '10' }),
      naming('12', [], { retweeted_tweet_id: '10' }),
    ]);
    const delivered = async (): Promise<unknown[]> => {
      const forms = await Promise.all(['10', '11', '12'].map((each) => platform.tweet(each, options)));
      return forms.map((form) => (form.quoted_tweet ?? form.retweeted_tweet ?? form).entities.mentions);
    };
    const three = (mentions: Mention[]): Mention[][] => [mentions, mentions, mentions];
    expect(await delivered()).toEqual(three([{ username: 'bob' }]));
    await archive.apply([bob]);
    expect(await delivered()).toEqual(three([{ username: 'bob', name: 'Bob Ray', id: '42' }]));
    await archive.apply([{ kind: 'user', user: { id: '42', username: 'bob', name: 'Robert', observed_at: at } }]);
    expect(await delivered()).toEqual(three([{ username: 'bob', name: 'Robert', id: '42' }]));

    const event = new StreamEvent(
      { event: 'tweet.created', id: '10', seq: 1, at: 0 },
      { tweet: (await platform.snapshots(['10'], options))[0] },
      {
        epoch: 'e',
        poolStatus: () => {
          throw new Error('not asked');
        },
        reportInvalid: (_entry, findings) => {
          throw new Error(JSON.stringify(findings));
        },
      },
    );
    const frame = event.frame(['s1'], 'user:tweets', 'full', false)!.toString();
    expect(frame).toContain('"mentions":[{"username":"bob","name":"Robert","id":"42"}]');
  });

  test('the newest of two profiles owns a username; after it is renamed, the other one', async () => {
    const profileOf = (user_id: string, username: string, observed_at: string): ArchiveRecord => ({
      kind: 'user',
      user: { id: user_id, username, observed_at },
    });
    const { archive, platform } = await archiveOf([
      profileOf('5', 'ann', '2026-02-02T00:00:00Z'),
      profileOf('1', 'ann', '2026-02-01T00:00:00Z'),
    ]);
    expect(await idOf(platform, 'ann')).toBe('5');
    await archive.apply([profileOf('5', 'bob', '2026-02-03T00:00:00Z')]);
    expect(await idOf(platform, 'ann')).toBe('1');
  });

  test('a user without other records has only mentions', async () => {
    const { platform } = await archiveOf([naming('10', [{ username: 'bob' }])]);
    const ids = async (asked: Promise<Page<{ id: string }>>): Promise<string[]> =>
      (await asked).items.map((item) => item.id);
    expect(await ids(platform.mentions({ username: 'bob' }, { since: 0, until: Infinity }, page, options))).toEqual([
      '10',
    ]);
    expect(await ids(platform.lastTweets({ username: 'bob' }, true, page, options))).toEqual([]);
  });

  test('a subscription to mentions follows the user, not the username', async () => {
    const renamed: ArchiveRecord = { kind: 'user', user: { id: '42', username: 'robert', observed_at: at } };
    const { archive, platform } = await archiveOf([
      bob,
      renamed,
      { kind: 'user', user: { id: '43', username: 'bob' } },
    ]);
    const topicOf = async (username: string): Promise<unknown> => {
      const { selector } = await resolveChannel('user:mentions', { username }, platform, options);
      return 'topic' in selector ? selector.topic : undefined;
    };
    const topics = async (tweetId: string, mentions: Mention[]): Promise<readonly string[]> => {
      await archive.apply([naming(tweetId, mentions)]);
      const [subject] = await platform.snapshots([tweetId], options);
      const context = { epoch: 'e', poolStatus: () => ({}) as never, reportInvalid: () => {} };
      return new StreamEvent({ event: 'tweet.created', id: tweetId, seq: 1, at: 0 }, { tweet: subject }, context)
        .topics;
    };
    const [byEarlierName, byName] = [
      await topics('10', [{ username: 'bob', id: '42' }]),
      await topics('11', [{ username: 'bob' }]),
    ];
    const [robert, other] = [await topicOf('robert'), await topicOf('bob')];
    expect([byEarlierName.includes(String(robert)), byEarlierName.includes(String(other))]).toEqual([true, false]);
    expect([byName.includes(String(robert)), byName.includes(String(other))]).toEqual([false, true]);
  });

  test('a subscription by the username of a user who is only mentioned receives tweets after the profile arrives', async () => {
    const { archive, platform } = await archiveOf([naming('10', [{ username: 'bob' }])]);
    const channels = ['user:tweets' as const, 'user:mentions' as const, 'community:members' as const];
    const listening = await Promise.all(
      channels.map((channel) => resolveChannel(channel, { username: 'bob' }, platform, options)),
    );
    const context = {
      epoch: 'e',
      poolStatus: () => {
        throw new Error('not asked');
      },
      reportInvalid: () => {},
    };
    await archive.apply([bob]);
    await archive.apply([naming('50', [{ username: 'bob' }], { author_id: '42', text: 'here, @bob' })]);
    const topics = [
      ...new StreamEvent(
        { event: 'tweet.created', id: '50', seq: 1, at: 0 },
        { tweet: (await platform.snapshots(['50'], options))[0] },
        context,
      ).topics,
      ...new StreamEvent(
        { event: 'community.joined', id: '901', userId: '42', seq: 2, at: 0 },
        { member: await platform.communityOf('901', '42', options) },
        context,
      ).topics,
    ];
    for (const { selector } of listening) expect(topics).toContain('topic' in selector && selector.topic);
  });
});
