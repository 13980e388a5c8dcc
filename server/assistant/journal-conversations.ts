/** Conversations on a journal. */
import { notFound, ServiceError, unavailable } from '../contract/service-error.ts';
import type { Turn } from '../ports/assistant-provider.ts';
import type { Conversation, Conversations } from '../ports/conversations.ts';
import { StoreError, type Journal, type Store } from '../ports/storage.ts';
import { isIssuedTo, issueId } from './conversation-id.ts';
import { ConversationTable, newEntry, storedTurn, type ConversationRecord, type Entry } from './conversation-table.ts';

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

const defaultMaxConversations = 10_000;
/** Maximum number of calls that use a conversation or wait for it. */
const maxWaiting = 8;
/** The minimum number of records before the journal is rewritten. */
const minHistory = 1_000;

/** Opens the conversations of a store. Throws StoreError if the journal is damaged. */
export async function openConversations(options: ConversationOptions): Promise<Conversations> {
  const { store, ttlMs, now, maxConversations = defaultMaxConversations } = options;
  const journal = await store.journal('conversations');
  const table = new ConversationTable(ttlMs, maxConversations);
  let records = 0;
  await journal.replay((json) => {
    const record: ConversationRecord = JSON.parse(json.toString());
    table.apply(record);
    records++;
  });
  table.expire(now());
  return new JournalConversations(options, new ConversationLog(journal, table, records));
}

/** The conversations in memory and the journal that makes them durable. */
class ConversationLog {
  readonly table: ConversationTable;
  readonly #journal: Journal;
  #records: number;
  #rewriting: Promise<void> | undefined;

  constructor(journal: Journal, table: ConversationTable, records: number) {
    this.table = table;
    this.#journal = journal;
    this.#records = records;
  }

  /** Appends a record of a change that the table already has. */
  append(record: ConversationRecord): Promise<unknown> {
    this.#records++;
    const durable = this.#journal.append([JSON.stringify(record)]);
    if (this.#rewriting === undefined && this.#records > minHistory && this.#records > 2 * this.table.turns)
      // After a failed rewrite either the old journal remains, or later appends fail and report the error.
      this.compact().catch(() => {});
    return durable;
  }

  /**
   * Rewrites the journal. The records are a consistent snapshot: later appends follow them, earlier ones are included
   * in them.
   */
  async compact(): Promise<void> {
    while (this.#rewriting !== undefined) await this.#rewriting.catch(() => {});
    const snapshot = this.table.snapshot().map((record) => JSON.stringify(record));
    this.#records = snapshot.length;
    this.#rewriting = this.#journal.rewrite(snapshot).finally(() => (this.#rewriting = undefined));
    await this.#rewriting;
  }
}

class JournalConversations implements Conversations {
  readonly #options: ConversationOptions;
  readonly #log: ConversationLog;

  constructor(options: ConversationOptions, log: ConversationLog) {
    this.#options = options;
    this.#log = log;
  }

  async start(keyId: string, tweetId: string): Promise<Conversation> {
    const { secret, now } = this.#options;
    const entry = newEntry(tweetId);
    const { leave } = enqueue(entry);
    return new ExclusiveConversation(issueId(secret, keyId), entry, { log: this.#log, now, leave });
  }

  async resume(keyId: string, id: string, signal: AbortSignal): Promise<Conversation> {
    const { secret, now, waitMs } = this.#options;
    if (!isIssuedTo(secret, keyId, id)) throw notFound('conversation');
    const { table } = this.#log;
    table.expire(now());
    const entry = table.get(id);
    if (entry === undefined || table.isExpired(entry, now())) throw expired();
    if (entry.users >= maxWaiting) throw busy();
    const { before, leave } = enqueue(entry);
    if (!(await inTime(before, waitMs, signal))) {
      leave();
      throw busy();
    }
    if (entry.ended) {
      leave();
      throw expired();
    }
    return new ExclusiveConversation(id, entry, { log: this.#log, now, leave });
  }

  async endAbout(isAbout: (tweetId: string) => boolean): Promise<number> {
    const { table } = this.#log;
    const ids = table.about(isAbout);
    if (ids.length === 0) return 0;
    for (const id of ids) table.end(id);
    await this.#log.compact();
    return ids.length;
  }

  countAbout(isAbout: (tweetId: string) => boolean): number {
    return this.#log.table.about(isAbout).length;
  }
}

interface ConversationContext {
  readonly log: ConversationLog;
  readonly now: () => number;
  /** Leaves the queue of calls, which admits the next call. */
  readonly leave: () => void;
}

class ExclusiveConversation implements Conversation {
  readonly id: string;
  readonly tweetId: string;
  readonly turns: readonly Turn[];
  readonly #entry: Entry;
  readonly #context: ConversationContext;
  #appended = false;
  #active = true;

  constructor(id: string, entry: Entry, context: ConversationContext) {
    this.id = id;
    this.tweetId = entry.tweetId;
    this.turns = [...entry.turns];
    this.#entry = entry;
    this.#context = context;
  }

  async append(given: Turn): Promise<void> {
    this.#appended = true;
    const { id, tweetId } = this;
    const { log, now } = this.#context;
    const entry = this.#entry;
    const turn = storedTurn(given);
    const before = [...entry.turns];
    log.table.append(id, entry, turn, now());
    if (entry.ended) return;
    try {
      await log.append({ kind: 'turn', id, tweet_id: tweetId, at: entry.usedAt, turn });
    } catch (error) {
      // No other call can have read the turn, because this call has exclusive use.
      log.table.restore(id, entry, before);
      throw error instanceof StoreError
        ? Object.assign(unavailable('the conversation cannot be stored now', 60), { cause: error })
        : error;
    }
  }

  release(): void {
    if (!this.#active) return;
    this.#active = false;
    const { log, now, leave } = this.#context;
    leave();
    if (this.#appended || log.table.get(this.id) === undefined) return;
    log.table.touch(this.id, now());
    log.append({ kind: 'used', id: this.id, at: this.#entry.usedAt }).catch(() => {});
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

const expired = (): ServiceError =>
  new ServiceError(409, 'the conversation has expired; begin a new one with tweet_id');
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
