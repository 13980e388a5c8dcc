/** Prometheus metrics of a token resolver. */
import { Counter, Histogram, type Registry } from '../observability/metrics-library.ts';
import type { ResolverObserver } from './dexscreener.ts';

/** Creates an observer that counts, and the function that registers its metrics. */
export function createResolverMetrics(): { observer: ResolverObserver; measure: (registry: Registry) => void } {
  const cached = new Counter({
    name: 'token_cache_lookups_total',
    help: 'Token lookups in the cache: hit, shared with a running lookup, or miss.',
    labelNames: ['result'],
    registers: [],
  });
  const lookups = new Counter({
    name: 'token_lookups_total',
    help: 'Token lookups by outcome.',
    labelNames: ['outcome'],
    registers: [],
  });
  const requestDuration = new Histogram({
    name: 'token_upstream_duration_seconds',
    help: 'Time from a request to the aggregator until its response or failure.',
    labelNames: ['endpoint'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4],
    registers: [],
  });
  return {
    observer: {
      cacheLookedUp: (result) => cached.inc({ result }),
      lookupFinished: (outcome) => lookups.inc({ outcome }),
      requestFinished: (endpoint, ms) => requestDuration.observe({ endpoint }, ms / 1000),
    },
    measure(registry) {
      registry.registerMetric(cached);
      registry.registerMetric(lookups);
      registry.registerMetric(requestDuration);
    },
  };
}
