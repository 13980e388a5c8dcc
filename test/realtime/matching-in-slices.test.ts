/** Events whose text many long phrases are compared with: the service does other work meanwhile, and nobody misses an event. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { resolveChannel } from '../../server/realtime/channels.ts';
import { Deletions } from '../../server/realtime/deletions.ts';
import { EventReader } from '../../server/realtime/event-reader.ts';
import { Hub, type Recipient } from '../../server/realtime/hub.ts';
import {
  SubscriptionReaders,
  type EventConsumer,
  type Subscription,
} from '../../server/realtime/subscription-readers.ts';
import type { StreamEvent } from '../../server/realtime/stream-event.ts';
import { MemoryEventLog } from '../ports/reference/event-log.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';
import { options } from '../support/call-options.ts';

const secret = 'a secret sentence';
/** All the words of the phrases, in another order. */
const longText = `${secret} a a x ${Array.from({ length: 10 }, (_, place) => `b${place} x`).join(' ')}`;
/** Ten phrases, none of which is in the text. */
const phrases = Array.from({ length: 10 }, (_, place) => `"a a b${place}"`).join(' OR ');
const unused = (): never => {
  throw new Error('not used');
};

let platform: MemoryPlatform;
let log: MemoryEventLog;
let deletions: Deletions;
let events: EventReader;
let hub: Hub<Subscription>;
let number = 0;

beforeEach(() => {
  platform = new MemoryPlatform();
  platform.add([{ kind: 'user', user: { id: '1', username: 'mira' } }]);
  log = new MemoryEventLog({ epoch: 'log', entries: [] }, { ageMs: 86_400_000, events: 100_000 }, Date.now);
  deletions = new Deletions();
  const reportInvalid = (_entry: unknown, error: unknown): never => {
    throw error;
  };
  const context = { epoch: 'log', poolStatus: unused, reportInvalid };
  events = new EventReader(log, platform, context, options, deletions);
  hub = new Hub({ log, events, platform: {}, deletions, reportInvalid, reportFault: unused });
  log.onHead(() => hub.publishPending());
  // A slice is over after ten looks at the clock.
  let time = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (time += 1));
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function post(id: string, text: string): Promise<void> {
  platform.add([{ kind: 'tweet', tweet: { id, text, created_at: '2026-01-01T00:00:00Z', author_id: '1' } }]);
  await log.append([{ event: 'tweet.created', id }]);
}

async function subscription(query: string, recipient: Recipient<Subscription>): Promise<Subscription> {
  const target = await resolveChannel('search:tweets', { query }, platform, options);
  const made: Subscription = {
    name: `s${++number}`,
    number,
    tag: undefined,
    target,
    recipient,
    after: 0,
    reader: undefined,
    isReplaying: false,
    isRegistered: false,
    pendingEvent: undefined,
    hasReceived: false,
    get alone() {
      return [made];
    },
  };
  return made;
}

/** Records what it receives. */
class Received implements Recipient<Subscription> {
  matched: readonly Subscription[] = [];
  readonly events: string[] = [];
  deliver(event: StreamEvent, subscriptions: readonly Subscription[]): void {
    this.events.push(`${event.seq} ${subscriptions.map(({ name }) => name).join(' ')}`);
  }
}

test('matching one event with many phrases takes many turns of the event loop', async () => {
  const received = new Received();
  for (let index = 0; index < 50; index++) hub.add(await subscription(`${phrases} OR w${index}`, received));
  const last = await subscription('secret', received);
  hub.add(last);
  await post('100', longText);
  let turns = 0;
  for (; hub.position < 1; turns++) await nextTurn();
  expect(turns).toBeGreaterThan(40);
  expect(received.events).toEqual([`1 ${last.name}`]);
});

test('a query that is registered during the matching gets the event once, one that is removed does not, and the order holds', async () => {
  const [received, early] = [new Received(), new Received()];
  for (let index = 0; index < 50; index++) hub.add(await subscription(`${phrases} OR w${index}`, received));
  const [removed, kept] = [await subscription('secret', early), await subscription('"a secret"', early)];
  const [late, lateAndGone, lateWithout] = [
    await subscription('"secret sentence"', received),
    await subscription('secret', received),
    await subscription('"sentence secret"', received),
  ];
  hub.add(removed);
  hub.add(kept);
  await post('100', longText);
  await post('101', `${secret} again`);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(hub.position).toBe(0);
  hub.remove(removed);
  for (const each of [late, lateAndGone, lateWithout]) hub.add(each);
  hub.remove(lateAndGone);
  while (hub.position < 2) await nextTurn();
  expect(early.events).toEqual([`1 ${kept.name}`, `2 ${kept.name}`]);
  expect(received.events).toEqual([`1 ${late.name}`, `2 ${late.name}`]);
});

/** A connection that replays. */
function replaying(): { readers: SubscriptionReaders; events: string[]; add(each: Subscription, from: number): void } {
  const subscriptions = new Map<string, Subscription>();
  const delivered: string[] = [];
  const consumer: EventConsumer = {
    subscriptions,
    isClosed: false,
    isFull: false,
    deliver: (event, each) =>
      delivered.push(`${event.seq} ${event.entry.event} ${each.map(({ name }) => name).join(' ')}`),
    onGap: unused,
    onCaughtUp: () => delivered.push('caught up'),
    onFault: (error) => delivered.push(String(error)),
  };
  const readers = new SubscriptionReaders(hub, log, events, deletions, consumer);
  const add = (each: Subscription, from: number): void => {
    subscriptions.set(each.name, each);
    readers.add(each, from);
  };
  return { readers, events: delivered, add };
}

test('a replay compares many phrases in many turns, with each event in order, and subscriptions come and go meanwhile', async () => {
  await post('100', longText);
  await post('101', secret);
  while (hub.position < 2) await nextTurn();
  const { readers, events: delivered, add } = replaying();
  const slow: Subscription[] = [];
  for (let index = 0; index < 50; index++) slow.push(await subscription(`${phrases} OR w${index}`, readers));
  const [removed, kept, late] = [
    await subscription('secret', readers),
    await subscription('secret', readers),
    await subscription('sentence', readers),
  ];
  for (const each of [removed, kept, ...slow]) add(each, 0);
  let turns = 0;
  for (; turns < 20; turns++) await nextTurn();
  expect(delivered).toEqual([]);
  readers.remove(removed);
  add(late, 0);
  for (; !delivered.includes('caught up'); turns++) await nextTurn();
  expect(turns).toBeGreaterThan(40);
  expect(delivered).toEqual([
    `1 tweet.created ${kept.name} ${late.name}`,
    `2 tweet.created ${kept.name} ${late.name}`,
    'caught up',
  ]);
});

test('a tweet that is deleted while a replay compares its text is not delivered', async () => {
  await post('100', longText);
  while (hub.position < 1) await nextTurn();
  const { readers, events: delivered, add } = replaying();
  for (let index = 0; index < 50; index++) add(await subscription(`${phrases} OR w${index}`, readers), 0);
  const wanted = await subscription('secret', readers);
  add(wanted, 0);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(delivered).toEqual([]);
  platform.remove('100');
  await log.append([{ event: 'tweet.deleted', id: '100' }]);
  while (!delivered.includes('caught up')) await nextTurn();
  expect(delivered).toEqual([expect.stringMatching(/^2 tweet.deleted/), 'caught up']);
  readers.close();
});
