/** Reads the counts of the tweets of one source again, by their age. */
import type { ArchiveRecord } from '../domain/records.ts';
import type { LiveSource } from '../ports/live-source.ts';
import type { LiveSink } from '../ports/live-sink.ts';
import { Backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { SourceMetrics } from './follow-metrics.ts';
import { validRecords } from './record-check.ts';
import { maxRefreshAgeMs, RefreshSchedule } from './refresh-schedule.ts';
import type { HeldRecords } from '../ports/held-records.ts';

/** The maximum number of tweets in one call of the source. */
const maxTweets = 100;
/** The shortest time between two calls where tweets are not due at once, in milliseconds. */
const everyMs = 5000;

export interface RefreshLoopParts {
  readonly source: Pick<LiveSource, 'name' | 'refresh'>;
  readonly sink: Pick<LiveSink, 'follow'>;
  readonly held: Pick<HeldRecords, 'read' | 'tweetsOf'>;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
  readonly onInvalid: (reason: string) => void;
}

export class RefreshLoop {
  readonly #parts: RefreshLoopParts;
  readonly #schedule: RefreshSchedule;
  readonly #backoff = new Backoff();

  constructor(parts: RefreshLoopParts, schedule = new RefreshSchedule()) {
    this.#parts = parts;
    this.#schedule = schedule;
  }

  /** The number of tweets in the schedule. */
  get size(): number {
    return this.#schedule.size;
  }

  /** Schedules new tweets of the source. Native retweets have no counts of their own. */
  add(records: readonly ArchiveRecord[]): void {
    const now = this.#parts.clock.now();
    for (const record of records)
      if (record.kind === 'tweet' && record.tweet.retweeted_tweet_id === undefined)
        this.#schedule.add(record.tweet.id, Math.min(now, Date.parse(record.tweet.created_at)), now);
  }

  /** Schedules the tweets that the archive already has of these accounts. Rejects with StoreError. */
  async addAccounts(userIds: readonly string[]): Promise<void> {
    const { held, clock } = this.#parts;
    const since = clock.now() - maxRefreshAgeMs;
    for (const userId of userIds)
      for await (const tweet of held.tweetsOf(userId)) {
        if (Date.parse(tweet.created_at) < since) break;
        this.add([{ kind: 'tweet', tweet }]);
      }
  }

  /** Reads what is due until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    while (!signal.aborted) {
      const due = this.#schedule.take(clock.now(), maxTweets);
      if (due.length === 0) await clock.sleep(everyMs, signal);
      else await this.#refresh(due, signal);
    }
  }

  async #refresh(due: ReturnType<RefreshSchedule['take']>, signal: AbortSignal): Promise<void> {
    const { source, sink, held, clock, metrics, onInvalid } = this.#parts;
    const ids = due.map(({ id }) => id);
    const isHeld = new Set(ids);
    try {
      const before = await held.read({ tweets: ids, users: [] });
      const tweets = ids.map((id) => before.tweet(id)).filter((tweet) => tweet !== undefined);
      if (tweets.length > 0) {
        const records = validRecords(await source.refresh(tweets, signal), (reason) => {
          metrics.rejected('invalid');
          onInvalid(reason);
        });
        if (records.length > 0) await sink.follow(source.name, undefined, records);
      }
      const after = await held.read({ tweets: ids, users: [] });
      for (const id of ids) if (after.tweet(id) === undefined) isHeld.delete(id);
      this.#backoff.reset();
    } catch (error) {
      // Counts are no promise: the tweets are read again at their next time.
      if (!signal.aborted) await clock.sleep(this.#backoff.next(error), signal);
    }
    for (const { id, createdAt } of due) if (isHeld.has(id)) this.#schedule.add(id, createdAt, clock.now());
  }
}
