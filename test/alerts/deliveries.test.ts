// Tests server/alerts/delivery-log.ts and server/alerts/webhook-request.ts.
/** Deliveries to webhooks over a real event log and real sockets. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '@prometheus-io/client';
import { pino } from 'pino';
import { openAlerts, type Alerts } from '../../server/alerts/open-alerts.ts';
import type { RetryTimes } from '../../server/alerts/deliverer.ts';
import { addressGuard } from '../../server/alerts/webhook-address.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { expectSchema } from '../support/contract.ts';
import { startStream, type Stream } from '../support/stream.ts';
import { until } from '../support/until.ts';
import { accept, refuse, startReceiver, type Receiver } from '../support/webhook-receiver.ts';

const owner = 'owner-key';
const fast: RetryTimes = { firstMs: 5, giveUpMs: 60_000 };
const tweet = (id: number, text = `coffee ${id}`): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), author_id: '7', text, created_at: '2026-01-01T00:00:00.000Z' },
});
const coffee = (from: number, count: number): ArchiveRecord[] =>
  Array.from({ length: count }, (_, n) => tweet(from + n));
const idsOf = (from: number, count: number): string[] => Array.from({ length: count }, (_, n) => String(from + n));

let stream: Stream;
let receiver: Receiver;
let alerts: Alerts;
let isLeader = true;
let hasKey = true;
const keyListeners = new Set<() => void>();

async function open(retry = fast): Promise<void> {
  alerts = await openAlerts({
    store: stream.archive.store,
    instances: {
      get isLeader() {
        return isLeader;
      },
    },
    keys: {
      has: () => hasKey,
      onChange: (listener) => (keyListeners.add(listener), () => void keyListeners.delete(listener)),
    },
    ...{ log: stream.log, networks: 'private', logger: pino({ level: 'silent' }), retry },
  });
  alerts.start(stream.gateway.stream);
}

async function create(more: Partial<Schemas['SavedSearchInput']> = {}): Promise<Schemas['CreatedSavedSearch']> {
  const search = await alerts.searches.create(owner, { name: 'coffee', query: 'coffee', url: receiver.url, ...more });
  receiver.secret = search.secret;
  return search;
}
const delivery = (id: string): Schemas['WebhookDelivery'] => alerts.searches.get(owner, id).delivery!;
const erase = (...ids: string[]): Promise<unknown> =>
  stream.take(...ids.map((id): ArchiveRecord => ({ kind: 'delete', tweet_id: id })));

beforeEach(async () => {
  [isLeader, hasKey] = [true, true];
  stream = await startStream();
  receiver = await startReceiver();
  await open();
});
afterEach(async () => {
  await alerts.stop();
  await receiver.close();
  await stream.stop();
});

test('the metrics count outcomes and retries, and show states and how far the slowest webhook is behind, without any address', async () => {
  const registry = new Registry();
  alerts.measure(registry);
  const shown = async (): Promise<Record<string, number>> => {
    const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
  };
  let answers = 0;
  receiver.answer = (response) => (++answers <= 2 ? refuse(503) : accept)(response, response.req);
  const search = await create();
  await alerts.searches.create(owner, { name: 'without a webhook', query: 'coffee' });
  await stream.take(...coffee(1, 3));
  await until(() => receiver.received.length === 5);
  await until(() => delivery(search.id).cursor === receiver.received[4]!.body.cursor);
  expect(await shown()).toEqual({
    'webhook_deliveries_total{outcome="accepted"}': 3,
    ...{ 'webhook_deliveries_total{outcome="3xx"}': 0, 'webhook_deliveries_total{outcome="4xx"}': 0 },
    ...{ 'webhook_deliveries_total{outcome="5xx"}': 2, 'webhook_deliveries_total{outcome="other"}': 0 },
    ...{ 'webhook_deliveries_total{outcome="none"}': 0, webhook_retries_total: 2, webhook_lag_events: 0 },
    ...{
      'webhook_endpoints{state="active"}': 1,
      'webhook_endpoints{state="retrying"}': 0,
      'webhook_endpoints{state="paused"}': 0,
    },
  });
  // While the answer is awaited, the events behind it are not accepted.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  receiver.answer = (response) => void released.then(() => refuse(410)(response, response.req));
  await stream.take(...coffee(10, 4));
  await until(async () => (await shown())['webhook_lag_events'] === 4);
  release();
  await until(() => delivery(search.id).state === 'paused');
  expect(await shown()).toMatchObject({
    ...{ 'webhook_deliveries_total{outcome="4xx"}': 1, webhook_retries_total: 2, webhook_lag_events: 0 },
    ...{ 'webhook_endpoints{state="active"}': 0, 'webhook_endpoints{state="paused"}': 1 },
  });
  hasKey = false;
  expect(await shown()).toMatchObject({ 'webhook_endpoints{state="paused"}': 0 });
  expect(await registry.metrics()).not.toContain(new URL(receiver.url).host);
});

describe('a webhook', () => {
  test('gets the tweets that match its query, in order, signed, and as the contract describes them', async () => {
    const search = await create();
    await stream.take(...coffee(1, 3), tweet(50, 'tea'), ...coffee(4, 2));
    await until(() => receiver.received.length === 5);
    expect(receiver.tweets()).toEqual(idsOf(1, 5));
    expect(receiver.forged).toEqual([]);
    for (const { body } of receiver.received) await expectSchema('WebhookTweet', body);
    await until(() => delivery(search.id).cursor === receiver.received[4]!.body.cursor);
    expect(delivery(search.id)).toMatchObject({ state: 'active', reason: null, failures: 0, next_attempt_at: null });
    const attempts = alerts.searches.attempts(owner, search.id);
    expect(attempts.map(({ status, error }) => [status, error])).toEqual(Array.from({ length: 5 }, () => [204, null]));
    expect(attempts[0]?.webhook_id).toBe(receiver.received[4]?.id);
  });

  test('gets a failed event again with the same id, and the next one not before it', async () => {
    let answers = 0;
    receiver.answer = (response) =>
      ++answers <= 3 ? refuse(500)(response, response.req) : accept(response, response.req);
    await create();
    await stream.take(...coffee(1, 2));
    await until(() => receiver.received.length === 5);
    expect(receiver.tweets()).toEqual(['1', '1', '1', '1', '2']);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
  });

  test('continues after a restart behind the last accepted event', async () => {
    const search = await create();
    await stream.take(...coffee(1, 2));
    await until(() => receiver.received.length === 2);
    await alerts.stop();
    await stream.restart();
    await stream.take(...coffee(3, 2));
    await open();
    await until(() => receiver.received.length === 4);
    expect(receiver.tweets()).toEqual(idsOf(1, 4));
    expect(delivery(search.id).state).toBe('active');
  });

  test('gets nothing of a tweet that was deleted before it was accepted, and the deletions of others', async () => {
    receiver.answer = refuse(503);
    const search = await create();
    await stream.take(...coffee(1, 3));
    await until(() => delivery(search.id).failures >= 1);
    await erase('1', '2');
    const before = receiver.received.length;
    receiver.answer = accept;
    await until(() => receiver.received.some(({ type }) => type === 'tweet.deleted'));
    const after = receiver.received.slice(before).map(({ type, body }) => [type, body.data.id ?? body.data.ids]);
    // One attempt may have been on its way when the tweets were deleted.
    expect(after.slice(-2)).toEqual([
      ['tweet.created', '3'],
      ['tweet.deleted', ['1', '2']],
    ]);
    await expectSchema('WebhookDeletion', receiver.received.at(-1)!.body);
  });

  test('gets many deletions in messages of at most 100', async () => {
    await stream.take(...coffee(1, 250));
    await create();
    await erase(...idsOf(1, 250));
    const deleted = (): string[] => receiver.received.flatMap(({ body }) => body.data.ids ?? []);
    await until(() => deleted().length >= 250);
    expect(deleted()).toEqual(idsOf(1, 250));
    expect(receiver.received.every(({ body }) => (body.data.ids?.length ?? 0) <= 100)).toBe(true);
    expect(receiver.received.length).toBeLessThan(10);
  });

  test('gets only the events that it wants', async () => {
    await create({ events: ['tweet.deleted'] });
    await stream.take(...coffee(1, 2));
    await erase('1');
    await until(() => receiver.received.length === 1);
    expect(receiver.received[0]?.body.data.ids).toEqual(['1']);
  });

  test('that does not answer delays no other one', async () => {
    const dead = createTcpServer(() => {}).listen(0, '127.0.0.1');
    await once(dead, 'listening');
    const url = `http://127.0.0.1:${(dead.address() as AddressInfo).port}/`;
    for (let n = 0; n < 5; n++) await alerts.searches.create(owner, { name: 'dead', query: 'coffee', url });
    await create();
    await stream.take(...coffee(1, 20));
    await until(() => receiver.received.length === 20);
    expect(
      alerts.searches
        .list(owner)
        .slice(0, 5)
        .every(({ delivery: state }) => state?.last_success_at === null),
    ).toBe(true);
    dead.close();
  });
});

describe('a webhook that fails', () => {
  test('is paused at once by 410, and says so; resumed, it gets what was not accepted', async () => {
    receiver.answer = refuse(410);
    const search = await create();
    await stream.take(...coffee(1, 2));
    await until(() => delivery(search.id).state === 'paused');
    expect(delivery(search.id)).toMatchObject({ reason: 'the answer is 410 (Gone)', next_attempt_at: null });
    await sleep(50);
    expect(receiver.received).toHaveLength(1);
    receiver.answer = accept;
    await alerts.searches.resume(owner, search.id);
    await until(() => receiver.received.length === 3);
    expect(receiver.tweets()).toEqual(['1', '1', '2']);
    await until(() => delivery(search.id).state === 'active');
  });

  test('is tried again after twice as long each time, and paused at the end', async () => {
    await alerts.stop();
    await stream.restart();
    await open({ firstMs: 20, giveUpMs: 400 });
    receiver.answer = refuse(500);
    const search = await create();
    await stream.take(tweet(1));
    await until(() => delivery(search.id).state === 'paused');
    expect(delivery(search.id).reason).toBe('no success for a day: the answer is 500');
    const times = alerts.searches
      .attempts(owner, search.id)
      .map(({ at }) => Date.parse(at))
      .toReversed();
    const waits = times.slice(1).map((at, place) => at - times[place]!);
    // 20, 40, 80, 160 and the rest until 400.
    expect(waits.length).toBe(5);
    [20, 40, 80, 160].forEach((ms, place) => expect(waits[place]).toBeGreaterThanOrEqual(ms - 1));
  });

  test('waits as long as the answer asks for', async () => {
    receiver.answer = refuse(429, { 'retry-after': '3600' });
    const search = await create();
    await stream.take(tweet(1));
    await until(() => delivery(search.id).failures === 1);
    // It gives up after a minute here.
    const wait = Date.parse(delivery(search.id).next_attempt_at!) - Date.now();
    expect(wait).toBeGreaterThan(50_000);
    expect(delivery(search.id)).toMatchObject({ state: 'retrying', reason: 'the answer is 429' });
  });

  test.each([
    ['a redirect', refuse(307, { location: 'http://127.0.0.1:1/' }), 'the answer is 307: redirects are not followed'],
    ['a cut connection', ((response) => response.destroy()) satisfies typeof accept, 'the connection was cut'],
    [
      'no HTTP',
      ((response) => void response.socket!.end('hello\r\n\r\n')) satisfies typeof accept,
      'the answer is not HTTP',
    ],
    [
      'a status that is none',
      ((response) => void response.socket!.end('HTTP/1.1 000 no\r\ncontent-length: 0\r\n\r\n')) satisfies typeof accept,
      'the answer is not HTTP',
    ],
  ])('by %s names the reason', async (_name, answer, reason) => {
    receiver.answer = answer;
    const search = await create();
    await stream.take(tweet(1));
    await until(() => delivery(search.id).failures >= 1);
    expect(delivery(search.id).reason).toBe(reason);
  });

  test('accepts with an endless answer, which is cut', async () => {
    let isCut = false;
    receiver.answer = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(Buffer.alloc(4_096)), 1);
      response.on('close', () => {
        clearInterval(timer);
        isCut = true;
      });
    };
    const search = await create();
    await stream.take(tweet(1));
    await until(() => delivery(search.id).last_success_at !== null && isCut);
    expect(alerts.searches.attempts(owner, search.id)[0]).toMatchObject({ status: 200, error: null });
  });

  test('learns that events are missing', async () => {
    await alerts.stop();
    await stream.stop();
    stream = await startStream({ retention: { ageMs: 86_400_000, events: 10 } });
    await open({ firstMs: 60_000, giveUpMs: 600_000 });
    receiver.answer = refuse(500);
    const search = await create();
    await stream.take(tweet(1));
    await until(() => delivery(search.id).failures === 1);
    await stream.take(...coffee(2, 29));
    receiver.answer = accept;
    const { cursor } = delivery(search.id);
    await alerts.searches.resume(owner, search.id);
    await until(() => receiver.tweets().includes('30'));
    const [first, ...others] = receiver.received.slice(1);
    expect(first?.type).toBe('search.gap');
    expect(first?.body.data.from).toBe(cursor);
    await expectSchema('WebhookGap', first!.body);
    expect(others.map(({ body }) => body.data.id)).toEqual(idsOf(21, 10));
  });
});

test('a webhook continues in another event log, as after the restore of a backup', async () => {
  await create();
  await stream.take(...coffee(1, 2));
  await until(() => receiver.received.length === 2);
  await alerts.stop();
  await sleep(5);
  await stream.take(tweet(3));
  await stream.log.renewEpoch();
  await stream.restart();
  await open();
  await until(() => receiver.tweets().includes('3'));
  const [gap] = receiver.received.filter(({ type }) => type === 'search.gap');
  await expectSchema('WebhookGap', gap!.body);
  expect(gap!.body.data.from?.split('.')[0]).not.toBe(gap!.body.data.to?.split('.')[0]);
  await stream.take(tweet(4));
  await until(() => receiver.tweets().includes('4'));
  // What happened at the time of the last event comes again.
  expect([...new Set(receiver.tweets())]).toEqual(['1', '2', '3', '4']);
});

describe('the deliveries', () => {
  test('end with the key, and begin again where it is valid', async () => {
    await create();
    hasKey = false;
    for (const listener of keyListeners) listener();
    await stream.take(tweet(1));
    await sleep(50);
    expect(receiver.received).toEqual([]);
    expect(alerts.searches.list(undefined)[0]).toMatchObject({ owner, isOwnerValid: false });
    hasKey = true;
    for (const listener of keyListeners) listener();
    await until(() => receiver.received.length === 1);
  });

  test('are those of the leader only', async () => {
    isLeader = false;
    await create();
    // The next look at the leader is a second away.
    await until(() => {
      for (const listener of keyListeners) listener();
      return stream.gateway.stream.hub.position === stream.log.head;
    });
    await sleep(1_100);
    await stream.take(tweet(1));
    await sleep(50);
    expect(receiver.received).toEqual([]);
    isLeader = true;
    await until(() => receiver.received.length === 1);
  });

  test('follow a change of the query and of the address', async () => {
    const search = await create();
    await stream.take(tweet(1));
    await until(() => receiver.received.length === 1);
    await alerts.searches.update(owner, search.id, { query: 'tea', name: 'tea' });
    await stream.take(tweet(2), tweet(3, 'tea'));
    await until(() => receiver.received.length === 2);
    expect(receiver.received[1]?.body).toMatchObject({ search: { name: 'tea', query: 'tea' }, data: { id: '3' } });
    await alerts.searches.update(owner, search.id, { url: null });
    expect(alerts.searches.get(owner, search.id).delivery).toBeNull();
    await stream.take(tweet(4, 'tea'));
    await alerts.searches.update(owner, search.id, { url: receiver.url });
    await stream.take(tweet(5, 'tea'));
    await until(() => receiver.received.length === 3);
    expect(receiver.tweets()).toEqual(['1', '3', '5']);
  });

  test('have two signatures after a rotation', async () => {
    const search = await create();
    const { secret } = await alerts.searches.rotateSecret(owner, search.id);
    await stream.take(tweet(1));
    await until(() => receiver.received.length === 1);
    receiver.secret = secret;
    await stream.take(tweet(2));
    await until(() => receiver.received.length === 2);
    // A second rotation ends the first secret.
    receiver.secret = search.secret;
    await alerts.searches.rotateSecret(owner, search.id);
    await stream.take(tweet(3));
    await until(() => receiver.forged.length === 1);
    expect(receiver.received).toHaveLength(2);
  });

  test('connect to no address that is not permitted, also where the name changes its address after a check', async () => {
    await alerts.stop();
    await stream.restart();
    const asked: string[] = [];
    const guard = addressGuard('public', async (name) => {
      asked.push(name);
      return [{ address: '127.0.0.1', family: 4 }];
    });
    alerts = await openAlerts({
      ...{ store: stream.archive.store, instances: { isLeader: true }, log: stream.log, networks: 'public', guard },
      ...{ keys: { has: () => true, onChange: () => () => {} }, logger: pino({ level: 'silent' }), retry: fast },
    });
    alerts.start(stream.gateway.stream);
    const { port } = new URL(receiver.url);
    const search = await alerts.searches.create(owner, {
      ...{ name: 'x', query: 'coffee', url: `https://rebound.example.com:${port}/` },
    });
    await stream.take(tweet(1));
    await until(() => delivery(search.id).failures > 0);
    expect(delivery(search.id).reason).toBe('the host has an address that webhooks may not reach');
    expect(asked).toContain('rebound.example.com');
    expect(receiver.received.length + receiver.forged.length).toBe(0);
  });
});

test('a test is sent now, and limited', async () => {
  const search = await create();
  expect(await alerts.searches.sendTest(owner, search.id)).toMatchObject({
    event: 'search.test',
    status: 204,
    error: null,
  });
  await expectSchema('WebhookTest', receiver.received[0]!.body);
  receiver.answer = refuse(500);
  expect(await alerts.searches.sendTest(owner, search.id)).toMatchObject({ status: 500, error: 'the answer is 500' });
  expect(delivery(search.id)).toMatchObject({ state: 'active', failures: 0 });
  for (let n = 0; n < 4; n++) await alerts.searches.sendTest(owner, search.id);
  await expect(alerts.searches.sendTest(owner, search.id)).rejects.toMatchObject({ status: 429 });
});
