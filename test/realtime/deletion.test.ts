/** Deleted tweets in the event stream, over the reference adapters of the ports. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AssistantCall } from '../../server/assistant/assistant.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { GoneTweet, TweetSnapshot } from '../../server/ports/platform.ts';
import type { GatewayParts } from '../../server/realtime/gateway.ts';
import { MemoryEventLog } from '../ports/reference/event-log.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';
import { exampleAnswer } from '../support/contract.ts';
import { key } from '../support/service.ts';
import { expectMessages, listener, startStream, type Listener, type Stream } from '../support/stream.ts';

/** Takes the data when it is asked, as a platform on a network does: a snapshot does not follow later changes. */
class RemotePlatform extends MemoryPlatform {
  /** While set, calls for snapshots take the data at once and answer when it resolves. */
  gate: Promise<void> | undefined;
  /** Calls that wait at the gate, or have passed it. */
  taken = 0;

  override async snapshots(ids: readonly string[]): Promise<readonly (TweetSnapshot | GoneTweet | undefined)[]> {
    const current = await super.snapshots(ids);
    const taken = current.map((snapshot) => {
      if (snapshot === undefined || snapshot.isGone) return snapshot;
      const [full, short, counts, document] = [
        snapshot.full(),
        snapshot.short(),
        snapshot.engagement(),
        snapshot.document(),
      ];
      return { ...snapshot, full: () => full, short: () => short, engagement: () => counts, document: () => document };
    });
    this.taken++;
    await this.gate;
    return taken;
  }
}

const secret = 'a secret sentence';
const community = '70';
const replied = '50';
let platform: RemotePlatform;
let log: MemoryEventLog;
let stream: Stream;
let listeners: Listener[] = [];
let explain: (call: AssistantCall) => Promise<Schemas['AssistantAnswer']>;
const limits: GatewayParts['limits'] = { commandsPerMinute: 10_000, bufferedBytes: 32 * 1024 };

beforeEach(async () => {
  platform = new RemotePlatform();
  platform.add([
    { kind: 'user', user: { id: '1', username: 'mira' } },
    { kind: 'user', user: { id: '2', username: 'tom' } },
    { kind: 'community', community: { id: community, name: 'Makers' } },
  ]);
  log = new MemoryEventLog({ epoch: 'log', entries: [] }, { ageMs: 86_400_000, events: 100_000 }, Date.now);
  explain = () => Promise.reject(new Error('no assistant'));
  stream = await startStream({ adapters: { log, platform }, limits, assistant: { explain: (call) => explain(call) } });
  await post(replied, { text: 'the first', author_id: '2' });
});
afterEach(async () => {
  for (const each of listeners.splice(0)) {
    await expectMessages(each.messages);
    each.socket.terminate();
  }
  await stream.stop();
});

const tweet = (id: string, more: object): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id, text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1', ...more },
});
async function post(id: string, more: object = {}): Promise<void> {
  platform.add([tweet(id, more)]);
  await log.append([{ event: 'tweet.created', id }]);
}
async function remove(id: string): Promise<void> {
  platform.remove(id);
  await log.append([{ event: 'tweet.deleted', id }]);
}
/** A tweet of Mira that replies, mentions Tom, and is in the community. */
const related = {
  text: `${secret} @tom`,
  in_reply_to_id: replied,
  community_id: community,
  entities: { mentions: [{ username: 'tom' }], hashtags: [], cashtags: [], urls: [] },
};

async function listen(...rest: Parameters<typeof listener> extends [string, ...infer Rest] ? Rest : never) {
  const made = await listener(stream.url, ...rest);
  listeners.push(made);
  return made;
}
let commands = 0;
const ask = (each: Listener, channel: string, params: object, cursor?: string) =>
  each.ask({ type: 'subscribe', id: `c${++commands}`, channel, params, ...(cursor && { cursor }) } as never);
async function subscribed(channel: string, params: object, cursor?: string): Promise<Listener> {
  const each = await listen();
  expect(await ask(each, channel, params, cursor)).toMatchObject({ type: 'subscribed' });
  return each;
}
const delivered = (each: Listener): string[] =>
  each
    .of('event')
    .map(
      ({ event, data, seq }) => `${seq} ${event} ${'id' in data ? data.id : 'tweet_id' in data ? data.tweet_id : ''}`,
    );
const texts = (each: Listener): string => JSON.stringify(each.messages);

/** The channels whose subscribers may have seen the related tweet, and two that it does not match. */
const channels: readonly (readonly [channel: string, params: object])[] = [
  ['user:tweets', { username: 'mira' }],
  ['user:tweets', { user_id: '1' }],
  ['user:mentions', { username: 'tom' }],
  ['tweet:replies', { tweet_id: replied }],
  ['community:tweets', { id: community }],
  ['search:tweets', { query: 'secret' }],
  ['search:tweets', { query: 'from:nobody' }],
  ['search:tweets', { query: '-filter:replies min_faves:10' }],
];

describe('tweet.deleted', () => {
  test.each(channels)('comes live on %s %j, with the id only', async (channel, params) => {
    await post('100', related);
    const each = await subscribed(channel, params);
    await remove('100');
    await each.settled(log.head);
    expect(each.of('event')).toEqual([
      {
        type: 'event',
        subs: ['s1'],
        channel,
        event: 'tweet.deleted',
        seq: 3,
        cursor: 'log.3',
        event_id: 'tweet.deleted:100:log.3',
        data: { id: '100' },
        timestamp: expect.any(String),
      },
    ]);
  });

  test.each(channels)('comes in a replay on %s %j, without any text of the tweet', async (channel, params) => {
    await post('100', related);
    const before = await subscribed(channel, params, 'log.0');
    await before.first('caught_up');
    await log.append([{ event: 'tweet.updated', id: '100' }]);
    await remove('100');
    const each = await subscribed(channel, params, 'log.1');
    await each.first('caught_up');
    expect(delivered(each)).toEqual(['4 tweet.deleted 100']);
    expect(each.of('event')).toMatchObject([{ replay: true, data: { id: '100' } }]);
    expect(texts(each)).not.toContain(secret);
  });

  test('goes to no other channel, and once to a connection, for all its subscriptions', async () => {
    await post('100', related);
    const other = await subscribed('user:tweets', { username: 'tom' });
    await ask(other, 'user:mentions', { username: 'mira' });
    await ask(other, 'assistant:pool', {});
    const each = await listen();
    for (const [channel, params] of channels) await ask(each, channel, params);
    await remove('100');
    for (const one of [other, each]) await one.settled(log.head);
    expect(delivered(other)).toEqual([expect.stringContaining('pool.status')]);
    expect(each.of('event')).toMatchObject([{ subs: channels.map((_, place) => `s${place + 1}`) }]);
  });

  test('of a tweet without a tombstone goes to the searches', async () => {
    const each = await subscribed('search:tweets', { query: 'anything' });
    await log.append([{ event: 'tweet.deleted', id: '999' }]);
    await each.settled(log.head);
    expect(delivered(each)).toEqual(['2 tweet.deleted 999']);
  });

  test('is in a resume by cursor over the deletion, and live events follow', async () => {
    const first = await subscribed('search:tweets', { query: 'hello' });
    await post('100');
    await first.settled(log.head);
    const { cursor } = first.of('event')[0]!;
    first.socket.terminate();
    await post('101');
    await remove('100');
    await remove('101');
    const each = await subscribed('search:tweets', { query: 'hello' }, cursor);
    await post('102');
    await each.settled(log.head);
    expect(delivered(each)).toEqual(['4 tweet.deleted 100', '5 tweet.deleted 101', '6 tweet.created 102']);
  });
});

describe('a subscription to a deleted tweet', () => {
  test.each(['tweet:replies', 'tweet:engagement'])('of %s ends after the event', async (channel) => {
    await post('100', { text: secret });
    const each = await subscribed(channel, { tweet_id: '100' });
    await ask(each, 'user:tweets', { username: 'mira' });
    await remove('100');
    await post('101', { in_reply_to_id: '100', author_id: '2' });
    await log.append([{ event: 'tweet.engagement', id: '100' }]);
    await each.settled(log.head);
    expect(delivered(each).at(-1)).toBe('3 tweet.deleted 100');
    const place = each.messages.findIndex(({ type }) => type === 'unsubscribed');
    expect(each.messages[place]).toEqual({ type: 'unsubscribed', sub: 's1', reason: 'the tweet was deleted' });
    expect(each.messages[place - 1]).toMatchObject({ event: 'tweet.deleted', subs: ['s1', 's2'] });
    expect(await each.ask({ type: 'subscriptions', id: 'list' })).toMatchObject({ items: [{ sub: 's2' }] });
    for (const cursor of [undefined, 'log.1'])
      expect(await ask(each, channel, { tweet_id: '100' }, cursor)).toMatchObject({ code: 'not_found', status: 404 });
  });

  test('that starts while the deletion is published is refused', async () => {
    await post('100');
    const { promise, resolve } = Promise.withResolvers<void>();
    const live = await subscribed('search:tweets', { query: 'hello' });
    platform.gate = promise;
    platform.taken = 0;
    const each = await listen();
    const answers = ['tweet:replies', 'tweet:engagement'].map((channel) => ask(each, channel, { tweet_id: '100' }));
    while (platform.taken === 0) await new Promise(setImmediate);
    platform.gate = undefined;
    await post('101');
    await remove('100');
    await live.first('event', ({ event }) => event === 'tweet.deleted');
    resolve();
    for (const answer of answers) expect(await answer).toMatchObject({ code: 'not_found', status: 404 });
  });

  test('goes on where the tweet has come back', async () => {
    await post('100');
    await remove('100');
    // Another connection has read the deletion before.
    await (await subscribed('search:tweets', { query: 'hello' }, 'log.1')).first('caught_up');
    platform.restore('100');
    await log.append([{ event: 'tweet.created', id: '100' }]);
    const each = await subscribed('tweet:replies', { tweet_id: '100' }, 'log.1');
    await post('101', { in_reply_to_id: '100' });
    await each.settled(log.head);
    expect(delivered(each)).toEqual(['3 tweet.deleted 100', '5 tweet.created 101']);
    expect(each.of('unsubscribed')).toEqual([]);
  });
});

describe('cached data of a deleted tweet', () => {
  const replay = async (): Promise<Listener> => {
    const each = await subscribed('user:tweets', { username: 'mira' }, 'log.1');
    await each.first('caught_up');
    return each;
  };

  test('is dropped, also where another tweet quotes or retweets it', async () => {
    await post('100', { text: secret });
    await post('101', { text: 'see this', quoted_tweet_id: '100' });
    await post('102', { text: 'again', retweeted_tweet_id: '100' });
    await post('103', { text: 'unrelated' });
    const before = await replay();
    expect(texts(before).split(secret)).toHaveLength(4);
    await remove('100');
    await before.settled(log.head);
    const after = await replay();
    expect(delivered(after)).toEqual([
      '3 tweet.created 101',
      '4 tweet.created 102',
      '5 tweet.created 103',
      '6 tweet.deleted 100',
    ]);
    expect(texts(after)).not.toContain(secret);
  });

  test('is dropped although nobody listens', async () => {
    await post('100', { text: secret });
    const before = await replay();
    before.socket.close();
    await before.closed;
    await remove('100');
    await post('101');
    const after = await replay();
    expect(delivered(after)).toEqual(['3 tweet.deleted 100', '4 tweet.created 101']);
    expect(texts(after)).not.toContain(secret);
  });

  test('is not cached or sent by a replay that read it before the deletion', async () => {
    await post('100', { text: secret });
    await post('101', { text: 'see this', quoted_tweet_id: '100' });
    const { promise, resolve } = Promise.withResolvers<void>();
    const live = await subscribed('search:tweets', { query: 'hello' });
    platform.gate = promise;
    platform.taken = 0;
    const slow = await subscribed('user:tweets', { username: 'mira' }, 'log.1');
    while (platform.taken === 0) await new Promise(setImmediate);
    platform.gate = undefined;
    await remove('100');
    await live.first('event', ({ event }) => event === 'tweet.deleted');
    resolve();
    await slow.settled(log.head);
    for (const each of [slow, await replay()]) {
      expect(delivered(each)).toEqual(['3 tweet.created 101', '4 tweet.deleted 100']);
      expect(texts(each)).not.toContain(secret);
    }
  });
});

test('a slow connection receives every deletion in order, and its ended subscription ends', async () => {
  await post('100');
  const slow = await listen(key, stream.windowed(16 * 1024));
  await ask(slow, 'search:tweets', { query: 'nothing' });
  await ask(slow, 'tweet:engagement', { tweet_id: '100' });
  await ask(slow, 'user:tweets', { user_id: '1' });
  slow.socket.pause();
  for (let id = 200; id < 400; id++) await post(String(id), { text: `${secret} ${'x'.repeat(1_000)}` });
  for (const id of ['100', '300', '399']) await remove(id);
  // Follows the deletion, as where the tweet comes back.
  await log.append([{ event: 'tweet.engagement', id: '100' }]);
  slow.socket.resume();
  await slow.settled(log.head);
  const of = (sub: string) => slow.of('event').filter(({ subs }) => subs.includes(sub));
  const seqs = (sub: string): number[] => of(sub).map(({ seq }) => seq);
  for (const sub of ['s1', 's3']) {
    expect(seqs(sub)).toEqual(seqs(sub).toSorted((a, b) => a - b));
    expect(of(sub).filter(({ event }) => event === 'tweet.deleted')).toMatchObject(
      ['100', '300', '399'].map((id) => ({ data: { id } })),
    );
  }
  expect(of('s2').at(-1)).toMatchObject({ event: 'tweet.deleted', data: { id: '100' } });
  expect(slow.of('unsubscribed')).toMatchObject([{ sub: 's2' }]);
});

describe('answers of the assistant', () => {
  const answer = (tweetId: string): Schemas['AssistantAnswer'] => ({
    ...(exampleAnswer('explainTweet') as Schemas['AssistantAnswer']),
    tweet_id: tweetId,
    summary: secret,
  });

  test('an open question about a deleted tweet ends with 404, and its call is aborted', async () => {
    const aborted = Promise.withResolvers<void>();
    explain = ({ signal, onText }) =>
      new Promise((_, reject) => {
        onText?.('The ');
        signal.addEventListener('abort', () => (aborted.resolve(), reject(signal.reason as Error)));
      });
    const each = await listen();
    const question = each.ask({ type: 'ask', id: 'a', params: { tweet_id: replied }, idempotency_key: 'k' });
    await each.first('answer');
    await remove(replied);
    expect(await question).toMatchObject({ type: 'error', code: 'not_found', status: 404 });
    await aborted.promise;
    await each.ask({ type: 'ping', id: 'p' });
    expect(each.of('error')).toHaveLength(1);
  });

  test('an open question of a conversation about a deleted tweet ends with 404 in place of the answer', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    explain = async () => (await promise, answer(replied));
    const each = await listen();
    const question = each.ask({ type: 'ask', id: 'a', params: { conversation_id: 'c', prompt: 'And?' } });
    await each.ask({ type: 'ping', id: 'p' });
    await remove(replied);
    await each.ask({ type: 'ping', id: 'q' });
    resolve();
    expect(await question).toMatchObject({ type: 'error', code: 'not_found', status: 404 });
    expect(texts(each)).not.toContain(secret);
  });

  test.each([
    ['a question', { tweet_id: '100' }],
    ['a question of a conversation', { conversation_id: 'c', prompt: 'And?' }],
    ['a question about another tweet, with a reference to it', { tweet_id: '102' }],
  ])('a stored answer to %s about a deleted tweet is dropped; others stay', async (_name, params) => {
    let calls = 0;
    const references = { '102': { cited_tweets: ['100'] } } as Record<
      string,
      Pick<Schemas['AssistantAnswer'], 'cited_tweets'>
    >;
    explain = async ({ tweet_id: id = '100' }) => (calls++, { ...answer(id), ...references[id] });
    const each = await listen();
    const put = (question: object, name: string) =>
      each.ask({ type: 'ask', id: `${name}${++commands}`, params: question, idempotency_key: name });
    for (let time = 0; time < 2; time++) {
      expect(await put(params, 'a')).toMatchObject({ type: 'answered' });
      expect(await put({ tweet_id: '101' }, 'b')).toMatchObject({ type: 'answered' });
    }
    expect(calls).toBe(2);
    await remove('100');
    await each.ask({ type: 'ping', id: 'p' });
    await put({ tweet_id: '101' }, 'b');
    expect(calls).toBe(2);
    await put(params, 'a');
    expect(calls).toBe(3);
  });

  describe('are dropped where the deletions are no longer retained when the stream reads on:', () => {
    let calls: number;
    let clock: number;
    const put = async (): Promise<number> => {
      const each = await listen();
      const params = { tweet_id: '100' };
      expect(await each.ask({ type: 'ask', id: 'a', params, idempotency_key: 'k' })).toMatchObject({
        type: 'answered',
      });
      return calls;
    };
    beforeEach(async () => {
      calls = 0;
      clock = Date.now();
      explain = async () => (calls++, answer('100'));
      await stream.stop();
      log = new MemoryEventLog({ epoch: 'log', entries: [] }, { ageMs: 86_400_000, events: 5 }, () => clock);
      const assistant = { explain: (call: AssistantCall) => explain(call) };
      stream = await startStream({ adapters: { log, platform }, limits, assistant });
      expect([await put(), await put()]).toEqual([1, 1]);
    });

    test('some events are left', async () => {
      const unliked = Array.from({ length: 5 }, (_, id) => ({ event: 'tweet.unliked', id: String(id) }) as const);
      await log.append([{ event: 'tweet.deleted', id: '100' }, ...unliked]);
      await (await listen()).settled();
      expect(await put()).toBe(2);
    });

    test('no event is left', async () => {
      const live = await subscribed('search:tweets', { query: 'hello' });
      const { promise, resolve } = Promise.withResolvers<void>();
      platform.gate = promise;
      platform.taken = 0;
      await post('101');
      while (platform.taken === 0) await new Promise(setImmediate);
      await log.append([{ event: 'tweet.deleted', id: '100' }]);
      clock += 2 * 86_400_000;
      resolve();
      await live.settled(log.head);
      expect(delivered(live)).toEqual(['1 tweet.created 101']);
      expect(await put()).toBe(2);
    });
  });
});
