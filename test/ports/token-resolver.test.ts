import { afterAll, beforeAll } from '@jest/globals';
import { http, HttpResponse, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';
import { readConfig } from '../../server/config/config.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { openResolver } from '../../server/onchain/open-resolver.ts';
import type { TokenName } from '../../server/ports/token-resolver.ts';
import { answer, pair, solAddress } from '../onchain/pairs.ts';
import { describeTokenResolver, type ResolverUnderTest } from './token-resolver.ts';

const host = 'https://aggregator.example';
const upstream = setupServer();
beforeAll(() => upstream.listen({ onUnhandledRequest: 'error' }));
afterAll(() => upstream.close());

const known = { symbol: 'POND', address: solAddress, chain: 'solana' };

function dexScreener(): ResolverUnderTest {
  const blocked = Promise.withResolvers<Response>();
  const reply = (respond: () => Response | Promise<Response>): void => upstream.use(http.get(`${host}/*`, respond));
  reply(() => HttpResponse.json(answer(pair()) as JsonBodyType));
  const { resolver } = openResolver(readConfig({ TOKEN_RESOLVER_URL: host }));
  return {
    resolver,
    known,
    block: () => reply(() => blocked.promise),
    fail: () => reply(() => new HttpResponse(null, { status: 500 })),
    dispose() {
      blocked.resolve(new HttpResponse(null, { status: 500 }));
      upstream.resetHandlers();
    },
  };
}

function off(): ResolverUnderTest {
  const { resolver } = openResolver(readConfig({ TOKEN_RESOLVER: 'off' }));
  return { resolver, known: undefined, block: () => {}, fail: () => {}, dispose: () => {} };
}

/** A resolver in memory that knows one token. */
function inMemory(): ResolverUnderTest {
  let state: 'works' | 'blocked' | 'failed' = 'works';
  const pond: Schemas['ResolvedToken'] = {
    ...known,
    name: 'Pond',
    price_usd: '0.1',
    liquidity_usd: 100_000,
    volume_24h: 1_000,
    market_cap: 1_000_000,
    aggregator_url: 'https://example.org/pond',
    confidence: 'high',
    sources: ['https://example.org/pond'],
  };
  const isPond = (name: TokenName): boolean =>
    'address' in name ? name.address === solAddress : name.symbol.replace(/^\$/, '').toUpperCase() === 'POND';
  return {
    known,
    resolver: {
      async resolve(name, chain, signal) {
        if (state === 'blocked')
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        if (state !== 'works' || signal.aborted || !isPond(name) || (chain ?? known.chain) !== known.chain) return null;
        return pond;
      },
    },
    block: () => void (state = 'blocked'),
    fail: () => void (state = 'failed'),
    dispose: () => {},
  };
}

describeTokenResolver('the DexScreener resolver', dexScreener);
describeTokenResolver('the resolver that is off', off);
describeTokenResolver('the resolver in memory', inMemory);
