/**
 * Conversations: a tweet and its questions and answers, for the API key that started the conversation. The id consists
 * of random bytes and an HMAC of them and the key. So an expired id is distinguishable from a forged id, and from the
 * id of another key, without stored state.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { notFound, ServiceError, unavailable } from '../contract/service-error.ts';
import { StoreError, type Store } from '../ports/storage.ts';
import type { Turn } from '../ports/assistant-provider.ts';

export interface ConversationOptions {
  readonly store: Store;
  /** Secret of the HMAC in the ids. At least 32 bytes; must survive a restart. */
  readonly secret: Buffer;
  /** Time after the last use when a conversation expires, in milliseconds. */
  readonly ttlMs: number;
  /** Maximum time that a call waits for earlier calls of the same conversation, in milliseconds. */
  readonly waitMs: number;
  readonly now: () => number;
  /** Maximum number of conversations. Beyond it, the least recently used ones expire first. */
  readonly maxConversations?: number;
}

/** A conversation that this call uses exclusively until `done`. */
export interface Conversation {
  readonly id: string;
  readonly tweetId: string;
  readonly turns: readonly Turn[];
  /** Adds a turn; durable when the promise resolves. Throws ServiceError 503 if it cannot be written. */
  add(turn: Turn): Promise<void>;
  done(): void;
}

export interface Conversations {
  /** Starts a conversation. Nothing is stored before its first turn. */
  start(keyId: string, tweetId: string): Conversation;
  /**
   * Waits for earlier calls of the conversation. Throws ServiceError 404 for an id that was not issued to this key, 409
   * for an expired one, 429 if too many calls of the conversation wait or if the wait is too long.
   */
  resume(keyId: string, id: string, signal: AbortSignal): Promise<Conversation>;
}

/** Limits of one conversation. Beyond them the oldest turns are removed. */
const maxTurns = 20;
const maxBytes = 64 * 1024;
/** Maximum stored length of an answer in characters, so that at least one turn always fits. */
const maxAnswerLength = 8 * 1024;
const defaultMaxConversations = 10_000;
/** Limit of all conversations together, in bytes of text. */
const maxTotalBytes = 64 * 1024 * 1024;
const maxWaiting = 8;
/** The minimum number of lines before the journal is rewritten. */
const minHistoryLines = 1_000;

interface Entry {
  readonly tweetId: string;
  readonly turns: Turn[];
  bytes: number;
  usedAt: number;
  /** The number of calls that use it or wait for it. */
  users: number;
  /** Resolves when the last of these calls is done. */
  tail: Promise<void>;
}

/** Lines of the journal. `used` records a use without a new turn. */
type Line =
  | { kind: 'turn'; id: string; tweet_id: string; at: number; turn: Turn }
  | { kind: 'used'; id: string; at: number }
  | { kind: 'whole'; id: string; tweet_id: string; at: number; turns: Turn[] };

const sizeOf = ({ prompt, answer }: Turn): number => Buffer.byteLength(prompt ?? '') + Buffer.byteLength(answer);

/** Opens the conversations of a store. Throws StoreError if the journal is damaged. */
export async function openConversations({
  store,
  secret,
  ttlMs,
  waitMs,
  now,
  maxConversations = defaultMaxConversations,
}: ConversationOptions): Promise<Conversations> {
  const journal = await store.journal('conversations');
  /** In order of last use. */
  const entries = new Map<string, Entry>();
  let totalBytes = 0;
  let totalTurns = 0;
  let lines = 0;
  let rewriting = false;

  await journal.replay((json) => {
    const line = JSON.parse(json.toString()) as Line;
    lines++;
    if (line.kind === 'used') return touch(line.id, entries.get(line.id), line.at);
    const entry = entries.get(line.id) ?? newEntry(line.tweet_id);
    for (const turn of line.kind === 'turn' ? [line.turn] : line.turns) push(entry, turn);
    touch(line.id, entry, line.at);
  });
  expire();

  function newEntry(tweetId: string): Entry {
    return { tweetId, turns: [], bytes: 0, usedAt: 0, users: 0, tail: Promise.resolve() };
  }

  function push(entry: Entry, turn: Turn): void {
    const { bytes, turns } = entry;
    totalTurns -= turns.length;
    turns.push(turn);
    entry.bytes += sizeOf(turn);
    while (turns.length > maxTurns || entry.bytes > maxBytes) entry.bytes -= sizeOf(turns.shift()!);
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

  /** Removes expired conversations, and the oldest ones beyond the limits, except those in use. */
  function expire(): void {
    const expiryTime = now() - ttlMs;
    for (const [id, entry] of entries) {
      if (entry.usedAt > expiryTime && entries.size <= maxConversations && totalBytes <= maxTotalBytes) return;
      if (entry.users > 0) continue;
      entries.delete(id);
      totalBytes -= entry.bytes;
      totalTurns -= entry.turns.length;
    }
  }

  function append(line: Line): Promise<unknown> {
    lines++;
    const durable = journal.append([JSON.stringify(line)]);
    if (!rewriting && lines > minHistoryLines && lines > 2 * totalTurns) compact();
    return durable;
  }

  /**
   * Rewrites the journal. The lines are a consistent snapshot: later appends follow them, earlier ones are included in
   * them.
   */
  function compact(): void {
    const stateLines = [...entries]
      .filter(([, { turns }]) => turns.length > 0)
      .map(([id, { tweetId, usedAt, turns }]) =>
        JSON.stringify({ kind: 'whole', id, tweet_id: tweetId, at: usedAt, turns } satisfies Line),
      );
    lines = stateLines.length;
    rewriting = true;
    // After a failed rewrite either the old journal remains, or later appends fail and report the error.
    journal
      .rewrite(stateLines)
      .catch(() => {})
      .finally(() => (rewriting = false));
  }

  const seal = (random: Buffer, keyId: string): Buffer =>
    createHmac('sha256', secret).update(random).update(keyId).digest().subarray(0, 16);

  function isIssuedTo(keyId: string, id: string): boolean {
    const bytes = Buffer.from(id.slice(2), 'base64url');
    // Accepts only the canonical encoding, which `start` produces.
    if (bytes.length !== 32 || id !== idOf(bytes)) return false;
    return timingSafeEqual(bytes.subarray(16), seal(bytes.subarray(0, 16), keyId));
  }

  const idOf = (bytes: Buffer): string => `c_${bytes.toString('base64url')}`;

  /** Creates the handle of a call; `next` admits the next call. */
  function acquire(id: string, entry: Entry, next: () => void): Conversation {
    let added = false;
    let active = true;
    return {
      id,
      tweetId: entry.tweetId,
      turns: [...entry.turns],
      async add({ prompt, answer }) {
        added = true;
        const turn = { prompt, answer: answer.slice(0, maxAnswerLength) };
        const before = [...entry.turns];
        push(entry, turn);
        touch(id, entry, now());
        expire();
        try {
          await append({ kind: 'turn', id, tweet_id: entry.tweetId, at: entry.usedAt, turn });
        } catch (error) {
          // No other call can have read the turn, because this call has exclusive use.
          replace(entry, before);
          if (before.length === 0) entries.delete(id);
          throw error instanceof StoreError
            ? Object.assign(unavailable('the conversation cannot be stored now', 60), { cause: error })
            : error;
        }
      },
      done() {
        if (!active) return;
        active = false;
        entry.users--;
        if (!added && entries.has(id)) {
          touch(id, entry, now());
          append({ kind: 'used', id, at: entry.usedAt }).catch(() => {});
        }
        next();
      },
    };
  }

  /** Joins the queue of calls of a conversation. */
  function enqueue(entry: Entry): { before: Promise<void>; leave: () => void } {
    const before = entry.tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    entry.tail = before.then(() => promise);
    entry.users++;
    return { before, leave: resolve };
  }

  return {
    start(keyId, tweetId) {
      const random = randomBytes(16);
      const entry = newEntry(tweetId);
      const { leave } = enqueue(entry);
      return acquire(idOf(Buffer.concat([random, seal(random, keyId)])), entry, leave);
    },

    async resume(keyId, id, signal) {
      if (!isIssuedTo(keyId, id)) throw notFound('conversation');
      expire();
      const entry = entries.get(id);
      if (entry === undefined || (entry.users === 0 && entry.usedAt <= now() - ttlMs)) {
        throw new ServiceError(409, 'the conversation has expired; begin a new one with tweet_id');
      }
      if (entry.users >= maxWaiting) throw busy();
      const { before, leave } = enqueue(entry);
      if (!(await inTime(before, waitMs, signal))) {
        entry.users--;
        leave();
        throw busy();
      }
      return acquire(id, entry, leave);
    },
  };
}

const busy = (): ServiceError =>
  new ServiceError(429, 'other requests of this conversation are running; retry in 5 s', { 'Retry-After': '5' });

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
