/**
 * Tracks the position of each subscription of one connection in the event log. The hub delivers new events to the
 * reader at the head. A reader that is behind, because it replays or its socket is slow, reads the log as the socket
 * drains. When a reader reaches the position of the next reader, the two readers merge.
 */
import { matches } from '../search/language/evaluate.ts';
import type { ChannelName } from './channels.ts';
import type { EventLog } from './event-log.ts';
import type { Recipient, Hub, HubSubscription } from './hub.ts';
import type { StreamEvent } from './stream-event.ts';

export interface Subscription extends HubSubscription {
  readonly name: string;
  readonly number: number;
  readonly channel: ChannelName;
  readonly tag: string | undefined;
  /** Undefined for a channel that reports only the current state. */
  reader: Reader | undefined;
  /** True until the requested replay reaches the head. */
  isReplaying: boolean;
  /** Whether the subscription is registered with the hub. It is registered when it first reaches the head. */
  isRegistered: boolean;
  /**
   * The last event that waits for a full socket. Only for a channel that reports the current state: the last event is
   * enough there.
   */
  pendingSeq: number | undefined;
}

/** A position in the log. Its subscriptions have received all earlier events. A live reader moves with the hub. */
interface Reader {
  cursor: number;
  isLive: boolean;
  readonly subscriptions: Set<Subscription>;
}

/** The connection that the readers deliver to. */
export interface EventConsumer {
  /** The current subscriptions. */
  readonly subscriptions: () => Iterable<Subscription>;
  /** Whether the connection is closed or closing. */
  readonly isClosed: () => boolean;
  /** Whether the socket buffer has reached its limit. */
  readonly isFull: () => boolean;
  /** Sends an event for one or more subscriptions. */
  readonly deliver: (event: StreamEvent, recipients: readonly Subscription[]) => void;
  /** Reports that a subscription misses the events after `from`, up to `to`. */
  readonly onGap: (subscription: Subscription, from: number, to: number) => void;
  /** Reports that these subscriptions have reached the head. `isReplaying` is still true for those that replayed. */
  readonly onCaughtUp: (subscriptions: ReadonlySet<Subscription>) => void;
  /** Reports an unexpected error. */
  readonly onFault: (error: unknown) => void;
}

export interface SubscriptionReaders {
  /** The last event that all subscriptions have received. */
  readonly served: number;
  /** The recipient that the hub delivers to. */
  readonly recipient: Recipient;
  /** The last event that this subscription has received. */
  positionOf(subscription: Subscription): number;
  /**
   * Starts a subscription after `position`. At the head, or for a current-state channel, it is registered with the
   * hub at once.
   */
  add(subscription: Subscription, position: number): void;
  remove(subscription: Subscription): void;
  /** Reads the log for the readers that are behind, until the socket is full or all readers are at the head. */
  pump(): void;
  /**
   * Pumps in the next turn of the event loop, so that a socket that drains quickly does not block other connections.
   */
  pumpSoon(): void;
}

/** Events that one turn of the event loop reads at most. */
const maxReadBatch = 256;

export function createSubscriptionReaders(hub: Hub, log: EventLog, consumer: EventConsumer): SubscriptionReaders {
  const { isClosed, isFull, deliver, onFault } = consumer;
  /** Sorted by position, the furthest behind first. */
  const readers: Reader[] = [];
  let isPumpScheduled = false;

  const readerPosition = (reader: Reader | undefined): number =>
    reader === undefined || reader.isLive ? hub.position : reader.cursor;

  const recipient: Recipient = {
    matched: [],

    deliver(event, matched) {
      try {
        deliverLive(event, matched as readonly Subscription[]);
      } catch (error) {
        onFault(error);
      }
    },
  };

  function deliverLive(event: StreamEvent, matched: readonly Subscription[]): void {
    const live = matched.filter(({ reader }) => reader?.isLive ?? true);
    if (live.length === 0 || isClosed()) return;
    if (!isFull()) return deliver(event, live);
    for (const subscription of live) {
      if (subscription.reader === undefined) subscription.pendingSeq = event.seq;
      else fallBehind(subscription.reader, event.seq - 1);
    }
  }

  function fallBehind(reader: Reader, cursor: number): void {
    reader.isLive = false;
    reader.cursor = cursor;
  }

  function pump(): void {
    if (isPumpScheduled || isClosed()) return;
    for (let budget = maxReadBatch; budget > 0 && !isFull();) {
      const reader = readers[0];
      if (reader === undefined || reader.isLive) return deliverPending();
      if (reader.cursor < log.floor) skipTo(log.floor, reader);
      const next = readers[1];
      const endPosition = readerPosition(next);
      while (reader.cursor < endPosition && budget-- > 0 && !isFull()) read(reader);
      if (reader.cursor >= endPosition) join(reader, next);
    }
    if (!isFull()) pumpSoon();
  }

  function pumpSoon(): void {
    if (isPumpScheduled) return;
    isPumpScheduled = true;
    setImmediate(() => {
      isPumpScheduled = false;
      try {
        pump();
      } catch (error) {
        onFault(error);
      }
    });
  }

  function read(reader: Reader): void {
    const event = hub.event(reader.cursor + 1);
    const matching: Subscription[] = [];
    for (const subscription of reader.subscriptions) {
      const { selector } = subscription.target;
      if ('topic' in selector) {
        if (event.topics.includes(selector.topic)) matching.push(subscription);
        continue;
      }
      const document = event.document();
      if (document !== undefined && matches(selector.condition, document, Date.now())) matching.push(subscription);
    }
    reader.cursor++;
    if (matching.length > 0) deliver(event, matching);
  }

  /** Merges a reader into the next one. Without a next reader, the reader becomes live. */
  function join(reader: Reader, next: Reader | undefined): void {
    const isLive = next === undefined || next.isLive;
    if (next === undefined) reader.isLive = true;
    else {
      readers.shift();
      for (const subscription of reader.subscriptions) {
        subscription.reader = next;
        next.subscriptions.add(subscription);
      }
    }
    if (isLive) catchUp(reader.subscriptions);
  }

  function catchUp(subscriptions: ReadonlySet<Subscription>): void {
    for (const subscription of subscriptions) register(subscription);
    consumer.onCaughtUp(subscriptions);
    for (const subscription of subscriptions) subscription.isReplaying = false;
  }

  function register(subscription: Subscription): void {
    if (!subscription.isRegistered) hub.add(subscription);
    subscription.isRegistered = true;
  }

  function skipTo(floor: number, reader: Reader): void {
    for (const subscription of reader.subscriptions) consumer.onGap(subscription, reader.cursor, floor);
    reader.cursor = floor;
  }

  function deliverPending(): void {
    for (const subscription of consumer.subscriptions()) {
      if (subscription.pendingSeq === undefined || isFull()) continue;
      const seq = subscription.pendingSeq;
      subscription.pendingSeq = undefined;
      if (seq > log.floor) deliver(hub.event(seq), [subscription]);
    }
  }

  /** Finds the reader at a position, or creates one. */
  function readerAt(position: number): Reader {
    const existing = readers.find((reader) => readerPosition(reader) === position);
    if (existing !== undefined) return existing;
    const reader: Reader = { cursor: position, isLive: false, subscriptions: new Set() };
    readers.push(reader);
    readers.sort((a, b) => readerPosition(a) - readerPosition(b));
    return reader;
  }

  return {
    get served() {
      return readerPosition(readers[0]);
    },
    recipient,
    positionOf: ({ reader }) => readerPosition(reader),

    add(subscription, position) {
      if (subscription.target.isState) return register(subscription);
      const reader = readerAt(position);
      subscription.reader = reader;
      reader.subscriptions.add(subscription);
      if (reader.isLive) catchUp(new Set([subscription]));
      else pump();
    },

    remove(subscription) {
      if (subscription.isRegistered) hub.remove(subscription);
      const { reader } = subscription;
      reader?.subscriptions.delete(subscription);
      if (reader?.subscriptions.size === 0) readers.splice(readers.indexOf(reader), 1);
    },

    pump,
    pumpSoon,
  };
}
