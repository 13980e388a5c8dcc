// Written by `npm run generate` from spec/. Do not edit.
import type { components, operations as Operations } from './types.ts';

type Schemas = components['schemas'];
type Path<Id extends keyof Operations> = NonNullable<Operations[Id]['parameters']['path']>;
type Query<Id extends keyof Operations> = NonNullable<Operations[Id]['parameters']['query']>;
type Header<Id extends keyof Operations> = NonNullable<Operations[Id]['parameters']['header']>;
type Content<Id extends keyof Operations> = NonNullable<Operations[Id]['requestBody']>['content'];

/**
 * Every operation by its method and path: its name, whether a retry is refused, which parameters beside a body are in the query,
 * which take a boolean or a Date, which member of a page holds the items, how many items a page may have, a member that every response has, which channel
 * (with which parameters) follows the list, whether it ignores the header X-Event-Cursor, and what differs on the wire from single
 * values, JSON objects, and the usual place of the key.
 */
export const table = {
  'get /social/tweet/assistant': { repeat: 'refused', timeoutSeconds: 150, has: 'tweet_id', ignoresCursor: true },
  'get /social/assistant/status': { has: 'capable', ignoresCursor: true },
  'get /social/user/info': { has: 'user' },
  'get /social/users': { name: 'users.getUsers', has: 'users', wire: {'parameters':{'ids':['query','form',false],'usernames':['query','form',false]}} },
  'get /social/user/last_tweets': { items: 'tweets', follow: ['user:tweets','username','user_id'], units: {'include_replies':1} },
  'get /social/user/highlights': { items: 'tweets' },
  'get /social/user/followers': { items: 'followers' },
  'get /social/user/followings': { items: 'following' },
  'get /social/user/mentions': { items: 'tweets', follow: ['user:mentions','username'], units: {'since_time':1000,'until_time':1000} },
  'get /social/tweet/info': { has: 'tweet' },
  'get /social/tweets': { name: 'tweets.getTweets', has: 'tweets', wire: {'parameters':{'ids':['query','form',false]}} },
  'get /social/tweet/thread': { items: 'tweets' },
  'get /social/tweet/quotes': { items: 'quotes' },
  'get /social/tweet/replies': { items: 'replies', follow: ['tweet:replies','tweet_id'] },
  'get /social/tweet/retweeters': { items: 'retweeters' },
  'get /social/tweet/advanced_search': { items: 'tweets', follow: ['search:tweets','query'] },
  'get /social/tweet/counts': { units: {'since_time':1000,'until_time':1000}, has: 'counts' },
  'get /social/community/info': { has: 'community' },
  'get /social/community/discover': { items: 'tweets', follow: ['community:tweets','id'] },
  'get /social/community/media': { items: 'tweets' },
  'get /social/community/members': { items: 'communities', follow: ['community:members','username'] },
  'get /social/space/detail': { has: 'id' },
  'post /social/tweet/unlike': { repeat: 'refused', body: true, has: 'success', ignoresCursor: true },
  'get /feeds/user': { name: 'feeds.getUserFeed', units: {'include_replies':1}, ignoresCursor: true, wire: {'answers':{'application/atom+xml':'text','application/feed+json':'json'}} },
  'get /feeds/search': { name: 'feeds.getSearchFeed', ignoresCursor: true, wire: {'answers':{'application/atom+xml':'text','application/feed+json':'json'}} },
  'get /feeds/saved_search': { name: 'feeds.getSavedSearchFeed', ignoresCursor: true, wire: {'answers':{'application/atom+xml':'text','application/feed+json':'json'}} },
  'get /social/events': { name: 'streams.streamEvents', ignoresCursor: true, wire: {'parameters':{'last-event-id':['header','simple',false]},'answers':{'text/event-stream':'event-stream'}} },
  'post /social/token/create': { body: true, has: 'token', ignoresCursor: true },
  'post /social/feed_token/create': { name: 'feedToken.create', repeat: 'refused', body: true, has: 'id', ignoresCursor: true },
  'get /social/feed_token/list': { name: 'feedToken.list', has: 'feed_tokens', ignoresCursor: true },
  'post /social/feed_token/revoke': { name: 'feedToken.revoke', body: true, has: 'success', ignoresCursor: true },
  'get /social/searches': { name: 'searches.listSavedSearches', has: 'searches', ignoresCursor: true },
  'post /social/searches': { name: 'searches.createSavedSearch', repeat: 'refused', body: true, has: 'id', ignoresCursor: true },
  'get /social/searches/{search_id}': { name: 'searches.getSavedSearch', has: 'id', ignoresCursor: true },
  'patch /social/searches/{search_id}': { name: 'searches.updateSavedSearch', repeat: 'refused', body: true, has: 'id', ignoresCursor: true },
  'delete /social/searches/{search_id}': { name: 'searches.deleteSavedSearch', repeat: 'refused', ignoresCursor: true, wire: {'answers':{}} },
  'post /social/searches/{search_id}/secret': { name: 'searches.rotateWebhookSecret', repeat: 'refused', has: 'secret', ignoresCursor: true },
  'post /social/searches/{search_id}/test': { name: 'searches.sendTestWebhook', repeat: 'refused', has: 'at', ignoresCursor: true },
  'post /social/searches/{search_id}/resume': { name: 'searches.resumeWebhook', repeat: 'refused', has: 'id', ignoresCursor: true },
  'get /social/searches/{search_id}/attempts': { name: 'searches.listWebhookAttempts', has: 'attempts', ignoresCursor: true },
} as const;

/** The header and the query parameter with the key, and where the client sends it by default. */
export const keyNames = {'header':'x-api-key','query':'api_key','in':'header'} as const;

/** Which member of an operation's pages holds the items. */
export interface ItemNames {
  getUserLastTweets: 'tweets';
  getUserHighlights: 'tweets';
  getUserFollowers: 'followers';
  getUserFollowings: 'following';
  getUserMentions: 'tweets';
  getTweetThread: 'tweets';
  getTweetQuotes: 'quotes';
  getTweetReplies: 'replies';
  getTweetRetweeters: 'retweeters';
  searchTweets: 'tweets';
  discoverCommunityTweets: 'tweets';
  getCommunityMedia: 'tweets';
  getUserCommunities: 'communities';
}

/** The operations that may be sent again after a failure: `x-repeat` is `safe`. */
export type RepeatableOperation = "getAssistantStatus" | "getUser" | "getUsers" | "getUserLastTweets" | "getUserHighlights" | "getUserFollowers" | "getUserFollowings" | "getUserMentions" | "getTweet" | "getTweets" | "getTweetThread" | "getTweetQuotes" | "getTweetReplies" | "getTweetRetweeters" | "searchTweets" | "countTweets" | "getCommunity" | "discoverCommunityTweets" | "getCommunityMedia" | "getUserCommunities" | "getSpace" | "getUserFeed" | "getSearchFeed" | "getSavedSearchFeed" | "streamEvents" | "createToken" | "getFeedTokens" | "revokeFeedToken" | "listSavedSearches" | "getSavedSearch" | "listWebhookAttempts";

/** The channel with the events of an operation's list. */
export interface FollowedChannels {
  searchTweets: 'search:tweets';
  getUserLastTweets: 'user:tweets';
  getUserMentions: 'user:mentions';
  getTweetReplies: 'tweet:replies';
  discoverCommunityTweets: 'community:tweets';
  getUserCommunities: 'community:members';
}

/** The response bodies with their own schema. */
export interface NamedAnswers {
  explainTweet: Schemas['AssistantAnswer'];
  getAssistantStatus: Schemas['PoolStatus'];
  getUser: Schemas['UserInfo'];
  getUsers: Schemas['UserBatch'];
  getUserLastTweets: Schemas['LastTweetsPage'];
  getUserHighlights: Schemas['TweetPage'];
  getUserFollowers: Schemas['FollowersPage'];
  getUserFollowings: Schemas['FollowingPage'];
  getUserMentions: Schemas['TweetShortPage'];
  getTweet: Schemas['TweetInfo'];
  getTweets: Schemas['TweetBatch'];
  getTweetThread: Schemas['TweetThread'];
  getTweetQuotes: Schemas['QuotesPage'];
  getTweetReplies: Schemas['RepliesPage'];
  getTweetRetweeters: Schemas['RetweetersPage'];
  searchTweets: Schemas['TweetShortPage'];
  countTweets: Schemas['TweetCounts'];
  getCommunity: Schemas['CommunityInfo'];
  discoverCommunityTweets: Schemas['TweetShortPage'];
  getCommunityMedia: Schemas['TweetShortPage'];
  getUserCommunities: Schemas['CommunitiesPage'];
  getSpace: Schemas['Space'];
  unlikeTweet: Schemas['UnlikeResult'];
  createToken: Schemas['AccessToken'];
  createFeedToken: Schemas['NewFeedToken'];
  getFeedTokens: Schemas['FeedTokenList'];
  revokeFeedToken: Schemas['RevokeResult'];
  listSavedSearches: Schemas['SavedSearchList'];
  createSavedSearch: Schemas['CreatedSavedSearch'];
  getSavedSearch: Schemas['SavedSearch'];
  updateSavedSearch: Schemas['SavedSearch'];
  rotateWebhookSecret: Schemas['WebhookSecret'];
  sendTestWebhook: Schemas['WebhookAttempt'];
  resumeWebhook: Schemas['SavedSearch'];
  listWebhookAttempts: Schemas['WebhookAttempts'];
}

/** The parameters of `client.tweet.assistant`: Analyse a tweet, or ask a follow-up question. */
export interface AssistantParams {
  /** The tweet to analyse, by its id or by its address on Bluesky or X. Required unless you send `conversation_id`. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri. */
  tweet_id?: Query<'explainTweet'>['tweet_id'] | undefined;
  /** The conversation to continue, from an earlier response. Requires `prompt`. 1 to 256 characters. */
  conversation_id?: Query<'explainTweet'>['conversation_id'] | undefined;
  /** Your question. Optional on the first turn, required with `conversation_id`. Not blank, 1 to 4000 characters. */
  prompt?: Query<'explainTweet'>['prompt'] | undefined;
  /** The assistant model. The default, `assistant-3-latest`, is the own model of whichever account answers. Another name selects the accounts that have this model, and those without a model of their own, which pass the name on to their endpoint. If all accounts have other models, the response is 400 and names the models that can be used. `model` of the response is the model that answered. 1 to 100 characters, default assistant-3-latest. */
  model?: Query<'explainTweet'>['model'] | undefined;
  /** `ticker`, or your own instruction: summarises the tweet, and also proposes or extracts meme-coin tickers. Not blank, 1 to 1000 characters. */
  suggest?: Query<'explainTweet'>['suggest'] | undefined;
  /** `token`: extracts the token in two turns and resolves it on-chain, in one request. */
  extract?: Query<'explainTweet'>['extract'] | undefined;
}

/** The parameters of `client.user.info`: A user. */
export type UserInfoParams =
| {
  /** The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user. A username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  username: Exclude<Query<'getUser'>['username'], undefined>;
  user_id?: never;
}
| {
  username?: never;
  /** The id of the user. 404 if no record of the archive names the user. An id: 1–19 digits. */
  user_id: Exclude<Query<'getUser'>['user_id'], undefined>;
};

/** The parameters of `client.users.getUsers`: Up to 100 users. */
export type GetUsersParams =
| {
  /** The ids of the users, separated by commas. 1 to 100 items, each an id: 1–19 digits. */
  ids: Exclude<Readonly<Query<'getUsers'>['ids']>, undefined>;
  usernames?: never;
}
| {
  ids?: never;
  /** The usernames, separated by commas, case-insensitive, with or without `@`. 1 to 100 items, each a username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  usernames: Exclude<Readonly<Query<'getUsers'>['usernames']>, undefined>;
};

/** The parameters of `client.user.lastTweets`: Recent tweets of a user. */
export type LastTweetsParams =
| {
  /** The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user. A username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  username: Exclude<Query<'getUserLastTweets'>['username'], undefined>;
  user_id?: never;
  /** `1` includes replies. 0 or 1, default 0. */
  include_replies?: Query<'getUserLastTweets'>['include_replies'] | boolean | undefined;
  /** `1` resolves the cashtags of the returned tweets on all chains. A chain id of the aggregator (`solana`, `ethereum`, `base`, `bsc`, …) resolves them on that chain only. `true` and `false` return 400. 1 for all chains or a chain id in lower case. */
  resolve_cashtags?: Query<'getUserLastTweets'>['resolve_cashtags'] | undefined;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserLastTweets'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserLastTweets'>['limit'] | undefined;
}
| {
  username?: never;
  /** The id of the user. 404 if no record of the archive names the user. An id: 1–19 digits. */
  user_id: Exclude<Query<'getUserLastTweets'>['user_id'], undefined>;
  /** `1` includes replies. 0 or 1, default 0. */
  include_replies?: Query<'getUserLastTweets'>['include_replies'] | boolean | undefined;
  /** `1` resolves the cashtags of the returned tweets on all chains. A chain id of the aggregator (`solana`, `ethereum`, `base`, `bsc`, …) resolves them on that chain only. `true` and `false` return 400. 1 for all chains or a chain id in lower case. */
  resolve_cashtags?: Query<'getUserLastTweets'>['resolve_cashtags'] | undefined;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserLastTweets'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserLastTweets'>['limit'] | undefined;
};

/** The parameters of `client.user.highlights`: Highlighted tweets of a user. */
export type HighlightsParams =
| {
  /** The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user. A username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  username: Exclude<Query<'getUserHighlights'>['username'], undefined>;
  user_id?: never;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserHighlights'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserHighlights'>['limit'] | undefined;
}
| {
  username?: never;
  /** The id of the user. 404 if no record of the archive names the user. An id: 1–19 digits. */
  user_id: Exclude<Query<'getUserHighlights'>['user_id'], undefined>;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserHighlights'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserHighlights'>['limit'] | undefined;
};

/** The parameters of `client.user.followers`: Accounts that follow a user. */
export type FollowersParams =
| {
  /** The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user. A username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  username: Exclude<Query<'getUserFollowers'>['username'], undefined>;
  user_id?: never;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserFollowers'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserFollowers'>['limit'] | undefined;
}
| {
  username?: never;
  /** The id of the user. 404 if no record of the archive names the user. An id: 1–19 digits. */
  user_id: Exclude<Query<'getUserFollowers'>['user_id'], undefined>;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserFollowers'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserFollowers'>['limit'] | undefined;
};

/** The parameters of `client.user.followings`: Accounts a user follows. */
export type FollowingsParams =
| {
  /** The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user. A username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  username: Exclude<Query<'getUserFollowings'>['username'], undefined>;
  user_id?: never;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserFollowings'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserFollowings'>['limit'] | undefined;
}
| {
  username?: never;
  /** The id of the user. 404 if no record of the archive names the user. An id: 1–19 digits. */
  user_id: Exclude<Query<'getUserFollowings'>['user_id'], undefined>;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserFollowings'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserFollowings'>['limit'] | undefined;
};

/** The parameters of `client.user.mentions`: Tweets mentioning a user. */
export type MentionsParams =
| {
  /** The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user. A username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  username: Exclude<Query<'getUserMentions'>['username'], undefined>;
  user_id?: never;
  /** Only tweets created at or after this time, in Unix seconds. 0 to 253402300799. */
  since_time?: Query<'getUserMentions'>['since_time'] | Date | undefined;
  /** Only tweets created before this time, in Unix seconds. 0 to 253402300799. */
  until_time?: Query<'getUserMentions'>['until_time'] | Date | undefined;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserMentions'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserMentions'>['limit'] | undefined;
}
| {
  username?: never;
  /** The id of the user. 404 if no record of the archive names the user. An id: 1–19 digits. */
  user_id: Exclude<Query<'getUserMentions'>['user_id'], undefined>;
  /** Only tweets created at or after this time, in Unix seconds. 0 to 253402300799. */
  since_time?: Query<'getUserMentions'>['since_time'] | Date | undefined;
  /** Only tweets created before this time, in Unix seconds. 0 to 253402300799. */
  until_time?: Query<'getUserMentions'>['until_time'] | Date | undefined;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserMentions'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserMentions'>['limit'] | undefined;
};

/** The parameters of `client.tweet.info`: A tweet. */
export interface TweetInfoParams {
  /** The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri. */
  tweet_id: Query<'getTweet'>['tweet_id'];
}

/** The parameters of `client.tweets.getTweets`: Up to 100 tweets. */
export interface GetTweetsParams {
  /** The tweets, separated by commas, each by its id or by its address on Bluesky or X. A comma in an address is written as `%2C`. 1 to 100 items, each an id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri. */
  ids: Readonly<Query<'getTweets'>['ids']>;
}

/** The parameters of `client.tweet.thread`: The thread of a tweet. */
export interface ThreadParams {
  /** The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri. */
  tweet_id: Query<'getTweetThread'>['tweet_id'];
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getTweetThread'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getTweetThread'>['limit'] | undefined;
}

/** The parameters of `client.tweet.quotes`: Tweets that quote a tweet. */
export interface QuotesParams {
  /** The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri. */
  tweet_id: Query<'getTweetQuotes'>['tweet_id'];
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getTweetQuotes'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getTweetQuotes'>['limit'] | undefined;
}

/** The parameters of `client.tweet.replies`: Replies to a tweet. */
export interface RepliesParams {
  /** The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri. */
  tweet_id: Query<'getTweetReplies'>['tweet_id'];
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getTweetReplies'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getTweetReplies'>['limit'] | undefined;
}

/** The parameters of `client.tweet.retweeters`: Users who retweeted a tweet. */
export interface RetweetersParams {
  /** The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri. */
  tweet_id: Query<'getTweetRetweeters'>['tweet_id'];
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getTweetRetweeters'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getTweetRetweeters'>['limit'] | undefined;
}

/** The parameters of `client.tweet.advancedSearch`: Search tweets. */
export interface AdvancedSearchParams {
  /** The search query, in the platform's advanced search operator syntax. 1 to 1024 characters. */
  query: Query<'searchTweets'>['query'];
  /** The order of the results. `Latest` sorts by time, newest first. `Top` sorts by engagement. Latest or Top, default Latest. */
  query_type?: Query<'searchTweets'>['query_type'] | undefined;
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'searchTweets'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'searchTweets'>['limit'] | undefined;
}

/** The parameters of `client.tweet.counts`: Number of tweets that match a query. */
export interface CountsParams {
  /** The search query, in the platform's advanced search operator syntax. 1 to 1024 characters. */
  query: Query<'countTweets'>['query'];
  /** The length of the parts that are counted, in UTC. `all` counts everything together. Hour, day or all, default day. */
  granularity?: Query<'countTweets'>['granularity'] | undefined;
  /** Only tweets created at this time or later, in Unix seconds. 0 to 253402300799. */
  since_time?: Query<'countTweets'>['since_time'] | Date | undefined;
  /** Only tweets created before this time, in Unix seconds. 0 to 253402300799. */
  until_time?: Query<'countTweets'>['until_time'] | Date | undefined;
}

/** The parameters of `client.community.info`: A community. */
export interface CommunityInfoParams {
  /** The id of the community. An id: 1–19 digits. */
  id: Query<'getCommunity'>['id'];
}

/** The parameters of `client.community.discover`: Tweets recommended for a community. */
export interface DiscoverParams {
  /** The id of the community. An id: 1–19 digits. */
  id: Query<'discoverCommunityTweets'>['id'];
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'discoverCommunityTweets'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'discoverCommunityTweets'>['limit'] | undefined;
}

/** The parameters of `client.community.media`: Media tweets of a community. */
export interface MediaParams {
  /** The id of the community. An id: 1–19 digits. */
  id: Query<'getCommunityMedia'>['id'];
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getCommunityMedia'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getCommunityMedia'>['limit'] | undefined;
}

/** The parameters of `client.community.members`: Communities a user belongs to. */
export interface MembersParams {
  /** The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user. A username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  username: Query<'getUserCommunities'>['username'];
  /** The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added. 1 to 512 characters. */
  cursor?: Query<'getUserCommunities'>['cursor'] | null | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserCommunities'>['limit'] | undefined;
}

/** The parameters of `client.space.detail`: Details of an audio room. */
export interface DetailParams {
  /** The id of the space. The id of a space: 1–32 letters or digits. */
  id: Query<'getSpace'>['id'];
}

/** The parameters of `client.tweet.unlike`: Remove a like from a tweet. */
export type UnlikeParams = Content<'unlikeTweet'>['application/json'];

/** The parameters of `client.feeds.getUserFeed`: A feed of a user. */
export type GetUserFeedParams =
| {
  /** The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user. A username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  username: Exclude<Query<'getUserFeed'>['username'], undefined>;
  user_id?: never;
  /** `1` includes replies. 0 or 1, default 0. */
  include_replies?: Query<'getUserFeed'>['include_replies'] | boolean | undefined;
  /** `atom` for Atom, `json` for JSON Feed. Atom or json, default atom. */
  format?: Query<'getUserFeed'>['format'] | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserFeed'>['limit'] | undefined;
}
| {
  username?: never;
  /** The id of the user. 404 if no record of the archive names the user. An id: 1–19 digits. */
  user_id: Exclude<Query<'getUserFeed'>['user_id'], undefined>;
  /** `1` includes replies. 0 or 1, default 0. */
  include_replies?: Query<'getUserFeed'>['include_replies'] | boolean | undefined;
  /** `atom` for Atom, `json` for JSON Feed. Atom or json, default atom. */
  format?: Query<'getUserFeed'>['format'] | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getUserFeed'>['limit'] | undefined;
};

/** The parameters of `client.feeds.getSearchFeed`: A feed of a search. */
export interface GetSearchFeedParams {
  /** The search query, in the platform's advanced search operator syntax. 1 to 1024 characters. */
  query: Query<'getSearchFeed'>['query'];
  /** `atom` for Atom, `json` for JSON Feed. Atom or json, default atom. */
  format?: Query<'getSearchFeed'>['format'] | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getSearchFeed'>['limit'] | undefined;
}

/** The parameters of `client.feeds.getSavedSearchFeed`: A feed of a saved search. */
export interface GetSavedSearchFeedParams {
  /** The id of the saved search. The id of a saved search. */
  id: Query<'getSavedSearchFeed'>['id'];
  /** `atom` for Atom, `json` for JSON Feed. Atom or json, default atom. */
  format?: Query<'getSavedSearchFeed'>['format'] | undefined;
  /** The maximum number of items on the page. 1 to 100, default 20. */
  limit?: Query<'getSavedSearchFeed'>['limit'] | undefined;
}

/** The parameters of `client.streams.streamEvents`: Events of a channel as they happen. */
export interface StreamEventsParams {
  /** The channel. Search:tweets, user:tweets, user:mentions, tweet:replies, tweet:engagement, community:tweets, community:members or assistant:pool. */
  channel: Query<'streamEvents'>['channel'];
  /** A query of the search language (`/docs/search` of the service), for `search:tweets`. 1 to 1024 characters. */
  query?: Query<'streamEvents'>['query'] | undefined;
  /** A username, for `user:tweets`, `user:mentions` and `community:members`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com. */
  username?: Query<'streamEvents'>['username'] | undefined;
  /** The id of a user, for `user:tweets`. An id: 1–19 digits. */
  user_id?: Query<'streamEvents'>['user_id'] | undefined;
  /** The id of a tweet, for `tweet:replies` and `tweet:engagement`. An id: 1–19 digits. */
  tweet_id?: Query<'streamEvents'>['tweet_id'] | undefined;
  /** The id of a community, for `community:tweets`. An id: 1–19 digits. */
  id?: Query<'streamEvents'>['id'] | undefined;
  /** The stream starts behind this position. `Last-Event-ID` replaces it. A cursor of the event stream. */
  cursor?: Query<'streamEvents'>['cursor'] | null | undefined;
  /** What to do if the events behind the cursor are no longer retained; `error` by default. Error or continue. */
  on_gap?: Query<'streamEvents'>['on_gap'] | undefined;
  /** The `id` of the last event that the client has. A cursor of the event stream. */
  "last-event-id"?: Header<'streamEvents'>['last-event-id'] | undefined;
}

/** The parameters of `client.token.create`: Make a short-lived token. */
export type TokenCreateParams = Content<'createToken'>['application/json'];

/** The parameters of `client.feedToken.create`: Make a feed token. */
export type FeedTokenCreateParams = Content<'createFeedToken'>['application/json'];

/** The parameters of `client.feedToken.revoke`: Revoke a feed token. */
export type RevokeParams = Content<'revokeFeedToken'>['application/json'];

/** The parameters of `client.searches.createSavedSearch`: Save a search, with a webhook if you like. */
export type CreateSavedSearchParams = Content<'createSavedSearch'>['application/json'];

/** The parameters of `client.searches.getSavedSearch`: A saved search. */
export interface GetSavedSearchParams {
  /** The id of a saved search of this API key. The id of a saved search. */
  search_id: Path<'getSavedSearch'>['search_id'];
}

/** The parameters of `client.searches.updateSavedSearch`: Change a saved search. */
export type UpdateSavedSearchParams = Content<'updateSavedSearch'>['application/json'] & ({
  /** The id of a saved search of this API key. The id of a saved search. */
  search_id: Path<'updateSavedSearch'>['search_id'];
});

/** The parameters of `client.searches.deleteSavedSearch`: Delete a saved search. */
export interface DeleteSavedSearchParams {
  /** The id of a saved search of this API key. The id of a saved search. */
  search_id: Path<'deleteSavedSearch'>['search_id'];
}

/** The parameters of `client.searches.rotateWebhookSecret`: Make a new secret for a webhook. */
export interface RotateWebhookSecretParams {
  /** The id of a saved search of this API key. The id of a saved search. */
  search_id: Path<'rotateWebhookSecret'>['search_id'];
}

/** The parameters of `client.searches.sendTestWebhook`: Send a test to a webhook. */
export interface SendTestWebhookParams {
  /** The id of a saved search of this API key. The id of a saved search. */
  search_id: Path<'sendTestWebhook'>['search_id'];
}

/** The parameters of `client.searches.resumeWebhook`: Resume a paused webhook. */
export interface ResumeWebhookParams {
  /** The id of a saved search of this API key. The id of a saved search. */
  search_id: Path<'resumeWebhook'>['search_id'];
}

/** The parameters of `client.searches.listWebhookAttempts`: The last attempts to deliver. */
export interface ListWebhookAttemptsParams {
  /** The id of a saved search of this API key. The id of a saved search. */
  search_id: Path<'listWebhookAttempts'>['search_id'];
}

/** The parameters of each operation that has any. */
export interface NamedParameters {
  explainTweet: AssistantParams;
  getUser: UserInfoParams;
  getUsers: GetUsersParams;
  getUserLastTweets: LastTweetsParams;
  getUserHighlights: HighlightsParams;
  getUserFollowers: FollowersParams;
  getUserFollowings: FollowingsParams;
  getUserMentions: MentionsParams;
  getTweet: TweetInfoParams;
  getTweets: GetTweetsParams;
  getTweetThread: ThreadParams;
  getTweetQuotes: QuotesParams;
  getTweetReplies: RepliesParams;
  getTweetRetweeters: RetweetersParams;
  searchTweets: AdvancedSearchParams;
  countTweets: CountsParams;
  getCommunity: CommunityInfoParams;
  discoverCommunityTweets: DiscoverParams;
  getCommunityMedia: MediaParams;
  getUserCommunities: MembersParams;
  getSpace: DetailParams;
  unlikeTweet: UnlikeParams;
  getUserFeed: GetUserFeedParams;
  getSearchFeed: GetSearchFeedParams;
  getSavedSearchFeed: GetSavedSearchFeedParams;
  streamEvents: StreamEventsParams;
  createToken: TokenCreateParams;
  createFeedToken: FeedTokenCreateParams;
  revokeFeedToken: RevokeParams;
  createSavedSearch: CreateSavedSearchParams;
  getSavedSearch: GetSavedSearchParams;
  updateSavedSearch: UpdateSavedSearchParams;
  deleteSavedSearch: DeleteSavedSearchParams;
  rotateWebhookSecret: RotateWebhookSecretParams;
  sendTestWebhook: SendTestWebhookParams;
  resumeWebhook: ResumeWebhookParams;
  listWebhookAttempts: ListWebhookAttemptsParams;
}

/** The methods of the client, whose types are given by operationId. */
export interface Methods<Of extends Record<string, unknown>> {
  tweet: {
    /**
     * Analyse a tweet, or ask a follow-up question: `GET /social/tweet/assistant`.
     *
     * Explains a tweet and cites its sources. To start a conversation, send `tweet_id`. To ask a follow-up question, send the
     * `conversation_id` of the response and a `prompt`. The tweet and the earlier answers are the context.
     *
     * - `tweet_id` is required unless you send `conversation_id`. `conversation_id` requires `prompt`. If you send both ids,
     *   `tweet_id` must be the tweet of the conversation.
     * - `suggest=ticker` (or your own instruction) also extracts the token of a crypto post, or proposes meme-coin tickers.
     * - `extract=token` extracts the token of the post and resolves it on-chain.
     *
     * **Cost.** A request with `extract` costs 2 questions, any other request 1, however often the model reads the archive for
     * its answer. A request that fails before an answer costs nothing. If the provider may have counted a failed request, the
     * pool counts it too.
     *
     * **Sources.** A model can search the archive while it answers. Where `summary` refers to tweets, it has `[1]`, `[2]` …:
     * the places of their ids in `cited_tweets`. The server has checked that the model read these tweets, not that they say
     * what the answer states; the provider `local` quotes them. `[?]` replaces a reference or a link that the server could
     * not verify.
     *
     * **Conversations.** A conversation belongs to the API key that started it. Other keys get 404. It expires one hour after
     * its last use (the operator can change this); then the response is 409: start a new one with `tweet_id`. The context is
     * the last 20 turns, at most 64 kB, with the first 8,192 characters of each answer. Above 10,000 conversations or 64 MB,
     * the least recently used conversations expire. Requests for one conversation run one after another. If too many wait, or
     * wait too long, the response is 429 with `Retry-After`.
     *
     * **Removed tweets.** When a tweet is removed that an answer of a conversation has used (the tweet itself, a quoted tweet, a
     * reply, the thread, another tweet of the author, or what a model read), the conversation ends: the response is 409, as
     * after its expiry. If it is removed before the answer is complete, there is no answer: the response is 404 if it is the
     * tweet of the question, otherwise 503; ask again. A conversation that has used more than 10,000 tweets and users ends, too.
     *
     * If no account of the pool is free, or the budget of the operator for the day is spent, the response is 503 with
     * `Retry-After`.
     *
     * @example
     * ```ts
     * const answer = await client.tweet.assistant({ tweet_id: '1890000000000000001' });
     * ```
     */
    assistant: Of['explainTweet'];
    /**
     * A tweet: `GET /social/tweet/info`.
     *
     * A tweet in full form, which of its counts are unknown, and the ids of the tweets that it refers to, also of those that the
     * archive does not contain.
     *
     * @example
     * ```ts
     * const answer = await client.tweet.info({ tweet_id: '1890000000000000001' });
     * ```
     */
    info: Of['getTweet'];
    /**
     * The thread of a tweet: `GET /social/tweet/thread`.
     *
     * What comes before and after a tweet. `ancestors` are the tweets that it replies to, directly or through others, oldest first,
     * on the first page only. `tweets` are the tweet itself and the tweets with which its author continues it: the author's oldest
     * reply to it, the author's oldest reply to that one, and so on. If an older reply is added meanwhile, the next page follows that
     * one. Replies of other users are in `/social/tweet/replies`.
     *
     * @example
     * ```ts
     * for await (const item of client.tweet.thread({ tweet_id: '1890000000000000001' })) console.log(item);
     * const page = await client.tweet.thread({ tweet_id: '1890000000000000001' }); // page.tweets
     * ```
     */
    thread: Of['getTweetThread'];
    /**
     * Tweets that quote a tweet: `GET /social/tweet/quotes`.
     *
     * Tweets that quote a tweet, newest first, without native retweets of them. The list has the quotes that the archive knows: `quote_count` of the
     * tweet can be larger. It fetches no quotes from a live platform.
     *
     * @example
     * ```ts
     * for await (const item of client.tweet.quotes({ tweet_id: '1890000000000000001' })) console.log(item);
     * const page = await client.tweet.quotes({ tweet_id: '1890000000000000001' }); // page.quotes
     * ```
     */
    quotes: Of['getTweetQuotes'];
    /**
     * Replies to a tweet: `GET /social/tweet/replies`.
     *
     * Direct replies to a tweet, newest first.
     *
     * @example
     * ```ts
     * for await (const item of client.tweet.replies({ tweet_id: '1890000000000000001' })) console.log(item);
     * const page = await client.tweet.replies({ tweet_id: '1890000000000000001' }); // page.replies
     * ```
     */
    replies: Of['getTweetReplies'];
    /**
     * Users who retweeted a tweet: `GET /social/tweet/retweeters`.
     *
     * Users who retweeted a tweet, newest retweet first. Each user appears once.
     *
     * @example
     * ```ts
     * for await (const item of client.tweet.retweeters({ tweet_id: '1890000000000000001' })) console.log(item);
     * const page = await client.tweet.retweeters({ tweet_id: '1890000000000000001' }); // page.retweeters
     * ```
     */
    retweeters: Of['getTweetRetweeters'];
    /**
     * Search tweets: `GET /social/tweet/advanced_search`.
     *
     * Tweets that match a query in the platform's advanced search syntax. `/docs/search` of the service explains every operator
     * and shows how the service parses a query.
     *
     * A space between words means AND. `OR` (upper case) binds tighter than AND. `-` negates. Quotes make a phrase, in which `*`
     * matches any one word. Parentheses group. Case and accents do not matter. Words match the text, the author's name, links
     * and articles.
     *
     * Operators: `from:user` `to:user` `@user` `#tag` `$CASHTAG` · `since:2026-03-04` `until:2026-03-04_05:06:07_UTC` (since is
     * inclusive, until exclusive) `since_time:` `until_time:` (Unix seconds) `within_time:2d` `since_id:` `max_id:` ·
     * `min_faves:` `min_retweets:` `min_replies:` · `filter:` or its opposite `exclude:` with media, images, twimg, videos,
     * native_video, consumer_video, pro_video, vine, periscope, spaces, links, news, mentions, hashtags, replies, self_threads,
     * quote, retweets, nativeretweets, has_engagement, verified, blue_verified, safe · `conversation_id:`
     * `in_reply_to_tweet_id:` `quoted_tweet_id:` `quoted_user_id:` `retweets_of:` `retweets_of_tweet_id:` · `lang:` `source:`
     * `url:` `card_domain:` `card_url:` `card_name:` · `list:` (an id or `owner/slug`) · `geocode:latitude,longitude,10km`
     * `point_radius:[longitude latitude 10mi]` `bounding_box:[west south east north]` `near:` (a place in the archive) with
     * `within:10km`, `place:` `place_country:`, and the names of the v2 API (`is:reply`, `has:cashtags`, `has:geo`, …).
     *
     * `since_id:` and `max_id:` compare ids as numbers. The ids of one platform increase with time, but those of different platforms
     * are not comparable: for a time range, use `since:` and `until:`.
     *
     * Results contain native retweets only with `include:nativeretweets`. An operator that needs data outside the archive
     * (`filter:follows`, `near:me`, …) returns 400, and so does a misspelled operator (`fron:`). To search for such a name, put
     * it in quotes.
     *
     * `Latest` sorts by time, newest first. `Top` sorts by engagement: likes + 2 × retweets + 2 × quotes + replies.
     *
     * @example
     * ```ts
     * for await (const item of client.tweet.advancedSearch({ query: 'coffee OR espresso lang:en' })) console.log(item);
     * const page = await client.tweet.advancedSearch({ query: 'coffee OR espresso lang:en' }); // page.tweets
     * ```
     */
    advancedSearch: Of['searchTweets'];
    /**
     * Number of tweets that match a query: `GET /social/tweet/counts`.
     *
     * How many tweets match a query, by hour or by day of UTC, oldest first. The tweets are those of
     * `advanced_search` with the same query.
     *
     * `since_time` and `until_time` limit the range, together with `since:` and `until:` of the query. For `hour` and `day`, the
     * range ends now and begins seven days before its end unless you send them; it has at most 744 hours or days. Hours and days
     * without tweets have the count 0. The first and the last one are cut off where the range begins and ends.
     *
     * `all` counts the whole archive, or the range, into `total` only: up to 10,000 exactly, then `total_relation` is `at_least`.
     * It counts fast what is rare, and stops early for what is frequent.
     *
     * A count that takes longer than ten seconds returns 503: use more words or a shorter range.
     *
     * @example
     * ```ts
     * const answer = await client.tweet.counts({ query: 'coffee OR espresso lang:en' });
     * ```
     */
    counts: Of['countTweets'];
    /**
     * Remove a like from a tweet: `POST /social/tweet/unlike`.
     *
     * Removes the like of the service's own account from a tweet. `success` is `true` if a like was removed; `like_count` then
     * decreases by one. `success` is `false` if there was no like. The change is on disk before the response. A body with a
     * duplicate member returns 400.
     *
     * @example
     * ```ts
     * const answer = await client.tweet.unlike({ tweet_id: '1890000000000000001' });
     * ```
     */
    unlike: Of['unlikeTweet'];
  };
  assistant: {
    /**
     * Capacity of the assistant pool: `GET /social/assistant/status`.
     *
     * The number of pool accounts in each state, and the questions that the pool can still answer in the rolling 24 hours.
     *
     * - `capable` = `available` + `cooling`
     * - `daily_capacity` = `capable` × the quota of an account (20 by default)
     * - `used_24h` + `remaining_now` = `daily_capacity`
     *
     * A question counts as used from the moment it is sent until 24 hours and one minute after its answer. A question without
     * an answer counts for 24 hours and one minute after its timeout.
     *
     * @example
     * ```ts
     * const answer = await client.assistant.status();
     * ```
     */
    status: Of['getAssistantStatus'];
  };
  user: {
    /**
     * A user: `GET /social/user/info`.
     *
     * A user: profile, counts, and which counts are unknown. Send exactly one of `username` and `user_id`. The response is 404
     * also for a user of whom only the username is known, as from a mention; the lists of such a user are empty.
     *
     * @example
     * ```ts
     * const answer = await client.user.info({ username: 'mira_codes' });
     * ```
     */
    info: Of['getUser'];
    /**
     * Recent tweets of a user: `GET /social/user/last_tweets`.
     *
     * The tweets and retweets of a user, newest first. To include replies, send `include_replies=1`.
     * Send exactly one of `username` and `user_id`.
     *
     * `resolve_cashtags` resolves the cashtags of the page to on-chain tokens: `1` on all chains, a chain id on that chain only.
     * It looks up the first 20 distinct cashtags, including those of retweeted tweets. Resolution is best effort: an
     * unresolved cashtag is left out and never fails the request. The response waits at most 1.5 seconds. Later results are
     * cached for the next request.
     *
     * @example
     * ```ts
     * for await (const item of client.user.lastTweets({ username: 'mira_codes' })) console.log(item);
     * const page = await client.user.lastTweets({ username: 'mira_codes' }); // page.tweets
     * ```
     */
    lastTweets: Of['getUserLastTweets'];
    /**
     * Highlighted tweets of a user: `GET /social/user/highlights`.
     *
     * The tweets that a user highlights on the profile, newest highlight first.
     * Send exactly one of `username` and `user_id`.
     *
     * @example
     * ```ts
     * for await (const item of client.user.highlights({ username: 'mira_codes' })) console.log(item);
     * const page = await client.user.highlights({ username: 'mira_codes' }); // page.tweets
     * ```
     */
    highlights: Of['getUserHighlights'];
    /**
     * Accounts that follow a user: `GET /social/user/followers`.
     *
     * The accounts that follow a user, newest follow first; those without a known time last. Send exactly one of `username` and
     * `user_id`. The list has the followers that the archive knows: `followers_count` of the user can be larger. It fetches no
     * followers from a live platform.
     *
     * @example
     * ```ts
     * for await (const item of client.user.followers({ username: 'mira_codes' })) console.log(item);
     * const page = await client.user.followers({ username: 'mira_codes' }); // page.followers
     * ```
     */
    followers: Of['getUserFollowers'];
    /**
     * Accounts a user follows: `GET /social/user/followings`.
     *
     * The accounts that a user follows, newest follow first. Send exactly one of `username` and `user_id`.
     *
     * @example
     * ```ts
     * for await (const item of client.user.followings({ username: 'mira_codes' })) console.log(item);
     * const page = await client.user.followings({ username: 'mira_codes' }); // page.following
     * ```
     */
    followings: Of['getUserFollowings'];
    /**
     * Tweets mentioning a user: `GET /social/user/mentions`.
     *
     * Tweets that mention a user, newest first, also by an earlier username where the source gives the user's id. `since_time`
     * (inclusive) and `until_time` (exclusive) limit the time range.
     * Send exactly one of `username` and `user_id`.
     *
     * @example
     * ```ts
     * for await (const item of client.user.mentions({ username: 'mira_codes' })) console.log(item);
     * const page = await client.user.mentions({ username: 'mira_codes' }); // page.tweets
     * ```
     */
    mentions: Of['getUserMentions'];
  };
  users: {
    /**
     * Up to 100 users: `GET /social/users`.
     *
     * Users by their ids or usernames, in the order of the request, each once. Send exactly one of `ids` and `usernames`. The
     * users are those of `/social/user/info`; those that it does not have are in `missing`, and no error. Without
     * `unknown_counts`, which `/social/user/info` has.
     *
     * The response has what is stored: it fetches nothing from a live platform.
     *
     * @example
     * ```ts
     * const answer = await client.users.getUsers({ ids: ["4200000001","4200000404"] });
     * ```
     */
    getUsers: Of['getUsers'];
  };
  tweets: {
    /**
     * Up to 100 tweets: `GET /social/tweets`.
     *
     * Tweets in full form by their ids, in the order of the request, each once. Those that the archive does not have are in `missing`,
     * and no error.
     *
     * The response has what is stored: it fetches nothing from a live platform.
     *
     * @example
     * ```ts
     * const answer = await client.tweets.getTweets({ ids: ["1890000000000000003","1890000000000000404"] });
     * ```
     */
    getTweets: Of['getTweets'];
  };
  community: {
    /**
     * A community: `GET /social/community/info`.
     *
     * A community: its name, description, policy and counts, and which counts are unknown. An unknown policy is `open`.
     *
     * @example
     * ```ts
     * const answer = await client.community.info({ id: '1700000000000000001' });
     * ```
     */
    info: Of['getCommunity'];
    /**
     * Tweets recommended for a community: `GET /social/community/discover`.
     *
     * Tweets of a community, ranked by recency and engagement. The score of a tweet is its engagement
     * (likes + 2 × retweets + 2 × quotes + replies + 1), with a half-life of 24 hours.
     *
     * @example
     * ```ts
     * for await (const item of client.community.discover({ id: '1700000000000000001' })) console.log(item);
     * const page = await client.community.discover({ id: '1700000000000000001' }); // page.tweets
     * ```
     */
    discover: Of['discoverCommunityTweets'];
    /**
     * Media tweets of a community: `GET /social/community/media`.
     *
     * Tweets of a community that contain media, newest first.
     *
     * @example
     * ```ts
     * for await (const item of client.community.media({ id: '1700000000000000001' })) console.log(item);
     * const page = await client.community.media({ id: '1700000000000000001' }); // page.tweets
     * ```
     */
    media: Of['getCommunityMedia'];
    /**
     * Communities a user belongs to: `GET /social/community/members`.
     *
     * The communities of a user, with the user's role in each, newest membership first. For a user of a platform without
     * communities, such as Bluesky, the response is 501.
     *
     * @example
     * ```ts
     * for await (const item of client.community.members({ username: 'mira_codes' })) console.log(item);
     * const page = await client.community.members({ username: 'mira_codes' }); // page.communities
     * ```
     */
    members: Of['getUserCommunities'];
  };
  space: {
    /**
     * Details of an audio room: `GET /social/space/detail`.
     *
     * A space: its state, host, speakers and number of participants.
     *
     * @example
     * ```ts
     * const answer = await client.space.detail({ id: '1vSampleSpace1' });
     * ```
     */
    detail: Of['getSpace'];
  };
  feeds: {
    /**
     * A feed of a user: `GET /feeds/user`.
     *
     * The newest tweets and retweets of a user as an Atom feed (RFC 4287) or as a JSON Feed 1.1. Send exactly one of `username` and
     * `user_id`.
     *
     * The address of a feed has a feed token as `api_key` (`/social/feed_token/create`), or a key or token with the scope `feeds`. The
     * feed has no key in it. Ids are the same in all feeds, and stay the same. Pictures and videos are enclosures. What a tweet of a
     * stranger says is text: markup in it is shown as it is. A deleted tweet is no longer in the feed. Send `If-None-Match` (or
     * `If-Modified-Since`) to get 304 while nothing has changed.
     *
     * @example
     * ```ts
     * const answer = await client.feeds.getUserFeed({ username: 'mira_codes' });
     * ```
     */
    getUserFeed: Of['getUserFeed'];
    /**
     * A feed of a search: `GET /feeds/search`.
     *
     * The newest tweets of a search as an Atom feed (RFC 4287) or as a JSON Feed 1.1.
     *
     * The address of a feed has a feed token as `api_key` (`/social/feed_token/create`), or a key or token with the scope `feeds`. The
     * feed has no key in it. Ids are the same in all feeds, and stay the same. Pictures and videos are enclosures. What a tweet of a
     * stranger says is text: markup in it is shown as it is. A deleted tweet is no longer in the feed. Send `If-None-Match` (or
     * `If-Modified-Since`) to get 304 while nothing has changed.
     *
     * @example
     * ```ts
     * const answer = await client.feeds.getSearchFeed({ query: 'coffee OR espresso lang:en' });
     * ```
     */
    getSearchFeed: Of['getSearchFeed'];
    /**
     * A feed of a saved search: `GET /feeds/saved_search`.
     *
     * The newest tweets of a saved search of the key, or of the key of the feed token, as an Atom feed (RFC 4287) or as a JSON Feed
     * 1.1. The feed stays the same when its query changes.
     *
     * The address of a feed has a feed token as `api_key` (`/social/feed_token/create`), or a key or token with the scope `feeds`. The
     * feed has no key in it. Ids are the same in all feeds, and stay the same. Pictures and videos are enclosures. What a tweet of a
     * stranger says is text: markup in it is shown as it is. A deleted tweet is no longer in the feed. Send `If-None-Match` (or
     * `If-Modified-Since`) to get 304 while nothing has changed.
     *
     * @example
     * ```ts
     * const answer = await client.feeds.getSavedSearchFeed({ id: 's_4nT0aY2kQe7m' });
     * ```
     */
    getSavedSearchFeed: Of['getSavedSearchFeed'];
  };
  streams: {
    /**
     * Events of a channel as they happen: `GET /social/events`.
     *
     * Server-sent events: one subscription of the event stream (`/docs/events` of the service), for programs without WebSockets, such as `curl`,
     * proxies and low-code tools, and for the `EventSource` of a browser, with a token as `api_key`. Channels, parameters,
     * cursors, the order of events and deletions are those of `/ws`.
     *
     * - Send exactly the parameter that the channel has: `query` (search:tweets), `username` or `user_id` (user:tweets),
     *   `username` (user:mentions, community:members), `tweet_id` (tweet:replies, tweet:engagement), `id` (community:tweets),
     *   none (assistant:pool).
     * - The `data` of an event is a message of `/ws`. An `event` has no name in the stream, so that `onmessage` receives it; the
     *   others have their type as a name: `subscribed`, `caught_up`, `gap`, `lagging`, `unsubscribed`, `going_away`.
     * - The `id` of an event is its cursor. A client that connects again sends it as `Last-Event-ID`, as an `EventSource` does
     *   by itself: the stream goes on behind it. Otherwise the stream starts behind `cursor`, or with new events.
     * - If the events behind the cursor are no longer retained, or belong to another log, the response is 410; with
     *   `on_gap=continue` the stream has `gap` and what there is.
     * - After 20 seconds without an event there is a comment with the current `id`. A caller that reads nothing for 10 seconds
     *   is cut off, and can go on with its last `id`.
     * - A stream counts as one connection of the key, of 5, together with those of `/ws`. It ends when the key is revoked, when
     *   the token ends, and behind the `tweet.deleted` of the tweet that it is about.
     *
     * @example
     * ```ts
     * for await (const item of await client.streams.streamEvents({ channel: 'assistant:pool' })) console.log(item);
     * ```
     */
    streamEvents: Of['streamEvents'];
  };
  token: {
    /**
     * Make a short-lived token: `POST /social/token/create`.
     *
     * Makes a token from the API key of the request, for a program that must not have the key, such as a page in a browser. It
     * is sent where a key is sent, also to `/ws`. It has the scopes of the key, or those of `scopes`; no token can make tokens.
     * Requests with a token count towards the limits of its key, and it ends when its key is revoked or expires. A connection
     * of the event stream that was opened with a token is closed when the token ends; resume it by cursor with a new one.
     *
     * The service stores no token, so one alone cannot be revoked: make it short.
     *
     * @example
     * ```ts
     * const answer = await client.token.create({ scopes: ["read","events"], ttl_seconds: 600 });
     * ```
     */
    create: Of['createToken'];
  };
  feedToken: {
    /**
     * Make a feed token: `POST /social/feed_token/create`.
     *
     * Makes a token that reads feeds and nothing else, for the address of a feed in a feed reader. It does not expire; revoke it
     * with `/social/feed_token/revoke`. It also ends with its key, and its requests count towards the limits of that key. A key
     * has at most 100 feed tokens.
     *
     * @example
     * ```ts
     * const answer = await client.feedToken.create({ name: 'reader on my phone' });
     * ```
     */
    create: Of['createFeedToken'];
    /**
     * The feed tokens of the key: `GET /social/feed_token/list`.
     *
     * The feed tokens of the API key of the request, oldest first, without their texts.
     *
     * @example
     * ```ts
     * const answer = await client.feedToken.list();
     * ```
     */
    list: Of['getFeedTokens'];
    /**
     * Revoke a feed token: `POST /social/feed_token/revoke`.
     *
     * Revokes a feed token of the API key of the request. `success` is `true` if it was valid; `false` if the key has no such
     * feed token. The change is on disk before the response.
     *
     * @example
     * ```ts
     * const answer = await client.feedToken.revoke({ id: '5tGb8Kq1' });
     * ```
     */
    revoke: Of['revokeFeedToken'];
  };
  searches: {
    /**
     * The saved searches of the key: `GET /social/searches`.
     *
     * The saved searches that this API key has created, oldest first, with the state of their webhooks. A key has at most 25.
     *
     * @example
     * ```ts
     * const answer = await client.searches.listSavedSearches();
     * ```
     */
    listSavedSearches: Of['listSavedSearches'];
    /**
     * Save a search, with a webhook if you like: `POST /social/searches`.
     *
     * A saved search is a name and a query of the search language. With `url`, the service sends each tweet that matches from now on to
     * this address, as the channel `search:tweets` of the event stream does: a request `POST` with a JSON body for each event. Without
     * `url`, nothing is sent. A second address for the same query is a second saved search.
     *
     * **Events.** `tweet.created` and `tweet.updated` have the tweet in the form of a search. `tweet.deleted` has up to 100 ids. The
     * text of a deleted tweet is gone, so all deletions are sent, as on the event stream: delete what you have of them, and ignore the
     * others. `search.gap` says that events are missing, because the address did not accept them while the service had them.
     *
     * **Signature.** Requests are signed as the Standard Webhooks specification says (`webhook-id`, `webhook-timestamp`,
     * `webhook-signature`), so its libraries verify them with `secret`. Only this response has it; the rotation makes a new one.
     *
     * **Delivery.** At least once, and in order: the next event follows when an answer with 2xx has come within 10 seconds. A
     * repeated event has the same `webhook-id`. Redirects are not followed. After any other answer or none, the service tries again
     * after 5 seconds, then after twice as long each time, or after the time in `Retry-After`. After a day without success, and after 410
     * at once, the webhook is paused, and `delivery` says why. Other webhooks do not wait.
     *
     * **Addresses.** `https`, of a host in the public internet, without a user name and a password. The operator can permit private
     * networks and `http`, or permit no webhooks at all: then `url` is 400.
     *
     * The saved search belongs to the key. When the key is revoked or expires, nothing is sent any more.
     *
     * @example
     * ```ts
     * const answer = await client.searches.createSavedSearch({ name: 'Coffee in the news', query: 'coffee OR espresso lang:en', url: 'https://hooks.example.com/social' });
     * ```
     */
    createSavedSearch: Of['createSavedSearch'];
    /**
     * A saved search: `GET /social/searches/{search_id}`.
     *
     * A saved search of this API key, with the state of its webhook.
     *
     * @example
     * ```ts
     * const answer = await client.searches.getSavedSearch({ search_id: 's_4nT0aY2kQe7m' });
     * ```
     */
    getSavedSearch: Of['getSavedSearch'];
    /**
     * Change a saved search: `PATCH /social/searches/{search_id}`.
     *
     * Changes the members of the request, and leaves the others as they are. Another `query` selects the events that are not delivered
     * yet. Another `url` gets them, also those that the last address did not accept; the secret stays, and a pause ends. `url: null`
     * ends the deliveries. A `url` where there was none begins with the events from now on.
     *
     * @example
     * ```ts
     * const answer = await client.searches.updateSavedSearch({ search_id: 's_4nT0aY2kQe7m', query: 'coffee OR espresso OR tea lang:en' });
     * ```
     */
    updateSavedSearch: Of['updateSavedSearch'];
    /**
     * Delete a saved search: `DELETE /social/searches/{search_id}`.
     *
     * Deletes a saved search. Nothing is sent any more; a request that is on its way may still arrive.
     *
     * @example
     * ```ts
     * await client.searches.deleteSavedSearch({ search_id: 's_4nT0aY2kQe7m' });
     * ```
     */
    deleteSavedSearch: Of['deleteSavedSearch'];
    /**
     * Make a new secret for a webhook: `POST /social/searches/{search_id}/secret`.
     *
     * Makes a new secret, which only this response has. For 24 hours requests have two signatures, also one by the previous secret, so
     * that the receiver can change its secret in this time. A second rotation ends that of the secret before.
     *
     * @example
     * ```ts
     * const answer = await client.searches.rotateWebhookSecret({ search_id: 's_4nT0aY2kQe7m' });
     * ```
     */
    rotateWebhookSecret: Of['rotateWebhookSecret'];
    /**
     * Send a test to a webhook: `POST /social/searches/{search_id}/test`.
     *
     * Sends an event `search.test` to the address now, also of a paused webhook, and returns what came of it. A failure changes nothing.
     * At most 6 tests a minute with one key.
     *
     * @example
     * ```ts
     * const answer = await client.searches.sendTestWebhook({ search_id: 's_4nT0aY2kQe7m' });
     * ```
     */
    sendTestWebhook: Of['sendTestWebhook'];
    /**
     * Resume a paused webhook: `POST /social/searches/{search_id}/resume`.
     *
     * Tries again at once, from the first event that was not accepted, and ends a pause. Events that the service does not have any more
     * are left out; `search.gap` says so. If the webhook is not paused and does not wait, nothing changes.
     *
     * @example
     * ```ts
     * const answer = await client.searches.resumeWebhook({ search_id: 's_4nT0aY2kQe7m' });
     * ```
     */
    resumeWebhook: Of['resumeWebhook'];
    /**
     * The last attempts to deliver: `GET /social/searches/{search_id}/attempts`.
     *
     * The last 20 requests to the address of a saved search, newest first. They have no texts of tweets and of responses.
     *
     * @example
     * ```ts
     * const answer = await client.searches.listWebhookAttempts({ search_id: 's_4nT0aY2kQe7m' });
     * ```
     */
    listWebhookAttempts: Of['listWebhookAttempts'];
  };
}
