import { afterAll, beforeAll } from '@jest/globals';
import { localProvider } from '../../server/assistant/providers/local.ts';
import { openaiProvider } from '../../server/assistant/providers/openai.ts';
import { describeProvider } from './assistant-provider.ts';
import { accountOf, allForms, answered, endpoint, schemaOf, spoken } from '../assistant/providers/endpoint.ts';

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
  const schema = schemaOf(asked) as { properties?: object } | undefined;
  // Without a schema the prompt names the members.
  const asking = /JSON object[^]*|^Answer with \{.*/.exec(spoken(asked).at(-1)!.content)?.[0] ?? '';
  const wanted = schema
    ? Object.keys(schema.properties ?? {})
    : [...asking.matchAll(/"(\w+)":/g)].map(([, name]) => name!);
  const whole: Record<string, unknown> = { summary: 'Fine words.', tickers: ['$HCAT'], ...token, ok: true };
  return answered(
    asked.api,
    asked.body,
    wanted.length === 0 ? 'Fine words.' : JSON.stringify(Object.fromEntries(wanted.map((name) => [name, whole[name]]))),
  );
});

describeProvider('local', () => ({ provider: localProvider(), account: { id: 'local-1' }, requests: () => 0 }));
for (const api of allForms) {
  describeProvider(`openai (${api})`, () => ({
    provider: openaiProvider(),
    account: accountOf(api),
    requests: () => upstream.asked.length,
  }));
}
