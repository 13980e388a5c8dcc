// Tests server/formats/notices.ts.
/** Notices of stored streams, events of compliance streams, and results of compliance jobs. */
import { describe, expect, test } from '@jest/globals';
import { recognise } from '../../server/import/recognise.ts';

const read = (value: unknown): unknown[] =>
  recognise(value).flatMap((element): unknown[] => ('records' in element ? element.records : [element.reason]));

describe('a notice of a removal becomes a record:', () => {
  test.each<[string, object, object]>([
    [
      'a deleted tweet in a stream of v1.1',
      { delete: { status: { id: 5, id_str: '5', user_id: 7, user_id_str: '7' }, timestamp_ms: '1359673572000' } },
      { kind: 'delete', tweet_id: '5', author_id: '7', at: '2013-01-31T23:06:12.000Z', reason: 'deleted' },
    ],
    [
      'one with numbers only',
      { delete: { status: { id: 5, user_id: 7 } } },
      { kind: 'delete', tweet_id: '5', author_id: '7', reason: 'deleted' },
    ],
    [
      'a tweet that is withheld in all countries',
      { status_withheld: { id: 5, user_id: 7, withheld_in_countries: ['XX'] } },
      { kind: 'delete', tweet_id: '5', author_id: '7', reason: 'withheld' },
    ],
    [
      'an account that is withheld in all countries',
      { user_withheld: { id: 7, withheld_in_countries: ['XY'] } },
      { kind: 'withdraw', user_id: '7' },
    ],
    ['a deleted account', { user_delete: { id: 7, id_str: '7' } }, { kind: 'withdraw', user_id: '7' }],
    [
      'a deleted tweet in a compliance stream',
      { data: { delete: { tweet: { id: '5', author_id: '7' }, event_at: '2022-01-02T03:04:05.000Z' } } },
      { kind: 'delete', tweet_id: '5', author_id: '7', at: '2022-01-02T03:04:05.000Z', reason: 'deleted' },
    ],
    [
      'a dropped tweet in a compliance stream',
      { data: { drop: { tweet: { id: '5', author_id: '7' }, event_at: '2022-01-02T03:04:05.000Z' } } },
      { kind: 'delete', tweet_id: '5', author_id: '7', at: '2022-01-02T03:04:05.000Z', reason: 'deleted' },
    ],
    [
      'a suspended account in a compliance stream',
      { data: { user_suspend: { user: { id: '7' }, event_at: '2022-01-02T03:04:05.000Z' } } },
      { kind: 'withdraw', user_id: '7', at: '2022-01-02T03:04:05.000Z' },
    ],
    [
      'removed places of an author in a stream of v1.1',
      { scrub_geo: { user_id: 7, user_id_str: '7', up_to_status_id: 5, up_to_status_id_str: '5' } },
      { kind: 'scrub_geo', tweet_id: '5', user_id: '7' },
    ],
    [
      'one with numbers only and a time',
      { scrub_geo: { user_id: 7, up_to_status_id: 5, timestamp_ms: '1359673572000' } },
      { kind: 'scrub_geo', tweet_id: '5', user_id: '7', at: '2013-01-31T23:06:12.000Z' },
    ],
    [
      'removed places in a compliance stream',
      { data: { scrub_geo: { user: { id: '7' }, up_to_tweet_id: '5', event_at: '2022-01-02T03:04:05.000Z' } } },
      { kind: 'scrub_geo', tweet_id: '5', user_id: '7', at: '2022-01-02T03:04:05.000Z' },
    ],
    [
      'the removed place of a tweet in a result of a compliance job',
      { id: '1340540000000000001', action: 'scrub_geo', redacted_at: '2022-01-02T03:04:05.000Z', reason: 'scrub_geo' },
      { kind: 'scrub_geo', tweet_id: '1340540000000000001', at: '2022-01-02T03:04:05.000Z' },
    ],
    [
      'a result of a compliance job',
      { id: '1340540000000000001', action: 'delete', redacted_at: '2022-01-02T03:04:05.000Z', reason: 'deleted' },
      { kind: 'delete', tweet_id: '1340540000000000001', at: '2022-01-02T03:04:05.000Z', reason: 'deleted' },
    ],
    [
      'a result about an account, whose id no tweet of that time has',
      { id: '1100000000', action: 'delete', created_at: '2013-01-19T01:02:03.000Z', reason: 'deactivated' },
      { kind: 'withdraw', user_id: '1100000000' },
    ],
  ])('%s', (_name, value, record) => {
    expect(read(value)).toEqual([record]);
  });

  test('a result that may be about a tweet or an account removes both', () => {
    expect(read({ id: '1340540000000000001', action: 'delete', reason: 'suspended' })).toEqual([
      { kind: 'delete', tweet_id: '1340540000000000001', reason: 'deleted' },
      { kind: 'withdraw', user_id: '1340540000000000001' },
    ]);
  });
});

describe('a notice that changes nothing is named in its reason:', () => {
  test.each<[object, RegExp]>([
    [{ limit: { track: 12, timestamp_ms: '1' } }, /limit/],
    [{ scrub_geo: { user_id: 7 } }, /scrub_geo.*without usable ids/],
    [{ disconnect: { code: 4, stream_name: 's', reason: 'r' } }, /disconnect/],
    [{ warning: { code: 'FALLING_BEHIND', message: 'm', percent_full: 60 } }, /warning/],
    [{ friends: [1, 2] }, /friends/],
    [{ event: 'favorite', created_at: 'x', source: {}, target: {}, target_object: { id: 1 } }, /event/],
    [{ status_withheld: { id: 5, user_id: 7, withheld_in_countries: ['DE'] } }, /some countries/],
    [{ data: { undrop: { tweet: { id: '5', author_id: '7' } } } }, /--restore/],
    [{ data: { user_undelete: { user: { id: '7' } } } }, /--restore/],
    [{ delete: { direct_message: { id: 1 } } }, /removed message/],
    [{ delete: { status: { id: 'x' } } }, /without a usable id/],
    [{ id: '5', action: 'unknown', reason: 'r' }, /unknown action 'unknown'/],
  ])('%j', (value, reason) => {
    expect(read(value)).toEqual([expect.stringMatching(reason)]);
  });
});

test('a value that only has such a member among others is no notice', () => {
  expect(read({ limit: 3, statuses: [] })).toEqual([expect.stringContaining('not recognised')]);
});
