// Tests server/formats/note-tweets.ts, server/formats/poll.ts and server/formats/web.ts.
/** Answers of the GraphQL interface of the web pages of X. */
import { describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { recognise } from '../../server/import/recognise.ts';

const recordsOf = (value: unknown): ArchiveRecord[] =>
  recognise(value).flatMap((element) => ('records' in element ? element.records : []));
const reasonsOf = (value: unknown): string[] =>
  recognise(value).flatMap((element) => ('reason' in element ? [element.reason] : []));
const tweetsOf = (value: unknown) =>
  recordsOf(value).flatMap((record) => (record.kind === 'tweet' ? [record.tweet] : []));

/** A user as of 2023, with its members in `legacy`. */
const oldUser = (id: string, name: string): object => ({
  __typename: 'User',
  rest_id: id,
  is_blue_verified: true,
  legacy: {
    ...{ screen_name: name, name: `${name} &amp; co`, created_at: 'Sat Dec 14 04:35:55 +0000 2013', description: 'd' },
    ...{
      followers_count: 5,
      friends_count: 6,
      statuses_count: 7,
      favourites_count: 8,
      media_count: 9,
      location: 'Here',
    },
    pinned_tweet_ids_str: ['99'],
  },
});
/** A user as of 2025. */
const newUser = (id: string, name: string): object => ({
  __typename: 'User',
  rest_id: id,
  core: { screen_name: name, name, created_at: 'Sat Dec 14 04:35:55 +0000 2013' },
  avatar: { image_url: 'https://i.example/a.png' },
  location: { location: 'There' },
  relationship_counts: { followers: 15, following: 16 },
  tweet_counts: { tweets: 17, media_tweets: 19 },
  verification: { verified: false },
});
const post = (id: string, user: object, more: Record<string, object> = {}, legacy: object = {}): object => ({
  __typename: 'Tweet',
  rest_id: id,
  core: { user_results: { result: user } },
  source: '<a href="https://app.example" rel="nofollow">The App</a>',
  views: { count: '700', state: 'EnabledWithCount' },
  legacy: {
    ...{ id_str: id, created_at: 'Fri Jul 31 21:34:08 +0000 2026', full_text: `post ${id} &lt;3`, lang: 'en' },
    ...{ favorite_count: 1, retweet_count: 2, reply_count: 3, quote_count: 4, bookmark_count: 5 },
    ...{ conversation_id_str: '1', entities: { hashtags: [], urls: [], user_mentions: [], symbols: [] } },
    ...legacy,
  },
  ...more,
});
const item = (result: object, more: object = {}): object => ({
  itemType: 'TimelineTweet',
  tweet_results: { result },
  ...more,
});
const entry = (id: string, itemContent: object): object => ({
  entryId: id,
  content: { entryType: 'TimelineTimelineItem', itemContent },
});
const ann = newUser('7', 'ann');
const bob = oldUser('8', 'bob');
const timeline = (...entries: object[]): object => ({
  timeline: {
    instructions: [{ type: 'TimelineClearCache' }, { type: 'TimelineAddEntries', entries }],
  },
});
const cursor = { entryId: 'cursor-bottom-1', content: { entryType: 'TimelineTimelineCursor', value: 'abc' } };
const quoting = post('3', ann, { quoted_status_result: { result: post('4', bob) } }, { quoted_status_id_str: '4' });
const retweet = post('5', ann, {}, { full_text: 'RT @bob: cut…', retweeted_status_result: { result: post('6', bob) } });
const entries = [
  entry('tweet-2', item(post('2', ann))),
  entry('tweet-3', item(quoting)),
  entry('tweet-5', item(retweet)),
  entry('promoted-tweet-9', item(post('9', bob), { promotedMetadata: { advertiser_results: { result: bob } } })),
  entry('tweet-10', item({ __typename: 'TweetTombstone', tombstone: { text: { text: 'This Post was deleted.' } } })),
  entry(
    'tweet-11',
    item({ __typename: 'TweetWithVisibilityResults', tweet: post('11', bob), limitedActionResults: {} }),
  ),
  entry('tweet-12', item({})),
  cursor,
];

describe.each<[string, object]>([
  ['tweets of a user', { data: { user: { result: { __typename: 'User', timeline_v2: timeline(...entries) } } } }],
  ['a search', { data: { search_by_raw_query: { search_timeline: timeline(...entries) } } }],
  ['a list', { data: { list: { tweets_timeline: timeline(...entries) } } }],
  [
    'a community',
    {
      data: {
        communityResults: { result: { __typename: 'Community', ranked_community_timeline: timeline(...entries) } },
      },
    },
  ],
  [
    'a tweet with its conversation',
    {
      data: {
        threaded_conversation_with_injections_v2: {
          instructions: [
            {
              type: 'TimelineAddEntries',
              entries: [
                ...entries.slice(0, 1),
                {
                  entryId: 'conversationthread-1',
                  content: {
                    items: entries.slice(1, -1).map((each, index) => ({
                      entryId: `conversationthread-1-tweet-${index}`,
                      item: { itemContent: (each as { content: { itemContent: object } }).content.itemContent },
                    })),
                  },
                },
                cursor,
              ],
            },
          ],
        },
      },
    },
  ],
])('an answer with the timeline of %s', (_name, answer) => {
  test('gives each tweet, with what it quotes and retweets, but no promoted ones', () => {
    const tweets = tweetsOf(answer);
    expect(tweets.map(({ id }) => id)).toEqual(['2', '4', '3', '6', '5', '11']);
    expect(tweets.find(({ id }) => id === '3')).toMatchObject({ quoted_tweet_id: '4', author_id: '7' });
    expect(tweets.find(({ id }) => id === '5')).toMatchObject({ retweeted_tweet_id: '6', text: 'post 6 <3' });
    expect(
      reasonsOf(answer)
        .map((reason) => reason.replace(/^a tweet that X did not show.*/, 'not shown'))
        .toSorted(),
    ).toEqual(expect.arrayContaining(['a promoted tweet', 'not shown']));
    expect(reasonsOf(answer).join()).toContain('This Post was deleted.');
  });
});

test('a tweet keeps its text, counts, source and author, and a user the counts of both generations', () => {
  expect(recordsOf(post('2', bob))).toEqual([
    {
      kind: 'user',
      user: {
        ...{ id: '8', username: 'bob', name: 'bob & co', description: 'd', location: 'Here' },
        ...{ created_at: '2013-12-14T04:35:55.000Z', followers_count: 5, following_count: 6, tweet_count: 7 },
        ...{ like_count: 8, media_count: 9, is_blue_verified: true, pinned_tweet_ids: ['99'] },
      },
    },
    {
      kind: 'tweet',
      tweet: {
        ...{ id: '2', text: 'post 2 <3', created_at: '2026-07-31T21:34:08.000Z', author_id: '8', retweet_count: 2 },
        ...{ reply_count: 3, like_count: 1, quote_count: 4, bookmark_count: 5, view_count: 700, lang: 'en' },
        ...{
          conversation_id: '1',
          source: 'The App',
          entities: { mentions: [], hashtags: [], cashtags: [], urls: [] },
        },
      },
    },
  ]);
  expect(recordsOf({ data: { user: { result: ann } } })).toEqual([
    {
      kind: 'user',
      user: {
        ...{ id: '7', username: 'ann', name: 'ann', location: 'There', created_at: '2013-12-14T04:35:55.000Z' },
        ...{ followers_count: 15, following_count: 16, tweet_count: 17, media_count: 19, verified: false },
        profile_image: 'https://i.example/a.png',
      },
    },
  ]);
});

test('a long tweet has its whole text and the entities of it, and a card is kept', () => {
  const note = {
    text: 'whole &amp; & "long" #end https://t.co/a',
    entity_set: {
      hashtags: [{ text: 'end' }],
      urls: [{ url: 'https://t.co/a', expanded_url: 'https://news.example/1', display_url: 'news.example/1' }],
    },
  };
  const card = {
    legacy: {
      name: 'summary',
      url: 'https://t.co/a',
      binding_values: [
        { key: 'title', value: { string_value: 'A title' } },
        { key: 'domain', value: { string_value: 'news.example' } },
        { key: 'thumbnail_image_original', value: { image_value: { url: 'https://i.example/c.jpg' } } },
      ],
    },
  };
  const more = { note_tweet: { note_tweet_results: { result: note } }, card };
  const community = { community_results: { result: { __typename: 'Community', id_str: '55' } } };
  expect(tweetsOf(post('2', ann, { ...more, ...community }))).toMatchObject([
    {
      text: 'whole &amp; & "long" #end https://t.co/a',
      entities: { hashtags: ['end'], urls: [{ url: 'https://t.co/a', display_url: 'news.example/1' }] },
      card: {
        url: 'https://news.example/1',
        title: 'A title',
        domain: 'news.example',
        image: 'https://i.example/c.jpg',
      },
      community_id: '55',
    },
  ]);
});

test('accounts of an answer become users; suggested and unavailable ones are named', () => {
  const user = (result: object): object => ({ itemType: 'TimelineUser', user_results: { result } });
  const answer = {
    data: {
      user: {
        result: {
          __typename: 'User',
          timeline: timeline(
            entry('user-7', user(ann)),
            entry('user-8', user({ __typename: 'UserUnavailable', message: 'm', reason: 'Suspended' })),
            entry('who-to-follow-1', user(bob)),
          ),
        },
      },
    },
  };
  expect(recordsOf(answer).map((record) => record.kind === 'user' && record.user.id)).toEqual(['7']);
  expect(reasonsOf(answer)).toEqual(['an account that X did not show', 'accounts that X suggests']);
});

test('a community and its members', () => {
  const community = {
    __typename: 'Community',
    rest_id: '55',
    name: 'Tea',
    description: 'd',
    member_count: 3,
    join_policy: 'Open',
  };
  expect(recordsOf({ data: { communityResults: { result: community } } })).toEqual([
    { kind: 'community', community: { id: '55', name: 'Tea', description: 'd', member_count: 3, join_policy: 'open' } },
  ]);
  const items = [{ result: { ...ann, community_role: 'Admin' } }, { result: { ...bob, community_role: 'Member' } }];
  const id = Buffer.from('Community:55').toString('base64');
  const members = {
    data: { communityResults: { result: { __typename: 'Community', id, members_slice: { items_results: items } } } },
  };
  expect(recordsOf(members).filter(({ kind }) => kind === 'membership')).toEqual([
    { kind: 'membership', community_id: '55', user_id: '7', role: 'admin' },
    { kind: 'membership', community_id: '55', user_id: '8', role: 'member' },
  ]);
});

test('lists of answers, single entries and single results are taken, and one bad value loses nothing', () => {
  const answer = { data: { tweetResult: { result: post('2', ann) } } };
  const bad = post('13', { rest_id: 'x' }, {}, { created_at: 'Mon Feb 30 13:08:45 +0000 2026', user_id_str: '7' });
  expect(tweetsOf([answer, entry('tweet-3', item(quoting)), post('11', bob), bad]).map(({ id }) => id)).toEqual([
    '2',
    '4',
    '3',
    '11',
  ]);
  expect(reasonsOf([bad, post('14', {})])).toEqual([
    expect.stringContaining('created_at'),
    expect.stringContaining('without its author'),
  ]);
  expect(reasonsOf({ data: { timeline: { timeline: { instructions: [] } } } })).toEqual([
    expect.stringContaining('without tweets'),
  ]);
  expect(reasonsOf({ data: { user: {} } })).toEqual([expect.stringContaining('without tweets')]);
});

test('an answer nested without end does not stop the import', () => {
  const deep = Array.from({ length: 50_000 }).reduce<object>((inner) => ({ result: inner }), post('2', ann));
  expect(reasonsOf({ data: { user: deep } })).toEqual([expect.stringContaining('without tweets')]);
});
