/** The effect of a change on an entity that clients can subscribe to. */
import type { Tombstone } from './tombstone.ts';

export type DomainEvent =
  | { readonly event: 'tweet.created' | 'tweet.updated' | 'tweet.engagement' | 'tweet.unliked'; readonly id: string }
  | TweetDeleted
  | { readonly event: 'community.joined'; readonly id: string; readonly userId: string };

/** A tweet that the archive had was removed. The tombstone has the same data later. */
export interface TweetDeleted {
  readonly event: 'tweet.deleted';
  readonly id: string;
  readonly tombstone: Tombstone;
}
