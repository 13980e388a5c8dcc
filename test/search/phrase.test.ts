import { expect, test } from '@jest/globals';
import type { Condition } from '../../server/search/language/condition.ts';
import { documentOf } from '../../server/search/document.ts';
import { adjacentIn, matches, matchSteps } from '../../server/search/language/evaluate.ts';
import { containsPhrase, phraseMatcher } from '../../server/search/language/phrase.ts';
import { anyToken, boundary, linkMark, TokenSequences } from '../../server/search/inverted-index/token-sequences.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const contains = (text: readonly string[], phrase: readonly string[]): boolean =>
  text.some(
    (_, start) =>
      start + phrase.length <= text.length &&
      phrase.every((token, place) => token === '*' || token === text[start + place]),
  );

/** The same tokens; counts how often one of them is read. */
function counted<Token>(tokens: readonly Token[]): { readonly tokens: readonly Token[]; readonly reads: () => number } {
  let reads = 0;
  const get = (target: readonly Token[], name: string | symbol): unknown => {
    if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
    return Reflect.get(target, name);
  };
  return { tokens: new Proxy(tokens, { get }), reads: () => reads };
}

test('finds exactly the phrases of a text, with any number of wildcards', () => {
  const token = fc.constantFrom('a', 'b');
  const patterns = fc.array(fc.constantFrom('a', 'a', 'b', '*'), { minLength: 1, maxLength: 70 });
  fc.assert(
    fc.property(fc.array(token, { maxLength: 100 }), patterns, fc.nat(100), (text, pattern, start) => {
      expect(adjacentIn(text, pattern)).toBe(contains(text, pattern));
      const part = text.slice(start, start + pattern.length);
      if (part.length > 0) expect(adjacentIn(text, part)).toBe(true);
    }),
    { numRuns: rounds(5000) },
  );
});

test('reports each end of a phrase, and none that extends over two texts', () => {
  for (const phrase of [phraseMatcher(['a', 'b', 'a'], '*'), phraseMatcher(['a', '*', 'a'], '*')]) {
    expect(Array.from('abababa', (token) => phrase.read(token))).toEqual([
      false,
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
    phrase.restart();
    expect(Array.from('ba', (token) => phrase.read(token))).toEqual([false, false]);
  }
});

test('reads each token of a text once, and compares it with the phrase a few times, where phrase and text repeat one word', () => {
  const text = counted(Array.from({ length: 20_000 }, () => 'a'));
  for (const phrase of [
    [...Array.from({ length: 500 }, () => 'a'), 'b'],
    [...Array.from({ length: 250 }, () => 'a'), 'b', ...Array.from({ length: 250 }, () => 'a')],
    [...Array.from({ length: 250 }, () => ['a', '*']).flat(), 'b'],
  ]) {
    const before = text.reads();
    const tokens = counted(phrase);
    expect(containsPhrase(text.tokens, phraseMatcher(tokens.tokens, '*'))).toBe(false);
    expect(text.reads() - before).toBe(20_000);
    expect(tokens.reads()).toBeLessThan(4 * (20_000 + phrase.length));
  }
});

test('the embedded index compares a long phrase with each token of a text a few times', () => {
  const sequences = new TokenSequences();
  const handle = sequences.put([
    ...Array.from({ length: 20_000 }, () => 700),
    boundary,
    ...Array.from({ length: 300 }, () => 700),
    701,
    boundary,
    linkMark,
  ]);
  const many = (length: number): number[] => Array.from({ length }, () => 700);
  const long = counted([...many(500), 701]);
  expect(sequences.has(handle, long.tokens, false)).toBe(false);
  expect(long.reads()).toBeLessThan(4 * 20_801);
  expect(sequences.has(handle, [...many(300), 701], false)).toBe(true);
  expect(sequences.has(handle, [...many(299), anyToken, 701], false)).toBe(true);
  expect(sequences.has(handle, [...many(299), 701], true)).toBe(false);
});

test('each phrase of a query is a step of its own', () => {
  const tweet = documentOf(
    { id: '1', text: 'a b a c', created_at: '2026-03-04T05:06:07Z', author_id: '1' },
    { user: () => undefined, authorOf: () => undefined },
  );
  const phrase = (text: string): Condition => ({ is: 'words', within: 'text', tokens: text.split(' ') });
  const condition: Condition = {
    is: 'any',
    parts: [phrase('a a'), { is: 'all', parts: [phrase('a b'), { is: 'not', part: phrase('b c') }, phrase('c a')] }],
  };
  const steps = matchSteps(condition, tweet, 0);
  const values = [steps.next(), steps.next(), steps.next(), steps.next(), steps.next()];
  expect(values.map(({ done }) => done)).toEqual([false, false, false, false, true]);
  expect(values.at(-1)!.value).toBe(false);
  expect(matches(condition, tweet, 0)).toBe(false);
});
