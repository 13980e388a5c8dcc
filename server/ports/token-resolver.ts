/** The port to what knows tokens on-chain. */
import type { Schemas } from '../contract/operations.ts';

/** A token by its symbol (with or without `$`, any case) or by the address of its contract. */
export type TokenName = { readonly symbol: string } | { readonly address: string };

export interface TokenResolver {
  /**
   * The token that a name stands for, on one chain by the aggregator's id of it, such as `solana`, or (undefined) on any; null
   * where there is none, or where it cannot be found out now. Best effort: never throws, and gives up when `signal` aborts.
   */
  resolve(name: TokenName, chain: string | undefined, signal: AbortSignal): Promise<Schemas['ResolvedToken'] | null>;
}
