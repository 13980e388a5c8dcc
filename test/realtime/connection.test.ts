/** A connection without a socket: `test/realtime/gateway.test.ts` has the same over a WebSocket. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { WebSocket } from 'ws';
import { unrestrictedKey } from '../../server/keys/keys.ts';
import { LocalRateLimiter } from '../../server/keys/rate-limiter.ts';
import type { LogEntry, NewEvent } from '../../server/ports/event-log.ts';
import type { AuthenticatedKey } from '../../server/ports/keys.ts';
import type { StreamSource } from '../../server/ports/platform.ts';
import { Asks } from '../../server/realtime/asks.ts';
import { Connection } from '../../server/realtime/connection.ts';
import { Deletions } from '../../server/realtime/deletions.ts';
import { EventReader } from '../../server/realtime/event-reader.ts';
import { textOf } from '../../server/realtime/frame.ts';
import { Hub } from '../../server/realtime/hub.ts';
import { defaultLimits } from '../../server/realtime/limits.ts';
import type { Subscription } from '../../server/realtime/subscription-readers.ts';
import { MemoryEventLog } from '../ports/reference/event-log.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';
import { options } from '../support/call-options.ts';
import { until } from '../support/manual-clock.ts';
import { stopClock } from '../support/stopped-clock.ts';

afterEach(() => void jest.useRealTimers());

const created_at = '2026-01-01T00:00:00Z';
const never = new Promise<never>(() => {});
type Message = Record<string, unknown> & { readonly type: string };

/** A connection with a key to a log and a platform in memory, and what it has sent. */
function connectionOf(key: AuthenticatedKey = unrestrictedKey('k1'), more: object = {}, cursorWaitMs = 0) {
  const entries: LogEntry[] = [];
  const log = new MemoryEventLog({ epoch: 'e', entries }, { ageMs: Infinity, events: 1_000 }, () => 0);
  const platform: MemoryPlatform & Pick<StreamSource, 'termFrequency'> = new MemoryPlatform();
  platform.add([
    { kind: 'user', user: { id: '1', username: 'mira', name: 'Mira' } },
    { kind: 'tweet', tweet: { id: '5', text: 'coffee', created_at, author_id: '1', like_count: 3 } },
  ]);
  const deletions = new Deletions();
  const [faults, counted, closed, used]: unknown[][] = [[], [], [], []];
  const reportFault = (...fault: unknown[]): void => void faults!.push(fault);
  const reportInvalid = (...found: unknown[]): void => void faults!.push(found);
  const context = { epoch: 'e', poolStatus: () => ({}) as never, reportInvalid };
  const events = new EventReader(log, platform, context, options, deletions);
  const hub = new Hub<Subscription>({ log, events, platform, deletions, reportInvalid, reportFault });
  log.onHead(() => hub.publishPending());
  const asks = new Asks({ explain: () => never }, 2, reportFault, deletions);
  const sent: Message[] = [];
  const outlet = {
    ...{ isClosing: false, closeCode: undefined as number | undefined, reason: undefined as string | undefined },
    ...{ buffered: 7, acceptedBytes: 0, isFull: false, lastSent: performance.now() },
    write: (frame: Buffer, type: string, cursor: string) =>
      void sent.push({ written: `${type} ${cursor}`, ...(JSON.parse(textOf(frame).toString()) as Message) }),
    send: (message: object) => void sent.push(message as Message),
    ping: () => true,
    close(reason: string) {
      [outlet.isClosing, outlet.reason] = [true, reason];
    },
    markClosed: () => void (outlet.isClosing = true),
  };
  const connection = new Connection(outlet, key, 'c_1', {
    ...{ hub, log, events, platform, deletions, asks, reportFault, cursorWaitMs },
    limits: { ...defaultLimits, ...more },
    rateLimiter: new LocalRateLimiter('off'),
    onClosed: (_connection, code) => void closed!.push(code),
    countMessage: (direction, type) => void counted!.push(`${direction} ${type}`),
    recordUse: (each) => void used!.push(each.id),
  });
  const [ws, socket] = [new EventEmitter(), new EventEmitter()];
  connection.listen(ws as WebSocket, socket as Socket);
  const say = (message: object | string, isBinary = false): void => {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    ws.emit('message', Buffer.from(text), isBinary);
  };
  let commands = 0;
  /** Sends a subscription and waits for its answer. */
  async function subscribe(channel: string, params: object, rest: object = {}): Promise<Message> {
    const id = `c${++commands}`;
    say({ type: 'subscribe', id, channel, params, ...rest });
    await until(() => sent.some((each) => each.id === id));
    return sent.find((each) => each.id === id)!;
  }
  async function append(...news: NewEvent[]): Promise<void> {
    await log.append(news);
    await until(() => hub.position === log.head);
  }
  const of = (type: string): Message[] => sent.filter((each) => each.type === type);
  return {
    ...{ log, platform, deletions, faults: faults!, counted: counted!, closed: closed!, used: used!, hub, asks },
    ...{ sent, outlet, connection, ws, socket, say, subscribe, append, of },
  };
}
const created = { event: 'tweet.created', id: '5' } as const;
const remove = (platform: MemoryPlatform): NewEvent => {
  platform.remove('5');
  return { event: 'tweet.deleted', id: '5' };
};

describe('a message', () => {
  test('is answered, and counted by its type', () => {
    const { say, sent, counted } = connectionOf();
    say({ type: 'ping', id: 'a' });
    say({ type: 'ping' });
    say('no command');
    const timestamp = expect.any(String);
    expect(sent).toEqual([
      { type: 'pong', id: 'a', timestamp },
      { type: 'pong', timestamp },
      expect.objectContaining({ type: 'error', code: 'bad_message', error: 'the message is not JSON' }),
    ]);
    expect(counted).toEqual(['in ping', 'in ping', 'in invalid']);
  });

  test('that is binary closes the connection, and nothing is read afterwards', () => {
    const { say, sent, outlet, counted } = connectionOf();
    say('x', true);
    say({ type: 'ping' });
    expect([outlet.reason, sent, counted]).toEqual(['binary', [], []]);
  });

  test('too many of which cannot be read in a row closes the connection', () => {
    const { say, of, outlet } = connectionOf(undefined, { invalidMessages: 2 });
    for (const each of ['x', 'x', '{"type":"ping"}', 'x', 'x']) say(each);
    expect([outlet.reason, of('error').length]).toEqual([undefined, 4]);
    say('x');
    expect([outlet.reason, of('error').length]).toEqual(['protocol', 4]);
  });

  test('over the limit is refused with a delay, and too many of them close the connection', () => {
    stopClock();
    const { say, of, outlet } = connectionOf(undefined, { commandsPerMinute: 3 });
    for (let each = 0; each < 6; each++) say({ type: 'ping' });
    const refusal = {
      code: 'too_many_requests',
      status: 429,
      error: 'too many commands; retry in 20 s',
      retry_after_s: 20,
    };
    expect([of('pong').length, of('error'), outlet.reason]).toEqual([
      ...[3, Array(3).fill({ type: 'error', ...refusal }), undefined],
    ]);
    say({ type: 'ping' });
    expect([of('error').length, outlet.reason]).toEqual([3, 'rate']);
  });

  test('is refused while too many wait for the platform', () => {
    stopClock();
    const { say, of, platform } = connectionOf(undefined, { commandsPerMinute: 3 });
    platform.user = () => never;
    const wait = (id: string): void => say({ type: 'subscribe', id, channel: 'user:tweets', params: { user_id: '1' } });
    for (const id of ['a', 'b', 'c']) wait(id);
    jest.advanceTimersByTime(60_000);
    // One runs, and three wait.
    wait('d');
    expect(of('error')).toEqual([]);
    say({ type: 'ping' });
    expect([of('pong'), of('error').length]).toEqual([[], 1]);
  });

  test('whose command fails by a fault of the server is answered without details', async () => {
    const { subscribe, faults, platform } = connectionOf();
    const fault = new Error('a secret');
    platform.user = () => Promise.reject(fault);
    expect(await subscribe('user:tweets', { user_id: '1' })).toMatchObject({
      code: 'internal',
      error: 'internal error',
    });
    expect(faults).toEqual([['a command failed', fault]]);
    expect(await subscribe('tweet:replies', { tweet_id: '9' })).toMatchObject({ code: 'not_found' });
    expect(faults).toHaveLength(1);
  });

  test('that needs a scope which the key lacks is refused', () => {
    const { say, of } = connectionOf({ ...unrestrictedKey('k1'), scopes: new Set(['admin']) });
    say({ type: 'ask', id: 'a', params: { tweet_id: '5' } });
    expect(of('error')).toEqual([
      { type: 'error', code: 'bad_message', status: 403, id: 'a', error: expect.stringContaining('lacks the scope') },
    ]);
  });

  test('about an unknown subscription repeats only the start of its name', () => {
    const { say, of } = connectionOf();
    say({ type: 'unsubscribe', id: 'a', sub: 'x'.repeat(99) });
    expect(of('error')).toMatchObject([{ error: `this connection has no subscription '${'x'.repeat(64)}'` }]);
  });
});

describe('an event', () => {
  test('has the fullest view of its subscriptions, and their names in order', async () => {
    const { subscribe, append, of } = connectionOf();
    for (const query of ['coffee', 'from:mira']) await subscribe('search:tweets', { query });
    await subscribe('user:tweets', { user_id: '1' });
    await append(created);
    expect(of('event')).toMatchObject([{ written: 'event e.1', channel: 'user:tweets', subs: ['s1', 's2', 's3'] }]);
    expect(of('event')[0]).not.toHaveProperty('replay');
  });

  test('has the fullest view also where another subscription comes first', async () => {
    const { subscribe, append, of, platform } = connectionOf();
    const entities = { mentions: [{ username: 'tom', id: '2' }], hashtags: [], cashtags: [], urls: [] };
    platform.add([
      { kind: 'user', user: { id: '2', username: 'tom' } },
      { kind: 'tweet', tweet: { id: '6', text: '@tom', created_at, author_id: '1', in_reply_to_id: '5', entities } },
    ]);
    await subscribe('tweet:replies', { tweet_id: '5' });
    await subscribe('user:mentions', { username: 'tom' });
    await append({ event: 'tweet.created', id: '6' });
    expect(of('event')).toMatchObject([{ channel: 'tweet:replies', subs: ['s1', 's2'] }]);
  });

  test('of the replay of two subscriptions is sent once, and marked', async () => {
    const { say, append, of } = connectionOf();
    await append(created);
    for (const id of ['a', 'b'])
      say({ type: 'subscribe', id, channel: 'user:tweets', params: { user_id: '1' }, cursor: 'e.0' });
    await until(() => of('caught_up').length === 2);
    expect(of('event')).toMatchObject([{ subs: ['s1', 's2'], replay: true }]);
  });

  test('of a replay is marked; of a replay and a live subscription it is not', async () => {
    const { subscribe, append, of, hub } = connectionOf();
    await append(created);
    await subscribe('user:tweets', { user_id: '1' }, { cursor: 'e.0' });
    await until(() => of('caught_up').length === 1);
    expect(of('event')).toMatchObject([{ subs: ['s1'], replay: true }]);
    expect(of('caught_up')).toEqual([{ type: 'caught_up', sub: 's1', cursor: 'e.1' }]);
    await append(created);
    expect([of('event')[1]?.replay, hub.position]).toEqual([undefined, 2]);
  });

  test('that ends its tweet ends the subscriptions to that tweet', async () => {
    const { subscribe, append, of, platform, say, sent } = connectionOf();
    await subscribe('tweet:replies', { tweet_id: '5' });
    await subscribe('search:tweets', { query: 'coffee' });
    await append(remove(platform));
    expect(of('unsubscribed')).toEqual([{ type: 'unsubscribed', sub: 's1', reason: 'the tweet was deleted' }]);
    say({ type: 'subscriptions', id: 'list' });
    expect(sent.at(-1)).toEqual({
      ...{ type: 'subscriptions', id: 'list' },
      items: [{ sub: 's2', channel: 'search:tweets', params: { query: 'coffee' }, cursor: 'e.1' }],
    });
  });

  test('that is no longer retained is a gap, with the address of what is missing', () => {
    const { connection, of } = connectionOf();
    const target = { path: '/social/x' };
    connection.onGap({ name: 's1', target } as Subscription, 3, 9);
    expect(of('gap')).toEqual([
      { type: 'gap', sub: 's1', from: 'e.3', to: 'e.9', reason: 'retention', hint: '/social/x' },
    ]);
  });
});

describe('a subscription', () => {
  test('to a tweet that is deleted while the platform answers is refused, and nothing is watched afterwards', async () => {
    const { subscribe, platform, deletions } = connectionOf();
    const { snapshots } = platform;
    platform.snapshots = async (ids) => {
      const found = await snapshots.call(platform, ids);
      deletions.publish(new Set(['5']));
      return found;
    };
    expect(await subscribe('tweet:replies', { tweet_id: '5' })).toMatchObject({
      status: 404,
      error: 'tweet 5 not found',
    });
    expect(deletions.isIdle).toBe(true);
  });

  test('of a connection that closes while the platform answers does not start', async () => {
    const { say, platform, connection, sent } = connectionOf();
    const answer = Promise.withResolvers<never>();
    platform.user = () => answer.promise;
    say({ type: 'subscribe', id: 'a', channel: 'user:tweets', params: { user_id: '1' } });
    connection.finish(1000);
    answer.resolve({ id: '1', username: 'mira' } as never);
    await new Promise(setImmediate);
    expect([sent, connection.subscriptions.size]).toEqual([[], 0]);
  });

  test('to a state begins with it, unless a newer event came first or the subscription has ended', async () => {
    const { subscribe, say, of, platform, append } = connectionOf();
    await subscribe('tweet:engagement', { tweet_id: '5' });
    await until(() => of('event').length === 1);
    expect(of('event')).toMatchObject([{ event: 'tweet.engagement', seq: 0, data: { like_count: 3 } }]);

    const { snapshots } = platform;
    const gate = Promise.withResolvers<void>();
    let reads = 0;
    platform.snapshots = async (ids) => {
      // The first read checks the tweet, the second one reads the state.
      if (++reads === 2) await gate.promise;
      return snapshots.call(platform, ids);
    };
    await subscribe('tweet:engagement', { tweet_id: '5' });
    await append({ event: 'tweet.engagement', id: '5' });
    gate.resolve();
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect(of('event').map(({ seq, subs }) => [seq, subs])).toEqual([
      [0, ['s1']],
      [1, ['s1', 's2']],
    ]);
    say({ type: 'unsubscribe', id: 'end', sub: 's2' });
    expect(of('unsubscribed')).toEqual([{ type: 'unsubscribed', id: 'end', sub: 's2' }]);
  });

  test('waits for the position of its cursor where another process may be ahead', async () => {
    const { say, of, append } = connectionOf(undefined, {}, 60_000);
    say({ type: 'subscribe', id: 'a', channel: 'user:tweets', params: { user_id: '1' }, cursor: 'e.1' });
    await new Promise(setImmediate);
    expect(of('subscribed')).toEqual([]);
    await append(created);
    await until(() => of('subscribed').length === 1);
    expect(of('subscribed')).toMatchObject([{ cursor: 'e.1', replay_from: 'e.1', recovered: true }]);
  });

  test('does not wait where no other process is ahead', async () => {
    const { subscribe } = connectionOf();
    expect(await subscribe('user:tweets', { user_id: '1' }, { cursor: 'e.1' })).toMatchObject({
      code: 'cursor_in_future',
    });
  });

  test('of a connection without commands begins by itself', async () => {
    const { connection, of, append } = connectionOf();
    await connection.follow({ type: 'subscribe', id: 'x', channel: 'user:tweets', params: { user_id: '1' }, tag: 't' });
    expect(of('subscribed')).toMatchObject([{ id: 'x', sub: 's1', tag: 't', cursor: 'e.0', recovered: null }]);
    await append(created);
    expect(of('event')).toHaveLength(1);
    await expect(
      connection.follow({ type: 'subscribe', id: 'x', channel: 'tweet:replies', params: { tweet_id: '9' } }),
    ).rejects.toMatchObject({ status: 404 });
  });
});

describe('the state of a connection', () => {
  test('shows how far its subscriptions are, and what waits', async () => {
    const { connection, subscribe, append, outlet, log, hub } = connectionOf();
    await subscribe('user:tweets', { user_id: '1' });
    await append(created);
    expect([connection.served, connection.behind, connection.buffered]).toEqual([1, 0, 7]);
    outlet.isFull = true;
    await append(created, created);
    expect([connection.served, connection.behind, log.head, hub.position]).toEqual([1, 2, 3, 3]);
  });

  test('a full socket gets the events when it drains', async () => {
    const { subscribe, append, outlet, of, socket } = connectionOf();
    await subscribe('user:tweets', { user_id: '1' });
    outlet.isFull = true;
    await append(created, created);
    expect(of('event')).toEqual([]);
    outlet.isFull = false;
    socket.emit('drain');
    await until(() => of('event').length === 2);
    expect(of('event').map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('each second counts as a use of its key, and reads on', async () => {
    const { connection, used, subscribe, append, outlet, of } = connectionOf();
    await subscribe('user:tweets', { user_id: '1' });
    outlet.isFull = true;
    await append(created);
    outlet.isFull = false;
    connection.tick(performance.now());
    await until(() => of('event').length === 1);
    connection.close('restart');
    connection.tick(performance.now());
    expect([used, outlet.reason]).toEqual([['k1'], 'restart']);
  });

  test('a fault closes it, and is reported', () => {
    const { connection, outlet, faults } = connectionOf();
    const fault = new Error('a fault');
    connection.onFault(fault);
    expect([outlet.reason, faults]).toEqual(['internal', [['a connection failed', fault]]]);
  });

  test.each<[string, Partial<AuthenticatedKey>, boolean]>([
    ['a key', {}, false],
    ['a key that has expired', { expiresAt: 1 }, false],
    ['a token', { issuer: unrestrictedKey('k2'), expiresAt: Date.now() + 60_000 }, false],
    ['a token that has ended', { issuer: unrestrictedKey('k2'), expiresAt: 1 }, true],
  ])('of %s: whether its token has ended', (_what, more, hasEnded) => {
    const { connection } = connectionOf({ ...unrestrictedKey('k1'), ...more });
    expect([connection.hasTokenEnded, connection.keyId]).toEqual([hasEnded, 'k1']);
  });
});

describe('the end of a connection', () => {
  test('ends its subscriptions and what waits for it, and has the code of the peer', async () => {
    const { connection, ws, closed, subscribe, append, of, socket, outlet } = connectionOf();
    await subscribe('user:tweets', { user_id: '1' });
    const { signal } = connection;
    expect([signal.aborted, connection.isClosed]).toEqual([false, false]);
    ws.emit('close', 1006);
    expect([
      closed,
      connection.subscriptions.size,
      signal.aborted,
      outlet.isClosing,
      socket.listenerCount('drain'),
    ]).toEqual([...[[1006], 0, true, true, 0]]);
    await append(created);
    expect([of('event'), connection.signal.aborted]).toEqual([[], true]);
  });

  test('has the code of this server where this server has closed it', () => {
    const { ws, closed, outlet, connection } = connectionOf();
    outlet.closeCode = 4200;
    ws.emit('error', new Error('a frame'));
    ws.emit('close', 1006);
    expect([closed, connection.signal.aborted]).toEqual([[4200], true]);
  });

  test('answers no command that was waiting', async () => {
    const { say, connection, platform, sent, faults } = connectionOf();
    const answer = Promise.withResolvers<never>();
    platform.user = () => answer.promise;
    say({ type: 'subscribe', id: 'a', channel: 'user:tweets', params: { user_id: '1' } });
    say({ type: 'ping' });
    connection.finish(1000);
    answer.reject(new Error('too late'));
    await new Promise(setImmediate);
    expect([sent, faults]).toEqual([[], []]);
  });
});
