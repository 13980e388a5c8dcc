/**
 * The lexemes by which PostgreSQL finds a tweet. One tsvector holds the terms of the tweet (see search/document.ts), the
 * tokens of its texts with their positions, the tokens of its links with the prefix `l:`, and a lexeme for each two adjacent
 * short tokens. A term has a character that no token has, so a term and a token are never the same lexeme.
 */
import { storedText } from '../../../archive/content/stored-text.ts';
import { fnv1a } from '../../../collections/string-hash.ts';

/** PostgreSQL stores positions up to this one, and reports every later one as this one. */
const maxPosition = 16_383;
/** PostgreSQL stores this number of positions of a lexeme, and drops the others. */
export const maxPositions = 255;
/**
 * The distance between the positions of two texts. No phrase extends over it, because a query has at most 1,024 characters and thus a
 * phrase at most 512 tokens.
 */
const textGap = 512;
/** The lexeme of the tweets whose positions PostgreSQL cannot store. Their tokens have no positions. */
export const longLexeme = 'is:long';

/** The lexeme for a token of a link. */
export const linkLexeme = (token: string): string => storedText(`l:${token}`);

/** Quotes a lexeme for the text form of a tsvector or a tsquery. */
export const quoteLexeme = (lexeme: string): string =>
  lexeme.includes("'") || lexeme.includes('\\') ? `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'` : `'${lexeme}'`;

const separator = '\u001f';
/** The characters of two bytes, without controls. */
const firstOfTwoBytes = 0xa0;
const charactersOfTwoBytes = 0x800 - firstOfTwoBytes;
const letters = 26;
/** The number of lexemes of pairs. */
const pairCount = letters * charactersOfTwoBytes;

/**
 * The number of the lexeme of two adjacent lexemes. The index knows no positions, so without it PostgreSQL reads each tweet that has both
 * words of a phrase. It is one of 49,088, so that the many pairs that occur once need no entries in the index. A phrase also needs its
 * words, and compares the positions.
 */
function pairOf(first: string, second: string): number {
  let hash = fnv1a(second, fnv1a(separator, fnv1a(first)));
  hash ^= hash >>> 15;
  return (hash >>> 0) % pairCount;
}

/** The number of characters of the longest lexeme that pairs have. */
const maxPaired = 5;

/**
 * Whether two adjacent lexemes have the lexeme of a pair. Common words are short, and almost half of all pairs have a longer one. A search for a phrase
 * with a longer word reads the tweets with that word, which are few.
 */
const isPaired = (first: string, second: string): boolean => first.length <= maxPaired && second.length <= maxPaired;

/** The first character of the lexeme of a pair: a capital letter, which no token and no term begins with. */
export const letterOfPair = (pair: number): number => 0x41 + (pair % letters);
/** The second one, a character of two bytes. */
export const wideOfPair = (pair: number): number => firstOfTwoBytes + Math.floor(pair / letters);
const pairLexeme = (pair: number): string => String.fromCharCode(letterOfPair(pair), wideOfPair(pair));

/** The tsquery of tokens in sequence. Each `*` matches any one token, so it increases the distance to the next one. */
export const phraseQuery = (tokens: readonly string[], lexemeFor: (token: string) => string): string =>
  phraseOf(tokens, lexemeFor).query;

/** The tsquery of tokens in sequence, and all lexemes of a tweet with the phrase: those of its tokens and those of its pairs. */
export interface Phrase {
  readonly query: string;
  readonly lexemes: readonly string[];
  /** Those of the lexemes that are pairs. */
  readonly pairs: readonly string[];
}

export function phraseOf(tokens: readonly string[], lexemeFor: (token: string) => string): Phrase {
  let text = '';
  let [before, distance]: [string | undefined, number] = [undefined, 0];
  const [words, pairs] = [new Set<string>(), new Set<string>()];
  for (const token of tokens) {
    distance++;
    if (token === '*') continue;
    const lexeme = lexemeFor(token);
    if (before !== undefined) text += distance === 1 ? ' <-> ' : ` <${distance}> `;
    if (before !== undefined && distance === 1 && isPaired(before, lexeme))
      pairs.add(pairLexeme(pairOf(before, lexeme)));
    text += quoteLexeme(lexeme);
    words.add(lexeme);
    [before, distance] = [lexeme, 0];
  }
  const query = `(${[`(${text})`, ...Array.from(pairs, quoteLexeme)].join(' & ')})`;
  return { query, lexemes: [...words, ...pairs], pairs: [...pairs] };
}

export interface SearchedTexts {
  readonly terms: Iterable<string>;
  /** The tokens of each text. */
  readonly texts: readonly (readonly string[])[];
  /** The tokens of each link. */
  readonly links: readonly (readonly string[])[];
}

/** The lexemes of a tweet. */
export interface Lexemes {
  /** The positions of each token: one or several. Empty where PostgreSQL cannot store all positions of the tweet. */
  readonly tokens: ReadonlyMap<string, number | readonly number[]>;
  /** Lexemes without positions. */
  readonly others: ReadonlySet<string>;
  /** The distinct numbers of the lexemes of adjacent short tokens. */
  readonly pairs: readonly number[];
  /** Whether the tokens have positions. */
  readonly hasPositions: boolean;
}

/** The call of `lexemesOf` that found a pair last: a look-up by number is much faster than a set for each tweet. */
const foundIn = new Float64Array(pairCount);
let calls = 0;

/** The lexemes of the terms, texts and links of a tweet. */
export function lexemesOf({ terms, texts, links }: SearchedTexts): Lexemes {
  const tokens = new Map<string, number | number[]>();
  const others = new Set<string>();
  const pairs: number[] = [];
  const call = ++calls;
  for (const term of terms) others.add(storedText(term));
  let last = 0;
  let most = 0;
  const addPair = (pair: number): void => {
    if (foundIn[pair] === call) return;
    foundIn[pair] = call;
    pairs.push(pair);
  };
  const addText = (text: readonly string[], lexemeFor: (token: string) => string): void => {
    let before: string | undefined;
    for (const token of text) {
      const lexeme = lexemeFor(token);
      last++;
      if (before !== undefined && isPaired(before, lexeme)) addPair(pairOf(before, lexeme));
      before = lexeme;
      const known = tokens.get(lexeme);
      if (known === undefined) tokens.set(lexeme, last);
      else if (typeof known === 'number') tokens.set(lexeme, [known, last]);
      else most = Math.max(most, known.push(last));
    }
    last += textGap;
  };
  for (const text of texts) addText(text, storedText);
  for (const link of links) addText(link, linkLexeme);
  const hasPositions = last - textGap <= maxPosition && most <= maxPositions;
  if (hasPositions) return { tokens, others, pairs, hasPositions };
  for (const lexeme of tokens.keys()) others.add(lexeme);
  return { tokens: new Map(), others: others.add(longLexeme), pairs, hasPositions };
}

/** The text form of a tsvector. */
export const vectorOf = ({ tokens, others, pairs }: Lexemes): string =>
  [
    ...Array.from(tokens, ([lexeme, positions]) => `${quoteLexeme(lexeme)}:${String(positions)}`),
    ...Array.from(others, quoteLexeme),
    ...pairs.map((pair) => quoteLexeme(pairLexeme(pair))),
  ].join(' ');
