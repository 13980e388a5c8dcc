/** The lexemes by which the index of words finds a phrase. */
import { storedText } from '../../../server/archive/content/stored-text.ts';
import { describe, expect, test } from '@jest/globals';
import { lexemesOf, phraseOf } from '../../../server/engines/postgres/rows/lexemes.ts';
import { wordSearch } from '../../../server/engines/postgres/search/search-sql.ts';

const pairsOf = (...text: string[]): number => lexemesOf({ terms: [], texts: [text], links: [] }).pairs.length;

describe('a pair of adjacent words', () => {
  test('has a lexeme where both words are short, in a tweet and in a phrase', () => {
    expect(pairsOf('one', 'of', 'these', 'short', 'words')).toBe(4);
    expect(pairsOf('one', 'longer', 'word')).toBe(0);
    expect(pairsOf('the', 'sea', 'between', 'the', 'sea')).toBe(1);
    expect(phraseOf(['in', 'the', 'climate', 'of', 'today'], storedText).pairs).toHaveLength(2);
    expect(phraseOf(['climate', 'change'], storedText).pairs).toEqual([]);
    expect(phraseOf(['in', '*', 'the'], storedText).pairs).toEqual([]);
  });
});

describe('the index looks for', () => {
  const shares = new Map([
    ['the', 0.3],
    ['people', 0.02],
    ['because', 0.01],
    ['climate', 0.005],
  ]);
  const indexed = (...tokens: string[]): readonly string[] | undefined =>
    wordSearch({ is: 'words', within: 'text', tokens }, (lexeme) => shares.get(lexeme) ?? 0.001)?.indexed;

  test('the words of a phrase without a pair, except for much more frequent ones', () => {
    const [query = ''] = indexed('the', 'people', 'because', 'climate') ?? [];
    expect(query).toContain(`('people' & 'because' & 'climate')`);
  });

  test('the pair of a phrase, and no word that is more frequent', () => {
    const [pair = ''] = phraseOf(['of', 'the'], storedText).pairs;
    const [query = ''] = indexed('of', 'the', 'people') ?? [];
    expect(query).toContain(`('of' & '${pair}')`);
  });
});
