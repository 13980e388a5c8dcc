/** Fetches what the archive does not have: one fetch for each subject at a time, bounded in time and number. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../collections/growing-cache.ts';
import type { Logger } from 'pino';
import { ServiceError, unavailable } from '../../contract/service-error.ts';
import { SourceError, type Coverage, type Fill, type FillSource, type FillSubject } from '../../ports/live-source.ts';
import type { LiveSink } from '../../ports/live-sink.ts';
import { StoreError } from '../../ports/storage.ts';
import type { Clock } from '../clock.ts';
import type { FillMetrics } from '../follow-metrics.ts';
import { validRecords } from '../record-check.ts';
import { Coverages, joined, positionOf, subjectKey } from './coverage.ts';
import { FillCharge, FillLimit } from './fill-limit.ts';
import type { HeldRecords } from '../../ports/held-records.ts';

/** The time limit of a fetch. */
const timeoutMs = 3_000;
/** A subject that the platform did not have is not requested again for this time. */
const absentMs = 60_000;
const maxAbsent = 10_000;
const maxCurrent = 20_000;
/** The age at which the newest items of a list are fetched again. */
const staleMs = 600_000;

export interface FillerParts {
  /** The name of the source, as in metrics, and its title, as in messages. */
  readonly name: string;
  readonly title: string;
  readonly source: FillSource;
  readonly sink: Pick<LiveSink, 'position' | 'onPosition' | 'follow'>;
  readonly held: Pick<HeldRecords, 'read'>;
  readonly clock: Clock;
  readonly metrics: FillMetrics;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

export type FillResult = 'filled' | 'absent';

/** The next part of a list, or its newest items once more. */
type FillPart = 'next' | 'newest';

export class Filler {
  readonly #parts: FillerParts;
  readonly #coverages: Coverages;
  readonly #limit: FillLimit;
  readonly #absent: LRUCache<string, true>;
  /** What was read again a moment ago, by subject. */
  readonly #current: LRUCache<string, true>;
  readonly #flights = new Map<string, Promise<FillResult>>();
  #changes = 0;
  #isFailing = false;

  constructor(parts: FillerParts) {
    this.#parts = parts;
    const { name, sink, held, clock } = parts;
    this.#coverages = new Coverages(name, sink, held);
    // Other processes may fill too.
    sink.onPosition((position) => {
      if (this.#coverages.includes(position)) this.#changes++;
    });
    this.#limit = new FillLimit(clock);
    const timing = { ttlResolution: 0, perf: { now: () => clock.now() } };
    this.#absent = new LRUCache({ ...atMost(maxAbsent), ttl: absentMs, ...timing });
    this.#current = new LRUCache({ ...atMost(maxCurrent), ttl: staleMs, ...timing });
  }

  /** Changes whenever a response can change without a change of the archive. */
  get revision(): number {
    return this.#changes + Math.floor(this.#parts.clock.now() / staleMs);
  }

  /** Whether the newest items of a list were fetched, but long ago. */
  async isStale(subject: FillSubject): Promise<boolean> {
    const filledAt = await this.#coverages.filledAt(subject);
    return filledAt !== undefined && filledAt <= this.#parts.clock.now() - staleMs;
  }

  /** Reads a held tweet or account again, if it was last read long ago. `observedAt`: in milliseconds since the epoch. */
  async renew(subject: FillSubject, observedAt: number, charge: FillCharge, signal: AbortSignal): Promise<void> {
    const key = subjectKey(subject);
    if (observedAt > this.#parts.clock.now() - staleMs || this.#current.has(key)) return;
    if (!(await this.includes(subject))) return;
    await this.fill(subject, charge, signal);
    this.#current.set(key, true);
  }

  async includes(subject: FillSubject): Promise<boolean> {
    return this.#parts.source.includes(subject);
  }

  coverage(subject: FillSubject): Promise<Coverage | undefined> {
    return this.#coverages.of(subject);
  }

  /** What one request may fetch. `caller`: see CallOptions. */
  charge(caller = ''): FillCharge {
    return new FillCharge(this.#limit, caller);
  }

  /**
   * Fetches a subject, or the next part of a list, and stores it. Waits for a fetch of the subject that is under way. Rejects
   * with ServiceError: 429 for a caller with too many fetches; 502, 503 or 504 when the platform fails; 503 when the archive
   * cannot be written. When the signal aborts, rejects with its reason, and the fetch goes on.
   */
  async fill(
    subject: FillSubject,
    charge: FillCharge,
    signal: AbortSignal,
    part: FillPart = 'next',
  ): Promise<FillResult> {
    const key = subjectKey(subject);
    if (this.#absent.has(key)) return 'absent';
    return settledUnlessAborted(this.#flights.get(key) ?? this.#start(subject, part, charge), signal);
  }

  #start(subject: FillSubject, part: FillPart, charge: FillCharge): Promise<FillResult> {
    const key = subjectKey(subject);
    try {
      charge.take();
    } catch (error) {
      this.#parts.metrics.count('limited');
      throw error;
    }
    const flight = this.#run(subject, part).finally(() => this.#flights.delete(key));
    // The callers may all be gone when it fails.
    flight.catch(() => {});
    this.#flights.set(key, flight);
    return flight;
  }

  async #run(subject: FillSubject, part: FillPart): Promise<FillResult> {
    const fill = await this.#read(subject, part);
    this.#parts.metrics.count(fill === undefined ? 'absent' : 'filled');
    if (fill !== undefined) return 'filled';
    this.#absent.set(subjectKey(subject), true);
    return 'absent';
  }

  /** Reads a fill and stores it. */
  async #read(subject: FillSubject, part: FillPart): Promise<Fill | undefined> {
    const { source, clock } = this.#parts;
    const done = new AbortController();
    const timeout = new AbortController();
    const stop = (): void => {
      if (!done.signal.aborted) timeout.abort();
    };
    void clock.sleep(timeoutMs, done.signal).then(stop);
    let fill: Fill | undefined;
    try {
      const previous = part === 'next' ? await this.coverage(subject) : undefined;
      const reading = source.read({ subject, previous, signal: timeout.signal });
      fill = await settledUnlessAborted(reading, timeout.signal);
      this.#reportRecovery();
    } catch (error) {
      throw this.#failure(error, timeout.signal.aborted);
    } finally {
      done.abort();
    }
    if (fill !== undefined) await this.#store(subject, part, fill);
    return fill;
  }

  async #store(subject: FillSubject, part: FillPart, { records, coverage }: Fill): Promise<void> {
    const { sink, clock, metrics, logger, name } = this.#parts;
    const valid = validRecords(records, (reason) =>
      logger.warn({ source: name, reason }, 'a fetched record violates the native format'),
    );
    const anchor = coverage?.anchor;
    const isHeld = valid.some((record) => record.kind === 'tweet' && record.tweet.id === anchor);
    const hasAnchor = anchor !== undefined && (isHeld || (await this.#isHeld(anchor)));
    const stored = coverage && { ...coverage, anchor: hasAnchor ? anchor : undefined };
    const before = await this.coverage(subject);
    const filledAt = await this.#coverages.filledAt(subject);
    try {
      const position =
        stored &&
        (part === 'next' && before !== undefined && filledAt !== undefined
          ? positionOf(stored, filledAt)
          : positionOf(joined(stored, before, filledAt ?? 0), clock.now()));
      await sink.follow(this.#coverages.nameOf(subject), position, valid);
    } catch (error) {
      metrics.count('unwritten');
      if (error instanceof StoreError)
        throw Object.assign(unavailable('the archive cannot be written now', 60), { cause: error });
      throw error;
    }
  }

  async #isHeld(tweetId: string): Promise<boolean> {
    const part = await this.#parts.held.read({ tweets: [tweetId], users: [] });
    return part.tweet(tweetId) !== undefined;
  }

  /** The error for the caller. It has no text of the platform. */
  #failure(error: unknown, isTimeout: boolean): ServiceError {
    const { name, title, metrics, logger } = this.#parts;
    metrics.count(isTimeout ? 'timeout' : 'failed');
    if (!this.#isFailing) logger.warn({ source: name, reason: reasonOf(error) }, `${title} cannot be read on request`);
    this.#isFailing = true;
    if (isTimeout) return new ServiceError(504, `${title} did not answer in ${timeoutMs / 1000} s`);
    const wait = error instanceof SourceError ? error.retryAfterMs : undefined;
    return wait === undefined
      ? new ServiceError(502, `${title} cannot be read now`)
      : unavailable(`${title} has no capacity now`, wait / 1000);
  }

  #reportRecovery(): void {
    const { name, title, logger } = this.#parts;
    if (this.#isFailing) logger.info({ source: name }, `${title} can be read on request again`);
    this.#isFailing = false;
  }
}

/** The reason for the log: what a platform says about an error can repeat the name that a caller asked for. */
function reasonOf(error: unknown): string {
  if (!(error instanceof SourceError)) return error instanceof Error ? error.name : typeof error;
  return 'status' in error ? `status ${String(error.status)}` : error.message;
}

/** Resolves or rejects as the promise does; rejects with the reason of the signal when it aborts before. */
async function settledUnlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
