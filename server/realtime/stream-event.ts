/** A log entry prepared for delivery: its topics, its search document, and its frames, which all connections share. */
import { sent } from '../../generated/messages.js';
import type { Archive } from '../platforms/archive/archive.ts';
import { community, engagement, tweetFull, tweetShort } from '../platforms/archive/views.ts';
import type { Schemas } from '../contract/operations.ts';
import { documentOf, contextFrom, type TweetDocument } from '../search/document.ts';
import { topics, type ChannelName, type PayloadView } from './channels.ts';
import { formatCursor } from './event-cursor.ts';
import type { LogEntry } from './event-log.ts';
import { textFrame } from './frame.ts';

export interface StreamEvent {
  readonly seq: number;
  readonly topics: readonly string[];
  /** The document that registered queries are matched against; undefined for an event without a new tweet. */
  document(): TweetDocument | undefined;
  /** The frame for subscriptions with these names; undefined when the data no longer exists or is invalid. */
  frame(subs: readonly string[], channel: ChannelName, view: PayloadView, replay: boolean): Buffer | undefined;
}

export interface EventParts {
  readonly archive: Archive;
  readonly epoch: string;
  readonly poolStatus: () => Schemas['PoolStatus'];
  /** Called for an event that is not sent: with the validation errors, or with the error that its creation threw. */
  readonly reportInvalid: (entry: LogEntry, findings: unknown) => void;
}

/**
 * Maximum bytes of cached frames of one event, in addition to the first frame of each kind. Each connection can have
 * different subscription names; without a limit, a cached event could hold one frame for each connection.
 */
const maxCachedBytes = 16 * 1024;

/** The frames of an event for one channel. A channel has one view, so its connections share them. */
interface ChannelFrames {
  /** The JSON members that follow `subs` in the frame. */
  readonly rest: string | undefined;
  /** Cached frames by subscription names. */
  readonly live: Map<string, Buffer>;
  readonly replayed: Map<string, Buffer>;
}

/** The event id: the same in every channel. An event that can happen more than once includes its log position. */
function eventIdOf(entry: LogEntry, epoch: string): string {
  switch (entry.event) {
    case 'tweet.created':
      return `${entry.event}:${entry.id}`;
    case 'community.joined':
      return `${entry.event}:${entry.id}:${entry.userId}`;
    case 'pool.status':
      return `${entry.event}:${epoch}.${entry.seq}`;
    default:
      return `${entry.event}:${entry.id}:${epoch}.${entry.seq}`;
  }
}

/**
 * Prepares a log entry for delivery. Never throws: it reports a part that cannot be created, and no connection
 * receives that part.
 */
export function streamEvent(entry: LogEntry, { archive, epoch, poolStatus, reportInvalid }: EventParts): StreamEvent {
  const { event, seq } = entry;
  const ordinal = 'id' in entry && event.startsWith('tweet.') ? archive.ordinal(entry.id) : undefined;
  const hasNewTweet = event === 'tweet.created' || event === 'tweet.updated';
  let document: TweetDocument | undefined;
  const byChannel = new Map<ChannelName, ChannelFrames>();
  /** Bytes of the cached frames. */
  let cachedBytes = 0;

  function attempt<Result>(create: () => Result): Result | undefined {
    try {
      return create();
    } catch (error) {
      reportInvalid(entry, error);
      return undefined;
    }
  }

  /** The topic of the username, for subscriptions that were created before the archive had the user's id. */
  function usernameTopics(userId: string, topic: (username: string) => string): string[] {
    const username = archive.user(userId)?.username;
    return username === undefined ? [] : [topic(username)];
  }

  function topicsOf(): string[] {
    if (event === 'pool.status') return [topics.pool];
    if (event === 'community.joined')
      return [topics.member(entry.userId), ...usernameTopics(entry.userId, topics.memberName)];
    if (!hasNewTweet) return [topics.engagement(entry.id)];
    if (ordinal === undefined) return [];
    const tweet = archive.tweet(ordinal);
    return [
      topics.author(tweet.author_id),
      ...usernameTopics(tweet.author_id, topics.authorName),
      ...new Set(tweet.entities?.mentions.map(({ username }) => topics.mention(username))),
      ...(tweet.in_reply_to_id === undefined ? [] : [topics.reply(tweet.in_reply_to_id)]),
      ...(tweet.community_id === undefined ? [] : [topics.community(tweet.community_id)]),
    ];
  }

  function dataFor(view: PayloadView): Schemas['WsEvent']['data'] | undefined {
    if (view === 'pool') return poolStatus();
    if (view === 'community')
      return event === 'community.joined' ? community(archive, entry.id, entry.userId) : undefined;
    if (ordinal === undefined) return undefined;
    return view === 'full'
      ? tweetFull(archive, ordinal)
      : view === 'short'
        ? tweetShort(archive, ordinal)
        : engagement(archive, ordinal);
  }

  function membersFor(channel: ChannelName, view: PayloadView): string | undefined {
    const data = dataFor(view);
    if (data === undefined) return undefined;
    const rest = {
      channel,
      event,
      seq,
      cursor: formatCursor(epoch, seq),
      event_id: eventIdOf(entry, epoch),
      data,
      timestamp: new Date(entry.at).toISOString(),
    } satisfies Omit<Schemas['WsEvent'], 'type' | 'subs'>;
    if (!sent.event({ type: 'event', subs: ['s1'], ...rest })) {
      reportInvalid(entry, sent.event.errors);
      return undefined;
    }
    return JSON.stringify(rest).slice(1, -1);
  }

  return {
    seq,
    topics: attempt(topicsOf) ?? [],

    document() {
      if (!hasNewTweet || ordinal === undefined) return undefined;
      return (document ??= attempt(() => documentOf(archive.tweet(ordinal), contextFrom(archive))));
    },

    frame(subs, channel, view, replay) {
      let cached = byChannel.get(channel);
      if (cached === undefined)
        byChannel.set(
          channel,
          (cached = { rest: attempt(() => membersFor(channel, view)), live: new Map(), replayed: new Map() }),
        );
      const { rest } = cached;
      if (rest === undefined) return undefined;
      const frames = replay ? cached.replayed : cached.live;
      const name = subs.length === 1 ? subs[0]! : subs.join(' ');
      let frame = frames.get(name);
      if (frame === undefined) {
        frame = textFrame(`{"type":"event","subs":${JSON.stringify(subs)},${rest}${replay ? ',"replay":true' : ''}}`);
        if (frames.size === 0 || cachedBytes + frame.length <= maxCachedBytes) {
          frames.set(name, frame);
          cachedBytes += frame.length;
        }
      }
      return frame;
    },
  };
}
