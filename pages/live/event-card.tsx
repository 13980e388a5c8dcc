/** An event as a card. */
import {
  CopyButton,
  communityHref,
  compact,
  Counts,
  full,
  tweetHref,
  TweetCard,
  useState,
  userHref,
  type AnyTweet,
  type ComponentChildren,
  type Schemas,
  type VNode,
} from '../kit/index.ts';
import type { Event } from './stream.ts';

/** Formats for times of the last day and for older ones, in the time zone of the reader. */
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const dayMs = 86_400_000;

const names: Readonly<Record<Event['event'], string>> = {
  'tweet.created': 'New',
  'tweet.updated': 'Edited',
  'tweet.deleted': 'Deleted',
  'tweet.unliked': 'Like removed',
  'tweet.engagement': 'Counts',
  'community.joined': 'Joined',
  'community.left': 'Left',
  'pool.status': 'Pool',
};

/** What happened, and when. */
function Head({ event, changes }: { event: Event; changes: string }): VNode {
  const at = new Date(event.timestamp);
  return (
    <p class="event-head">
      <span class={`label ${event.event.replace('.', '-')}`}>{names[event.event] ?? event.event}</span>
      {event.replay === true && (
        <span class="label replayed" title="Happened while this page was not connected">
          Replayed
        </span>
      )}
      {changes !== '' && <span class="changes">{changes}</span>}
      <time dateTime={event.timestamp} title={event.timestamp}>
        {(Date.now() - at.getTime() < dayMs ? clock : day).format(at)}
      </time>
    </p>
  );
}

type Counted = Omit<Schemas['WsEngagement'], 'tweet_id'>;
const countNames = [
  ['like_count', 'likes'],
  ['retweet_count', 'retweets'],
  ['quote_count', 'quotes'],
  ['reply_count', 'replies'],
  ['bookmark_count', 'bookmarks'],
  ['view_count', 'views'],
] as const;

/** The last shown counts of each tweet, to compute changes; the oldest are removed. */
const lastCounts = new Map<string, Counted>();
const maxShown = 1_000;

/** What has changed in the counts of a tweet since it was last shown, such as `+3 likes, −1 replies`. */
function changesOf(id: string, counts: Counted): string {
  const previous = lastCounts.get(id);
  lastCounts.delete(id);
  lastCounts.set(id, counts);
  if (lastCounts.size > maxShown) lastCounts.delete(lastCounts.keys().next().value!);
  if (previous === undefined) return '';
  return countNames
    .map(([name, words]) => [counts[name] - previous[name], words] as const)
    .filter(([change]) => change !== 0)
    .map(([change, words]) => `${change > 0 ? '+' : '−'}${full(Math.abs(change))} ${words}`)
    .join(', ');
}

const Fact = ({ count, name }: { count: number; name: string }): VNode => (
  <span>
    <b>{compact(count)}</b> {name}
  </span>
);

/** An event that is not about the text of a tweet. */
const Other = ({ children, facts }: { children: ComponentChildren; facts?: ComponentChildren }): VNode => (
  <div class="other">
    <p>{children}</p>
    {facts !== undefined && <div class="facts">{facts}</div>}
  </div>
);

function Pool({ status }: { status: Schemas['PoolStatus'] }): VNode {
  const { capable, available, cooling, untested, incapable, capacity } = status;
  return (
    <Other
      facts={Object.entries({ available, cooling, capable, untested, incapable }).map(([name, count]) => (
        <Fact key={name} count={count} name={name} />
      ))}
    >
      The assistant can answer {full(capacity.remaining_now)} of {full(capacity.daily_capacity)} questions today.
    </Other>
  );
}

function Membership(props: { community: Schemas['Community']; username: string; hasLeft: boolean }): VNode {
  const { community, username, hasLeft } = props;
  return (
    <Other facts={<Fact count={community.member_count} name="members" />}>
      <a href={userHref(username)}>@{username}</a> {hasLeft ? 'left' : 'joined'}{' '}
      <a href={communityHref(community.id)}>
        <bdi>{community.name}</bdi>
      </a>{' '}
      as {community.role}
    </Other>
  );
}

/** The content of an event, and what has changed in its counts. `params`: the parameters of the subscribed channel. */
function contentOf(event: Event, params: Schemas['WsParams']): { readonly body: VNode; readonly changes: string } {
  const { data } = event;
  if ('capacity' in data) return { body: <Pool status={data} />, changes: '' };
  if ('text' in data)
    return { body: <TweetCard tweet={data as AnyTweet} />, changes: changesOf(data.id, data as AnyTweet) };
  if ('tweet_id' in data) {
    const body = (
      <Other facts={<Counts tweet={{ ...data, id: data.tweet_id } as unknown as AnyTweet} />}>
        The counts of <a href={tweetHref(data.tweet_id)}>this tweet</a> are now:
      </Other>
    );
    return { body, changes: changesOf(data.tweet_id, data) };
  }
  if ('role' in data) {
    const username = (params.username ?? '').replace(/^@/, '');
    const hasLeft = event.event === 'community.left';
    return { body: <Membership community={data} username={username} hasLeft={hasLeft} />, changes: '' };
  }
  return {
    body: (
      <Other>
        The tweet <span class="id">{data.id}</span> was deleted.
      </Other>
    ),
    changes: '',
  };
}

/** The received frame as formatted JSON; written at the first opening. */
function RawFrame({ frame }: { frame: string }): VNode {
  const [text, setText] = useState('');
  return (
    <details
      class="raw"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && text === '') setText(JSON.stringify(JSON.parse(frame), null, 2));
      }}
    >
      <summary>Raw frame</summary>
      {text !== '' && (
        <>
          <pre tabIndex={0} aria-label="The frame as JSON" role="region">
            {text}
          </pre>
          <CopyButton text={() => text} />
        </>
      )}
    </details>
  );
}

/** Makes the card of an event. `params`: the parameters of the subscribed channel. */
export function eventCard(event: Event, frame: string, params: Schemas['WsParams']): VNode {
  const { body, changes } = contentOf(event, params);
  return (
    <div class="card">
      <Head event={event} changes={changes} />
      {body}
      <RawFrame frame={frame} />
    </div>
  );
}
