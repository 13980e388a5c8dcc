/** The port to resolvers of on-chain tokens. */
import type { Schemas } from '../contract/operations.ts';

/** A token by its symbol (with or without `$`, any case) or by the address of its contract. */
export type TokenName = { readonly symbol: string } | { readonly address: string };

export interface TokenResolver {
  /**
   * Resolves a symbol or address to a token. `chain`: the aggregator's id of the chain, such as `solana`; undefined:
   * any chain. Returns null when there is no such token or the resolver is unavailable. Best effort: never throws,
   * and stops when `signal` aborts.
   */
  resolve(name: TokenName, chain: string | undefined, signal: AbortSignal): Promise<Schemas['ResolvedToken'] | null>;
}
