/** Decides which responses can be cached: those that depend only on the query and on the data of the platform. */
import type { OperationId, Query } from '../contract/operations.ts';
import type { Platform } from '../ports/platform.ts';
import { dependsOnClock } from '../search/language/clock-dependence.ts';

/** Whether the response depends only on the query and on the data of the platform. */
type IsCacheable<Id extends OperationId> = boolean | ((query: Query<Id>) => boolean);

/** Responses of other operations cannot be cached. */
const cacheable: { readonly [Id in OperationId]?: IsCacheable<Id> } = {
  getUser: true,
  getUsers: true,
  // Another service resolves the tokens.
  getUserLastTweets: ({ resolve_cashtags }) => resolve_cashtags === undefined,
  getUserHighlights: true,
  getUserFollowers: true,
  getUserFollowings: true,
  getUserMentions: true,
  getTweet: true,
  getTweets: true,
  getTweetThread: true,
  getTweetQuotes: true,
  getTweetReplies: true,
  getTweetRetweeters: true,
  searchTweets: ({ query }) => !dependsOnClock(query),
  // Without its end, the range ends now.
  countTweets: ({ query, granularity, until_time }) =>
    (until_time !== undefined || granularity === 'all') && !dependsOnClock(query),
  discoverCommunityTweets: true,
  getCommunity: true,
  getCommunityMedia: true,
  getUserCommunities: true,
  getSpace: true,
};

/** Returns the revision of the platform for which the response is valid; undefined if the response cannot be cached. */
export const createRevisions =
  (platform: Pick<Platform, 'revision'>) =>
  (id: OperationId, query: object): number | undefined => {
    const isCacheable = (cacheable[id] ?? false) as IsCacheable<OperationId>;
    const result = typeof isCacheable === 'boolean' ? isCacheable : isCacheable(query);
    return result ? platform.revision() : undefined;
  };
