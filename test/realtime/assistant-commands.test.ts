import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AssistantCall } from '../../server/assistant/assistant.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { badRequest, ServiceError, unavailable } from '../../server/contract/service-error.ts';
import { LocalRateLimiter } from '../../server/keys/rate-limiter.ts';
import type { RateLimit, RateLimiter } from '../../server/ports/rate-limiter.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { exampleAnswer } from '../support/contract.ts';
import { expectMessages, listener, startStream, type Listener, type Stream } from '../support/stream.ts';
import { otherKey } from '../support/service.ts';

type Answer = Schemas['AssistantAnswer'];
const answer = exampleAnswer('explainTweet') as Answer;

let stream: Stream;
let explain: (call: AssistantCall) => Promise<Answer>;
let calls = 0;
const listeners: Listener[] = [];
beforeAll(async () => {
  const counted = (call: AssistantCall): Promise<Answer> => {
    calls++;
    return explain(call);
  };
  stream = await startStream({ assistant: { explain: counted } });
});
afterEach(async () => {
  calls = 0;
  for (const each of listeners.splice(0)) {
    await expectMessages(each.messages);
    each.socket.terminate();
  }
});
afterAll(() => stream.stop());

async function listen(...options: [apiKey?: string]): Promise<Listener> {
  const made = await listener(stream.url, ...options);
  listeners.push(made);
  return made;
}
const ask = (id: string, more: object = {}) => ({ type: 'ask' as const, id, params: { tweet_id: '1' }, ...more });

test('streams an answer in parts that form its summary, then the complete answer', async () => {
  explain = async ({ onText, tweet_id, keyId }) => {
    expect([tweet_id, keyId]).toEqual(['1', 'test0001']);
    for (const piece of ['One ', '', 'two ', 'three.']) onText!(piece);
    return { ...answer, summary: 'One two three.' };
  };
  const each = await listen();
  const end = await each.ask(ask('a'));
  expect(end).toEqual({ type: 'answered', id: 'a', result: { ...answer, summary: 'One two three.' } });
  expect(each.of('answer').map(({ n, delta }) => [n, delta])).toEqual([
    [0, 'One '],
    [1, 'two '],
    [2, 'three.'],
  ]);
});

test.each<[string, Error, object]>([
  [
    'parameters that do not go together',
    badRequest("'conversation_id' requires 'prompt'"),
    { code: 'bad_params', status: 400, error: "'conversation_id' requires 'prompt'" },
  ],
  ['no such tweet', new ServiceError(404, 'tweet 1 not found'), { code: 'not_found', status: 404 }],
  ['a conversation that expired', new ServiceError(409, 'expired'), { code: 'conversation_expired', status: 409 }],
  ['no account', unavailable('none free', 90), { code: 'no_account', status: 503, retry_after_s: 90 }],
  ['a failure upstream', new ServiceError(502, 'the assistant failed'), { code: 'upstream_failed', status: 502 }],
  ['no response in time', new ServiceError(504, 'late'), { code: 'upstream_failed', status: 504 }],
  [
    'an internal fault, without its details',
    new Error('secret path /etc'),
    { code: 'internal', status: 500, error: 'internal error' },
  ],
])('%s: returns the same error as over HTTP', async (_name, error, expected) => {
  explain = () => Promise.reject(error);
  const each = await listen();
  expect(await each.ask(ask('a'))).toMatchObject({ type: 'error', id: 'a', ...expected });
});

test('can be cancelled: the client gets cancelled, no more parts, and the provider stops', async () => {
  const stopped = Promise.withResolvers<void>();
  explain = ({ signal, onText }) =>
    new Promise((_resolve, reject) => {
      onText!('begun');
      signal.addEventListener('abort', () => {
        onText!('too late');
        stopped.resolve();
        reject(unavailable('given up', 1));
      });
    });
  const each = await listen();
  each.send(ask('a'));
  await each.first('answer');
  expect(await each.ask({ type: 'cancel', id: 'a' })).toEqual({ type: 'cancelled', id: 'a' });
  await stopped.promise;
  await each.settled();
  expect(each.messages.filter((message) => 'id' in message && message.id === 'a').map(({ type }) => type)).toEqual([
    'answer',
    'cancelled',
  ]);
  // Its id is free again.
  explain = async () => answer;
  expect(await each.ask(ask('a'))).toMatchObject({ type: 'answered' });
});

test('allows two open questions on a connection, with different ids', async () => {
  const release = Promise.withResolvers<void>();
  explain = async () => (await release.promise, answer);
  const each = await listen();
  each.send(ask('a'));
  expect(await each.ask(ask('a'))).toMatchObject({ code: 'duplicate_id', status: 409 });
  each.send(ask('b'));
  expect(await each.ask(ask('c'))).toMatchObject({ code: 'too_many_requests', status: 429, retry_after_s: 1 });
  release.resolve();
  await each.first('answered', ({ id }) => id === 'a');
  await each.first('answered', ({ id }) => id === 'b');
  expect(await each.ask(ask('c'))).toMatchObject({ type: 'answered' });
});

test('a closed connection stops a question without an idempotency key; with one, the answer is stored for a retry', async () => {
  let stoppedPlain = false;
  const release = Promise.withResolvers<void>();
  explain = async ({ signal, prompt }) => {
    signal.addEventListener('abort', () => void (stoppedPlain ||= prompt === 'plain'));
    await release.promise;
    if (signal.aborted && prompt !== 'plain') throw new Error('stopped');
    return answer;
  };
  const gone = await listen();
  gone.send(ask('a', { params: { tweet_id: '1', prompt: 'plain' } }));
  gone.send(ask('b', { idempotency_key: 'k1' }));
  await gone.settled();
  gone.socket.terminate();
  await gone.closed;
  const each = await listen();
  const again = each.ask(ask('x', { idempotency_key: 'k1' }));
  const twice = each.ask(ask('y', { idempotency_key: 'k1' }));
  release.resolve();
  expect([await again, await twice]).toEqual([
    { type: 'answered', id: 'x', result: answer },
    { type: 'answered', id: 'y', result: answer },
  ]);
  expect([stoppedPlain, calls]).toEqual([true, 2]);

  expect(await each.ask(ask('z', { idempotency_key: 'k1', params: { tweet_id: '2' } }))).toMatchObject({
    code: 'bad_params',
    status: 422,
  });
  // The key of another caller is another key.
  const other = await listen(otherKey);
  expect(await other.ask(ask('x', { idempotency_key: 'k1' }))).toMatchObject({ type: 'answered' });
  expect(calls).toBe(3);
});

describe('the rate limit of a key', () => {
  const limit: RateLimit = { requests: 3, periodMs: 3_600_000 };
  const wait = /^rate limit exceeded; retry in \d+ s$/;
  const refused = { type: 'error', code: 'too_many_requests', status: 429, error: expect.stringMatching(wait) };

  /** A limiter that decides asynchronously, as one with shared storage does. */
  const later = (limiter: RateLimiter): RateLimiter => ({ consume: async (each) => limiter.consume(each) });

  test.each<[string, (limiter: RateLimiter) => RateLimiter]>([
    ['in this process', (limiter) => limiter],
    ['asynchronously', later],
  ])('holds for the questions of all its connections, decided %s', async (_how, adapter) => {
    explain = async () => answer;
    const limited = await startStream({
      assistant: { explain: async () => (calls++, answer) },
      rateLimiter: adapter(new LocalRateLimiter(limit)),
    });
    try {
      const [one, two, other] = await Promise.all([
        listener(limited.url),
        listener(limited.url),
        listener(limited.url, otherKey),
      ]);
      // Other commands consume nothing.
      await one.ask({ type: 'ping', id: 'p' });
      await one.ask({ type: 'subscribe', id: 's', channel: 'search:tweets', params: { query: 'a' } });
      await one.ask({ type: 'subscribe', id: 'd', channel: 'search:tweets', params: { query: 'a' }, dry_run: true });
      const ends = [];
      for (const [place, each] of [one, two, one, two, one].entries())
        ends.push(await each.ask(ask(`${place}`, { idempotency_key: 'same' })), await each.ask(ask(`n${place}`)));
      expect(ends.slice(0, 3).map(({ type }) => type)).toEqual(['answered', 'answered', 'answered']);
      for (const end of ends.slice(3)) expect(end).toMatchObject(refused);
      const { retry_after_s: seconds } = ends.at(-1) as Schemas['WsError'];
      expect(seconds).toBeGreaterThan(1_000);
      expect(seconds).toBeLessThanOrEqual(1_200);
      // The second question repeated the first one; a refused one reaches no account.
      expect(calls).toBe(2);
      // The key of another caller has a bucket of its own.
      expect(await other.ask(ask('o'))).toMatchObject({ type: 'answered' });
      for (const each of [one, two, other]) {
        await expectMessages(each.messages);
        each.socket.terminate();
      }
    } finally {
      await limited.stop();
    }
  });

  test('answers with 503 while the storage of the buckets cannot be reached', async () => {
    const limited = await startStream({
      rateLimiter: { consume: () => Promise.reject(new StoreError('away')) },
    });
    try {
      const each = await listener(limited.url);
      expect(await each.ask(ask('a'))).toMatchObject({ type: 'error', status: 503, retry_after_s: 1 });
      await expectMessages(each.messages);
      each.socket.terminate();
    } finally {
      await limited.stop();
    }
  });
});
