/** Resolves the cashtags of a page of tweets. */
import type { Schemas } from '../contract/operations.ts';
import { foldAddress, foldSymbol } from './token-names.ts';
import type { TokenResolver } from '../ports/token-resolver.ts';

type ResolvedToken = Schemas['ResolvedToken'];

/** Distinct cashtags that are looked up for one page at most: those of its newest tweets. */
const mostCashtags = 20;

/** How long the page waits for all of them together, in milliseconds. */
export const cashtagsDeadlineMs = 1_500;

/** The distinct cashtags of tweets, of what they repost too, in their order. */
function cashtagsOf(tweets: readonly Schemas['Tweet'][]): string[] {
  const all = tweets.flatMap((tweet) => [
    ...tweet.entities.cashtags,
    ...(tweet.retweeted_tweet?.entities.cashtags ?? []),
  ]);
  return [...new Set(all.map(foldSymbol))];
}

/**
 * The tokens that the cashtags of tweets stand for, in the order of the cashtags, each token once. What is unknown, fails, or is
 * not there at the deadline is left out. Never throws.
 */
export async function resolveCashtags(
  resolver: TokenResolver,
  tweets: readonly Schemas['Tweet'][],
  chain: string | undefined,
  signal: AbortSignal,
): Promise<ResolvedToken[]> {
  const cashtags = cashtagsOf(tweets).slice(0, mostCashtags);
  if (cashtags.length === 0) return [];
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(cashtagsDeadlineMs)]);
  const found = await Promise.all(cashtags.map((symbol) => resolver.resolve({ symbol }, chain, deadline)));
  const tokens = found.filter((token) => token !== null);
  return [...new Map(tokens.map((token) => [`${token.chain}/${foldAddress(token.address)}`, token])).values()];
}
