/** Prometheus metrics, in a registry of their own so that two apps in one process do not clash. */
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Conclude } from './conclusion.ts';

export interface Metrics {
  readonly registry: Registry;
  /** Counts and times a request. */
  readonly measure: Conclude;
}

/** Metrics of the process and of the requests by operation and status; `none` is what addressed no operation. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request head to the end of the answer.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const measure: Conclude = ({ locals: { operationId: operation = 'none' }, status, ms }) => {
    requests.inc({ operation, status });
    duration.observe({ operation }, ms / 1000);
  };
  return { registry, measure };
}
