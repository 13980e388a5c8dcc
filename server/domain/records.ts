/** The record types of the archive; spec/archive.yaml defines them. */
import type { components } from '../../generated/archive.ts';

export type ArchiveSchemas = components['schemas'];
export type ArchiveRecord = ArchiveSchemas['ArchiveRecord'];
export type ArchivedTweet = ArchiveSchemas['ArchivedTweet'];
export type ArchivedMedia = ArchiveSchemas['ArchivedMedia'];
export type ArchivedUser = ArchiveSchemas['ArchivedUser'];
export type ArchivedCommunity = ArchiveSchemas['ArchivedCommunity'];
export type ArchivedSpace = ArchiveSchemas['ArchivedSpace'];
export type ArchivedPlace = ArchiveSchemas['ArchivedPlace'];
export type ArchivedList = ArchiveSchemas['ArchivedList'];

/**
 * The outcome of a record: new, changed an existing entity, no change, durable but impossible to apply, or rejected because
 * another tweet (by its `uri`) or account (by its `did`) has the id. The archive keeps nothing of a rejected record.
 */
export type ChangeOutcome = 'added' | 'updated' | 'unchanged' | 'dead letter' | 'rejected';

/** The key of the records of a tweet. */
export const tweetKey = (id: string): string => `tweet ${id}`;

/**
 * The key of the entity or relation that a record describes. Records with different keys are independent of each other.
 */
export function recordKey(record: ArchiveRecord): string {
  switch (record.kind) {
    case 'tweet':
      return tweetKey(record.tweet.id);
    case 'user':
      return `user ${record.user.id}`;
    case 'community':
      return `community ${record.community.id}`;
    case 'space':
      return `space ${record.space.id}`;
    case 'place':
      return `place ${record.place.id}`;
    case 'list':
      return `list ${record.list.id}`;
    case 'list_member':
      return `list_member ${record.list_id} ${record.user_id}`;
    case 'follow':
      return `follow ${record.follower_id} ${record.following_id}`;
    case 'retweet':
      return `retweet ${record.tweet_id} ${record.user_id}`;
    case 'highlight':
      return `highlight ${record.user_id} ${record.tweet_id}`;
    case 'membership':
      return `membership ${record.community_id} ${record.user_id}`;
    case 'like':
    case 'unlike':
      return `like ${record.tweet_id}`;
    case 'delete':
    case 'restore':
      return tweetKey(record.tweet_id);
    case 'withdraw':
    case 'reinstate':
      return `user ${record.user_id}`;
    case 'unfollow':
      return `follow ${record.follower_id} ${record.following_id}`;
    case 'unretweet':
      return `retweet ${record.tweet_id} ${record.user_id}`;
    case 'scrub_geo':
      return `scrub_geo ${record.tweet_id} ${record.user_id ?? ''}`;
  }
}

/** The six counts of a tweet. */
export const counts = [
  'retweet_count',
  'reply_count',
  'like_count',
  'quote_count',
  'bookmark_count',
  'view_count',
] as const;

/** The six counts; 0 for unknown counts. */
export const countsOf = (tweet: ArchivedTweet): Record<(typeof counts)[number], number> => ({
  retweet_count: tweet.retweet_count ?? 0,
  reply_count: tweet.reply_count ?? 0,
  like_count: tweet.like_count ?? 0,
  quote_count: tweet.quote_count ?? 0,
  bookmark_count: tweet.bookmark_count ?? 0,
  view_count: tweet.view_count ?? 0,
});

/** The five counts of a user. */
export const userCounts = ['followers_count', 'following_count', 'tweet_count', 'like_count', 'media_count'] as const;
