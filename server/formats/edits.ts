/**
 * Edited tweets. On X every version of a tweet has an id of its own, and each version lists all of them. The archive shows only the newest
 * one that it knows: its record comes with deletions of the earlier ones, so that the order in which the versions arrive does not matter.
 */
import type { ArchivedTweet, ArchiveRecord } from '../domain/records.ts';
import { fields, id, isFields } from './recognised.ts';

/** X permits five edits. A longer list is not of X, and must not delete any number of tweets. */
const maxVersions = 30;

/** The lists of versions in the members that v1.1, personal archives and the web pages of X have for them. */
function versionsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (!isFields(value)) return [];
  const { initial, edit, edit_control_initial: controlInitial } = value;
  return [
    ...[value.initial_tweet_id, value.edit_tweet_ids, fields(controlInitial).edit_tweet_ids],
    ...[
      fields(initial).editTweetIds,
      fields(edit).initialTweetId,
      fields(fields(edit).editControlInitial).editTweetIds,
    ],
  ].flat();
}

/** The deletions of the earlier versions of a tweet. `lists`: what the tweet says about its versions, in any of the formats. */
export function earlierVersions(tweet: ArchivedTweet, ...lists: readonly unknown[]): ArchiveRecord[] {
  const versions = new Set(lists.flatMap(versionsIn).flatMap((version) => id(version) ?? []));
  if (versions.size > maxVersions) return [];
  const own = BigInt(tweet.id);
  return [...versions]
    .filter((version) => BigInt(version) < own)
    .map((version) => ({
      ...{ kind: 'delete', tweet_id: version, author_id: tweet.author_id, at: tweet.created_at, reason: 'deleted' },
    }));
}
