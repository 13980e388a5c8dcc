/**
 * Tracks the position of each subscription of one connection in the event log. The hub delivers new events to the
 * reader at the head. A reader that is behind, because it replays or its socket is slow, reads the log as the socket
 * drains. When a reader reaches the position of the next reader, the two readers merge.
 */
import type { EventLog } from '../ports/event-log.ts';
import { matches } from '../search/language/evaluate.ts';
import { maxBatch, type EventReader } from './event-reader.ts';
import type { Hub, HubSubscription, Recipient } from './hub.ts';
import type { StreamEvent } from './stream-event.ts';

export interface Subscription extends HubSubscription<Subscription> {
  readonly name: string;
  readonly number: number;
  readonly tag: string | undefined;
  /** The last event that the client has. The hub may not have delivered it yet: the client had it from another instance. */
  after: number;
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
  pendingEvent: StreamEvent | undefined;
  /** Whether an event was delivered. A channel that reports the current state then needs no initial state. */
  hasReceived: boolean;
}

/** A position in the log. Its subscriptions have received all earlier events. A live reader moves with the hub. */
interface Reader {
  cursor: number;
  isLive: boolean;
  readonly subscriptions: Set<Subscription>;
}

/** A subscription that its readers have not added yet. */
export function newSubscription(
  parts: Pick<Subscription, 'name' | 'number' | 'tag' | 'target' | 'recipient' | 'isReplaying'>,
): Subscription {
  const alone: Subscription[] = [];
  const subscription: Subscription = {
    ...parts,
    ...{ alone, isRegistered: false, pendingEvent: undefined, hasReceived: false, after: 0, reader: undefined },
  };
  alone.push(subscription);
  return subscription;
}

/** The connection that the readers deliver to. */
export interface EventConsumer {
  /** The current subscriptions. */
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** Whether the connection is closed or closing. */
  readonly isClosed: boolean;
  /** Whether the socket buffer has reached its limit. */
  readonly isFull: boolean;
  /** Sends an event for one or more subscriptions. */
  deliver(event: StreamEvent, recipients: readonly Subscription[]): void;
  /** Reports that a subscription misses the events after `from`, up to `to`. */
  onGap(subscription: Subscription, from: number, to: number): void;
  /** Reports that these subscriptions have reached the head. `isReplaying` is still true for those that replayed. */
  onCaughtUp(subscriptions: ReadonlySet<Subscription>): void;
  /** Reports an unexpected error. */
  onFault(error: unknown): void;
}

type LiveHub = Pick<Hub<Subscription>, 'position' | 'add' | 'remove'>;

export class SubscriptionReaders implements Recipient<Subscription> {
  matched: readonly Subscription[] = [];
  readonly #hub: LiveHub;
  readonly #log: Pick<EventLog, 'floor'>;
  readonly #events: Pick<EventReader, 'prepared' | 'load'>;
  readonly #consumer: EventConsumer;
  /** Sorted by position, the furthest behind first. */
  readonly #readers: Reader[] = [];
  #isPumpScheduled = false;
  /** Whether a read of the log is in progress. There is never a second one, and nothing else is queued. */
  #isLoading = false;

  constructor(
    hub: LiveHub,
    log: Pick<EventLog, 'floor'>,
    events: Pick<EventReader, 'prepared' | 'load'>,
    consumer: EventConsumer,
  ) {
    this.#hub = hub;
    this.#log = log;
    this.#events = events;
    this.#consumer = consumer;
  }

  /** The last event that all subscriptions have received. */
  get served(): number {
    const subscriptions = [...this.#consumer.subscriptions.values()];
    return subscriptions.length === 0
      ? this.#hub.position
      : Math.min(...subscriptions.map((each) => this.positionOf(each)));
  }

  /** The last event that this subscription has received. */
  positionOf({ reader, after }: Subscription): number {
    return Math.max(this.#position(reader), after);
  }

  /**
   * Starts a subscription after `position`. At the head, or for a current-state channel, it is registered with the
   * hub at once.
   */
  add(subscription: Subscription, position: number): void {
    if (subscription.target.isState) return this.#register(subscription);
    // The hub delivers what it has not delivered yet: the subscription leaves out what the client has.
    const reader = this.#readerAt(Math.min(position, this.#hub.position));
    subscription.after = position;
    subscription.reader = reader;
    reader.subscriptions.add(subscription);
    if (reader.isLive) this.#catchUp(new Set([subscription]));
    else this.pump();
  }

  remove(subscription: Subscription): void {
    if (subscription.isRegistered) this.#hub.remove(subscription);
    const { reader } = subscription;
    reader?.subscriptions.delete(subscription);
    if (reader?.subscriptions.size === 0) this.#readers.splice(this.#readers.indexOf(reader), 1);
  }

  /** Receives an event from the hub. */
  deliver(event: StreamEvent, matched: readonly Subscription[]): void {
    try {
      this.#deliverLive(event, matched);
    } catch (error) {
      this.#consumer.onFault(error);
    }
  }

  /** Reads the log for the readers that are behind, until the socket is full or all readers are at the head. */
  pump(): void {
    if (!this.#isPumpScheduled) this.#pump([]);
  }

  /**
   * Pumps in the next turn of the event loop, so that a socket that drains quickly does not block other connections.
   */
  pumpSoon(): void {
    if (this.#isPumpScheduled) return;
    this.#isPumpScheduled = true;
    setImmediate(() => {
      this.#isPumpScheduled = false;
      this.#guard(() => this.#pump([]));
    });
  }

  #position(reader: Reader | undefined): number {
    return reader === undefined || reader.isLive ? this.#hub.position : reader.cursor;
  }

  #deliverLive(event: StreamEvent, matched: readonly Subscription[]): void {
    const isLive = (subscription: Subscription): boolean => receives(subscription, event);
    const live = matched.every(isLive) ? matched : matched.filter(isLive);
    if (live.length === 0 || this.#consumer.isClosed) return;
    if (!this.#consumer.isFull) {
      this.#supersedePending(live);
      return this.#consumer.deliver(event, live);
    }
    for (const subscription of live) {
      // The deletion of the tweet is the last event of its state.
      if (subscription.reader === undefined && subscription.pendingEvent?.isDeletion !== true)
        subscription.pendingEvent = event;
      else if (subscription.reader !== undefined) fallBehind(subscription.reader, event.seq - 1);
    }
  }

  /** A newer event replaces one that waits. The deletion of the tweet goes first: each listener gets it. */
  #supersedePending(subscriptions: readonly Subscription[]): void {
    for (const subscription of subscriptions) {
      const event = subscription.pendingEvent;
      subscription.pendingEvent = undefined;
      if (event?.isDeletion === true) this.#consumer.deliver(event, [subscription]);
    }
  }

  /** `loaded`: events that were just read; other connections may have displaced them in the cache. */
  #pump(loaded: readonly StreamEvent[]): void {
    if (this.#isLoading || this.#consumer.isClosed) return;
    for (let budget = maxBatch; budget > 0 && !this.#consumer.isFull; budget--) {
      const reader = this.#readers[0];
      if (reader === undefined || reader.isLive) return this.#deliverPending();
      const next = this.#readers[1];
      if (reader.cursor >= this.#position(next)) {
        this.#join(reader, next);
        continue;
      }
      const seq = reader.cursor + 1;
      const event = loaded[seq - (loaded[0]?.seq ?? 0)] ?? this.#events.prepared(seq);
      if (event === undefined) return this.#load(reader);
      this.#read(reader, event);
    }
    if (!this.#consumer.isFull) this.pumpSoon();
  }

  /** Reads the events that follow a reader. The connection may close meanwhile, and its readers may change. */
  #load(reader: Reader): void {
    const { cursor } = reader;
    this.#isLoading = true;
    this.#events.load(cursor).then(
      (events) => {
        this.#isLoading = false;
        this.#guard(() => {
          const start = events[0] === undefined ? this.#log.floor : events[0].seq - 1;
          if (events.length === 0 && start <= cursor) throw new Error(`the event log has no event after ${cursor}`);
          if (reader.cursor === cursor && start > cursor) this.#skipTo(start, reader);
          this.#pump(events);
        });
      },
      (error: unknown) => {
        this.#isLoading = false;
        if (!this.#consumer.isClosed) this.#consumer.onFault(error);
      },
    );
  }

  #guard(step: () => void): void {
    if (this.#consumer.isClosed) return;
    try {
      step();
    } catch (error) {
      this.#consumer.onFault(error);
    }
  }

  #read(reader: Reader, event: StreamEvent): void {
    const matching: Subscription[] = [];
    for (const subscription of reader.subscriptions) {
      if (event.seq <= subscription.after) continue;
      const { selector } = subscription.target;
      if ('topic' in selector) {
        if (event.topics.includes(selector.topic)) matching.push(subscription);
        continue;
      }
      const document = event.document();
      if (event.isDeletion || (document !== undefined && matches(selector.condition, document, Date.now())))
        matching.push(subscription);
    }
    reader.cursor = event.seq;
    if (matching.length > 0) this.#consumer.deliver(event, matching);
  }

  /** Merges a reader into the next one. Without a next reader, the reader becomes live. */
  #join(reader: Reader, next: Reader | undefined): void {
    const isLive = next === undefined || next.isLive;
    if (next === undefined) reader.isLive = true;
    else {
      this.#readers.shift();
      for (const subscription of reader.subscriptions) {
        subscription.reader = next;
        next.subscriptions.add(subscription);
      }
    }
    if (isLive) this.#catchUp(reader.subscriptions);
  }

  #catchUp(subscriptions: ReadonlySet<Subscription>): void {
    for (const subscription of subscriptions) this.#register(subscription);
    this.#consumer.onCaughtUp(subscriptions);
    for (const subscription of subscriptions) subscription.isReplaying = false;
  }

  #register(subscription: Subscription): void {
    if (!subscription.isRegistered) this.#hub.add(subscription);
    subscription.isRegistered = true;
  }

  #skipTo(floor: number, reader: Reader): void {
    for (const subscription of reader.subscriptions) this.#consumer.onGap(subscription, reader.cursor, floor);
    reader.cursor = floor;
  }

  #deliverPending(): void {
    for (const subscription of this.#consumer.subscriptions.values()) {
      const event = subscription.pendingEvent;
      if (event === undefined || this.#consumer.isFull) continue;
      subscription.pendingEvent = undefined;
      this.#consumer.deliver(event, [subscription]);
    }
  }

  /** Finds the reader at a position, or creates one. */
  #readerAt(position: number): Reader {
    const existing = this.#readers.find((reader) => this.#position(reader) === position);
    if (existing !== undefined) return existing;
    const reader: Reader = { cursor: position, isLive: false, subscriptions: new Set() };
    this.#readers.push(reader);
    this.#readers.sort((a, b) => this.#position(a) - this.#position(b));
    return reader;
  }
}

/** Whether the event is new for the client of the subscription, and no reader brings it later. */
function receives(subscription: Subscription, { seq }: StreamEvent): boolean {
  if (seq <= subscription.after) return false;
  subscription.hasReceived = true;
  return subscription.reader?.isLive ?? true;
}

function fallBehind(reader: Reader, cursor: number): void {
  reader.isLive = false;
  reader.cursor = cursor;
}
