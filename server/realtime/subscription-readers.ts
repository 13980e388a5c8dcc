/**
 * Where the subscriptions of one listener stand in the log. The reader at the head is told by the hub what happens; one that is behind,
 * because it replays or its socket is slow, reads on as the socket drains, and joins the next one when it gets there.
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
  /** Undefined for what tells only how things are now. */
  reader: Reader | undefined;
  /** Until the replay that was asked for is over. */
  isReplaying: boolean;
  /** Whether the hub knows it: from when it was at the head for the first time. */
  isRegistered: boolean;
  /** The event that it could not take yet; only of what tells how things are now, where the last one is enough. */
  pendingSeq: number | undefined;
}

/** A place in the log. All before it was served to its subscriptions; at the head it moves with the hub. */
interface Reader {
  cursor: number;
  isLive: boolean;
  readonly subscriptions: Set<Subscription>;
}

/** The listener that they read for. */
export interface EventConsumer {
  /** The subscriptions it has now. */
  readonly subscriptions: () => Iterable<Subscription>;
  /** Whether it takes nothing any more. */
  readonly isClosed: () => boolean;
  /** Whether its socket has enough to send. */
  readonly isFull: () => boolean;
  /** Takes an event for some of its subscriptions, at least one. */
  readonly deliver: (event: StreamEvent, recipients: readonly Subscription[]) => void;
  /** Is told that a subscription misses what lies between two places. */
  readonly onGap: (subscription: Subscription, from: number, to: number) => void;
  /** Is told that these have come to the head; those that replayed until now still say so. */
  readonly onCaughtUp: (subscriptions: ReadonlySet<Subscription>) => void;
  /** Is told what must not happen. */
  readonly onFault: (error: unknown) => void;
}

export interface SubscriptionReaders {
  /** Everything up to here was served to all subscriptions. */
  readonly served: number;
  /** Whom the hub tells. */
  readonly recipient: Recipient;
  /** Everything up to here was served to this subscription. */
  positionOf(subscription: Subscription): number;
  /** Serves a subscription from a place on; at the head, or in what tells how things are now, it is known to the hub at once. */
  add(subscription: Subscription, position: number): void;
  remove(subscription: Subscription): void;
  /** Reads the log for whoever is behind, until the socket is full or everyone is at the head. */
  pump(): void;
  /** The same in the next turn: a socket that drains as fast as it is filled would otherwise never let others have theirs. */
  pumpSoon(): void;
}

/** Events that are read at once before others have their turn. */
const maxReadBatch = 256;

export function createSubscriptionReaders(hub: Hub, log: EventLog, listener: EventConsumer): SubscriptionReaders {
  const { isClosed, isFull, deliver, onFault } = listener;
  /** By cursor, the furthest behind first. */
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

  /** A reader that has come as far as the next one goes on with it; without one, or at the head, it is live. */
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
    listener.onCaughtUp(subscriptions);
    for (const subscription of subscriptions) subscription.isReplaying = false;
  }

  function register(subscription: Subscription): void {
    if (!subscription.isRegistered) hub.add(subscription);
    subscription.isRegistered = true;
  }

  function skipTo(floor: number, reader: Reader): void {
    for (const subscription of reader.subscriptions) listener.onGap(subscription, reader.cursor, floor);
    reader.cursor = floor;
  }

  function deliverPending(): void {
    for (const subscription of listener.subscriptions()) {
      if (subscription.pendingSeq === undefined || isFull()) continue;
      const seq = subscription.pendingSeq;
      subscription.pendingSeq = undefined;
      if (seq > log.floor) deliver(hub.event(seq), [subscription]);
    }
  }

  /** Puts a reader at a place, or finds the one that is there. */
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
