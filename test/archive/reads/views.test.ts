// Tests server/archive/reads/views.ts and server/archive/reads/loaded-records.ts.
/** What callers get of records: what a record does not say has a default, and names are those of now. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Change } from '../../../server/archive/rules/change.ts';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { openArchiveOf, type ServiceArchive } from '../../support/stored-archive.ts';

const [time, later] = ['2026-01-01T01:00:00+01:00', '2026-01-01T02:00:00Z'];
const entities = { mentions: [], hashtags: [], cashtags: [], urls: [] };
const tweet = (id: string, more: object = {}): Change => ({
  kind: 'tweet',
  tweet: { id, text: `text ${id}`, created_at: time, author_id: '1', ...more } as ArchivedTweet,
});
const profile = {
  ...{ name: 'Mira L', description: 'Codes', location: 'Rome', verified: true, is_blue_verified: true },
  ...{ followers_count: 1, following_count: 2, tweet_count: 3, like_count: 4, media_count: 5 },
  ...{ profile_image: 'https://images.example/a.jpg', profile_banner: 'https://images.example/b.jpg' },
  pinned_tweet_ids: ['10'],
};
const stored = { file: 'a.jpg', video_file: 'a.mp4', type: 'video', url: 'https://video.example/a.jpg' };
const plain = { type: 'photo', url: 'https://images.example/c.jpg' };
const card = { url: 'https://example.org', title: 'Card', description: 'About', domain: 'example.org' };
const article = { title: 'Title', text: 'Whole text' };

const changes: readonly Change[] = [
  { kind: 'user', user: { id: '1', username: 'mira', created_at: time, ...profile } },
  { kind: 'user', user: { id: '2', username: 'tom' } },
  tweet('10'),
  tweet('11', { author_id: '9', media: [stored, plain], card, like_count: 3 }),
  tweet('12', {
    article,
    entities: { ...entities, urls: [{ url: 'https://a.example', display_url: 'a.example' }] },
  }),
  tweet('13', {
    entities: {
      ...entities,
      mentions: [
        ...[
          { username: 'Old_Mira', id: '1', name: 'Old' },
          { username: 'TOM', name: 'T' },
        ],
        ...[
          { username: 'gone', name: 'Gone' },
          { username: 'lost', id: '77' },
          { username: 'bare', id: 'no id' },
        ],
      ],
    },
  }),
  tweet('14', { quoted_tweet_id: '13', in_reply_to_id: '10' }),
  tweet('15', { retweeted_tweet_id: '14', quoted_tweet_id: '999' }),
  {
    kind: 'community',
    community: { id: '70', name: 'Makers', description: 'Make', member_count: 2, join_policy: 'closed' } as never,
  },
  { kind: 'community', community: { id: '71', name: 'Plain' } },
  { kind: 'membership', community_id: '70', user_id: '1', role: 'admin' },
  { kind: 'membership', community_id: '71', user_id: '1', role: 'member' },
  {
    kind: 'space',
    space: {
      ...{ id: 's1', title: 'Talk', state: 'ended', host_id: '1', speaker_ids: ['2', '8'], created_at: time },
      ...{ participant_count: 4, subscriber_count: 5, lang: 'it', is_ticketed: true },
      ...{ scheduled_start: time, started_at: later, ended_at: later },
    } as never,
  },
  { kind: 'space', space: { id: 's2', title: 'Walk', state: 'live', host_id: '8', created_at: time } },
];
let archive: ServiceArchive;
beforeAll(async () => void (archive = await openArchiveOf(changes)));
afterAll(() => archive.close());

const iso = '2026-01-01T00:00:00.000Z';
const unknownUser = {
  ...{ description: '', location: '', verified: false, is_blue_verified: false, pinned_tweet_ids: [] },
  ...{ followers_count: 0, following_count: 0, tweet_count: 0, like_count: 0, media_count: 0 },
  ...{ profile_image: '', profile_banner: '' },
};
const mira = { id: '1', name: 'Mira L', username: 'mira', profile_image: profile.profile_image, followers_count: 1 };
const stub = (id: string): object => ({
  ...{ id, name: '', username: '', profile_image: '', followers_count: 0 },
  verified: false,
});
const noCounts = {
  ...{ retweet_count: 0, reply_count: 0, like_count: 0, quote_count: 0, bookmark_count: 0, view_count: 0 },
};
const shown = (id: string, more: object = {}): object => ({
  ...{ id, text: `text ${id}`, created_at: iso, author: { ...mira, verified: true }, ...noCounts, media: [] },
  ...{ entities, quoted_tweet: null, retweeted_tweet: null, ...more },
});

describe('a user', () => {
  test.each<[string, string, object, string[]]>([
    ['has all members of the profile', '1', { id: '1', username: 'mira', created_at: iso, ...profile }, []],
    [
      'has the username as name, and no time of creation, where the profile has none',
      '2',
      { ...unknownUser, id: '2', username: 'tom', name: 'tom' },
      ['followers_count', 'following_count', 'tweet_count', 'like_count', 'media_count'],
    ],
    [
      'without a profile has an id only',
      '9',
      { ...unknownUser, id: '9', username: '', name: '' },
      ['followers_count', 'following_count', 'tweet_count', 'like_count', 'media_count'],
    ],
  ])('%s', async (_what, user_id, user, unknown_counts) => {
    expect(await archive.platform.userInfo({ user_id })).toEqual({ user, unknown_counts });
    expect(await archive.platform.users([{ user_id }])).toEqual([user]);
  });
});

describe('a tweet', () => {
  const mentions = [
    ...[
      { username: 'Old_Mira', id: '1', name: 'Mira L' },
      { username: 'TOM', id: '2', name: 'T' },
    ],
    ...[
      { username: 'gone', name: 'Gone' },
      { username: 'lost', id: '77' },
      { username: 'bare', id: 'no id' },
    ],
  ];
  const quoted = shown('13', { entities: { ...entities, mentions } });
  test.each<[string, string, object]>([
    ['has empty lists where the record has none', '10', shown('10')],
    [
      'has the addresses of the stored files, a card, and an author without a profile',
      '11',
      shown('11', {
        ...{ author: stub('9'), like_count: 3, card },
        media: [{ type: 'video', url: '/media/a.jpg', video_url: '/media/a.mp4' }, plain],
      }),
    ],
    [
      'has an article and links',
      '12',
      shown('12', {
        article,
        entities: { ...entities, urls: [{ url: 'https://a.example', display_url: 'a.example' }] },
      }),
    ],
    ['mentions users with their names and ids of now, otherwise those of the record', '13', quoted],
    ['has the quoted tweet with its mentions', '14', shown('14', { quoted_tweet: quoted })],
    [
      'has the retweeted tweet without what that one quotes, and nothing for an unknown tweet',
      '15',
      shown('15', { retweeted_tweet: shown('14') }),
    ],
  ])('%s', async (_what, id, expected) => {
    expect(await archive.platform.tweet(id)).toEqual(expected);
  });

  test('in short form has the author without the verification', async () => {
    const [first, second] = await archive.platform.repliesBelow(['10', '11'], { levels: 1, limit: 5 });
    expect(first).toEqual({ id: '14', text: 'text 14', created_at: iso, author: mira, ...noCounts });
    expect(second).toBeUndefined();
  });
});

test('a space has its people and times; what the record does not say is 0, false, null or undetermined', async () => {
  const [host, tom] = [
    { ...mira, verified: true },
    { ...stub('2'), name: 'tom', username: 'tom' },
  ];
  const end = new Date(later).toISOString();
  expect(await archive.platform.space('s1')).toEqual({
    ...{ id: 's1', title: 'Talk', state: 'ended', host, speakers: [tom, stub('8')], created_at: iso },
    ...{ participant_count: 4, subscriber_count: 5, lang: 'it', is_ticketed: true },
    ...{ scheduled_start: iso, started_at: end, ended_at: end },
  });
  expect(await archive.platform.space('s2')).toEqual({
    ...{ id: 's2', title: 'Walk', state: 'live', host: stub('8'), speakers: [], created_at: iso },
    ...{ participant_count: 0, subscriber_count: 0, lang: 'und', is_ticketed: false },
    ...{ scheduled_start: null, started_at: null, ended_at: null },
  });
});

test('a community has the role of its member, and names the counts that are unknown', async () => {
  const [makers, bare] = [
    { id: '70', name: 'Makers', description: 'Make', member_count: 2, moderator_count: 0, join_policy: 'closed' },
    { id: '71', name: 'Plain', description: '', member_count: 0, moderator_count: 0, join_policy: 'open' },
  ];
  const { platform } = archive;
  expect((await platform.communitiesOf('mira', { after: undefined, limit: 9 })).items).toEqual(
    expect.arrayContaining([
      { ...makers, role: 'admin' },
      { ...bare, role: 'member' },
    ]),
  );
  expect(await platform.communityOf('70', '1')).toEqual({ username: 'mira', community: { ...makers, role: 'admin' } });
  expect(await platform.communityOf('70', '2')).toEqual({ username: 'tom', community: undefined });
  expect(await platform.communityInfo('70')).toEqual({ community: makers, unknown_counts: ['moderator_count'] });
  expect(await platform.communityInfo('71')).toEqual({
    community: bare,
    unknown_counts: ['member_count', 'moderator_count'],
  });
});
