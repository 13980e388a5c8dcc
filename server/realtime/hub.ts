/**
 * Delivers each durable event to the connections that are at the head of the log. A connection that replays or has a
 * slow socket reads the log itself at the rate of its socket, so the hub queues nothing.
 */
import { Percolator } from '../search/percolator/percolator.ts';
import type { ChannelTarget } from './channels.ts';
import type { EventLog } from './event-log.ts';
import { streamEvent, type EventParts, type StreamEvent } from './stream-event.ts';

/** Receives events for the subscriptions of one connection. */
export interface Recipient {
  /** The subscriptions that match the current event. Only the hub changes this list; it is empty between events. */
  readonly matched: HubSubscription[];
  /**
   * Delivers an event to the given subscriptions, each listed once. The hub reuses the list. Must not throw: other
   * recipients follow.
   */
  deliver(event: StreamEvent, subscriptions: readonly HubSubscription[]): void;
}

export interface HubSubscription {
  readonly target: ChannelTarget;
  readonly recipient: Recipient;
}

export interface Hub {
  /** The last event that the hub has delivered to the subscriptions at the head. */
  readonly position: number;
  /** The event with this number; the log must still retain it. */
  event(seq: number): StreamEvent;
  /** The current state of a state channel, as an event. */
  snapshotEvent(target: ChannelTarget): StreamEvent;
  /** Registers a subscription for the events after `position`. */
  add(subscription: HubSubscription): void;
  remove(subscription: HubSubscription): void;
  /** Delivers the log entries after `position`. */
  publishPending(): void;
}

/** Milliseconds for which one turn of the event loop delivers events, at most. */
const sliceMs = 10;
/** Size of the event cache. Connections that replay at the same time mostly read the same events. */
const cachedEvents = 2048;

export function createHub(log: EventLog, parts: EventParts): Hub {
  const byTopic = new Map<string, Set<HubSubscription>>();
  const queries = new Percolator<HubSubscription>((term) => parts.archive.index.frequency(term));
  const cache = new Array<StreamEvent | undefined>(cachedEvents);
  let position = log.head;
  let isPublishing = false;

  function event(seq: number): StreamEvent {
    const cached = cache[seq % cachedEvents];
    if (cached?.seq === seq) return cached;
    const created = streamEvent(log.entry(seq), parts);
    cache[seq % cachedEvents] = created;
    return created;
  }

  function deliver(current: StreamEvent): void {
    const recipients: Recipient[] = [];
    const addMatch = (subscription: HubSubscription): void => {
      const { recipient } = subscription;
      if (recipient.matched.length === 0) recipients.push(recipient);
      recipient.matched.push(subscription);
    };
    try {
      for (const topic of current.topics) byTopic.get(topic)?.forEach(addMatch);
      if (queries.size > 0) {
        const document = current.document();
        if (document !== undefined) queries.match(document, Date.now()).forEach(addMatch);
      }
      for (const recipient of recipients) recipient.deliver(current, recipient.matched);
    } catch (error) {
      // The stream continues: a recipient that missed this event gets the next one.
      parts.reportInvalid(log.entry(current.seq), error);
    } finally {
      for (const recipient of recipients) recipient.matched.length = 0;
    }
  }

  function publishSlice(): void {
    const deadline = performance.now() + sliceMs;
    while (position < log.head && performance.now() < deadline) {
      // Without subscriptions, the hub does not create the event.
      if (byTopic.size > 0 || queries.size > 0) deliver(event(position + 1));
      position++;
    }
    isPublishing = position < log.head;
    if (isPublishing) setImmediate(publishSlice);
  }

  return {
    get position() {
      return position;
    },
    event,

    snapshotEvent({ params: { tweet_id: id } }) {
      const current = { seq: position, at: Date.now() };
      return streamEvent(
        id === undefined ? { event: 'pool.status', ...current } : { event: 'tweet.engagement', id, ...current },
        parts,
      );
    },

    add(subscription) {
      const { selector } = subscription.target;
      if ('condition' in selector) return queries.set(subscription, selector.condition);
      const subscriptions = byTopic.get(selector.topic);
      if (subscriptions === undefined) byTopic.set(selector.topic, new Set([subscription]));
      else subscriptions.add(subscription);
    },

    remove(subscription) {
      const { selector } = subscription.target;
      if ('condition' in selector) return void queries.delete(subscription);
      const subscriptions = byTopic.get(selector.topic);
      subscriptions?.delete(subscription);
      if (subscriptions?.size === 0) byTopic.delete(selector.topic);
    },

    publishPending() {
      if (isPublishing) return;
      isPublishing = true;
      publishSlice();
    },
  };
}
