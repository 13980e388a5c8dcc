/** Reads the log in batches and prepares its events for delivery. All connections share the prepared events. */
import type { EventLog, LogEntry } from '../ports/event-log.ts';
import type { CallOptions, CommunityMember, StreamSource } from '../ports/platform.ts';
import type { ChannelTarget } from './channels.ts';
import { StreamEvent, type EventContext, type EventSubject } from './stream-event.ts';

/** Events that one read of the log returns, at most. */
export const maxBatch = 256;
/** Size of the event cache. Connections that replay at the same time mostly read the same events. */
const cachedEvents = 2048;

export class EventReader {
  readonly #log: Pick<EventLog, 'read'>;
  readonly #platform: Pick<StreamSource, 'snapshots' | 'communityOf'>;
  readonly #context: EventContext;
  readonly #options: CallOptions;
  readonly #cache = new Array<StreamEvent | undefined>(cachedEvents);
  /** The reads in progress, by their position. */
  readonly #loading = new Map<number, Promise<readonly StreamEvent[]>>();

  /** `options`: their signal aborts when the stream stops. */
  constructor(
    log: Pick<EventLog, 'read'>,
    platform: Pick<StreamSource, 'snapshots' | 'communityOf'>,
    context: EventContext,
    options: CallOptions,
  ) {
    this.#log = log;
    this.#platform = platform;
    this.#context = context;
    this.#options = options;
  }

  /** The event with this number if it is prepared. */
  prepared(seq: number): StreamEvent | undefined {
    const event = this.#cache[seq % cachedEvents];
    return event?.seq === seq ? event : undefined;
  }

  /**
   * Reads and prepares the events after a position, at most `maxBatch`. Concurrent calls for one position share one
   * read. Rejects when the log or the platform cannot be read now.
   */
  load(after: number): Promise<readonly StreamEvent[]> {
    const existing = this.#loading.get(after);
    if (existing !== undefined) return existing;
    // Ends at a multiple of the batch size, so that readers that started at different positions share their next read.
    const loading = this.#load(after, maxBatch - (after % maxBatch)).finally(() => this.#loading.delete(after));
    this.#loading.set(after, loading);
    return loading;
  }

  /** The current state of a state channel, as an event at this position. */
  async currentState({ params: { tweet_id: id } }: ChannelTarget, position: number): Promise<StreamEvent> {
    const at = { seq: position, at: Date.now() };
    const entry: LogEntry =
      id === undefined ? { event: 'pool.status', ...at } : { event: 'tweet.engagement', id, ...at };
    const [subject = {}] = await this.#subjectsOf([entry]);
    return new StreamEvent(entry, subject, this.#context);
  }

  async #load(after: number, limit: number): Promise<readonly StreamEvent[]> {
    const entries = await this.#log.read(after, limit);
    const subjects = await this.#subjectsOf(entries);
    return entries.map((entry, index) => {
      const prepared = this.prepared(entry.seq);
      if (prepared !== undefined) return prepared;
      const event = new StreamEvent(entry, subjects[index] ?? {}, this.#context);
      this.#cache[entry.seq % cachedEvents] = event;
      return event;
    });
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
