/**
 * The local provider: an offline, deterministic analysis from the archive. It quotes and computes, and generates no
 * text of its own.
 */
import { localModel } from '../accounts.ts';
import { isTimeout } from '../deadline.ts';
import { ProviderError, type Provider } from '../../ports/assistant-provider.ts';
import { tokenOf } from '../token-mentions.ts';

export function localProvider(): Provider {
  return {
    async probe(_account, signal) {
      throwIfAborted(signal);
    },
    async ask(_account, question, { signal, onText }) {
      throwIfAborted(signal);
      // Loaded at the first question, because the word lists take time that a start does not have.
      const { respond } = await import('./local/respond.ts');
      const { paragraphs, sources, pages, tickers } = await respond(question);
      throwIfAborted(signal);
      const parts = paragraphs.map((paragraph, index) => (index === 0 ? paragraph : `\n\n${paragraph}`));
      for (const part of parts) onText?.(part);
      return {
        summary: parts.join(''),
        citations: pages,
        model: localModel,
        ...(sources.length === 0 ? {} : { citedTweets: sources }),
        ...(tickers === undefined ? {} : { tickers }),
        ...(question.extract ? { extracted: tokenOf(question.subject) } : {}),
      };
    },
  };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new ProviderError(isTimeout(signal) ? 'timeout' : 'aborted', 'aborted before the question was sent', 0);
}
