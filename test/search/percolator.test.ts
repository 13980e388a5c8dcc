// Tests server/search/percolator/check-codes.ts, server/search/percolator/required-term.ts,
// server/search/percolator/term-checks.ts and server/search/percolator/term-numbers.ts.
import { expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import type { ArchivedTweet } from '../../server/domain/records.ts';
import type { Condition } from '../../server/search/language/condition.ts';
import { documentOf, type DocumentContext } from '../../server/search/document.ts';
import type { TweetDocument } from '../../server/domain/tweet-document.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { parse } from '../../server/search/language/parse.ts';
import { Percolator } from '../../server/search/percolator/percolator.ts';
import { rounds } from '../support/rounds.ts';

const around: DocumentContext = {
  user: (id) =>
    ({
      1: { id, username: 'mira', name: 'Mira Holt' },
      2: { id, username: 'Tom', name: 'Tom Coffee', verified: true },
    })[id],
  authorOf: (tweetId) => (tweetId === '7' ? '2' : undefined),
  place: (id) =>
    id === 'p1' ? { id, name: 'Cold Bay', country_code: 'US', bounding_box: [-163, 55, -162, 56] } : undefined,
  centres: (term) => (term === 'near:cold bay' ? [{ longitude: -162.5, latitude: 55.5 }] : []),
  listTerms: (userId) => (userId === '2' ? ['list:9', 'list:mira/friends'] : []),
};
const seen = (text: string, more: Partial<ArchivedTweet> = {}): TweetDocument =>
  documentOf({ id: '100', text, created_at: '2026-03-04T05:06:07Z', author_id: '1', ...more }, around);
const asked = (query: string): Condition => compileQuery(parse(query));

const tweet = fc
  .record({
    id: fc.integer({ min: 1, max: 9 }).map(String),
    words: fc.array(fc.constantFrom('coffee', 'tea', 'possibly_sensitive', 'cold', 'brew', '東京', '?'), {
      maxLength: 5,
    }),
    author_id: fc.constantFrom('1', '2', '3'),
    like_count: fc.nat(5),
    lang: fc.constantFrom('en', 'ja'),
    possibly_sensitive: fc.boolean(),
    retweeted_tweet_id: fc.option(fc.constant('7'), { nil: undefined, freq: 4 }),
    quoted_tweet_id: fc.option(fc.constantFrom('7', '8'), { nil: undefined }),
    in_reply_to_id: fc.option(fc.constantFrom('7', '8'), { nil: undefined }),
    in_reply_to_username: fc.option(fc.constantFrom('tom', 'mira'), { nil: undefined }),
    place_id: fc.option(fc.constantFrom('p1', 'p2'), { nil: undefined }),
    coordinates: fc.option(fc.constantFrom({ longitude: -162.5, latitude: 55.4 }, { longitude: 0, latitude: 0 }), {
      nil: undefined,
    }),
    poll: fc.option(fc.constant({}), { nil: undefined }),
    expanded_urls: fc.option(fc.constant(['https://youtu.be/cold']), { nil: undefined }),
  })
  .map(({ words, ...more }) => seen(words.join(' '), JSON.parse(JSON.stringify(more)) as Partial<ArchivedTweet>));
const query = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'coffee',
      'tea',
      'possibly_sensitive',
      '-filter:safe',
      '"cold brew"',
      '"cold * tea"',
      '東京',
      '?',
      'holt',
      'from:tom',
      'from:1',
      'lang:ja',
      'min_faves:3',
      'filter:verified',
      'url:cold',
      'filter:quote',
      'quoted_user_id:2',
      'conversation_id:5',
      'since_id:4',
      'retweets_of:tom',
      'include:nativeretweets',
      'since:2026-01-01',
      'to:tom',
      'to:2',
      'list:9',
      'list:mira/friends',
      'has:geo',
      'geocode:55.5,-162.5,200km',
      'bounding_box:[-1 -1 1 1]',
      'near:"cold bay"',
      '(near:"cold bay" within:20km)',
      'place:p1',
      'place_country:us',
      'card_name:poll',
    ),
    tie('query').map((inner) => `-(${inner})`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a} ${b})`),
    fc.tuple(tie('query'), tie('query')).map(([a, b]) => `((${a}) OR (${b}))`),
  ),
})).query;

test('matches a tweet with exactly the right registered queries, as they are added and removed', () => {
  fc.assert(
    fc.property(
      fc.array(query, { maxLength: 30 }),
      fc.array(query, { maxLength: 10 }),
      fc.array(tweet, { maxLength: 10 }),
      fc.func(fc.nat(9)),
      (first, then, tweets, rarity) => {
        const standing = new Percolator<number>(rarity);
        const expected = new Map<number, Condition>();
        const set = (key: number, text: string): void => {
          standing.set(key, asked(text));
          expected.set(key, asked(text));
        };
        first.forEach((text, key) => set(key, text));
        for (let key = 0; key < first.length; key += 3)
          expect([standing.delete(key), expected.delete(key), standing.delete(key)]).toEqual([true, true, false]);
        then.forEach((text, index) => set(index * 2, text));
        expect(standing.size).toBe(expected.size);
        for (const each of tweets) {
          const keys = [...expected].filter(([, condition]) => matches(condition, each, 0)).map(([key]) => key);
          expect(standing.match(each, 0).toSorted((a, b) => a - b)).toEqual(keys.toSorted((a, b) => a - b));
        }
        for (const key of [...standing.keys()]) standing.delete(key);
        expect([standing.size, standing.termCount]).toEqual([0, 0]);
      },
    ),
    { numRuns: rounds(500) },
  );
});

// Objects of 100,000 queries lie at random places in memory: to evaluate a few of them costs more than all lists.
test('decides alternatives, counts and their opposites by terms and counts alone', () => {
  const standing = new Percolator<string>();
  const expected = [
    '(coffee OR tea) (lang:ja OR min_faves:3) -filter:replies',
    'tea -(min_faves:5 lang:en)',
    '(from:mira OR from:tom) tea min_faves:3',
    'tea -min_faves:4',
    'coffee OR tea OR from:mira',
  ];
  const others = [
    '(coffee OR cold) (lang:ja OR min_faves:3)',
    'tea -(min_faves:3 lang:en)',
    'tea min_faves:4',
    'tea -(coffee OR tea)',
  ];
  for (const text of [...expected, ...others]) standing.set(text, asked(text));
  const document = seen('tea', { like_count: 3, lang: 'en' });
  const has = (): boolean => {
    throw new Error('evaluated');
  };
  const { terms, tokens } = document;
  const notEvaluated = { ...document, terms: { lists: terms.lists, has }, tokens: { lists: tokens.lists, has } };
  expect(standing.match(notEvaluated as unknown as TweetDocument, 0).toSorted()).toEqual(expected.toSorted());
});

test('a query matches once where words repeat, and where the username of the author is the id', () => {
  const standing = new Percolator<string>();
  standing.set('words', asked('tea'));
  standing.set('author', { is: 'person', role: 'author', name: '77' });
  const context: DocumentContext = { ...around, user: (id) => ({ id, username: id }) };
  const record = { id: '100', text: 'tea and tea', created_at: '2026-03-04T05:06:07Z', author_id: '77' };
  expect(standing.match(documentOf(record, context), 0).toSorted()).toEqual(['author', 'words']);
});

test('queries with the same condition match until the last of them is deleted, whichever is deleted first', () => {
  for (const order of [
    [1, 2, 3],
    [2, 3, 1],
    [3, 1, 2],
  ]) {
    const standing = new Percolator<number>();
    const found = (): number[] => standing.match(seen('green tea'), 0).toSorted();
    for (const key of [1, 2, 3]) standing.set(key, asked('tea'));
    for (const [deleted, key] of order.entries()) {
      expect(found()).toEqual(order.slice(deleted).toSorted());
      standing.delete(key);
    }
    expect(found()).toEqual([]);
  }
});

test('evaluates only candidate queries of ten thousand, and equal queries once', () => {
  let looks = 0;
  /** With a part that is always so and counts how often it is asked what it is. */
  const counted = (condition: Condition): Condition => ({
    is: 'all',
    parts: [
      {
        get is() {
          looks++;
          return 'created' as const;
        },
        since: 0,
        until: 1e15,
      },
      condition,
    ],
  });
  const standing = new Percolator<number>((term) => (term === 'the' ? 100_000 : 1));
  for (let key = 0; key < 10_000; key++)
    standing.set(key, counted(asked(key % 2 === 0 ? `from:user_${key}` : `the word${key} OR (the again${key})`)));
  for (let key = 10_000; key < 11_000; key++) standing.set(key, counted(asked('filter:verified -filter:links')));
  looks = 0;
  expect(standing.match(seen('the word5 the word7 rarely'), 0).toSorted()).toEqual([5, 7]);
  // The two that answer and the thousand that hang on nothing, which all ask the same.
  expect(looks).toBe(3);
  expect(standing.match(seen('hello', { author_id: '2' }), 0)).toHaveLength(1000);
  // Terms decide about the words of a phrase and an excluded word. The one evaluated query is that without a required term.
  standing.set(11_000, counted(asked('"rare brew"')));
  standing.set(11_001, counted(asked('rare -tea')));
  looks = 0;
  expect([standing.match(seen('rare tea'), 0), looks]).toEqual([[], 1]);
});
