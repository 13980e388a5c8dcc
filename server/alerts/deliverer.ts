/**
 * Delivers the events of one webhook, in order. It reads the event log as a connection of `/ws` does, with one subscription, and takes no event
 * while a request is on its way. A failed message is not kept: after the delay, the log is read again from the last accepted event, so that
 * nothing is sent of a tweet that was deleted meanwhile.
 *
 *   reading ── event ──▶ sending ── accepted, stored ──▶ reading
 *      ▲                    └───── failed, stored ─────▶ waiting, or paused
 *      └───────────────────────── delay, resumed ───────────┘
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../contract/service-error.ts';
import { isIn } from '../ports/event-log.ts';
import { cursorAt, formatCursor } from '../realtime/event-cursor.ts';
import type { Gateway } from '../realtime/gateway.ts';
import { searchTarget, type ChannelTarget } from '../realtime/channels.ts';
import type { StreamEvent } from '../realtime/stream-event.ts';
import {
  newSubscription,
  SubscriptionReaders,
  type EventConsumer,
  type Subscription,
} from '../realtime/subscription-readers.ts';
import { toIsoTime } from '../text/iso-time.ts';
import { withoutFailures, type Attempt, type DeliveryLog, type Progress } from './delivery-log.ts';
import type { StoredSearch } from './search-store.ts';
import { deletionMessage, gapMessage, tweetMessage } from './webhook-messages.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';
import type { Outcome, WebhookMessage, WebhookSender } from './webhook-request.ts';

/** How failed messages are sent again. */
export interface RetryTimes {
  /** The first delay in milliseconds; each later one is twice as long. */
  readonly firstMs: number;
  /** How long a webhook fails until it is paused. */
  readonly giveUpMs: number;
}

export const defaultRetryTimes: RetryTimes = { firstMs: 5_000, giveUpMs: 86_400_000 };

export interface DelivererParts {
  readonly stream: Gateway['stream'];
  readonly log: DeliveryLog;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly retry: RetryTimes;
  readonly metrics: Pick<WebhookMetrics, 'attempted'>;
  readonly reportFault: (what: string, detail: unknown) => void;
}

/** What one message is about. */
type Batch =
  | { readonly kind: 'tweet'; readonly event: StreamEvent }
  | { readonly kind: 'deletions'; readonly events: StreamEvent[] }
  | { readonly kind: 'gap'; readonly from: string; readonly to: number };

/** Deletions in one message, at most: one erasure can delete many tweets. */
const maxDeletions = 100;
/** Milliseconds before the log is read, or progress is stored, again after a fault of this service. */
const faultMs = 1_000;
/** Events of one read, where a position is searched by its time. */
const scannedEvents = 4_096;

/** The secrets that sign requests at a time in milliseconds, the newest first. */
export const validSecrets = ({ secrets }: StoredSearch, at: number): string[] =>
  secrets.filter(({ until }) => until === undefined || until > at).map(({ secret }) => secret);

/** Sends a message to the webhook of a search, and describes the attempt. */
export async function attempt(
  sender: Pick<WebhookSender, 'send'>,
  search: StoredSearch & { readonly url: string },
  message: WebhookMessage,
  signal: AbortSignal,
): Promise<{ readonly outcome: Outcome; readonly attempt: Attempt }> {
  const [at, started] = [Date.now(), performance.now()];
  const outcome = await sender.send(search.url, message, validSecrets(search, at), signal);
  const { status, error } = outcome;
  const described = { at: toIsoTime(at), event: message.type, webhook_id: message.id, status, error };
  return { outcome, attempt: { ...described, duration_ms: Math.round(performance.now() - started) } };
}

export class Deliverer implements EventConsumer {
  readonly subscriptions = new Map<string, Subscription>();
  search: StoredSearch & { readonly url: string };
  readonly #parts: DelivererParts;
  readonly #ending = new AbortController();
  #readers: SubscriptionReaders | undefined;
  #batch: Batch | undefined;
  /** Whether the batch takes no more events. */
  #isSealed = false;
  /** Whether an event was left out after the batch: the log is read again from its end. */
  #isBehind = false;
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The last event of a failed message of deletions: the next message has no more of them. */
  #lastOfRetry: number | undefined;

  /** It begins where the log of deliveries says. */
  constructor(search: StoredSearch & { readonly url: string }, parts: DelivererParts) {
    this.search = search;
    this.#parts = parts;
    this.#schedule(parts.log.progress(search.id)?.nextAt ?? 0);
  }

  get isClosed(): boolean {
    return this.#ending.signal.aborted;
  }

  get isFull(): boolean {
    return this.#isSealed;
  }

  /** The position up to which all events were accepted or did not match; undefined while an event is not accepted. */
  get idlePosition(): number | undefined {
    const [subscription] = this.subscriptions.values();
    if (this.#batch !== undefined || subscription === undefined || this.#readers === undefined) return undefined;
    return this.#readers.positionOf(subscription);
  }

  /** Tries again now where the progress does not demand to wait any more. */
  wake(): void {
    if (this.#readers === undefined && this.#sending === undefined && this.#progress?.nextAt === null)
      this.#schedule(0);
  }

  /** Ends the deliveries. Resolves after the request on its way has ended, or was cut after `graceMs`, and its result is stored. */
  async close(graceMs = 0): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stopReading();
    if (this.#sending !== undefined && graceMs > 0)
      await Promise.race([this.#sending, sleep(graceMs, undefined, { ref: false })]);
    this.#ending.abort();
    await this.#sending;
  }

  deliver(event: StreamEvent): void {
    const { events } = this.search;
    if (this.#isSealed) this.#isBehind = true;
    else if (event.isDeletion) {
      if (events.includes('tweet.deleted')) this.#addDeletion(event);
    } else if (events.some((name) => name === event.entry.event)) {
      if (this.#batch === undefined) this.#seal({ kind: 'tweet', event });
      else {
        this.#isSealed = true;
        this.#isBehind = true;
      }
    }
  }

  onGap(_subscription: Subscription, from: number, to: number): void {
    if (this.#batch === undefined) return this.#seal({ kind: 'gap', from: cursorAt(this.#parts.stream.log, from), to });
    // What was collected comes first; the gap is found again.
    this.#isSealed = this.#isBehind = true;
  }

  onCaughtUp(): void {}

  onFault(error: unknown): void {
    if (this.#readers === undefined) return;
    this.#parts.reportFault('the events for a webhook cannot be read', error);
    this.#stopReading();
    if (this.#sending === undefined) this.#schedule(Date.now() + faultMs);
    else this.#isBehind = true;
  }

  get #progress(): Progress | undefined {
    return this.#parts.log.progress(this.search.id);
  }

  /** Reads the log at a time in milliseconds, or now. */
  #schedule(at: number): void {
    if (this.isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#read();
      },
      Math.max(0, at - Date.now()),
    ).unref();
  }

  #stopReading(): void {
    for (const subscription of this.subscriptions.values()) this.#readers?.remove(subscription);
    this.subscriptions.clear();
    this.#readers = undefined;
  }

  /** Reads the log from the last accepted event on. */
  #read(): void {
    const progress = this.#progress;
    if (this.#sending !== undefined) {
      this.#isBehind = true;
      return;
    }
    this.#stopReading();
    this.#isBehind = this.#isSealed = false;
    this.#batch = undefined;
    if (this.isClosed || progress === undefined || progress.isPaused) return;
    const { log } = this.#parts.stream;
    const { floor } = log;
    if (!isIn(log, progress.epoch, progress.position)) return void this.#changeEpoch(progress);
    if (progress.position >= floor) return this.#subscribe(progress.position);
    this.#seal({ kind: 'gap', from: cursorAt(log, progress.position), to: floor });
  }

  /** Continues in another log, as after the restore of a backup: behind the events that are older than the last one. Never rejects. */
  async #changeEpoch({ epoch, position, at }: Progress): Promise<void> {
    const { log } = this.#parts.stream;
    this.#isSealed = true;
    try {
      let to = log.floor;
      for (let isOlder = true; isOlder && !this.isClosed;) {
        const entries = await log.read(to, scannedEvents);
        const next = entries.find((entry) => entry.at >= at);
        to = next === undefined ? (entries.at(-1)?.seq ?? to) : next.seq - 1;
        isOlder = next === undefined && entries.length > 0;
      }
      this.#seal({ kind: 'gap', from: formatCursor(epoch, position), to });
    } catch (error) {
      this.#parts.reportFault('the events for a webhook cannot be read', error);
      this.#schedule(Date.now() + faultMs);
    }
  }

  #subscribe(position: number): void {
    const { hub, log, events } = this.#parts.stream;
    const readers = new SubscriptionReaders(hub, log, events, this);
    const target = this.#target();
    if (target === undefined) return;
    const subscription = newSubscription({
      ...{ name: 'webhook', number: 1, tag: undefined, target: searchTarget(this.search.query) },
      ...{ recipient: readers, isReplaying: false },
    });
    this.subscriptions.set(subscription.name, subscription);
    this.#readers = readers;
    readers.add(subscription, position);
  }

  /** What the query selects. Pauses the webhook if this version of the program cannot read a stored query. */
  #target(): ChannelTarget | undefined {
    try {
      return searchTarget(this.search.query);
    } catch (error) {
      const reason = error instanceof ServiceError ? error.message : 'the query cannot be read';
      this.#sending = this.#store({ isPaused: true, nextAt: null, reason }).finally(() => (this.#sending = undefined));
      return undefined;
    }
  }

  #addDeletion(event: StreamEvent): void {
    if (this.#batch?.kind !== 'deletions') {
      this.#batch = { kind: 'deletions', events: [event] };
      // Those of the same turn are in the same message.
      setImmediate(() => this.#send());
      return;
    }
    const { events } = this.#batch;
    if (this.#lastOfRetry !== undefined && event.seq > this.#lastOfRetry) {
      this.#isSealed = this.#isBehind = true;
      return;
    }
    events.push(event);
    if (events.length >= maxDeletions) this.#isSealed = true;
  }

  #seal(batch: Batch): void {
    this.#batch = batch;
    this.#isSealed = true;
    setImmediate(() => this.#send());
  }

  #send(): void {
    const batch = this.#batch;
    if (batch === undefined || this.isClosed || this.#sending !== undefined) return;
    this.#isSealed = true;
    this.#sending = this.#sendBatch(batch)
      .catch((error: unknown) => {
        this.#parts.reportFault('a webhook could not be sent', error);
        this.#stopReading();
        this.#schedule(Date.now() + faultMs);
      })
      .finally(() => (this.#sending = undefined));
    void this.#sending.then(() => this.#continue());
  }

  /** After a message that was accepted: the next events. */
  #continue(): void {
    if (this.isClosed || this.#timer !== undefined || this.#progress?.isPaused === true) return;
    if (this.#isBehind || this.#readers === undefined) return this.#read();
    this.#batch = undefined;
    this.#isSealed = false;
    this.#readers.pumpSoon();
  }

  async #sendBatch(batch: Batch): Promise<void> {
    const { epoch } = this.#parts.stream.log;
    const message = this.#messageOf(batch, epoch);
    const end = reached(batch);
    if (message === undefined) return this.#store({ epoch, ...end });
    const { outcome, attempt: made } = await attempt(this.#parts.sender, this.search, message, this.#ending.signal);
    // A request that was cut is made again by the next deliverer.
    if (this.isClosed && outcome.error !== null) return;
    this.#parts.metrics.attempted(outcome, (this.#progress?.failures ?? 0) > 0);
    if (outcome.error === null) {
      this.#lastOfRetry = undefined;
      return this.#store({ epoch, ...end, ...withoutFailures, succeededAt: Date.now() }, made);
    }
    if (batch.kind === 'deletions') this.#lastOfRetry = batch.events.at(-1)!.seq;
    this.#stopReading();
    const failure = this.#failure(outcome, outcome.error);
    await this.#store(failure, made);
    if (!failure.isPaused) this.#schedule(failure.nextAt ?? 0);
  }

  #messageOf(batch: Batch, epoch: string): WebhookMessage | undefined {
    switch (batch.kind) {
      case 'tweet':
        return tweetMessage(this.search, batch.event, epoch);
      case 'deletions':
        return deletionMessage(this.search, batch.events, epoch);
      case 'gap':
        return gapMessage(this.search, batch.from, cursorAt(this.#parts.stream.log, batch.to));
    }
  }

  /** What a failed attempt changes. */
  #failure({ status, retryAfterMs = 0 }: Outcome, error: string) {
    const { failures = 0, failingSince } = this.#progress ?? {};
    const { firstMs, giveUpMs } = this.#parts.retry;
    const now = Date.now();
    const since = failingSince ?? now;
    const counted = { failures: failures + 1, failingSince: since };
    if (status === 410) return { ...counted, nextAt: null, isPaused: true, reason: 'the answer is 410 (Gone)' };
    if (now >= since + giveUpMs)
      return { ...counted, nextAt: null, isPaused: true, reason: `no success for a day: ${error}` };
    // Up to a tenth later, so that many webhooks of one host do not come at the same time.
    const delay = Math.max(firstMs * 2 ** Math.min(failures, 20) * (1 + Math.random() / 10), retryAfterMs);
    return { ...counted, nextAt: Math.min(now + Math.round(delay), since + giveUpMs), isPaused: false, reason: error };
  }

  /** Stores progress, and tries again until it is stored: nothing is sent before. Never rejects. */
  async #store(change: Partial<Progress>, made?: Attempt): Promise<void> {
    for (;;) {
      try {
        return await this.#parts.log.change(this.search.id, change, made);
      } catch (error) {
        if (this.isClosed) return;
        this.#parts.reportFault('the progress of a webhook cannot be stored', error);
        await sleep(faultMs, undefined, { ref: false });
      }
    }
  }
}

/** The last event of a message. */
function reached(batch: Batch): Partial<Progress> {
  if (batch.kind === 'gap') return { position: batch.to };
  const { seq, entry } = batch.kind === 'tweet' ? batch.event : batch.events.at(-1)!;
  return { position: seq, at: entry.at };
}
