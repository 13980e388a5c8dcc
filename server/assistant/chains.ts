/** The chains that posts name, with the ids of the market-data aggregator. */

interface Chain {
  readonly id: string;
  /** Matches the name of the chain in a post. Everyday words count only after `on` or before `chain`. */
  readonly pattern: RegExp;
  /** Sites that show only tokens of this chain. */
  readonly sites: readonly string[];
  /** Symbols of the chain's native coin, which is rarely the token that a post is about. */
  readonly coins: readonly string[];
}

const chains: readonly Chain[] = [
  {
    id: 'solana',
    pattern: /\bsolana\b|\bspl[- ]token\b|\bon sol\b/i,
    sites: ['pump.fun', 'solscan.io', 'raydium.io', 'jup.ag', 'letsbonk.fun', 'bonk.fun'],
    coins: ['SOL'],
  },
  { id: 'ethereum', pattern: /\bethereum\b|\berc-?20\b|\bon eth\b/i, sites: ['etherscan.io'], coins: ['ETH'] },
  { id: 'base', pattern: /\b(?:on|On|ON) (?:Base|BASE)\b|\b[Bb]ase chain\b/, sites: ['basescan.org'], coins: [] },
  {
    id: 'bsc',
    pattern: /\bbnb chain\b|\bbsc\b|\bbinance smart chain\b|\bbep-?20\b/i,
    sites: ['bscscan.com', 'pancakeswap.finance', 'four.meme'],
    coins: ['BNB'],
  },
  {
    id: 'polygon',
    pattern: /\bon polygon\b|\bpolygon (?:chain|network|pos)\b|\bmatic\b/i,
    sites: ['polygonscan.com'],
    coins: ['MATIC', 'POL'],
  },
  { id: 'arbitrum', pattern: /\barbitrum\b/i, sites: ['arbiscan.io'], coins: ['ARB'] },
  {
    id: 'optimism',
    pattern: /\bon Optimism\b|\boptimism (?:chain|network|mainnet)\b/i,
    sites: ['optimistic.etherscan.io'],
    coins: ['OP'],
  },
  {
    id: 'avalanche',
    pattern: /\bon avalanche\b|\bavalanche (?:chain|network|c-chain)\b|\bavax\b/i,
    sites: ['snowtrace.io', 'snowscan.xyz'],
    coins: ['AVAX'],
  },
  {
    id: 'tron',
    pattern: /\bon tron\b|\btron (?:chain|network)\b|\btrc-?20\b/i,
    sites: ['tronscan.org', 'sunpump.meme'],
    coins: ['TRX'],
  },
  {
    id: 'sui',
    pattern: /\bon sui\b|\bsui (?:chain|network)\b/i,
    sites: ['suiscan.xyz', 'suivision.xyz'],
    coins: ['SUI'],
  },
  {
    id: 'ton',
    pattern: /\bon TON\b|\bTON (?:chain|network|blockchain)\b|\bthe open network\b/,
    sites: ['tonviewer.com', 'tonscan.org'],
    coins: ['TON'],
  },
];

/** Sites that name the chain in the URL: in the path, in the host or in the query. */
const namingSites = ['dexscreener.com', 'geckoterminal.com', 'dextools.io', 'birdeye.so', 'defined.fi', 'gmgn.ai'];
const aliases: Readonly<Record<string, string>> = {
  ether: 'ethereum',
  eth: 'ethereum',
  sol: 'solana',
  bnb: 'bsc',
  polygon_pos: 'polygon',
  arb: 'arbitrum',
  avax: 'avalanche',
};

/** The id of a chain by one of its names; undefined if unknown. */
export function chainId(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  const id = aliases[lower] ?? lower;
  return chains.some((chain) => chain.id === id)
    ? id
    : chains.find((chain) => chain.pattern.test(name) || chain.pattern.test(`on ${name}`))?.id;
}

/** The chain that a URL names; undefined if none. */
export function chainOfUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, pathname, searchParams } = new URL(url);
  const on = (site: string): boolean => hostname === site || hostname.endsWith(`.${site}`);
  if (!namingSites.some(on)) return chains.toReversed().find((chain) => chain.sites.some(on))?.id;
  const parts = [...pathname.split('/'), searchParams.get('chain') ?? ''].map((part) => part.toLowerCase());
  return parts.map((part) => aliases[part] ?? part).find((part) => chains.some((chain) => chain.id === part));
}

/** Whether the URL belongs to a site that shows tokens. */
export function showsTokens(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return [...namingSites, ...chains.flatMap((chain) => chain.sites)].some(
    (site) => hostname === site || hostname.endsWith(`.${site}`),
  );
}

/** The chains that a text names, in the order of their first mention. */
export function chainsIn(text: string): string[] {
  return chains
    .map(({ id, pattern: named }) => ({ id, at: text.search(named) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id);
}

/** Whether a symbol is the native coin of a chain. */
export const isChainCoin = (symbol: string): boolean => chains.some((chain) => chain.coins.includes(symbol));
