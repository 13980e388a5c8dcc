/** What the archive knows, in the forms of the contract. */
import type { Schemas } from '../contract.ts';
import type { Archive } from './archive.ts';
import type { ArchivedSpace, ArchivedTweet, ArchivedUser } from './records.ts';

const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();
const noEntities: Schemas['Entities'] = { mentions: [], hashtags: [], cashtags: [], urls: [] };

/** The six counts; unknown ones are 0. */
const countsOf = (tweet: ArchivedTweet) => ({
  retweet_count: tweet.retweet_count ?? 0,
  reply_count: tweet.reply_count ?? 0,
  like_count: tweet.like_count ?? 0,
  quote_count: tweet.quote_count ?? 0,
  bookmark_count: tweet.bookmark_count ?? 0,
  view_count: tweet.view_count ?? 0,
});

/** The author of a tweet; one whose profile the archive does not have keeps only the id. */
export function author(archive: Archive, id: string): Schemas['Author'] {
  return { ...authorShort(archive, id), verified: archive.users.get(id)?.verified ?? false };
}

function authorShort(archive: Archive, id: string): Schemas['AuthorShort'] {
  const user = archive.users.get(id);
  return {
    id,
    name: user?.name ?? user?.username ?? '',
    username: user?.username ?? '',
    profile_image: user?.profile_image ?? '',
    followers_count: user?.followers_count ?? 0,
  };
}

/** Gives the tweet of an id as it stands in another one; null where it is not known. */
export type Bring = (id: string) => Schemas['Tweet'] | null;

/** A tweet in full form. `bring`: how it comes by the quoted and the retweeted tweet, which is one level deep. */
export function tweetFull(archive: Archive, ordinal: number, bring: Bring = bringFrom(archive)): Schemas['Tweet'] {
  const tweet = archive.tweet(ordinal);
  const reference = (id: string | undefined): Schemas['Tweet'] | null => (id === undefined ? null : bring(id));
  return {
    id: tweet.id,
    text: tweet.text,
    created_at: timestamp(archive.createdAt(ordinal)),
    author: author(archive, tweet.author_id),
    ...countsOf(tweet),
    media: tweet.media ?? [],
    ...(tweet.card === undefined ? {} : { card: tweet.card }),
    ...(tweet.article === undefined ? {} : { article: tweet.article }),
    entities: tweet.entities ?? noEntities,
    quoted_tweet: reference(tweet.quoted_tweet_id),
    retweeted_tweet: reference(tweet.retweeted_tweet_id),
  };
}

const bringFrom = (archive: Archive): Bring => (id) => {
  const ordinal = archive.ordinal(id);
  return ordinal === undefined ? null : tweetFull(archive, ordinal, () => null);
};

/** The counts of a tweet. */
export function engagement(archive: Archive, ordinal: number): Schemas['WsEngagement'] {
  const tweet = archive.tweet(ordinal);
  return { tweet_id: tweet.id, ...countsOf(tweet) };
}

/** A tweet in short form. */
export function tweetShort(archive: Archive, ordinal: number): Schemas['TweetShort'] {
  const tweet = archive.tweet(ordinal);
  return {
    id: tweet.id,
    text: tweet.text,
    created_at: timestamp(archive.createdAt(ordinal)),
    author: authorShort(archive, tweet.author_id),
    ...countsOf(tweet),
  };
}

/** A profile; what is unknown is empty, 0 or false, and `created_at` is left out. */
export function user(known: ArchivedUser): Schemas['User'] {
  return {
    id: known.id,
    name: known.name ?? known.username,
    username: known.username,
    description: known.description ?? '',
    location: known.location ?? '',
    ...(known.created_at === undefined ? {} : { created_at: timestamp(Date.parse(known.created_at)) }),
    followers_count: known.followers_count ?? 0,
    following_count: known.following_count ?? 0,
    tweet_count: known.tweet_count ?? 0,
    like_count: known.like_count ?? 0,
    media_count: known.media_count ?? 0,
    verified: known.verified ?? false,
    is_blue_verified: known.is_blue_verified ?? false,
    profile_image: known.profile_image ?? '',
    profile_banner: known.profile_banner ?? '',
    pinned_tweet_ids: known.pinned_tweet_ids ?? [],
  };
}

/** A community as its member sees it; undefined where the archive knows the membership but not the community. */
export function community(archive: Archive, id: string, userId: string): Schemas['Community'] | undefined {
  const known = archive.communities.get(id);
  const role = archive.role(id, userId);
  if (known === undefined || role === undefined) return undefined;
  return {
    id,
    name: known.name,
    description: known.description ?? '',
    member_count: known.member_count ?? 0,
    moderator_count: known.moderator_count ?? 0,
    role,
    join_policy: known.join_policy ?? 'open',
  };
}

export function space(archive: Archive, known: ArchivedSpace): Schemas['Space'] {
  const moment = (value: string | null | undefined): string | null => (value ? timestamp(Date.parse(value)) : null);
  return {
    id: known.id,
    title: known.title,
    state: known.state,
    host: author(archive, known.host_id),
    speakers: (known.speaker_ids ?? []).map((id) => author(archive, id)),
    participant_count: known.participant_count ?? 0,
    subscriber_count: known.subscriber_count ?? 0,
    lang: known.lang ?? 'und',
    is_ticketed: known.is_ticketed ?? false,
    created_at: timestamp(Date.parse(known.created_at)),
    scheduled_start: moment(known.scheduled_start),
    started_at: moment(known.started_at),
    ended_at: moment(known.ended_at),
  };
}
