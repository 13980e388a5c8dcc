/** Extracts the meaningful terms of a text. */
import lists from 'stopword';
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';
import type { Language, LanguageCode } from './languages/language.ts';

/** Stop words by ISO 639-3 code. */
const stopLists = new Map(
  Object.entries(lists)
    .filter(([, list]) => Array.isArray(list))
    .map(([name, list]) => [name, new Set(list.map(fold))]),
);
/**
 * Words of no value for search: words about posts in general, fragments of links and abbreviations, and question words.
 */
const commonWords = new Set(
  tokensOf(`http https www com co rt amp via post posts posted posting tweet tweets tweeted thread just get got make made one also really
    im dont cant wont isnt doesnt didnt re ll s t d m why does did doing done say says said saying tell tells told talk talks talking think
    thinks she hers they its us me mine yours may might shall not no yes if else anything something everything please give show know want
    let lot lots exactly actually per want wants so very much us mean means any`),
);
const codes: Readonly<Record<LanguageCode, string>> = {
  en: 'eng',
  es: 'spa',
  pt: 'por',
  fr: 'fra',
  de: 'deu',
  ja: 'jpn',
  ar: 'ara',
  hi: 'hin',
};

/** The number of words at the start of a text that determine its language. */
const sampleWords = 400;

export type IsStop = (word: string) => boolean;
/** Maps the inflected forms of a word to one term. */
export type Stem = (word: string) => string;

/** How texts become terms. */
export interface Lexis {
  readonly isStop: IsStop;
  readonly stem: Stem;
}

/** Returns a test for stop words in a language, in the languages of the texts, and in English. */
export function stopWordsOf(language: LanguageCode | undefined, ...texts: readonly string[]): IsStop {
  const found = [
    stopLists.get('eng'),
    language === undefined ? undefined : stopLists.get(codes[language]),
    commonWords,
  ];
  const lists = [...found, ...texts.map(listFor)].filter((list) => list !== undefined);
  return (word) => lists.some((list) => list.has(word));
}

/** The stop words of the language whose list covers most of the text. */
function listFor(text: string): ReadonlySet<string> | undefined {
  const sample = tokensOf(text.slice(0, sampleWords * 10)).slice(0, sampleWords);
  let maxCovered = 0;
  let best: ReadonlySet<string> | undefined;
  for (const list of stopLists.values()) {
    const covered = sample.reduce((sum, word) => sum + (list.has(word) ? 1 : 0), 0);
    if (covered > maxCovered) [maxCovered, best] = [covered, list];
  }
  return best;
}

/** Loads the stemmer of a language at its first use. */
async function loadStemmer(code: LanguageCode): Promise<Stem> {
  switch (code) {
    case 'en':
      return (await import('@orama/stemmers/english')).stemmer;
    case 'es':
      return (await import('@orama/stemmers/spanish')).stemmer;
    case 'pt':
      return (await import('@orama/stemmers/portuguese')).stemmer;
    case 'fr':
      return (await import('@orama/stemmers/french')).stemmer;
    case 'de':
      return (await import('@orama/stemmers/german')).stemmer;
    case 'ar':
      return (await import('@orama/stemmers/arabic')).stemmer;
    case 'hi':
      return (await import('@orama/stemmers/indian')).stemmer;
    case 'ja':
      return (word) => word;
  }
}

/** Maximum length of a word that is stemmed in UTF-16 units; some stemmers need more than linear time. */
const maxWordLength = 40;
const stemmers = new Map<LanguageCode, Stem>();

export async function stemmerOf({ code }: Language): Promise<Stem> {
  const known = stemmers.get(code);
  if (known !== undefined) return known;
  const stemmer = await loadStemmer(code);
  const stem: Stem = (word) => (word.length > maxWordLength || /\d/.test(word) ? word : stemmer(word));
  stemmers.set(code, stem);
  return stem;
}

/** The terms of a text without stop words, in order, with repeats. */
export const termsOf = (text: string, { isStop, stem }: Lexis): string[] =>
  tokensOf(text)
    .filter((word) => !isStop(word))
    .map(stem);
