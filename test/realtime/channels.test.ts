import { describe, expect, test } from '@jest/globals';
import { allExcept, type GoneTweet, type KnownUser, type TweetSnapshot } from '../../server/ports/platform.ts';
import {
  channels,
  readChannel,
  resolveChannel,
  searchTarget,
  topics,
  type ChannelName,
  type ChannelParams,
  type ChannelSource,
} from '../../server/realtime/channels.ts';
import { notFound } from '../../server/contract/service-error.ts';
import { options } from '../support/call-options.ts';

const unsupportedReason = 'this platform has no communities';
/** A platform with one user who has an id, one who has none, one tweet and one community. */
const platform: ChannelSource = {
  capabilities: allExcept({}),
  async user(ref): Promise<KnownUser> {
    if ('user_id' in ref && ref.user_id === '1') return { id: '1', username: 'Mira' };
    if ('username' in ref && ref.username === 'mira') return { id: '1', username: 'Mira' };
    if ('username' in ref && ref.username === 'New') return { id: undefined, username: 'New' };
    throw notFound('user');
  },
  async snapshots([id]) {
    return [
      id === '5' ? ({ isGone: false } as TweetSnapshot) : id === '6' ? ({ isGone: true } as GoneTweet) : undefined,
    ];
  },
  hasCommunity: async (id) => id === '70',
};
const resolve = (name: ChannelName, params: ChannelParams, source = platform) =>
  resolveChannel(name, params, source, options);

describe('a subscription', () => {
  test.each<[ChannelName, ChannelParams, string, boolean, string, string]>([
    ['user:tweets', { user_id: '1' }, 'full', false, 'author 1', '/social/user/last_tweets?user_id=1'],
    ['user:tweets', { username: 'mira' }, 'full', false, 'author 1', '/social/user/last_tweets?username=mira'],
    ['user:tweets', { username: 'New' }, 'full', false, 'author @new', '/social/user/last_tweets?username=New'],
    ['user:mentions', { username: 'mira' }, 'short', false, 'mention 1', '/social/user/mentions?username=mira'],
    ['user:mentions', { username: 'New' }, 'short', false, 'mention @new', '/social/user/mentions?username=New'],
    ['tweet:replies', { tweet_id: '5' }, 'full', false, 'reply 5', '/social/tweet/replies?tweet_id=5'],
    ['tweet:engagement', { tweet_id: '5' }, 'counts', true, 'engagement 5', '/social/tweet/assistant?tweet_id=5'],
    ['community:tweets', { id: '70' }, 'short', false, 'community 70', '/social/community/discover?id=70'],
    [
      'community:members',
      { username: 'mira' },
      'community',
      false,
      'member 1',
      '/social/community/members?username=mira',
    ],
    [
      'community:members',
      { username: 'New' },
      'community',
      false,
      'member @new',
      '/social/community/members?username=New',
    ],
    ['assistant:pool', {}, 'pool', true, 'pool', '/social/assistant/status'],
  ])('to %s %j has its view, its topic and the path of REST', async (channel, params, view, isState, topic, path) => {
    expect(await resolve(channel, params)).toEqual({ channel, params, view, isState, selector: { topic }, path });
  });

  test('to a search has the condition of its query', async () => {
    const params = { query: 'coffee' };
    const target = {
      ...{
        channel: 'search:tweets',
        params,
        view: 'short',
        isState: false,
        path: expect.stringMatching(/\?query=coffee$/),
      },
      selector: { condition: expect.objectContaining({ is: 'all' }) },
    };
    expect(await resolve('search:tweets', params)).toEqual(target);
    expect(searchTarget('coffee')).toEqual(target);
  });

  test.each<[ChannelName, ChannelParams, string]>([
    ['user:tweets', { user_id: '2' }, 'user not found'],
    ['tweet:replies', { tweet_id: '4' }, 'tweet 4 not found'],
    ['tweet:engagement', { tweet_id: '6' }, 'tweet 6 not found'],
    ['community:tweets', { id: '71' }, 'community 71 not found'],
  ])('to %s %j is rejected with 404', async (channel, params, message) => {
    await expect(resolve(channel, params)).rejects.toMatchObject({ status: 404, message });
  });

  test.each<[ChannelName, ChannelParams, string]>([
    ['user:tweets', {}, "'user:tweets' needs exactly one of 'username' or 'user_id'"],
    ['user:tweets', { username: 'a', user_id: '1' }, "'user:tweets' needs exactly one of 'username' or 'user_id'"],
    ['user:tweets', { id: '1' }, "'user:tweets' has no parameter 'id': send 'username' or 'user_id'"],
    ['community:tweets', {}, "'community:tweets' needs exactly one of 'id'"],
    ['assistant:pool', { id: '1' }, "'assistant:pool' has no parameter 'id': it takes none"],
  ])('to %s %j is rejected with 400', async (channel, params, message) => {
    expect(() => readChannel(channel, params)).toThrow(expect.objectContaining({ status: 400, message }));
    await expect(resolve(channel, params)).rejects.toMatchObject({ status: 400, message });
  });

  test('to a channel whose operation the platform does not support is rejected with 501', async () => {
    const capabilities = allExcept({ discoverCommunityTweets: unsupportedReason });
    await expect(resolve('community:tweets', { id: '70' }, { ...platform, capabilities })).rejects.toMatchObject({
      ...{ status: 501, message: unsupportedReason },
    });
  });

  test('is read without the platform, and knows its operation', () => {
    expect(readChannel('tweet:replies', { tweet_id: '4' })).toMatchObject({
      ...{ operation: 'getTweetReplies', selector: { tweetId: '4', topic: 'reply 4' } },
    });
    expect(Object.keys(channels)).toHaveLength(8);
  });
});

test('no two kinds of topics have a name in common, and usernames are in lower case', () => {
  const byId = [topics.author, topics.mention, topics.reply, topics.engagement, topics.community, topics.member];
  const byName = [topics.authorName, topics.mentionName, topics.memberName];
  expect([...byId.map((topic) => topic('1')), ...byName.map((topic) => topic('Ann')), topics.pool]).toEqual([
    ...['author 1', 'mention 1', 'reply 1', 'engagement 1', 'community 1', 'member 1'],
    ...['author @ann', 'mention @ann', 'member @ann', 'pool'],
  ]);
});
