/** The changes that the archive applies, and the checks that a change passes before the archive changes anything. */
import type { DomainEvent } from '../../domain/events.ts';
import type { ArchiveRecord, ChangeOutcome } from '../../domain/records.ts';
import type { RemovalReason, RemovedTweet } from '../../domain/tombstone.ts';
import { parseTime } from '../../text/iso-time.ts';
import { memberOf } from '../../text/object.ts';

/** The removal of a like in the format of version 1.0 of the journal: `at` in milliseconds since the epoch. */
export type UnlikeRecord = { kind: 'unlike'; tweet_id: string; at: number };
/** A removed tweet with its tombstone, so that the record of the tweet is not needed any more. */
export type DeleteChange = {
  kind: 'delete';
  tweet_id: string;
  uri?: string;
  author_id?: string;
  retweeted_tweet_id?: string;
  at?: string;
  reason?: RemovalReason;
  tombstone?: RemovedTweet;
};
/**
 * The removal of what the archive does not keep any longer, without a trace: tweets with their native retweets, profiles of
 * users without tweets, and tombstones. What comes again later is new.
 */
export type EvictChange = {
  kind: 'evict';
  tweet_ids: readonly string[];
  user_ids: readonly string[];
  /** The ids of removed tweets. */
  tombstone_ids: readonly string[];
  at: string;
};
/** A tweet as the journal stores it. `arrived`: the revision at which the tweet arrived, where this is an update. */
export type TweetChange = Extract<ArchiveRecord, { kind: 'tweet' }> & {
  arrived?: number;
  /** The place of the tweet is removed: see `scrub_geo`. */
  isScrubbed?: true;
};
/** A change that a snapshot can hold. */
export type SnapshotChange = ArchiveRecord | UnlikeRecord | DeleteChange | TweetChange;
export type Change = SnapshotChange | EvictChange;
/** The outcome of a change. */
export interface Applied {
  readonly outcome: ChangeOutcome;
  readonly events: readonly DomainEvent[];
}

/** Milliseconds since the epoch; 0 where the time is unknown or cannot be parsed. */
export const time = (timestamp: string | number | null | undefined): number =>
  typeof timestamp === 'number' ? timestamp : timestamp ? parseTime(timestamp) || 0 : 0;

/** Gives a removal without a time the current time. */
export function withTime(record: ArchiveRecord, now: string): ArchiveRecord {
  const { kind } = record;
  const isRemoval =
    kind === 'delete' ||
    kind === 'withdraw' ||
    kind === 'unfollow' ||
    kind === 'unretweet' ||
    kind === 'unlike' ||
    kind === 'scrub_geo';
  return isRemoval && record.at === undefined ? { ...record, at: now } : record;
}

/** A record that the archive cannot apply; the message gives the reason. The archive is unchanged. */
export class UnusableRecord extends Error {
  override readonly name = 'UnusableRecord';
}

/** Runs the steps that can fail because of the record, before the archive changes anything. Throws UnusableRecord. */
export function prepare<Result>(steps: () => Result): Result {
  try {
    return steps();
  } catch (error) {
    if (error instanceof UnusableRecord) throw error;
    throw new UnusableRecord(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

const isId = /^[0-9]{1,19}$/;

/** Throws UnusableRecord if a value is not a decimal id; undefined stands for an absent member. */
function requireIds(...ids: readonly unknown[]): void {
  for (const id of ids) {
    if (id === undefined || (typeof id === 'string' && isId.test(id))) continue;
    throw new UnusableRecord(`expected a decimal id instead of ${String(JSON.stringify(id)).slice(0, 40)}`);
  }
}

/** Throws UnusableRecord if a member is missing. */
function requireMembers<Entity extends object>(
  entity: Entity | undefined,
  ...names: readonly (keyof Entity & string)[]
): void {
  for (const name of names) if (typeof entity?.[name] !== 'string') throw new UnusableRecord(`its ${name} is missing`);
}

function requireIdList(ids: unknown): void {
  if (!Array.isArray(ids)) throw new UnusableRecord('its ids are missing');
  requireIds(...(ids as unknown[]));
}

function requireTombstone(change: DeleteChange): void {
  requireMembers(change, 'tweet_id');
  requireIds(change.tweet_id, change.author_id, change.retweeted_tweet_id, change.tombstone?.author_id);
}

/**
 * Throws UnusableRecord for a record without a required member: another version or another program may have written the
 * journal.
 */
export function requireShape(change: Change): void {
  switch (change.kind) {
    case 'tweet': {
      const { id, author_id, in_reply_to_id, conversation_id, quoted_tweet_id, retweeted_tweet_id, community_id } =
        change.tweet;
      requireMembers(change.tweet, 'id', 'author_id', 'text', 'created_at');
      requireIds(id, author_id, in_reply_to_id, conversation_id, quoted_tweet_id, retweeted_tweet_id, community_id);
      if (Number.isNaN(parseTime(change.tweet.created_at)))
        throw new UnusableRecord('its created_at is not a valid time');
      return;
    }
    case 'user':
      requireMembers(change.user, 'id', 'username');
      return requireIds(change.user.id);
    case 'community':
      return requireMembers(change.community, 'id', 'name');
    case 'space':
      requireMembers(change.space, 'id', 'title', 'host_id', 'created_at');
      if (Number.isNaN(Date.parse(change.space.created_at)))
        throw new UnusableRecord('its created_at is not a valid time');
      return;
    case 'follow':
    case 'unfollow':
      requireMembers(change, 'follower_id', 'following_id');
      return requireIds(change.follower_id, change.following_id);
    case 'retweet':
    case 'unretweet':
    case 'highlight':
      requireMembers(change, 'tweet_id', 'user_id');
      return requireIds(change.tweet_id, change.user_id);
    case 'membership':
      requireMembers(change, 'community_id', 'user_id', 'role');
      return requireIds(change.community_id, change.user_id);
    case 'place':
      return requireMembers(change.place, 'id');
    case 'list':
      requireMembers(change.list, 'id');
      return requireIds(change.list.id, change.list.owner_id);
    case 'list_member':
      requireMembers(change, 'list_id', 'user_id');
      return requireIds(change.list_id, change.user_id);
    case 'withdraw':
    case 'reinstate':
      requireMembers(change, 'user_id');
      return requireIds(change.user_id, ...('list_ids' in change ? (change.list_ids ?? []) : []));
    case 'delete':
      return requireTombstone(change);
    case 'evict':
      return [change.tweet_ids, change.user_ids, change.tombstone_ids].forEach(requireIdList);
    case 'like':
    case 'unlike':
    case 'restore':
    case 'scrub_geo':
      requireMembers(change, 'tweet_id');
      return requireIds(change.tweet_id, memberOf(change, 'user_id'));
    default:
      throw new UnusableRecord(`unknown kind ${String(JSON.stringify(memberOf(change, 'kind'))).slice(0, 40)}`);
  }
}
