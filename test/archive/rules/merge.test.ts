import { describe, expect, test } from '@jest/globals';
import { merge, type ObservationOrder } from '../../../server/archive/rules/merge.ts';
import type { ArchivedTweet } from '../../../server/domain/records.ts';

type Tweet = { readonly [Name in keyof ArchivedTweet]?: ArchivedTweet[Name] | undefined };
const [earlier, equal, later]: readonly ObservationOrder[] = [-1, 0, 1];
const now = { observed_at: '2026-02-01T00:00:00Z' };

describe('a member of a tweet', () => {
  test.each<[string, ObservationOrder, Tweet, Tweet, Tweet]>([
    ['of a later observation wins', later!, { text: 'a' }, { text: 'b', ...now }, { text: 'b', ...now }],
    [
      'of a later observation leaves the others',
      later!,
      { text: 'a', lang: 'en' },
      { text: 'b' },
      { text: 'b', lang: 'en' },
    ],
    ['of a later observation without a time wins', later!, { text: 'a' }, { text: 'b' }, { text: 'b' }],
    ['of an equally old observation does not win', equal!, { text: 'a' }, { text: 'b' }, { text: 'a' }],
    ['of an earlier observation does not win', earlier!, { text: 'a' }, { text: 'b', ...now }, { text: 'a' }],
    ['that is new is added by an earlier observation', earlier!, {}, { lang: 'en', ...now }, { lang: 'en' }],
    ['that is new is added by an equally old one', equal!, {}, { lang: 'en', ...now }, { lang: 'en' }],
    ['that is new is added by a later one', later!, {}, { lang: 'en', ...now }, { lang: 'en', ...now }],
    ['that is undefined changes nothing', later!, { lang: 'en' }, { lang: undefined }, { lang: 'en' }],
    ['that is a larger count wins at the same time', equal!, { like_count: 5 }, { like_count: 9 }, { like_count: 9 }],
    ['that is a smaller count does not', equal!, { like_count: 9 }, { like_count: 5 }, { like_count: 9 }],
    [
      'that is a larger count does not win where it is older',
      earlier!,
      { like_count: 5 },
      { like_count: 9 },
      { like_count: 5 },
    ],
    ['that is a smaller count wins where it is later', later!, { like_count: 9 }, { like_count: 5 }, { like_count: 5 }],
  ])('%s', (_what, order, current, incoming, expected) => {
    expect(merge(current, incoming, order)).toEqual(expected);
  });

  test.each([
    ...['followers_count', 'following_count', 'tweet_count', 'media_count', 'member_count', 'moderator_count'],
    ...['like_count', 'retweet_count', 'reply_count', 'quote_count', 'bookmark_count', 'view_count'],
  ])('%s is a count', (name) => {
    expect(merge({ [name]: 5 }, { [name]: 9 }, 0)).toEqual({ [name]: 9 });
  });
  test('that is another number is no count', () => {
    expect(merge({ age: 5 }, { age: 9 }, 0)).toEqual({ age: 5 });
  });
});

test('an observation that says nothing new returns the current object itself', () => {
  const current: Tweet = { text: 'a', like_count: 5, poll: { options: [{ label: 'a' }] }, media: [] };
  for (const order of [earlier!, equal!, later!])
    expect(merge(current, { ...structuredClone(current), ...now }, order)).toBe(current);
});

test('a merge changes neither of the two observations', () => {
  const [current, incoming]: Tweet[] = [{ text: 'a' }, { text: 'b', lang: 'en' }];
  expect(merge(current!, incoming!, 1)).toEqual({ text: 'b', lang: 'en' });
  expect([current, incoming]).toEqual([{ text: 'a' }, { text: 'b', lang: 'en' }]);
});

describe('the media', () => {
  const url = 'https://images.example/a.jpg';
  const plain: NonNullable<Tweet['media']> = [{ type: 'photo', url }];
  const described: NonNullable<Tweet['media']> = [{ type: 'photo', url, alt_text: 'A cat' }];
  const other: NonNullable<Tweet['media']> = [{ type: 'photo', url: `${url}?2`, alt_text: 'A dog' }];

  test.each<[string, ObservationOrder, Tweet['media'], Tweet['media'], Tweet['media']]>([
    ['of a later observation have the texts of the earlier one', later!, described, plain, described],
    ['get the texts of an earlier observation', earlier!, plain, described, described],
    ['get the texts of an equally old observation', equal!, plain, described, described],
    [
      'keep their own texts where the other is earlier',
      earlier!,
      described,
      [{ ...plain[0]!, alt_text: 'B' }],
      described,
    ],
    ['of a later observation replace others', later!, described, other, other],
    ['of an earlier observation replace nothing', earlier!, plain, other, plain],
    ['that are new are added', earlier!, undefined, described, described],
    ['stay where the other observation has none', later!, described, undefined, described],
  ])('%s', (_what, order, current, incoming, expected) => {
    expect(merge({ media: current } as Tweet, { media: incoming } as Tweet, order).media).toEqual(expected);
  });

  test('of one picture get only what is missing there', () => {
    const media = [...described, ...plain.map((each) => ({ ...each, url: `${url}?3` }))];
    const more = [{ ...plain[0]!, url: `${url}?3`, alt_text: 'C' }];
    expect(merge({ media } as Tweet, { media: more }, -1).media).toEqual([...described, ...more]);
  });
});
