/** Prometheus metrics, in a separate registry for each instance so that two apps in one process do not collide. */
import { performance } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, measureProcess, Registry } from '../../observability/metrics-library.ts';
import { lazy } from '../../collections/lazy.ts';
import { operationIds } from '../../contract/operations.ts';
import { ContractBreach } from './contract-breach.ts';
import type { RequestSummary } from './request-summary.ts';
import { overloads, type Load, type Overload } from '../server/load-monitor.ts';

/** The statuses of requests that violate the contract. */
const invalid = new Set([400, 413, 415]);

/** The upper bounds of the duration histogram, in seconds. */
const durationBuckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The metrics of the process, and of the requests by operation and status. The operation is `none` for a request that
 * addresses no operation.
 */
export class Metrics {
  readonly registry = new Registry();
  /**
   * Requests by operation and status that are not in the counter yet. A lookup in the counter would take as long as the
   * rest of the recording.
   */
  readonly #pending = new Map<string, Map<number, number>>();
  readonly #duration = this.#createDuration();
  readonly #failures = new Counter({
    name: 'http_validation_failures_total',
    help: 'Contract violations: rejected requests, and responses that were replaced with 500, which are errors of the server.',
    labelNames: ['operation', 'side'],
    registers: [this.registry],
  });
  readonly #sheds = new Counter({
    name: 'http_shed_total',
    help: 'Requests rejected with 503 because of overload: too many in flight, or a long event loop delay.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  /** Registers the metrics of the process, unless that is done: before the first report of the metrics. */
  readonly measureProcess = lazy(() => measureProcess(this.registry));
  #load: Pick<Load, 'inFlight'> = { inFlight: 0 };

  constructor() {
    measureEventLoop(this.registry);
    measureBuffers(this.registry);
    this.#countInFlight();
    const requests = this.#createRequests();
    for (const reason of overloads) this.#sheds.inc({ reason }, 0);
    // The series start at 0. Otherwise Prometheus would not see the first request as an increase.
    for (const operation of operationIds) {
      this.#duration.zero({ operation });
      for (const status of [200, 500]) requests.inc({ operation, status }, 0);
      for (const side of ['request', 'response']) this.#failures.inc({ operation, side }, 0);
    }
  }

  /** Records a finished request. */
  measure({ facts: { operationId, fault }, status, ms }: RequestSummary): void {
    // There is no operation where the request addressed none, or was rejected with 401 or 429 before routing.
    const operation = operationId ?? 'none';
    this.#count(operation, status);
    this.#duration.observe({ operation }, ms / 1000);
    if (operationId === undefined) return;
    if (invalid.has(status)) this.#failures.inc({ operation, side: 'request' });
    if (fault instanceof ContractBreach) this.#failures.inc({ operation, side: 'response' });
  }

  /** Counts a request that load shedding rejected. No other metric records such a request. */
  shed(reason: Overload): void {
    this.#sheds.inc({ reason });
    this.#count('none', 503);
  }

  /** Sets the source of the gauge of requests in flight. A rebuilt app that reuses these metrics calls it again. */
  measureLoad(load: Pick<Load, 'inFlight'>): void {
    this.#load = load;
  }

  #count(operation: string, status: number): void {
    let byStatus = this.#pending.get(operation);
    if (byStatus === undefined) this.#pending.set(operation, (byStatus = new Map()));
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }

  #createRequests(): Counter<'operation' | 'status'> {
    const pending = this.#pending;
    return new Counter({
      name: 'http_requests_total',
      help: 'Requests answered.',
      labelNames: ['operation', 'status'],
      registers: [this.registry],
      collect() {
        for (const [operation, byStatus] of pending)
          for (const [status, requestCount] of byStatus) this.inc({ operation, status }, requestCount);
        pending.clear();
      },
    });
  }

  #createDuration(): Histogram<'operation'> {
    return new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request head to the end of the response.',
      labelNames: ['operation'],
      buckets: durationBuckets,
      registers: [this.registry],
    });
  }

  #countInFlight(): void {
    const inFlight = (): number => this.#load.inFlight;
    new Gauge({
      name: 'http_requests_in_flight',
      help: 'Open requests, including the one that reads this metric.',
      registers: [this.registry],
      collect() {
        this.set(inFlight());
      },
    });
  }
}

/**
 * Measures the utilisation of the event loop. The delays that @prometheus-io/client measures show an overload only when it is too
 * late.
 */
function measureEventLoop(registry: Registry): void {
  new Counter({
    name: 'nodejs_eventloop_active_seconds_total',
    help: 'Time in which the event loop was active: its rate is the used share of a core.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1000);
    },
  });
}

/** Measures the memory of array buffers, shared ones included, which the metric of @prometheus-io/client for memory outside the heap leaves out. */
function measureBuffers(registry: Registry): void {
  new Gauge({
    name: 'nodejs_array_buffers_bytes',
    help: 'Memory of array buffers outside the JavaScript heap: most of the archive and its index.',
    registers: [registry],
    collect() {
      this.set(process.memoryUsage().arrayBuffers);
    },
  });
}
