/** The behaviour of every adapter of the conversations port. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../server/contract/service-error.ts';
import type { Turn } from '../../server/ports/assistant-provider.ts';
import type { Conversation, Conversations, TweetsAndUsers } from '../../server/ports/conversations.ts';

export interface ConversationTestOptions {
  /** Time after the last use when a conversation expires, in milliseconds. */
  readonly ttlMs: number;
  /** Maximum time that a call waits for earlier calls of the same conversation, in milliseconds. */
  readonly waitMs: number;
  readonly maxConversations: number;
  readonly now: () => number;
}

/** Storage that outlives the conversations that are opened on it. */
export interface ConversationStorage {
  /** Opens the conversations, as a new process does. */
  open(options: ConversationTestOptions): Promise<Conversations>;
  close(): Promise<void>;
  /** Every write fails from now on, until `repairWrites`. */
  failWrites(): void | Promise<void>;
  repairWrites(): void | Promise<void>;
  dispose(): Promise<void>;
}

const hour = 3_600_000;
const never = new AbortController().signal;
const turn = (n: number, answer = `answer ${n}`): Turn => ({ prompt: n === 0 ? null : `question ${n}`, answer });
const tweets = (...ids: string[]): TweetsAndUsers => ({ tweetIds: new Set(ids), userIds: new Set() });
const users = (...ids: string[]): TweetsAndUsers => ({ tweetIds: new Set(), userIds: new Set(ids) });
const nothing = tweets();
const status = (code: ServiceError['status']): Partial<ServiceError> => ({ status: code });

/** Storage, a clock that the test moves, and the conversations of the current process. */
class ConversationTest {
  time = Date.UTC(2026, 8, 1);
  readonly storage: ConversationStorage;
  #conversations: Conversations | undefined;

  constructor(storage: ConversationStorage) {
    this.storage = storage;
  }

  async open({ waitMs = hour, maxConversations = 100 } = {}): Promise<Conversations> {
    if (this.#conversations !== undefined) await this.storage.close();
    this.#conversations = await this.storage.open({ ttlMs: hour, waitMs, maxConversations, now: () => this.time });
    return this.#conversations;
  }

  async dispose(): Promise<void> {
    await this.storage.repairWrites();
    if (this.#conversations !== undefined) await this.storage.close();
    await this.storage.dispose();
  }
}

/** Starts a conversation with one turn. */
async function begin(
  conversations: Conversations,
  { keyId = 'key', tweetId = '1', used = nothing } = {},
): Promise<string> {
  const conversation = await conversations.start(keyId, tweetId);
  await conversation.append(turn(0), used);
  conversation.release();
  return conversation.id;
}

/** The turns of a conversation, read by a call of its own. */
async function turnsOf(conversations: Conversations, id: string): Promise<readonly Turn[]> {
  const conversation = await conversations.resume('key', id, never);
  conversation.release();
  return conversation.turns;
}

/** Whether a promise is settled when all other work that is due is done. */
const isSettled = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20)),
  ]);

/** The suite for one adapter. */
export function describeConversations(name: string, create: () => Promise<ConversationStorage>): void {
  describe(name, () => {
    let current: ConversationTest;
    beforeEach(async () => void (current = new ConversationTest(await create())));
    afterEach(() => current.dispose());
    const context = (): ConversationTest => current;

    describe('a conversation', () => {
      describeTurns(context);
    });
    describe('the calls of a conversation', () => {
      describeCalls(context);
    });
    describe('expiry', () => {
      describeExpiry(context);
    });
    describe('the end of conversations that have used a tweet or a user', () => {
      describeEnd(context);
    });
  });
}

type Context = () => ConversationTest;

function describeEnd(context: Context): void {
  test('those about the tweet, and those that have used it, count as expired, also after a restart; the others stay', async () => {
    const conversations = await context().open();
    const [about, using, other] = [
      await begin(conversations),
      await begin(conversations, { tweetId: '2', used: tweets('1', '3') }),
      await begin(conversations, { tweetId: '2', used: tweets('3') }),
    ];
    expect([...conversations.usedTweets()].toSorted()).toEqual(['1', '2', '3']);
    expect(conversations.countUsing(tweets('1', '77'))).toBe(2);
    expect(await conversations.endUsing(tweets('1', '77'))).toBe(2);
    expect(await conversations.endUsing(tweets('1', '77'))).toBe(0);
    for (const each of [conversations, await context().open()]) {
      expect(each.countUsing(tweets('1'))).toBe(0);
      for (const id of [about, using]) await expect(each.resume('key', id, never)).rejects.toMatchObject(status(409));
      expect(await turnsOf(each, other)).toEqual([turn(0)]);
    }
  });

  test('those that have used a profile of the user end', async () => {
    const conversations = await context().open();
    const id = await begin(conversations, { used: users('7') });
    expect([conversations.countUsing(users('1')), conversations.countUsing(users('7', '8'))]).toEqual([0, 1]);
    expect(await conversations.endUsing(users('7'))).toBe(1);
    await expect(conversations.resume('key', id, never)).rejects.toMatchObject(status(409));
  });

  test('what the answers have used adds up, also that of turns beyond the limit, and after a purge and a restart', async () => {
    const conversations = await context().open();
    const long = await conversations.start('key', '1');
    for (let n = 0; n < 25; n++) await long.append(turn(n), tweets(`${100 + n}`));
    long.release();
    await conversations.purge();
    const restarted = await context().open();
    const resumed = await restarted.resume('key', long.id, never);
    resumed.release();
    const expected = ['1', ...Array.from({ length: 25 }, (_, n) => `${100 + n}`)];
    expect([...resumed.used.tweetIds].toSorted()).toEqual(expected.toSorted());
    expect(await restarted.endUsing(tweets('100'))).toBe(1);
    await expect(restarted.resume('key', long.id, never)).rejects.toMatchObject(status(409));
  });

  test('a conversation in use ends too: its call stores nothing, and a call that waits is refused', async () => {
    const conversations = await context().open();
    const id = await begin(conversations);
    const inUse = await conversations.resume('key', id, never);
    const waiting = conversations.resume('key', id, never);
    const refused = waiting.then(
      () => 'resumed',
      (error: unknown) => error,
    );
    expect(await conversations.endUsing(tweets('1'))).toBe(1);
    await expect(inUse.append(turn(1), nothing)).rejects.toMatchObject(status(409));
    inUse.release();
    expect(await refused).toMatchObject(status(409));
    const later = await context().open();
    await expect(later.resume('key', id, never)).rejects.toMatchObject(status(409));
  });

  test('a conversation that has used more than 10,000 tweets and users ends with its answer', async () => {
    const conversations = await context().open();
    const id = await begin(conversations, { used: tweets(...Array.from({ length: 9_990 }, (_, n) => `${n + 1}`)) });
    const resumed = await conversations.resume('key', id, never);
    await resumed.append(turn(1), users(...Array.from({ length: 11 }, (_, n) => `${n + 1}`)));
    resumed.release();
    for (const each of [conversations, await context().open()])
      await expect(each.resume('key', id, never)).rejects.toMatchObject(status(409));
  });
}

function describeTurns(context: Context): void {
  test('has its tweet and its turns in order, also after a restart', async () => {
    const conversations = await context().open();
    const id = await begin(conversations, { tweetId: '42' });
    const second = await conversations.resume('key', id, never);
    expect([second.id, second.tweetId, second.turns]).toEqual([id, '42', [turn(0)]]);
    await second.append(turn(1), nothing);
    second.release();
    expect(await turnsOf(conversations, id)).toEqual([turn(0), turn(1)]);
    const restarted = await context().open();
    const third = await restarted.resume('key', id, never);
    expect([third.tweetId, third.turns]).toEqual(['42', [turn(0), turn(1)]]);
  });

  test('is found only for its own key, by exactly its id', async () => {
    const conversations = await context().open();
    const id = await begin(conversations);
    for (const [key, other] of [
      ['other', id],
      ['key', `${id}A`],
      ['key', id.slice(0, -2)],
      ['key', `c_${'A'.repeat(43)}`],
      ['key', ''],
    ] as const)
      await expect(conversations.resume(key, other, never)).rejects.toMatchObject(status(404));
  });

  test('without a stored turn cannot be resumed', async () => {
    const conversations = await context().open();
    const conversation = await conversations.start('key', '1');
    conversation.release();
    await expect(conversations.resume('key', conversation.id, never)).rejects.toMatchObject(status(409));
  });

  test('stays unchanged if a turn cannot be stored', async () => {
    const conversations = await context().open();
    const id = await begin(conversations);
    const resumed = await conversations.resume('key', id, never);
    const lost = await conversations.start('key', '2');
    await context().storage.failWrites();
    await expect(resumed.append(turn(1), nothing)).rejects.toMatchObject(status(503));
    await expect(lost.append(turn(0), nothing)).rejects.toMatchObject(status(503));
    resumed.release();
    lost.release();
    await context().storage.repairWrites();
    expect(await turnsOf(conversations, id)).toEqual([turn(0)]);
    await expect(conversations.resume('key', lost.id, never)).rejects.toMatchObject(status(409));
  });

  test('retains the newest 20 turns, at most 64 KiB', async () => {
    const conversations = await context().open();
    const long = await conversations.start('key', '1');
    for (let n = 0; n < 25; n++) await long.append(turn(n), nothing);
    long.release();
    expect(await turnsOf(conversations, long.id)).toEqual(Array.from({ length: 20 }, (_, n) => turn(n + 5)));
    const large = await conversations.start('key', '1');
    for (let n = 0; n < 12; n++) await large.append(turn(n, 'ü'.repeat(4_000)), nothing);
    large.release();
    const retained = await turnsOf(conversations, large.id);
    expect(retained.at(-1)?.prompt).toBe('question 11');
    expect(retained.length).toBe(8);
  });
}

function describeCalls(context: Context): void {
  test('run one after the other, each with the turns of the earlier ones', async () => {
    const conversations = await context().open();
    const id = await begin(conversations);
    const first = await conversations.resume('key', id, never);
    const order: number[] = [];
    const later = [1, 2, 3].map(async (n) => {
      const conversation = await conversations.resume('key', id, never);
      order.push(conversation.turns.length);
      await conversation.append(turn(n), nothing);
      conversation.release();
    });
    expect(await isSettled(Promise.race(later))).toBe(false);
    await first.append(turn(9), nothing);
    first.release();
    first.release();
    await Promise.all(later);
    expect(order).toEqual([2, 3, 4]);
    expect(await turnsOf(conversations, id)).toEqual([turn(0), turn(9), turn(1), turn(2), turn(3)]);
  });

  test('are rejected while eight others run or wait, and accepted afterwards', async () => {
    const conversations = await context().open();
    const id = await begin(conversations);
    const first = await conversations.resume('key', id, never);
    const waiting = Array.from({ length: 7 }, () => conversations.resume('key', id, never));
    await expect(conversations.resume('key', id, never)).rejects.toMatchObject({
      ...status(429),
      headers: { 'Retry-After': '5' },
    });
    first.release();
    for (const each of waiting) (await each).release();
    expect(await turnsOf(conversations, id)).toEqual([turn(0)]);
  });

  test('are rejected after the maximum wait and after a disconnect, without effect on the others', async () => {
    const conversations = await context().open({ waitMs: 1 });
    const id = await begin(conversations);
    const first = await conversations.resume('key', id, never);
    await expect(conversations.resume('key', id, never)).rejects.toMatchObject(status(429));
    first.release();
    const patient = await context().open();
    const holder = await patient.resume('key', id, never);
    const leaving = new AbortController();
    const left = patient.resume('key', id, leaving.signal);
    const next = patient.resume('key', id, never);
    leaving.abort();
    await expect(left).rejects.toMatchObject(status(429));
    await expect(patient.resume('key', id, AbortSignal.abort())).rejects.toMatchObject(status(429));
    expect(await isSettled(next)).toBe(false);
    holder.release();
    (await next).release();
  });
}

function describeExpiry(context: Context): void {
  const expectExpired = (conversations: Conversations, id: string): Promise<void> =>
    expect(conversations.resume('key', id, never)).rejects.toMatchObject(status(409));

  test('occurs after a time without use; a use without a turn counts, also after a restart', async () => {
    const conversations = await context().open();
    const id = await begin(conversations);
    context().time += hour - 1;
    expect(await turnsOf(conversations, id)).toEqual([turn(0)]);
    context().time += hour - 1;
    const restarted = await context().open();
    expect(await turnsOf(restarted, id)).toEqual([turn(0)]);
    context().time += hour;
    await expectExpired(restarted, id);
    await expectExpired(await context().open(), id);
    await expect(restarted.resume('other', id, never)).rejects.toMatchObject(status(404));
  });

  test('does not end a running call', async () => {
    const conversations = await context().open();
    const id = await begin(conversations);
    const conversation: Conversation = await conversations.resume('key', id, never);
    context().time += 2 * hour;
    await begin(conversations);
    await conversation.append(turn(1), nothing);
    conversation.release();
    expect(await turnsOf(conversations, id)).toEqual([turn(0), turn(1)]);
  });

  test('removes the least recently used conversations above the limit', async () => {
    const conversations = await context().open({ maxConversations: 2 });
    const ids: string[] = [];
    for (let n = 0; n < 2; n++) {
      ids.push(await begin(conversations));
      context().time++;
    }
    const [first = '', second = ''] = ids;
    expect(await turnsOf(conversations, first)).toEqual([turn(0)]);
    context().time++;
    const third = await begin(conversations);
    await expectExpired(conversations, second);
    for (const id of [first, third]) expect(await turnsOf(conversations, id)).toEqual([turn(0)]);
  });
}
