/** Readings that another thread makes are those that the index makes by itself. */
import { expect, test } from '@jest/globals';
import { TermBatchReader, PreparedReadings, type TermBatch } from '../../../server/search/inverted-index/term-batch.ts';
import { TermDictionary } from '../../../server/search/inverted-index/term-dictionary.ts';
import { firstToken } from '../../../server/search/inverted-index/token-sequences.ts';
import { TweetReader } from '../../../server/search/inverted-index/tweet-reader.ts';
import { RecycledMemory } from '../../../server/collections/recycled-memory.ts';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

const word = fc.constantFrom(
  'a',
  'bb',
  'Café',
  '東京都',
  '👍🏽',
  'x'.repeat(2000),
  '#tag',
  ':-)',
  '@ann',
  'q\u0301',
  '\ud800',
);
const tweetOf = fc
  .record({ words: fc.array(word, { maxLength: 8 }), author: fc.nat(3), id: fc.nat(1000) })
  .map(({ words, author, id }): ArchivedTweet => ({
    ...{ id: String(id), text: words.join(' '), created_at: '2026-01-01T00:00:00.000Z', author_id: String(author) },
    ...{ lang: 'en', expanded_urls: [`https://example.com/${words.length}`] },
  }));
const dictionary = (): TermDictionary => new TermDictionary((a, b) => a - b, firstToken);
/** As a message between threads does. */
const sent = (batch: TermBatch): TermBatch => structuredClone(batch);

test('a prepared reading is the reading of the index, also after the index has removed terms', () => {
  const action = fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.option(tweetOf, { nil: undefined }), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant('sweep' as const) },
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 12 }), (actions) => {
      const [index, thread, prepared] = [
        dictionary(),
        new TermBatchReader(new RecycledMemory()),
        new PreparedReadings(),
      ];
      const direct = new TweetReader(index);
      for (const each of actions) {
        // No tweet has any of the terms: all of them lose their numbers.
        if (each === 'sweep') index.sweep(0, { maxTerms: index.size, maxOrdinals: Infinity }, () => true);
        else {
          for (const tweet of each) thread.add(tweet);
          const readings = prepared.take(sent(thread.take()));
          expect(readings.map((reading) => reading !== undefined)).toEqual(each.map((tweet) => tweet !== undefined));
          for (const [at, tweet] of each.entries())
            if (tweet !== undefined && tweet.text.isWellFormed()) {
              const reading = readings[at]?.of(index);
              expect(reading).toEqual(direct.read(tweet));
            }
        }
      }
    }),
    { numRuns: rounds(1000, 50) },
  );
});

test('a reading of a batch is usable after the numbers of the thread have begun anew', () => {
  const [index, thread, prepared] = [
    dictionary(),
    new TermBatchReader(new RecycledMemory(), 5),
    new PreparedReadings(),
  ];
  const direct = new TweetReader(index);
  const tweets = [1, 2, 3].map((n): ArchivedTweet => ({
    ...{ id: String(n), text: `one two three four ${n}`, created_at: '2026-01-01T00:00:00.000Z', author_id: '7' },
  }));
  const batches = tweets.map((tweet) => {
    thread.add(tweet);
    return sent(thread.take());
  });
  expect(batches.map(({ first }) => first)).toEqual([0, 0, 0]);
  const readings = batches.flatMap((batch) => prepared.take(batch));
  for (const at of [2, 0, 1]) expect(readings[at]?.of(index)).toEqual(direct.read(tweets[at] as ArchivedTweet));
});

test('a term gets a number in the index only with a tweet that is added', () => {
  const [index, thread, prepared] = [dictionary(), new TermBatchReader(new RecycledMemory()), new PreparedReadings()];
  for (const text of ['refused secret', 'added'])
    thread.add({ id: '1', text, created_at: '2026-01-01T00:00:00.000Z', author_id: '7' });
  const [, added] = prepared.take(sent(thread.take()));
  added?.of(index);
  expect([index.find('added') !== undefined, index.find('secret')]).toEqual([true, undefined]);
});
