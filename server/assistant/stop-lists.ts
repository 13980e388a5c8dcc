/** The stop words of languages by ISO 639-1 code, and of those without phrases by ISO 639-3 code. */
import lists from 'stopword';
import { fold, tokensOf } from '../search/language/tokenizer.ts';

const codes: Readonly<Record<string, string>> = {
  eng: 'en',
  spa: 'es',
  por: 'pt',
  fra: 'fr',
  deu: 'de',
  jpn: 'ja',
  ara: 'ar',
  hin: 'hi',
};

export const stopLists: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists)
    .filter(([, list]) => Array.isArray(list))
    .map(([name, list]) => [codes[name] ?? name, new Set(list.map(fold))]),
);

/** The number of words at the start of a text that determine its language. */
const sampleWords = 400;

/** The stop words of the language whose list covers most of the text; undefined if none has a word of it. */
export function stopWordsOf(text: string): ReadonlySet<string> | undefined {
  const sample = tokensOf(text.slice(0, sampleWords * 10)).slice(0, sampleWords);
  let maxCovered = 0;
  let best: ReadonlySet<string> | undefined;
  for (const list of stopLists.values()) {
    const covered = sample.reduce((sum, word) => sum + (list.has(word) ? 1 : 0), 0);
    if (covered > maxCovered) [maxCovered, best] = [covered, list];
  }
  return best;
}
