import { expect, test } from '@jest/globals';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { expand, expandedBytes, shorten } from '../../../server/platforms/archive/json-phrases.ts';
import { pack } from '../../../server/platforms/archive/packed-tweet.ts';
import { TweetTable } from '../../../server/platforms/archive/tweet-table.ts';
import fc, { anyCharacter } from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { restored } from '../../support/saved-sections.ts';

const tweet = (more: object): ArchivedTweet => ({
  id: '1870000000000000001',
  text: 'a "quoted" text',
  created_at: '2026-01-01T00:00:00.000Z',
  author_id: '42',
  ...more,
});

test.each<[string, object]>([
  ['only required members', {}],
  ['counts, some of them unknown', { like_count: 3, view_count: 5_000_000_000 }],
  ['a time without milliseconds', { created_at: '2026-01-01T00:00:00Z' }],
  ['a time in another zone', { created_at: '2026-01-01T02:00:00+02:00' }],
  ['an id with leading zeros', { id: '007' }],
  ['a text that begins as a packed tweet', { text: '{"id":"1","created_at":"' }],
  ['a time of observation', { observed_at: '2026-01-02T00:00:00.000Z', lang: 'en' }],
  ['a time of observation in another zone', { lang: 'en', observed_at: '2026-01-02T02:00:00+02:00' }],
  ['a time of observation at the epoch', { observed_at: '1970-01-01T00:00:00.000Z' }],
  ['control characters', { text: '\0\u0001\u001f\n', source: '\u0002' }],
  ['members of other names', { lang: 'en', in_reply_to_id: '5', entities: { mentions: [{ username: 'a' }] } }],
])('a stored tweet with %s is the same', (_what, more) => {
  const table = new TweetTable();
  table.add(tweet({ id: '5', text: 'another one' }), 1);
  const ordinal = table.add(tweet(more), 2);
  const last = table.tweet(ordinal);
  table.add(tweet({ id: '6', text: 'another one' }), 3);
  expect(table.tweet(ordinal)).toEqual(tweet(more));
  expect(Object.keys(last)).toEqual(Object.keys(table.tweet(ordinal)));
  expect(table.ordinal(tweet(more).id)).toBe(ordinal);
});

test('shortened JSON expands to the same JSON, also where phrases meet', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '"text":',
      ',"entities":{"mentions":[',
      '],"hashtags":[',
      '],"cashtags":[',
      '],"urls":[',
      ']},"lang":"',
    ),
    fc.constantFrom('{"url":"https://t.co/', '","display_url":"', '"}]},"expanded_urls":["http', '","', '"}', ']', ','),
    anyCharacter.filter((character) => character >= ' '),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const json = parts.join('');
      expect(expand(shorten(json))).toBe(json);
      expect(expandedBytes(shorten(json))).toBe(Buffer.byteLength(json));
    }),
    { numRuns: rounds(1000) },
  );
});

test('the members that most tweets have need few bytes, and the size without that is known', () => {
  const entities = { mentions: [{ username: 'mira' }], hashtags: ['tea'], cashtags: [], urls: [] };
  const packed = pack(tweet({ entities, lang: 'en', observed_at: '2026-01-02T00:00:00.000Z' }));
  const json = JSON.stringify({ text: tweet({}).text, entities, lang: 'en' });
  expect(packed.length).toBeLessThan(json.length / 2);
  expect(expandedBytes(packed)).toBe(json.length - 1);
});

test('a tweet is the newest one only if it is newer than all before it, also than removed ones, and after a restart', () => {
  const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
  const table = new TweetTable();
  const add = (to: TweetTable, id: string, second: number): boolean => {
    to.add(tweet({ id, created_at: at(second) }), 1);
    return to.isNewest;
  };
  expect([add(table, '5', 3), add(table, '4', 3), add(table, '6', 3), add(table, '7', 5)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  table.remove(3, '7');
  table.release(1);
  const later = restored(table, new TweetTable());
  // Until its ordinal is used again, lists can contain the removed tweet.
  expect([add(later, '8', 4), add(later, '9', 6)]).toEqual([false, true]);
});
