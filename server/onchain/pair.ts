/** A validated trading pair of the aggregator. */
import { lazy } from '../collections/lazy.ts';
import { schemaCompiler } from '../contract/schema-compiler.ts';

export interface Pair {
  readonly chain: string;
  /** The address of the pool. */
  readonly pairAddress: string;
  readonly symbol: string;
  readonly name: string;
  /** The address of the base token, to which the price refers. */
  readonly address: string;
  /** Decimal number as text. */
  readonly priceUsd: string;
  /** US dollars in the pool; 0 if unknown. */
  readonly liquidityUsd: number;
  /** US dollars traded in the last 24 hours; 0 if unknown. */
  readonly volume24h: number;
  /** US dollars; the fully diluted valuation if the market capitalisation is unknown, 0 if both are unknown. */
  readonly marketCap: number;
}

/** Maximum number of pairs that are read. A normal response has at most 30. */
const maxPairs = 100;

// Excludes control characters and characters that change the text direction.
const shownText = (maxLength: number): object => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: '^[^\\p{Cc}\\p{Cs}\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+$',
});
const address = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9:_-]{3,127}$' };
const dollars = { type: ['number', 'null'], minimum: 0, maximum: 1e15 };

interface RawPair {
  readonly chainId: string;
  readonly pairAddress: string;
  readonly baseToken: { readonly address: string; readonly name: string; readonly symbol: string };
  readonly priceUsd: string;
  readonly liquidity?: { readonly usd?: number | null } | null;
  readonly volume?: { readonly h24?: number | null } | null;
  readonly marketCap?: number | null;
  readonly fdv?: number | null;
}

const pairValidator = lazy(() =>
  schemaCompiler({ allowUnionTypes: true }).compile<RawPair>({
    type: 'object',
    required: ['chainId', 'pairAddress', 'baseToken', 'priceUsd'],
    properties: {
      chainId: { type: 'string', pattern: '^[a-z][a-z0-9-]{1,31}$' },
      pairAddress: address,
      baseToken: {
        type: 'object',
        required: ['address', 'name', 'symbol'],
        properties: { address, name: shownText(200), symbol: shownText(64) },
      },
      priceUsd: { type: 'string', pattern: '^[0-9]{1,30}(\\.[0-9]{1,60})?$' },
      liquidity: { type: ['object', 'null'], properties: { usd: dollars } },
      volume: { type: ['object', 'null'], properties: { h24: dollars } },
      marketCap: dollars,
      fdv: dollars,
    },
  }),
);

/**
 * The pairs of a response: a list, or an object whose `pairs` is a list or null. Leaves out pairs with an invalid or
 * missing member or without a price. Undefined for any other response.
 */
export function readPairs(answer: unknown): Pair[] | undefined {
  const wrapped = typeof answer === 'object' && answer !== null && 'pairs' in answer;
  const list: unknown = wrapped ? (answer.pairs ?? []) : answer;
  if (!Array.isArray(list)) return undefined;
  const isPair = pairValidator();
  return (list as unknown[])
    .slice(0, maxPairs)
    .filter((pair) => isPair(pair))
    .map((pair) => ({
      chain: pair.chainId,
      pairAddress: pair.pairAddress,
      symbol: pair.baseToken.symbol,
      name: pair.baseToken.name,
      address: pair.baseToken.address,
      priceUsd: pair.priceUsd,
      liquidityUsd: pair.liquidity?.usd ?? 0,
      volume24h: pair.volume?.h24 ?? 0,
      marketCap: pair.marketCap ?? pair.fdv ?? 0,
    }));
}
