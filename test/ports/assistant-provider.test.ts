import { afterAll, beforeAll } from '@jest/globals';
import { localProvider } from '../../server/assistant/providers/local.ts';
import { openaiProvider } from '../../server/assistant/providers/openai.ts';
import { describeProvider } from './assistant-provider.ts';
import { accountOf, answered, endpoint, forms, schemaOf } from '../assistant/providers/endpoint.ts';

const upstream = endpoint();
beforeAll(() => upstream.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => upstream.server.close());

const token = {
  ticker: '$HCAT',
  name: 'Harbour Cat',
  contract: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  chain: 'base',
};
upstream.answer((asked) => {
  const wanted = Object.keys((schemaOf(asked) as { properties?: object } | undefined)?.properties ?? {});
  const whole: Record<string, unknown> = { summary: 'Fine words.', tickers: ['$HCAT'], ...token, ok: true };
  return answered(
    asked.api,
    asked.body,
    wanted.length === 0 ? 'Fine words.' : JSON.stringify(Object.fromEntries(wanted.map((name) => [name, whole[name]]))),
  );
});

describeProvider('local', () => ({ provider: localProvider(), account: { id: 'local-1' }, requests: () => 0 }));
for (const api of forms) {
  describeProvider(`openai (${api})`, () => ({
    provider: openaiProvider(),
    account: accountOf(api),
    requests: () => upstream.asked.length,
  }));
}
