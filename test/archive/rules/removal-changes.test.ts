/** Removals one by one. `test/archive/rules/removal.test.ts` compares random ones with a plain model. */
import { describe, expect, test } from '@jest/globals';
import type { Change } from '../../../server/archive/rules/change.ts';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { archiveOf, lastOf } from './applied.ts';

const [early, at, late] = ['2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'] as const;
const tweet = (id: string, more: object = {}): Change => ({
  kind: 'tweet',
  tweet: { id, text: `text ${id}`, created_at: early, author_id: '1', ...more } as ArchivedTweet,
});
const user = (id: string): Change => ({ kind: 'user', user: { id, username: `u${id}` } });
const withdraw = (user_id: string, more: object = {}): Change => ({ kind: 'withdraw', user_id, at, ...more });
const reinstate = (user_id: string): Change => ({ kind: 'reinstate', user_id });
const follow = (follower_id: string, following_id: string, created_at = early): Change => ({
  ...{ kind: 'follow', follower_id, following_id, created_at },
});
const list = (id: string, owner_id?: string): Change =>
  ({ kind: 'list', list: { id, slug: id, ...(owner_id === undefined ? {} : { owner_id }) } }) as Change;
const member = (list_id: string, user_id: string): Change => ({
  kind: 'list_member',
  list_id,
  user_id,
  created_at: early,
});

test.each<[string, Change[], string[]]>([
  ['an unfollow without a follow', [{ kind: 'unfollow', follower_id: '1', following_id: '2', at }], ['added']],
  ['an unfollow', [follow('1', '2'), { kind: 'unfollow', follower_id: '1', following_id: '2', at }], ['updated']],
  ['the end of an unknown retweet', [{ kind: 'unretweet', tweet_id: '5', user_id: '1', at }], ['added']],
  ['the end of a like without a like', [tweet('5'), { kind: 'unlike', tweet_id: '5', at }], ['added']],
  [
    'the end of a like',
    [tweet('5'), { kind: 'like', tweet_id: '5' }, { kind: 'unlike', tweet_id: '5', at }],
    ['updated', 'tweet.unliked 5'],
  ],
  ['a withdrawal of an unknown account', [withdraw('1')], ['added']],
  ['a withdrawal', [user('1'), withdraw('1')], ['updated']],
  ['a withdrawal again', [user('1'), withdraw('1'), withdraw('1')], ['unchanged']],
  [
    'a withdrawal with more lists',
    [withdraw('1', { list_ids: ['8'] }), withdraw('1', { list_ids: ['8', '9'] })],
    ['updated'],
  ],
  ['a reinstatement of an account that is there', [user('1'), reinstate('1')], ['unchanged']],
  ['a reinstatement', [withdraw('1'), reinstate('1')], ['updated']],
])('the outcome of %s', (_what, changes, expected) => {
  expect(lastOf(...changes)).toEqual(expected);
});

describe('the end of a retweet', () => {
  const retweet = (id: string, created_at: string, author_id = '2'): Change =>
    tweet(id, { retweeted_tweet_id: '5', author_id, created_at });
  const end: Change = { kind: 'unretweet', tweet_id: '5', user_id: '2', at };
  const known = [tweet('5'), retweet('10', early), retweet('11', at), retweet('12', late), retweet('13', early, '3')];

  test('removes the retweets of the user up to its time', () => {
    expect(lastOf(...known, end)).toEqual(['updated', 'tweet.deleted 10', 'tweet.deleted 11']);
    const kept = [...archiveOf(...known, end).changes()].flatMap((each) =>
      each.kind === 'tweet' ? [each.tweet.id] : [],
    );
    expect(kept).toEqual(['5', '12', '13']);
  });
  test('is the reason of their removal', () => {
    const { events } = archiveOf(...known).apply(end);
    expect(events[0]).toMatchObject({ tombstone: { id: '10', reason: 'deleted', at: Date.parse(at) } });
  });
});

describe('a withdrawal', () => {
  const others: Change[] = [tweet('20', { author_id: '2' }), list('80', '2'), follow('2', '3')];
  const known: Change[] = [
    ...[user('1'), user('2'), tweet('10'), tweet('11', { retweeted_tweet_id: '10', author_id: '2' })],
    ...[
      follow('1', '2'),
      follow('2', '1'),
      list('70', '1'),
      list('71'),
      list('72'),
      member('70', '3'),
      member('80', '1'),
    ],
    { kind: 'highlight', user_id: '1', tweet_id: '20' },
    { kind: 'membership', user_id: '1', community_id: '60', role: 'member' },
    { kind: 'space', space: { id: 's', title: 'S', host_id: '1', created_at: early, state: 'ended' } } as Change,
    { kind: 'space', space: { id: 't', title: 'T', host_id: '2', created_at: early, state: 'ended' } } as Change,
    ...others,
  ];
  const withdrawn = (...more: Change[]) => archiveOf(...known, withdraw('1', { list_ids: ['71', '80'] }), ...more);

  test('removes everything of the account, and the lists that it names and nobody else owns', () => {
    const [removal, ...content] = withdrawn().changes();
    expect(removal).toEqual({ kind: 'withdraw', user_id: '1', at, list_ids: ['70', '71'] });
    expect(content.filter(({ kind }) => kind !== 'delete')).toEqual([
      ...[user('2'), others[0], { kind: 'space', space: expect.objectContaining({ id: 't' }) }],
      ...[list('72'), list('80', '2'), others[2]],
    ]);
    expect(content.filter(({ kind }) => kind === 'delete')).toMatchObject([
      { tweet_id: '10', reason: 'account', at },
      { tweet_id: '11', reason: 'retweet', at },
    ]);
  });

  test('excludes the account and its lists until the account is there again', () => {
    const archive = withdrawn();
    const records = [user('1'), tweet('12'), follow('1', '2'), list('70', '1'), member('71', '3')];
    expect(records.map((each) => archive.apply(each).outcome)).toEqual(records.map(() => 'unchanged'));
    archive.apply(reinstate('1'));
    expect(records.map((each) => archive.apply(each).outcome)).toEqual(records.map(() => 'added'));
    expect(archive.apply(tweet('10')).outcome).toBe('added');
  });

  test('hides what others have of the account; it has to come again after a reinstatement', () => {
    const archive = withdrawn(reinstate('1'));
    const relations = [...archive.changes()].filter(({ kind }) => kind === 'follow' || kind === 'list_member');
    expect(relations).toEqual([follow('2', '3')]);
    expect([follow('2', '1'), member('80', '1')].map((each) => archive.apply(each).outcome)).toEqual([
      'added',
      'added',
    ]);
  });

  test('again removes lists that it names now', () => {
    const archive = withdrawn();
    expect(archive.apply(withdraw('1', { list_ids: ['72'], at: late })).outcome).toBe('updated');
    const [removal, ...content] = archive.changes();
    expect(removal).toEqual({ kind: 'withdraw', user_id: '1', at, list_ids: ['70', '71', '72'] });
    expect(content.filter(({ kind }) => kind === 'list')).toEqual([list('80', '2')]);
  });

  test('keeps the retweets of the account from coming back', () => {
    const retweeted: Change = { kind: 'retweet', tweet_id: '20', user_id: '1', created_at: early };
    const archive = archiveOf(...others, retweeted, withdraw('1'));
    expect([...archive.changes()].some(({ kind }) => kind === 'retweet')).toBe(false);
    archive.apply(reinstate('1'));
    expect([...archive.changes()].some(({ kind }) => kind === 'retweet')).toBe(false);
    expect(archive.apply(retweeted).outcome).toBe('added');
  });
});

describe('an eviction', () => {
  const evict = (more: object): Change =>
    ({ kind: 'evict', tweet_ids: [], user_ids: [], tombstone_ids: [], at, ...more }) as Change;
  const known: Change[] = [user('1'), user('2'), tweet('10'), { kind: 'delete', tweet_id: '11', at }];
  test.each<[string, object, string]>([
    ['of a tweet', { tweet_ids: ['99', '10'] }, 'updated'],
    ['of a profile', { user_ids: ['99', '2'] }, 'updated'],
    ['of a tombstone', { tombstone_ids: ['99', '11'] }, 'updated'],
    ['of what is not there', { tweet_ids: ['99'], user_ids: ['99'], tombstone_ids: ['99'] }, 'unchanged'],
    ['of nothing', {}, 'unchanged'],
  ])('%s: its outcome', (_what, more, outcome) => {
    expect(archiveOf(...known).apply(evict(more))).toEqual({ outcome, events: [] });
  });
  test('keeps the profiles of authors', () => {
    const archive = archiveOf(...known, evict({ user_ids: ['1', '2'] }));
    expect([archive.profile('1')?.username, archive.profile('2')]).toEqual(['u1', undefined]);
    archive.apply(evict({ tweet_ids: ['10'], user_ids: ['1'] }));
    expect(archive.profile('1')).toBeUndefined();
  });
  test('permits the tweet of an evicted tombstone again', () => {
    const archive = archiveOf(...known, evict({ tombstone_ids: ['11'] }));
    expect([archive.isRemoved('11'), archive.apply(tweet('11')).outcome]).toEqual([false, 'added']);
  });
});

describe('the removal of places', () => {
  const placed = (id: string, more: object = {}): Change => tweet(id, { place: 'Town', ...more });
  const scrub = (tweet_id: string, user_id?: string): Change => ({
    ...{ kind: 'scrub_geo', tweet_id, at },
    ...(user_id === undefined ? {} : { user_id }),
  });
  const known = [placed('9'), placed('10'), placed('11'), placed('8', { author_id: '2' }), tweet('7')];
  test.each<[string, Change[], string[]]>([
    ['of one tweet', [...known, scrub('10')], ['updated', 'tweet.updated 10']],
    ['of one tweet without a place', [...known, scrub('7')], ['added']],
    ['of an unknown tweet', [...known, scrub('99')], ['added']],
    ['of a user up to a tweet', [...known, scrub('10', '1')], ['updated', 'tweet.updated 9', 'tweet.updated 10']],
    ['of a user again', [...known, scrub('10', '1'), scrub('10', '1')], ['unchanged']],
    ['of a user up to a later tweet', [...known, scrub('10', '1'), scrub('11', '1')], ['updated', 'tweet.updated 11']],
    ['of a user up to a later unknown tweet', [scrub('10', '1'), scrub('11', '1')], ['updated']],
  ])('%s', (_what, changes, expected) => {
    expect(lastOf(...changes)).toEqual(expected);
  });
  test('holds for records that come later', () => {
    const archive = archiveOf(scrub('10', '1'), placed('10'), placed('11'));
    expect([archive.tweet('10'), archive.tweet('11')].map((each) => each?.place)).toEqual([undefined, 'Town']);
  });
});

test('a deletion of an unknown tweet keeps what its record knows of it', () => {
  const archive = archiveOf(
    { kind: 'delete', tweet_id: '10', at, author_id: '1', retweeted_tweet_id: '5' },
    { kind: 'delete', tweet_id: '11', author_id: '1' },
    { kind: 'delete', tweet_id: '12', retweeted_tweet_id: '5', reason: 'withheld', uri: 'at://a' },
  );
  expect([...archive.changes()]).toEqual([
    { kind: 'delete', tweet_id: '10', at, reason: 'deleted', tombstone: { author_id: '1', retweeted_tweet_id: '5' } },
    { kind: 'delete', tweet_id: '11', reason: 'deleted', tombstone: { author_id: '1' } },
    { kind: 'delete', tweet_id: '12', reason: 'withheld', uri: 'at://a' },
  ]);
});
