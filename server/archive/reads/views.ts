/** Views: entities of the archive in the shape of the contract. */
import type { Schemas } from '../../contract/operations.ts';
import {
  counts,
  countsOf,
  userCounts,
  type ArchivedCommunity,
  type ArchivedMedia,
  type ArchivedSpace,
  type ArchivedTweet,
  type ArchivedUser,
} from '../../domain/records.ts';
import { mediaPath } from '../../domain/media-path.ts';
import type { RemovedTweet } from '../../domain/tombstone.ts';
import type { KnownUser, TweetBackground } from '../../ports/platform.ts';
import { toIsoTime } from '../../text/iso-time.ts';
import type { Role } from '../rules/memberships.ts';

/** The records that views read. A tweet is named by its ordinal among them. */
export interface ViewSource {
  readonly communities: { get(id: string): ArchivedCommunity | undefined };
  tweet(ordinal: number): ArchivedTweet;
  createdAt(ordinal: number): number;
  ordinal(id: string): number | undefined;
  user(id: string): ArchivedUser | undefined;
  /** The user that a mention refers to: by its id if it has one, otherwise by its username. */
  mentioned(mention: { readonly username: string; readonly id?: string }): ArchivedUser | undefined;
  role(communityId: string, userId: string): Role | undefined;
}

const noEntities: Schemas['Entities'] = { mentions: [], hashtags: [], cashtags: [], urls: [] };

/** A user as an author; for a stub user only the id and the members from mentions. */
export function author(archive: Pick<ViewSource, 'user'>, id: string): Schemas['Author'] {
  return { ...authorShort(archive, id), verified: archive.user(id)?.verified ?? false };
}

function authorShort(archive: Pick<ViewSource, 'user'>, id: string): Schemas['AuthorShort'] {
  const user = archive.user(id);
  return {
    id,
    name: user?.name ?? user?.username ?? '',
    username: user?.username ?? '',
    profile_image: user?.profile_image ?? '',
    followers_count: user?.followers_count ?? 0,
  };
}

/** The look-ups in the archive that the full form of a tweet needs. */
export interface Lookup {
  /** A quoted or retweeted tweet, by id; null if the archive does not contain it. */
  readonly tweet: (id: string) => Schemas['Tweet'] | null;
  /** The user that a mention refers to; undefined for an unknown user. */
  readonly mentioned: (mention: Schemas['Mention']) => ArchivedUser | undefined;
}

/** A tweet in full form; quoted and retweeted tweets are nested one level deep. */
export function tweetFull(archive: ViewSource, ordinal: number, lookup: Lookup = lookupIn(archive)): Schemas['Tweet'] {
  const tweet = archive.tweet(ordinal);
  const reference = (id: string | undefined): Schemas['Tweet'] | null => (id === undefined ? null : lookup.tweet(id));
  return {
    id: tweet.id,
    text: tweet.text,
    created_at: toIsoTime(archive.createdAt(ordinal)),
    author: author(archive, tweet.author_id),
    ...countsOf(tweet),
    media: tweet.media === undefined ? [] : tweet.media.map(media),
    ...(tweet.card === undefined ? {} : { card: tweet.card }),
    ...(tweet.article === undefined ? {} : { article: tweet.article }),
    entities: entitiesOf(tweet, lookup),
    quoted_tweet: reference(tweet.quoted_tweet_id),
    retweeted_tweet: reference(tweet.retweeted_tweet_id),
  };
}

/** Media with the addresses of the files that the service has. */
function media({ file, video_file: videoFile, ...shown }: ArchivedMedia): Schemas['Media'] {
  return {
    ...shown,
    ...(file === undefined ? {} : { url: mediaPath(file) }),
    ...(videoFile === undefined ? {} : { video_url: mediaPath(videoFile) }),
  };
}

function entitiesOf({ entities = noEntities }: ArchivedTweet, { mentioned }: Lookup): Schemas['Entities'] {
  return entities.mentions.length === 0
    ? entities
    : { ...entities, mentions: entities.mentions.map((each) => mention(each, mentioned(each))) };
}

/** A mention with the current name and id of the user; without a profile, those of the source, or none. */
function mention({ username, name, id }: Schemas['Mention'], profile: ArchivedUser | undefined): Schemas['Mention'] {
  const nameNow = profile?.name ?? name;
  const idNow = profile?.id ?? id;
  return {
    username,
    ...(nameNow === undefined ? {} : { name: nameNow }),
    ...(idNow === undefined ? {} : { id: idNow }),
  };
}

function lookupIn(archive: ViewSource): Lookup {
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
export function engagement(archive: ViewSource, ordinal: number): Schemas['WsEngagement'] {
  const tweet = archive.tweet(ordinal);
  return { tweet_id: tweet.id, ...countsOf(tweet) };
}

/** A tweet in short form. */
export function tweetShort(archive: ViewSource, ordinal: number): Schemas['TweetShort'] {
  const tweet = archive.tweet(ordinal);
  return {
    id: tweet.id,
    text: tweet.text,
    created_at: toIsoTime(archive.createdAt(ordinal)),
    author: authorShort(archive, tweet.author_id),
    ...countsOf(tweet),
  };
}

/** A user by id; a stub user has only the members from references. */
export const userById = (archive: ViewSource, id: string): Schemas['User'] =>
  user(archive.user(id) ?? { id, username: '' });

/** A profile; unknown members are empty, 0 or false; an unknown `created_at` is absent. */
export function user(profile: ArchivedUser): Schemas['User'] {
  return {
    id: profile.id,
    name: profile.name ?? profile.username,
    username: profile.username,
    description: profile.description ?? '',
    location: profile.location ?? '',
    ...(profile.created_at === undefined ? {} : { created_at: toIsoTime(Date.parse(profile.created_at)) }),
    followers_count: profile.followers_count ?? 0,
    following_count: profile.following_count ?? 0,
    tweet_count: profile.tweet_count ?? 0,
    like_count: profile.like_count ?? 0,
    media_count: profile.media_count ?? 0,
    verified: profile.verified ?? false,
    is_blue_verified: profile.is_blue_verified ?? false,
    profile_image: profile.profile_image ?? '',
    profile_banner: profile.profile_banner ?? '',
    pinned_tweet_ids: profile.pinned_tweet_ids ?? [],
  };
}

/** A community from the view of a member; undefined if the archive has the membership but not the community. */
export function community(archive: ViewSource, id: string, userId: string): Schemas['Community'] | undefined {
  const record = archive.communities.get(id);
  const role = archive.role(id, userId);
  return record === undefined || role === undefined ? undefined : { ...communityDetails(record), role };
}

/** A community without a role; unknown counts are 0, and an unknown policy is `open`. */
const communityDetails = (record: ArchivedCommunity): Schemas['CommunityDetails'] => ({
  id: record.id,
  name: record.name,
  description: record.description ?? '',
  member_count: record.member_count ?? 0,
  moderator_count: record.moderator_count ?? 0,
  join_policy: record.join_policy ?? 'open',
});

/** A community with the names of the counts that the record does not have. */
export const communityInfo = (record: ArchivedCommunity): Schemas['CommunityInfo'] => ({
  community: communityDetails(record),
  unknown_counts: (['member_count', 'moderator_count'] as const).filter((name) => record[name] === undefined),
});

export function space(archive: Pick<ViewSource, 'user'>, record: ArchivedSpace): Schemas['Space'] {
  const optionalTime = (value: string | null | undefined): string | null =>
    value ? toIsoTime(Date.parse(value)) : null;
  return {
    id: record.id,
    title: record.title,
    state: record.state,
    host: author(archive, record.host_id),
    speakers: (record.speaker_ids ?? []).map((id) => author(archive, id)),
    participant_count: record.participant_count ?? 0,
    subscriber_count: record.subscriber_count ?? 0,
    lang: record.lang ?? 'und',
    is_ticketed: record.is_ticketed ?? false,
    created_at: toIsoTime(Date.parse(record.created_at)),
    scheduled_start: optionalTime(record.scheduled_start),
    started_at: optionalTime(record.started_at),
    ended_at: optionalTime(record.ended_at),
  };
}

/** A user with the names of the counts that the profile does not have. */
export const userInfo = (view: Schemas['User'], profile: ArchivedUser | undefined): Schemas['UserInfo'] => ({
  user: view,
  unknown_counts: userCounts.filter((name) => profile?.[name] === undefined),
});

/** What the full form of a tweet leaves open. */
export const backgroundOf = (tweet: ArchivedTweet): TweetBackground => ({
  knownCounts: counts.filter((name) => tweet[name] !== undefined),
  inReplyToId: tweet.in_reply_to_id,
  inReplyToUsername: tweet.in_reply_to_username,
  quotedId: tweet.quoted_tweet_id,
  retweetedId: tweet.retweeted_tweet_id,
  lang: tweet.lang,
});

/** The users that mentions refer to, each with the username in the text and the id, if the archive knows it. */
export const mentionedUsers = (
  archive: Pick<ViewSource, 'mentioned'>,
  mentions: RemovedTweet['mentions'] = [],
): KnownUser[] =>
  mentions.map((mention) => ({ username: mention.username, id: mention.id ?? archive.mentioned(mention)?.id }));
