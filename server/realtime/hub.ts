/**
 * Tells each event, once it is in the log, to those who are at the head of it. Who is not, because a replay or a slow socket holds it
 * up, reads the log at its own pace: nothing is queued for anyone.
 */
import { createPercolator } from '../search/percolator/percolator.ts';
import type { ChannelTarget } from './channels.ts';
import type { EventLog } from './event-log.ts';
import { streamEvent, type EventParts, type StreamEvent } from './stream-event.ts';

/** Who is told. */
export interface Recipient {
  /** What the event at hand is for: the hub's own, empty between events. */
  readonly matched: HubSubscription[];
  /** Takes an event for some of its subscriptions, each of them once. The list is not to be kept. Must not throw: others wait behind it. */
  deliver(event: StreamEvent, subscriptions: readonly HubSubscription[]): void;
}

export interface HubSubscription {
  readonly target: ChannelTarget;
  readonly recipient: Recipient;
}

export interface Hub {
  /** Everything up to this event has been told to those who are at the head. */
  readonly position: number;
  /** An event that the log still has. */
  event(seq: number): StreamEvent;
  /** How things are now, as the event that would tell it. */
  snapshotEvent(target: ChannelTarget): StreamEvent;
  /** Lets a subscription be told of what comes after `position`. */
  add(subscription: HubSubscription): void;
  remove(subscription: HubSubscription): void;
  /** Tells what the log has more. */
  publishPending(): void;
}

/** How long others wait, at most, while events are told. */
const sliceMs = 10;
/** Events that were read last stay ready: those who replay, mostly many at once, read the same ones. */
const cachedEvents = 2048;

export function createHub(log: EventLog, parts: EventParts): Hub {
  const byTopic = new Map<string, Set<HubSubscription>>();
  const queries = createPercolator<HubSubscription>((term) => parts.archive.index.frequency(term));
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
      // The stream goes on: those who were not told are told what comes next.
      parts.reportInvalid(log.entry(current.seq), error);
    } finally {
      for (const recipient of recipients) recipient.matched.length = 0;
    }
  }

  function publishSlice(): void {
    const deadline = performance.now() + sliceMs;
    while (position < log.head && performance.now() < deadline) {
      // Without anyone to be told an event need not even be made.
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
