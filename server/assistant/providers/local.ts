/**
 * The local provider: an offline, deterministic analysis from the archive. It quotes and computes, and generates no
 * text of its own.
 */
import { isTimeout } from '../deadline.ts';
import { ProviderError, type Provider, type Question } from '../../ports/assistant-provider.ts';
import { sourcesOf } from '../sources.ts';
import { isCrypto, tickersIn, tokenOf } from '../token-mentions.ts';
import { explanation } from './local/explain.ts';
import { answer } from './local/follow-up.ts';
import { passagesOf } from './local/passages.ts';
import { proposedTickers } from './local/proposals.ts';
import { stopWordsOf } from './local/words.ts';

/** The reported model. The requested model has no effect. */
export const localModel = 'local-extractive-1';
const maxTickers = 10;

export function localProvider(): Provider {
  return {
    name: 'local',
    async probe(_account, signal) {
      throwIfAborted(signal);
    },
    async ask(_account, question, { signal, onText }) {
      throwIfAborted(signal);
      const paragraphs = paragraphsOf(question).map((paragraph, index) =>
        index === 0 ? paragraph : `\n\n${paragraph}`,
      );
      for (const paragraph of paragraphs) onText?.(paragraph);
      return {
        summary: paragraphs.join(''),
        citations: sourcesOf(question.subject),
        model: localModel,
        ...(question.suggest === null ? {} : { tickers: tickersOf(question) }),
        ...(question.extract ? { extracted: tokenOf(question.subject) } : {}),
      };
    },
  };
}

function paragraphsOf({ subject, turns, prompt }: Question): string[] {
  const isStop = stopWordsOf(subject.tweet.text, prompt ?? '');
  const passages = passagesOf(subject, isStop);
  const answered = prompt === null ? undefined : answer(subject, passages, turns, prompt, isStop);
  return answered ?? explanation(subject, passages);
}

/** The tickers that a crypto post names, otherwise proposals. */
function tickersOf({ subject, suggest }: Question): string[] {
  const named = isCrypto(subject) ? tickersIn(subject) : [];
  if (named.length > 0) return named.slice(0, maxTickers);
  return proposedTickers(subject, suggest === 'ticker' ? '' : (suggest ?? ''), stopWordsOf(subject.tweet.text));
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new ProviderError(isTimeout(signal) ? 'timeout' : 'aborted', 'aborted before the question was sent', 0);
}
