/**
 * The conversations in memory, with their limits. Does no I/O and reads no clock. Times are milliseconds since the
 * epoch.
 */
import type { Turn } from '../ports/assistant-provider.ts';
import type { TweetsAndUsers } from '../ports/conversations.ts';

/**
 * What all answers of the conversation so far have used. Records before version 1.3.0 have none: nobody knows whether such a
 * conversation has a removed text, so it is not continued.
 */
interface RecordedUse {
  readonly tweet_ids?: readonly string[];
  readonly user_ids?: readonly string[];
}

/**
 * A stored record. `used` records a use without a new turn; `whole` is a complete conversation; `ended` removes
 * conversations. Where several processes share the journal, `claim` gives a conversation to one call until a time, and
 * `release` ends that.
 */
export type ConversationRecord =
  | (RecordedUse & {
      readonly kind: 'turn';
      readonly id: string;
      readonly tweet_id: string;
      readonly at: number;
      readonly turn: Turn;
    })
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
  | (RecordedUse & {
      readonly kind: 'whole';
      readonly id: string;
      readonly tweet_id: string;
      readonly at: number;
      readonly turns: readonly Turn[];
      readonly claim?: Claim;
    });

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
/** Limit of all conversations together, in bytes of text and of ids. */
const maxTotalBytes = 64 * 1024 * 1024;
/** What an id of a used tweet or user counts, in bytes: the string and its place in a set. */
const idBytes = 64;
/** Limit of the tweets and users that one conversation has used. Beyond it the conversation ends. */
const maxUsed = 10_000;

export interface Entry {
  readonly tweetId: string;
  readonly turns: Turn[];
  /** The bytes of the turns, and what the ids in `used` count where the state has the conversation. */
  bytes: number;
  usedBytes: number;
  /** What the answers have used, the tweet of the conversation included. */
  readonly used: { readonly tweetIds: Set<string>; readonly userIds: Set<string> };
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
  usedBytes: 0,
  used: { tweetIds: new Set([tweetId]), userIds: new Set() },
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

/** What an answer has used, as it is recorded. */
export const recordedUse = ({ tweetIds, userIds }: TweetsAndUsers): Required<RecordedUse> => ({
  tweet_ids: [...tweetIds],
  user_ids: [...userIds],
});

export class ConversationState {
  readonly #ttlMs: number;
  readonly #maxConversations: number;
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();
  #totalBytes = 0;
  #totalTurns = 0;
  #removedSince: number | undefined;

  /** `ttlMs`: the time after the last use when a conversation expires. */
  constructor(ttlMs: number, maxConversations: number) {
    this.#ttlMs = ttlMs;
    this.#maxConversations = maxConversations;
  }

  /** The number of turns in all conversations. */
  get turns(): number {
    return this.#totalTurns;
  }

  /** Whether there is no conversation. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** The time of the first removal of a turn since the last snapshot; undefined without one. */
  get removedSince(): number | undefined {
    return this.#removedSince;
  }

  /** When the first of the conversations that no call of this process uses expires; undefined without one. */
  get nextExpiry(): number | undefined {
    for (const { users, usedAt, claim } of this.#entries.values())
      if (users === 0) return Math.max(usedAt + this.#ttlMs, claim?.until ?? 0);
    return undefined;
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  isExpired(entry: Entry, now: number): boolean {
    return !isInUse(entry, now) && entry.usedAt <= now - this.#ttlMs;
  }

  apply(record: ConversationRecord): void {
    if (record.kind === 'ended') {
      for (const each of record.ids) this.end(each, record.at);
      return;
    }
    const { id, at } = record;
    if (record.kind === 'used') return this.touch(id, at);
    if (record.kind === 'claim' || record.kind === 'release') return this.#applyClaim(record);
    const { tweet_ids, user_ids } = record;
    if (tweet_ids === undefined || user_ids === undefined) return this.#refuse(id, at);
    const entry = this.#entries.get(id) ?? newEntry(record.tweet_id);
    if (record.kind === 'whole') {
      this.restore(id, entry, []);
      entry.claim = record.claim;
    }
    this.#addUsed(entry, { tweetIds: new Set(tweet_ids), userIds: new Set(user_ids) });
    for (const turn of record.kind === 'turn' ? [record.turn] : record.turns) this.#push(entry, turn, at);
    this.#use(id, entry, at);
  }

  /** Leaves out a turn of which nobody knows what its answer has used, and ends its conversation. */
  #refuse(id: string, at: number): void {
    this.end(id, at);
    this.noteRemoval(at);
  }

  /** Forgets everything before a complete snapshot. Calls in progress keep their entries, but store nothing more. */
  reset(): void {
    for (const id of [...this.#entries.keys()]) this.end(id, 0);
    this.#removedSince = undefined;
  }

  #applyClaim(record: ConversationRecord & { kind: 'claim' | 'release' }): void {
    const entry = this.#entries.get(record.id);
    if (entry === undefined) return;
    if (record.kind === 'claim') entry.claim = { call: record.call, until: record.until };
    else if (entry.claim?.call === record.call) entry.claim = undefined;
    this.#use(record.id, entry, record.at);
  }

  /**
   * Appends a turn to a conversation, which is added if it is new. Ends it instead, and returns false, where its answers have used
   * too many tweets.
   */
  append(id: string, entry: Entry, { turn, used }: { turn: Turn; used: TweetsAndUsers }, now: number): boolean {
    if (entry.used.tweetIds.union(used.tweetIds).size + entry.used.userIds.union(used.userIds).size > maxUsed) {
      this.end(id, now);
      return false;
    }
    this.#addUsed(entry, used);
    this.#push(entry, turn, now);
    this.#use(id, entry, now);
    this.expire(now);
    return true;
  }

  /** Restores the turns of a conversation; one without turns is removed. */
  restore(id: string, entry: Entry, turns: readonly Turn[]): void {
    this.#totalTurns += turns.length - entry.turns.length;
    this.#totalBytes -= entry.bytes;
    entry.turns.splice(0, Infinity, ...turns);
    entry.bytes = turns.reduce((sum, turn) => sum + sizeOf(turn), 0);
    this.#totalBytes += entry.bytes;
    if (turns.length === 0) this.#delete(id, entry);
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
      this.noteRemoval(Math.min(now, entry.usedAt + this.#ttlMs));
      this.#totalBytes -= entry.bytes;
      this.#totalTurns -= entry.turns.length;
      this.#delete(id, entry);
    }
  }

  /** The ids of the conversations that have used one of these tweets or users. */
  using({ tweetIds, userIds }: TweetsAndUsers): string[] {
    return [...this.#entries]
      .filter(([, { used }]) => !used.tweetIds.isDisjointFrom(tweetIds) || !used.userIds.isDisjointFrom(userIds))
      .map(([id]) => id);
  }

  /** The tweets that the conversations have used. */
  usedTweets(): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const { used } of this.#entries.values()) for (const id of used.tweetIds) ids.add(id);
    return ids;
  }

  /** Ends a conversation, also one in use. */
  end(id: string, now: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    if (entry.turns.length > 0) this.noteRemoval(now);
    this.restore(id, entry, []);
    entry.ended = true;
  }

  /** The records that restore the conversations. */
  snapshot(): ConversationRecord[] {
    return [...this.#entries]
      .filter(([, { turns }]) => turns.length > 0)
      .map(([id, { tweetId, usedAt, turns, used, claim }]) => ({
        ...{ kind: 'whole', id, tweet_id: tweetId, at: usedAt, turns, ...recordedUse(used) },
        ...(claim === undefined ? {} : { claim }),
      }));
  }

  /** Notes that a removed turn may be stored. */
  noteRemoval(at: number): void {
    this.#removedSince = Math.min(this.#removedSince ?? at, at);
  }

  /** Notes that no removed turn is stored any more; returns what `removedSince` was. */
  notePurge(): number | undefined {
    const since = this.#removedSince;
    this.#removedSince = undefined;
    return since;
  }

  #delete(id: string, entry: Entry): void {
    this.#entries.delete(id);
    this.#totalBytes -= entry.usedBytes;
    entry.usedBytes = 0;
  }

  #addUsed(entry: Entry, { tweetIds, userIds }: TweetsAndUsers): void {
    const { used, usedBytes } = entry;
    for (const each of tweetIds) used.tweetIds.add(each);
    for (const each of userIds) used.userIds.add(each);
    entry.usedBytes = idBytes * (used.tweetIds.size + used.userIds.size);
    this.#totalBytes += entry.usedBytes - usedBytes;
  }

  #isOverLimits(): boolean {
    return this.#entries.size > this.#maxConversations || this.#totalBytes > maxTotalBytes;
  }

  #push(entry: Entry, turn: Turn, now: number): void {
    const { turns } = entry;
    const turnsBefore = turns.length;
    const bytesBefore = entry.bytes;
    turns.push(turn);
    entry.bytes += sizeOf(turn);
    while (turns.length > maxTurns || entry.bytes > maxBytes) {
      const oldest = turns.shift();
      if (oldest === undefined) break;
      entry.bytes -= sizeOf(oldest);
      this.noteRemoval(now);
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
