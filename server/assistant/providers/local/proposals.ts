/** Tickers for posts that name none, made of the words that matter in them. */
import { fold } from '../../../search/language/tokenizer.ts';
import { ownTexts } from '../../token-mentions.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import type { IsStop } from './words.ts';

const maxProposals = 3;
/** How long a symbol is, in letters. */
const minSymbolLength = 3;
const maxSymbolLength = 8;
/** What is kept of a longer word. */
const truncatedLength = 5;
/** Of a long text the first words are weighed. */
const maxWords = 2000;

/**
 * Up to three `$TICKER` symbols of 3–8 letters, best first, always the same for the same post. Words weigh by how often they stand
 * there; hashtags, names, and words that the instruction has too weigh more, words that look like verbs less. Without a word in Latin
 * letters the author's handle serves.
 */
export function proposedTickers(subject: Subject, instruction: string, isStop: IsStop): string[] {
  const wanted = new Set(wordsOf(instruction).map(({ folded }) => folded));
  const scores = new Map<string, number>();
  for (const [place, { folded, weight }] of ownTexts(subject)
    .flatMap((text) => wordsOf(text))
    .slice(0, maxWords)
    .entries()) {
    const symbol = symbolOf(folded);
    if (isStop(folded) || symbol === undefined) continue;
    const first = scores.has(symbol) ? 0 : 1 / (1 + place);
    scores.set(symbol, (scores.get(symbol) ?? 0) + weight + first + (wanted.has(folded) ? 3 : 0));
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

/** Words and hashtags without links and people. */
function wordsOf(text: string): Word[] {
  const spoken = text.replace(/(?:https?:\/\/|@)\S+/g, ' ');
  return [...spoken.matchAll(/#?[\p{L}\p{M}\p{N}_]+/gu)].map(({ 0: word, index }) => {
    const folded = fold(word.replace('#', ''));
    // A capital at the start of a sentence makes no name.
    const within = /[\p{L}\p{N},;’'][ "“(]+$/u.test(spoken.slice(Math.max(0, index - 3), index));
    const named = word.startsWith('#') ? 2 : within && /^\p{Lu}/u.test(word) ? 1.5 : 0;
    return { folded, weight: (/(?:ed|ing|ly)$/.test(folded) ? 0.4 : 1) + named };
  });
}

/** A word as a symbol: its Latin letters; of a long one the beginning. */
function symbolOf(word: string): string | undefined {
  if (!/^[a-z\d_]+$/.test(word)) return undefined;
  const letters = word.replace(/[\d_]/g, '').toUpperCase();
  if (letters.length < minSymbolLength) return undefined;
  return letters.length <= maxSymbolLength ? letters : letters.slice(0, truncatedLength);
}
