/**
 * The daily question to a platform without events for deletions: which of the held tweets and accounts must not be held any
 * longer. The time of the last complete check is durable.
 */
import type { ArchivedTweet } from '../domain/records.ts';
import type { LiveSource } from '../ports/live-source.ts';
import type { LiveSink } from '../ports/live-sink.ts';
import { Backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { SourceMetrics } from './follow-metrics.ts';
import { countUnusable, validRecords } from './record-check.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The shortest time between two attempts that failed, in milliseconds: a check can cost a job of the platform. */
const minRetryMs = 600_000;

export interface ComplianceLoopParts {
  readonly source: Pick<LiveSource, 'name' | 'complianceCheck'>;
  readonly sink: Pick<LiveSink, 'follow' | 'position'>;
  /** All tweets of the archive, those of other platforms included. */
  readonly allTweets: () => AsyncIterable<ArchivedTweet>;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
  readonly onInvalid: (reason: string) => void;
  /** The check failed; it is tried again. */
  readonly onFailed: (error: unknown) => void;
}

export class ComplianceLoop {
  readonly #parts: ComplianceLoopParts;
  readonly #backoff = new Backoff();

  constructor(parts: ComplianceLoopParts) {
    this.#parts = parts;
  }

  /** Checks once a day until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, sink, clock } = this.#parts;
    if (source.complianceCheck === undefined) return;
    while (!signal.aborted) {
      try {
        const last = (await sink.position(this.#name))?.at;
        const waitMs = last === undefined ? 0 : last + dayMs - clock.now();
        if (waitMs > 0) await clock.sleep(waitMs, signal);
        else await this.#check(signal);
        this.#backoff.reset();
      } catch (error) {
        if (signal.aborted) return;
        this.#parts.onFailed(error);
        await clock.sleep(Math.max(minRetryMs, this.#backoff.next(error)), signal);
      }
    }
  }

  /** The name of the position that holds the time of the last check. */
  get #name(): string {
    return `compliance ${this.#parts.source.name}`;
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { source, sink, allTweets, clock, metrics, onInvalid } = this.#parts;
    const at = clock.now();
    for await (const { records } of source.complianceCheck?.(allTweets(), signal) ?? []) {
      const valid = validRecords(records, (reason) => {
        metrics.rejected('invalid');
        onInvalid(reason);
      });
      if (valid.length > 0) countUnusable(await sink.follow(source.name, undefined, valid), metrics);
    }
    if (!signal.aborted) await sink.follow(this.#name, { position: 'complete', at }, []);
  }
}
