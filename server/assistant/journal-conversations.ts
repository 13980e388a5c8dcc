/**
 * Conversations on a journal. The calls of one process wait for each other in memory. Where several processes share the
 * journal, a call also claims the conversation in the journal.
 */
import { createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import { notFound, ServiceError, unavailable } from '../contract/service-error.ts';
import { PurgeSchedule, type PurgeOptions } from './purge-schedule.ts';
import type { Turn } from '../ports/assistant-provider.ts';
import {
  conversationExpired,
  type Conversation,
  type Conversations,
  type TweetsAndUsers,
} from '../ports/conversations.ts';
import { StoreError, type Store } from '../ports/storage.ts';
import { StateJournal } from '../storage/state-journal.ts';
import { isIssuedTo, issueId } from './conversation-id.ts';
import {
  ConversationState,
  newEntry,
  recordedUse,
  storedTurn,
  type ConversationRecord,
  type Entry,
} from './conversation-state.ts';

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
  /** When the texts of expired and ended conversations leave the storage. Without it, only `purge` removes them. */
  readonly purge?: PurgeOptions;
}

const defaultMaxConversations = 10_000;
/** Maximum number of calls that use a conversation or wait for it. */
const maxWaiting = 8;
/** A claim ends this long after the call that has it must have ended, in milliseconds. */
const claimMarginMs = 5_000;
/** A call that waits for a claim checks it this often, because the end of a claim by time is not a record. */
const claimPollMs = 250;
/** The minimum number of records before the journal is rewritten. */
const minHistory = 1_000;

/** Opens the conversations of a store. Throws StoreError if the journal is damaged. */
export async function openConversations(options: ConversationOptions): Promise<Conversations> {
  const { store, ttlMs, now, maxConversations = defaultMaxConversations, purge } = options;
  const state = new ConversationState(ttlMs, maxConversations);
  const log = await ConversationLog.open(store, state, now);
  state.expire(now());
  if (purge !== undefined) log.schedulePurges(purge);
  return new JournalConversations(options, log);
}

/** The conversations in memory and the journal that makes them durable. */
class ConversationLog {
  readonly state: ConversationState;
  /** Whether other processes use the conversations. */
  readonly shared: boolean;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #journal!: StateJournal<ConversationRecord>;
  /** The time of the first removal whose text the newest rewrite leaves out. */
  #removedSince: number | undefined;
  #purges: PurgeSchedule | undefined;

  private constructor(shared: boolean, state: ConversationState, now: () => number) {
    this.shared = shared;
    this.state = state;
    this.#now = now;
  }

  static async open(store: Store, state: ConversationState, now: () => number): Promise<ConversationLog> {
    const log = new ConversationLog(store.shared, state, now);
    log.#journal = await StateJournal.open<ConversationRecord>(store, 'conversations', {
      apply: (record) => state.apply(record),
      reset: () => state.reset(),
      snapshot: () => {
        log.#removedSince = state.notePurge();
        return state.snapshot();
      },
      // The old records can still be there.
      onFailedRewrite: () => {
        if (log.#removedSince !== undefined) state.noteRemoval(log.#removedSince);
      },
      hasHistory: (records) => records > minHistory && records > 2 * state.turns,
      onOthers: () => {
        log.changed();
        for (const listener of [...log.#listeners]) listener();
      },
    });
    return log;
  }

  /** Purges by itself from now on, until `stop`. */
  schedulePurges(options: PurgeOptions): void {
    const since = (): number | undefined => {
      const time = this.state.removedSince ?? this.state.nextExpiry;
      // The schedule has the clock of this process.
      return time === undefined ? undefined : time + Date.now() - this.#now();
    };
    this.#purges = new PurgeSchedule(options, since, () => this.purge());
    this.#purges.update();
  }

  /** Tells the schedule of the purges that conversations were used or have ended. */
  changed(): void {
    this.#purges?.update();
  }

  /** Ends the purges of the schedule. */
  stop(): void {
    this.#purges?.stop();
    this.#purges = undefined;
  }

  /** Removes the turns that the state does not have any more from the journal, if there are any. */
  async purge(): Promise<void> {
    this.state.expire(this.#now());
    if (this.state.removedSince !== undefined) await this.#journal.rewrite();
  }

  /**
   * Appends the record that `decide` returns, if any. `decide` gets the newest state and changes it; in one
   * process it runs at once.
   */
  async append(decide: () => ConversationRecord | undefined): Promise<void> {
    await this.#journal.decide(() => {
      const record = decide();
      return record === undefined ? [] : [record];
    });
    this.changed();
  }

  /** Resolves after the next record of another process, and at the latest after this time in milliseconds. */
  async nextRecord(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#listeners.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#listeners.delete(resolve);
  }
}

class JournalConversations implements Conversations {
  readonly #options: ConversationOptions;
  readonly #log: ConversationLog;
  readonly #secret: KeyObject;

  constructor(options: ConversationOptions, log: ConversationLog) {
    this.#options = options;
    this.#secret = createSecretKey(options.secret);
    this.#log = log;
  }

  async start(keyId: string, tweetId: string): Promise<Conversation> {
    const { now } = this.#options;
    const entry = newEntry(tweetId);
    const { leave } = enqueue(entry);
    // No other process knows the id before the call returns it.
    return new ExclusiveConversation(issueId(this.#secret, keyId), entry, {
      log: this.#log,
      now,
      leave,
      claim: undefined,
    });
  }

  async resume(keyId: string, id: string, signal: AbortSignal): Promise<Conversation> {
    const { now, waitMs } = this.#options;
    if (!isIssuedTo(this.#secret, keyId, id)) throw notFound('conversation');
    const { state } = this.#log;
    state.expire(now());
    const entry = state.get(id);
    if (entry === undefined || state.isExpired(entry, now())) throw conversationExpired();
    if (entry.users >= maxWaiting) throw busy();
    const { before, leave } = enqueue(entry);
    const giveUpAt = performance.now() + waitMs;
    try {
      if (!(await inTime(before, waitMs, signal))) throw busy();
      const claim = this.#log.shared ? await this.#claim(id, giveUpAt, signal) : undefined;
      const current = state.get(id) ?? entry;
      if (current.ended || (current !== entry && claim === undefined)) throw conversationExpired();
      return new ExclusiveConversation(id, current, { log: this.#log, now, leave, claim });
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Claims a conversation for a call, after the calls in other processes. Returns the name of the call. */
  async #claim(id: string, giveUpAt: number, signal: AbortSignal): Promise<string> {
    const { now, waitMs } = this.#options;
    const { state } = this.#log;
    const call = randomUUID();
    for (let isClaimed = false; !isClaimed;) {
      await stored(
        this.#log.append(() => {
          const entry = state.get(id);
          if (entry === undefined || entry.ended) throw conversationExpired();
          const at = now();
          if (entry.claim !== undefined && entry.claim.until > at) return undefined;
          const record = { kind: 'claim', id, at, call, until: at + waitMs + claimMarginMs } as const;
          state.apply(record);
          isClaimed = true;
          return record;
        }),
      );
      if (isClaimed) break;
      const remaining = giveUpAt - performance.now();
      if (remaining <= 0 || signal.aborted) throw busy();
      await this.#log.nextRecord(Math.min(remaining, claimPollMs));
    }
    return call;
  }

  get isEmpty(): boolean {
    return this.#log.state.isEmpty;
  }

  async endUsing(removed: TweetsAndUsers): Promise<number> {
    const { state } = this.#log;
    const { now } = this.#options;
    state.expire(now());
    const ended = new Set<string>();
    const end = (): void => {
      for (const id of state.using(removed)) {
        state.end(id, now());
        ended.add(id);
      }
    };
    // At once in this process. The newest state can have conversations of other processes.
    end();
    this.#log.changed();
    if (ended.size === 0 && !this.#log.shared) return 0;
    await this.#log.append(() => {
      end();
      return ended.size === 0 ? undefined : { kind: 'ended', ids: [...ended], at: now() };
    });
    return ended.size;
  }

  countUsing(removed: TweetsAndUsers): number {
    this.#log.state.expire(this.#options.now());
    return this.#log.state.using(removed).length;
  }

  usedTweets(): ReadonlySet<string> {
    return this.#log.state.usedTweets();
  }

  async purge(): Promise<void> {
    await this.#log.purge();
  }

  stop(): void {
    this.#log.stop();
  }
}

interface ConversationContext {
  readonly log: ConversationLog;
  readonly now: () => number;
  /** Leaves the queue of calls, which admits the next call. */
  readonly leave: () => void;
  /** The name of the call in the journal, where several processes share it. */
  readonly claim: string | undefined;
}

class ExclusiveConversation implements Conversation {
  readonly id: string;
  readonly tweetId: string;
  readonly turns: readonly Turn[];
  readonly used: TweetsAndUsers;
  readonly #entry: Entry;
  readonly #context: ConversationContext;
  #appended = false;
  #active = true;

  constructor(id: string, entry: Entry, context: ConversationContext) {
    this.id = id;
    this.tweetId = entry.tweetId;
    this.turns = [...entry.turns];
    this.used = { tweetIds: new Set(entry.used.tweetIds), userIds: new Set(entry.used.userIds) };
    this.#entry = entry;
    this.#context = context;
  }

  async append(given: Turn, used: TweetsAndUsers): Promise<void> {
    this.#appended = true;
    const { id, tweetId } = this;
    const { log, now, claim } = this.#context;
    const turn = storedTurn(given);
    let undo = (): void => {};
    try {
      await stored(
        log.append(() => {
          // After a purge by another process, the conversation has a new entry.
          const entry = log.state.get(id) ?? this.#entry;
          if (entry.ended) throw conversationExpired();
          if (entry.claim?.call !== claim) throw unavailable('the answer took too long to be stored', 1);
          const before = [...entry.turns];
          undo = () => log.state.restore(id, entry, before);
          const at = now();
          if (!log.state.append(id, entry, { turn, used }, at)) return { kind: 'ended', ids: [id], at };
          return { kind: 'turn', id, tweet_id: tweetId, at, turn, ...recordedUse(entry.used) };
        }),
      );
    } catch (error) {
      // No other call can have read the turn, because this call has exclusive use.
      undo();
      throw error;
    }
  }

  release(): void {
    if (!this.#active) return;
    this.#active = false;
    const { id } = this;
    const { log, now, leave, claim } = this.#context;
    leave();
    log.changed();
    if (log.state.get(id) === undefined || (this.#appended && claim === undefined)) return;
    const at = now();
    // At once in this process: its other calls need not wait for the record.
    if (claim !== undefined) log.state.apply({ kind: 'release', id, at, call: claim });
    const record = (): ConversationRecord => {
      log.state.touch(id, at);
      if (claim === undefined) return { kind: 'used', id, at };
      const release = { kind: 'release', id, at, call: claim } as const;
      log.state.apply(release);
      return release;
    };
    log.append(record).catch(() => {});
  }
}

/** Turns a failed write into the error that the caller gets. */
async function stored(durable: Promise<unknown>): Promise<void> {
  try {
    await durable;
  } catch (error) {
    throw error instanceof StoreError
      ? Object.assign(unavailable('the conversation cannot be stored now', 60), { cause: error })
      : error;
  }
}

/** Joins the queue of calls of a conversation. `leave` must be called once. */
function enqueue(entry: Entry): { before: Promise<void>; leave: () => void } {
  const before = entry.tail;
  const { promise, resolve } = Promise.withResolvers<void>();
  entry.tail = before.then(() => promise);
  entry.users++;
  const leave = (): void => {
    entry.users--;
    resolve();
  };
  return { before, leave };
}

const busy = (): ServiceError =>
  new ServiceError(429, 'other requests of this conversation are running; retry in 5 s', { 'Retry-After': '5' });

async function inTime(promise: Promise<void>, ms: number, signal: AbortSignal): Promise<boolean> {
  const over = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => over.resolve(false), ms);
  const onAbort = (): void => over.resolve(false);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise.then(() => true), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
