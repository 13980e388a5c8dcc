/** The words of a text that carry its meaning. */
import lists from 'stopword';
import { fold, tokensOf } from '../../../search/tokens.ts';

/** Words without meaning of their own, by language. */
const stopLists = Object.values(lists)
  .filter((list) => Array.isArray(list))
  .map((list) => new Set(list.map(fold)));
/** What is said of every post, and leftovers of links and abbreviations. */
const everyday = new Set(tokensOf('http https www com co rt amp via post posts posted tweet tweets thread just get got make made one also really im dont cant wont ve re ll'));
const english = new Set(lists.eng?.map(fold));

/** From how many words at the front of a text its language is guessed. */
const sampled = 400;

export type IsStop = (word: string) => boolean;

/** Tells the words without meaning in the language of a text: the language whose list covers most of it, and English. */
export function stopWordsOf(text: string): IsStop {
  const sample = tokensOf(text.slice(0, sampled * 10)).slice(0, sampled);
  let most = 0;
  let own = english;
  for (const list of stopLists) {
    const covered = sample.reduce((sum, word) => sum + (list.has(word) ? 1 : 0), 0);
    if (covered > most) [most, own] = [covered, list];
  }
  return (word) => own.has(word) || english.has(word) || everyday.has(word);
}

/** The plain plural of a Latin word and its singular are one term. */
export const term = (word: string): string => (/^[a-z]{4,}$/.test(word) ? word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '') : word);

/** The terms of a text with a meaning, in order, repeats included. */
export const termsOf = (text: string, isStop: IsStop): string[] => tokensOf(text).filter((word) => !isStop(word)).map(term);
