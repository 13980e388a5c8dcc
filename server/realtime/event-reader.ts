/** Reads the log in batches and prepares its events for delivery. All connections share the prepared events. */
import { TransientMap } from '../collections/transient-map.ts';
import type { EventLog, LogEntry } from '../ports/event-log.ts';
import type { CallOptions, CommunityMember, StreamSource } from '../ports/platform.ts';
import type { ChannelTarget } from './channels.ts';
import { unknownTweets, type Deletions } from './deletions.ts';
import { PreparedEvents } from './prepared-events.ts';
import { StreamEvent, type EventContext, type EventSubject } from './stream-event.ts';

/** Events that one read of the log returns, at most. */
export const maxBatch = 256;
/** Events that one scan for deletions reads, at most. */
const maxScanned = 4096;

export class EventReader {
  readonly #log: Pick<EventLog, 'read'>;
  readonly #deletions: Deletions;
  readonly #platform: Pick<StreamSource, 'snapshots' | 'communityOf'>;
  readonly #context: EventContext;
  readonly #options: CallOptions;
  readonly #prepared = new PreparedEvents(maxBatch);
  /** All deletions up to this event are published. */
  #scanned: number;
  /** The reads in progress, by their position. */
  readonly #loading = new TransientMap<number, Promise<readonly StreamEvent[]>>();

  /** `options`: their signal aborts when the stream stops. */
  constructor(
    log: Pick<EventLog, 'read' | 'head'>,
    platform: Pick<StreamSource, 'snapshots' | 'communityOf'>,
    context: EventContext,
    options: CallOptions,
    deletions: Deletions,
  ) {
    this.#log = log;
    this.#deletions = deletions;
    this.#scanned = log.head;
    deletions.add(this.#prepared);
    this.#platform = platform;
    this.#context = context;
    this.#options = options;
  }

  /** The event with this number if it is prepared. */
  prepared(seq: number): StreamEvent | undefined {
    return this.#prepared.get(seq);
  }

  /**
   * Reads and prepares the events after a position, at most `maxBatch`. Concurrent calls for one position share one
   * read. Keeps the events for other connections, which read them too; unless `once`, for the hub, which delivers each event to all
   * connections. Rejects when the log or the platform cannot be read now.
   */
  load(after: number, { once = false } = {}): Promise<readonly StreamEvent[]> {
    const existing = this.#loading.get(after);
    if (existing !== undefined) return existing;
    // Ends at a multiple of the batch size, so that readers that started at different positions share their next read.
    const loading = this.#load(after, maxBatch - (after % maxBatch), once).finally(() => this.#loading.delete(after));
    this.#loading.set(after, loading);
    return loading;
  }

  /**
   * Reads the events after a position only to publish the deletions among them. Resolves with the position of the last
   * one. Rejects when the log cannot be read now.
   */
  async scan(after: number): Promise<number> {
    const entries = await this.#log.read(after, maxScanned);
    this.#publishDeletions(after, entries);
    return entries.at(-1)?.seq ?? after;
  }

  /** Moves over events that are not read. */
  skipTo(position: number): void {
    this.#scanned = Math.max(this.#scanned, position);
    if (!this.#deletions.isIdle) this.#deletions.publish(unknownTweets);
  }

  /** The current state of a state channel, as an event at this position. */
  async currentState({ params: { tweet_id: id } }: ChannelTarget, position: number): Promise<StreamEvent> {
    const at = { seq: position, at: Date.now() };
    const entry: LogEntry =
      id === undefined ? { event: 'pool.status', ...at } : { event: 'tweet.engagement', id, ...at };
    const [subject = {}] = await this.#subjectsOf([entry]);
    return new StreamEvent(entry, subject, this.#context);
  }

  async #load(after: number, limit: number, once: boolean): Promise<readonly StreamEvent[]> {
    const entries = await this.#log.read(after, limit);
    this.#publishDeletions(after, entries);
    return this.#prepare(entries, once);
  }

  /** Prepares the events that are not prepared yet. */
  async #prepare(entries: readonly LogEntry[], once: boolean): Promise<readonly StreamEvent[]> {
    const watch = this.#deletions.watch();
    try {
      let events = await this.#create(entries);
      // A deletion during the wait may be newer than the data.
      while (watch.isTriggered) {
        const deleted = watch.take();
        const outdated = events.filter((event) => event.holdsTextOf(deleted));
        if (outdated.length === 0) continue;
        const current = await this.#create(outdated.map(({ entry }) => entry));
        const bySeq = new Map(current.map((event) => [event.seq, event]));
        events = events.map((event) => bySeq.get(event.seq) ?? event);
      }
      // A deletion is prepared again for each replay, because the tweet can come back.
      if (!once) for (const event of events) if (!event.isDeletion) this.#prepared.add(event);
      return events;
    } finally {
      watch.stop();
    }
  }

  async #create(entries: readonly LogEntry[]): Promise<readonly StreamEvent[]> {
    const subjects = await this.#subjectsOf(entries);
    return entries.map(
      (entry, index) => this.prepared(entry.seq) ?? new StreamEvent(entry, subjects[index] ?? {}, this.#context),
    );
  }

  /** Publishes the deletions among entries that were read after a position, each once. */
  #publishDeletions(after: number, entries: readonly LogEntry[]): void {
    const [first] = entries;
    const last = entries.at(-1);
    if (first === undefined || last === undefined || last.seq <= this.#scanned) return;
    const ids = entries.flatMap((entry) =>
      entry.event === 'tweet.deleted' && entry.seq > this.#scanned ? [entry.id] : [],
    );
    const followsScanned = after <= this.#scanned;
    // The deletions among events that are no longer retained are unknown.
    const isIncomplete = followsScanned && first.seq > this.#scanned + 1;
    if (followsScanned) this.#scanned = last.seq;
    if (isIncomplete) this.#deletions.publish(unknownTweets);
    else if (ids.length > 0) this.#deletions.publish(new Set(ids));
  }

  /** The entities of entries, in their order. */
  async #subjectsOf(entries: readonly LogEntry[]): Promise<readonly EventSubject[]> {
    const tweetIds = entries.flatMap((entry) => ('id' in entry && !('userId' in entry) ? [entry.id] : []));
    const joined = entries.flatMap((entry) => ('userId' in entry ? [entry] : []));
    const tweets = tweetIds.length === 0 ? [] : await this.#platform.snapshots(tweetIds, this.#options);
    const members = await Promise.all(joined.map(async ({ id, userId }) => this.#memberOf(id, userId)));
    const [nextTweet, nextMember] = [tweets.values(), members.values()];
    return entries.map((entry) => {
      if (!('id' in entry)) return {};
      return 'userId' in entry ? { member: nextMember.next().value } : { tweet: nextTweet.next().value };
    });
  }

  async #memberOf(communityId: string, userId: string): Promise<CommunityMember> {
    return this.#platform.communityOf(communityId, userId, this.#options);
  }
}
