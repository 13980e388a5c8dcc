import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { createClient, StreamError } from '../../../client/src/index.ts';
import type { Schemas } from '../../../server/contract/operations.ts';
import { expectSchema } from '../../support/contract.ts';
import { startServer, temporaryFolder, type RunningServer } from '../../support/server.ts';

const key = 'a-key-of-mine';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let mock: RunningServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  mock = await startServer(folder.path, {}, ['--keys', key], 'scripts/testing/mock/main.ts');
});
afterAll(async () => {
  await mock?.end('SIGKILL');
  await folder?.dispose();
});

/** Sends commands; resolves with so many messages, each checked against the contract. */
async function talk(commands: readonly object[], count: number): Promise<Schemas['WsServerMessage'][]> {
  const socket = new WebSocket(`${mock.url.replace('http', 'ws')}/ws`, { headers: { 'x-api-key': key } });
  const messages: Schemas['WsServerMessage'][] = [];
  await new Promise<void>((resolve) => {
    socket.on('open', () => commands.forEach((command) => socket.send(JSON.stringify(command))));
    socket.on('message', (data: Buffer) => {
      if (messages.push(JSON.parse(String(data)) as Schemas['WsServerMessage']) === count) resolve();
    });
  });
  socket.close();
  for (const message of messages) await expectSchema('WsServerMessage', message);
  return messages;
}

const channels: [Schemas['WsChannel'], Schemas['WsParams']][] = [
  ['search:tweets', { query: 'coffee' }],
  ['user:tweets', { username: 'mira_codes' }],
  ['user:mentions', { username: 'mira_codes' }],
  ['tweet:replies', { tweet_id: '1' }],
  ['tweet:engagement', { tweet_id: '1' }],
  ['community:tweets', { id: '1' }],
  ['community:members', { username: 'mira_codes' }],
  ['assistant:pool', {}],
];

describe('/ws of the mock', () => {
  test.each(channels)('a subscription to %s receives the example of its channel', async (channel, params) => {
    const messages = await talk([{ type: 'subscribe', id: '1', channel, params }], 3);
    expect(messages).toMatchObject([
      { type: 'connected' },
      { type: 'subscribed', id: '1', sub: 's1', channel, params },
      { type: 'event', subs: ['s1'], channel },
    ]);
  });

  test.each([
    [
      { type: 'ping', id: '7' },
      { type: 'pong', id: '7' },
    ],
    [
      { type: 'subscribe', id: '3', channel: 'search:tweets', params: { query: 'x' }, dry_run: true },
      { type: 'subscribed', id: '3', sub: null },
    ],
    [
      { type: 'subscribe', id: '1', channel: 'search:tweets', params: { username: 'x' } },
      { type: 'error', id: '1', status: 400, error: "'search:tweets' has no parameter 'username': send 'query'" },
    ],
    [
      { type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: 'filter:vidoes' } },
      { type: 'error', code: 'bad_query' },
    ],
    [
      { type: 'subscribe', id: '1', channel: 'user:tweets', params: { username: 'x' }, cursor: 'other.1' },
      { type: 'error', code: 'epoch_changed' },
    ],
    [
      { type: 'unsubscribe', id: '4', sub: 's9' },
      { type: 'error', code: 'unknown_subscription', status: 404 },
    ],
    [
      { type: 'subscriptions', id: '5' },
      { type: 'subscriptions', id: '5', items: [] },
    ],
    [
      { type: 'cancel', id: '6' },
      { type: 'cancelled', id: '6' },
    ],
    [{ type: 'nonsense' }, { type: 'error', code: 'bad_message', status: 400 }],
  ])('responds to %j with %j', async (command, answer) => {
    expect((await talk([command], 2))[1]).toMatchObject(answer);
  });

  test('streams an answer in parts, then completely', async () => {
    const [, piece, whole] = await talk([{ type: 'ask', id: '6', params: { tweet_id: '1' } }], 3);
    expect(piece).toMatchObject({ type: 'answer', id: '6', n: 0 });
    expect(whole).toMatchObject({
      type: 'answered',
      id: '6',
      result: { summary: (piece as Schemas['WsAnswer']).delta },
    });
  });

  test('the published client subscribes; rejects other keys', async () => {
    const client = createClient({ baseUrl: mock.url, apiKey: key });
    for await (const happened of client.events({ search: 'coffee' })) {
      expect(happened).toMatchObject({
        event: 'tweet.created',
        data: { text: expect.any(String) },
        cursor: expect.stringMatching(/^mock\.\d+$/),
      });
      break;
    }
    const wrong = createClient({ baseUrl: mock.url, apiKey: 'another-key' });
    await expect(wrong.events({ pool: true }).next()).rejects.toThrow(StreamError);
  });
});
