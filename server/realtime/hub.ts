/**
 * Delivers each durable event to the connections that are at the head of the log. A connection that replays or has a
 * slow socket reads the log itself at the rate of its socket, so the hub queues nothing.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, LogEntry } from '../ports/event-log.ts';
import type { StreamSource } from '../ports/platform.ts';
import { Percolator } from '../search/percolator/percolator.ts';
import type { ChannelTarget } from './channels.ts';
import type { Deletions } from './deletions.ts';
import type { EventReader } from './event-reader.ts';
import type { StreamEvent } from './stream-event.ts';

/** Receives events for the subscriptions of one connection. */
export interface Recipient<Subscription> {
  /** The subscriptions that match the current event. Only the hub sets this member; the list is empty between events. */
  matched: readonly Subscription[];
  /** Delivers an event to the given subscriptions, each listed once. Must not throw: other recipients follow. */
  deliver(event: StreamEvent, subscriptions: readonly Subscription[]): void;
}

export interface HubSubscription<Subscription> {
  readonly target: ChannelTarget;
  readonly recipient: Recipient<Subscription>;
  /** The list with only this subscription: most recipients have one that matches, and need no new list for each event. */
  readonly alone: readonly Subscription[];
}

export interface HubParts {
  readonly log: Pick<EventLog, 'head' | 'floor'>;
  readonly events: Pick<EventReader, 'load' | 'scan' | 'skipTo'>;
  readonly deletions: Pick<Deletions, 'isIdle'>;
  readonly platform: Pick<StreamSource, 'termFrequency'>;
  /** Called for an event that could not be delivered to everyone. */
  readonly reportInvalid: (entry: LogEntry, error: unknown) => void;
  /** Called when the log or the platform cannot be read; the hub tries again. */
  readonly reportFault: (what: string, detail: unknown) => void;
}

/** Milliseconds for which one turn of the event loop delivers events, at most. */
const sliceMs = 10;
/** Milliseconds before a failed read of the log is tried again. */
const retryMs = 1_000;
const noMatches: readonly never[] = [];

export class Hub<Subscription extends HubSubscription<Subscription>> {
  readonly #parts: HubParts;
  readonly #byTopic = new Map<string, Set<Subscription>>();
  readonly #queries: Percolator<Subscription>;
  #position: number;
  #isPublishing = false;
  /** When the current turn of the event loop should end. */
  #sliceEnd = 0;

  constructor(parts: HubParts) {
    const { log, platform } = parts;
    this.#parts = parts;
    this.#queries = new Percolator((term) => platform.termFrequency?.(term) ?? 1);
    this.#position = log.head;
  }

  /** The last event that the hub has delivered to the subscriptions at the head. */
  get position(): number {
    return this.#position;
  }

  /** Registers a subscription for the events after `position`. */
  add(subscription: Subscription): void {
    const { selector } = subscription.target;
    if ('condition' in selector) return this.#queries.set(subscription, selector.condition);
    const subscriptions = this.#byTopic.get(selector.topic);
    if (subscriptions === undefined) this.#byTopic.set(selector.topic, new Set([subscription]));
    else subscriptions.add(subscription);
  }

  remove(subscription: Subscription): void {
    const { selector } = subscription.target;
    if ('condition' in selector) return void this.#queries.delete(subscription);
    const subscriptions = this.#byTopic.get(selector.topic);
    subscriptions?.delete(subscription);
    if (subscriptions?.size === 0) this.#byTopic.delete(selector.topic);
  }

  /** Delivers the log entries after `position`. */
  publishPending(): void {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    void this.#publish();
  }

  /** Never rejects. */
  async #publish(): Promise<void> {
    this.#sliceEnd = performance.now() + sliceMs;
    while (this.#position < this.#parts.log.head) {
      try {
        await this.#publishBatch();
      } catch (error) {
        this.#parts.reportFault('the event stream cannot read its events', error);
        await sleep(retryMs, undefined, { ref: false });
      }
    }
    this.#isPublishing = false;
  }

  async #publishBatch(): Promise<void> {
    const { log, events } = this.#parts;
    // Without subscriptions, the hub does not prepare the events.
    if (this.#byTopic.size === 0 && this.#queries.size === 0) return this.#skipBatch();
    const batch = await events.load(this.#position, { once: true });
    if (batch.length === 0) this.#skipTo(log.floor);
    for (const event of batch) {
      if (performance.now() >= this.#sliceEnd) {
        await nextTurn();
        this.#sliceEnd = performance.now() + sliceMs;
      }
      this.#deliver(event);
      this.#position = event.seq;
    }
  }

  /** Moves on without delivering events. Caches learn which tweets were deleted. */
  async #skipBatch(): Promise<void> {
    const { log, events, deletions } = this.#parts;
    if (deletions.isIdle) {
      this.#position = log.head;
      events.skipTo(this.#position);
      return;
    }
    const position = await events.scan(this.#position);
    if (position === this.#position) this.#skipTo(log.floor);
    else this.#position = position;
    if (performance.now() < this.#sliceEnd) return;
    await nextTurn();
    this.#sliceEnd = performance.now() + sliceMs;
  }

  /** Leaves out events that are no longer retained. */
  #skipTo(floor: number): void {
    if (floor <= this.#position) throw new Error(`the event log has no event after ${this.#position}`);
    this.#position = floor;
    this.#parts.events.skipTo(floor);
  }

  #deliver(event: StreamEvent): void {
    const recipients: Recipient<Subscription>[] = [];
    const addMatch = (subscription: Subscription): void => {
      const { recipient, alone } = subscription;
      if (recipient.matched.length > 0) recipient.matched = [...recipient.matched, subscription];
      else {
        recipients.push(recipient);
        recipient.matched = alone;
      }
    };
    try {
      if (this.#byTopic.size > 0) for (const topic of event.topics) this.#byTopic.get(topic)?.forEach(addMatch);
      // The text of a deleted tweet cannot be matched any more.
      if (event.isDeletion) for (const subscription of this.#queries.keys()) addMatch(subscription);
      else if (this.#queries.size > 0) {
        const document = event.newDocument();
        if (document !== undefined) this.#queries.match(document, Date.now()).forEach(addMatch);
      }
      for (const recipient of recipients) recipient.deliver(event, recipient.matched);
    } catch (error) {
      // The stream continues: a recipient that missed this event gets the next one.
      this.#parts.reportInvalid(event.entry, error);
    } finally {
      for (const recipient of recipients) recipient.matched = noMatches;
    }
  }
}
