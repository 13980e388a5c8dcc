/** What an operation's answer is a function of: for most, the query and the platform as it is. */
import type { OperationId, Query } from '../contract/operations.ts';
import type { Platform } from '../ports/platform.ts';
import { dependsOnClock } from '../search/language/clock-dependence.ts';

/** Whether the answer depends on nothing but the query and the platform. */
type IsCacheable<Id extends OperationId> = boolean | ((query: Query<Id>) => boolean);

/** An operation that is not named here is asked anew each time. */
const cacheable: { readonly [Id in OperationId]?: IsCacheable<Id> } = {
  // Tokens are resolved elsewhere.
  getUserLastTweets: ({ resolve_cashtags }) => resolve_cashtags === undefined,
  getUserHighlights: true,
  getUserFollowings: true,
  getUserMentions: true,
  getTweetReplies: true,
  getTweetRetweeters: true,
  searchTweets: ({ query }) => !dependsOnClock(query),
  discoverCommunityTweets: true,
  getCommunityMedia: true,
  getUserCommunities: true,
  getSpace: true,
};

/** Gives the platform's revision for an answer that lasts as long as it, and undefined for any other. */
export const createRevisions =
  (platform: Pick<Platform, 'revision'>) =>
  (id: OperationId, query: object): number | undefined => {
    const isCacheable = (cacheable[id] ?? false) as IsCacheable<OperationId>;
    const result = typeof isCacheable === 'boolean' ? isCacheable : isCacheable(query);
    return result ? platform.revision() : undefined;
  };
