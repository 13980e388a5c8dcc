import type { TokenResolver } from './resolver.ts';

/** Knows no token and asks nobody. */
export const noTokens: TokenResolver = { resolve: async () => null };
