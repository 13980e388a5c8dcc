/** Prometheus metrics of the followers. */
import { Counter, Gauge, type Registry } from '../observability/metrics-library.ts';
import type { SourceStatus } from './status.ts';

/** What one follower counts. */
export interface SourceMetrics {
  /** Events of the platform by kind. */
  events(counts: Readonly<Record<string, number>>): void;
  /** Events and records that could not be used. */
  rejected(reason: string, count?: number): void;
  /** A connection was lost or could not be established. */
  reconnected(): void;
  gap(): void;
  /** A request over HTTP is finished; 0: no response. */
  requested(status: number): void;
}

/**
 * `filled`: data came; `absent`: the platform does not have it; `limited`: the caller has too many; `timeout` and `failed`: the
 * platform; `unwritten`: the archive rejects changes.
 */
const fillOutcomes = ['filled', 'absent', 'limited', 'timeout', 'failed', 'unwritten'] as const;
export type FillOutcome = (typeof fillOutcomes)[number];

/** What the fills from one source count. */
export interface FillMetrics {
  count(outcome: FillOutcome): void;
}

/** The maximum number of values of a label: further ones count as `other`. */
const maxValues = 30;

/** Keeps the number of series bounded, whatever a platform sends. */
class BoundedLabels {
  readonly #values = new Set<string>();

  bound(value: string): string {
    if (this.#values.has(value)) return value;
    if (this.#values.size >= maxValues || !/^[\w.-]{1,40}$/.test(value)) return 'other';
    this.#values.add(value);
    return value;
  }
}

const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
  new Counter({ name, help, labelNames, registers: [] });

const statusLabel = (status: number): string =>
  status === 0 ? 'none' : Number.isInteger(status) && status >= 100 && status < 600 ? String(status) : 'other';

export class FollowMetrics {
  readonly #events = counter('follow_events_total', 'Events of followed platforms.', ['source', 'kind']);
  readonly #rejected = counter('follow_rejected_total', 'Events and records that could not be used.', [
    'source',
    'reason',
  ]);
  readonly #reconnects = counter('follow_reconnects_total', 'Connections that were lost or not established.', [
    'source',
  ]);
  readonly #gaps = counter('follow_gaps_total', 'Times at which events may be missing; each one is reconciled.', [
    'source',
  ]);
  readonly #requests = counter('follow_requests_total', 'HTTP requests to followed platforms.', ['source', 'status']);
  readonly #fills = counter('follow_fills_total', 'Fetches of unknown data at the first request for it.', [
    'source',
    'outcome',
  ]);

  /** The counters of one source. They start at 0, so that a rate is known from the first event on. */
  of(source: string): SourceMetrics {
    const [kinds, reasons] = [new BoundedLabels(), new BoundedLabels()];
    this.#events.inc({ source, kind: kinds.bound('post') }, 0);
    this.#rejected.inc({ source, reason: reasons.bound('invalid') }, 0);
    this.#reconnects.inc({ source }, 0);
    this.#gaps.inc({ source }, 0);
    this.#requests.inc({ source, status: '200' }, 0);
    return {
      events: (counts) => {
        for (const [kind, count] of Object.entries(counts))
          if (count > 0) this.#events.inc({ source, kind: kinds.bound(kind) }, count);
      },
      rejected: (reason, count = 1) => this.#rejected.inc({ source, reason: reasons.bound(reason) }, count),
      reconnected: () => this.#reconnects.inc({ source }),
      gap: () => this.#gaps.inc({ source }),
      requested: (status) => this.#requests.inc({ source, status: statusLabel(status) }),
    };
  }

  /** The counter of the fills from one source. */
  fillsOf(source: string): FillMetrics {
    for (const outcome of fillOutcomes) this.#fills.inc({ source, outcome }, 0);
    return { count: (outcome) => this.#fills.inc({ source, outcome }) };
  }

  /**
   * Registers the metrics. `statuses` returns what is followed; `own` the part that this process reads, without the sources
   * that another process reads.
   */
  measure(
    registry: Registry,
    statuses: () => readonly SourceStatus[],
    own: () => readonly SourceStatus[] = statuses,
  ): void {
    for (const each of [this.#events, this.#rejected, this.#reconnects, this.#gaps, this.#requests, this.#fills])
      registry.registerMetric(each);
    const gauge = (
      name: string,
      help: string,
      value: (status: SourceStatus) => number | undefined,
      measured = own,
    ): void => {
      new Gauge({
        name,
        help,
        labelNames: ['source'],
        registers: [registry],
        collect() {
          this.reset();
          for (const status of measured()) {
            const current = value(status);
            if (current !== undefined) this.set({ source: status.source }, current);
          }
        },
      });
    };
    gauge('follow_connected', 'Whether the source is connected: 1 or 0.', ({ connected }) => Number(connected));
    gauge('follow_lag_seconds', 'How far the archive is behind the platform.', ({ lagMs }) =>
      lagMs === undefined ? undefined : lagMs / 1000,
    );
    gauge('follow_queue', 'Records that wait for the archive.', ({ queue }) => queue);
    gauge(
      'follow_targets',
      'Followed targets, by this process or another one.',
      ({ targets }) => targets.length,
      statuses,
    );
    gauge('follow_reads_left', 'Reads that the budget of the source leaves.', ({ readsLeft }) => readsLeft);
  }
}
