/** Which of many pairs a name stands for, and how sure that is. The rule is told in the contract (ResolvedToken). */
import type { Schemas } from '../contract/operations.ts';
import { foldAddress, foldSymbol } from './token-names.ts';
import type { Pair } from './pair.ts';
import type { TokenName } from '../ports/token-resolver.ts';

type ResolvedToken = Schemas['ResolvedToken'];
type Confidence = ResolvedToken['confidence'];

/** A volume beyond this many times the liquidity, and the other way round, does not make a pair deeper. */
const volumeWeight = 10;
/** How many pair pages are named as sources. */
const mostSources = 5;

/**
 * US dollars that vouch for a pair: its liquidity, but no more than ten times what was traded in 24 hours. Either figure alone is
 * cheap to fake: a pool can be filled with a worthless token, and one can trade with oneself.
 */
const depth = ({ liquidityUsd, volume24h }: Pair): number => Math.min(liquidityUsd, volumeWeight * volume24h);

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The best first; equal ones in an order that does not depend on how the answer was ordered. */
const byRank = (a: Pair, b: Pair): number =>
  depth(b) - depth(a) || b.liquidityUsd - a.liquidityUsd || b.volume24h - a.volume24h || byText(pageOf(a), pageOf(b));

const tokenOf = ({ chain, address }: Pair): string => `${chain}/${foldAddress(address)}`;

/** The page of a pair for people. Chain and address were checked; the pages have lower-case addresses. */
const pageOf = ({ chain, pairAddress }: Pair): string =>
  `https://dexscreener.com/${chain}/${encodeURIComponent(pairAddress.toLowerCase())}`;

/**
 * The pairs whose base token has the name (in its compared form, see foldName), best first, each once. Where the token is the
 * other side of a pair, the price is not its own.
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

/** The token of the best pair, on one chain or (undefined) on any; null where no pair is left. `ranked` is of `matching`. */
export function selectPair(ranked: readonly Pair[], name: TokenName, chain: string | undefined): ResolvedToken | null {
  const pairs = chain === undefined ? ranked : ranked.filter((pair) => pair.chain === chain);
  const [best] = pairs;
  if (best === undefined) return null;
  const own = pairs.filter((pair) => tokenOf(pair) === tokenOf(best));
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
    sources: own.slice(0, mostSources).map(pageOf),
  };
}
