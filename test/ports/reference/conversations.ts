/** Conversations in memory that any number of processes share. A conversation is a lease that one call has at a time. */
import { randomUUID } from 'node:crypto';
import { notFound, ServiceError, unavailable } from '../../../server/contract/service-error.ts';
import type { Turn } from '../../../server/ports/assistant-provider.ts';
import {
  conversationExpired,
  type Conversation,
  type Conversations,
  type TweetsAndUsers,
} from '../../../server/ports/conversations.ts';
import type { ConversationTestOptions } from '../conversations.ts';

interface Stored {
  readonly keyId: string;
  readonly tweetId: string;
  turns: Turn[];
  readonly used: { readonly tweetIds: Set<string>; readonly userIds: Set<string> };
  usedAt: number;
  /** The calls that use the conversation or wait for it, in order: the first one has it. */
  readonly queue: (() => void)[];
  ended?: boolean;
}

const maxTurns = 20;
const maxBytes = 64 * 1024;
const maxCalls = 8;
const maxUsed = 10_000;
const bytesOf = (turns: readonly Turn[]): number =>
  turns.reduce((sum, { prompt, answer }) => sum + Buffer.byteLength(prompt ?? '') + Buffer.byteLength(answer), 0);

/** What outlives a process. */
export class SharedConversations {
  readonly stored = new Map<string, Stored>();
  isFailing = false;
}

export class ReferenceConversations implements Conversations {
  readonly #shared: SharedConversations;
  readonly #options: ConversationTestOptions;

  constructor(shared: SharedConversations, options: ConversationTestOptions) {
    this.#shared = shared;
    this.#options = options;
  }

  async start(keyId: string, tweetId: string): Promise<Conversation> {
    const id = `c_${randomUUID()}`;
    const used = { tweetIds: new Set([tweetId]), userIds: new Set<string>() };
    const created: Stored = { keyId, tweetId, turns: [], used, usedAt: this.#options.now(), queue: [() => {}] };
    this.#shared.stored.set(id, created);
    return this.#acquired(id, created);
  }

  async resume(keyId: string, id: string, signal: AbortSignal): Promise<Conversation> {
    const { stored } = this.#shared;
    const found = stored.get(id);
    if (found?.keyId !== keyId) throw notFound('conversation');
    this.#expire();
    if (found.queue.length >= maxCalls) throw busy();
    if (found.turns.length === 0 && found.queue.length === 0) throw conversationExpired();
    const { promise, resolve } = Promise.withResolvers<void>();
    found.queue.push(resolve);
    if (found.queue.length === 1) resolve();
    const ended = Promise.withResolvers<'ended'>();
    const timer = setTimeout(() => ended.resolve('ended'), this.#options.waitMs);
    signal.addEventListener('abort', () => ended.resolve('ended'), { once: true });
    if (signal.aborted) ended.resolve('ended');
    const result = await Promise.race([ended.promise, promise]);
    clearTimeout(timer);
    if (result === 'ended') {
      leave(found, resolve);
      throw busy();
    }
    if (found.ended === true) {
      leave(found, resolve);
      throw conversationExpired();
    }
    return this.#acquired(id, found);
  }

  get isEmpty(): boolean {
    return this.#living().length === 0;
  }

  async endUsing(removed: TweetsAndUsers): Promise<number> {
    if (this.#shared.isFailing) throw unavailable('the storage has failed', 1);
    const using = this.#using(removed);
    for (const each of using) end(each);
    return using.length;
  }

  countUsing(removed: TweetsAndUsers): number {
    return this.#using(removed).length;
  }

  usedTweets(): ReadonlySet<string> {
    return new Set(this.#living().flatMap(({ used }) => [...used.tweetIds]));
  }

  async purge(): Promise<void> {}

  stop(): void {}

  #living(): Stored[] {
    return [...this.#shared.stored.values()].filter(({ turns }) => turns.length > 0);
  }

  #using({ tweetIds, userIds }: TweetsAndUsers): Stored[] {
    return this.#living().filter(
      ({ used }) =>
        [...used.tweetIds].some((id) => tweetIds.has(id)) || [...used.userIds].some((id) => userIds.has(id)),
    );
  }

  #acquired(id: string, stored: Stored): Conversation {
    const { now } = this.#options;
    const [own = () => {}] = stored.queue;
    return {
      id,
      tweetId: stored.tweetId,
      turns: [...stored.turns],
      used: { tweetIds: new Set(stored.used.tweetIds), userIds: new Set(stored.used.userIds) },
      append: async (turn, { tweetIds, userIds }) => {
        if (this.#shared.isFailing) throw unavailable('the storage has failed', 1);
        if (stored.ended === true) throw conversationExpired();
        for (const each of tweetIds) stored.used.tweetIds.add(each);
        for (const each of userIds) stored.used.userIds.add(each);
        if (stored.used.tweetIds.size + stored.used.userIds.size > maxUsed) return end(stored);
        const turns = [...stored.turns, turn];
        while (turns.length > maxTurns || bytesOf(turns) > maxBytes) turns.shift();
        stored.turns = turns;
        stored.usedAt = now();
      },
      release: () => {
        if (!stored.queue.includes(own)) return;
        if (!this.#shared.isFailing) stored.usedAt = now();
        leave(stored, own);
        this.#expire();
      },
    };
  }

  /** Empties expired conversations, and the least recently used ones beyond the limit. */
  #expire(): void {
    const { now, ttlMs, maxConversations } = this.#options;
    const living = this.#living().toSorted((a, b) => a.usedAt - b.usedAt);
    for (const [index, each] of living.entries()) {
      const isOver = each.usedAt <= now() - ttlMs || living.length - index > maxConversations;
      if (isOver && each.queue.length === 0) each.turns = [];
    }
  }
}

function end(stored: Stored): void {
  stored.turns = [];
  stored.ended = true;
}

/** Removes a call from the queue, and admits the next call if the removed one had the conversation. */
function leave({ queue }: Stored, call: () => void): void {
  const wasFirst = queue[0] === call;
  queue.splice(queue.indexOf(call), 1);
  if (wasFirst) queue[0]?.();
}

const busy = (): ServiceError => new ServiceError(429, 'busy', { 'Retry-After': '5' });
