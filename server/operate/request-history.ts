/** The requests of the last hour, minute by minute, and the last refused ones, in constant memory. */
import type { RequestSummary } from '../http/pipeline/request-summary.ts';

/** The requests of one minute. Durations are in milliseconds; 0 where there were none. */
export interface MinuteFigures {
  /** The start of the minute, RFC 3339. */
  readonly at: string;
  readonly requests: number;
  /** Responses of class 5xx. */
  readonly errors: number;
  /** Responses of class 4xx. */
  readonly refused: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
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

const minutes = 60;
const minuteMs = 60_000;
const maxRefused = 100;
/** Buckets of durations, each a fifth longer than the one before; from 0.05 ms on, the last from 70 s on. */
const [firstBucketMs, bucketRatio, buckets] = [0.05, 1.2, 79];

const bucketOf = (ms: number): number =>
  Math.max(0, Math.min(buckets - 1, Math.ceil(Math.log(ms / firstBucketMs) / Math.log(bucketRatio))));
const upperBound = (bucket: number): number => Math.round(firstBucketMs * bucketRatio ** bucket * 100) / 100;

class Minute {
  readonly durations = new Uint32Array(buckets);
  /** The number of the minute since 1970; -1 for an unused one. */
  number = -1;
  requests = 0;
  errors = 0;
  refused = 0;

  reset(number: number): void {
    this.durations.fill(0);
    this.number = number;
    this.requests = this.errors = this.refused = 0;
  }

  /** The upper bound of the bucket that contains this share of the requests. */
  quantile(share: number): number {
    let left = this.durations.reduce((sum, count) => sum + count, 0) * share;
    if (left === 0) return 0;
    return upperBound(this.durations.findIndex((count) => (left -= count) <= 0));
  }
}

export class RequestHistory {
  readonly #ring = Array.from({ length: minutes }, () => new Minute());
  readonly #refused: RefusedRequest[] = [];
  readonly #now: () => number;

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Records a finished request. */
  observe({ status, ms, facts }: RequestSummary): void {
    const minute = this.#current();
    this.#count(minute, status);
    const bucket = bucketOf(ms);
    minute.durations[bucket] = (minute.durations[bucket] ?? 0) + 1;
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
    this.#count(this.#current(), 503);
  }

  /** The last hour, oldest minute first; the last one is not over. */
  minutes(): MinuteFigures[] {
    const current = Math.floor(this.#now() / minuteMs);
    return Array.from({ length: minutes }, (_, index) => {
      const number = current - minutes + 1 + index;
      const minute = this.#ring[number % minutes];
      const at = new Date(number * minuteMs).toISOString();
      if (minute?.number !== number) return { at, requests: 0, errors: 0, refused: 0, p50_ms: 0, p99_ms: 0 };
      const { requests, errors, refused } = minute;
      return { at, requests, errors, refused, p50_ms: minute.quantile(0.5), p99_ms: minute.quantile(0.99) };
    });
  }

  /** The last refused requests, newest first. */
  refused(): RefusedRequest[] {
    return this.#refused.toReversed();
  }

  #count(minute: Minute, status: number): void {
    minute.requests++;
    if (status >= 500) minute.errors++;
    else if (status >= 400) minute.refused++;
  }

  #current(): Minute {
    const number = Math.floor(this.#now() / minuteMs);
    const minute = this.#ring[number % minutes] ?? new Minute();
    if (minute.number !== number) minute.reset(number);
    return minute;
  }
}
