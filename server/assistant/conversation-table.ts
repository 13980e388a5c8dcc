/**
 * The conversations in memory, with their limits. Does no I/O and reads no clock. Times are milliseconds since the
 * epoch.
 */
import type { Turn } from '../ports/assistant-provider.ts';

/**
 * A stored record. `used` records a use without a new turn; `whole` is a complete conversation. Where several processes
 * share the journal, `claim` gives a conversation to one call until a time, `release` ends that, and `ended` removes
 * conversations.
 */
export type ConversationRecord =
  | { readonly kind: 'turn'; readonly id: string; readonly tweet_id: string; readonly at: number; readonly turn: Turn }
  | { readonly kind: 'used'; readonly id: string; readonly at: number }
  | {
      readonly kind: 'claim';
      readonly id: string;
      readonly at: number;
      readonly call: string;
      readonly until: number;
    }
  | { readonly kind: 'release'; readonly id: string; readonly at: number; readonly call: string }
  | { readonly kind: 'ended'; readonly ids: readonly string[]; readonly at: number }
  | {
      readonly kind: 'whole';
      readonly id: string;
      readonly tweet_id: string;
      readonly at: number;
      readonly turns: readonly Turn[];
      readonly claim?: Claim;
    };

/** The call of any process that uses a conversation, and the time at which its use ends at the latest. */
export interface Claim {
  readonly call: string;
  readonly until: number;
}

/** Limits of one conversation. Beyond them the oldest turns are removed. */
const maxTurns = 20;
const maxBytes = 64 * 1024;
/** Maximum stored length of an answer in characters, so that at least one turn always fits. */
const maxAnswerLength = 8 * 1024;
/** Limit of all conversations together, in bytes of text. */
const maxTotalBytes = 64 * 1024 * 1024;

export interface Entry {
  readonly tweetId: string;
  readonly turns: Turn[];
  bytes: number;
  usedAt: number;
  /** The number of calls that use it or wait for it. */
  users: number;
  /** Resolves when the last of these calls is done. */
  tail: Promise<void>;
  /** Whether it was ended: its calls store nothing any more. */
  ended: boolean;
  /** Only where several processes share the journal. */
  claim: Claim | undefined;
}

const sizeOf = ({ prompt, answer }: Turn): number => Buffer.byteLength(prompt ?? '') + Buffer.byteLength(answer);

export const newEntry = (tweetId: string): Entry => ({
  tweetId,
  turns: [],
  bytes: 0,
  usedAt: 0,
  users: 0,
  tail: Promise.resolve(),
  ended: false,
  claim: undefined,
});

/** The turn in the form that is stored: the answer is cut to its limit. */
export const storedTurn = ({ prompt, answer }: Turn): Turn => ({ prompt, answer: answer.slice(0, maxAnswerLength) });

/** Whether a call of this process or of another one uses the conversation. */
const isInUse = ({ users, claim }: Entry, now: number): boolean =>
  users > 0 || (claim !== undefined && claim.until > now);

export class ConversationTable {
  readonly #ttlMs: number;
  readonly #maxConversations: number;
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();
  #totalBytes = 0;
  #totalTurns = 0;

  /** `ttlMs`: the time after the last use when a conversation expires. */
  constructor(ttlMs: number, maxConversations: number) {
    this.#ttlMs = ttlMs;
    this.#maxConversations = maxConversations;
  }

  /** The number of turns in all conversations. */
  get turns(): number {
    return this.#totalTurns;
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  isExpired(entry: Entry, now: number): boolean {
    return !isInUse(entry, now) && entry.usedAt <= now - this.#ttlMs;
  }

  apply(record: ConversationRecord): void {
    if (record.kind === 'ended') {
      for (const each of record.ids) this.end(each);
      return;
    }
    const { id, at } = record;
    if (record.kind === 'used') return this.touch(id, at);
    if (record.kind === 'claim' || record.kind === 'release') return this.#applyClaim(record);
    const entry = this.#entries.get(id) ?? newEntry(record.tweet_id);
    if (record.kind === 'whole') {
      this.restore(id, entry, []);
      entry.claim = record.claim;
    }
    for (const turn of record.kind === 'turn' ? [record.turn] : record.turns) this.#push(entry, turn);
    this.#use(id, entry, at);
  }

  /** Forgets everything before a complete snapshot. Calls in progress keep their entries, but store nothing more. */
  reset(): void {
    for (const id of [...this.#entries.keys()]) this.end(id);
  }

  #applyClaim(record: ConversationRecord & { kind: 'claim' | 'release' }): void {
    const entry = this.#entries.get(record.id);
    if (entry === undefined) return;
    if (record.kind === 'claim') entry.claim = { call: record.call, until: record.until };
    else if (entry.claim?.call === record.call) entry.claim = undefined;
    this.#use(record.id, entry, record.at);
  }

  /** Appends a turn to a conversation, which is added if it is new. */
  append(id: string, entry: Entry, turn: Turn, now: number): void {
    if (entry.ended) return;
    this.#push(entry, turn);
    this.#use(id, entry, now);
    this.expire(now);
  }

  /** Restores the turns of a conversation; one without turns is removed. */
  restore(id: string, entry: Entry, turns: readonly Turn[]): void {
    this.#totalTurns += turns.length - entry.turns.length;
    this.#totalBytes -= entry.bytes;
    entry.turns.splice(0, Infinity, ...turns);
    entry.bytes = turns.reduce((sum, turn) => sum + sizeOf(turn), 0);
    this.#totalBytes += entry.bytes;
    if (turns.length === 0) this.#entries.delete(id);
  }

  /** Records a use of an existing conversation. */
  touch(id: string, now: number): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#use(id, entry, now);
  }

  /** Removes expired conversations, and the oldest ones beyond the limits, except those in use. */
  expire(now: number): void {
    for (const [id, entry] of this.#entries) {
      if (entry.usedAt > now - this.#ttlMs && !this.#isOverLimits()) return;
      if (isInUse(entry, now)) continue;
      this.#entries.delete(id);
      this.#totalBytes -= entry.bytes;
      this.#totalTurns -= entry.turns.length;
    }
  }

  /** The ids of the conversations about these tweets. */
  about(isAbout: (tweetId: string) => boolean): string[] {
    return [...this.#entries].filter(([, { tweetId }]) => isAbout(tweetId)).map(([id]) => id);
  }

  /** Ends a conversation, also one in use. */
  end(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.restore(id, entry, []);
    entry.ended = true;
  }

  /** The records that restore the conversations. */
  snapshot(): ConversationRecord[] {
    return [...this.#entries]
      .filter(([, { turns }]) => turns.length > 0)
      .map(([id, { tweetId, usedAt, turns, claim }]) => ({
        ...{ kind: 'whole', id, tweet_id: tweetId, at: usedAt, turns },
        ...(claim === undefined ? {} : { claim }),
      }));
  }

  #isOverLimits(): boolean {
    return this.#entries.size > this.#maxConversations || this.#totalBytes > maxTotalBytes;
  }

  #push(entry: Entry, turn: Turn): void {
    const { turns } = entry;
    const turnsBefore = turns.length;
    const bytesBefore = entry.bytes;
    turns.push(turn);
    entry.bytes += sizeOf(turn);
    while (turns.length > maxTurns || entry.bytes > maxBytes) {
      const oldest = turns.shift();
      if (oldest === undefined) break;
      entry.bytes -= sizeOf(oldest);
    }
    this.#totalTurns += turns.length - turnsBefore;
    this.#totalBytes += entry.bytes - bytesBefore;
  }

  #use(id: string, entry: Entry, now: number): void {
    entry.usedAt = now;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }
}
