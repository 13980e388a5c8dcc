import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { setupServer } from 'msw/node';
import { ConnectionError, createClient, type Tweet } from '../../client/src/index.ts';
import { createMocks } from '../../client/src/msw.ts';
import { contract, exampleAnswer, expectSchema } from '../support/contract.ts';

const baseUrl = 'http://social.test';
const mocks = createMocks({ baseUrl });
const server = setupServer(...mocks.handlers);
const client = createClient({ baseUrl, apiKey: 'k', retry: false });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
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
