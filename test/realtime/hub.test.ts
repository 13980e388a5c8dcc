import { afterEach, expect, jest, test } from '@jest/globals';
import type { LogEntry } from '../../server/ports/event-log.ts';
import type { StreamSource } from '../../server/ports/platform.ts';
import { resolveChannel, searchTarget, type ChannelName, type ChannelTarget } from '../../server/realtime/channels.ts';
import { Deletions } from '../../server/realtime/deletions.ts';
import { EventReader } from '../../server/realtime/event-reader.ts';
import { Hub, type HubSubscription } from '../../server/realtime/hub.ts';
import { MemoryEventLog } from '../ports/reference/event-log.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';
import { options } from '../support/call-options.ts';
import { until } from '../support/manual-clock.ts';

afterEach(() => void jest.restoreAllMocks());

interface Listening extends HubSubscription<Listening> {
  readonly name: string;
}
const unused = (): never => {
  throw new Error('not used');
};
const created_at = '2026-01-01T00:00:00Z';

/** A hub over a log in memory, and what its recipients got: the number of each event with its subscriptions. */
function hubOf(retained = 1_000) {
  const entries: LogEntry[] = [];
  const log = new MemoryEventLog({ epoch: 'e', entries }, { ageMs: Infinity, events: retained }, () => 0);
  const platform: MemoryPlatform & Pick<StreamSource, 'termFrequency'> = new MemoryPlatform();
  platform.add([{ kind: 'user', user: { id: '1', username: 'mira' } }]);
  const deletions = new Deletions();
  const reported: unknown[] = [];
  const reportInvalid = ({ seq }: LogEntry, why: unknown): void => void reported.push([seq, (why as Error).message]);
  const reportFault = (what: string, why: unknown): void => void reported.push([what, (why as Error).message]);
  const context = { epoch: 'e', poolStatus: unused, reportInvalid };
  const events = new EventReader(log, platform, context, options, deletions);
  const hub = new Hub<Listening>({ log, events, platform, deletions, reportInvalid, reportFault });
  const delivered: string[] = [];
  const recipient = (who: string) => ({
    matched: [] as readonly Listening[],
    deliver({ seq }: { readonly seq: number }, subscriptions: readonly Listening[]) {
      if (who === 'bad') throw new Error('a fault');
      delivered.push(`${who} ${seq} ${subscriptions.map(({ name }) => name).join()}`);
    },
  });
  function add(name: string, to: Listening['recipient'], target: ChannelTarget): Listening {
    const alone: Listening[] = [];
    const listening = { name, recipient: to, target, alone };
    alone.push(listening);
    hub.add(listening);
    return listening;
  }
  const channel = (name: ChannelName, params: object = {}): Promise<ChannelTarget> =>
    resolveChannel(name, params, platform, options);
  /** Adds tweets of user 1 with these texts, or events of the pool for no text; their numbers follow each other. */
  async function append(...texts: (string | undefined)[]): Promise<void> {
    for (const text of texts) {
      const id = String(100 + log.head + 1);
      if (text !== undefined) platform.add([{ kind: 'tweet', tweet: { id, text, created_at, author_id: '1' } }]);
      await log.append([text === undefined ? { event: 'pool.status' } : { event: 'tweet.created', id }]);
    }
  }
  async function published(): Promise<string[]> {
    hub.publishPending();
    await until(() => hub.position === log.head);
    return delivered.splice(0);
  }
  return { log, entries, platform, deletions, reported, events, hub, recipient, add, channel, append, published };
}

test('an event goes once to each recipient, with those of its subscriptions that match', async () => {
  const { add, recipient, channel, append, published, hub, events } = hubOf();
  const [one, two, three] = [recipient('one'), recipient('two'), recipient('three')];
  add('a', one, await channel('user:tweets', { user_id: '1' }));
  const search = add('b', one, searchTarget('coffee'));
  add('c', two, searchTarget('coffee'));
  add('d', two, searchTarget('tea'));
  add('e', three, await channel('assistant:pool'));
  await append('coffee', 'tea', undefined, 'water');
  expect(await published()).toEqual(['one 1 a,b', 'two 1 c', 'one 2 a', 'two 2 d', 'three 3 e', 'one 4 a']);
  expect([one.matched, two.matched]).toEqual([[], []]);
  // Nobody reads them again: they are not kept.
  expect(events.prepared(1)).toBeUndefined();
  hub.remove(search);
  await append('coffee');
  expect(await published()).toEqual(['one 5 a', 'two 5 c']);
});

test('subscriptions to one topic are independent of each other', async () => {
  const { add, recipient, channel, append, published, hub } = hubOf();
  const pool = await channel('assistant:pool');
  const [first, second] = [add('a', recipient('one'), pool), add('b', recipient('two'), pool)];
  add('c', recipient('three'), searchTarget('coffee'));
  hub.remove(first);
  await append(undefined);
  expect(await published()).toEqual(['two 1 b']);
  hub.remove(second);
  hub.remove(second);
  await append(undefined);
  expect(await published()).toEqual([]);
});

test('a search sees the deletion of each tweet, because its text is gone', async () => {
  const { add, recipient, append, published, log } = hubOf();
  add('a', recipient('one'), searchTarget('coffee'));
  add('b', recipient('two'), searchTarget('nothing'));
  await append('tea');
  await log.append([{ event: 'tweet.deleted', id: '101' }]);
  expect((await published()).toSorted()).toEqual(['one 2 a', 'two 2 b']);
});

test('an event that one recipient cannot take is reported, and the next events go to all', async () => {
  const { add, recipient, channel, append, published, reported } = hubOf();
  const pool = await channel('assistant:pool');
  const bad = recipient('bad');
  add('a', recipient('good'), pool);
  add('b', bad, pool);
  await append(undefined, undefined);
  expect(await published()).toEqual(['good 1 a', 'good 2 a']);
  expect([reported, bad.matched]).toEqual([
    [
      [1, 'a fault'],
      [2, 'a fault'],
    ],
    [],
  ]);
});

test('starts at the head of the log, and publishes what comes later, also while it publishes', async () => {
  const { append, ...before } = hubOf();
  await append(undefined, undefined);
  const hub = new Hub<Listening>({ ...before, reportInvalid: unused, reportFault: unused });
  expect(hub.position).toBe(2);
  const delivered: number[] = [];
  const to = { matched: [], deliver: ({ seq }: { readonly seq: number }) => void delivered.push(seq) };
  hub.add({ name: 'a', recipient: to, target: await before.channel('assistant:pool'), alone: [] });
  await append(undefined);
  hub.publishPending();
  hub.publishPending();
  await append(undefined);
  await until(() => hub.position === 4);
  expect(delivered).toEqual([3, 4]);
  await append(undefined);
  hub.publishPending();
  await until(() => hub.position === 5);
  expect(delivered).toEqual([3, 4, 5]);
});

test('without subscriptions it reads nothing, as long as nobody holds data of tweets', async () => {
  const { append, published, hub, log, add, recipient, deletions, events } = hubOf();
  const read = jest.spyOn(log, 'read');
  await append('coffee', 'tea');
  expect(await published()).toEqual([]);
  expect([hub.position, read.mock.calls]).toEqual([2, []]);
  // The deletions of later events are published once, though those before were not read.
  add('a', recipient('one'), searchTarget('coffee'));
  await log.append([{ event: 'tweet.deleted', id: '101' }]);
  expect(await published()).toEqual(['one 3 a']);
  const watch = deletions.watch();
  await events.load(2);
  expect(watch.isTriggered).toBe(false);
});

test('without subscriptions it publishes deletions to those who hold data of tweets', async () => {
  const { append, published, hub, log, deletions } = hubOf();
  const watch = deletions.watch();
  await append('coffee');
  await log.append([{ event: 'tweet.deleted', id: '101' }]);
  await published();
  expect([hub.position, watch.has('101'), watch.has('102')]).toEqual([2, true, false]);
});

test.each([true, false])('leaves out events that are no longer retained; with subscriptions: %s', async (isUsed) => {
  const { append, hub, log, reported, deletions, ...others } = hubOf(3);
  if (isUsed) others.add('a', others.recipient('one'), await others.channel('assistant:pool'));
  const watch = deletions.watch();
  // A log whose events have all become too old returns none.
  const read = jest.spyOn(log, 'read').mockResolvedValueOnce([]);
  await append(...Array<undefined>(9).fill(undefined));
  expect(await others.published()).toEqual(isUsed ? ['one 7 a', 'one 8 a', 'one 9 a'] : []);
  expect([hub.position, reported, read.mock.calls.map(([after]) => after)]).toEqual([9, [], [0, 6]]);
  expect(watch.take().has('any')).toBe(true);
});

test('a long publication leaves turns to others after each slice of time', async () => {
  const { add, recipient, channel, append, published } = hubOf();
  const turns: number[] = [];
  let turn = 0;
  const count = (): void => {
    turn++;
    if (turn < 100) setImmediate(count);
  };
  const to = { ...recipient('one'), deliver: () => void turns.push(turn) };
  add('a', to, await channel('assistant:pool'));
  await append(...Array<undefined>(6).fill(undefined));
  // A slice ends after 10 ms: here an event takes 6 ms.
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 6));
  setImmediate(count);
  await published();
  const distinct = new Set(turns).size;
  expect(distinct).toBeGreaterThan(1);
  expect(distinct).toBeLessThan(turns.length);
});

test.each<[string, () => Promise<LogEntry[]>, string]>([
  ['cannot be read', () => Promise.reject(new Error('no disk')), 'no disk'],
  ['lacks an event that it should have', async () => [], 'the event log has no event after 0'],
])('a log that %s is reported, and nothing is left out', async (_what, read, message) => {
  const { add, recipient, channel, append, hub, log, reported } = hubOf();
  add('a', recipient('one'), await channel('assistant:pool'));
  jest.spyOn(log, 'read').mockImplementation(read);
  await append(undefined);
  hub.publishPending();
  await until(() => reported.length > 0);
  expect([reported, hub.position]).toEqual([[['the event stream cannot read its events', message]], 0]);
});
