/** Resolves tokens with DexScreener, an aggregator of decentralised exchanges. */
import { LRUCache } from 'lru-cache';
import { selectPair, matchingPairs } from './pair-selection.ts';
import { createClient, type Request } from './dexscreener-client.ts';
import { createUpstreamGuard, UpstreamUnavailableError, type GuardRejection } from './upstream-guard.ts';
import { foldName, isChainId } from './token-names.ts';
import type { Pair } from './pair.ts';
import type { TokenName, TokenResolver } from '../ports/token-resolver.ts';

/** Cache time in milliseconds. Empty results have a shorter one, because tokens appear at any time. */
export const ttlMs = { found: 120_000, nothing: 30_000 } as const;

/** Maximum number of cached pairs of all names together, each of at most a kilobyte. */
const maxPairs = 10_000;

interface LookupRequest {
  readonly name: TokenName;
  readonly request: Request;
}

/** The outcome of a lookup. `unknown`: there is no such token. `abandoned`: the caller did not wait for the result. */
export type LookupOutcome = 'resolved' | 'unknown' | 'abandoned' | GuardRejection;

/** Receives the events of a resolver, for metrics. */
export interface ResolverObserver {
  /** The result of a cache lookup; `shared` means that the same request was already pending. */
  cacheLookedUp(found: 'hit' | 'shared' | 'miss'): void;
  /** Called once for each lookup. */
  lookupFinished(outcome: LookupOutcome): void;
  /** Called for each request to the aggregator with its duration in milliseconds. */
  requestFinished(endpoint: string, ms: number): void;
}

export interface DexScreenerOptions {
  readonly baseUrl: URL;
  readonly observer: ResolverObserver;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const key = ({ name, request }: LookupRequest): string =>
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
  const client = createClient({ baseUrl, guard: createUpstreamGuard(now), onRequest: observer.requestFinished });

  const cache = new LRUCache<string, readonly Pair[], LookupRequest>({
    maxSize: maxPairs,
    sizeCalculation: (pairs) => pairs.length + 1,
    ttl: ttlMs.found,
    perf: { now },
    ttlResolution: 0,
    // A shared lookup continues when its first caller aborts, and its result is cached.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { options, context: { name, request } }) {
      const pairs = matchingPairs(await client.pairs(request), name);
      if (pairs.length === 0) options.ttl = ttlMs.nothing;
      return pairs;
    },
  });

  function lookUp(wanted: LookupRequest): Promise<readonly Pair[] | undefined> {
    const status: LRUCache.Status<string, readonly Pair[], LookupRequest> = {};
    const pairs = cache.fetch(key(wanted), { context: wanted, status });
    observer.cacheLookedUp(status.fetch === 'hit' ? 'hit' : status.fetch === 'inflight' ? 'shared' : 'miss');
    return pairs;
  }

  return {
    async resolve(requestedName, chain, signal) {
      const finish = (outcome: LookupOutcome): null => {
        observer.lookupFinished(outcome);
        return null;
      };
      const name = foldName(requestedName);
      if (name === undefined || (chain !== undefined && !isChainId(chain))) return finish('unknown');
      if (signal.aborted) return finish('abandoned');
      try {
        const pairs = await untilAborted(lookUp({ name, request: requestFor(name, chain) }), signal);
        if (pairs === undefined) return finish('abandoned');
        const token = selectPair(pairs, name, chain);
        if (token === null) return finish('unknown');
        observer.lookupFinished('resolved');
        return token;
      } catch (error) {
        return finish(error instanceof UpstreamUnavailableError ? error.reason : 'failed');
      }
    },
  };
}

/** The result of a promise, or undefined as soon as the signal aborts. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const onAbort = (): void => resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
