import { describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { createCursors } from '../../server/contract/cursor.ts';
import { rounds } from '../support/rounds.ts';

const cursors = createCursors(Buffer.alloc(32, 7));
const query = { query: 'from:mira_codes', query_type: 'Latest', limit: 20 };
const refused = expect.objectContaining({ status: 400, message: expect.stringContaining("'cursor'") });

describe('a cursor', () => {
  test('returns the position for the same operation and parameters, with any limit and order of names', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 5 }), fc.nat(), (position, limit) => {
        const cursor = cursors.seal('searchTweets', query, position);
        expect(
          cursors.open('searchTweets', { limit, query_type: 'Latest', query: query.query, cursor }, cursor),
        ).toEqual(position);
      }),
    );
  });

  test.each<[string, () => unknown]>([
    ['another operation', () => cursors.open('getTweetReplies', query, cursors.seal('searchTweets', query, [1]))],
    [
      'other parameters',
      () =>
        cursors.open('searchTweets', { ...query, query: 'from:tom_sails' }, cursors.seal('searchTweets', query, [1])),
    ],
    [
      'another server',
      () => cursors.open('searchTweets', query, createCursors(Buffer.alloc(32, 8)).seal('searchTweets', query, [1])),
    ],
  ])('of %s returns 400', (_name, open) => {
    expect(open).toThrow(refused);
  });

  test('with any character changed, added or removed returns 400', () => {
    const cursor = cursors.seal('searchTweets', query, [1770000000000, '1890000000000000001']);
    fc.assert(
      fc.property(fc.nat(cursor.length), fc.nat(1), fc.string({ maxLength: 2 }), (place, taken, put) => {
        const changed = cursor.slice(0, place) + put + cursor.slice(place + taken);
        fc.pre(changed !== cursor);
        expect(() => cursors.open('searchTweets', query, changed)).toThrow(refused);
      }),
      { numRuns: rounds(1000) },
    );
  });
});
