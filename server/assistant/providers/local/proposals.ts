/** Tickers for posts that name none, made of the words that matter in them. */
import { fold } from '../../../search/tokens.ts';
import { ownTexts } from '../../token-mentions.ts';
import type { Subject } from '../../provider.ts';
import type { IsStop } from './words.ts';

const mostProposals = 3;
/** How long a symbol is, in letters. */
const shortest = 3;
const longest = 8;
/** Of a long text the first words are weighed. */
const mostWords = 2000;

/**
 * Up to three `$TICKER` symbols of 3–8 letters, best first, always the same for the same post. Words weigh by how often they stand
 * there; hashtags, names, and words that the instruction has too weigh more. Without a word in Latin letters the author's handle
 * serves.
 */
export function proposedTickers(subject: Subject, instruction: string, isStop: IsStop): string[] {
  const wanted = new Set(wordsOf(instruction).map((word) => fold(word)));
  const scores = new Map<string, number>();
  for (const [place, word] of ownTexts(subject).flatMap((text) => wordsOf(text)).slice(0, mostWords).entries()) {
    const folded = fold(word.replace('#', ''));
    const symbol = symbolOf(folded);
    if (isStop(folded) || symbol === undefined) continue;
    const first = scores.has(symbol) ? 0 : 1 / (1 + place);
    const named = word.startsWith('#') ? 2 : /^\p{Lu}/u.test(word) ? 1 : 0;
    scores.set(symbol, (scores.get(symbol) ?? 0) + 1 + named + first + (wanted.has(folded) ? 3 : 0));
  }
  const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, mostProposals).map(([symbol]) => `$${symbol}`);
  const handle = symbolOf(fold(subject.tweet.author.username));
  return best.length > 0 || handle === undefined ? best : [`$${handle}`];
}

/** Words and hashtags without links and people. */
const wordsOf = (text: string): string[] => text.replace(/(?:https?:\/\/|@)\S+/g, ' ').match(/#?[\p{L}\p{M}\p{N}_]+/gu) ?? [];

/** A word as a symbol: its Latin letters; a long one loses the vowels behind its first letter, then its end. */
function symbolOf(word: string): string | undefined {
  if (!/^[a-z\d_]+$/.test(word)) return undefined;
  const letters = word.replace(/[\d_]/g, '').toUpperCase();
  if (letters.length < shortest) return undefined;
  return letters.length <= longest ? letters : (letters[0] + letters.slice(1).replace(/[AEIOU]/g, '')).padEnd(shortest, letters.slice(1)).slice(0, longest);
}
