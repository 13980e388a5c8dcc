/** Extracts the meaningful terms of a text. */
import { memoized } from '../../../collections/memoized.ts';
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';
import { withoutAddressees } from '../../conversation-tree.ts';
import type { Language, LanguageCode } from './languages.ts';
import { stopLists, stopWordsOf } from '../../stop-lists.ts';

/** Words of no value for search: words about posts in general, fragments of links and abbreviations, and question words. */
const commonWords = new Set(
  tokensOf(`http https www com co rt amp via post posts posted posting tweet tweets tweeted thread just get got make made one also really
    im dont cant wont isnt doesnt didnt re ll s t d m why does did doing done say says said saying tell tells told talk talks talking think
    thinks she hers they its us me mine yours may might shall not no yes if else anything something everything please give show know want
    let lot lots exactly actually per want wants so very much us mean means any take takes took taken need needs use uses used using come comes came happen
    happens happened work works thing things people person info information details across along around behind beside near towards without yet still now ever whats whos hows
    theres heres thats hes shes theyre youre ive theyve wasnt werent arent hasnt havent hadnt wouldnt couldnt shouldnt`),
);

export type IsStop = (word: string) => boolean;
/** Maps the inflected forms of a word to one term. */
export type Stem = (word: string) => string;

/** How texts become terms. */
export interface Lexis {
  readonly isStop: IsStop;
  readonly stem: Stem;
}

/** How a question and the texts around it become terms: without the stop words of their languages, and stemmed. */
export async function lexisOf(language: Language, text: string): Promise<Lexis> {
  const found = [stopLists.get('en'), stopLists.get(language.code), language.stopWords, commonWords, stopWordsOf(text)];
  const lists = found.filter((list) => list !== undefined);
  return { isStop: (word) => lists.some((list) => list.has(word)), stem: await stemmerOf(language.code) };
}

const loaders: Readonly<Record<Exclude<LanguageCode, 'ja'>, () => Promise<{ readonly stemmer: Stem }>>> = {
  en: () => import('@orama/stemmers/english'),
  es: () => import('@orama/stemmers/spanish'),
  pt: () => import('@orama/stemmers/portuguese'),
  fr: () => import('@orama/stemmers/french'),
  de: () => import('@orama/stemmers/german'),
  ar: () => import('@orama/stemmers/arabic'),
  hi: () => import('@orama/stemmers/indian'),
};

/** Maximum length of a word that is stemmed in UTF-16 units; some stemmers need more than linear time. */
const maxWordLength = 40;
/** The number of words of a language whose terms are kept. */
const maxStems = 20_000;
const stemmers = new Map<LanguageCode, Stem>();

/** The stemmer of a language, loaded at its first use. */
async function stemmerOf(code: LanguageCode): Promise<Stem> {
  const known = stemmers.get(code);
  if (known !== undefined) return known;
  const stemmer: Stem = code === 'ja' ? (word) => word : (await loaders[code]()).stemmer;
  // An Arabic verb begins with a letter for the person: «ينطلق» and «تنطلق».
  const bare: Stem = (word) => (code === 'ar' ? word.replace(/^[يتن](?=\p{L}{4})/u, '') : word);
  const termOf = memoized(maxStems, (word) => stemmer(bare(word)));
  const stem: Stem = (word) => (word.length > maxWordLength || /\d/.test(word) ? word : termOf(word));
  stemmers.set(code, stem);
  return stem;
}

/** A text with numbers of one form: “1,100”, “1.100” and “1 100” are 1100. */
const ungrouped = (text: string): string => text.replace(/(?<=(?<!\d)\d{1,3})[.,'\u00a0\u202f](?=\d{3}(?!\d))/gu, '');

/** The terms of a text without stop words, in order, with repeats. */
export const termsOf = (text: string, { isStop, stem }: Lexis): string[] =>
  tokensOf(ungrouped(text.replace(/https?:\/\/\S+/g, ' ')))
    .filter((word) => !isStop(word))
    .map(stem);

/** The number of UTF-16 units of a text in which words are looked for. */
const maxReadable = 2000;

/** A text in which the words of a language can be found: folded, without links, addressed users, and signs that people leave out. */
export const readable = (text: string): string =>
  ungrouped(fold(withoutAddressees(text.slice(0, maxReadable)).replace(/https?:\/\/\S+/g, ' ')))
    .replace(/[’‘`´]/gu, "'")
    // The vowel signs of Arabic, and the stretching of words.
    .replace(/[\u064b-\u0652\u0670\u0640]/gu, '')
    .trim();
