/** The handlers of all operations. A missing or unknown operation is a compile error. */
import { operationIds, type Handlers } from '../contract/operations.ts';
import { unsupported } from '../ports/platform.ts';
import { countTweets } from './countTweets.ts';
import { createFeedToken } from './createFeedToken.ts';
import { createSavedSearch } from './createSavedSearch.ts';
import { createToken } from './createToken.ts';
import { deleteSavedSearch } from './deleteSavedSearch.ts';
import { discoverCommunityTweets } from './discoverCommunityTweets.ts';
import { explainTweet } from './explainTweet.ts';
import { getAssistantStatus } from './getAssistantStatus.ts';
import { getCommunity } from './getCommunity.ts';
import { getCommunityMedia } from './getCommunityMedia.ts';
import { getFeedTokens } from './getFeedTokens.ts';
import { getSavedSearch } from './getSavedSearch.ts';
import { getSavedSearchFeed } from './getSavedSearchFeed.ts';
import { getSearchFeed } from './getSearchFeed.ts';
import { getSpace } from './getSpace.ts';
import { getTweet } from './getTweet.ts';
import { getTweetQuotes } from './getTweetQuotes.ts';
import { getTweetReplies } from './getTweetReplies.ts';
import { getTweetRetweeters } from './getTweetRetweeters.ts';
import { getTweets } from './getTweets.ts';
import { getTweetThread } from './getTweetThread.ts';
import { getUser } from './getUser.ts';
import { getUserCommunities } from './getUserCommunities.ts';
import { getUserFeed } from './getUserFeed.ts';
import { getUserFollowers } from './getUserFollowers.ts';
import { getUserFollowings } from './getUserFollowings.ts';
import { getUserHighlights } from './getUserHighlights.ts';
import { getUserLastTweets } from './getUserLastTweets.ts';
import { getUserMentions } from './getUserMentions.ts';
import { getUsers } from './getUsers.ts';
import { listSavedSearches } from './listSavedSearches.ts';
import { listWebhookAttempts } from './listWebhookAttempts.ts';
import { resumeWebhook } from './resumeWebhook.ts';
import { revokeFeedToken } from './revokeFeedToken.ts';
import { rotateWebhookSecret } from './rotateWebhookSecret.ts';
import { searchTweets } from './searchTweets.ts';
import { sendTestWebhook } from './sendTestWebhook.ts';
import { streamEvents } from './streamEvents.ts';
import { unlikeTweet } from './unlikeTweet.ts';
import { updateSavedSearch } from './updateSavedSearch.ts';
import type { Parts } from './parts.ts';

export const createHandlers = (parts: Parts): Handlers => ({
  explainTweet: explainTweet(parts),
  getAssistantStatus: getAssistantStatus(parts),
  getUser: getUser(parts),
  getUsers: getUsers(parts),
  getUserLastTweets: getUserLastTweets(parts),
  getUserHighlights: getUserHighlights(parts),
  getUserFollowers: getUserFollowers(parts),
  getUserFollowings: getUserFollowings(parts),
  getUserMentions: getUserMentions(parts),
  getTweet: getTweet(parts),
  getTweets: getTweets(parts),
  getTweetThread: getTweetThread(parts),
  getTweetQuotes: getTweetQuotes(parts),
  getTweetReplies: getTweetReplies(parts),
  getTweetRetweeters: getTweetRetweeters(parts),
  searchTweets: searchTweets(parts),
  countTweets: countTweets(parts),
  discoverCommunityTweets: discoverCommunityTweets(parts),
  getCommunity: getCommunity(parts),
  getCommunityMedia: getCommunityMedia(parts),
  getUserCommunities: getUserCommunities(parts),
  getSpace: getSpace(parts),
  unlikeTweet: unlikeTweet(parts),
  getUserFeed: getUserFeed(parts),
  getSearchFeed: getSearchFeed(parts),
  getSavedSearchFeed: getSavedSearchFeed(parts),
  streamEvents: streamEvents(parts),
  createToken: createToken(parts),
  createFeedToken: createFeedToken(parts),
  getFeedTokens: getFeedTokens(parts),
  revokeFeedToken: revokeFeedToken(parts),
  listSavedSearches: listSavedSearches(parts),
  createSavedSearch: createSavedSearch(parts),
  getSavedSearch: getSavedSearch(parts),
  updateSavedSearch: updateSavedSearch(parts),
  deleteSavedSearch: deleteSavedSearch(parts),
  rotateWebhookSecret: rotateWebhookSecret(parts),
  sendTestWebhook: sendTestWebhook(parts),
  resumeWebhook: resumeWebhook(parts),
  listWebhookAttempts: listWebhookAttempts(parts),
});

/** The handlers, where an operation that the platform does not support answers 501 with the platform's reason. */
export function createOperations(parts: Parts): Handlers {
  const refused = operationIds.flatMap((id) => {
    const error = unsupported(parts.platform, id);
    return error === undefined ? [] : [[id, () => Promise.reject(error)] as const];
  });
  return { ...createHandlers(parts), ...Object.fromEntries(refused) };
}
