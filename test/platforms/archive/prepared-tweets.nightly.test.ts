/** The bytes that another thread makes of the tweets of an import are those that the tweet table makes by itself. */
import { expect, test } from '@jest/globals';
import { RecycledMemory } from '../../../server/collections/recycled-memory.ts';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { PreparedTweets, TweetBatchReader } from '../../../server/platforms/archive/prepared-tweets.ts';
import { pack } from '../../../server/platforms/archive/packed-tweet.ts';
import { TweetTable } from '../../../server/platforms/archive/tweet-table.ts';
import fc, { anyGrapheme } from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { restored } from '../../support/saved-sections.ts';

const text = fc.oneof(
  fc.string({ unit: anyGrapheme }),
  fc.constantFrom('', 'plain', 'é', '東京都', '👍🏽', '\ud800', 'x'.repeat(70_000), '\u0000"\\'),
);
/** Without an id, which each tweet of a table has once. */
const contentOf = fc.record(
  {
    text,
    author_id: fc.constantFrom('1', '22'),
    created_at: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00+01:00', 'Thu Jan 01 2026'),
    lang: text,
    like_count: fc.nat(5),
  },
  { requiredKeys: ['text', 'author_id', 'created_at'] },
);
const batches = fc.array(fc.array(fc.option(contentOf, { nil: undefined }), { maxLength: 6 }), { maxLength: 5 });

test('a prepared tweet is stored as one that the table packs', () => {
  fc.assert(
    fc.property(batches, (contents) => {
      const [thread, prepared] = [new TweetBatchReader(new RecycledMemory(), 2), new PreparedTweets()];
      const tables = [new TweetTable(), new TweetTable()] as const;
      let id = 0;
      for (const content of contents) {
        const tweets = content.map((each): ArchivedTweet | undefined => each && { id: String(++id), ...each });
        for (const tweet of tweets) thread.add(tweet);
        // As a message between threads does.
        const taken = prepared.take(structuredClone(thread.take()));
        expect(taken.map((each) => each?.packed.toString('utf8', each.packedStart, each.packedEnd))).toEqual(
          tweets.map((tweet) => tweet && pack(tweet)),
        );
        for (const [record, tweet] of tweets.entries()) {
          const each = taken[record];
          if (tweet === undefined || each === undefined) continue;
          tables[0].add(tweet, id);
          tables[1].addPrepared(each, id);
        }
      }
      // A restored table has only the bytes: not the tweets that were added last.
      const [direct, other] = tables.map((table) => {
        const copy = restored(table, new TweetTable());
        return Array.from(copy.ordinals(), (ordinal) => copy.tweet(ordinal));
      });
      expect(other).toEqual(direct);
    }),
    { numRuns: rounds(300, 30) },
  );
});
