// Tests server/archive/reads/content-reader.ts and server/archive/reads/touched.ts.
/** Each change is applied to what the tables hold of the changes before, as an archive in memory applies all of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import { applied } from '../../engines/postgres/applied.ts';
import { sortedContent } from '../../engines/postgres/tables.ts';
import { archiveOn, contentIn, eventCount, eventsIn, recordsOf, sqliteTables, type ArchiveTables } from '../engines.ts';

const at = (month: number): string => `2026-0${month}-01T00:00:00.000Z`;
const tweet = (id: string, more: object = {}): Change => ({
  kind: 'tweet',
  tweet: { id, text: `text ${id}`, created_at: at(1), author_id: '1', ...more },
});
const retweet = (id: string, of: string, author_id = '2'): Change => tweet(id, { retweeted_tweet_id: of, author_id });
const user = (id: string, more: object = {}): Change => ({ kind: 'user', user: { id, username: `u${id}`, ...more } });
const remove = (tweet_id: string, more: object = {}): Change => ({ kind: 'delete', tweet_id, at: at(3), ...more });
const restore = (tweet_id: string): Change => ({ kind: 'restore', tweet_id });
const follow = (month?: number): Change => ({
  ...{ kind: 'follow', follower_id: '1', following_id: '2' },
  ...(month === undefined ? {} : { created_at: at(month) }),
});
const retweeted = (month: number): Change => ({ kind: 'retweet', tweet_id: '10', user_id: '2', created_at: at(month) });
const like = (month?: number): Change => ({
  ...{ kind: 'like', tweet_id: '10' },
  ...(month === undefined ? {} : { created_at: at(month) }),
});
const list = (id: string, owner_id: string, more: object = {}): Change => ({
  kind: 'list',
  list: { id, owner_id, ...more },
});
const member = (list_id: string, user_id: string, month = 1): Change => ({
  ...{ kind: 'list_member', list_id, user_id, created_at: at(month) },
});
const space = (id: string, host_id: string, title = 'T'): Change => ({
  kind: 'space',
  space: { id, title, state: 'live', host_id, created_at: at(1) },
});
const joined = (role: 'member' | 'admin', month: number): Change => ({
  ...{ kind: 'membership', community_id: '70', user_id: '1', role, created_at: at(month) },
});
const evict = (more: object): Change => ({
  kind: 'evict',
  tweet_ids: [],
  user_ids: [],
  tombstone_ids: [],
  at: '',
  ...more,
});
const [placed, named, located] = [
  { place_id: 'p1' },
  { place: 'Town' },
  { coordinates: { longitude: 1, latitude: 2 } },
];
const withdraw = (user_id: string, more: object = { at: at(3) }): Change => ({ kind: 'withdraw', user_id, ...more });

const histories: Record<string, readonly Change[]> = {
  'follows before and after an unfollow': [
    ...[follow(2), follow(1), follow()],
    { kind: 'unfollow', follower_id: '1', following_id: '2', at: at(3) },
    ...[follow(2), follow(4), follow(5)],
    { kind: 'unfollow', follower_id: '1', following_id: '2', at: at(4) },
  ],
  'retweets before and after the end of one': [
    ...[tweet('10'), retweeted(2), { kind: 'unretweet', tweet_id: '10', user_id: '2', at: at(3) } as const],
    ...[retweeted(1), retweeted(4)],
  ],
  'a deletion, and retweets of the tweet before and after it': [
    ...[tweet('10'), retweet('11', '10'), retweet('12', '11', '3'), tweet('13'), like(2), remove('10')],
    ...[retweet('14', '10'), restore('10'), tweet('10'), retweet('11', '10'), retweet('12', '11', '3')],
    ...[remove('11'), retweet('15', '11'), remove('10')],
  ],
  'a removed retweet that comes back': [
    ...[tweet('10'), retweet('11', '10'), remove('11'), retweeted(1), restore('11'), retweet('11', '10'), retweeted(4)],
    ...[remove('20', { tombstone: { author_id: '2', retweeted_tweet_id: '10', created_at: at(5) } }), restore('20')],
  ],
  'records that name another author': [
    ...[
      tweet('10'),
      tweet('11', { author_id: '3' }),
      { kind: 'unretweet', tweet_id: '10', user_id: '3', at: at(2) } as const,
    ],
    ...[
      tweet('11', { retweeted_tweet_id: '10' }),
      { kind: 'retweet', tweet_id: '10', user_id: '3', created_at: at(4) } as const,
    ],
    ...[retweet('12', '10', '3'), remove('11', { author_id: '1', retweeted_tweet_id: '10' })],
    ...[{ kind: 'unretweet', tweet_id: '10', user_id: '3', at: at(5) } as const, tweet('12', { like_count: 2 })],
  ],
  'evictions of users with and without other tweets': [
    ...[user('1'), user('3'), tweet('10'), tweet('11'), evict({ tweet_ids: ['10'], user_ids: ['1'] })],
    ...[evict({ user_ids: ['3'] }), evict({ tweet_ids: ['11'], user_ids: ['1'] }), remove('12')],
    ...[evict({ tombstone_ids: ['12'] }), tweet('12')],
  ],
  'evictions of one of two retweets of a user': [
    ...[
      tweet('10'),
      retweet('11', '10'),
      retweet('12', '10'),
      evict({ tweet_ids: ['11'] }),
      evict({ tweet_ids: ['12'] }),
    ],
  ],
  'a withdrawn account, and what it comes back with': [
    ...[user('1'), tweet('10'), retweet('11', '10'), list('801', '1'), list('802', '2'), member('801', '2')],
    ...[member('802', '1'), space('s1', '1'), space('s2', '2'), follow(1), joined('admin', 1), like(2)],
    { kind: 'highlight', user_id: '1', tweet_id: '10', created_at: at(1) },
    ...[withdraw('1', { at: at(3), list_ids: ['803'] }), tweet('12'), list('803', '1'), member('801', '2'), user('1')],
    ...[
      withdraw('1', {}),
      withdraw('1', { at: at(2) }),
      withdraw('1', { at: at(5) }),
      { kind: 'reinstate', user_id: '1' } as const,
    ],
    ...[user('1'), tweet('10'), list('801', '1'), member('801', '2'), list('803', '1'), space('s1', '1'), follow(2)],
  ],
  'a list that two withdrawals remove': [
    ...[list('801', '1'), withdraw('1', {}), list('801', '2'), withdraw('2', { list_ids: ['801', '802'] })],
    ...[withdraw('3', { list_ids: ['802'] }), list('802', '4'), member('802', '5')],
    ...['3', '2', '1'].map((user_id): Change => ({ kind: 'reinstate', user_id })),
  ],
  'places that are removed from earlier and later records': [
    ...[
      tweet('10', placed),
      tweet('11', named),
      tweet('12', located),
      tweet('30', placed),
      tweet('13', { author_id: '2' }),
    ],
    { kind: 'scrub_geo', user_id: '1', tweet_id: '20', at: at(3) },
    ...[tweet('14', placed), tweet('10', placed), tweet('13', { ...placed, author_id: '1' }), tweet('31', named)],
    { kind: 'scrub_geo', tweet_id: '40', at: at(3) },
    ...[tweet('40', { ...located, author_id: '2' }), tweet('15', { author_id: '2' }), tweet('15', named)],
  ],
  'newer and older records of entities': [
    ...['A', 'B'].map((name): Change => ({ kind: 'community', community: { id: '70', name } })),
    ...[4, 2].map((month): Change => ({
      kind: 'place',
      place: { id: 'p1', name: `P${month}`, observed_at: at(month) },
    })),
    ...[4, 2].map((month) => list('801', '1', { name: `L${month}`, observed_at: at(month) })),
    ...[4, 2].map((month) => user('1', { name: `U${month}`, observed_at: at(month) })),
    ...[space('s1', '1'), space('s1', '1', 'U'), joined('admin', 2), joined('member', 1), joined('member', 4)],
    ...[member('801', '2', 2), member('801', '2', 1), member('801', '2', 4)],
  ],
  'likes and their end': [
    ...[
      tweet('10', { like_count: 3 }),
      like(),
      like(2),
      like(1),
      { kind: 'unlike', tweet_id: '10', at: Date.parse(at(3)) } as const,
    ],
    ...[like(2), like(), like(4)],
    { kind: 'unlike', tweet_id: '10', at: Date.parse(at(3)) },
  ],
};

let tables: ArchiveTables;
beforeAll(async () => void (tables = await sqliteTables()));
afterAll(() => tables.dispose());

test.each(Object.entries(histories))('%s, in one transaction', async (_what, changes) => {
  await tables.clear();
  const archive = new Archive();
  const expected = applied(archive, changes);
  expect((await archiveOn(tables).apply(changes)).outcomes).toEqual(expected.outcomes);
  expect(await eventsIn(tables, 0)).toEqual(recordsOf(expected.events));
  expect(sortedContent(await contentIn(tables))).toEqual(sortedContent(archive.changes()));
});

test.each(Object.entries(histories))('%s, in a transaction each', async (_what, changes) => {
  await tables.clear();
  const archive = new Archive();
  for (const [place, change] of changes.entries()) {
    const before = await eventCount(tables);
    const expected = applied(archive, [change]);
    // A new archive each time: nothing is in memory.
    const { outcomes } = await archiveOn(tables).apply([change]);
    expect([place, outcomes]).toEqual([place, expected.outcomes]);
    expect(await eventsIn(tables, before)).toEqual(recordsOf(expected.events));
    expect([place, sortedContent(await contentIn(tables))]).toEqual([place, sortedContent(archive.changes())]);
  }
});
