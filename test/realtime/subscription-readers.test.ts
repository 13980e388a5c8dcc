/** What a connection gets: live events, those of a replay, and what follows when its socket was full for a while. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { LogEntry } from '../../server/ports/event-log.ts';
import type { TweetSnapshot } from '../../server/ports/platform.ts';
import { searchTarget, type ChannelTarget } from '../../server/realtime/channels.ts';
import { StreamEvent, type EventContext } from '../../server/realtime/stream-event.ts';
import { newSubscription, SubscriptionReaders, type Subscription } from '../../server/realtime/subscription-readers.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';

const context = {} as EventContext;
const eventOf = (event: 'tweet.engagement' | 'tweet.deleted', seq: number, id = '1'): StreamEvent =>
  new StreamEvent({ event, id, seq, at: 0 } as LogEntry, {}, context);
const counts = (tweetId: string, isState = false): ChannelTarget =>
  ({ isState, selector: { topic: `engagement ${tweetId}` } }) as ChannelTarget;

/** A connection to a hub at position 10. The log has the events 1 to `head`, about tweet 1 for odd numbers and tweet 2 for even ones. */
function connectionOf(head = 10) {
  const all = new Map<number, StreamEvent>();
  const prepared = new Set<number>();
  const loads: number[] = [];
  const calls: string[] = [];
  const registered: string[] = [];
  const subscriptions = new Map<string, Subscription>();
  const hub = {
    position: 10,
    add: ({ name }: Subscription) => void registered.push(name),
    remove: ({ name }: Subscription) => void registered.splice(registered.indexOf(name), 1),
  };
  const log = { floor: 0 };
  for (let seq = 1; seq <= head; seq++) all.set(seq, eventOf('tweet.engagement', seq, seq % 2 === 1 ? '1' : '2'));
  const state = {
    read: async (after: number): Promise<StreamEvent[]> => [...all.values()].filter(({ seq }) => seq > after),
  };
  const events = {
    prepared: (seq: number) => (prepared.has(seq) ? all.get(seq) : undefined),
    load: (after: number) => (loads.push(after), state.read(after)),
  };
  const consumer = {
    subscriptions,
    isClosed: false,
    isFull: false,
    onDeliver() {},
    deliver({ seq }: StreamEvent, recipients: readonly Subscription[]) {
      calls.push(`${seq} ${recipients.map(({ name, isReplaying }) => `${name}${isReplaying ? '*' : ''}`).join()}`);
      consumer.onDeliver();
    },
    onGap: ({ name }: Subscription, from: number, to: number) => void calls.push(`gap ${name} ${from}-${to}`),
    onCaughtUp: (arrived: ReadonlySet<Subscription>) =>
      void calls.push(
        `caught up ${Array.from(arrived, ({ name, isReplaying }) => name + (isReplaying ? '*' : '')).join()}`,
      ),
    onFault: (error: unknown) => void calls.push(`fault ${(error as Error).message}`),
  };
  const readers = new SubscriptionReaders(hub, log, events, consumer);
  /** Starts a subscription after a position; one to a search, or to a tweet, follows all events. */
  function add(
    name: string,
    position: number,
    target = counts('1'),
    isReplaying = position < hub.position,
  ): Subscription {
    const subscription = newSubscription({ name, number: 1, tag: undefined, target, recipient: readers, isReplaying });
    subscriptions.set(name, subscription);
    readers.add(subscription, position);
    return subscription;
  }
  function remove(subscription: Subscription): void {
    subscriptions.delete(subscription.name);
    readers.remove(subscription);
  }
  /** The hub delivers a new event to these subscriptions. */
  function live(seq: number, ...matched: Subscription[]): void {
    const event = eventOf('tweet.engagement', seq);
    all.set(seq, event);
    prepared.add(seq);
    readers.deliver(event, matched);
    hub.position = seq;
  }
  /** What the connection got since the last call, after all turns that it needs. */
  async function got(): Promise<string[]> {
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    return calls.splice(0);
  }
  return {
    all,
    prepared,
    loads,
    registered,
    subscriptions,
    hub,
    log,
    state,
    consumer,
    readers,
    add,
    remove,
    live,
    got,
  };
}
type Made = ReturnType<typeof connectionOf>;
let made: Made;
beforeEach(() => {
  made = connectionOf();
});

describe('at the head', () => {
  test('a subscription is registered at once, and gets new events only', async () => {
    const { add, live, got, registered, loads } = made;
    const subscription = add('a', 10);
    expect([registered, await got()]).toEqual([['a'], ['caught up a']]);
    live(11, subscription);
    expect([await got(), loads]).toEqual([['11 a'], []]);
  });

  test('a replay has arrived where it starts', async () => {
    const { add, got } = made;
    const subscription = add('a', 10, counts('1'), true);
    expect([await got(), subscription.isReplaying]).toEqual([['caught up a*'], false]);
  });

  test('a subscription from a position ahead of the hub leaves out what its client has', async () => {
    const { add, live, got, readers } = made;
    const [ahead, other] = [add('a', 12), add('b', 10)];
    expect([readers.positionOf(ahead), readers.positionOf(other), readers.served]).toEqual([12, 10, 10]);
    await got();
    for (const seq of [11, 12, 13]) live(seq, ahead, other);
    expect(await got()).toEqual(['11 b', '12 b', '13 a,b']);
    expect(readers.served).toBe(13);
  });

  test('an event is delivered to nobody after the connection has closed', async () => {
    const { add, live, got, consumer } = made;
    const subscription = add('a', 10);
    await got();
    consumer.isClosed = true;
    live(11, subscription);
    expect(await got()).toEqual([]);
  });

  test('a failing connection is reported', async () => {
    const { add, live, got, consumer } = made;
    const subscription = add('a', 10);
    await got();
    consumer.onDeliver = () => {
      throw new Error('no socket');
    };
    live(11, subscription);
    expect(await got()).toEqual(['11 a', 'fault no socket']);
  });

  test('the end of a subscription ends its registration', async () => {
    const { add, remove, registered, readers } = made;
    const [first, second] = [add('a', 10), add('b', 10)];
    remove(first);
    expect(registered).toEqual(['b']);
    remove(second);
    expect([registered, readers.served]).toEqual([[], 10]);
  });
});

describe('a replay', () => {
  test('gets the matching events of the log, then it is registered and live', async () => {
    const { add, live, got, registered, loads, readers } = made;
    const subscription = add('a', 4);
    expect([registered, readers.positionOf(subscription), readers.served]).toEqual([[], 4, 4]);
    expect(await got()).toEqual(['5 a*', '7 a*', '9 a*', 'caught up a*']);
    expect([registered, loads, readers.served]).toEqual([['a'], [4], 10]);
    live(11, subscription);
    expect(await got()).toEqual(['11 a']);
  });

  test('uses what is prepared already', async () => {
    const { add, got, prepared, loads } = made;
    for (const seq of [7, 8, 9, 10]) prepared.add(seq);
    add('a', 6);
    expect([await got(), loads]).toEqual([['7 a*', '9 a*', 'caught up a*'], []]);
  });

  test('is not live before it arrives: the hub does not overtake it', async () => {
    const { add, live, got } = made;
    const subscription = add('a', 8);
    live(11, subscription);
    expect(await got()).toEqual(['9 a*', '11 a*', 'caught up a*']);
  });

  test('that meets another one goes on with it, and each event is sent once', async () => {
    const { add, got, loads, registered } = made;
    add('a', 8);
    add('b', 4);
    add('c', 6, counts('2'));
    expect(await got()).toEqual([...['5 b*', '7 b*', '8 c*', '9 a*,b*', '10 c*', 'caught up a*,c*,b*']]);
    expect([loads, registered]).toEqual([
      [8, 4],
      ['a', 'c', 'b'],
    ]);
  });

  test('of two subscriptions from one position reads once, and merges with the one at the head', async () => {
    const { add, live, got, loads } = made;
    const [first, second, third] = [add('a', 10), add('b', 8), add('c', 8, counts('2'))];
    expect(await got()).toEqual(['caught up a', '9 b*', '10 c*', 'caught up b*,c*']);
    live(11, first, second, third);
    expect([await got(), loads]).toEqual([['11 a,b,c'], [8]]);
  });

  test('stops while the socket is full', async () => {
    const { add, got, consumer, readers } = made;
    consumer.onDeliver = () => (consumer.isFull = true);
    add('a', 4);
    expect([await got(), readers.served]).toEqual([['5 a*'], 5]);
    readers.pump();
    expect(await got()).toEqual([]);
    consumer.isFull = false;
    readers.pump();
    expect(await got()).toEqual(['7 a*']);
    [consumer.isFull, consumer.onDeliver] = [false, () => {}];
    readers.pumpSoon();
    readers.pumpSoon();
    readers.pump();
    expect(await got()).toEqual(['9 a*', 'caught up a*']);
  });

  test('that is long leaves turns to other connections', async () => {
    const { add, prepared, hub, consumer, all, got } = connectionOf(600);
    hub.position = 600;
    for (const seq of all.keys()) prepared.add(seq);
    let delivered = 0;
    consumer.onDeliver = () => delivered++;
    add('a', 0);
    // A turn delivers 256 events of the log; every second one matches.
    expect(delivered).toBe(128);
    await new Promise(setImmediate);
    expect(delivered).toBe(256);
    await got();
    expect(delivered).toBe(300);
  });

  test('ends with its subscription, also during a read', async () => {
    const { add, remove, got, registered, readers } = made;
    const [first] = [add('a', 4), add('b', 8)];
    remove(first);
    expect(await got()).toEqual(['9 b*', 'caught up b*']);
    expect([registered, readers.served]).toEqual([['b'], 10]);
  });

  test('ends with the connection', async () => {
    const { add, got, consumer, state } = made;
    add('a', 4);
    consumer.isClosed = true;
    expect(await got()).toEqual([]);
    state.read = () => Promise.reject(new Error('no disk'));
    consumer.isClosed = false;
    add('b', 2);
    consumer.isClosed = true;
    expect(await got()).toEqual([]);
  });

  test('of a search gets the tweets that match, and all deletions', async () => {
    const { all, add, got } = made;
    const platform = new MemoryPlatform();
    const texts = ['coffee', 'tea', 'coffee'];
    const created_at = '2026-01-01T00:00:00Z';
    platform.add(
      texts.map((text, place) => ({
        kind: 'tweet',
        tweet: { id: String(place + 1), text, created_at, author_id: '1' },
      })),
    );
    const snapshots = (await platform.snapshots(['1', '2', '3'])) as TweetSnapshot[];
    for (const [place, tweet] of snapshots.entries())
      all.set(
        5 + place,
        new StreamEvent({ event: 'tweet.created', id: '1', seq: 5 + place, at: 0 }, { tweet }, context),
      );
    all.set(8, eventOf('tweet.deleted', 8));
    add('a', 4, searchTarget('coffee'));
    add('b', 4, searchTarget('water'));
    expect(await got()).toEqual(['5 a*', '7 a*', '8 a*,b*', 'caught up a*,b*']);
  });
});

describe('a log', () => {
  test('that no longer has the events reports the gap, and the replay goes on behind it', async () => {
    const { all, add, got, log } = made;
    for (const seq of [1, 2, 3, 4, 5, 6, 7]) all.delete(seq);
    log.floor = 7;
    add('a', 4);
    expect(await got()).toEqual(['gap a 4-7', '9 a*', 'caught up a*']);
  });

  test('that has no events left reports the gap up to its floor', async () => {
    const { all, add, got, log } = made;
    all.clear();
    log.floor = 10;
    add('a', 4);
    expect(await got()).toEqual(['gap a 4-10', 'caught up a*']);
  });

  test('that lacks an event that it should have is a fault', async () => {
    const { all, add, got } = made;
    all.clear();
    add('a', 4);
    expect(await got()).toEqual(['fault the event log has no event after 4']);
  });

  test('that cannot be read is a fault, and the next read is tried', async () => {
    const { add, got, state, readers } = made;
    const { read } = state;
    state.read = () => Promise.reject(new Error('no disk'));
    add('a', 4);
    expect(await got()).toEqual(['fault no disk']);
    state.read = read;
    readers.pump();
    expect(await got()).toEqual(['5 a*', '7 a*', '9 a*', 'caught up a*']);
  });
});

describe('a full socket', () => {
  test('puts a live subscription behind, and it gets the events when the socket drains', async () => {
    const { add, live, got, consumer, readers, loads } = made;
    const subscription = add('a', 10);
    await got();
    consumer.isFull = true;
    for (const seq of [11, 12, 13]) live(seq, subscription);
    expect([await got(), readers.served]).toEqual([[], 10]);
    consumer.isFull = false;
    readers.pump();
    expect([await got(), loads]).toEqual([['11 a', '12 a', '13 a', 'caught up a'], []]);
    live(14, subscription);
    expect(await got()).toEqual(['14 a']);
  });

  describe('of a channel that reports the current state', () => {
    const state = (event: StreamEvent, { readers }: Made, ...matched: Subscription[]): void =>
      readers.deliver(event, matched);

    test('keeps the last event only', async () => {
      const { add, got, consumer, readers, registered } = made;
      const subscription = add('a', 10, counts('1', true));
      expect([registered, subscription.hasReceived]).toEqual([['a'], false]);
      consumer.isFull = true;
      state(eventOf('tweet.engagement', 11), made, subscription);
      state(eventOf('tweet.engagement', 12), made, subscription);
      expect([await got(), subscription.hasReceived]).toEqual([[], true]);
      consumer.isFull = false;
      readers.pump();
      readers.pump();
      expect(await got()).toEqual(['12 a']);
    });

    test('a state that waited is not sent after a newer one', async () => {
      const { add, got, consumer, readers } = made;
      const subscription = add('a', 10, counts('1', true));
      consumer.isFull = true;
      state(eventOf('tweet.engagement', 11), made, subscription);
      consumer.isFull = false;
      state(eventOf('tweet.engagement', 12), made, subscription);
      readers.pump();
      expect(await got()).toEqual(['12 a']);
    });

    test('a deletion that waited is sent before a newer state, and is not replaced by one', async () => {
      const { add, got, consumer } = made;
      const subscription = add('a', 10, counts('1', true));
      consumer.isFull = true;
      state(eventOf('tweet.deleted', 11), made, subscription);
      state(eventOf('tweet.engagement', 12), made, subscription);
      consumer.isFull = false;
      state(eventOf('tweet.engagement', 13), made, subscription);
      expect(await got()).toEqual(['11 a', '13 a']);
    });

    test('takes one that waits after the other while there is room', async () => {
      const { add, got, consumer, readers } = made;
      const both = [add('a', 10, counts('1', true)), add('b', 10, counts('1', true))];
      consumer.isFull = true;
      state(eventOf('tweet.engagement', 11), made, ...both);
      consumer.isFull = false;
      consumer.onDeliver = () => (consumer.isFull = true);
      readers.pump();
      expect(await got()).toEqual(['11 a']);
      consumer.isFull = false;
      readers.pump();
      expect(await got()).toEqual(['11 b']);
    });
  });
});
