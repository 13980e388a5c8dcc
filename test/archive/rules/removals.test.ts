import { describe, expect, test } from '@jest/globals';
import type { Change } from '../../../server/archive/rules/change.ts';
import { Removals } from '../../../server/archive/rules/removals.ts';
import type { RemovalReason, RemovedTweet, Tombstone } from '../../../server/domain/tombstone.ts';

const tombstone = (id: string, reason: RemovalReason, tweet?: RemovedTweet, more: object = {}): Tombstone => ({
  ...{ id, reason, at: 5 },
  ...(tweet === undefined ? {} : { tweet }),
  ...more,
});
const retweetOf = (id: string): RemovedTweet => ({ author_id: '8', retweeted_tweet_id: id });

describe('a removed tweet is excluded', () => {
  test.each<[string, Tombstone[], boolean]>([
    ['not where it is not removed', [], false],
    ['where its author deleted it', [tombstone('1', 'deleted')], true],
    ['where it is withheld', [tombstone('1', 'withheld')], true],
    ['where it was erased', [tombstone('1', 'erased')], true],
    ['while its account is withdrawn', [tombstone('1', 'account', { author_id: '9' })], true],
    ['not while its account is there again', [tombstone('1', 'account', { author_id: '7' })], false],
    ['where its account is unknown', [tombstone('1', 'account')], true],
    [
      'as a retweet while the tweet is deleted',
      [tombstone('1', 'retweet', retweetOf('2')), tombstone('2', 'deleted')],
      true,
    ],
    ['not as a retweet of a tweet that is not removed', [tombstone('1', 'retweet', retweetOf('2'))], false],
    ['not as a retweet of an unknown tweet', [tombstone('1', 'retweet')], false],
    [
      'as a retweet of a retweet of a deleted tweet',
      [tombstone('1', 'retweet', retweetOf('2')), tombstone('2', 'retweet', retweetOf('3')), tombstone('3', 'erased')],
      true,
    ],
    [
      'as a retweet of a tweet whose account is withdrawn',
      [tombstone('1', 'retweet', retweetOf('2')), tombstone('2', 'account', { author_id: '9' })],
      true,
    ],
    [
      'not as a retweet of a tweet whose account is there again',
      [tombstone('1', 'retweet', retweetOf('2')), tombstone('2', 'account', { author_id: '7' })],
      false,
    ],
    [
      'not as one of two retweets of each other',
      [tombstone('1', 'retweet', retweetOf('2')), tombstone('2', 'retweet', retweetOf('1'))],
      false,
    ],
  ])('%s', (_when, tombstones, isBlocked) => {
    const removals = new Removals();
    removals.withdraw('9', 1, []);
    for (const each of tombstones) removals.bury(each);
    expect(removals.isBlocked('1')).toBe(isBlocked);
  });
});

describe('a tombstone', () => {
  const tweet: RemovedTweet = { author_id: '8' };
  const uri = 'at://a';
  const deleted = tombstone('1', 'deleted', tweet);
  const erased = tombstone('1', 'erased', undefined, { at: 9 });
  const retweet = tombstone('1', 'retweet');
  const known = tombstone('1', 'account', tweet);
  test.each<[string, Tombstone, Tombstone, boolean, Tombstone]>([
    ['with a stronger reason wins', deleted, erased, true, { ...erased, tweet }],
    ['with an equal reason changes nothing', deleted, tombstone('1', 'withheld'), false, deleted],
    ['with a weaker reason changes nothing', deleted, tombstone('1', 'account'), false, deleted],
    [
      'of an account is stronger than that of a retweet',
      retweet,
      tombstone('1', 'account'),
      true,
      tombstone('1', 'account'),
    ],
    ['that knows the tweet completes another one', erased, { ...retweet, tweet }, true, { ...erased, tweet }],
    ['that knows the address completes another one', erased, { ...retweet, uri }, true, { ...erased, uri }],
    [
      'keeps what it knows',
      { ...known, uri },
      { ...known, tweet: { author_id: '7' }, uri: 'at://b' },
      false,
      { ...known, uri },
    ],
  ])('%s', (_what, first, second, isChange, expected) => {
    const removals = new Removals();
    expect(removals.wouldBury(first)).toBe(true);
    removals.bury(first);
    expect(removals.wouldBury(second)).toBe(isChange);
    removals.bury(second);
    expect([removals.tombstone('1'), [...removals.tombstones()]]).toEqual([expected, [expected]]);
  });

  test('of a retweet is found by the tweet, as long as it is one', () => {
    const removals = new Removals();
    for (const id of ['1', '2', '3']) removals.bury(tombstone(id, 'retweet', retweetOf('9')));
    removals.bury(tombstone('4', 'deleted', retweetOf('9')));
    removals.bury(tombstone('5', 'retweet'));
    expect([removals.removedRetweetsOf('9'), removals.removedRetweetsOf('8')]).toEqual([['1', '2', '3'], []]);
    removals.unbury('1');
    removals.bury(tombstone('2', 'deleted'));
    for (const id of ['4', '5', '6']) removals.unbury(id);
    expect([removals.removedRetweetsOf('9'), removals.tombstone('1'), removals.tombstone('2')?.reason]).toEqual([
      ...[['3'], undefined, 'deleted'],
    ]);
  });
});

describe('a withdrawn account', () => {
  test('keeps the time of its first withdrawal, and all its removed lists', () => {
    const removals = new Removals();
    removals.withdraw('1', 5, ['a']);
    removals.withdraw('2', 6, []);
    removals.withdraw('1', 9, ['b', 'a']);
    expect([...removals.withdrawals()]).toEqual([
      ['1', 5, ['a', 'b']],
      ['2', 6, []],
    ]);
    expect([removals.isListRemoved('a'), removals.isListRemoved('c')]).toEqual([true, false]);
  });
  test('has its lists again with its reinstatement, and no others', () => {
    const removals = new Removals();
    removals.withdraw('1', 5, ['a']);
    removals.withdraw('2', 5, ['b']);
    removals.reinstate('1');
    expect([removals.isWithdrawn('1'), removals.isWithdrawn('2')]).toEqual([false, true]);
    expect([removals.isListRemoved('a'), removals.isListRemoved('b')]).toEqual([false, true]);
  });
});

describe('a change is ignored', () => {
  /** Account 9 is withdrawn with its list 90, and tweet 99 is deleted. Others are there. */
  const removals = new Removals();
  removals.withdraw('9', 1, ['90']);
  removals.bury(tombstone('99', 'deleted'));
  const tweet = (more: object): object => ({ kind: 'tweet', tweet: { id: '1', author_id: '1', ...more } });
  const both = (kind: string, ...members: [name: string, blocked: string][]): [object, boolean][] => {
    const free = { kind, ...Object.fromEntries(members.map(([name]) => [name, '1'])) };
    return [[free, false], ...members.map(([name, id]): [object, boolean] => [{ ...free, [name]: id }, true])];
  };
  test.each<[object, boolean]>([
    [tweet({}), false],
    [tweet({ author_id: '9' }), true],
    [tweet({ id: '99' }), true],
    [tweet({ retweeted_tweet_id: '99' }), true],
    [tweet({ retweeted_tweet_id: '2' }), false],
    [tweet({ quoted_tweet_id: '99' }), false],
    [{ kind: 'user', user: { id: '9' } }, true],
    [{ kind: 'user', user: { id: '1' } }, false],
    ...both('follow', ['follower_id', '9'], ['following_id', '9']),
    ...both('unfollow', ['follower_id', '9'], ['following_id', '9']),
    ...both('retweet', ['user_id', '9'], ['tweet_id', '99']),
    ...both('unretweet', ['user_id', '9'], ['tweet_id', '99']),
    ...both('highlight', ['user_id', '9']),
    ...both('membership', ['user_id', '9']),
    ...both('list_member', ['user_id', '9'], ['list_id', '90']),
    ...both('like', ['tweet_id', '99']),
    ...both('unlike', ['tweet_id', '99']),
    [{ kind: 'space', space: { host_id: '9' } }, true],
    [{ kind: 'space', space: { host_id: '1' } }, false],
    [{ kind: 'list', list: { owner_id: '9' } }, true],
    [{ kind: 'list', list: { owner_id: '1' } }, false],
    [{ kind: 'restore', tweet_id: '99' }, false],
    [{ kind: 'reinstate', user_id: '9' }, false],
  ])('%j: %s', (change, isBlocked) => {
    expect(removals.blocks(change as Change)).toBe(isBlocked);
  });
});
