/** The requests of the last hour, day and week in equal steps, and the last refused ones, in constant memory. */
import type { RequestSummary } from '../http/pipeline/request-summary.ts';

/** The requests of one step of time. Durations are in milliseconds; null where there were none. */
export interface RequestFigures {
  /** The start of the step, RFC 3339. */
  readonly at: string;
  readonly requests: number;
  /** Responses of class 5xx. */
  readonly errors: number;
  /** Responses of class 4xx. */
  readonly refused: number;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
}

/** A request that was refused. It has no text of the caller and no key: only the id of a valid one. */
export interface RefusedRequest {
  readonly at: string;
  readonly status: number;
  readonly method: string;
  /** The operation of the contract; null for a request that reached none. */
  readonly operation: string | null;
  readonly key: string | null;
  /** The `X-Request-Id` under which the log has the reason; a caller may have chosen it. */
  readonly request_id: string;
}

const minuteMs = 60_000;

/** The spans of time: how long a step is, and how many there are. All of them need 100 kB. */
const spans = {
  hour: { stepMs: minuteMs, steps: 60 },
  day: { stepMs: 15 * minuteMs, steps: 96 },
  week: { stepMs: 60 * minuteMs, steps: 168 },
} as const;

export type Span = keyof typeof spans;
export const spanNames = Object.keys(spans) as readonly Span[];

const maxRefused = 100;
/** Buckets of durations, each a fifth longer than the one before; from 0.05 ms on, the last from 70 s on. */
const [firstBucketMs, bucketRatio, buckets] = [0.05, 1.2, 79];

const bucketOf = (ms: number): number =>
  Math.max(0, Math.min(buckets - 1, Math.ceil(Math.log(ms / firstBucketMs) / Math.log(bucketRatio))));
const upperBound = (bucket: number): number => Math.round(firstBucketMs * bucketRatio ** bucket * 100) / 100;

class Step {
  readonly durations = new Uint32Array(buckets);
  /** The number of the step since 1970; -1 for an unused one. */
  number = -1;
  requests = 0;
  errors = 0;
  refused = 0;

  reset(number: number): void {
    this.durations.fill(0);
    this.number = number;
    this.requests = this.errors = this.refused = 0;
  }

  /** The upper bound of the bucket that contains this share of the requests; null without any. */
  quantile(share: number): number | null {
    let left = this.durations.reduce((sum, count) => sum + count, 0) * share;
    if (left === 0) return null;
    return upperBound(this.durations.findIndex((count) => (left -= count) <= 0));
  }

  count(status: number): void {
    this.requests++;
    if (status >= 500) this.errors++;
    else if (status >= 400) this.refused++;
  }
}

/** The newest steps of a span. */
class Ring {
  readonly #stepMs: number;
  readonly #steps: readonly Step[];

  constructor({ stepMs, steps }: (typeof spans)[Span]) {
    this.#stepMs = stepMs;
    this.#steps = Array.from({ length: steps }, () => new Step());
  }

  current(now: number): Step {
    const number = Math.floor(now / this.#stepMs);
    const step = this.#steps[number % this.#steps.length] ?? new Step();
    if (step.number !== number) step.reset(number);
    return step;
  }

  /** Oldest step first; the last one is not over. */
  figures(now: number): RequestFigures[] {
    const current = Math.floor(now / this.#stepMs);
    const { length } = this.#steps;
    return Array.from({ length }, (_, index) => {
      const number = current - length + 1 + index;
      const step = this.#steps[number % length];
      const at = new Date(number * this.#stepMs).toISOString();
      if (step?.number !== number) return { at, requests: 0, errors: 0, refused: 0, p50_ms: null, p99_ms: null };
      const { requests, errors, refused } = step;
      return { at, requests, errors, refused, p50_ms: step.quantile(0.5), p99_ms: step.quantile(0.99) };
    });
  }
}

export class RequestHistory {
  readonly #rings = { hour: new Ring(spans.hour), day: new Ring(spans.day), week: new Ring(spans.week) };
  readonly #refused: RefusedRequest[] = [];
  readonly #now: () => number;

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Records a finished request. */
  observe({ status, ms, facts }: RequestSummary): void {
    const bucket = bucketOf(ms);
    for (const step of this.#current()) {
      step.count(status);
      step.durations[bucket] = (step.durations[bucket] ?? 0) + 1;
    }
    if (status < 400) return;
    this.#refused.push({
      at: new Date(this.#now()).toISOString(),
      status,
      method: facts.method,
      operation: facts.operationId ?? null,
      key: facts.keyId ?? null,
      request_id: facts.id,
    });
    if (this.#refused.length > maxRefused) this.#refused.shift();
  }

  /** Records a request that load shedding refused. It has no duration, and is not listed. */
  shed(): void {
    for (const step of this.#current()) step.count(503);
  }

  /** The steps of a span, oldest first; the last one is not over. What was before the start of this process is not known. */
  figures(span: Span): RequestFigures[] {
    return this.#rings[span].figures(this.#now());
  }

  /** The last refused requests, newest first. */
  refused(): RefusedRequest[] {
    return this.#refused.toReversed();
  }

  #current(): Step[] {
    return Object.values(this.#rings).map((ring) => ring.current(this.#now()));
  }
}
