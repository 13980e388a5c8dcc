import { describe, expect, test } from '@jest/globals';
import type { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change, DeleteChange } from '../../../server/archive/rules/change.ts';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { archiveOf, lastOf } from './applied.ts';

const at = '2026-03-01T00:00:00.000Z';
const time = Date.parse(at);
const tweet = (id: string, more: object = {}): Change => ({
  kind: 'tweet',
  tweet: { id, text: `text ${id}`, created_at: '2026-01-01T00:00:00.000Z', author_id: '1', ...more } as ArchivedTweet,
});
const remove = (tweet_id: string, more: object = {}): DeleteChange => ({ kind: 'delete', tweet_id, at, ...more });
const retweet = (id: string, of: string, author_id = '2'): Change => tweet(id, { retweeted_tweet_id: of, author_id });

/** The changes of some kinds that the archive would write. */
const contents = (archive: Archive, ...kinds: Change['kind'][]): Change[] =>
  [...archive.changes()].filter(({ kind }) => kinds.includes(kind));

describe('a tweet', () => {
  const observed = (month: number, more: object): object => ({
    observed_at: `2026-0${month}-01T00:00:00.000Z`,
    ...more,
  });
  test.each<[string, Change[], string[]]>([
    ['is created once', [tweet('10')], ['added', 'tweet.created 10']],
    ['is unchanged by the same record', [tweet('10'), tweet('10')], ['unchanged']],
    [
      'is updated by another text',
      [tweet('10'), tweet('10', observed(2, { text: 'b' }))],
      ['updated', 'tweet.updated 10'],
    ],
    ['has other counts', [tweet('10'), tweet('10', { like_count: 5 })], ['updated', 'tweet.engagement 10']],
    [
      'has another text and other counts',
      [tweet('10'), tweet('10', observed(2, { text: 'b', view_count: 5 }))],
      ['updated', 'tweet.updated 10', 'tweet.engagement 10'],
    ],
    ['gets an address without an event', [tweet('10'), tweet('10', { uri: 'at://a' })], ['updated']],
    ['has no later author', [tweet('10'), tweet('10', observed(2, { author_id: '2' }))], ['unchanged']],
    ['has no later time', [tweet('10'), tweet('10', observed(2, { created_at: at }))], ['unchanged']],
    ['becomes no other retweet', [retweet('10', '5'), retweet('10', '6')], ['unchanged']],
    ['becomes a retweet', [tweet('10'), tweet('10', { retweeted_tweet_id: '5' })], ['updated', 'tweet.updated 10']],
  ])('%s', (_what, changes, expected) => {
    expect(lastOf(...changes)).toEqual(expected);
  });

  test('that is a retweet makes its author a retweeter', () => {
    const made = { kind: 'retweet', tweet_id: '5', user_id: '2', created_at: '2026-01-01T00:00:00.000Z' };
    expect(contents(archiveOf(retweet('10', '5')), 'retweet')).toEqual([made]);
    const learnt = archiveOf(tweet('10', { author_id: '2' }), retweet('10', '5'));
    expect(contents(learnt, 'retweet')).toEqual([made]);
  });

  test.each<[string, object]>([
    ['a text', { article: { title: 'a' } }],
    ['a link', { entities: { mentions: [], hashtags: [], cashtags: [], urls: [{}] } }],
  ])('without %s that it should have is refused, and changes nothing', (_what, more) => {
    const archive = archiveOf(tweet('10'));
    for (const id of ['10', '11'])
      expect(() => archive.apply(tweet(id, more))).toThrow(expect.objectContaining({ name: 'UnusableRecord' }));
    expect(contents(archive, 'tweet')).toEqual([tweet('10')]);
  });

  test('loses its place by a record that says so, which is an update', () => {
    const place = { place: 'Town', place_id: 'p', coordinates: { longitude: 1, latitude: 2 } };
    const scrubbed: Change = { ...(tweet('10', place) as Extract<Change, { kind: 'tweet' }>), isScrubbed: true };
    expect(lastOf(tweet('10', place), scrubbed)).toEqual(['updated', 'tweet.updated 10']);
    expect(archiveOf(tweet('10', place), scrubbed).tweet('10')).not.toHaveProperty('place');
  });
});

describe('a deletion', () => {
  const whole = {
    ...{ uri: 'at://a', in_reply_to_id: '3', community_id: '7', quoted_tweet_id: '4' },
    entities: {
      mentions: [
        { username: 'a', id: '5' },
        { username: 'b', name: 'B' },
      ],
      hashtags: [],
      cashtags: [],
      urls: [],
    },
  };

  test('has one event for the tweet and for each of its retweets, with what stays of them', () => {
    const archive = archiveOf(tweet('10', whole), retweet('11', '10'), retweet('12', '11', '3'), tweet('13'));
    const { outcome, events } = archive.apply(remove('10'));
    const created_at = '2026-01-01T00:00:00.000Z';
    expect(outcome).toBe('updated');
    expect(events).toEqual([
      {
        ...{ event: 'tweet.deleted', id: '10' },
        tombstone: {
          ...{ id: '10', reason: 'deleted', at: time, uri: 'at://a' },
          tweet: {
            ...{ author_id: '1', in_reply_to_id: '3', community_id: '7' },
            mentions: [{ username: 'a', id: '5' }, { username: 'b' }],
          },
        },
      },
      {
        ...{ event: 'tweet.deleted', id: '11' },
        tombstone: {
          id: '11',
          reason: 'retweet',
          at: time,
          tweet: { author_id: '2', retweeted_tweet_id: '10', created_at },
        },
      },
      {
        ...{ event: 'tweet.deleted', id: '12' },
        tombstone: {
          id: '12',
          reason: 'retweet',
          at: time,
          tweet: { author_id: '3', retweeted_tweet_id: '11', created_at },
        },
      },
    ]);
    expect(contents(archive, 'tweet')).toEqual([tweet('13')]);
  });

  test.each<[string, Change[], string[]]>([
    ['of an unknown tweet is remembered', [remove('10')], ['added']],
    ['is remembered once', [remove('10'), remove('10')], ['unchanged']],
    ['with a stronger reason is remembered', [remove('10'), remove('10', { reason: 'erased' })], ['updated']],
    ['excludes the tweet', [remove('10'), tweet('10')], ['unchanged']],
    ['excludes its retweets', [remove('10'), retweet('11', '10')], ['unchanged']],
    [
      'of a cycle of retweets ends',
      [retweet('10', '11'), retweet('11', '10'), remove('10')],
      ['updated', 'tweet.deleted 10', 'tweet.deleted 11'],
    ],
    [
      'reaches retweets of a removed retweet',
      [retweet('11', '10'), remove('11'), retweet('12', '11'), remove('10')],
      ['added'],
    ],
  ])('%s', (_what, changes, expected) => {
    expect(lastOf(...changes)).toEqual(expected);
  });

  test('names the tweets that it removes, before it does', () => {
    const archive = archiveOf(tweet('10'), retweet('11', '10'), retweet('12', '11'));
    expect(archive.removedBy(remove('10'))).toEqual(['10', '11', '12']);
    expect([archive.removedBy(remove('20')), archive.removedBy(remove('11'))]).toEqual([['20'], ['11', '12']]);
    archive.apply(remove('10'));
    expect([archive.removedBy(remove('10')), archive.removedBy(remove('10', { reason: 'erased' }))]).toEqual([
      [],
      ['10'],
    ]);
  });

  test('ends the like and the retweeters of the tweet, and the retweet of its author', () => {
    const archive = archiveOf(
      ...[tweet('10'), retweet('11', '10'), { kind: 'like', tweet_id: '11' } as const],
      { kind: 'retweet', tweet_id: '11', user_id: '4' },
      remove('11'),
    );
    expect(contents(archive, 'like', 'retweet', 'unretweet')).toEqual([
      { kind: 'unretweet', tweet_id: '10', user_id: '2', at: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  test.each([
    ['of the account', { reason: 'account' }],
    ['with the tweet', { reason: 'retweet' }],
  ])('of a retweet %s leaves its author among the retweeters', (_what, more) => {
    const archive = archiveOf(tweet('10'), retweet('11', '10'), remove('11', more));
    expect(contents(archive, 'retweet', 'unretweet')).toMatchObject([
      { kind: 'retweet', tweet_id: '10', user_id: '2' },
    ]);
  });

  test('of an unknown retweet ends the retweet of its author, but not within a snapshot', () => {
    const created_at = '2026-01-01T00:00:00.000Z';
    const tombstone = { author_id: '2', retweeted_tweet_id: '10', created_at };
    const known: Change[] = [tweet('10'), { kind: 'retweet', tweet_id: '10', user_id: '2', created_at }];
    const archive = archiveOf(...known, remove('11', { tombstone }));
    expect(contents(archive, 'retweet', 'unretweet')).toEqual([
      { kind: 'unretweet', tweet_id: '10', user_id: '2', at: created_at },
    ]);
    const { created_at: _, ...undated } = tombstone;
    for (const [more, options] of [
      [{ tombstone }, { snapshot: true }],
      [{ tombstone: undated }, {}],
    ] as const) {
      const other = archiveOf(...known);
      other.apply(remove('11', more), options);
      expect(contents(other, 'retweet', 'unretweet')).toEqual([known[1]]);
    }
  });
});

describe('a restored tweet', () => {
  test.each<[string, Change[], string[]]>([
    ['can come back', [remove('10'), { kind: 'restore', tweet_id: '10' }, tweet('10')], ['added', 'tweet.created 10']],
    ['was removed before', [{ kind: 'restore', tweet_id: '10' }], ['unchanged']],
    ['is restored once', [tweet('10'), remove('10'), { kind: 'restore', tweet_id: '10' }], ['updated']],
  ])('%s', (_what, changes, expected) => {
    expect(lastOf(...changes)).toEqual(expected);
  });
  test('that is a retweet makes its author a retweeter again', () => {
    const restore: Change = { kind: 'restore', tweet_id: '11' };
    const archive = archiveOf(tweet('10'), retweet('11', '10'), remove('11'), restore, retweet('11', '10'));
    expect(contents(archive, 'retweet', 'unretweet')).toMatchObject([
      { kind: 'retweet', tweet_id: '10', user_id: '2' },
    ]);
  });
});

describe('the end of a like', () => {
  const like: Change = { kind: 'like', tweet_id: '10' };
  const unlike: Change = { kind: 'unlike', tweet_id: '10', at: time };
  test.each<[string, object, object]>([
    ['lowers the count', { like_count: 4 }, { like_count: 3, observed_at: at }],
    ['lowers no count below zero', { like_count: 0 }, { like_count: 0, observed_at: at }],
    ['leaves an unknown count', {}, { observed_at: at }],
    [
      'keeps a later observation',
      { like_count: 4, observed_at: '2026-04-01T00:00:00.000Z' },
      { like_count: 3, observed_at: '2026-04-01T00:00:00.000Z' },
    ],
  ])('%s', (_what, more, expected) => {
    expect(lastOf(tweet('10', more), like, unlike)).toEqual(['updated', 'tweet.unliked 10']);
    const { text, created_at, author_id, id, ...others } = archiveOf(tweet('10', more), like, unlike).tweet('10')!;
    expect([others, id, text, created_at, author_id]).toEqual([
      expected,
      ...['10', 'text 10', '2026-01-01T00:00:00.000Z', '1'],
    ]);
  });
  test('of an unknown tweet has no event', () => {
    expect(lastOf(like, unlike)).toEqual(['updated']);
  });
});

describe('an eviction', () => {
  const evict = (...tweet_ids: string[]): Change => ({ kind: 'evict', tweet_ids, user_ids: [], tombstone_ids: [], at });
  test('removes a tweet with its retweets without a trace and without events', () => {
    const archive = archiveOf(tweet('10'), retweet('11', '10'), { kind: 'like', tweet_id: '10' }, tweet('12'));
    expect(archive.apply(evict('10'))).toEqual({ outcome: 'updated', events: [] });
    expect([...archive.changes()]).toEqual([tweet('12')]);
    expect(archive.apply(tweet('10'))).toMatchObject({ outcome: 'added' });
  });
  test('of a retweet ends the retweet of its author, unless there is another one', () => {
    const archive = archiveOf(tweet('10'), retweet('11', '10'), retweet('12', '10'), retweet('13', '10', '3'));
    archive.apply(evict('11'));
    expect(contents(archive, 'retweet').map((each) => 'user_id' in each && each.user_id)).toEqual(['2', '3']);
    archive.apply(evict('12'));
    expect(contents(archive, 'retweet').map((each) => 'user_id' in each && each.user_id)).toEqual(['3']);
    archive.apply(evict('13'));
    expect(contents(archive, 'retweet', 'unretweet')).toEqual([]);
  });
});

test('the address of an id is that of the tweet, or of the one that had it', () => {
  const archive = archiveOf(
    tweet('10', { uri: 'at://a' }),
    tweet('11'),
    remove('12'),
    tweet('13', { uri: 'at://b' }),
    remove('13'),
  );
  expect(['10', '11', '12', '13', '14'].map((id) => archive.addressOf(id))).toEqual([
    ...['at://a', '', '', 'at://b', undefined],
  ]);
});
