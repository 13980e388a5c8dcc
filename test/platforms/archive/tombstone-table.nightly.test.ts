/** The packed tombstones must equal plain objects after any changes, saves and restarts. */
import { expect, test } from '@jest/globals';
import type { RemovalReason, Tombstone } from '../../../server/domain/tombstone.ts';
import { TombstoneTable } from '../../../server/platforms/archive/tombstone-table.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { restored } from '../../support/saved-sections.ts';

/** Few ids, so that they repeat; some are not the usual form of a number. */
const id = fc.constantFrom(
  '0',
  '7',
  '007',
  '17',
  'x',
  '9999999999999999999',
  '18446744073709551616',
  '1900000000000000000',
);
const reason = fc.constantFrom<RemovalReason>('deleted', 'withheld', 'erased', 'account', 'retweet');
const sometimes = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 3 });
const tombstone: fc.Arbitrary<Tombstone> = fc
  .record({
    ...{ id, reason, at: fc.constantFrom(0, 1_790_000_000_000) },
    uri: sometimes(fc.constant('at://did:plc:a/app.bsky.feed.post/3')),
    author_id: sometimes(fc.constantFrom('1', 'ü')),
    retweeted_tweet_id: sometimes(id),
  })
  .map(({ id: tweetId, reason: why, at, uri, author_id, retweeted_tweet_id }) => ({
    ...{ id: tweetId, reason: why, at },
    ...(uri === undefined ? {} : { uri }),
    ...(author_id === undefined
      ? {}
      : { tweet: { author_id, ...(retweeted_tweet_id === undefined ? {} : { retweeted_tweet_id }) } }),
  }));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ set: tombstone }) },
  { weight: 3, arbitrary: fc.record({ delete: id }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

const byId = (first: { id: string }, second: { id: string }): number => (first.id < second.id ? -1 : 1);

test('the table equals a map of tombstones after any changes and restarts', () => {
  const property = fc.property(fc.array(step, { maxLength: 80 }), fc.array(id, { minLength: 3 }), (steps, ids) => {
    let table = new TombstoneTable();
    const model = new Map<string, Tombstone>();
    for (const each of steps) {
      if (each === 'restart') table = restored(table, new TombstoneTable());
      else if ('set' in each) {
        table.set(each.set);
        model.set(each.set.id, each.set);
      } else {
        table.delete(each.delete);
        model.delete(each.delete);
      }
    }
    const all = [...model.values()];
    expect(table.size).toBe(model.size);
    expect([...table.values()].toSorted(byId)).toEqual(all.toSorted(byId));
    for (const tweetId of ids) {
      expect(table.get(tweetId)).toEqual(model.get(tweetId));
      expect(table.reason(tweetId)).toBe(model.get(tweetId)?.reason);
      const retweets = all.filter((each) => each.reason === 'retweet' && each.tweet?.retweeted_tweet_id === tweetId);
      expect(table.retweetsOf(tweetId).toSorted()).toEqual(retweets.map((each) => each.id).toSorted());
    }
  });
  fc.assert(property, { numRuns: rounds(1000, 200) });
});
