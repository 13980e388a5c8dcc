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
  readonly chosen: HubSubscription[];
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
  snapshotEvent(listening: ChannelTarget): StreamEvent;
  /** Lets a subscription be told of what comes after `position`. */
  add(subscription: HubSubscription): void;
  remove(subscription: HubSubscription): void;
  /** Tells what the log has more. */
  publishPending(): void;
}

/** How long others wait, at most, while events are told. */
const sliceMs = 10;
/** Events that were read last stay ready: those who replay, mostly many at once, read the same ones. */
const keptEvents = 2048;

export function createHub(log: EventLog, parts: EventParts): Hub {
  const byTopic = new Map<string, Set<HubSubscription>>();
  const queries = createPercolator<HubSubscription>((term) => parts.archive.index.frequency(term));
  const kept = new Array<StreamEvent | undefined>(keptEvents);
  let position = log.head;
  let telling = false;

  function event(seq: number): StreamEvent {
    const found = kept[seq % keptEvents];
    if (found?.seq === seq) return found;
    const made = streamEvent(log.entry(seq), parts);
    kept[seq % keptEvents] = made;
    return made;
  }

  function tell(told: StreamEvent): void {
    const audiences: Recipient[] = [];
    const note = (subscription: HubSubscription): void => {
      const { recipient: audience } = subscription;
      if (audience.chosen.length === 0) audiences.push(audience);
      audience.chosen.push(subscription);
    };
    try {
      for (const topic of told.topics) byTopic.get(topic)?.forEach(note);
      if (queries.size > 0) {
        const document = told.document();
        if (document !== undefined) queries.match(document, Date.now()).forEach(note);
      }
      for (const audience of audiences) audience.deliver(told, audience.chosen);
    } catch (error) {
      // The stream goes on: those who were not told are told what comes next.
      parts.refuse(log.entry(told.seq), error);
    } finally {
      for (const audience of audiences) audience.chosen.length = 0;
    }
  }

  function slice(): void {
    const end = performance.now() + sliceMs;
    while (position < log.head && performance.now() < end) {
      // Without anyone to be told an event need not even be made.
      if (byTopic.size > 0 || queries.size > 0) tell(event(position + 1));
      position++;
    }
    telling = position < log.head;
    if (telling) setImmediate(slice);
  }

  return {
    get position() {
      return position;
    },
    event,

    snapshotEvent({ params: { tweet_id: id } }) {
      const place = { seq: position, at: Date.now() };
      return streamEvent(
        id === undefined ? { event: 'pool.status', ...place } : { event: 'tweet.engagement', id, ...place },
        parts,
      );
    },

    add(subscription) {
      const { what } = subscription.target;
      if ('condition' in what) return queries.set(subscription, what.condition);
      const others = byTopic.get(what.topic);
      if (others === undefined) byTopic.set(what.topic, new Set([subscription]));
      else others.add(subscription);
    },

    remove(subscription) {
      const { what } = subscription.target;
      if ('condition' in what) return void queries.delete(subscription);
      const others = byTopic.get(what.topic);
      others?.delete(subscription);
      if (others?.size === 0) byTopic.delete(what.topic);
    },

    publishPending() {
      if (telling) return;
      telling = true;
      slice();
    },
  };
}
