/** A log entry prepared for delivery: its topics, its search document, and its frames, which all connections share. */
import { sent } from '../../generated/messages.js';
import type { Schemas } from '../contract/operations.ts';
import { ServiceError } from '../contract/service-error.ts';
import { epochAt, type EventLog, type LogEntry } from '../ports/event-log.ts';
import type { CommunityMember, GoneTweet, KnownUser, TweetRelations, TweetSnapshot } from '../ports/platform.ts';
import type { TweetDocument } from '../domain/tweet-document.ts';
import { toIsoTime } from '../text/iso-time.ts';
import { topics, type ChannelName, type PayloadView } from './channels.ts';
import type { DeletedIds } from '../ports/tweet-data-holder.ts';
import { formatCursor } from './event-cursor.ts';
import { textFrame } from './frame.ts';

/** The shared parts of the events of one stream. */
export interface EventContext extends Pick<EventLog, 'epoch' | 'epochAt'> {
  readonly poolStatus: () => Schemas['PoolStatus'];
  /** Called for an event that is not sent: with the validation errors, or with the error that its creation threw. */
  readonly reportInvalid: (entry: LogEntry, findings: unknown) => void;
}

/** The current state of the entity that an event is about. */
export interface EventSubject {
  /** Undefined for an event that is not about a tweet, and for an unknown tweet. */
  readonly tweet?: TweetSnapshot | GoneTweet | undefined;
  readonly member?: CommunityMember | undefined;
}

/**
 * Maximum bytes of cached frames of one event, in addition to the first frame of each kind. Each connection can have
 * different subscription names; without a limit, a cached event could hold one frame for each connection.
 */
const maxCachedBytes = 16 * 1024;

/** The frames of an event for one channel. A channel has one view, so its connections share them. */
interface ChannelFrames {
  readonly channel: ChannelName;
  /** The JSON members that follow `subs` in the frame. Undefined when the event is not sent to this channel. */
  readonly rest: string | undefined;
  readonly live: FrameCache;
  readonly replayed: FrameCache;
}

/** Frames by subscription names. Most events have one frame, so the map for others is created at the second. */
interface FrameCache {
  name: string;
  frame: Buffer | undefined;
  others: Map<string, Buffer> | undefined;
}

const emptyCache = (): FrameCache => ({ name: '', frame: undefined, others: undefined });

/** The event id: the same in every channel. An event that can happen more than once includes its log position. */
function eventIdOf(entry: LogEntry, epoch: string): string {
  switch (entry.event) {
    case 'tweet.created':
      return `${entry.event}:${entry.id}`;
    case 'community.joined':
      return `${entry.event}:${entry.id}:${entry.userId}`;
    case 'pool.status':
    case 'unknown':
      return `${entry.event}:${epoch}.${entry.seq}`;
    default:
      return `${entry.event}:${entry.id}:${epoch}.${entry.seq}`;
  }
}

/** Stands for the names of the subscriptions while an event is validated and serialised for all connections. */
const anyNames = ['s1'];
const anyStart = `{"type":"event","subs":${JSON.stringify(anyNames)},`;

/** No method throws: it reports a part that cannot be created, and no connection receives that part. */
export class StreamEvent {
  readonly entry: LogEntry;
  readonly #subject: EventSubject;
  readonly #context: EventContext;
  #topics: readonly string[] | undefined;
  #document: TweetDocument | undefined;
  #channels: readonly ChannelFrames[] = [];
  /** Bytes of the cached frames. */
  #cachedBytes = 0;

  constructor(entry: LogEntry, subject: EventSubject, context: EventContext) {
    this.entry = entry;
    this.#subject = subject;
    this.#context = context;
  }

  get seq(): number {
    return this.entry.seq;
  }

  /** Whether the event reports that a tweet was deleted. Every registered query receives such an event. */
  get isDeletion(): boolean {
    return this.entry.event === 'tweet.deleted';
  }

  /** Whether the event reports that this tweet was deleted, and the tweet has not come back since. */
  endsTweet(id: string): boolean {
    const { entry } = this;
    return entry.event === 'tweet.deleted' && entry.id === id && this.#subject.tweet?.isGone !== false;
  }

  /** Whether the frames or the search document hold text of one of these tweets. */
  holdsTextOf(deleted: DeletedIds): boolean {
    const { entry } = this;
    const { tweet } = this.#subject;
    if (!('id' in entry) || tweet === undefined || tweet.isGone) return false;
    if (deleted.has(entry.id)) return true;
    try {
      return tweet.includedIds.some((id) => deleted.has(id));
    } catch {
      // Another deletion, which is not published yet, has removed this tweet.
      return true;
    }
  }

  get topics(): readonly string[] {
    return (this.#topics ??= this.#attempt(() => this.#findTopics()) ?? []);
  }

  /** The document that registered queries are matched against; undefined for an event without a new tweet. */
  document(): TweetDocument | undefined {
    return (this.#document ??= this.newDocument());
  }

  /** As `document`, but the event does not keep it: the hub, which delivers most events, needs it once. */
  newDocument(): TweetDocument | undefined {
    const { tweet } = this.#subject;
    if (!this.#hasNewTweet || tweet === undefined || tweet.isGone) return undefined;
    return this.#document ?? this.#attempt(() => tweet.document());
  }

  /** The id of the event: the same in every channel and every webhook, and when it is sent again. */
  get id(): string {
    return eventIdOf(this.entry, epochAt(this.#context, this.entry.seq));
  }

  /** The tweet of the event in the form of a search; undefined when it no longer exists. */
  tweet(): Schemas['TweetShort'] | undefined {
    const { tweet } = this.#subject;
    return tweet === undefined || tweet.isGone ? undefined : this.#attempt(() => tweet.short());
  }

  /** The frame for subscriptions with these names; undefined when the data no longer exists or is invalid. */
  frame(subs: readonly string[], channel: ChannelName, view: PayloadView, replay: boolean): Buffer | undefined {
    const cached = this.#framesOf(channel, view);
    const { rest } = cached;
    if (rest === undefined) return undefined;
    const frames = replay ? cached.replayed : cached.live;
    // Most connections have one subscription for an event: joining costs more than the rest of this method.
    const name = subs.length === 1 ? (subs[0] ?? '') : subs.join(' ');
    const existing = frames.name === name ? frames.frame : frames.others?.get(name);
    if (existing !== undefined) return existing;
    const frame = textFrame(`{"type":"event","subs":${JSON.stringify(subs)},${rest}${replay ? ',"replay":true' : ''}}`);
    const isFirst = frames.frame === undefined;
    if (!isFirst && this.#cachedBytes + frame.length > maxCachedBytes) return frame;
    this.#cachedBytes += frame.length;
    if (isFirst) [frames.name, frames.frame] = [name, frame];
    else (frames.others ??= new Map()).set(name, frame);
    return frame;
  }

  get #hasNewTweet(): boolean {
    return this.entry.event === 'tweet.created' || this.entry.event === 'tweet.updated';
  }

  #framesOf(channel: ChannelName, view: PayloadView): ChannelFrames {
    for (const each of this.#channels) if (each.channel === channel) return each;
    const rest = this.#attempt(() => this.#membersFor(channel, view));
    const created: ChannelFrames = { channel, rest, live: emptyCache(), replayed: emptyCache() };
    this.#channels = [...this.#channels, created];
    return created;
  }

  #attempt<Result>(create: () => Result): Result | undefined {
    try {
      return create();
    } catch (error) {
      // A tweet that was deleted after the event was prepared is no fault.
      if (!(error instanceof ServiceError && error.status === 404)) this.#context.reportInvalid(this.entry, error);
      return undefined;
    }
  }

  #findTopics(): string[] {
    const { entry } = this;
    const { tweet, member } = this.#subject;
    if (entry.event === 'unknown') return [];
    if (entry.event === 'pool.status') return [topics.pool];
    if (entry.event === 'community.joined')
      return [topics.member(entry.userId), ...usernameTopic(member?.username, topics.memberName)];
    if (entry.event === 'tweet.deleted')
      return [
        ...new Set([
          topics.engagement(entry.id),
          topics.reply(entry.id),
          ...(tweet === undefined ? [] : topicsOf(tweet)),
        ]),
      ];
    if (!this.#hasNewTweet) return [topics.engagement(entry.id)];
    // Nobody receives the text of a tweet that was deleted later.
    return tweet === undefined || tweet.isGone ? [] : topicsOf(tweet);
  }

  #dataFor(view: PayloadView): Schemas['WsEvent']['data'] | undefined {
    const { tweet, member } = this.#subject;
    const { entry } = this;
    if (entry.event === 'tweet.deleted') return { id: entry.id };
    if (view === 'pool') return this.#context.poolStatus();
    if (view === 'community') return member?.community;
    if (tweet === undefined || tweet.isGone) return undefined;
    return view === 'full' ? tweet.full() : view === 'short' ? tweet.short() : tweet.engagement();
  }

  #membersFor(channel: ChannelName, view: PayloadView): string | undefined {
    const { entry } = this;
    const { reportInvalid } = this.#context;
    const epoch = epochAt(this.#context, entry.seq);
    const data = this.#dataFor(view);
    if (data === undefined || entry.event === 'unknown') return undefined;
    const message = {
      type: 'event',
      subs: anyNames,
      channel,
      event: entry.event,
      seq: entry.seq,
      cursor: formatCursor(epoch, entry.seq),
      event_id: eventIdOf(entry, epoch),
      data,
      timestamp: toIsoTime(entry.at),
    } satisfies Schemas['WsEvent'];
    if (!sent.event(message)) {
      reportInvalid(entry, sent.event.errors);
      return undefined;
    }
    return JSON.stringify(message).slice(anyStart.length, -1);
  }
}

/** The topics of a tweet, and of its deletion. */
const topicsOf = (tweet: TweetRelations): string[] => [
  topics.author(tweet.authorId),
  ...usernameTopic(tweet.authorUsername, topics.authorName),
  ...new Set(tweet.mentions.flatMap(mentionTopics)),
  ...(tweet.inReplyToId === undefined ? [] : [topics.reply(tweet.inReplyToId)]),
  ...(tweet.communityId === undefined ? [] : [topics.community(tweet.communityId)]),
];

/** The topics of a mention: by the id of the user, and by the username in the text. */
const mentionTopics = ({ id, username }: KnownUser): string[] => [
  ...(id === undefined ? [] : [topics.mention(id)]),
  ...usernameTopic(username, topics.mentionName),
];

/** The topic of a username, for subscriptions that were created before the platform had the user's id. */
const usernameTopic = (username: string | undefined, topic: (username: string) => string): string[] =>
  username === undefined ? [] : [topic(username)];
