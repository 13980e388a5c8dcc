import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, NotFoundError, type SocialDataClient } from '../../client/src/index.ts';
import { operationIds, type OperationId } from '../../server/contract/operations.ts';
import { clientArgument, clientMethod, clientName } from '../support/client-method.ts';
import { expectAnswer, expectSchema, plainIds } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const key = 'a-key-for-the-client-tests';
const tweet_id = '1890000000000000001';
const username = 'mira_codes';
const id = '1700000000000000001';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let client: SocialDataClient;
/** Of a saved search with a webhook; the examples name another one. */
let searchId: string;
const namedSearch = 's_4nT0aY2kQe7m';
const withSearch = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value ?? {}).replaceAll(namedSearch, searchId)) as Value;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: key, WEBHOOKS: 'private' });
  client = createClient({ baseUrl: server.url, apiKey: key });
  const search = { name: 'coffee', query: 'coffee', url: 'http://127.0.0.1:9/' };
  searchId = (await client.searches.createSavedSearch(search)).id;
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

/** Every operation as the client calls it, and the schema of what it answers, or its name. */
const calls: [method: string, schema: string, call: () => PromiseLike<unknown>][] = [
  ['tweet.assistant', 'AssistantAnswer', () => client.tweet.assistant({ tweet_id })],
  ['assistant.status', 'PoolStatus', () => client.assistant.status()],
  ['user.lastTweets', 'LastTweetsPage', () => client.user.lastTweets({ username, limit: 3 })],
  ['user.highlights', 'TweetPage', () => client.user.highlights({ username })],
  ['user.followings', 'FollowingPage', () => client.user.followings({ user_id: '4200000001' })],
  ['user.mentions', 'TweetShortPage', () => client.user.mentions({ username, since_time: 0 })],
  ['tweet.replies', 'RepliesPage', () => client.tweet.replies({ tweet_id })],
  ['tweet.retweeters', 'RetweetersPage', () => client.tweet.retweeters({ tweet_id })],
  [
    'tweet.advancedSearch',
    'TweetShortPage',
    () => client.tweet.advancedSearch({ query: '(coffee OR code) -from:nobody', query_type: 'Top' }),
  ],
  ['community.discover', 'TweetShortPage', () => client.community.discover({ id })],
  ['community.media', 'TweetShortPage', () => client.community.media({ id })],
  ['community.members', 'CommunitiesPage', () => client.community.members({ username })],
  ['space.detail', 'Space', () => client.space.detail({ id: '1vSampleSpace1' })],
  ['tweet.unlike', 'UnlikeResult', () => client.tweet.unlike({ tweet_id })],
];

/** What was added since, called as the examples of the contract say. */
const added = plainIds
  .filter((operation) => !calls.some(([name]) => name === clientName(operation)))
  .map((operation): (typeof calls)[number] => [
    clientName(operation),
    operation,
    () => clientMethod(client, operation)(withSearch(clientArgument(operation))),
  ]);

describe('against a real server', () => {
  test.each([...calls, ...added])('client.%s returns a %s', async (_name, schema, call) => {
    // The validator takes only objects of its own realm.
    const body: unknown = JSON.parse(JSON.stringify(await call()));
    if (operationIds.includes(schema as OperationId)) await expectAnswer(schema as OperationId, body);
    else await expectSchema(schema, body);
  });

  test('every operation of the contract has a method, and there is no other', () => {
    const named = operationIds.map(clientName);
    const methods = Object.entries(client)
      .filter(([, group]) => typeof group === 'object')
      .flatMap(([group, found]) => Object.keys(found as object).map((name) => `${group}.${name}`));
    expect(methods.sort()).toEqual([...named, 'assistant.explain', 'assistant.resume', 'assistant.stream'].sort());
  });

  test('the example in the documentation of every method runs', async () => {
    const text = await readFile(new URL('../../generated/client.ts', import.meta.url), 'utf8');
    const codes = Array.from(text.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code!.replace(/^ +\* ?/gm, ''));
    // What the contract has no example of is left to the reader.
    const examples = codes.filter((code) => !code.includes('…'));
    expect(examples.length).toBeGreaterThan(calls.length);
    // The last one, so that the others have it.
    const ordered = examples.toSorted((a, b) => Number(a.includes('.delete')) - Number(b.includes('.delete')));
    for (const code of ordered.map((each) => each.replaceAll(namedSearch, searchId))) {
      const printed: unknown[] = [];
      const example = new Function('client', 'console', `return (async () => { ${code} })();`) as (
        client: SocialDataClient,
        console: object,
      ) => Promise<void>;
      // A stream of events has no end.
      const isEndless = code.includes('streamEvents');
      const log = (item: unknown): void => {
        printed.push(item);
        if (isEndless) throw new Error('enough');
      };
      await example(client, { log }).catch((error: Error) => {
        if (error.message !== 'enough') throw error;
      });
      // Nobody quotes the tweet of the example.
      if (code.includes('for await') && !code.includes('tweet.quotes('))
        expect([code, printed.length > 0]).toEqual([code, true]);
    }
  });

  test.each(['header', 'bearer', 'query'] as const)('sends the key as %s', async (keyIn) => {
    const other = createClient({ baseUrl: server.url, apiKey: () => Promise.resolve(key), keyIn });
    expect(await other.assistant.status()).toMatchObject({ capable: 5 });
  });

  test('client.GET and client.POST are those of openapi-fetch', async () => {
    const { data, error, response } = await client.GET('/social/user/last_tweets', {
      params: { query: { username, limit: 1 } },
    });
    expect(data!.tweets).toHaveLength(1);
    expect(error).toBeUndefined();
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect((await client.POST('/social/tweet/unlike', { body: { tweet_id } })).data).toEqual({ success: false });
    const missing = await client.GET('/social/space/detail', { params: { query: { id: 'nowhere' } } });
    expect(missing.error).toEqual({ error: 'space nowhere not found' });
    expect(missing.response.status).toBe(404);
  });

  test('withResponse returns response, request id and rate limit; result returns errors', async () => {
    const whole = await client.space.detail({ id: '1vSampleSpace1' }).withResponse();
    expect(whole).toMatchObject({
      data: { state: 'ended' },
      requestId: expect.stringMatching(/./),
      rateLimit: { limit: 6000, windowSeconds: 60 },
    });
    expect(whole.rateLimit!.remaining).toBeLessThan(6000);
    expect(await client.space.detail({ id: 'nowhere' }).result()).toMatchObject({ ok: false, error: { status: 404 } });
    const found = await client.space.detail({ id: '1vSampleSpace1' }).result();
    expect(found.ok && found.data.host.username).toBe(username);
    await expect(client.space.detail({ id: 'nowhere' })).rejects.toThrow(NotFoundError);
  });

  test('a read reflects the writes of the same client: it carries the position of the last one', async () => {
    const sent: unknown[] = [];
    const own = createClient({
      baseUrl: server.url,
      apiKey: key,
      fetch(url, init) {
        sent.push(new Headers(init.headers).get('x-event-cursor'));
        return fetch(url, init);
      },
    });
    const { response } = await own.tweet.unlike({ tweet_id: '1890000000000000002' }).withResponse();
    const written = response.headers.get('x-event-cursor');
    const read = await own.space.detail({ id: '1vSampleSpace1' }).withResponse();
    expect(sent).toEqual([null, written]);
    expect(written).toMatch(/^[\w-]+\.\d+$/);
    expect(read.response.status).toBe(200);
  });
});
