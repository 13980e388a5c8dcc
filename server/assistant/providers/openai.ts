/** Stand-in for the provider of OpenAI-compatible endpoints. */
import { ProviderError, type Provider } from '../provider.ts';

export const openaiProvider = (): Provider => ({
  name: 'openai',
  async probe() {
    throw new ProviderError('unreached', 'not built', 0);
  },
  async ask() {
    throw new ProviderError('unreached', 'not built', 0);
  },
});
