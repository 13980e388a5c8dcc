/** Prometheus metrics, in a registry of their own so that two apps in one process do not clash. */
import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { operationIds } from '../../contract/operations.ts';
import type { OnFinished } from './request-summary.ts';
import { overloads, type Load, type Overload } from '../server/load-monitor.ts';
import { ContractBreach } from '../express/openapi-validator.ts';

export interface Metrics {
  readonly registry: Registry;
  /** Counts and times a request that is over. */
  readonly measure: OnFinished;
  /** Counts a request that was refused because of the load; it is nothing else's business. */
  readonly shed: (reason: Overload) => void;
  /** Shows from now on how many requests are in flight by `load`: an app that is made anew goes on with the figures of the one before it. */
  readonly measureLoad: (load: Pick<Load, 'inFlight'>) => void;
}

/** What a request is refused with that is not as the contract wants it. */
const invalid = new Set([400, 413, 415]);

/** Metrics of the process and of the requests by operation and status; `none` is what addressed no operation. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureLoop(registry);
  /** Requests by operation and status that are not in the counter yet: to find their place there takes as long as the rest of counting. */
  const counted = new Map<string, Map<number, number>>();
  const count = (operation: string, status: number): void => {
    let byStatus = counted.get(operation);
    if (byStatus === undefined) counted.set(operation, (byStatus = new Map()));
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  };
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered.',
    labelNames: ['operation', 'status'],
    registers: [registry],
    collect() {
      for (const [operation, byStatus] of counted)
        for (const [status, times] of byStatus) this.inc({ operation, status }, times);
      counted.clear();
    },
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request head to the end of the answer.',
    labelNames: ['operation'],
    buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'http_validation_failures_total',
    help: 'What did not meet the contract: requests that were refused for it, and responses that were held back for it, which are faults of the server.',
    labelNames: ['operation', 'side'],
    registers: [registry],
  });
  const sheds = new Counter({
    name: 'http_shed_total',
    help: 'Requests refused with 503 because of the load: too many in flight, or those before them took too long.',
    labelNames: ['reason'],
    registers: [registry],
  });
  let measured: Pick<Load, 'inFlight'> = { inFlight: 0 };
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that are not answered to their end yet, the one that asks for this included.',
    registers: [registry],
    collect() {
      this.set(measured.inFlight);
    },
  });
  for (const reason of overloads) sheds.inc({ reason }, 0);
  // From 0 on, or the first of each would not show as an increase.
  for (const operation of operationIds) {
    duration.zero({ operation });
    for (const status of [200, 500]) requests.inc({ operation, status }, 0);
    for (const side of ['request', 'response']) failures.inc({ operation, side }, 0);
  }

  const measure: OnFinished = ({ locals: { operationId, fault }, status, ms }) => {
    // Without an operation: what addressed none, or was refused before that was known, with 401 or 429.
    const operation = operationId ?? 'none';
    count(operation, status);
    duration.observe({ operation }, ms / 1000);
    if (operationId === undefined) return;
    if (invalid.has(status)) failures.inc({ operation, side: 'request' });
    if (fault instanceof ContractBreach) failures.inc({ operation, side: 'response' });
  };
  const shed = (reason: Overload): void => {
    sheds.inc({ reason });
    count('none', 503);
  };
  return { registry, measure, shed, measureLoad: (load) => void (measured = load) };
}

/** How busy the one thread is: beside the delays that prom-client measures, which only show when it is too late. */
function measureLoop(registry: Registry): void {
  new Counter({
    name: 'nodejs_eventloop_active_seconds_total',
    help: 'Time that the event loop was not waiting for anything: its rate is the share of a core that is in use.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1000);
    },
  });
}
