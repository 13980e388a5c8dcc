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
  replays: boolean;
  /** Whether the hub knows it: from when it was at the head for the first time. */
  known: boolean;
  /** The event that it could not take yet; only of what tells how things are now, where the last one is enough. */
  waiting: number | undefined;
}

/** A place in the log. All before it was served to its subscriptions; at the head it moves with the hub. */
interface Reader {
  cursor: number;
  isLive: boolean;
  readonly subscriptions: Set<Subscription>;
}

/** The listener that they read for. */
export interface Listener {
  /** The subscriptions it has now. */
  readonly subscriptions: () => Iterable<Subscription>;
  /** Whether it takes nothing any more. */
  readonly isOver: () => boolean;
  /** Whether its socket has enough to send. */
  readonly isFull: () => boolean;
  /** Takes an event for some of its subscriptions, at least one. */
  readonly deliver: (event: StreamEvent, told: readonly Subscription[]) => void;
  /** Is told that a subscription misses what lies between two places. */
  readonly gap: (subscription: Subscription, from: number, to: number) => void;
  /** Is told that these have come to the head; those that replayed until now still say so. */
  readonly caughtUp: (subscriptions: ReadonlySet<Subscription>) => void;
  /** Is told what must not happen. */
  readonly fail: (error: unknown) => void;
}

export interface SubscriptionReaders {
  /** Everything up to here was served to all subscriptions. */
  readonly served: number;
  /** Whom the hub tells. */
  readonly audience: Recipient;
  /** Everything up to here was served to this subscription. */
  placeOf(subscription: Subscription): number;
  /** Serves a subscription from a place on; at the head, or in what tells how things are now, it is known to the hub at once. */
  begin(subscription: Subscription, place: number): void;
  end(subscription: Subscription): void;
  /** Reads the log for whoever is behind, until the socket is full or everyone is at the head. */
  pump(): void;
  /** The same in the next turn: a socket that drains as fast as it is filled would otherwise never let others have theirs. */
  pumpSoon(): void;
}

/** Events that are read at once before others have their turn. */
const readAtOnce = 256;

export function createSubscriptionReaders(hub: Hub, log: EventLog, listener: Listener): SubscriptionReaders {
  const { isOver, isFull, deliver: tell, fail } = listener;
  /** By cursor, the furthest behind first. */
  const readers: Reader[] = [];
  let pumping = false;

  const placeOf = (reader: Reader | undefined): number =>
    reader === undefined || reader.isLive ? hub.position : reader.cursor;

  const audience: Recipient = {
    chosen: [],

    deliver(event, chosen) {
      try {
        take(event, chosen as readonly Subscription[]);
      } catch (error) {
        fail(error);
      }
    },
  };

  function take(event: StreamEvent, chosen: readonly Subscription[]): void {
    const told = chosen.filter(({ reader }) => reader?.isLive ?? true);
    if (told.length === 0 || isOver()) return;
    if (!isFull()) return tell(event, told);
    for (const subscription of told) {
      if (subscription.reader === undefined) subscription.waiting = event.seq;
      else fallBehind(subscription.reader, event.seq - 1);
    }
  }

  function fallBehind(reader: Reader, at: number): void {
    reader.isLive = false;
    reader.cursor = at;
  }

  function pump(): void {
    if (pumping || isOver()) return;
    for (let budget = readAtOnce; budget > 0 && !isFull();) {
      const reader = readers[0];
      if (reader === undefined || reader.isLive) return tellWaiting();
      if (reader.cursor < log.floor) skipTo(log.floor, reader);
      const next = readers[1];
      const end = placeOf(next);
      while (reader.cursor < end && budget-- > 0 && !isFull()) read(reader);
      if (reader.cursor >= end) join(reader, next);
    }
    if (!isFull()) pumpSoon();
  }

  function pumpSoon(): void {
    if (pumping) return;
    pumping = true;
    setImmediate(() => {
      pumping = false;
      try {
        pump();
      } catch (error) {
        fail(error);
      }
    });
  }

  function read(reader: Reader): void {
    const event = hub.event(reader.cursor + 1);
    const told: Subscription[] = [];
    for (const subscription of reader.subscriptions) {
      const { what } = subscription.target;
      if ('topic' in what) {
        if (event.topics.includes(what.topic)) told.push(subscription);
        continue;
      }
      const document = event.document();
      if (document !== undefined && matches(what.condition, document, Date.now())) told.push(subscription);
    }
    reader.cursor++;
    if (told.length > 0) tell(event, told);
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
    if (isLive) arrive(reader.subscriptions);
  }

  function arrive(subscriptions: ReadonlySet<Subscription>): void {
    for (const subscription of subscriptions) know(subscription);
    listener.caughtUp(subscriptions);
    for (const subscription of subscriptions) subscription.replays = false;
  }

  function know(subscription: Subscription): void {
    if (!subscription.known) hub.add(subscription);
    subscription.known = true;
  }

  function skipTo(floor: number, reader: Reader): void {
    for (const subscription of reader.subscriptions) listener.gap(subscription, reader.cursor, floor);
    reader.cursor = floor;
  }

  function tellWaiting(): void {
    for (const subscription of listener.subscriptions()) {
      if (subscription.waiting === undefined || isFull()) continue;
      const seq = subscription.waiting;
      subscription.waiting = undefined;
      if (seq > log.floor) tell(hub.event(seq), [subscription]);
    }
  }

  /** Puts a reader at a place, or finds the one that is there. */
  function readerAt(place: number): Reader {
    const found = readers.find((reader) => placeOf(reader) === place);
    if (found !== undefined) return found;
    const reader: Reader = { cursor: place, isLive: false, subscriptions: new Set() };
    readers.push(reader);
    readers.sort((a, b) => placeOf(a) - placeOf(b));
    return reader;
  }

  return {
    get served() {
      return placeOf(readers[0]);
    },
    audience,
    placeOf: ({ reader }) => placeOf(reader),

    begin(subscription, place) {
      if (subscription.target.isState) return know(subscription);
      const reader = readerAt(place);
      subscription.reader = reader;
      reader.subscriptions.add(subscription);
      if (reader.isLive) arrive(new Set([subscription]));
      else pump();
    },

    end(subscription) {
      if (subscription.known) hub.remove(subscription);
      const { reader } = subscription;
      reader?.subscriptions.delete(subscription);
      if (reader?.subscriptions.size === 0) readers.splice(readers.indexOf(reader), 1);
    },

    pump,
    pumpSoon,
  };
}
