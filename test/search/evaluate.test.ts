/** The meaning of each kind of condition, at its limits. */
import { expect, test } from '@jest/globals';
import type { NameLists, Person, TweetDocument } from '../../server/domain/tweet-document.ts';
import type { Condition } from '../../server/search/language/condition.ts';
import { adjacentIn, matches } from '../../server/search/language/evaluate.ts';

const names = (lists: readonly (readonly string[])[]): NameLists => ({
  lists,
  has: (name) => lists.some((list) => list.includes(name)),
});
const person = (id: string, username?: string): Person => ({ id, username });
const base = { longitude: 0, latitude: 0 };

function tweet(own: Partial<TweetDocument> = {}): TweetDocument {
  const { texts = [['red', 'fox']], links = [['site', 'den']], names: authorNames = [['ann', 'lee']] } = own;
  return {
    id: 10n,
    createdAt: 1_000,
    author: person('1', 'ann'),
    retweeted: undefined,
    answered: undefined,
    location: { point: undefined, box: undefined },
    centres: () => [],
    verified: false,
    blueVerified: false,
    counts: { like_count: 0, retweet_count: 0, reply_count: 0, quote_count: 0, bookmark_count: 0, view_count: 0 },
    terms: names([['#tag', 'place:bern']]),
    tokens: names([...texts, ...links, ...authorNames]),
    ...own,
    ...{ texts, links, names: authorNames },
  };
}

const now = 5_000;
const holds = (condition: Condition, own?: Partial<TweetDocument>): boolean => matches(condition, tweet(own), now);

test('adjacent tokens: in order, without a gap, at both ends; an asterisk stands for exactly one', () => {
  const text = ['a', 'b', 'c'];
  for (const tokens of [['a'], ['c'], ['a', 'b', 'c'], ['b', 'c'], ['a', '*', 'c'], ['*', 'c'], ['b', '*']])
    expect({ tokens, found: adjacentIn(text, tokens) }).toEqual({ tokens, found: true });
  for (const tokens of [
    ['b', 'a'],
    ['a', 'c'],
    ['c', '*'],
    ['*', 'a'],
    ['a', 'b', 'c', 'd'],
  ])
    expect({ tokens, found: adjacentIn(text, tokens) }).toEqual({ tokens, found: false });
});

test('words: in texts, links and names of the author; or in links only', () => {
  const words = (within: 'text' | 'link', ...tokens: string[]): boolean => holds({ is: 'words', within, tokens });
  expect(['red', 'den', 'lee'].map((token) => words('text', token))).toEqual([true, true, true]);
  expect(['red', 'den', 'lee'].map((token) => words('link', token))).toEqual([false, true, false]);
  expect([words('text', 'red', 'fox'), words('text', 'fox', 'red'), words('text', 'fox', 'site')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([words('text', 'site', 'den'), words('text', 'ann', 'lee'), words('text', 'red', '*')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([words('link', 'site', 'den'), words('link', 'ann', 'lee'), words('link', 'red', 'fox')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([words('text', 'blue'), words('text', 'red', 'blue')]).toEqual([false, false]);
});

test('a person: by id or by username, in each role', () => {
  const is = (role: 'author' | 'retweeted' | 'answered', name: string): boolean =>
    holds({ is: 'person', role, name }, { retweeted: person('2', 'bob'), answered: person('3') });
  expect([is('author', 'ann'), is('author', '1'), is('author', 'bob')]).toEqual([true, true, false]);
  expect([is('retweeted', 'bob'), is('retweeted', '2'), is('retweeted', '1')]).toEqual([true, true, false]);
  expect([is('answered', '3'), is('answered', 'ann')]).toEqual([true, false]);
  expect(holds({ is: 'person', role: 'answered', name: 'ann' })).toBe(false);
});

test('the two kinds of verification are separate', () => {
  expect(holds({ is: 'verified' }, { verified: true })).toBe(true);
  expect(holds({ is: 'verified' }, { blueVerified: true })).toBe(false);
  expect(holds({ is: 'blue_verified' }, { blueVerified: true })).toBe(true);
  expect(holds({ is: 'blue_verified' }, { verified: true })).toBe(false);
});

test('times: from `since`, before `until`; less than `ms` ago', () => {
  const created = (since: number, until: number): boolean => holds({ is: 'created', since, until });
  expect([created(1_000, 1_001), created(1_001, 2_000), created(0, 1_000), created(0, 1_001)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect([4_001, 4_000, 3_999].map((ms) => holds({ is: 'recent', ms }))).toEqual([true, false, false]);
});

test('ids: above the first limit, up to the second', () => {
  const between = (above: bigint, upTo: bigint): boolean => holds({ is: 'ids', above, upTo });
  expect([between(9n, 10n), between(10n, 11n), between(8n, 9n), between(0n, 99n)]).toEqual([true, false, false, true]);
});

test('counts: at least', () => {
  const counts = { ...tweet().counts, like_count: 7 };
  expect([7, 8].map((min) => holds({ is: 'count', count: 'like_count', min }, { counts }))).toEqual([true, false]);
});

test('an area: a point inside; a place without a point by its term or by a centre near enough', () => {
  const area: Condition = { is: 'area', area: { shape: 'circle', centre: base, metres: 1_000 } };
  const at = (longitude: number): Partial<TweetDocument> => ({
    location: { point: { longitude, latitude: 0 }, box: undefined },
  });
  expect([holds(area, at(0.001)), holds(area, at(1)), holds(area)]).toEqual([true, false, false]);
  const near: Condition = { is: 'near', term: 'place:bern', metres: 1_000 };
  // The tweet has the term of the place.
  expect(holds(near)).toBe(true);
  expect(holds({ ...near, term: 'place:basel' })).toBe(false);
  // Where it has a point, the point decides.
  const centres = (term: string) => (term === 'place:bern' ? [base] : []);
  expect(holds(near, { ...at(0.001), centres })).toBe(true);
  expect(holds(near, { ...at(1), centres })).toBe(false);
  expect(holds({ ...near, term: 'place:basel' }, { ...at(0.001), centres })).toBe(false);
});

test('all, any and not; without parts, all holds and any does not', () => {
  const [yes, no]: Condition[] = [
    { is: 'term', term: '#tag' },
    { is: 'term', term: '#other' },
  ];
  const parts = [yes!, no!];
  expect([holds({ is: 'all', parts }), holds({ is: 'any', parts })]).toEqual([false, true]);
  expect([holds({ is: 'all', parts: [] }), holds({ is: 'any', parts: [] })]).toEqual([true, false]);
  expect(parts.map((part) => holds({ is: 'not', part }))).toEqual([false, true]);
});
