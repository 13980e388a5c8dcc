import { expect, test } from '@jest/globals';
import { anyToken, boundary, linkMark, TokenSequences } from '../../../server/search/inverted-index/token-sequences.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

/** Numbers of one to five bytes, many of which begin or end with the same bytes. */
const token = fc.constantFrom(2, 3, 127, 128, 129, 255, 257, 16_383, 16_385, 2 ** 21, 2 ** 28 + 1, 2 ** 32 - 1);
const texts = fc.array(fc.array(token, { maxLength: 4 }), { maxLength: 3 });

const contains = (text: readonly number[], phrase: readonly number[]): boolean =>
  text.some(
    (_, start) =>
      start + phrase.length <= text.length &&
      phrase.every((each, index) => each === anyToken || each === text[start + index]),
  );

test('finds the phrases of the texts and links, whatever sequences were there before', () => {
  const sequences = new TokenSequences();
  const phrase = fc.tuple(token, fc.array(fc.oneof(token, fc.constant(anyToken)), { maxLength: 2 }));
  fc.assert(
    fc.property(texts, texts, phrase, fc.boolean(), (written, links, [first, rest], isRemoved) => {
      const ended = (lists: readonly (readonly number[])[]): number[] => lists.flatMap((list) => [...list, boundary]);
      const handle = sequences.put([...ended(written), linkMark, ...ended(links)]);
      const wanted = [first, ...rest];
      const inLinks = links.some((link) => contains(link, wanted));
      expect(sequences.has(handle, wanted, true)).toBe(inLinks);
      expect(sequences.has(handle, wanted, false)).toBe(inLinks || written.some((text) => contains(text, wanted)));
      expect(sequences.has(handle, [-2, ...wanted], false)).toBe(false);
      if (isRemoved) sequences.remove(handle);
    }),
    { numRuns: rounds(5000) },
  );
});

test('most numbers take two bytes', () => {
  const sequences = new TokenSequences();
  for (let tweet = 0; tweet < 90_000; tweet++)
    sequences.put([...Array.from({ length: 20 }, (_, place) => 128 + place), 0, 1]);
  expect(sequences.bytes / 90_000).toBeLessThan(50);
});

test('handles reach sequences in later chunks', () => {
  const sequences = new TokenSequences();
  const words = Array.from({ length: 3000 }, () => 2 ** 28 + 1);
  const handles = Array.from({ length: 1000 }, (_, tweet) =>
    sequences.put([300 + tweet, ...words, boundary, linkMark]),
  );
  expect(sequences.bytes).toBeGreaterThan(2 * 2 ** 22);
  for (const [tweet, handle] of handles.entries()) {
    expect(sequences.has(handle, [300 + tweet, words[0]!], false)).toBe(true);
    expect(sequences.has(handle, [301 + tweet], false)).toBe(false);
  }
});
