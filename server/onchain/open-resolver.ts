import type { Registry } from '../observability/metrics-library.ts';
import type { Config } from '../config/config.ts';
import { createDexScreener } from './dexscreener.ts';
import { createResolverMetrics } from './resolver-metrics.ts';
import type { TokenResolver } from '../ports/token-resolver.ts';

export interface OpenResolver {
  readonly resolver: TokenResolver;
  /** Registers the resolver's metrics. */
  measure(registry: Registry): void;
}

/** Resolves no token and sends no requests. */
const noTokens: TokenResolver = { resolve: async () => null };

/** The configured resolver. */
export function openResolver(config: Pick<Config, 'tokenResolver' | 'tokenResolverUrl'>): OpenResolver {
  if (config.tokenResolver === 'off') return { resolver: noTokens, measure: () => {} };
  const { observer, measure } = createResolverMetrics();
  return { resolver: createDexScreener({ baseUrl: config.tokenResolverUrl, observer }), measure };
}
