/** What a change does to an entity that clients can subscribe to. */

export type DomainEvent =
  | {
      readonly event: 'tweet.created' | 'tweet.updated' | 'tweet.deleted' | 'tweet.engagement' | 'tweet.unliked';
      readonly id: string;
    }
  | { readonly event: 'community.joined'; readonly id: string; readonly userId: string };

/** A domain event with the journal number of the change that caused it. */
export type PublishedEvent = DomainEvent & { readonly change: number };
