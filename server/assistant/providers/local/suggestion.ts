/** Tickers for a post: those that it names, or proposals from its words; and in words how an instruction was honoured. */
import { isCrypto, ownTexts, tickersIn } from '../../token-mentions.ts';
import { fold, tokensOf } from '../../../search/language/tokenizer.ts';
import type { Context } from './context.ts';
import { proposedTickers } from './proposals.ts';

const maxTickers = 10;

export interface Suggestion {
  readonly tickers: string[];
  /** How the instruction was honoured, or why not; undefined without an instruction of the caller. */
  readonly note: string | undefined;
}

/** The suggestion for a post; undefined if none is asked for. `ticker` is the request without an instruction. */
export function suggestionNote(context: Context, suggest: string | null): Suggestion | undefined {
  if (suggest === null) return undefined;
  const { subject, lexis, wording } = context;
  const isInstruction = suggest !== 'ticker';
  const named = isCrypto(subject) ? tickersIn(subject).slice(0, maxTickers) : [];
  if (named.length > 0) return { tickers: named, note: isInstruction ? wording.say('suggestReal') : undefined };
  const tickers = proposedTickers(subject, isInstruction ? suggest : '', lexis.isStop);
  if (tickers.length === 0) return { tickers, note: wording.say('suggestNone') };
  if (!isInstruction) return { tickers, note: undefined };
  const words = new Set(ownTexts(subject).flatMap(tokensOf).map(fold));
  const isHonoured = tokensOf(suggest).some((word) => words.has(word) && !lexis.isStop(word));
  return { tickers, note: wording.say(isHonoured ? 'suggestAbout' : 'suggestRefused') };
}
