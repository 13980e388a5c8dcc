// Written by `npm run generate` from spec/. Do not edit.
import type { operations as Operations } from './types.ts';

/** Every operation of the contract: where it is, what its query parameters are, and the scope that a key needs for it. */
export const operations = {
  "explainTweet": {
    "method": "get",
    "path": "/social/tweet/assistant",
    "parameters": [
      "tweet_id",
      "conversation_id",
      "prompt",
      "model",
      "suggest",
      "extract"
    ],
    "required": [],
    "defaults": {
      "model": "assistant-3-latest"
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "assistant"
  },
  "getAssistantStatus": {
    "method": "get",
    "path": "/social/assistant/status",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "assistant"
  },
  "getUser": {
    "method": "get",
    "path": "/social/user/info",
    "parameters": [
      "username",
      "user_id"
    ],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [
      "username",
      "user_id"
    ],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getUsers": {
    "method": "get",
    "path": "/social/users",
    "parameters": [
      "ids",
      "usernames"
    ],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [
      "ids",
      "usernames"
    ],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getUserLastTweets": {
    "method": "get",
    "path": "/social/user/last_tweets",
    "parameters": [
      "username",
      "user_id",
      "include_replies",
      "resolve_cashtags",
      "cursor",
      "limit"
    ],
    "required": [],
    "defaults": {
      "include_replies": "0",
      "limit": 20
    },
    "exactlyOneOf": [
      "username",
      "user_id"
    ],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getUserHighlights": {
    "method": "get",
    "path": "/social/user/highlights",
    "parameters": [
      "username",
      "user_id",
      "cursor",
      "limit"
    ],
    "required": [],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [
      "username",
      "user_id"
    ],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getUserFollowers": {
    "method": "get",
    "path": "/social/user/followers",
    "parameters": [
      "username",
      "user_id",
      "cursor",
      "limit"
    ],
    "required": [],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [
      "username",
      "user_id"
    ],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getUserFollowings": {
    "method": "get",
    "path": "/social/user/followings",
    "parameters": [
      "username",
      "user_id",
      "cursor",
      "limit"
    ],
    "required": [],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [
      "username",
      "user_id"
    ],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getUserMentions": {
    "method": "get",
    "path": "/social/user/mentions",
    "parameters": [
      "username",
      "user_id",
      "since_time",
      "until_time",
      "cursor",
      "limit"
    ],
    "required": [],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [
      "username",
      "user_id"
    ],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getTweet": {
    "method": "get",
    "path": "/social/tweet/info",
    "parameters": [
      "tweet_id"
    ],
    "required": [
      "tweet_id"
    ],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getTweets": {
    "method": "get",
    "path": "/social/tweets",
    "parameters": [
      "ids"
    ],
    "required": [
      "ids"
    ],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getTweetThread": {
    "method": "get",
    "path": "/social/tweet/thread",
    "parameters": [
      "tweet_id",
      "cursor",
      "limit"
    ],
    "required": [
      "tweet_id"
    ],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getTweetQuotes": {
    "method": "get",
    "path": "/social/tweet/quotes",
    "parameters": [
      "tweet_id",
      "cursor",
      "limit"
    ],
    "required": [
      "tweet_id"
    ],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getTweetReplies": {
    "method": "get",
    "path": "/social/tweet/replies",
    "parameters": [
      "tweet_id",
      "cursor",
      "limit"
    ],
    "required": [
      "tweet_id"
    ],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getTweetRetweeters": {
    "method": "get",
    "path": "/social/tweet/retweeters",
    "parameters": [
      "tweet_id",
      "cursor",
      "limit"
    ],
    "required": [
      "tweet_id"
    ],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "searchTweets": {
    "method": "get",
    "path": "/social/tweet/advanced_search",
    "parameters": [
      "query",
      "query_type",
      "cursor",
      "limit"
    ],
    "required": [
      "query"
    ],
    "defaults": {
      "query_type": "Latest",
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "countTweets": {
    "method": "get",
    "path": "/social/tweet/counts",
    "parameters": [
      "query",
      "granularity",
      "since_time",
      "until_time"
    ],
    "required": [
      "query"
    ],
    "defaults": {
      "granularity": "day"
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getCommunity": {
    "method": "get",
    "path": "/social/community/info",
    "parameters": [
      "id"
    ],
    "required": [
      "id"
    ],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "discoverCommunityTweets": {
    "method": "get",
    "path": "/social/community/discover",
    "parameters": [
      "id",
      "cursor",
      "limit"
    ],
    "required": [
      "id"
    ],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getCommunityMedia": {
    "method": "get",
    "path": "/social/community/media",
    "parameters": [
      "id",
      "cursor",
      "limit"
    ],
    "required": [
      "id"
    ],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getUserCommunities": {
    "method": "get",
    "path": "/social/community/members",
    "parameters": [
      "username",
      "cursor",
      "limit"
    ],
    "required": [
      "username"
    ],
    "defaults": {
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "getSpace": {
    "method": "get",
    "path": "/social/space/detail",
    "parameters": [
      "id"
    ],
    "required": [
      "id"
    ],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "read"
  },
  "unlikeTweet": {
    "method": "post",
    "path": "/social/tweet/unlike",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": true,
    "success": 200,
    "scope": "write"
  },
  "getUserFeed": {
    "method": "get",
    "path": "/feeds/user",
    "parameters": [
      "username",
      "user_id",
      "include_replies",
      "format",
      "limit"
    ],
    "required": [],
    "defaults": {
      "include_replies": "0",
      "format": "atom",
      "limit": 20
    },
    "exactlyOneOf": [
      "username",
      "user_id"
    ],
    "body": false,
    "scope": "feeds"
  },
  "getSearchFeed": {
    "method": "get",
    "path": "/feeds/search",
    "parameters": [
      "query",
      "format",
      "limit"
    ],
    "required": [
      "query"
    ],
    "defaults": {
      "format": "atom",
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "scope": "feeds"
  },
  "getSavedSearchFeed": {
    "method": "get",
    "path": "/feeds/saved_search",
    "parameters": [
      "id",
      "format",
      "limit"
    ],
    "required": [
      "id"
    ],
    "defaults": {
      "format": "atom",
      "limit": 20
    },
    "exactlyOneOf": [],
    "body": false,
    "scope": "feeds"
  },
  "streamEvents": {
    "method": "get",
    "path": "/social/events",
    "parameters": [
      "channel",
      "query",
      "username",
      "user_id",
      "tweet_id",
      "id",
      "cursor",
      "on_gap"
    ],
    "required": [
      "channel"
    ],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "scope": "events"
  },
  "createToken": {
    "method": "post",
    "path": "/social/token/create",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": true,
    "success": 200,
    "scope": "tokens"
  },
  "createFeedToken": {
    "method": "post",
    "path": "/social/feed_token/create",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": true,
    "success": 200,
    "scope": "tokens"
  },
  "getFeedTokens": {
    "method": "get",
    "path": "/social/feed_token/list",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "tokens"
  },
  "revokeFeedToken": {
    "method": "post",
    "path": "/social/feed_token/revoke",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": true,
    "success": 200,
    "scope": "tokens"
  },
  "listSavedSearches": {
    "method": "get",
    "path": "/social/searches",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "alerts"
  },
  "createSavedSearch": {
    "method": "post",
    "path": "/social/searches",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": true,
    "scope": "alerts"
  },
  "getSavedSearch": {
    "method": "get",
    "path": "/social/searches/{search_id}",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "alerts"
  },
  "deleteSavedSearch": {
    "method": "delete",
    "path": "/social/searches/{search_id}",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "scope": "alerts"
  },
  "updateSavedSearch": {
    "method": "patch",
    "path": "/social/searches/{search_id}",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": true,
    "success": 200,
    "scope": "alerts"
  },
  "rotateWebhookSecret": {
    "method": "post",
    "path": "/social/searches/{search_id}/secret",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "alerts"
  },
  "sendTestWebhook": {
    "method": "post",
    "path": "/social/searches/{search_id}/test",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "alerts"
  },
  "resumeWebhook": {
    "method": "post",
    "path": "/social/searches/{search_id}/resume",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "alerts"
  },
  "listWebhookAttempts": {
    "method": "get",
    "path": "/social/searches/{search_id}/attempts",
    "parameters": [],
    "required": [],
    "defaults": {},
    "exactlyOneOf": [],
    "body": false,
    "success": 200,
    "scope": "alerts"
  }
} as const satisfies Record<keyof Operations, object>;
