import { expect, jest, test } from '@jest/globals';
import { Registry } from '@prometheus-io/client';
import type { Schemas } from '../../server/contract/operations.ts';
import { cashtagsDeadlineMs, resolveCashtags } from '../../server/onchain/cashtags.ts';
import { openResolver } from '../../server/onchain/open-resolver.ts';
import type { TokenResolver } from '../../server/ports/token-resolver.ts';
import { exampleAnswer } from '../support/contract.ts';
import { evmAddress } from './pairs.ts';

const [example] = (exampleAnswer('getUserLastTweets') as Schemas['LastTweetsPage']).tweets;
const never = new AbortController().signal;

/** A tweet with cashtags, which may repost another. */
function tweet(cashtags: string[], retweeted_tweet: Schemas['Tweet'] | null = null): Schemas['Tweet'] {
  return { ...example!, entities: { ...example!.entities, cashtags }, retweeted_tweet };
}

function token(symbol: string, address = symbol): Schemas['ResolvedToken'] {
  return {
    symbol,
    address,
    chain: 'base',
    name: symbol,
    price_usd: '1',
    liquidity_usd: 1,
    volume_24h: 1,
    market_cap: 1,
    aggregator_url: 'https://dexscreener.com/base/x',
    confidence: 'low',
    sources: [],
  };
}

/** A resolver that knows what `known` gives, and remembers what it was asked. */
function resolverOf(known: (symbol: string) => Schemas['ResolvedToken'] | null): {
  resolver: TokenResolver;
  lookups: unknown[];
} {
  const lookups: unknown[] = [];
  const resolver: TokenResolver = {
    async resolve(name, chain) {
      lookups.push('symbol' in name ? [name.symbol, chain] : name);
      return 'symbol' in name ? known(name.symbol) : null;
    },
  };
  return { resolver, lookups };
}

test('looks up each cashtag once, also of retweeted tweets, in page order', async () => {
  const { resolver, lookups } = resolverOf((symbol) => token(symbol));
  const page = [tweet(['POND', 'pond'], tweet(['FROG'])), tweet(['$Pond', 'NEWT'])];
  const found = await resolveCashtags(resolver, page, 'base', never);
  expect(lookups).toEqual([
    ['pond', 'base'],
    ['frog', 'base'],
    ['newt', 'base'],
  ]);
  expect(found.map(({ symbol }) => symbol)).toEqual(['pond', 'frog', 'newt']);
});

test('returns each token once, and omits unknown cashtags', async () => {
  const { resolver } = resolverOf((symbol) =>
    symbol === 'none' ? null : token(symbol, symbol === 'a' ? evmAddress : evmAddress.toLowerCase()),
  );
  expect(await resolveCashtags(resolver, [tweet(['A', 'NONE', 'B'])], undefined, never)).toHaveLength(1);
});

test('looks up at most twenty cashtags, and sends no request without cashtags', async () => {
  const { resolver, lookups } = resolverOf(() => null);
  await resolveCashtags(resolver, [tweet(Array.from({ length: 50 }, (_, index) => `T${index}`))], undefined, never);
  expect(lookups).toHaveLength(20);
  expect(await resolveCashtags(resolver, [tweet([])], undefined, never)).toEqual([]);
  expect(lookups).toHaveLength(20);
});

test('gives all lookups the same time, and returns the results available at its end', async () => {
  const clock = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(clock.signal);
  const waiting = Promise.withResolvers<void>();
  const resolver: TokenResolver = {
    resolve: (name, _chain, signal) => {
      if ('symbol' in name && name.symbol === 'fast') return Promise.resolve(token('FAST'));
      waiting.resolve();
      return new Promise((resolve) => void signal.addEventListener('abort', () => resolve(null)));
    },
  };
  const found = resolveCashtags(resolver, [tweet(['SLOW', 'FAST'])], undefined, never);
  await waiting.promise;
  clock.abort();
  expect(await found).toMatchObject([{ symbol: 'FAST' }]);
  expect(timeout.mock.calls).toEqual([[cashtagsDeadlineMs]]);
  timeout.mockRestore();
});

test('TOKEN_RESOLVER=off resolves nothing and has no metrics', async () => {
  const { resolver, measure } = openResolver({
    tokenResolver: 'off',
    tokenResolverUrl: new URL('https://aggregator.example'),
  });
  const registry = new Registry();
  measure(registry);
  expect(await resolveCashtags(resolver, [tweet(['POND'])], undefined, never)).toEqual([]);
  expect(await resolver.resolve({ address: evmAddress }, undefined, never)).toBeNull();
  expect(await registry.metrics()).not.toContain('token');
});
