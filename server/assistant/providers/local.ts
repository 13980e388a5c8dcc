/** Stand-in for the provider that answers from the archive. */
import type { Provider } from '../provider.ts';

export const localProvider = (): Provider => ({
  name: 'local',
  async probe() {},
  async ask(_account, { subject, prompt, suggest, extract, turns }, { onText }) {
    const summary = `@${subject.tweet.author.username}: ${subject.tweet.text}${prompt === null ? '' : ` (${turns.length + 1}. ${prompt})`}`;
    onText?.(summary);
    return {
      summary,
      citations: [],
      model: 'local',
      ...(suggest === null ? {} : { tickers: [] }),
      ...(extract ? { extracted: { ticker: null, name: null, contract: null, chain: null } } : {}),
    };
  },
});
