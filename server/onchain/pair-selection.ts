/**
 * Selects the pair for a name and computes the confidence. The contract describes the rule (ResolvedToken).
 */
import type { Schemas } from '../contract/operations.ts';
import { foldAddress, foldSymbol } from './token-names.ts';
import type { Pair } from './pair.ts';
import type { TokenName } from '../ports/token-resolver.ts';

type ResolvedToken = Schemas['ResolvedToken'];
type Confidence = ResolvedToken['confidence'];

/** The depth of a pair is limited by its liquidity and by this many times its volume. */
const volumeWeight = 10;
/** Maximum number of pair pages in the sources. */
const maxSources = 5;

/**
 * The depth of a pair in US dollars: its liquidity, limited to ten times its volume of 24 hours. Each figure alone is
 * cheap to fake: a pool can hold a worthless token, and a trader can trade with himself.
 */
const depth = ({ liquidityUsd, volume24h }: Pair): number => Math.min(liquidityUsd, volumeWeight * volume24h);

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts the best pair first. The order of equal pairs does not depend on the order of the response. */
const byRank = (a: Pair, b: Pair): number =>
  depth(b) - depth(a) || b.liquidityUsd - a.liquidityUsd || b.volume24h - a.volume24h || byText(pageOf(a), pageOf(b));

const tokenOf = ({ chain, address }: Pair): string => `${chain}/${foldAddress(address)}`;

/** The web page of a pair. Chain and address are validated; the pages use lower-case addresses. */
const pageOf = ({ chain, pairAddress }: Pair): string =>
  `https://dexscreener.com/${chain}/${encodeURIComponent(pairAddress.toLowerCase())}`;

/**
 * The distinct pairs whose base token has the folded name (see foldName), best first. If the token is the quote token
 * of a pair, the price is not the price of the token.
 */
export function matchingPairs(pairs: readonly Pair[], name: TokenName): Pair[] {
  const named = ({ address, symbol }: Pair): boolean =>
    'address' in name ? foldAddress(address) === name.address : foldSymbol(symbol) === name.symbol;
  const pages = new Set<string>();
  return pairs
    .filter(named)
    .sort(byRank)
    .filter((pair) => pages.size < pages.add(pageOf(pair)).size);
}

function confidence(name: TokenName, best: Pair, rival: Pair | undefined): Confidence {
  if ('address' in name) return rival === undefined ? 'high' : 'medium';
  const lead = depth(best) / Math.max(1, rival === undefined ? 0 : depth(rival));
  if (depth(best) >= 50_000 && lead >= 10) return 'high';
  return depth(best) >= 5_000 && lead >= 2 ? 'medium' : 'low';
}

/**
 * The token of the best pair on a chain, or on any chain if `chain` is undefined; null if there is no pair. `ranked` is
 * a result of `matchingPairs`.
 */
export function selectPair(ranked: readonly Pair[], name: TokenName, chain: string | undefined): ResolvedToken | null {
  const pairs = chain === undefined ? ranked : ranked.filter((pair) => pair.chain === chain);
  const [best] = pairs;
  if (best === undefined) return null;
  const samePairs = pairs.filter((pair) => tokenOf(pair) === tokenOf(best));
  const rival = pairs.find((pair) => tokenOf(pair) !== tokenOf(best));
  return {
    symbol: best.symbol,
    address: best.address,
    chain: best.chain,
    name: best.name,
    price_usd: best.priceUsd,
    liquidity_usd: best.liquidityUsd,
    volume_24h: best.volume24h,
    market_cap: best.marketCap,
    aggregator_url: pageOf(best),
    confidence: confidence(name, best, rival),
    sources: samePairs.slice(0, maxSources).map(pageOf),
  };
}
