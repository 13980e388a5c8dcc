/** Resolves the cashtags of a page of tweets. */
import type { Schemas } from '../contract/operations.ts';
import { foldAddress, foldSymbol } from './token-names.ts';
import type { TokenResolver } from '../ports/token-resolver.ts';

type ResolvedToken = Schemas['ResolvedToken'];

/** Maximum number of distinct cashtags that are resolved for one page, those of the newest tweets first. */
const maxCashtags = 20;

/** Time limit for all cashtags of a page together, in milliseconds. */
export const cashtagsDeadlineMs = 1_500;

/** The distinct cashtags of tweets and of their retweeted tweets, in order. */
function cashtagsOf(tweets: readonly Schemas['Tweet'][]): string[] {
  const all = tweets.flatMap((tweet) => [
    ...tweet.entities.cashtags,
    ...(tweet.retweeted_tweet?.entities.cashtags ?? []),
  ]);
  return [...new Set(all.map(foldSymbol))];
}

/**
 * The distinct tokens of the cashtags of tweets, in order. Leaves out unknown tokens, failures and results after the
 * deadline. Never throws.
 */
export async function resolveCashtags(
  resolver: TokenResolver,
  tweets: readonly Schemas['Tweet'][],
  chain: string | undefined,
  signal: AbortSignal,
): Promise<ResolvedToken[]> {
  const cashtags = cashtagsOf(tweets).slice(0, maxCashtags);
  if (cashtags.length === 0) return [];
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(cashtagsDeadlineMs)]);
  const found = await Promise.all(cashtags.map((symbol) => resolver.resolve({ symbol }, chain, deadline)));
  const tokens = found.filter((token) => token !== null);
  return [...new Map(tokens.map((token) => [`${token.chain}/${foldAddress(token.address)}`, token])).values()];
}
