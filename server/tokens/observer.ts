import type { Refusal } from './gate.ts';

/** How a lookup ended. `unknown`: there is no such token. `abandoned`: whoever asked did not wait for it. */
export type LookupOutcome = 'resolved' | 'unknown' | 'abandoned' | Refusal;

/** Is told what a resolver does. */
export interface ResolverObserver {
  /** Whether the answer was there; `shared`: it was already on its way. */
  cached(found: 'hit' | 'shared' | 'miss'): void;
  /** Each lookup, once. */
  looked(outcome: LookupOutcome): void;
  /** Each request to the aggregator, with how many milliseconds it took. */
  asked(endpoint: string, ms: number): void;
}
