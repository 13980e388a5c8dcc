/** What a connection gets when its socket was full for a while. */
import { expect, test } from '@jest/globals';
import type { LogEntry } from '../../server/ports/event-log.ts';
import { StreamEvent, type EventContext } from '../../server/realtime/stream-event.ts';
import { SubscriptionReaders, type Subscription } from '../../server/realtime/subscription-readers.ts';

const context = {} as EventContext;
const eventOf = (event: 'tweet.engagement' | 'tweet.deleted', seq: number): StreamEvent =>
  new StreamEvent({ event, id: '1', seq, at: 0 } as LogEntry, {}, context);

/** A subscription to the counts of a tweet; its socket is full until `drain`. */
function fullConnection() {
  const delivered: number[] = [];
  const subscriptions = new Map<string, Subscription>();
  const consumer = {
    subscriptions,
    isClosed: false,
    isFull: true,
    deliver: ({ seq }: StreamEvent) => void delivered.push(seq),
    onGap() {},
    onCaughtUp() {},
    onFault(error: unknown) {
      throw error;
    },
  };
  const hub = { position: 0, add() {}, remove() {} };
  const events = { prepared: () => undefined, load: () => Promise.resolve([]) };
  const readers = new SubscriptionReaders(hub, { floor: 0 }, events, consumer);
  const subscription = {
    name: 's1',
    after: 0,
    reader: undefined,
    pendingEvent: undefined,
    target: { isState: true, selector: { topic: 'engagement:1' } },
  } as unknown as Subscription;
  subscriptions.set('s1', subscription);
  readers.add(subscription, 0);
  return {
    delivered,
    take: (event: StreamEvent) => readers.deliver(event, [subscription]),
    drain: () => (consumer.isFull = false),
    pump: () => readers.pump(),
  };
}

test('a state that waited is not sent after a newer one', () => {
  const { delivered, take, drain, pump } = fullConnection();
  take(eventOf('tweet.engagement', 1));
  take(eventOf('tweet.engagement', 2));
  drain();
  take(eventOf('tweet.engagement', 3));
  pump();
  expect(delivered).toEqual([3]);
});

test('a deletion that waited is sent before a newer state', () => {
  const { delivered, take, drain, pump } = fullConnection();
  take(eventOf('tweet.deleted', 1));
  drain();
  take(eventOf('tweet.engagement', 2));
  pump();
  expect(delivered).toEqual([1, 2]);
});
