// Tests server/realtime/admission.ts and server/realtime/connection.ts.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { connect } from 'node:net';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import {
  expectMessages,
  listener,
  startStream,
  type ClientMessage,
  type Listener,
  type Stream,
} from '../support/stream.ts';
import { key, otherKey } from '../support/service.ts';
import { stopClock } from '../support/stopped-clock.ts';

let stream: Stream;
let listeners: Listener[] = [];
beforeAll(async () => {
  stream = await startStream();
  await stream.take(
    { kind: 'user', user: { id: '1', username: 'Mira_Codes', name: 'Mira' } },
    { kind: 'user', user: { id: '2', username: 'tom', name: 'Tom' } },
    { kind: 'user', user: { id: '4', username: 'Alice.example.com', name: 'Alice' } },
    { kind: 'community', community: { id: '70', name: 'Makers' } },
    tweet('100', { text: 'the first' }),
  );
});
afterEach(async () => {
  for (const each of listeners) {
    await expectMessages(each.messages);
    each.socket.terminate();
  }
  listeners = [];
});
afterAll(() => stream.stop());

let nextId = 1000;
function tweet(id: string, more: object = {}): ArchiveRecord {
  return { kind: 'tweet', tweet: { id, text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1', ...more } };
}
const fresh = (more: object = {}): ArchiveRecord => tweet(String(nextId++), more);

async function listen(
  ...options: Parameters<typeof listener> extends [string, ...infer Rest] ? Rest : never
): Promise<Listener> {
  const made = await listener(stream.url, ...options);
  listeners.push(made);
  return made;
}
let commands = 0;
const subscribe = (channel: string, params: object, more: object = {}): ClientMessage & { id: string } =>
  ({ type: 'subscribe', id: `c${++commands}`, channel, params, ...more }) as never;
const delivered = (each: Listener): string[] =>
  each
    .of('event')
    .map(
      ({ event, subs, data }) =>
        `${event} ${'id' in data ? data.id : 'tweet_id' in data ? data.tweet_id : ''} ${subs.join()}`,
    );

describe('the handshake', () => {
  const close = (url: string, protocols: string[] = []): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(url.replace('http', 'ws'), protocols);
      socket.onclose = ({ code }) => resolve(code);
    });

  test.each([
    ['no key', '/ws'],
    ['an unknown key', '/ws?api_key=nobody'],
    ['an empty key', '/ws?api_key='],
    ['a key sent twice', `/ws?api_key=${key}&api_key=${key}`],
  ])('with %s opens and is closed at once with 4001', async (_name, path) => {
    expect(await close(stream.url + path)).toBe(4001);
    const ws = await listener(stream.url, path.includes('?') ? path.slice('/ws?api_key='.length) : null);
    expect(await ws.closed).toEqual({ code: 4001, reason: 'Invalid or missing API key' });
    expect(ws.messages).toEqual([]);
  });

  test.each([
    ['one parameter', `/ws?api_key=${key}&foo=1`],
    ['one before the key', `/ws?foo=1&api_key=${key}`],
    ['one without a value', `/ws?api_key=${key}&foo`],
    ['one whose name is like the key', `/ws?api_key=${key}&API_KEY=1`],
    ['one that a command has', `/ws?api_key=${key}&cursor=a.1`],
  ])('with a valid key and %s too many opens and is closed with 4004', async (_name, path) => {
    expect(await close(stream.url + path)).toBe(4004);
  });

  test('with an unknown parameter and no valid key is closed with 4001: the key is checked first', async () => {
    expect(await close(`${stream.url}/ws?foo=1`)).toBe(4001);
    expect(await close(`${stream.url}/ws?foo=1&api_key=nobody`)).toBe(4001);
  });

  test('accepts the key in the query or in either header, and sends connected', async () => {
    for (const [apiKey, headers] of [
      [key, {}],
      ['', { 'x-api-key': key }],
      ['', { authorization: `Bearer ${key}` }],
    ] as const) {
      const each = apiKey === '' ? await listen(null, { headers }) : await listen(apiKey, { headers });
      expect(await each.first('connected')).toMatchObject({
        protocol: 1,
        connection_id: expect.stringMatching(/^c_/),
        heartbeat_interval_ms: 20_000,
        replay_window_s: 86_400,
      });
    }
  });

  test('accepts only /ws, and returns the requested subprotocol', async () => {
    await expect(listener(`${stream.url}/x`)).rejects.toThrow('404');
    const socket = new WebSocket(`${stream.url.replace('http', 'ws')}/ws?api_key=${key}`, [
      'other',
      'social-data.v1.json',
    ]);
    await new Promise((resolve) => (socket.onopen = resolve));
    expect(socket.protocol).toBe('social-data.v1.json');
    socket.close();
  });
});

describe('a subscription', () => {
  test.each<[string, object, ArchiveRecord, string]>([
    [
      'search:tweets',
      { query: 'cold "brew coffee" -from:tom' },
      fresh({ text: 'Cold: brew coffee!' }),
      'tweet.created',
    ],
    ['user:tweets', { username: '@mira_codes' }, fresh(), 'tweet.created'],
    ['user:tweets', { user_id: '2' }, fresh({ author_id: '2' }), 'tweet.created'],
    [
      'user:mentions',
      { username: 'tom' },
      fresh({ text: 'hi @Tom', entities: { mentions: [{ username: 'Tom' }], hashtags: [], cashtags: [], urls: [] } }),
      'tweet.created',
    ],
    ['user:tweets', { username: '@alice.example.com' }, fresh({ author_id: '4' }), 'tweet.created'],
    [
      'user:mentions',
      { username: 'alice.EXAMPLE.com' },
      fresh({ entities: { mentions: [{ username: 'alice.example.com' }], hashtags: [], cashtags: [], urls: [] } }),
      'tweet.created',
    ],
    [
      'search:tweets',
      { query: '@alice.example.com OR from:alice.example.com' },
      fresh({ entities: { mentions: [{ username: 'Alice.Example.com' }], hashtags: [], cashtags: [], urls: [] } }),
      'tweet.created',
    ],
    ['tweet:replies', { tweet_id: '100' }, fresh({ in_reply_to_id: '100' }), 'tweet.created'],
    ['community:tweets', { id: '70' }, fresh({ community_id: '70' }), 'tweet.created'],
    [
      'community:members',
      { username: 'tom' },
      { kind: 'membership', community_id: '70', user_id: '2', role: 'member' },
      'community.joined',
    ],
  ])('to %s %j receives exactly its events', async (channel, params, record, event) => {
    const each = await listen();
    const answer = await each.ask(subscribe(channel, params, { tag: 'mine' }));
    expect(answer).toMatchObject({
      type: 'subscribed',
      sub: 's1',
      channel,
      params,
      tag: 'mine',
      recovered: null,
      replay_from: null,
    });
    await stream.take(record, fresh({ author_id: '3', text: 'something else' }));
    const delivered = await each.first('event');
    await each.settled(stream.log.head);
    expect(each.of('event')).toHaveLength(1);
    expect(delivered).toMatchObject({ subs: ['s1'], channel, event });
    const id = record.kind === 'tweet' ? record.tweet.id : '70';
    expect(delivered.data).toMatchObject({ id });
    const withEntities = channel === 'user:tweets' || channel === 'tweet:replies';
    expect('entities' in delivered.data).toBe(withEntities);
  });

  test('reports an edit; counts and likes go only to tweet:engagement, which starts with the current values', async () => {
    const [tweets, counts] = [await listen(), await listen()];
    const record = { id: String(nextId++), like_count: 3 };
    await stream.take(tweet(record.id, record), { kind: 'like', tweet_id: record.id });
    await tweets.ask(subscribe('search:tweets', { query: 'from:1' }));
    await counts.ask(subscribe('tweet:engagement', { tweet_id: record.id }));
    expect((await counts.first('event')).data).toMatchObject({ tweet_id: record.id, like_count: 3 });
    await stream.take(tweet(record.id, { like_count: 9, observed_at: '2026-05-01T00:00:00Z' }));
    await stream.archive.platform.unlike(record.id);
    await stream.take(tweet(record.id, { text: 'edited', observed_at: '2027-05-02T00:00:00Z' }));
    await counts.first('event', ({ event }) => event === 'tweet.unliked');
    await tweets.first('event');
    expect(
      counts.of('event').map(({ event, data }) => [event, 'like_count' in data ? data.like_count : undefined]),
    ).toEqual([
      ['tweet.engagement', 3],
      ['tweet.engagement', expect.any(Number)],
      ['tweet.unliked', 8],
    ]);
    expect(delivered(tweets)).toEqual([`tweet.updated ${record.id} s1`]);
  });

  test('sends an event once with all matching subscriptions, in the most complete form', async () => {
    const each = await listen();
    await each.ask(subscribe('search:tweets', { query: 'everywhere' }));
    await each.ask(subscribe('user:tweets', { user_id: '1' }));
    await each.ask(subscribe('search:tweets', { query: 'nowhere' }));
    await each.ask(subscribe('search:tweets', { query: 'every* OR everywhere' }));
    await stream.take(fresh({ text: 'everywhere' }));
    const event = await each.first('event');
    await each.settled(stream.log.head);
    expect([each.of('event').length, event.subs, event.channel, 'entities' in event.data]).toEqual([
      1,
      ['s1', 's2', 's4'],
      'user:tweets',
      true,
    ]);
  });

  test('has increasing cursors, and a unique id for each event', async () => {
    const each = await listen();
    const { cursor } = (await each.ask(subscribe('user:tweets', { user_id: '1' }))) as { cursor: string };
    const [epoch, start] = cursor.split('.');
    await stream.take(...Array.from({ length: 500 }, () => fresh()));
    await each.settled(stream.log.head);
    const events = each.of('event');
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 500 }, (_, place) => Number(start) + 1 + place));
    expect(events.map(({ cursor: at }) => at)).toEqual(events.map(({ seq }) => `${epoch}.${seq}`));
    expect(new Set(events.map(({ event_id: eventId }) => eventId)).size).toBe(500);
  });

  test('can be listed and ended', async () => {
    const each = await listen();
    await each.ask(subscribe('user:tweets', { user_id: '1' }, { tag: 'a' }));
    await each.ask(subscribe('assistant:pool', {}));
    expect(await each.ask({ type: 'subscriptions', id: 'list' })).toMatchObject({
      items: [
        { sub: 's1', channel: 'user:tweets', params: { user_id: '1' }, tag: 'a' },
        { sub: 's2', channel: 'assistant:pool', params: {} },
      ],
    });
    expect(await each.ask({ type: 'unsubscribe', id: 'end', sub: 's1' })).toEqual({
      type: 'unsubscribed',
      id: 'end',
      sub: 's1',
    });
    await stream.take(fresh());
    await each.settled(stream.log.head);
    expect(delivered(each)).toEqual(['pool.status  s2']);
    expect(await each.ask({ type: 'unsubscribe', id: 'again', sub: 's1' })).toMatchObject({
      type: 'error',
      code: 'unknown_subscription',
      status: 404,
    });
  });

  test('is only validated with dry_run', async () => {
    const each = await listen();
    expect(await each.ask(subscribe('search:tweets', { query: 'dry' }, { dry_run: true }))).toMatchObject({
      type: 'subscribed',
      sub: null,
    });
    expect(await each.ask(subscribe('search:tweets', { query: '(dry' }, { dry_run: true }))).toMatchObject({
      type: 'error',
      code: 'bad_query',
      position: 0,
    });
    expect(await each.ask({ type: 'subscriptions', id: 'list' })).toMatchObject({ items: [] });
  });
});

describe('a deleted tweet', () => {
  const remove = (id: string): Promise<void> => stream.take({ kind: 'delete', tweet_id: id });

  test('is announced live and in a replay, without its text; its native retweets too', async () => {
    const [id, retweet, quote] = [nextId++, nextId++, nextId++].map(String) as [string, string, string];
    const { cursor } = await (await listen()).first('connected');
    await stream.take(
      tweet(id, { text: 'an unwise sentence', in_reply_to_id: '100' }),
      tweet(retweet, { text: 'an unwise sentence', author_id: '2', retweeted_tweet_id: id }),
      tweet(quote, { text: 'look', author_id: '2', quoted_tweet_id: id }),
    );
    const subscriptions: [string, object][] = [
      ['search:tweets', { query: 'nothing' }],
      ['user:tweets', { username: 'mira_codes' }],
      ['tweet:replies', { tweet_id: '100' }],
    ];
    const live = await Promise.all(
      subscriptions.map(async ([channel, params]) => {
        const each = await listen();
        await each.ask(subscribe(channel, params));
        return each;
      }),
    );
    const warm = await listen();
    await warm.ask(subscribe('user:tweets', { user_id: '2' }, { cursor }));
    await warm.first('caught_up');
    expect(JSON.stringify(warm.messages)).toContain('unwise');
    await remove(id);
    for (const each of live) await each.settled(stream.log.head);
    expect(live.map((each) => delivered(each).toSorted())).toEqual([
      [`tweet.deleted ${id} s1`, `tweet.deleted ${retweet} s1`],
      [`tweet.deleted ${id} s1`],
      [`tweet.deleted ${id} s1`],
    ]);
    for (const [channel, params] of [...subscriptions, ['user:tweets', { user_id: '2' }] as const]) {
      const each = await listen();
      await each.ask(subscribe(channel, params, { cursor }));
      await each.first('caught_up');
      expect(delivered(each).join()).toContain('tweet.deleted');
      expect(JSON.stringify(each.messages)).not.toContain('unwise');
    }
  });

  test('has no channels of its own any more, until it is restored', async () => {
    const id = String(nextId++);
    await stream.take(tweet(id));
    const each = await listen();
    const { cursor } = await each.first('connected');
    await each.ask(subscribe('tweet:replies', { tweet_id: id }));
    await each.ask(subscribe('tweet:engagement', { tweet_id: id }));
    await each.ask(subscribe('search:tweets', { query: 'nothing' }));
    await remove(id);
    await each.settled(stream.log.head);
    expect(delivered(each).at(-1)).toBe(`tweet.deleted ${id} s1,s2,s3`);
    expect(
      each
        .of('unsubscribed')
        .map(({ sub }) => sub)
        .toSorted(),
    ).toEqual(['s1', 's2']);
    expect(await each.ask(subscribe('tweet:replies', { tweet_id: id }, { cursor }))).toMatchObject({ status: 404 });
    await stream.take({ kind: 'restore', tweet_id: id }, tweet(id, { text: 'nothing is lost' }));
    await each.first('event', ({ event }) => event === 'tweet.created');
    expect(await each.ask(subscribe('tweet:replies', { tweet_id: id }))).toMatchObject({ type: 'subscribed' });
  });

  test('is announced where its account was withdrawn', async () => {
    const id = String(nextId++);
    await stream.take({ kind: 'user', user: { id: '77', username: 'leaving' } }, tweet(id, { author_id: '77' }));
    const each = await listen();
    await each.ask(subscribe('user:tweets', { username: 'leaving' }));
    await stream.take({ kind: 'withdraw', user_id: '77' });
    await each.settled(stream.log.head);
    expect(delivered(each)).toEqual([`tweet.deleted ${id} s1`]);
  });
});

describe('a replay', () => {
  test('starts after the cursor, is marked, ends with caught_up, and continues live without gap or duplicate', async () => {
    const before = await listen();
    const { cursor } = await before.first('connected');
    await stream.take(...Array.from({ length: 700 }, () => fresh({ text: 'replayed' })));
    const each = await listen();
    const importing = stream.take(...Array.from({ length: 3000 }, () => fresh({ text: 'replayed too' })));
    expect(await each.ask(subscribe('search:tweets', { query: 'replayed' }, { cursor }))).toMatchObject({
      recovered: true,
      replay_from: cursor,
      cursor,
    });
    const other = each.ask(subscribe('search:tweets', { query: 'too' }, { cursor }));
    await importing;
    await stream.take(fresh({ text: 'replayed at last' }));
    await each.first('event', ({ data }) => 'text' in data && data.text.endsWith('last'));
    await other;
    await each.first('caught_up', ({ sub }) => sub === 's2');
    await each.settled(stream.log.head);
    const of = (sub: string) => each.of('event').filter(({ subs }) => subs.includes(sub));
    const start = Number(cursor.split('.')[1]);
    expect(of('s1').map(({ seq }) => seq)).toEqual(Array.from({ length: 3701 }, (_, place) => start + 1 + place));
    expect(of('s2')).toHaveLength(3000);
    const caughtUp = each.messages.findIndex(({ type }) => type === 'caught_up');
    const events = each.messages.map((message, place) => ({ message, place }));
    expect(
      events.filter(
        ({ message, place }) =>
          message.type === 'event' && message.replay === true && place > caughtUp && message.subs.join() === 's1',
      ),
    ).toEqual([]);
    expect(each.messages[1 + each.messages.findIndex(({ type }) => type === 'subscribed')]).toMatchObject({
      type: 'event',
      replay: true,
    });
  });

  test('at the head of the log ends at once', async () => {
    const each = await listen();
    const { cursor } = await each.first('connected');
    await each.ask(subscribe('user:tweets', { user_id: '1' }, { cursor }));
    expect(await each.first('caught_up')).toEqual({ type: 'caught_up', sub: 's1', cursor });
  });

  test('from an invalid cursor returns its error code', async () => {
    const each = await listen();
    const [epoch, head] = (await each.first('connected')).cursor.split('.');
    const asked = (cursor: string, more: object = {}) =>
      each.ask(subscribe('user:tweets', { user_id: '1' }, { cursor, ...more }));
    expect(await asked('nonsense')).toMatchObject({ code: 'bad_params', status: 400 });
    expect(await asked(`${epoch}.${Number(head) + 1}`)).toMatchObject({ code: 'cursor_in_future', status: 400 });
    expect(await asked(`other.${head}`)).toMatchObject({
      code: 'epoch_changed',
      status: 410,
      oldest_cursor: `${epoch}.0`,
    });
    expect(await asked(`other.${head}`, { on_gap: 'continue' })).toMatchObject({
      type: 'subscribed',
      recovered: false,
      cursor: `${epoch}.0`,
    });
    expect(await each.first('gap')).toMatchObject({
      sub: 's1',
      from: `other.${head}`,
      to: `${epoch}.0`,
      reason: 'epoch',
      hint: '/social/user/last_tweets?user_id=1',
    });
  });

  test('before the retained events returns the oldest cursor, or starts there after a gap', async () => {
    const short = await startStream({ retention: { ageMs: 86_400_000, events: 100 } });
    try {
      const each = await listener(short.url);
      const { cursor } = await each.first('connected');
      const [epoch] = cursor.split('.');
      await short.take(
        { kind: 'user', user: { id: '1', username: 'mira' } },
        ...Array.from({ length: 150 }, () => fresh()),
      );
      expect(await each.ask(subscribe('user:tweets', { user_id: '1' }, { cursor }))).toMatchObject({
        type: 'error',
        code: 'cursor_too_old',
        status: 410,
        oldest_cursor: `${epoch}.50`,
      });
      expect(await each.ask(subscribe('user:tweets', { user_id: '1' }, { cursor, on_gap: 'continue' }))).toMatchObject({
        recovered: false,
        replay_from: `${epoch}.50`,
      });
      expect(await each.first('gap')).toMatchObject({ from: cursor, to: `${epoch}.50`, reason: 'retention' });
      await each.first('caught_up');
      expect(each.of('event').map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, place) => 51 + place));
      await expectMessages(each.messages);
      each.socket.terminate();
    } finally {
      await short.stop();
    }
  });

  test('continues after a restart', async () => {
    const each = await listen();
    const { cursor } = await each.first('connected');
    await stream.take(fresh({ text: 'before' }));
    await stream.restart();
    expect((await each.closed).code).toBe(4200);
    expect(each.messages.at(-1)).toMatchObject({
      type: 'going_away',
      reason: 'the server restarts',
      reconnect_after_ms: expect.any(Number),
    });
    await stream.take(fresh({ text: 'after' }));
    const back = await listen();
    await back.ask(subscribe('search:tweets', { query: 'before OR after' }, { cursor }));
    await back.first('caught_up');
    expect(back.of('event').map(({ data }) => 'text' in data && data.text)).toEqual(['before', 'after']);
  });
});

describe('reports an invalid message, and keeps the connection', () => {
  test.each<[string, string | object, object]>([
    [
      'a name twice',
      '{"type":"ping","id":"a","id":"b"}',
      { code: 'bad_message', status: 400, error: "member 'id' is given more than once" },
    ],
    [
      'a name twice within a member',
      '{"type":"subscribe","id":"1","channel":"search:tweets","params":{"query":"a","query":"b"}}',
      { code: 'bad_message', error: "member 'params.query' is given more than once" },
    ],
    ['text', 'hello', { code: 'bad_message', error: 'the message is not JSON' }],
    ['an array', '[]', { code: 'bad_message', error: 'the message is not a JSON object' }],
    ['no type', {}, { code: 'bad_message', error: expect.stringContaining("member 'type' is missing") }],
    [
      'an unknown type',
      { type: 'subscrib', id: 'x' },
      { code: 'bad_message', id: 'x', error: "unknown type 'subscrib': did you mean 'subscribe'?" },
    ],
    ['a type of every object', { type: 'constructor', id: 'x' }, { code: 'bad_message' }],
    [
      'a missing member',
      { type: 'unsubscribe', id: 'x' },
      { code: 'bad_message', id: 'x', error: "member 'sub' is missing" },
    ],
    [
      'a misspelt member',
      { type: 'subscribe', id: 'x', chanel: 'user:tweets', params: {} },
      { error: "member 'channel' is missing: is it misspelled as 'chanel'?" },
    ],
    ['an unknown member', { type: 'ping', sub: 's1' }, { error: "unknown member 'sub': expected one of 'type', 'id'" }],
    [
      'an unknown channel',
      { type: 'subscribe', id: 'x', channel: 'user:tweet', params: {} },
      { code: 'unknown_channel', error: "unknown channel 'user:tweet': did you mean 'user:tweets'?" },
    ],
    [
      'an unknown parameter',
      { type: 'subscribe', id: 'x', channel: 'user:tweets', params: { usrname: 'a' } },
      { code: 'bad_params', error: "unknown member 'usrname' of 'params': did you mean 'username'?" },
    ],
    [
      'a parameter of another channel',
      { type: 'subscribe', id: 'x', channel: 'search:tweets', params: { username: 'a' } },
      { error: "'search:tweets' has no parameter 'username': send 'query'" },
    ],
    [
      'none of two parameters',
      { type: 'subscribe', id: 'x', channel: 'user:tweets', params: {} },
      { code: 'bad_params', error: "'user:tweets' needs exactly one of 'username' or 'user_id'" },
    ],
    [
      'both of two',
      { type: 'subscribe', id: 'x', channel: 'user:tweets', params: { username: 'a', user_id: '1' } },
      { code: 'bad_params', status: 400 },
    ],
    [
      'a wrong parameter',
      { type: 'subscribe', id: 'x', channel: 'tweet:replies', params: { tweet_id: 'abc' } },
      { code: 'bad_params', error: "member 'params.tweet_id' must be an id: 1–19 digits" },
    ],
    [
      'a username with a blank',
      { type: 'subscribe', id: 'x', channel: 'user:tweets', params: { username: 'a b' } },
      {
        code: 'bad_params',
        error:
          "member 'params.username' must be a username: 1–15 letters, digits or _, or a handle such as alice.example.com",
      },
    ],
    [
      'a query that is too long',
      { type: 'subscribe', id: 'x', channel: 'search:tweets', params: { query: 'x'.repeat(1025) } },
      { code: 'bad_params', error: "member 'params.query' must have 1 to 1024 characters, not 1025" },
    ],
    [
      'a wrong choice',
      { type: 'subscribe', id: 'x', channel: 'assistant:pool', params: {}, on_gap: 'go on' },
      { code: 'bad_message', error: "member 'on_gap' must be 'error' or 'continue'" },
    ],
    [
      'a wrong choice within the parameters',
      { type: 'ask', id: 'x', params: { tweet_id: '1', extract: 'tokens' } },
      { code: 'bad_params', error: "member 'params.extract' must be 'token'" },
    ],
    [
      'a member of another type',
      { type: 'subscribe', id: 'x', channel: 'assistant:pool', params: 7 },
      { code: 'bad_params', error: "member 'params' must be a JSON object" },
    ],
    [
      'someone unknown',
      { type: 'subscribe', id: 'x', channel: 'user:tweets', params: { username: 'nobody' } },
      { code: 'not_found', status: 404, error: 'user nobody not found' },
    ],
    [
      'an unsupported query',
      { type: 'subscribe', id: 'x', channel: 'search:tweets', params: { query: 'a filter:vidoes' } },
      { code: 'bad_query', position: 9 },
    ],
    ['a cancel of nothing', { type: 'cancel', id: 'x' }, { code: 'bad_params', status: 404, id: 'x' }],
  ])('%s', async (_name, message, expected) => {
    const each = await listen();
    each.send(typeof message === 'string' ? message : JSON.stringify(message));
    expect(await each.first('error')).toMatchObject({ status: 400, ...expected });
    await each.settled(stream.log.head);
  });

  test('closes with 4000 after many invalid messages, 1003 for binary, 1009 for too large, 1007 for invalid UTF-8', async () => {
    const [many, binary, large, broken] = [await listen(), await listen(), await listen(), await listen()];
    for (let each = 0; each < 6; each++) many.send('no');
    binary.send(Buffer.from([1, 2, 3]));
    large.send(JSON.stringify({ type: 'ping', id: 'x'.repeat(70_000) }));
    broken.socket.send(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { binary: false });
    expect(
      (await Promise.all([many, binary, large, broken].map((each) => each.closed))).map(({ code }) => code),
    ).toEqual([4000, 1003, 1009, 1007]);
    expect(many.of('error')).toHaveLength(5);
  });

  test('bytes that are not WebSocket frames close only that connection', async () => {
    const other = await listen();
    const socket = connect(Number(new URL(stream.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `GET /ws?api_key=${key} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write(Buffer.alloc(1000, 0xff));
    await new Promise((resolve) => socket.once('close', resolve));
    await other.settled();
  });
});

describe('the limits', () => {
  beforeEach(stopClock);
  afterEach(() => void jest.useRealTimers());
  async function limited(limits: object, look: (url: string, limited: Stream) => Promise<void>): Promise<void> {
    const other = await startStream({ limits });
    try {
      await other.take({ kind: 'user', user: { id: '1', username: 'mira' } });
      await look(other.url, other);
    } finally {
      await other.stop();
    }
  }

  test('of connections apply to each key, and a close frees one at once: 4003', () =>
    limited({ connections: 2 }, async (url) => {
      const [one] = [await listener(url), await listener(url)];
      expect(await (await listener(url)).closed).toEqual({ code: 4003, reason: 'too many connections of this key' });
      await (await listener(url, otherKey)).first('connected');
      one.socket.close();
      await one.closed;
      await (await listener(url)).first('connected');
    }));

  test('of connection attempts: 4129', () =>
    limited({ connections: 2, connectsPerMinute: 1 }, async (url) => {
      (await listener(url)).socket.terminate();
      (await listener(url)).socket.terminate();
      expect((await (await listener(url)).closed).code).toBe(4129);
    }));

  test('of subscriptions, by an error', () =>
    limited({ subscriptions: 2 }, async (url) => {
      const each = await listener(url);
      expect((await each.first('connected')).limits.subscriptions).toBe(2);
      for (let at = 0; at < 2; at++) await each.ask(subscribe('user:tweets', { user_id: '1' }));
      expect(await each.ask(subscribe('user:tweets', { user_id: '1' }))).toMatchObject({
        code: 'too_many_subscriptions',
        status: 429,
      });
      await each.ask({ type: 'unsubscribe', id: 'end', sub: 's1' });
      expect(await each.ask(subscribe('user:tweets', { user_id: '1' }))).toMatchObject({
        type: 'subscribed',
        sub: 's3',
      });
    }));

  test('of commands, by errors with a delay, then 4129', () =>
    limited({ commandsPerMinute: 10 }, async (url) => {
      const each = await listener(url);
      for (let at = 0; at < 11; at++) each.send({ type: 'ping' });
      expect(await each.first('error')).toMatchObject({ code: 'too_many_requests', status: 429, retry_after_s: 6 });
      expect(each.of('pong')).toHaveLength(10);
      for (let at = 0; at < 11; at++) each.send({ type: 'ping' });
      expect((await each.closed).code).toBe(4129);
    }));

  test('of the first command: 4101', () =>
    limited({ firstCommandMs: 5_000 }, async (url) => {
      const [idle, busy] = [await listener(url), await listener(url)];
      await idle.first('connected');
      await busy.settled();
      jest.advanceTimersByTime(5_000);
      expect(idle.socket.readyState).toBe(idle.socket.OPEN);
      jest.advanceTimersByTime(1_000);
      expect((await idle.closed).code).toBe(4101);
      await busy.settled();
    }));

  test('of silence: a heartbeat has the delivered cursor, and 4201 follows unanswered pings', () =>
    limited({ heartbeatMs: 500 }, async (url, { log }) => {
      const [each, dead] = [await listener(url), await listener(url, key, { autoPong: false })];
      await dead.settled();
      // Once a second the server sends pings; it closes a connection that has not answered two of them.
      for (let second = 0; second < 3; second++) {
        expect(dead.socket.readyState).toBe(dead.socket.OPEN);
        // The second answer follows the pong, which follows the first one.
        for (let answer = 0; answer < 2; answer++) await each.settled();
        jest.advanceTimersByTime(1_000);
      }
      expect((await each.first('heartbeat')).cursor).toBe(`${log.epoch}.${log.head}`);
      expect((await dead.closed).code).toBe(4201);
      await each.settled(stream.log.head);
    }));

  test('for a revoked key: 4005', () =>
    limited({}, async (url, { keys }) => {
      const [each, other] = [await listener(url), await listener(url, otherKey)];
      keys.delete(key);
      jest.advanceTimersByTime(1_000);
      expect((await each.closed).code).toBe(4005);
      await other.settled();
    }));
});

test('a revocation closes the connections of the key without a timer', async () => {
  const start = globalThis.setInterval;
  // The gateway's timer looks for invalid keys every second; here it never runs.
  const spy = jest
    .spyOn(globalThis, 'setInterval')
    .mockImplementation(((run: () => void, ms?: number) =>
      start(ms === 1_000 ? () => {} : run, ms)) as typeof setInterval);
  const own = await startStream();
  try {
    const [each, other] = [await listener(own.url), await listener(own.url, otherKey)];
    own.revoke(key);
    expect((await each.closed).code).toBe(4005);
    await other.settled();
  } finally {
    spy.mockRestore();
    await own.stop();
  }
});

test('reports metrics of the stream', async () => {
  const each = await listen();
  await each.ask(subscribe('user:tweets', { user_id: '1' }));
  const text = await stream.registry.metrics();
  expect(text).toMatch(/^ws_connections 1$/m);
  expect(text).toMatch(/^ws_subscriptions 1$/m);
  expect(text).toMatch(/^ws_messages_total\{direction="in",type="subscribe"\} \d+$/m);
  expect(text).toMatch(new RegExp(`^event_log_head ${stream.log.head}$`, 'm'));
});

test('closes a new connection with 4100 during overload, and keeps existing ones', async () => {
  let isOverloaded = false;
  const crowded = await startStream({ isOverloaded: () => isOverloaded });
  try {
    const early = await listener(crowded.url);
    isOverloaded = true;
    for (const apiKey of [key, 'wrong'])
      expect(await (await listener(crowded.url, apiKey)).closed).toEqual({
        code: 4100,
        reason: 'the server is overloaded',
      });
    expect(await early.ask(subscribe('search:tweets', { query: 'coffee' }))).toMatchObject({ type: 'subscribed' });
    isOverloaded = false;
    await (await listener(crowded.url)).first('connected');
  } finally {
    await crowded.stop();
  }
});
