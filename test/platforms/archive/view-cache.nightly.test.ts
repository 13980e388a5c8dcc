import { describe, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import type { Change } from '../../../server/platforms/archive/change.ts';
import { tweetFull, tweetShort, user } from '../../../server/platforms/archive/views.ts';
import { ViewCache } from '../../../server/platforms/archive/view-cache.ts';
import { record, world } from './arbitrary.ts';
import { rounds } from '../../support/rounds.ts';

const ordinals = (archive: Archive): number[] => Array.from({ length: archive.size }, (_, ordinal) => ordinal);

/** All forms, kept ones and ones made anew. */
const kept = (archive: Archive, forms: ViewCache) => ({
  full: ordinals(archive).map(forms.tweetFull),
  short: ordinals(archive).map(forms.tweetShort),
  users: [...archive.users.values()].map(forms.user),
});
const anew = (archive: Archive) => ({
  full: ordinals(archive).map((ordinal) => tweetFull(archive, ordinal)),
  short: ordinals(archive).map((ordinal) => tweetShort(archive, ordinal)),
  users: [...archive.users.values()].map(user),
});

const userChange = ({ id, name, at }: { id: string; name: string; at: number }): Change => ({
  kind: 'user',
  user: { id, username: `u${id}`, name, observed_at: new Date(at).toISOString() },
});
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: record },
  {
    weight: 1,
    arbitrary: fc
      .record({
        id: fc.integer({ min: 1, max: 7 }).map(String),
        name: fc.string(),
        at: fc.integer({ min: 1, max: 2e12 }),
      })
      .map(userChange),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('unlike' as const),
      tweet_id: fc.integer({ min: 1, max: 60 }).map(String),
      at: fc.integer({ min: 1, max: 2e12 }),
    }),
  },
);

test('a cached view always equals a new view, after changes in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }), (steps) => {
      const archive = new Archive();
      for (const each of world) archive.apply(each);
      const forms = new ViewCache(archive);
      for (const step of steps) {
        for (const each of step) archive.apply(each);
        // The second request admits a view to the cache, and the third one reads it.
        for (const _ of [1, 2, 3]) expect(kept(archive, forms)).toEqual(anew(archive));
      }
    }),
    { numRuns: rounds(60) },
  );
});

describe('a view', () => {
  const at = '2026-01-01T00:00:00Z';
  const tweet = (id: string, author_id: string, more: object = {}): Change => ({
    kind: 'tweet',
    tweet: { id, author_id, text: `tweet ${id}`, created_at: at, ...more },
  });
  const person = (id: string, more: object = {}): Change => ({
    kind: 'user',
    user: { id, username: `u${id}`, ...more },
  });
  function small(): { archive: Archive; forms: ViewCache } {
    const archive = new Archive();
    for (const each of [
      person('1'),
      person('2'),
      tweet('10', '1', { quoted_tweet_id: '20' }),
      tweet('20', '2'),
      tweet('30', '2', { retweeted_tweet_id: '40' }),
    ])
      archive.apply(each);
    return { archive, forms: new ViewCache(archive) };
  }

  test('is the same object from its second request on, while its data does not change', () => {
    const { archive, forms } = small();
    forms.tweetFull(0);
    const before = forms.tweetFull(0);
    archive.apply(person('3'));
    archive.apply(tweet('50', '1'));
    expect(forms.tweetFull(0)).toBe(before);
  });
  test('is not cached when only other tweets are requested between two requests, more of them than the filter has slots', () => {
    const archive = new Archive();
    archive.apply(person('1'));
    const tweets = 100_000;
    for (let id = 0; id < tweets; id++) archive.apply(tweet(String(1000 + id), '1'));
    const forms = new ViewCache(archive);
    const first = Array.from({ length: tweets }, (_, ordinal) => forms.tweetFull(ordinal)).slice(1);
    expect(first.filter((view) => Object.isFrozen(view))).toEqual([]);
    for (let ordinal = 0; ordinal < tweets; ordinal++) forms.tweetFull(ordinal);
    const [view] = [1, 2].map(() => forms.tweetFull(tweets - 1));
    expect([Object.isFrozen(view), forms.tweetFull(tweets - 1) === view]).toEqual([true, true]);
    expect(Object.isFrozen(forms.tweetFull(1))).toBe(false);
  });
  test('is deeply frozen when it is cached', () => {
    const { forms } = small();
    forms.tweetFull(0);
    const form = forms.tweetFull(0);
    expect(() => {
      form.quoted_tweet!.author.name = 'x';
    }).toThrow(TypeError);
    expect(() => form.entities.hashtags.push('x')).toThrow(TypeError);
  });
  test.each<[string, Change, number]>([
    ['its author', person('1', { name: 'New', observed_at: at }), 0],
    ['its counts', tweet('10', '1', { like_count: 7, observed_at: at }), 0],
    ['the tweet that it quotes', tweet('20', '2', { like_count: 7, observed_at: at }), 0],
    ['who wrote what it quotes', person('2', { verified: true, observed_at: at }), 0],
    ['that what it retweets has come', tweet('40', '1'), 2],
  ])('is rebuilt after a change of %s', (_name, step, ordinal) => {
    const { archive, forms } = small();
    forms.tweetFull(ordinal);
    const before = forms.tweetFull(ordinal);
    archive.apply(step);
    expect(forms.tweetFull(ordinal)).not.toEqual(before);
    expect(forms.tweetFull(ordinal)).toEqual(tweetFull(archive, ordinal));
  });
});
