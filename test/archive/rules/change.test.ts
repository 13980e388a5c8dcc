import { describe, expect, test } from '@jest/globals';
import {
  prepare,
  requireShape,
  time,
  UnusableRecord,
  withTime,
  type Change,
} from '../../../server/archive/rules/change.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';

test.each([
  ['2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:00Z')],
  [12, 12],
  ['yesterday', 0],
  ['', 0],
  [null, 0],
  [undefined, 0],
])('the time of %j is %d', (timestamp, expected) => {
  expect(time(timestamp)).toBe(expected);
});

describe('a record without a time', () => {
  const now = '2026-01-01T00:00:00Z';
  const tweet = { tweet_id: '1' };
  test.each<ArchiveRecord>([
    { kind: 'delete', ...tweet },
    { kind: 'withdraw', user_id: '1' },
    { kind: 'unfollow', follower_id: '1', following_id: '2' },
    { kind: 'unretweet', ...tweet, user_id: '1' },
    { kind: 'unlike', ...tweet },
    { kind: 'scrub_geo', ...tweet },
  ] as ArchiveRecord[])('gets the current one where it removes something: %j', (record) => {
    expect(withTime(record, now)).toEqual({ ...record, at: now });
    const dated = { ...record, at: '2025-01-01T00:00:00Z' } as ArchiveRecord;
    expect(withTime(dated, now)).toBe(dated);
  });
  test.each<ArchiveRecord>([
    { kind: 'like', ...tweet },
    { kind: 'restore', ...tweet },
    { kind: 'reinstate', user_id: '1' },
    { kind: 'follow', follower_id: '1', following_id: '2' },
  ])('stays as it is where it adds something: %j', (record) => {
    expect(withTime(record, now)).toBe(record);
  });
});

describe('a step that fails', () => {
  const failing = (error: unknown) => () => {
    throw error;
  };
  test('because of the record is the error of the record', () => {
    const unusable = new UnusableRecord('no');
    expect(() => prepare(failing(unusable))).toThrow(unusable);
    const cause = new RangeError('too long');
    for (const error of [cause, 'too long'])
      expect(() => prepare(failing(error))).toThrow(
        expect.objectContaining({ name: 'UnusableRecord', message: 'too long', cause: error }),
      );
  });
  test('is none where it returns', () => {
    expect(prepare(() => 5)).toBe(5);
  });
});

describe('the shape of a record', () => {
  const created_at = '2026-01-01T00:00:00Z';
  /** Records with all members that are required and checked: each id in each of them. */
  const whole = [
    {
      kind: 'tweet',
      tweet: {
        ...{ id: '1', author_id: '2', text: '', created_at, in_reply_to_id: '3', conversation_id: '4' },
        ...{ quoted_tweet_id: '5', retweeted_tweet_id: '6', community_id: '7' },
      },
    },
    { kind: 'user', user: { id: '1', username: 'a' } },
    { kind: 'community', community: { id: 'a', name: 'A' } },
    { kind: 'space', space: { id: 'a', title: 'A', host_id: 'b', created_at } },
    { kind: 'follow', follower_id: '1', following_id: '2' },
    { kind: 'unfollow', follower_id: '1', following_id: '2' },
    { kind: 'retweet', tweet_id: '1', user_id: '2' },
    { kind: 'unretweet', tweet_id: '1', user_id: '2' },
    { kind: 'highlight', tweet_id: '1', user_id: '2' },
    { kind: 'membership', community_id: '1', user_id: '2', role: 'member' },
    { kind: 'place', place: { id: 'p' } },
    { kind: 'list', list: { id: '1', owner_id: '2' } },
    { kind: 'list_member', list_id: '1', user_id: '2' },
    { kind: 'withdraw', user_id: '1', list_ids: ['2'] },
    { kind: 'withdraw', user_id: '1' },
    { kind: 'reinstate', user_id: '1' },
    { kind: 'delete', tweet_id: '1', author_id: '2', retweeted_tweet_id: '3', tombstone: { author_id: '4' } },
    { kind: 'delete', tweet_id: '1' },
    { kind: 'evict', tweet_ids: ['1'], user_ids: ['2'], tombstone_ids: ['3'], at: created_at },
    { kind: 'like', tweet_id: '1' },
    { kind: 'unlike', tweet_id: '1' },
    { kind: 'restore', tweet_id: '1' },
    { kind: 'scrub_geo', tweet_id: '1', user_id: '2' },
  ] as unknown as Change[];
  test.each(whole)('of %j can be used', (change) => {
    expect(() => requireShape(change)).not.toThrow();
  });

  const required: Readonly<Record<string, readonly string[]>> = {
    ...{ tweet: ['id', 'author_id', 'text', 'created_at'], user: ['id', 'username'], community: ['id', 'name'] },
    ...{ space: ['id', 'title', 'host_id', 'created_at'], follow: ['follower_id', 'following_id'] },
    ...{ unfollow: ['follower_id', 'following_id'], retweet: ['tweet_id', 'user_id'] },
    ...{ unretweet: ['tweet_id', 'user_id'], highlight: ['tweet_id', 'user_id'] },
    ...{ membership: ['community_id', 'user_id', 'role'], place: ['id'], list: ['id'] },
    ...{ list_member: ['list_id', 'user_id'], withdraw: ['user_id'], reinstate: ['user_id'], delete: ['tweet_id'] },
    ...{ like: ['tweet_id'], unlike: ['tweet_id'], restore: ['tweet_id'], scrub_geo: ['tweet_id'] },
  };
  /** The object in a record that has the members: the entity, or the record itself. */
  const entityOf = (change: Change): Record<string, unknown> =>
    (change as unknown as Record<string, Record<string, unknown>>)[change.kind] ?? (change as never);
  const changed = (kind: string, name: string, value: unknown): Change => {
    const copy = structuredClone(whole.find((each) => each.kind === kind)!);
    entityOf(copy)[name] = value;
    return copy;
  };
  const message = (text: string): unknown => expect.objectContaining({ name: 'UnusableRecord', message: text });

  test.each(Object.entries(required).flatMap(([kind, names]) => names.map((name) => [kind, name])))(
    'a %s needs its %s',
    (kind, name) => {
      for (const value of [undefined, 5])
        expect(() => requireShape(changed(kind!, name!, value))).toThrow(message(`its ${name} is missing`));
    },
  );
  test.each(['tweet', 'user', 'community', 'space', 'place', 'list'])(
    'a record of a %s needs the %s itself',
    (kind) => {
      const { [kind]: _, ...without } = whole.find((each) => each.kind === kind) as unknown as Record<string, unknown>;
      expect(() => prepare(() => requireShape(without as unknown as Change))).toThrow(UnusableRecord);
    },
  );

  const ids: Readonly<Record<string, readonly string[]>> = {
    ...{
      tweet: [
        'id',
        'author_id',
        'in_reply_to_id',
        'conversation_id',
        'quoted_tweet_id',
        'retweeted_tweet_id',
        'community_id',
      ],
    },
    ...{ user: ['id'], follow: ['follower_id', 'following_id'], unfollow: ['follower_id', 'following_id'] },
    ...{ retweet: ['tweet_id', 'user_id'], unretweet: ['tweet_id', 'user_id'], highlight: ['tweet_id', 'user_id'] },
    ...{ membership: ['community_id', 'user_id'], list: ['id', 'owner_id'], list_member: ['list_id', 'user_id'] },
    ...{ withdraw: ['user_id'], reinstate: ['user_id'], delete: ['tweet_id', 'author_id', 'retweeted_tweet_id'] },
    ...{ like: ['tweet_id'], unlike: ['tweet_id'], restore: ['tweet_id'], scrub_geo: ['tweet_id', 'user_id'] },
  };
  test.each(Object.entries(ids).flatMap(([kind, names]) => names.map((name) => [kind, name])))(
    'the %s has a decimal id as its %s',
    (kind, name) => {
      for (const id of ['x1', '1x', '', '1'.repeat(20)])
        expect(() => requireShape(changed(kind!, name!, id))).toThrow(
          message(`expected a decimal id instead of "${id}"`),
        );
      expect(() => requireShape(changed(kind!, name!, '1'.repeat(19)))).not.toThrow();
    },
  );
  test('a list of ids has decimal ids', () => {
    for (const name of ['tweet_ids', 'user_ids', 'tombstone_ids']) {
      expect(() => requireShape(changed('evict', name, undefined))).toThrow(message('its ids are missing'));
      expect(() => requireShape(changed('evict', name, ['1', 2]))).toThrow(
        message('expected a decimal id instead of 2'),
      );
    }
    expect(() => requireShape(changed('withdraw', 'list_ids', ['x']))).toThrow(UnusableRecord);
    expect(() => requireShape(changed('delete', 'tombstone', { author_id: 'x' }))).toThrow(UnusableRecord);
  });
  test('a long value is not repeated as a whole', () => {
    const start = 'x'.repeat(39);
    expect(() => requireShape(changed('like', 'tweet_id', 'x'.repeat(99)))).toThrow(
      message(`expected a decimal id instead of "${start}`),
    );
    expect(() => requireShape({ kind: 'x'.repeat(99) } as never)).toThrow(message(`unknown kind "${start}`));
  });
  test.each(['tweet', 'space'])('the time of a %s can be read', (kind) => {
    expect(() => requireShape(changed(kind, 'created_at', 'yesterday'))).toThrow(
      message('its created_at is not a valid time'),
    );
  });
});
