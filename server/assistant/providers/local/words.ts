/** Extracts the meaningful terms of a text. */
import lists from 'stopword';
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';

/** Stop words by language. */
const stopLists = Object.values(lists)
  .filter((list) => Array.isArray(list))
  .map((list) => new Set(list.map(fold)));
/**
 * Words of no value for search: words about posts in general, fragments of links and abbreviations, and question words.
 */
const commonWords = new Set(
  tokensOf(`http https www com co rt amp via post posts posted posting tweet tweets tweeted thread just get got make made one also really
    im dont cant wont isnt doesnt didnt re ll s t d m why does did doing done say says said saying tell tells told talk talks talking think
    thinks she hers they its us me mine yours may might shall not no yes if else anything something everything please give show know want
    let lot lots exactly actually per want wants so very much us mean means any`),
);
const english = new Set(lists.eng?.map(fold));

/** The number of words at the start of a text that determine its language. */
const sampleWords = 400;

export type IsStop = (word: string) => boolean;

/** Returns a test for stop words in the languages of the texts and in English. */
export function stopWordsOf(...texts: readonly string[]): IsStop {
  const lists = [english, commonWords, ...texts.flatMap((text) => languageOf(text) ?? [])];
  return (word) => lists.some((list) => list.has(word));
}

/** The stop words of the language whose list covers most of the text. */
function languageOf(text: string): ReadonlySet<string> | undefined {
  const sample = tokensOf(text.slice(0, sampleWords * 10)).slice(0, sampleWords);
  let maxCovered = 0;
  let best: ReadonlySet<string> | undefined;
  for (const list of stopLists) {
    const covered = sample.reduce((sum, word) => sum + (list.has(word) ? 1 : 0), 0);
    if (covered > maxCovered) [maxCovered, best] = [covered, list];
  }
  return best;
}

/** Maps a regular English plural and its singular to one term. */
export const term = (word: string): string =>
  /^[a-z]{4,}$/.test(word) ? word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '') : word;

/** The terms of a text without stop words, in order, with repeats. */
export const termsOf = (text: string, isStop: IsStop): string[] =>
  tokensOf(text)
    .filter((word) => !isStop(word))
    .map(term);
