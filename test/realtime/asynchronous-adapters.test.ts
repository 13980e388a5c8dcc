/** The event stream on adapters that answer later, as those on a network do: the references of the ports, slowed down. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { LogEntry, NewEvent } from '../../server/ports/event-log.ts';
import { MemoryEventLog } from '../ports/reference/event-log.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';
import { listener, startStream, type Listener, type Stream } from '../support/stream.ts';
import { until } from '../support/until.ts';

/** Counts its reads, and answers in a later turn of the event loop. */
class SlowEventLog extends MemoryEventLog {
  reads = 0;
  /** How many of the next reads fail. */
  faults = 0;

  override async read(after: number, limit: number): Promise<readonly LogEntry[]> {
    this.reads++;
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    if (this.faults-- > 0) throw new Error('the database is away');
    return super.read(after, limit);
  }
}

let events = 1_000;
let platform: MemoryPlatform;
let log: SlowEventLog;
let stream: Stream;
let nextId: number;
beforeEach(async () => {
  nextId = 100;
  platform = new MemoryPlatform();
  platform.add([{ kind: 'user', user: { id: '1', username: 'mira' } }]);
  log = new SlowEventLog({ epoch: 'slow', entries: [] }, { ageMs: 86_400_000, events }, Date.now);
  stream = await startStream({ adapters: { log, platform }, limits: { commandsPerMinute: 10_000 } });
});
afterEach(async () => {
  events = 1_000;
  await stream.stop();
});

/** Adds tweets, each with its event. */
async function post(count: number, text = 'hello'): Promise<void> {
  const tweets = Array.from({ length: count }, (): ArchiveRecord & { kind: 'tweet' } => {
    const id = String(nextId++);
    return { kind: 'tweet', tweet: { id, text, created_at: '2026-01-01T00:00:00Z', author_id: '1' } };
  });
  platform.add(tweets);
  await log.append(tweets.map(({ tweet: { id } }): NewEvent => ({ event: 'tweet.created', id })));
}
let commands = 0;
async function subscribed(channel: string, params: object, cursor?: string): Promise<Listener> {
  const each = await listener(stream.url);
  const command = { type: 'subscribe', id: `c${++commands}`, channel, params, ...(cursor && { cursor }) };
  expect(await each.ask(command as never)).toMatchObject({ type: 'subscribed' });
  return each;
}
const seqs = (each: Listener): number[] => each.of('event').map(({ seq }) => seq);
const consecutive = (first: number, count: number): number[] => Array.from({ length: count }, (_, n) => first + n);

test('a listener with a cursor that the log has, but the hub has not delivered, gets only what is after it', async () => {
  const live = await subscribed('user:tweets', { user_id: '1' });
  const start = log.head;
  // The hub cannot read these events yet.
  log.faults = Infinity;
  await post(5);
  const cursor = `slow.${log.head}`;
  const ahead = await subscribed('user:tweets', { user_id: '1' }, cursor);
  expect(await ahead.first('caught_up')).toMatchObject({ cursor });
  const beside = await ahead.ask({
    type: 'subscribe',
    id: 'b',
    channel: 'user:tweets',
    params: { user_id: '1' },
    cursor,
  });
  expect(beside).toMatchObject({ type: 'subscribed' });
  expect(seqs(live)).toEqual([]);
  log.faults = 0;
  await post(2);
  await until(() => seqs(live).length === 7);
  await until(() => seqs(ahead).length >= 2);
  expect(seqs(live)).toEqual(consecutive(start + 1, 7));
  expect(seqs(ahead)).toEqual(consecutive(start + 6, 2));
});

test('delivers every event once and in order, live and in replays, during appends', async () => {
  await post(300);
  const live = await subscribed('user:tweets', { username: 'mira' });
  const replays = [0, 0, 7, 250].map((seq) => subscribed('search:tweets', { query: 'hello' }, `slow.${seq}`));
  for (let round = 0; round < 20; round++) await post(7);
  const each = await Promise.all(replays);
  await Promise.all([live, ...each].map((one) => one.settled(log.head)));
  expect(seqs(live)).toEqual(consecutive(301, 140));
  expect(each.map(seqs)).toEqual([0, 0, 7, 250].map((seq) => consecutive(seq + 1, 440 - seq)));
  expect(each.map((one) => one.of('caught_up').length)).toEqual([1, 1, 1, 1]);
});

test('responds to commands in order if one waits for the platform', async () => {
  const each = await listener(stream.url);
  const ids = Array.from({ length: 20 }, (_, n) => `c${n}`);
  for (const id of ids)
    each.send(
      id === 'c9'
        ? { type: 'ping', id }
        : { type: 'subscribe', id, channel: 'tweet:replies', params: { tweet_id: '999' } },
    );
  await each.ask({ type: 'subscriptions', id: 'last' });
  expect(each.messages.flatMap((message) => ('id' in message ? [message.id] : []))).toEqual([...ids, 'last']);
});

test('a connection that closes during a read causes no error, and the others continue', async () => {
  await post(600);
  const stays = await subscribed('user:tweets', { user_id: '1' }, 'slow.0');
  for (let round = 0; round < 5; round++)
    (await subscribed('user:tweets', { user_id: '1' }, `slow.${round}`)).socket.terminate();
  await stays.settled(600);
  expect(seqs(stays)).toEqual(consecutive(1, 600));
  expect(stays.of('gap')).toEqual([]);
});

test('a reader has at most one read of the log in progress', async () => {
  await post(900);
  const each = await subscribed('user:tweets', { user_id: '1' }, 'slow.0');
  await each.settled(900);
  // Batches of at most 256 events, and none is read twice.
  expect(log.reads).toBe(4);
});

test('while the log cannot be read, live delivery waits and a replay closes for a resume, without loss', async () => {
  await post(3);
  const live = await subscribed('user:tweets', { user_id: '1' });
  log.faults = 1;
  const replay = await subscribed('user:tweets', { user_id: '1' }, 'slow.0');
  expect(await replay.closed).toEqual({ code: 4111, reason: 'internal error' });
  log.faults = 1;
  await post(2);
  await live.settled(5);
  expect(seqs(live)).toEqual([4, 5]);
  const again = await subscribed('user:tweets', { user_id: '1' }, 'slow.0');
  await again.settled(5);
  expect(seqs(again)).toEqual([1, 2, 3, 4, 5]);
});

test('a reader whose next events were removed reports the gap and continues after it', async () => {
  await stream.stop();
  events = 50;
  log = new SlowEventLog({ epoch: 'slow', entries: [] }, { ageMs: 86_400_000, events }, Date.now);
  stream = await startStream({ adapters: { log, platform } });
  await post(40);
  const replay = subscribed('user:tweets', { user_id: '1' }, 'slow.0');
  const each = await replay;
  await post(200);
  await each.settled(240);
  const seen = seqs(each);
  const numberOf = (cursor: string): number => Number(cursor.split('.')[1]);
  const lost = each.of('gap').flatMap(({ from, to }) => consecutive(numberOf(from) + 1, numberOf(to) - numberOf(from)));
  expect([...seen, ...lost].toSorted((a, b) => a - b)).toEqual(consecutive(1, 240));
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('a replay contains no data of a tweet that was deleted later', async () => {
  await post(1, 'secret');
  await post(1, 'hello');
  platform.remove('100');
  const each = await subscribed('user:tweets', { user_id: '1' }, 'slow.0');
  await each.first('caught_up');
  expect(seqs(each)).toEqual([2]);
  expect(JSON.stringify(each.messages)).not.toContain('secret');
  expect(
    await each.ask({ type: 'subscribe', id: 'r', channel: 'tweet:replies', params: { tweet_id: '100' } }),
  ).toMatchObject({ code: 'not_found', status: 404 });
});
