/** Resolves tokens by DexScreener, an aggregator of the markets of decentralised exchanges. */
import { LRUCache } from 'lru-cache';
import { selectPair, matchingPairs } from './pair-selection.ts';
import { createClient, type Request } from './dexscreener-client.ts';
import { createUpstreamGuard, UpstreamUnavailableError, type GuardRefusal } from './upstream-guard.ts';
import { foldName, isChainId } from './token-names.ts';
import type { Pair } from './pair.ts';
import type { TokenName, TokenResolver } from '../ports/token-resolver.ts';

/** How long what is known about a name is used, in milliseconds; that there is nothing, less long: tokens appear any minute. */
export const ttlMs = { found: 120_000, nothing: 30_000 } as const;

/** Pairs that are remembered at most, of all names together, each of a kilobyte at most. */
const mostPairs = 10_000;

interface Wanted {
  readonly name: TokenName;
  readonly request: Request;
}

/** How a lookup ended. `unknown`: there is no such token. `abandoned`: whoever asked did not wait for it. */
export type LookupOutcome = 'resolved' | 'unknown' | 'abandoned' | GuardRefusal;

/** Is told what a resolver does. */
export interface ResolverObserver {
  /** Whether the answer was there; `shared`: it was already on its way. */
  cached(found: 'hit' | 'shared' | 'miss'): void;
  /** Each lookup, once. */
  looked(outcome: LookupOutcome): void;
  /** Each request to the aggregator, with how many milliseconds it took. */
  asked(endpoint: string, ms: number): void;
}

export interface DexScreenerOptions {
  readonly baseUrl: URL;
  readonly observer: ResolverObserver;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
}

const key = ({ name, request }: Wanted): string =>
  'symbol' in name ? `$${name.symbol}` : 'chain' in request ? `${request.chain}/${name.address}` : name.address;

function requestFor(name: TokenName, chain: string | undefined): Request {
  if ('symbol' in name) return { search: name.symbol };
  return chain === undefined ? { search: name.address } : { chain, address: name.address };
}

export function createDexScreener({
  baseUrl,
  observer,
  now = () => performance.now(),
}: DexScreenerOptions): TokenResolver {
  const client = createClient({ baseUrl, gate: createUpstreamGuard(now), asked: observer.asked });

  const known = new LRUCache<string, readonly Pair[], Wanted>({
    maxSize: mostPairs,
    sizeCalculation: (pairs) => pairs.length + 1,
    ttl: ttlMs.found,
    perf: { now },
    ttlResolution: 0,
    // A lookup belongs to nobody in particular: it goes on when whoever asked first has left, and is remembered for the next.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { options, context: { name, request } }) {
      const pairs = matchingPairs(await client.pairs(request), name);
      if (pairs.length === 0) options.ttl = ttlMs.nothing;
      return pairs;
    },
  });

  function lookUp(wanted: Wanted): Promise<readonly Pair[] | undefined> {
    const status: LRUCache.Status<string, readonly Pair[], Wanted> = {};
    const pairs = known.fetch(key(wanted), { context: wanted, status });
    observer.cached(status.fetch === 'hit' ? 'hit' : status.fetch === 'inflight' ? 'shared' : 'miss');
    return pairs;
  }

  return {
    async resolve(given, chain, signal) {
      const end = (outcome: LookupOutcome): null => {
        observer.looked(outcome);
        return null;
      };
      const name = foldName(given);
      if (name === undefined || (chain !== undefined && !isChainId(chain))) return end('unknown');
      if (signal.aborted) return end('abandoned');
      try {
        const pairs = await untilAborted(lookUp({ name, request: requestFor(name, chain) }), signal);
        if (pairs === undefined) return end('abandoned');
        const token = selectPair(pairs, name, chain);
        if (token === null) return end('unknown');
        observer.looked('resolved');
        return token;
      } catch (error) {
        return end(error instanceof UpstreamUnavailableError ? error.refusal : 'failed');
      }
    },
  };
}

/** What a promise gives, or undefined as soon as the signal aborts. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const give = (): void => resolve(undefined);
  signal.addEventListener('abort', give, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', give));
}
