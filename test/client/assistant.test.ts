import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ConversationExpiredError,
  createClient,
  NotFoundError,
  type SocialDataClient,
} from '../../client/src/index.ts';
import { json, startScripted } from '../support/scripted.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const tweetId = '1890000000000000001';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let client: SocialDataClient;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: 'one-key-of-two,another-key-of-two' });
  client = createClient({ baseUrl: server.url, apiKey: 'one-key-of-two' });
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

describe('a conversation with the assistant of a real server', () => {
  test('starts with an explanation and continues with questions of the pool', async () => {
    const before = (await client.assistant.status()).capacity.used_24h;
    const chat = await client.assistant.explain(tweetId, { suggest: 'ticker' });
    expect(chat.answer).toMatchObject({
      tweet_id: tweetId,
      conversation_id: chat.conversationId,
      tickers: expect.any(Array),
    });
    const answer = await chat.ask('What does it say?');
    expect(answer.summary).toMatch(/./);
    expect(chat.answer).toBe(answer);
    expect((await client.assistant.status()).capacity.used_24h - before).toBe(2);
  });

  test('streams an answer of the pool in parts', async () => {
    const stream = client.assistant.stream({ tweet_id: tweetId });
    let text = '';
    for await (const part of stream) text += part;
    const answer = await stream.answer();
    expect(answer).toMatchObject({ tweet_id: tweetId, summary: text, conversation_id: expect.stringMatching(/./) });
    const missing = client.assistant.stream({ tweet_id: '1' });
    await expect(missing.answer()).rejects.toBeInstanceOf(NotFoundError);
  });

  test('continues from its id, but not for another key', async () => {
    const { conversationId } = await client.assistant.explain(tweetId);
    expect((await client.assistant.resume(conversationId).ask('And why?')).tweet_id).toBe(tweetId);
    const other = createClient({ baseUrl: server.url, apiKey: 'another-key-of-two' });
    await expect(other.assistant.resume(conversationId).ask('And why?')).rejects.toBeInstanceOf(NotFoundError);
  });

  test('expires with an error, and a new one starts with the tweet', async () => {
    const place = await temporaryFolder();
    const forgetful = await startLocalServer(place.path, { API_KEYS: 'one-key-of-two', CONVERSATION_TTL: '1' });
    try {
      const other = createClient({ baseUrl: forgetful.url, apiKey: 'one-key-of-two' });
      const chat = await other.assistant.explain(tweetId);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      const error = await chat.ask('Still there?').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConversationExpiredError);
      expect(error).toMatchObject({ status: 409, attempts: 1, requestId: expect.stringMatching(/./) });
      expect((await other.assistant.explain(tweetId)).conversationId).not.toBe(chat.conversationId);
    } finally {
      await forgetful.end();
      await place.dispose();
    }
  });
});

test('a question has the timeout of the contract, not of a read', async () => {
  const slow = await startScripted((_request, response) =>
    json(response, 200, { tweet_id: '1', conversation_id: 'c', capable: 5 }),
  );
  const times: number[] = [];
  const real = globalThis.setTimeout;
  globalThis.setTimeout = ((callback: () => void, ms: number) => (
    times.push(ms),
    real(callback, ms)
  )) as typeof setTimeout;
  try {
    const other = createClient({ baseUrl: slow.url, apiKey: null });
    await other.assistant.explain(tweetId);
    await other.assistant.status();
    expect(times.filter((ms) => ms >= 30_000)).toEqual([150_000, 30_000]);
  } finally {
    globalThis.setTimeout = real;
    await slow.stop();
  }
});
