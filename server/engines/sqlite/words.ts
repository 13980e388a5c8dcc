/**
 * The words by which FTS5 finds a tweet. The table has three columns: the tokens of the texts, the tokens of the links, and the terms
 * (search/document.ts). A phrase of FTS5 is tokens in sequence in one column, and a token that no word is stands between two texts, so a
 * phrase is found exactly where the evaluator finds it.
 */
import { createHash } from 'node:crypto';
import { lexemesOfEngagement } from '../../archive/search/engagement-levels.ts';
import type { ArchivedTweet } from '../../domain/records.ts';
import {
  linkTexts,
  ownTerms,
  refersToTweet,
  relatedTerms,
  textsOf,
  type DocumentContext,
} from '../../search/document.ts';
import { tokensOf } from '../../search/language/tokenizer.ts';

/**
 * Of the ASCII characters, this tokenizer separates tokens at blanks, controls and double quotes only, and folds capital letters. It takes
 * all other characters as they are.
 */
export const tokenizer = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\\]^_`{|}~'";

/** Characters that the tokenizer does not keep apart: controls, the double quote, and the blank that stands for a space. */
const unsuitable = /[\0-\u001f"\u007f\u00a0]/;
/** What `tokenOf` changes: most tokens and terms have none of it. */
const special = /[\0-\u001f "A-Z^\u007f\u00a0\ud800-\udfff]/;
/** Longer texts are stored as a hash. FTS5 cuts tokens of more than 32,768 bytes. */
const maxLength = 500;

/**
 * The token of FTS5 for a word or a term: distinct texts have distinct tokens. A space becomes a no-break space; a capital letter becomes
 * `^` and the small letter, because the tokenizer folds it. What the tokenizer would change in another way, and what is very long,
 * becomes a hash.
 */
export function tokenOf(text: string): string {
  if (text.length <= maxLength && !special.test(text)) return text;
  if (text.length > maxLength || unsuitable.test(text) || !text.isWellFormed())
    return `hash:${createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex')}`;
  const folded = /[A-Z^]/.test(text)
    ? text.replaceAll(/[A-Z^]/g, (letter) => (letter === '^' ? '^^' : `^${letter.toLowerCase()}`))
    : text;
  return folded.includes(' ') ? folded.replaceAll(' ', '\u00a0') : folded;
}

/** The string of FTS5 for tokens in sequence. */
export const phraseOf = (words: readonly string[]): string => `"${words.map(tokenOf).join(' ')}"`;

/** The term that all tweets have: the left side of a query that only excludes. */
export const everyTweet = 'every:tweet';
const betweenTexts = ' | ';

/** The columns of the row of a tweet. */
export interface Words {
  readonly text: string;
  readonly link: string;
  readonly term: string;
}

/** The words of a tweet with an engagement. */
export function wordsOf(tweet: ArchivedTweet, engagement: number, context: DocumentContext): Words {
  const terms = new Set([everyTweet, tokenOf(`from:${tweet.author_id}`)]);
  for (const term of ownTerms(tweet)) terms.add(tokenOf(term));
  if (refersToTweet(tweet)) for (const term of relatedTerms(tweet, context)) terms.add(tokenOf(term));
  for (const level of lexemesOfEngagement(engagement)) terms.add(tokenOf(level));
  return {
    text: columnOf(textsOf(tweet).map(tokensOf)),
    link: columnOf(linkTexts(tweet).map(tokensOf)),
    term: [...terms].join(' '),
  };
}

/** A column with texts between which no phrase is found. */
export const columnOf = (texts: readonly (readonly string[])[]): string =>
  texts.map((tokens) => tokens.map(tokenOf).join(' ')).join(betweenTexts);
