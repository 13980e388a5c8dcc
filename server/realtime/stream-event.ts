/** An event on its way out: what it is told under, how a search sees it, and its frames, made once and shared by all listeners. */
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
  /** What standing queries are put to; undefined for what no search finds. */
  document(): TweetDocument | undefined;
  /** The frame for subscriptions of these names; undefined for what is no longer there to be told. */
  frame(subs: readonly string[], channel: ChannelName, view: PayloadView, replay: boolean): Buffer | undefined;
}

export interface EventParts {
  readonly archive: Archive;
  readonly epoch: string;
  readonly poolStatus: () => Schemas['PoolStatus'];
  /** Told what is not sent: what the contract does not allow, with what it has against that, or what could not be made, with the error. */
  readonly reportInvalid: (entry: LogEntry, findings: unknown) => void;
}

/**
 * Bytes of frames that an event keeps, at most, beside the first of each kind. There can be as many names of subscriptions as listeners:
 * without a bound the events that the hub keeps would hold a frame for each.
 */
const maxCachedBytes = 16 * 1024;

/** An event as a channel tells it, which is always in the same form. Looked up for each listener. */
interface ChannelFrames {
  /** What stands in the frame after `subs`. */
  readonly rest: string | undefined;
  /** The frames that are kept, by the names of the subscriptions. */
  readonly live: Map<string, Buffer>;
  readonly replayed: Map<string, Buffer>;
}

/** The same for the same thing, wherever it is told; what may happen more than once is told apart by its place in the log. */
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

/** Never throws: what of an event cannot be made is refused, and told to nobody, so that nobody meets it again and again. */
export function streamEvent(entry: LogEntry, { archive, epoch, poolStatus, reportInvalid }: EventParts): StreamEvent {
  const { event, seq } = entry;
  const ordinal = 'id' in entry && event.startsWith('tweet.') ? archive.ordinal(entry.id) : undefined;
  const hasNewTweet = event === 'tweet.created' || event === 'tweet.updated';
  let document: TweetDocument | undefined;
  const byChannel = new Map<ChannelName, ChannelFrames>();
  /** Bytes of the frames that are kept. */
  let cachedBytes = 0;

  function attempt<Result>(create: () => Result): Result | undefined {
    try {
      return create();
    } catch (error) {
      reportInvalid(entry, error);
      return undefined;
    }
  }

  /** The topic of a user's username, for those who subscribed before any record told the id. */
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
