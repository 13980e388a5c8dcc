import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { setupServer } from 'msw/node';
import {
  AbortError,
  ConnectionError,
  ConversationExpiredError,
  createClient,
  type AssistantAnswer,
  type Selection,
  type Tweet,
} from '../../client/src/index.ts';
import { createMocks } from '../../client/src/msw.ts';
import { contract, exampleAnswer, expectSchema } from '../support/contract.ts';

const baseUrl = 'http://social.test';
const mocks = createMocks({ baseUrl });
const server = setupServer(...mocks.handlers);
const client = createClient({ baseUrl, apiKey: 'k', retry: false });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  server.resetHandlers();
  mocks.reset();
  jest.restoreAllMocks();
});
afterAll(() => server.close());

const username = 'mira_codes';
const tweet_id = '1890000000000000001';
const id = '1700000000000000001';
const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

describe('mocks of the service', () => {
  test('return the examples of the spec for every operation; a list ends', async () => {
    expect(plain(await client.tweet.assistant({ tweet_id }))).toEqual(exampleAnswer('explainTweet'));
    expect(plain(await client.assistant.status())).toEqual(exampleAnswer('getAssistantStatus'));
    expect(plain(await client.space.detail({ id: '1vSampleSpace1' }))).toEqual(exampleAnswer('getSpace'));
    expect(plain(await client.tweet.unlike({ tweet_id }))).toEqual(exampleAnswer('unlikeTweet'));
    const lists = {
      LastTweetsPage: client.user.lastTweets({ username }),
      TweetPage: client.user.highlights({ username }),
      FollowingPage: client.user.followings({ username }),
      RepliesPage: client.tweet.replies({ tweet_id }),
      RetweetersPage: client.tweet.retweeters({ tweet_id }),
      CommunitiesPage: client.community.members({ username }),
    };
    for (const [schema, list] of Object.entries(lists)) {
      await expectSchema(schema, plain(await list));
      expect(await list.toArray()).toHaveLength(1);
    }
    for (const list of [
      client.user.mentions({ username }),
      client.tweet.advancedSearch({ query: 'coffee' }),
      client.community.discover({ id }),
      client.community.media({ id }),
    ]) {
      await expectSchema('TweetShortPage', plain(await list));
      expect(await list.toArray()).toHaveLength(1);
    }
    const operations = Object.values(contract.paths).flatMap((methods) => Object.keys(methods));
    expect(operations).toHaveLength(mocks.handlers.length - 1);
  });

  test('return custom responses, also by parameters, once or always', async () => {
    server.use(mocks.tweet.unlike.answers({ success: false }, { once: true }));
    expect([
      (await client.tweet.unlike({ tweet_id })).success,
      (await client.tweet.unlike({ tweet_id })).success,
    ]).toEqual([false, true]);
    const example = await client.space.detail({ id: 'x' });
    server.use(
      mocks.space.detail.answers(({ parameters, request }) => ({
        ...example,
        id: parameters.id,
        title: request.headers.get('x-api-key')!,
      })),
    );
    expect(await client.space.detail({ id: 'other' })).toMatchObject({ id: 'other', title: 'k' });
  });

  test.each([
    'BadRequest',
    'Unauthorized',
    'Forbidden',
    'NotFound',
    'MethodNotAllowed',
    'ConversationExpired',
    'TooManyRequests',
    'InternalError',
    'NotImplemented',
    'BadGateway',
    'Unavailable',
    'GatewayTimeout',
  ] as const)('return the error %s of the spec', async (name) => {
    server.use(mocks.tweet.assistant.fails(name));
    const { response, error } = await client.GET('/social/tweet/assistant', { params: { query: { tweet_id } } });
    await expectSchema('Error', plain(error));
    const found = await client.tweet.assistant({ tweet_id }).result();
    expect(found.error).toMatchObject({ status: response.status, message: error!.error });
  });

  test('fail once, so that a retry succeeds', async () => {
    const patient = createClient({ baseUrl, apiKey: 'k', retry: { baseMs: 1 } });
    server.use(
      mocks.assistant.status.fails('TooManyRequests', { once: true, retryAfter: 0 }),
      mocks.assistant.status.fails('ConnectionError', { once: true }),
    );
    expect(await patient.assistant.status()).toMatchObject({ capable: 5 });
    server.use(mocks.assistant.status.fails('ConnectionError'));
    await expect(client.assistant.status()).rejects.toBeInstanceOf(ConnectionError);
  });

  test('return a custom list in pages', async () => {
    const [example] = await client.user.lastTweets({ username }).toArray();
    const tweets = Array.from({ length: 45 }, (_, index): Tweet => ({ ...example!, id: String(index) }));
    server.use(mocks.user.lastTweets.pages(tweets));
    const sizes: number[] = [];
    for await (const page of client.user.lastTweets({ username }).pages()) sizes.push(page.tweets.length);
    expect(sizes).toEqual([20, 20, 5]);
    expect(
      (await client.user.lastTweets({ username, limit: 7 }, { limit: 30 }).toArray()).map((tweet) => tweet.id),
    ).toEqual(tweets.slice(0, 30).map((tweet) => tweet.id));
  });

  test('publish events, and replay missed events after a disconnect', async () => {
    const [data] = await client.tweet.advancedSearch({ query: 'coffee' }).toArray();
    const seen: string[] = [];
    const happen = (number: number): void =>
      mocks.events.emit('search:tweets', { event: 'tweet.created', data: { ...data!, id: String(number) } });
    happen(1);
    for await (const delivered of client.events({ search: 'coffee' }, { cursor: 'mock.0' })) {
      if (delivered.event !== 'tweet.deleted') seen.push(delivered.data.id);
      if (seen.length === 1) {
        mocks.events.disconnect();
        happen(2);
        mocks.events.emit('assistant:pool', { event: 'pool.status', data: await client.assistant.status() });
        mocks.events.emit('search:tweets', { event: 'tweet.deleted', data: { id: '1' } });
        happen(3);
      }
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(['1', '2', '3']);
  });

  test('refuse parameters that the contract does not have, and requests without a key', async () => {
    const { error } = await client.GET('/social/user/last_tweets', { params: { query: { user_name: 'a' } as never } });
    expect(error).toMatchObject({
      error: expect.stringMatching(/^unknown parameter 'user_name': the operation has username, /),
    });
    for (const query of [{}, { username: 'a', user_id: '1' }])
      await expect(client.user.highlights(query as never)).rejects.toMatchObject({
        message: 'send exactly one of username, user_id',
      });
    await expect(client.tweet.unlike({} as never)).rejects.toMatchObject({ message: "'tweet_id' is missing" });
    const anonymous = createClient({ baseUrl, apiKey: null, retry: false });
    await expect(anonymous.assistant.status()).rejects.toMatchObject({ status: 401 });
    for (const keyIn of ['bearer', 'query'] as const)
      expect(await createClient({ baseUrl, apiKey: 'k', keyIn }).assistant.status()).toMatchObject({ capable: 5 });
    server.use(...createMocks({ baseUrl, apiKey: 'only this' }).handlers);
    await expect(client.assistant.status()).rejects.toMatchObject({ status: 401 });
    server.use(...createMocks({ baseUrl, apiKey: null }).handlers);
    expect(await anonymous.assistant.status()).toMatchObject({ capable: 5 });
  });

  test('keep what is emitted before the first subscription of a channel, and tell when it is there', async () => {
    const [data] = await client.user.lastTweets({ username }).toArray();
    mocks.events.emit('user:tweets', { event: 'tweet.created', data: { ...data!, id: '77' } });
    const stream = client.events({ user: username });
    expect((await stream.next()).value).toMatchObject({ data: { id: '77' } });
    const later = stream.next();
    await mocks.events.ready('user:tweets');
    mocks.events.emit('user:tweets', { event: 'tweet.created', data: { ...data!, id: '78' } });
    expect((await later).value).toMatchObject({ data: { id: '78' } });
    stream.close();
  });

  test('end the streams about a deleted tweet, and refuse later ones', async () => {
    const replies = client.events({ replies: '9' }, { cursor: 'mock.0' });
    const next = replies.next();
    mocks.events.emit('tweet:replies', { event: 'tweet.deleted', data: { id: '8' } });
    expect((await next).value).toMatchObject({ event: 'tweet.deleted', data: { id: '8' } });
    mocks.events.emit('tweet:replies', { event: 'tweet.deleted', data: { id: '9' } });
    expect((await replies.next()).value).toMatchObject({ data: { id: '9' } });
    expect(await replies.next()).toEqual({ done: true, value: undefined });
    await expect(client.events({ engagement: '9' }).next()).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });
});

describe('streams of one client', () => {
  const names = ['Ada', 'bob'] as const;
  const tweetOf = (author: string, text: string): Tweet => ({
    ...tweet,
    text,
    author: { ...tweet.author, username: author },
  });
  let tweet: Tweet;
  beforeAll(async () => {
    [tweet] = (await client.user.lastTweets({ username }).toArray()) as [Tweet];
  });
  /** A stream that has begun, and the texts or ids that it has got. */
  const opened = async (selection: Selection) => {
    const stream = client.events(selection);
    await stream.ready();
    const seen: string[] = [];
    const ended = (async () => {
      for await (const { event, data } of stream as AsyncIterable<{ event: string; data: object }>) {
        const { text, tweet_id: about, id: own } = data as { text?: string; tweet_id?: string; id?: string };
        seen.push(`${event} ${text ?? about ?? own}`);
      }
    })();
    return { stream, seen, ended };
  };

  test('get the events of their channel that concern them, also a deletion', async () => {
    const [ada, bob, search] = await Promise.all([
      opened({ user: names[0] }),
      opened({ user: names[1] }),
      opened({ search: 'coffee' }),
    ]);
    mocks.events.emit('user:tweets', { event: 'tweet.created', data: tweetOf('ada', 'one') });
    mocks.events.emit('user:tweets', { event: 'tweet.created', data: { ...tweetOf('bob', 'two'), id: '2' } });
    mocks.events.emit('user:tweets', { event: 'tweet.created', data: tweetOf('eve', 'three') });
    mocks.events.emit('search:tweets', { event: 'tweet.created', data: tweetOf('eve', 'four') });
    mocks.events.emit('user:tweets', { event: 'tweet.deleted', data: { id: '2' } });
    mocks.reset();
    await Promise.all([ada.ended, bob.ended, search.ended]);
    expect([ada.seen, bob.seen, search.seen]).toEqual([
      ['tweet.created one'],
      ['tweet.created two', 'tweet.deleted 2'],
      ['tweet.created four'],
    ]);
  });

  test('get the events of their tweet, of their name, and of the parameters that a test names', async () => {
    const [first, second, mentions, others, coffee, tea] = await Promise.all(
      [
        { engagement: '1' },
        { engagement: '2' },
        { mentions: 'ada.example.com' },
        { mentions: 'ada' },
        { search: 'coffee' },
        { search: 'tea' },
      ].map((selection) => opened(selection as Selection)),
    );
    const counts = {
      retweet_count: 0,
      reply_count: 0,
      like_count: 1,
      quote_count: 0,
      bookmark_count: 0,
      view_count: 1,
    };
    mocks.events.emit('tweet:engagement', { event: 'tweet.engagement', data: { tweet_id: '2', ...counts } });
    mocks.events.emit('user:mentions', { event: 'tweet.created', data: tweetOf('eve', 'hi @Ada.example.com!') });
    mocks.events.emit('search:tweets', { event: 'tweet.created', data: tweetOf('eve', 'green') }, { query: 'tea' });
    mocks.events.emit('search:tweets', { event: 'tweet.created', data: tweetOf('eve', 'both') });
    mocks.reset();
    const all = [first, second, mentions, others, coffee, tea];
    await Promise.all(all.map((each) => each!.ended));
    expect(all.map((each) => each!.seen.map((line) => line.replace(/^\S+ /, '')))).toEqual([
      [],
      ['2'],
      ['hi @Ada.example.com!'],
      [],
      ['both'],
      ['green', 'both'],
    ]);
  });

  test('get no events after their end, and none of the test before', async () => {
    const [ended, open] = await Promise.all([opened({ user: 'ada' }), opened({ user: 'ada' })]);
    ended.stream.close();
    // The same connection has both subscriptions; the service ends the first one.
    await (await opened({ pool: true })).stream.return();
    mocks.events.emit('user:tweets', { event: 'tweet.created', data: tweetOf('ada', 'kept') });
    mocks.reset();
    await open.ended;
    mocks.events.emit('user:tweets', { event: 'tweet.created', data: tweetOf('ada', 'old') });
    mocks.reset();
    const later = await opened({ user: 'ada' });
    mocks.events.emit('user:tweets', { event: 'tweet.created', data: tweetOf('ada', 'new') });
    mocks.reset();
    await later.ended;
    expect([open.seen, later.seen]).toEqual([['tweet.created kept'], ['tweet.created new']]);
  });
});

describe('the mock of assistant.stream', () => {
  const example = exampleAnswer('explainTweet') as AssistantAnswer;
  const read = async (stream: AsyncIterable<string>): Promise<string[]> => {
    const parts: string[] = [];
    for await (const part of stream) parts.push(part);
    return parts;
  };

  test('streams the example of the spec in parts, or what the test answers to the question', async () => {
    const stream = client.assistant.stream({ tweet_id });
    const parts = await read(stream);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.join('')).toBe(example.summary);
    expect(await stream.answer()).toEqual(example);
    server.use(
      mocks.tweet.assistant.answers({ ...example, summary: 'of the call' }),
      mocks.assistant.stream.answers(({ parameters }) => ({ ...example, summary: `about ${parameters.tweet_id}\n` })),
    );
    expect(await read(client.assistant.stream({ tweet_id: '7' }))).toEqual(['about', ' 7\n']);
    expect((await client.tweet.assistant({ tweet_id })).summary).toBe('of the call');
    server.resetHandlers(...mocks.handlers);
    server.use(mocks.tweet.assistant.answers({ ...example, summary: '' }));
    const empty = client.assistant.stream({ tweet_id });
    expect([await read(empty), (await empty.answer()).summary]).toEqual([[], '']);
  });

  test('fails once with an error of the spec, or breaks the connection, after which the question is asked again', async () => {
    server.use(mocks.assistant.stream.fails('ConversationExpired', { once: true }));
    await expect(read(client.assistant.stream({ conversation_id: 'c', prompt: 'Why?' }))).rejects.toBeInstanceOf(
      ConversationExpiredError,
    );
    server.use(mocks.assistant.stream.fails('TooManyRequests', { once: true, retryAfter: 9 }));
    await expect(client.assistant.stream({ tweet_id }).answer()).rejects.toMatchObject({ status: 429, retryAfter: 9 });
    server.use(mocks.assistant.stream.fails('ConnectionError', { once: true }));
    expect(await client.assistant.stream({ tweet_id }).answer()).toEqual(example);
    server.use(mocks.assistant.stream.fails('ConnectionError'));
    await expect(client.assistant.stream({ tweet_id }, { retries: 0 }).answer()).rejects.toBeInstanceOf(
      ConnectionError,
    );
  });

  test('hears that a question is cancelled', async () => {
    let cancelled: AbortSignal | undefined;
    server.use(
      mocks.assistant.stream.answers(
        ({ request }) =>
          new Promise((resolve) => {
            cancelled = request.signal;
            request.signal.addEventListener('abort', () => resolve(example));
          }),
      ),
    );
    const stream = client.assistant.stream({ tweet_id });
    const answer = stream.answer();
    while (cancelled === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    stream.cancel();
    await expect(answer).rejects.toBeInstanceOf(AbortError);
    while (!cancelled.aborted) await new Promise((resolve) => setTimeout(resolve, 1));
  });

  test.each([
    ['without getRandomValues and randomUUID, as in React Native', undefined],
    [
      'without randomUUID, as on a page over plain HTTP',
      { getRandomValues: globalThis.crypto.getRandomValues.bind(globalThis.crypto) },
    ],
  ])('answers a runtime %s', async (_what, crypto) => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
    Object.defineProperty(globalThis, 'crypto', { configurable: true, value: crypto });
    try {
      expect(await client.assistant.stream({ tweet_id }).answer()).toEqual(example);
    } finally {
      Object.defineProperty(globalThis, 'crypto', own);
    }
  });
});

describe('the mock of /ws', () => {
  /** Sends frames on a connection; resolves with the messages up to the last one that is expected, or the close code. */
  const talk = async (frames: readonly unknown[], count: number): Promise<unknown[]> => {
    const socket = new WebSocket('ws://social.test/ws?api_key=k');
    const messages: unknown[] = [];
    await new Promise<void>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const message = JSON.parse(String(data)) as { type: string };
        if (message.type === 'connected')
          for (const frame of frames) socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
        else if (messages.push(message) === count) resolve();
      });
      socket.addEventListener('close', ({ code }) => {
        messages.push(code);
        resolve();
      });
    });
    const answered = [...messages];
    socket.close();
    return answered;
  };
  const subscribe = { type: 'subscribe', channel: 'user:tweets', params: { username: 'ada' } };

  test('answers every command of the protocol, with an id of its own for each subscription', async () => {
    const messages = await talk(
      [
        { ...subscribe, id: '1', tag: 'mine' },
        { ...subscribe, id: '2', dry_run: true },
        { ...subscribe, id: '3' },
        { type: 'subscriptions', id: '4' },
        { type: 'unsubscribe', id: '5', sub: 'nothing' },
        { type: 'ping', id: '6' },
        { type: 'cancel', id: '7' },
        { type: 'ping' },
      ],
      7,
    );
    for (const message of messages) await expectSchema('WsServerMessage', message);
    const subs = messages.map((message) => (message as { sub?: string | null }).sub);
    expect(subs).toEqual([expect.any(String), null, expect.any(String), ...Array<undefined>(4)]);
    expect(subs[0]).not.toBe(subs[2]);
    expect(messages.map((message) => (message as { type: string }).type)).toEqual([
      ...['subscribed', 'subscribed', 'subscribed', 'subscriptions', 'error', 'pong', 'pong'],
    ]);
    expect(messages[3]).toMatchObject({ items: [{ sub: subs[0] }, { sub: subs[2] }] });
  });

  test('refuses a frame that it does not know, and says what to do', async () => {
    const logged = jest.spyOn(console, 'error').mockReturnValue();
    const whatToDo = expect.stringContaining('the same version of this package');
    expect(await talk([{ type: 'vote', id: '1' }], 1)).toEqual([
      { type: 'error', id: '1', error: whatToDo, status: 400, code: 'bad_message' },
    ]);
    for (const frame of ['null', 'no JSON', '{"type":"vote"}']) expect(await talk([frame], 1)).toEqual([4000]);
    expect(logged.mock.calls).toEqual(Array(4).fill([whatToDo]));
  });
});
