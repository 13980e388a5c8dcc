/** The tokenizer of indexed texts, against the one of queries. */
import { expect, test } from '@jest/globals';
import { rounds } from '../support/rounds.ts';
import fc, { anyCharacter, anyGrapheme } from '../support/property.ts';
import { TokenScanner } from '../../server/search/language/token-scanner.ts';
import { signRuns, tokensOf } from '../../server/search/language/tokenizer.ts';
import { nightlyTest } from '../support/nightly.ts';

const scanner = new TokenScanner();

function scanned(text: string): { readonly tokens: string[]; readonly runs: readonly string[] } {
  scanner.scan(text);
  const tokens = Array.from({ length: scanner.count }, (_, token) =>
    String.fromCharCode(...scanner.units.subarray(scanner.start(token), scanner.end(token))),
  );
  return { tokens, runs: scanner.signRuns };
}

const expected = (text: string): ReturnType<typeof scanned> => ({ tokens: tokensOf(text), runs: signRuns(text) });

nightlyTest(
  'each character has the same tokens and punctuation runs between letters, signs and other characters',
  () => {
    const textOf = (code: number): string => {
      // Half of a character is no text.
      if (code >= 0xd800 && code < 0xe000) return '';
      const character = String.fromCodePoint(code);
      return `a${character}b ${character}${character} -${character}! 한${character}e\u0301`;
    };
    // Many in one text, because the work for a text is more than that for a character.
    const together = 64;
    for (let first = 0; first < 0x1_fd00; first += together) {
      const text = Array.from({ length: together }, (_, after) => textOf(first + after)).join(' \n ');
      if (JSON.stringify(scanned(text)) !== JSON.stringify(expected(text)))
        expect([first.toString(16), scanned(text)]).toEqual([first.toString(16), expected(text)]);
    }
  },
);

/** Characters whose folded form depends on those beside them, and characters of all classes. */
const piece = fc.oneof(
  fc.constantFrom(
    'a',
    'Z',
    '9',
    '_',
    ' ',
    '\n',
    '#',
    '...',
    '…',
    '’',
    'é',
    'e\u0301',
    'ß',
    'İ',
    'Σ',
    'ΑΣ',
    'ﬁ',
    '½',
    '™',
    '©',
  ),
  fc.constantFrom(
    '東京',
    'か\u3099',
    'ｶﾞ',
    'ガ',
    '서울',
    '\u1112\u1161\u11ab',
    'ไทย',
    'ක්‍ර',
    'हिन्दी',
    'עִבְרִית',
    'ﷺ',
    '\u0344',
    '។៛',
  ),
  fc.constantFrom('😀', '👍🏽', '❤️', '👨‍👩‍👧', '🇩🇪', '🇩', '🈁', '𝒜', '𠮷', '1️⃣', '\u200d', '\ufe0f'),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
  fc.string({ unit: anyGrapheme, maxLength: 4 }),
);

test('every text has the same tokens and punctuation runs', () => {
  const property = fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
    const text = pieces.join('');
    expect(scanned(text)).toEqual(expected(text));
  });
  fc.assert(property, { numRuns: rounds(2000) });
});

test('a text of any length has the same tokens, and the scanner is as before after it', () => {
  for (const text of [
    'x'.repeat(50_000),
    'a-'.repeat(20_000),
    `${'ﷺ'.repeat(5_000)} é`,
    `${'!'.repeat(9_000)}`,
    'a b',
  ]) {
    expect(scanned(text)).toEqual(expected(text));
  }
});

test('an ASCII text has the same tokens and punctuation runs alone as before a character outside ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 30 }), (text) => {
      expect([...tokensOf(text), 'e']).toEqual(tokensOf(`${text} é`));
      expect(signRuns(text)).toEqual(signRuns(`${text} é`));
    }),
    { numRuns: rounds(2000) },
  );
});
