/** Proposes tickers for posts that name none, from the important words of the post. */
import { fold } from '../../../search/language/tokenizer.ts';
import { ownTexts } from '../../token-mentions.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import type { IsStop } from './words.ts';

const maxProposals = 3;
/** Minimum and maximum length of a symbol in letters. */
const minSymbolLength = 3;
const maxSymbolLength = 8;
/** The length to which a longer word is cut. */
const truncatedLength = 5;
/** Maximum number of words that are scored. */
const maxWords = 2000;

/**
 * Up to three `$TICKER` symbols of 3–8 letters, best first; deterministic. A word scores by its frequency. Hashtags,
 * names and words of the instruction score higher, words that look like verbs lower. If the post has no Latin word, the
 * author's username is used.
 */
export function proposedTickers(subject: Subject, instruction: string, isStop: IsStop): string[] {
  const instructionWords = new Set(wordsOf(instruction).map(({ folded }) => folded));
  const scores = new Map<string, number>();
  for (const [index, { folded, weight }] of ownTexts(subject)
    .flatMap((text) => wordsOf(text))
    .slice(0, maxWords)
    .entries()) {
    const symbol = symbolOf(folded);
    if (isStop(folded) || symbol === undefined) continue;
    const first = scores.has(symbol) ? 0 : 1 / (1 + index);
    scores.set(symbol, (scores.get(symbol) ?? 0) + weight + first + (instructionWords.has(folded) ? 3 : 0));
  }
  const best = [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, maxProposals)
    .map(([symbol]) => `$${symbol}`);
  const handle = symbolOf(fold(subject.tweet.author.username));
  return best.length > 0 || handle === undefined ? best : [`$${handle}`];
}

interface Word {
  readonly folded: string;
  readonly weight: number;
}

/** The words and hashtags of a text, without links and mentions. */
function wordsOf(text: string): Word[] {
  const spoken = text.replace(/(?:https?:\/\/|@)\S+/g, ' ');
  return [...spoken.matchAll(/#?[\p{L}\p{M}\p{N}_]+/gu)].map(({ 0: word, index }) => {
    const folded = fold(word.replace('#', ''));
    // A capital letter at the start of a sentence does not mark a name.
    const within = /[\p{L}\p{N},;’'][ "“(]+$/u.test(spoken.slice(Math.max(0, index - 3), index));
    const named = word.startsWith('#') ? 2 : within && /^\p{Lu}/u.test(word) ? 1.5 : 0;
    return { folded, weight: (/(?:ed|ing|ly)$/.test(folded) ? 0.4 : 1) + named };
  });
}

/** The symbol of a word: its Latin letters, cut if the word is long. */
function symbolOf(word: string): string | undefined {
  if (!/^[a-z\d_]+$/.test(word)) return undefined;
  const letters = word.replace(/[\d_]/g, '').toUpperCase();
  if (letters.length < minSymbolLength) return undefined;
  return letters.length <= maxSymbolLength ? letters : letters.slice(0, truncatedLength);
}
