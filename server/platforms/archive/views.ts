/** What the archive knows, in the forms of the contract. */
import type { Schemas } from '../../contract/operations.ts';
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

/** A user as an author; of one without a profile only the id, and what mentions tell, is known. */
export function author(archive: Archive, id: string): Schemas['Author'] {
  return { ...authorShort(archive, id), verified: archive.user(id)?.verified ?? false };
}

function authorShort(archive: Archive, id: string): Schemas['AuthorShort'] {
  const user = archive.user(id);
  return {
    id,
    name: user?.name ?? user?.username ?? '',
    username: user?.username ?? '',
    profile_image: user?.profile_image ?? '',
    followers_count: user?.followers_count ?? 0,
  };
}

/** What a tweet in full form takes from elsewhere in the archive. */
export interface Lookup {
  /** A quoted or retweeted tweet, by id; null where the archive does not have it. */
  readonly tweet: (id: string) => Schemas['Tweet'] | null;
  /** The user that a mention means; undefined where the user is unknown. */
  readonly mentioned: (mention: Schemas['Mention']) => ArchivedUser | undefined;
}

/** A tweet in full form; the quoted and the retweeted tweet are one level deep. */
export function tweetFull(archive: Archive, ordinal: number, lookup: Lookup = lookupIn(archive)): Schemas['Tweet'] {
  const tweet = archive.tweet(ordinal);
  const reference = (id: string | undefined): Schemas['Tweet'] | null => (id === undefined ? null : lookup.tweet(id));
  return {
    id: tweet.id,
    text: tweet.text,
    created_at: timestamp(archive.createdAt(ordinal)),
    author: author(archive, tweet.author_id),
    ...countsOf(tweet),
    media: tweet.media ?? [],
    ...(tweet.card === undefined ? {} : { card: tweet.card }),
    ...(tweet.article === undefined ? {} : { article: tweet.article }),
    entities: entitiesOf(tweet, lookup),
    quoted_tweet: reference(tweet.quoted_tweet_id),
    retweeted_tweet: reference(tweet.retweeted_tweet_id),
  };
}

function entitiesOf({ entities = noEntities }: ArchivedTweet, { mentioned }: Lookup): Schemas['Entities'] {
  return entities.mentions.length === 0
    ? entities
    : { ...entities, mentions: entities.mentions.map((each) => mention(each, mentioned(each))) };
}

/** A mention with what the archive knows of the user now; what is unknown stays as the source gave it, or absent. */
function mention({ username, name, id }: Schemas['Mention'], known: ArchivedUser | undefined): Schemas['Mention'] {
  const nameNow = known?.name ?? name;
  const idNow = known?.id ?? id;
  return {
    username,
    ...(nameNow === undefined ? {} : { name: nameNow }),
    ...(idNow === undefined ? {} : { id: idNow }),
  };
}

function lookupIn(archive: Archive): Lookup {
  const mentioned: Lookup['mentioned'] = (each) => archive.mentioned(each);
  return {
    mentioned,
    tweet(id) {
      const ordinal = archive.ordinal(id);
      return ordinal === undefined ? null : tweetFull(archive, ordinal, { tweet: () => null, mentioned });
    },
  };
}

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

/** A user by id; one that is known only by reference has what the references tell. */
export const userById = (archive: Archive, id: string): Schemas['User'] =>
  user(archive.user(id) ?? { id, username: '' });

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
