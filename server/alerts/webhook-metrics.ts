/** Prometheus metrics of the webhooks. No label has an address, a name or an id. */
import { Counter, Gauge, type Registry } from '../observability/metrics-library.ts';
import type { Schemas } from '../contract/operations.ts';
import { gaugesIn } from '../observability/gauge.ts';
import type { Outcome } from './webhook-request.ts';

export type WebhookState = Schemas['WebhookDelivery']['state'];

/** What the gauges show. */
export interface WebhookFigures {
  /** The state of each webhook. */
  readonly states: () => readonly WebhookState[];
  /** Events that the slowest webhook is behind the log; 0 in an instance that delivers nothing. */
  readonly lag: () => number;
}

const states: readonly WebhookState[] = ['active', 'retrying', 'paused'];
const outcomes = ['accepted', '3xx', '4xx', '5xx', 'other', 'none'] as const;

function outcomeLabel({ status, error }: Pick<Outcome, 'status' | 'error'>): (typeof outcomes)[number] {
  if (error === null) return 'accepted';
  if (status === null) return 'none';
  const label = `${Math.floor(status / 100)}xx`;
  return outcomes.find((each) => each === label) ?? 'other';
}

export class WebhookMetrics {
  readonly #deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Requests to webhooks by outcome: accepted, the class of another status, or none for no answer.',
    labelNames: ['outcome'],
    registers: [],
  });
  readonly #retries = new Counter({
    name: 'webhook_retries_total',
    help: 'Requests to webhooks after a failed one.',
    registers: [],
  });

  constructor() {
    for (const outcome of outcomes) this.#deliveries.inc({ outcome }, 0);
  }

  /** Counts a request. `isRetry`: the last request to the same webhook has failed. */
  attempted(outcome: Pick<Outcome, 'status' | 'error'>, isRetry: boolean): void {
    this.#deliveries.inc({ outcome: outcomeLabel(outcome) });
    if (isRetry) this.#retries.inc();
  }

  measure(registry: Registry, figures: WebhookFigures): void {
    registry.registerMetric(this.#deliveries);
    registry.registerMetric(this.#retries);
    new Gauge({
      name: 'webhook_endpoints',
      help: 'Webhooks by state; a paused one needs its owner.',
      labelNames: ['state'],
      registers: [registry],
      collect() {
        const all = figures.states();
        for (const state of states) this.set({ state }, all.filter((each) => each === state).length);
      },
    });
    gaugesIn(registry)(
      'webhook_lag_events',
      'Events that the slowest webhook that is not paused is behind the event log.',
      figures.lag,
    );
  }
}
