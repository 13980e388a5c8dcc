import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { createDexScreener } from './dexscreener.ts';
import { createResolverMetrics } from './resolver-metrics.ts';
import type { TokenResolver } from '../ports/token-resolver.ts';

export interface OpenResolver {
  readonly resolver: TokenResolver;
  /** Shows what the resolver does in a registry of metrics. */
  measure(registry: Registry): void;
}

/** Knows no token and asks nobody. */
const noTokens: TokenResolver = { resolve: async () => null };

/** The resolver that the configuration asks for. */
export function openResolver(config: Pick<Config, 'tokenResolver' | 'tokenResolverUrl'>): OpenResolver {
  if (config.tokenResolver === 'off') return { resolver: noTokens, measure: () => {} };
  const { observer, measure } = createResolverMetrics();
  return { resolver: createDexScreener({ baseUrl: config.tokenResolverUrl, observer }), measure };
}
