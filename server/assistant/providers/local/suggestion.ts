/** Tickers for a post: those that it names, or proposals from its hashtags and names, and in words which of both they are. */
import { fold } from '../../../search/language/tokenizer.ts';
import { withoutAddressees } from '../../conversation-tree.ts';
import { isCrypto, ownTexts, tickersIn } from '../../token-mentions.ts';
import type { Context } from './context.ts';

const maxTickers = 10;
const maxProposals = 3;
/** Minimum and maximum length of a proposed symbol in letters. */
const minSymbolLength = 3;
const maxSymbolLength = 8;
/** Maximum length of the text that is read in UTF-16 units. */
const maxLength = 5000;

export interface Suggestion {
  readonly tickers: string[];
  /** Where the tickers come from, or why there are none; undefined for tickers that the post names where nothing else was asked. */
  readonly note: string | undefined;
}

/** The suggestion for a post; undefined if none is asked for. `ticker` is the request without an instruction. */
export function suggestionNote({ tree, wording, lexis }: Context, suggest: string | null): Suggestion | undefined {
  if (suggest === null) return undefined;
  const { subject } = tree;
  const named = isCrypto(subject) ? tickersIn(subject).slice(0, maxTickers) : [];
  if (named.length > 0) return { tickers: named, note: suggest === 'ticker' ? undefined : wording.say('suggestReal') };
  const found = [
    ...hashtagsOf(subject.tweet.entities.hashtags),
    ...ownTexts(subject).flatMap((text) => namesIn(text, lexis.isStop)),
  ];
  const tickers = [...new Set(found)].slice(0, maxProposals).map((symbol) => `$${symbol}`);
  return { tickers, note: wording.say(tickers.length === 0 ? 'suggestNone' : 'suggestMade') };
}

/** A hashtag is a name that the author chose for the subject. */
const hashtagsOf = (tags: readonly string[]): string[] => tags.flatMap((tag) => symbolOf(fold(tag)) ?? []);

/**
 * The symbols of names of two to four words with capital letters, such as `Old Mill Bridge`: their initials, or for two words
 * the first letters of both. A single word is none, because it would only repeat a word of the post.
 */
function namesIn(text: string, isStop: (word: string) => boolean): string[] {
  const spoken = withoutAddressees(text.slice(0, maxLength)).replace(/(?:https?:\/\/|[@#$])\S+/g, '. ');
  return [
    ...spoken.matchAll(/(?<![\p{L}\p{N}])\p{Lu}\p{Ll}{2,20}(?: \p{Lu}\p{Ll}{2,20}){1,3}(?![\p{L}\p{N}])/gu),
  ].flatMap(([name]) => {
    const words = name
      .split(' ')
      .map(fold)
      .filter((word) => !isStop(word));
    if (words.length < 2) return [];
    const letters = words.length === 2 ? words.map((word) => word.slice(0, 3)) : words.map((word) => word.slice(0, 1));
    return symbolOf(letters.join('')) ?? [];
  });
}

/** A symbol of the letters of a word; undefined if it is too short or too long, or in another script. */
function symbolOf(word: string): string | undefined {
  const letters = word.replace(/[\d_]/g, '').toUpperCase();
  const fits = /^[A-Z]+$/.test(letters) && letters.length >= minSymbolLength && letters.length <= maxSymbolLength;
  return fits ? letters : undefined;
}
