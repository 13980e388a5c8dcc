/** What a resolver does as Prometheus metrics. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ResolverObserver } from './dexscreener.ts';

/** An observer that counts, and what puts its figures into a registry. */
export function createResolverMetrics(): { observer: ResolverObserver; measure: (registry: Registry) => void } {
  const cached = new Counter({
    name: 'token_cache_lookups_total',
    help: 'Token names that were looked for in the cache: there (hit), already asked for (shared), or not (miss).',
    labelNames: ['result'],
    registers: [],
  });
  const looked = new Counter({
    name: 'token_lookups_total',
    help: 'Token names that were to be resolved, by how that ended.',
    labelNames: ['outcome'],
    registers: [],
  });
  const asked = new Histogram({
    name: 'token_upstream_duration_seconds',
    help: 'Time from a request to the aggregator to the end of its answer or its failure.',
    labelNames: ['endpoint'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4],
    registers: [],
  });
  return {
    observer: {
      cached: (result) => cached.inc({ result }),
      looked: (outcome) => looked.inc({ outcome }),
      asked: (endpoint, ms) => asked.observe({ endpoint }, ms / 1000),
    },
    measure(registry) {
      registry.registerMetric(cached);
      registry.registerMetric(looked);
      registry.registerMetric(asked);
    },
  };
}
