/** Questions without a socket. `test/realtime/assistant-commands.test.ts` asks them over a WebSocket. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AssistantCall } from '../../server/assistant/assistant.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { notFound } from '../../server/contract/service-error.ts';
import { answerRetentionMs, Asks, type AskCaller } from '../../server/realtime/asks.ts';
import { Deletions, unknownTweets } from '../../server/realtime/deletions.ts';
import type { ServerMessage } from '../../server/realtime/messages.ts';
import { exampleAnswer } from '../support/contract.ts';

type Answer = Schemas['AssistantAnswer'];
const { cited_tweets: _, ...example } = exampleAnswer('explainTweet') as Answer;
const answer: Answer = { ...example, tweet_id: '1' };

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** The questions of connections `a` and `b`; each call of the assistant waits until a test ends it. */
function asksOf(maxOpen = 2) {
  const deletions = new Deletions();
  const faults: unknown[] = [];
  const calls: (AssistantCall & PromiseWithResolvers<Answer>)[] = [];
  const explain = (call: AssistantCall): Promise<Answer> => {
    const waiting = Promise.withResolvers<Answer>();
    calls.push({ ...call, ...waiting });
    return waiting.promise;
  };
  const asks = new Asks({ explain }, maxOpen, (...fault) => void faults.push(fault), deletions);
  const callerOf = (connectionId: string) => {
    const sent: ServerMessage[] = [];
    const closing = new AbortController();
    const caller: AskCaller = {
      ...{ keyId: 'k', connectionId, signal: closing.signal },
      send: (message) => void sent.push(message),
    };
    const ask = (id: string, more: object = {}): void =>
      asks.ask({ type: 'ask', id, params: { tweet_id: '1' }, ...more }, caller);
    return { caller, sent, close: () => closing.abort(), ask };
  };
  return { asks, deletions, faults, calls, one: callerOf('a'), two: callerOf('b') };
}
const turn = (): Promise<void> => new Promise(setImmediate);

describe('an open question', () => {
  test('is limited for each connection, and its id is free again afterwards', async () => {
    const { one, two, calls, asks, deletions } = asksOf();
    for (const id of ['x', 'y']) one.ask(id);
    expect(() => one.ask('x')).toThrow(
      expect.objectContaining({
        ...{ code: 'duplicate_id', status: 409, id: 'x', details: {} },
        message: "'x' is open on this connection: use another id for each question",
      }),
    );
    expect(() => one.ask('z')).toThrow(
      expect.objectContaining({
        ...{ code: 'too_many_requests', status: 429, id: 'z', details: { retry_after_s: 1 } },
        message: 'this connection has 2 open questions, the maximum: wait for an answer',
      }),
    );
    two.ask('x');
    calls[0]!.resolve(answer);
    await turn();
    expect(one.sent).toEqual([{ type: 'answered', id: 'x', result: answer }]);
    expect(() => one.ask('y')).toThrow(expect.objectContaining({ code: 'duplicate_id' }));
    one.ask('x');
    expect([calls.length, asks.isEmpty]).toEqual([4, false]);
    for (const { resolve } of calls) resolve(answer);
    await turn();
    expect([asks.isEmpty, deletions.isIdle]).toEqual([true, true]);
  });

  test('sends the parts of the answer by their numbers, without empty ones', async () => {
    const { one, calls } = asksOf();
    one.ask('x');
    for (const piece of ['a', '', 'b']) calls[0]!.onText!(piece);
    expect(one.sent).toEqual([
      { type: 'answer', id: 'x', n: 0, delta: 'a' },
      { type: 'answer', id: 'x', n: 1, delta: 'b' },
    ]);
  });

  test('that is cancelled or whose connection closes stops, and sends nothing more', async () => {
    const { one, two, calls, asks } = asksOf();
    one.ask('x');
    two.ask('y');
    asks.cancel('x', one.caller);
    two.close();
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    for (const { onText, resolve } of calls) {
      onText!('late');
      resolve(answer);
    }
    await turn();
    expect([one.sent, two.sent, asks.isEmpty]).toEqual([[{ type: 'cancelled', id: 'x' }], [], true]);
  });

  test('belongs to its connection: another one cannot cancel it', () => {
    const { one, two, asks } = asksOf();
    one.ask('x');
    for (const [id, each] of [
      ['x', two],
      ['y', one],
    ] as const)
      expect(() => asks.cancel(id, each.caller)).toThrow(
        expect.objectContaining({
          ...{ code: 'bad_params', status: 404, id, message: `this connection has no open question '${id}'` },
        }),
      );
  });

  test('that fails is answered, and a fault of the server is reported, too', async () => {
    const { one, calls, faults } = asksOf();
    const fault = new Error('a fault');
    for (const id of ['x', 'y']) one.ask(id);
    calls[0]!.reject(notFound('tweet 1'));
    calls[1]!.reject(fault);
    await turn();
    expect(one.sent).toMatchObject([
      { type: 'error', id: 'x', code: 'not_found', error: 'tweet 1 not found' },
      { type: 'error', id: 'y', code: 'internal', error: 'internal error' },
    ]);
    expect(faults).toEqual([['a question failed', fault]]);
  });
});

describe('a question with an idempotency key', () => {
  const keyed = { idempotency_key: 'k1' };

  test('goes on after its connection has closed, and the next one has its answer', async () => {
    const { one, two, calls, asks } = asksOf();
    one.ask('x', keyed);
    one.close();
    expect(calls[0]!.signal.aborted).toBe(false);
    two.ask('y', { ...keyed, params: { tweet_id: '1' } });
    calls[0]!.resolve(answer);
    await turn();
    two.ask('z', keyed);
    await turn();
    expect([one.sent, two.sent, calls.length]).toEqual([
      [],
      ['y', 'z'].map((id) => ({ type: 'answered', id, result: answer })),
      1,
    ]);
    // A stored answer is data of a tweet.
    expect(asks.isEmpty).toBe(false);
  });

  test('is the same for the same parameters in another order, and not for others', () => {
    const { one, calls } = asksOf(9);
    one.ask('x', { ...keyed, params: { tweet_id: '1', prompt: 'why' } });
    one.ask('y', { ...keyed, params: { prompt: 'why', tweet_id: '1' } });
    expect(calls).toHaveLength(1);
    expect(() => one.ask('z', keyed)).toThrow(
      expect.objectContaining({
        ...{ code: 'bad_params', status: 422, id: 'z' },
        message: "this 'idempotency_key' was used for another question",
      }),
    );
  });

  test('is asked again after ten minutes', () => {
    const { one, calls } = asksOf(9);
    one.ask('a', keyed);
    jest.advanceTimersByTime(answerRetentionMs - 1);
    one.ask('b', keyed);
    expect(calls).toHaveLength(1);
    jest.advanceTimersByTime(1);
    one.ask('c', keyed);
    expect(calls).toHaveLength(2);
  });

  test('is asked again when a thousand newer ones are stored', () => {
    const { one, calls } = asksOf(9_999);
    for (let n = 0; n <= 1_000; n++) one.ask(`${n}`, { idempotency_key: `${n}` });
    one.ask('last', { idempotency_key: '1000' });
    one.ask('second', { idempotency_key: '1' });
    expect(calls).toHaveLength(1_001);
    one.ask('first', { idempotency_key: '0' });
    expect(calls).toHaveLength(1_002);
  });
});

describe('a deleted tweet', () => {
  const keyed = { idempotency_key: 'k1' };

  test('ends the open questions about it with 404, once, and no others', async () => {
    const { one, two, calls, deletions } = asksOf();
    one.ask('x');
    one.ask('y', { params: { tweet_id: '2' } });
    two.ask('z', { params: { conversation_id: 'c', prompt: 'why' } });
    deletions.publish(new Set(['1']));
    deletions.publish(new Set(['1']));
    expect(one.sent).toMatchObject([{ type: 'error', id: 'x', code: 'not_found', error: 'tweet 1 not found' }]);
    expect([calls.map(({ signal }) => signal.aborted), two.sent]).toEqual([[true, false, false], []]);
    deletions.publish(unknownTweets);
    expect(calls[1]!.signal.aborted).toBe(false);
  });

  test('sends nothing to a connection that has closed, and stops its question', () => {
    const { one, calls, deletions } = asksOf();
    one.ask('x', keyed);
    one.close();
    deletions.publish(new Set(['1']));
    expect([one.sent, calls[0]!.signal.aborted]).toEqual([[], true]);
  });

  test.each<[string, object, Partial<Answer>, string]>([
    ['the tweet of a conversation', { conversation_id: 'c', prompt: 'p' }, { tweet_id: '7' }, '7'],
    ['a cited tweet', { tweet_id: '1' }, { cited_tweets: ['8', '9'] }, '9'],
  ])('while the answer is made: %s makes it 404', async (_what, params, more, id) => {
    const { one, calls, deletions } = asksOf();
    one.ask('x', { params });
    const [call] = calls;
    for (const each of ['3', id]) deletions.publish(new Set([each]));
    call!.resolve({ ...answer, ...more });
    await turn();
    expect(one.sent).toMatchObject([{ type: 'error', id: 'x', code: 'not_found', error: `tweet ${id} not found` }]);
  });

  test.each<[string, object, Partial<Answer>, string, boolean]>([
    ['the tweet of the question', { tweet_id: '1' }, {}, '1', true],
    ['the tweet of a conversation', { conversation_id: 'c', prompt: 'p' }, { tweet_id: '7' }, '7', true],
    ['a cited tweet', { tweet_id: '1' }, { cited_tweets: ['8', '9'] }, '9', true],
    ['a tweet that the assistant has read', { tweet_id: '1' }, {}, '30', true],
    ['another tweet', { tweet_id: '1' }, { cited_tweets: ['8'] }, '5', false],
  ])('%s: whether the stored answer is dropped', async (_what, params, more, id, isDropped) => {
    const { one, calls, deletions } = asksOf();
    one.ask('x', { ...keyed, params });
    calls[0]!.used!.addUsed({ tweetIds: new Set(['30']), userIds: new Set() });
    calls[0]!.resolve({ ...answer, ...more });
    await turn();
    deletions.publish(new Set([id]));
    one.ask('y', { ...keyed, params });
    expect(calls).toHaveLength(isDropped ? 2 : 1);
  });
});
