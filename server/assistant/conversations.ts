/**
 * Conversations: the tweet and what was said about it, for the API key that began it. The id is random bytes and an HMAC over them
 * and the key: one that was never given, or was given to another key, is told from one that has expired without keeping anything.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { notFound, ServiceError, unavailable } from '../contract/service-error.ts';
import { StoreError, type Store } from '../ports/storage.ts';
import type { Turn } from '../ports/assistant-provider.ts';

export interface ConversationOptions {
  readonly store: Store;
  /** Seals the ids; must outlive a restart. At least 32 bytes. */
  readonly secret: Buffer;
  /** How long after its last use a conversation expires, in milliseconds. */
  readonly ttlMs: number;
  /** How long a call waits for those before it in the same conversation, in milliseconds. */
  readonly waitMs: number;
  readonly now: () => number;
  /** How many are kept; the ones unused longest expire first. */
  readonly most?: number;
}

/** A conversation that this call has for itself until it says `done`. */
export interface Conversation {
  readonly id: string;
  readonly tweetId: string;
  readonly turns: readonly Turn[];
  /** Adds a turn; durable when it resolves. Throws 503 where it cannot be written. */
  add(turn: Turn): Promise<void>;
  done(): void;
}

export interface Conversations {
  /** Begins one; nothing of it is kept before its first turn. */
  begin(keyId: string, tweetId: string): Conversation;
  /**
   * Waits for its turn. Throws 404 for an id that this key was not given, 409 for one that has expired, 429 where too many calls
   * of the same conversation wait, or for too long.
   */
  resume(keyId: string, id: string, signal: AbortSignal): Promise<Conversation>;
}

/** What a conversation remembers at most: beyond it the oldest turns are forgotten. */
const mostTurns = 20;
const mostBytes = 64 * 1024;
/** So much of an answer is remembered, in characters: at least one turn then always is. */
const longestAnswer = 8 * 1024;
const mostConversations = 10_000;
/** All of them together: what memory they may take, in bytes of text. */
const mostTotalBytes = 64 * 1024 * 1024;
const mostWaiting = 8;
/** The journal is rewritten when it has this many lines, and most of them are history. */
const leastHistory = 1_000;

interface Entry {
  readonly tweetId: string;
  readonly turns: Turn[];
  bytes: number;
  usedAt: number;
  /** Calls that have it or wait for it. */
  users: number;
  /** Ends when the last of them is done. */
  tail: Promise<void>;
}

/** Lines of the journal. `used` is a use that brought no turn. */
type Line =
  | { kind: 'turn'; id: string; tweet_id: string; at: number; turn: Turn }
  | { kind: 'used'; id: string; at: number }
  | { kind: 'whole'; id: string; tweet_id: string; at: number; turns: Turn[] };

const sizeOf = ({ prompt, answer }: Turn): number => Buffer.byteLength(prompt ?? '') + Buffer.byteLength(answer);

/** Opens the conversations of a store. Throws StoreError where their journal is damaged. */
export async function openConversations({
  store,
  secret,
  ttlMs,
  waitMs,
  now,
  most = mostConversations,
}: ConversationOptions): Promise<Conversations> {
  const journal = await store.journal('conversations');
  /** In order of their last use. */
  const entries = new Map<string, Entry>();
  let totalBytes = 0;
  let totalTurns = 0;
  let lines = 0;
  let rewriting = false;

  await journal.replay((json) => {
    const line = JSON.parse(json.toString()) as Line;
    lines++;
    if (line.kind === 'used') return touch(line.id, entries.get(line.id), line.at);
    const entry = entries.get(line.id) ?? blank(line.tweet_id);
    for (const turn of line.kind === 'turn' ? [line.turn] : line.turns) push(entry, turn);
    touch(line.id, entry, line.at);
  });
  expire();

  function blank(tweetId: string): Entry {
    return { tweetId, turns: [], bytes: 0, usedAt: 0, users: 0, tail: Promise.resolve() };
  }

  function push(entry: Entry, turn: Turn): void {
    const { bytes, turns } = entry;
    totalTurns -= turns.length;
    turns.push(turn);
    entry.bytes += sizeOf(turn);
    while (turns.length > mostTurns || entry.bytes > mostBytes) entry.bytes -= sizeOf(turns.shift()!);
    totalTurns += turns.length;
    totalBytes += entry.bytes - bytes;
  }

  function replace(entry: Entry, turns: readonly Turn[]): void {
    totalTurns += turns.length - entry.turns.length;
    totalBytes -= entry.bytes;
    entry.turns.splice(0, Infinity, ...turns);
    entry.bytes = turns.reduce((sum, turn) => sum + sizeOf(turn), 0);
    totalBytes += entry.bytes;
  }

  function touch(id: string, entry: Entry | undefined, at: number): void {
    if (entry === undefined) return;
    entry.usedAt = at;
    entries.delete(id);
    entries.set(id, entry);
  }

  /** Forgets what has expired, and the oldest where there are too many; never one that is in use. */
  function expire(): void {
    const expired = now() - ttlMs;
    for (const [id, entry] of entries) {
      if (entry.usedAt > expired && entries.size <= most && totalBytes <= mostTotalBytes) return;
      if (entry.users > 0) continue;
      entries.delete(id);
      totalBytes -= entry.bytes;
      totalTurns -= entry.turns.length;
    }
  }

  function append(line: Line): Promise<unknown> {
    lines++;
    const durable = journal.append([JSON.stringify(line)]);
    if (!rewriting && lines > leastHistory && lines > 2 * totalTurns) compact();
    return durable;
  }

  /** The lines are taken now: what is appended from here on comes after them, what was appended before is in them. */
  function compact(): void {
    const whole = [...entries]
      .filter(([, { turns }]) => turns.length > 0)
      .map(([id, { tweetId, usedAt, turns }]) =>
        JSON.stringify({ kind: 'whole', id, tweet_id: tweetId, at: usedAt, turns } satisfies Line),
      );
    lines = whole.length;
    rewriting = true;
    // One that fails leaves the old journal in place, or all later appends fail and say so.
    journal
      .rewrite(whole)
      .catch(() => {})
      .finally(() => (rewriting = false));
  }

  const seal = (random: Buffer, keyId: string): Buffer =>
    createHmac('sha256', secret).update(random).update(keyId).digest().subarray(0, 16);

  function given(keyId: string, id: string): boolean {
    const bytes = Buffer.from(id.slice(2), 'base64url');
    // Only the one way of writing it that `begin` has.
    if (bytes.length !== 32 || id !== idOf(bytes)) return false;
    return timingSafeEqual(bytes.subarray(16), seal(bytes.subarray(0, 16), keyId));
  }

  const idOf = (bytes: Buffer): string => `c_${bytes.toString('base64url')}`;

  /** The conversation in the hands of a call; `next` lets the one after it go on. */
  function hold(id: string, entry: Entry, next: () => void): Conversation {
    let added = false;
    let held = true;
    return {
      id,
      tweetId: entry.tweetId,
      turns: [...entry.turns],
      async add({ prompt, answer }) {
        added = true;
        const turn = { prompt, answer: answer.slice(0, longestAnswer) };
        const before = [...entry.turns];
        push(entry, turn);
        touch(id, entry, now());
        expire();
        try {
          await append({ kind: 'turn', id, tweet_id: entry.tweetId, at: entry.usedAt, turn });
        } catch (error) {
          // Nobody has seen it: the conversation is this call's alone.
          replace(entry, before);
          if (before.length === 0) entries.delete(id);
          throw error instanceof StoreError
            ? Object.assign(unavailable('the conversation cannot be written now', 60), { cause: error })
            : error;
        }
      },
      done() {
        if (!held) return;
        held = false;
        entry.users--;
        if (!added && entries.has(id)) {
          touch(id, entry, now());
          append({ kind: 'used', id, at: entry.usedAt }).catch(() => {});
        }
        next();
      },
    };
  }

  /** Queues behind those who use the conversation already. */
  function enter(entry: Entry): { before: Promise<void>; leave: () => void } {
    const before = entry.tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    entry.tail = before.then(() => promise);
    entry.users++;
    return { before, leave: resolve };
  }

  return {
    begin(keyId, tweetId) {
      const random = randomBytes(16);
      const entry = blank(tweetId);
      const { leave } = enter(entry);
      return hold(idOf(Buffer.concat([random, seal(random, keyId)])), entry, leave);
    },

    async resume(keyId, id, signal) {
      if (!given(keyId, id)) throw notFound('conversation');
      expire();
      const entry = entries.get(id);
      if (entry === undefined || (entry.users === 0 && entry.usedAt <= now() - ttlMs)) {
        throw new ServiceError(409, 'the conversation has expired; begin a new one with tweet_id');
      }
      if (entry.users >= mostWaiting) throw busy();
      const { before, leave } = enter(entry);
      if (!(await inTime(before, waitMs, signal))) {
        entry.users--;
        leave();
        throw busy();
      }
      return hold(id, entry, leave);
    },
  };
}

const busy = (): ServiceError =>
  new ServiceError(429, 'other calls of this conversation are under way; retry in 5 s', { 'Retry-After': '5' });

async function inTime(promise: Promise<void>, ms: number, signal: AbortSignal): Promise<boolean> {
  const over = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => over.resolve(false), ms);
  const onAbort = (): void => over.resolve(false);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise.then(() => true), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
