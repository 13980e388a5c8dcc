/** Pairs in the format of the aggregator, for tests. */

export const solAddress = 'PoNd1111111111111111111111111111111111pond';
export const evmAddress = '0xAbCdEf0123456789aBcDeF0123456789ABCDEF01';

export interface PairFacts {
  readonly chain?: string;
  readonly symbol?: string;
  readonly name?: string;
  readonly address?: string;
  readonly pair?: string;
  readonly liquidity?: number | null;
  readonly volume?: number | null;
  readonly price?: string;
}

let pairCount = 0;

/** A pair of the token POND on Solana, unless the facts say otherwise. */
export function pair(facts: PairFacts = {}, others: Record<string, unknown> = {}): Record<string, unknown> {
  const {
    chain = 'solana',
    symbol = 'POND',
    name = 'Pond',
    address = solAddress,
    liquidity = 100_000,
    volume = 50_000,
    price = '0.0123',
  } = facts;
  const pairAddress = facts.pair ?? `PooL${String((pairCount += 1)).padStart(28, '1')}`;
  return {
    chainId: chain,
    dexId: 'a-dex',
    url: `https://dexscreener.com/${chain}/${pairAddress.toLowerCase()}`,
    pairAddress,
    baseToken: { address, name, symbol },
    quoteToken: { address: 'So11111111111111111111111111111111111111112', name: 'Wrapped SOL', symbol: 'SOL' },
    priceNative: '0.0001',
    priceUsd: price,
    txns: { h24: { buys: 3, sells: 4 } },
    volume: { h24: volume, h6: 1, h1: 1, m5: 0 },
    priceChange: { h24: -1.5 },
    liquidity: liquidity === null ? null : { usd: liquidity, base: 1, quote: 1 },
    fdv: 2_000_000,
    marketCap: 1_000_000,
    pairCreatedAt: 1_700_000_000_000,
    ...others,
  };
}

/** A search's answer. */
export const answer = (...pairs: unknown[]): Record<string, unknown> => ({ schemaVersion: '1.0.0', pairs });
