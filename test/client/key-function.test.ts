/** A client whose key is a function, against a real server: tokens of a key, and what the service refuses. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { ApiError, createClient, StreamError, type SocialDataClient } from '../../client/src/index.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const key = 'a-key-for-this-test';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let maker: SocialDataClient;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: key });
  maker = createClient({ baseUrl: server.url, apiKey: key });
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

/** A client with tokens that end after `ttl` seconds, and how many it has asked for. */
function withTokens(ttl = 600): { client: SocialDataClient; asked: () => number } {
  let count = 0;
  const client = createClient({
    baseUrl: server.url,
    apiKey: () => {
      count++;
      return maker.token.create({ ttl_seconds: ttl });
    },
  });
  return { client, asked: () => count };
}

test('a token is used until shortly before its end, and then replaced, once for all calls', async () => {
  const { client, asked } = withTokens(100);
  for (let calls = 0; calls < 3; calls++) await client.assistant.status();
  expect(asked()).toBe(1);
  const start = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(start + 75_000);
  await client.assistant.status();
  expect(asked()).toBe(1);
  jest.spyOn(Date, 'now').mockReturnValue(start + 85_000);
  await Promise.all([client.assistant.status(), client.assistant.status(), client.assistant.status()]);
  expect(asked()).toBe(2);
});

test('a token that the service refuses is replaced, and the call is repeated once', async () => {
  const answers = [{ token: 'sdt_x.y', expires_at: '2999-01-01T00:00:00Z' }, await maker.token.create({})];
  let count = 0;
  const client = createClient({ baseUrl: server.url, apiKey: async () => answers[count++]! });
  expect(await client.assistant.status()).toMatchObject({ capable: 5 });
  await client.assistant.status();
  expect(count).toBe(2);
});

test('a function with the same key again ends the call with its 401, after one request', async () => {
  const sent: string[] = [];
  const client = createClient({
    baseUrl: server.url,
    apiKey: () => 'wrong',
    fetch: (url, init) => (sent.push(url), fetch(url, init)),
  });
  await expect(client.assistant.status()).rejects.toMatchObject({ status: 401 });
  expect(sent).toHaveLength(1);
  await expect(client.assistant.status()).rejects.toThrow(ApiError);
});

test('a function with two wrong keys ends the call with the second 401', async () => {
  let count = 0;
  const client = createClient({ baseUrl: server.url, apiKey: () => `wrong ${count++}` });
  await expect(client.assistant.status()).rejects.toMatchObject({ status: 401 });
  expect(count).toBe(2);
});

test('an event stream asks for another key where the first one is refused, and ends where there is none', async () => {
  const good = await maker.token.create({ scopes: ['events'] });
  const answers = ['sdt_x.y', good];
  let count = 0;
  const client = createClient({ baseUrl: server.url, apiKey: () => answers[count++] ?? good });
  const stream = client.events({ search: 'coffee' });
  await stream.ready();
  stream.close();
  expect(count).toBe(2);
  const refused = createClient({ baseUrl: server.url, apiKey: () => 'wrong' });
  await expect(refused.events({ search: 'coffee' }).ready()).rejects.toThrow(StreamError);
});

test('an event stream goes on with a new token when the old one ends', async () => {
  const { client, asked } = withTokens(60);
  const again = Promise.withResolvers<void>();
  const codes: number[] = [];
  let opened = 0;
  const stream = client.events(
    { search: 'coffee' },
    { onOpen: () => ++opened === 2 && again.resolve(), onReconnect: ({ closeCode }) => codes.push(closeCode) },
  );
  await stream.ready();
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
  void stream.next();
  await again.promise;
  stream.close();
  expect([codes, asked()]).toEqual([[4202], 2]);
});
