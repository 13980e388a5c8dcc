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

/** The lists that have a word. */
const listsOf = Map.groupBy(
  [...stopLists.values()].flatMap((list) => Array.from(list, (word) => ({ word, list }))),
  ({ word }) => word,
);

/** The number of words at the start of a text that determine its language. */
const sampleWords = 400;

/** The stop words of the language whose list covers most of the text; undefined if none has a word of it. */
export function stopWordsOf(text: string): ReadonlySet<string> | undefined {
  const covered = new Map<ReadonlySet<string>, number>();
  for (const word of tokensOf(text.slice(0, sampleWords * 10)).slice(0, sampleWords))
    for (const { list } of listsOf.get(word) ?? []) covered.set(list, (covered.get(list) ?? 0) + 1);
  const most = Math.max(0, ...covered.values());
  // Of several lists with the same number of words, the first one counts.
  return most === 0 ? undefined : stopLists.values().find((list) => covered.get(list) === most);
}
