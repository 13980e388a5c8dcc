// Written by `npm run generate` from spec/. Do not edit.
import type { Shape } from '../client/src/shape.ts';

/** The shapes with a name. */
export const shapes: Readonly<Record<string, Shape>> = {
 "AssistantAnswer": {
  "type": "object",
  "members": {
   "tweet_id": "Id",
   "summary": "string",
   "citations": {
    "type": "array",
    "items": "Citation"
   },
   "cited_tweets?": {
    "type": "array",
    "minSize": 1,
    "unique": true,
    "items": "Id"
   },
   "provider?": {
    "type": "string",
    "minSize": 1,
    "maxSize": 50
   },
   "model": "string",
   "conversation_id": "string",
   "tickers?": {
    "type": "array",
    "items": {
     "type": "string",
     "pattern": "^\\$"
    }
   },
   "extracted?": "Extracted",
   "token?": "Token|null"
  }
 },
 "Id": {
  "type": "string",
  "pattern": "^[0-9]{1,19}$"
 },
 "Citation": {
  "type": "object",
  "members": {
   "url": "string",
   "title": "string|null",
   "domain": "string",
   "snippet": "string|null"
  }
 },
 "Extracted": {
  "type": "object",
  "members": {
   "ticker": "string|null",
   "name": "string|null",
   "contract": "string|null",
   "chain": "string|null"
  }
 },
 "Token": {
  "type": "object",
  "members": {
   "address": "string",
   "chain": "string",
   "liquidity": {
    "type": "number",
    "min": 0
   },
   "market_cap": {
    "type": "number",
    "min": 0
   }
  }
 },
 "PoolStatus": {
  "type": "object",
  "members": {
   "capable": {
    "type": "integer",
    "min": 0
   },
   "available": {
    "type": "integer",
    "min": 0
   },
   "cooling": {
    "type": "integer",
    "min": 0
   },
   "untested": {
    "type": "integer",
    "min": 0
   },
   "incapable": {
    "type": "integer",
    "min": 0
   },
   "capacity": "PoolCapacity"
  }
 },
 "PoolCapacity": {
  "type": "object",
  "members": {
   "capable": {
    "type": "integer",
    "min": 0
   },
   "usable_now": {
    "type": "integer",
    "min": 0
   },
   "daily_capacity": {
    "type": "integer",
    "min": 0
   },
   "remaining_now": {
    "type": "integer",
    "min": 0
   },
   "used_24h": {
    "type": "integer",
    "min": 0
   }
  }
 },
 "UserInfo": {
  "type": "object",
  "members": {
   "user": "User",
   "unknown_counts": {
    "type": "array",
    "maxSize": 5,
    "items": {
     "type": "string",
     "enum": [
      "followers_count",
      "following_count",
      "tweet_count",
      "like_count",
      "media_count"
     ]
    }
   }
  }
 },
 "User": {
  "type": "object",
  "members": {
   "id": "Id",
   "name": "string",
   "username": "string",
   "description": "string",
   "location": "string",
   "created_at?": "Timestamp",
   "followers_count": "Count",
   "following_count": "Count",
   "tweet_count": "Count",
   "like_count": "Count",
   "media_count": "Count",
   "verified": "boolean",
   "is_blue_verified": "boolean",
   "profile_image": "string",
   "profile_banner": "string",
   "pinned_tweet_ids": {
    "type": "array",
    "items": "Id"
   }
  }
 },
 "Timestamp": {
  "type": "string",
  "format": "date-time"
 },
 "Count": {
  "type": "integer",
  "min": 0,
  "max": 9007199254740991
 },
 "UserBatch": {
  "type": "object",
  "members": {
   "users": {
    "type": "array",
    "maxSize": 100,
    "items": "User"
   },
   "missing": {
    "type": "array",
    "maxSize": 100,
    "items": "string"
   }
  }
 },
 "LastTweetsPage": {
  "type": "object",
  "members": {
   "tweets": {
    "type": "array",
    "maxSize": 100,
    "items": "Tweet"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean",
   "resolved_tokens?": {
    "type": "array",
    "maxSize": 20,
    "items": "ResolvedToken"
   }
  }
 },
 "Tweet": {
  "type": "object",
  "members": {
   "id": "Id",
   "text": "string",
   "created_at": "Timestamp",
   "author": "Author",
   "retweet_count": "Count",
   "reply_count": "Count",
   "like_count": "Count",
   "quote_count": "Count",
   "bookmark_count": "Count",
   "view_count": "Count",
   "media": {
    "type": "array",
    "items": "Media"
   },
   "card?": "Card",
   "article?": "Article",
   "entities": "Entities",
   "quoted_tweet": "Tweet|null",
   "retweeted_tweet": "Tweet|null"
  }
 },
 "Author": {
  "type": "object",
  "members": {
   "id": "Id",
   "name": "string",
   "username": "string",
   "profile_image": "string",
   "verified": "boolean",
   "followers_count": "Count"
  }
 },
 "Media": {
  "type": "object",
  "members": {
   "type": {
    "type": "string",
    "enum": [
     "photo",
     "video",
     "animated_gif"
    ]
   },
   "url": "string",
   "expanded_url?": "string",
   "video_url?": "string",
   "alt_text?": "string"
  }
 },
 "Card": {
  "type": "object",
  "members": {
   "url": "string",
   "title": "string",
   "description?": "string",
   "image?": "string",
   "domain": "string"
  }
 },
 "Article": {
  "type": "object",
  "members": {
   "title": "string",
   "text": "string"
  }
 },
 "Entities": {
  "type": "object",
  "members": {
   "mentions": {
    "type": "array",
    "items": "Mention"
   },
   "hashtags": {
    "type": "array",
    "items": "string"
   },
   "cashtags": {
    "type": "array",
    "items": "string"
   },
   "urls": {
    "type": "array",
    "items": "UrlEntity"
   }
  }
 },
 "Mention": {
  "type": "object",
  "members": {
   "username": "string",
   "name?": "string",
   "id?": "Id"
  }
 },
 "UrlEntity": {
  "type": "object",
  "members": {
   "url": "string",
   "display_url": "string"
  }
 },
 "NextCursor": "string|null",
 "ResolvedToken": {
  "type": "object",
  "members": {
   "symbol": "string",
   "address": "string",
   "chain": "string",
   "name": "string",
   "price_usd": "string",
   "liquidity_usd": {
    "type": "number",
    "min": 0
   },
   "volume_24h": {
    "type": "number",
    "min": 0
   },
   "market_cap": {
    "type": "number",
    "min": 0
   },
   "aggregator_url": "string",
   "confidence": {
    "type": "string",
    "enum": [
     "high",
     "medium",
     "low"
    ]
   },
   "sources": {
    "type": "array",
    "maxSize": 5,
    "items": "string"
   }
  }
 },
 "TweetPage": {
  "type": "object",
  "members": {
   "tweets": {
    "type": "array",
    "maxSize": 100,
    "items": "Tweet"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean"
  }
 },
 "FollowersPage": {
  "type": "object",
  "members": {
   "followers": {
    "type": "array",
    "maxSize": 100,
    "items": "User"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean"
  }
 },
 "FollowingPage": {
  "type": "object",
  "members": {
   "following": {
    "type": "array",
    "maxSize": 100,
    "items": "User"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean"
  }
 },
 "TweetShortPage": {
  "type": "object",
  "members": {
   "tweets": {
    "type": "array",
    "maxSize": 100,
    "items": "TweetShort"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean"
  }
 },
 "TweetShort": {
  "type": "object",
  "members": {
   "id": "Id",
   "text": "string",
   "created_at": "Timestamp",
   "author": "AuthorShort",
   "retweet_count": "Count",
   "reply_count": "Count",
   "like_count": "Count",
   "quote_count": "Count",
   "bookmark_count": "Count",
   "view_count": "Count"
  }
 },
 "AuthorShort": {
  "type": "object",
  "members": {
   "id": "Id",
   "name": "string",
   "username": "string",
   "profile_image": "string",
   "followers_count": "Count"
  }
 },
 "TweetInfo": {
  "type": "object",
  "members": {
   "tweet": "Tweet",
   "unknown_counts": {
    "type": "array",
    "maxSize": 6,
    "items": {
     "type": "string",
     "enum": [
      "retweet_count",
      "reply_count",
      "like_count",
      "quote_count",
      "bookmark_count",
      "view_count"
     ]
    }
   },
   "in_reply_to_id": "IdOrNull",
   "in_reply_to_username": "string|null",
   "quoted_tweet_id": "IdOrNull",
   "retweeted_tweet_id": "IdOrNull",
   "lang": "string|null",
   "liked": "boolean"
  }
 },
 "IdOrNull": {
  "type": "string|null",
  "pattern": "^[0-9]{1,19}$"
 },
 "TweetBatch": {
  "type": "object",
  "members": {
   "tweets": {
    "type": "array",
    "maxSize": 100,
    "items": "Tweet"
   },
   "missing": {
    "type": "array",
    "maxSize": 100,
    "items": "string"
   }
  }
 },
 "TweetThread": {
  "type": "object",
  "members": {
   "ancestors": {
    "type": "array",
    "maxSize": 100,
    "items": "Tweet"
   },
   "missing_ancestor_id": "IdOrNull",
   "tweets": {
    "type": "array",
    "maxSize": 100,
    "items": "Tweet"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean"
  }
 },
 "QuotesPage": {
  "type": "object",
  "members": {
   "quotes": {
    "type": "array",
    "maxSize": 100,
    "items": "Tweet"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean"
  }
 },
 "RepliesPage": {
  "type": "object",
  "members": {
   "replies": {
    "type": "array",
    "maxSize": 100,
    "items": "Tweet"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean"
  }
 },
 "RetweetersPage": {
  "type": "object",
  "members": {
   "retweeters": {
    "type": "array",
    "maxSize": 100,
    "items": "User"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean"
  }
 },
 "TweetCounts": {
  "type": "object",
  "members": {
   "counts": {
    "type": "array",
    "maxSize": 745,
    "items": "TweetCount"
   },
   "total": "Count",
   "total_relation": {
    "type": "string",
    "enum": [
     "exact",
     "at_least"
    ]
   }
  }
 },
 "TweetCount": {
  "type": "object",
  "members": {
   "start": "Timestamp",
   "end": "Timestamp",
   "tweet_count": "Count"
  }
 },
 "CommunityInfo": {
  "type": "object",
  "members": {
   "community": "CommunityDetails",
   "unknown_counts": {
    "type": "array",
    "items": {
     "type": "string",
     "enum": [
      "member_count",
      "moderator_count"
     ]
    }
   }
  }
 },
 "CommunityDetails": {
  "type": "object",
  "members": {
   "id": "Id",
   "name": "string",
   "description": "string",
   "member_count": "Count",
   "moderator_count": "Count",
   "join_policy": {
    "type": "string",
    "enum": [
     "open",
     "restricted",
     "closed"
    ]
   }
  }
 },
 "CommunitiesPage": {
  "type": "object",
  "members": {
   "communities": {
    "type": "array",
    "maxSize": 100,
    "items": "Community"
   },
   "next_cursor": "NextCursor",
   "has_next_page": "boolean"
  }
 },
 "Community": {
  "type": "object",
  "members": {
   "id": "Id",
   "name": "string",
   "description": "string",
   "member_count": "Count",
   "moderator_count": "Count",
   "role": {
    "type": "string",
    "enum": [
     "member",
     "moderator",
     "admin"
    ]
   },
   "join_policy": {
    "type": "string",
    "enum": [
     "open",
     "restricted",
     "closed"
    ]
   }
  }
 },
 "Space": {
  "type": "object",
  "members": {
   "id": {
    "type": "string",
    "pattern": "^[A-Za-z0-9]{1,32}$"
   },
   "title": "string",
   "state": {
    "type": "string",
    "enum": [
     "scheduled",
     "live",
     "ended"
    ]
   },
   "host": "Author",
   "speakers": {
    "type": "array",
    "items": "Author"
   },
   "participant_count": "Count",
   "subscriber_count": "Count",
   "lang": "string",
   "is_ticketed": "boolean",
   "created_at": "Timestamp",
   "scheduled_start": {
    "type": "string|null",
    "format": "date-time"
   },
   "started_at": {
    "type": "string|null",
    "format": "date-time"
   },
   "ended_at": {
    "type": "string|null",
    "format": "date-time"
   }
  }
 },
 "UnlikeResult": {
  "type": "object",
  "members": {
   "success": "boolean"
  }
 },
 "JsonFeed": {
  "type": "object",
  "members": {
   "version": {
    "type": "string",
    "enum": [
     "https://jsonfeed.org/version/1.1"
    ]
   },
   "title": {
    "type": "string",
    "minSize": 1
   },
   "home_page_url": "string",
   "feed_url": "string",
   "description?": "string",
   "icon?": "string",
   "authors?": {
    "type": "array",
    "items": "JsonFeedAuthor"
   },
   "items": {
    "type": "array",
    "maxSize": 100,
    "items": "JsonFeedItem"
   }
  }
 },
 "JsonFeedAuthor": {
  "type": "object",
  "members": {
   "name": {
    "type": "string",
    "minSize": 1
   },
   "url?": "string",
   "avatar?": "string"
  }
 },
 "JsonFeedItem": {
  "type": "object",
  "members": {
   "id": "string",
   "url": "string",
   "title": {
    "type": "string",
    "minSize": 1
   },
   "content_html": "string",
   "content_text": "string",
   "date_published": "Timestamp",
   "authors": {
    "type": "array",
    "items": "JsonFeedAuthor"
   },
   "tags?": {
    "type": "array",
    "items": "string"
   },
   "attachments?": {
    "type": "array",
    "items": {
     "type": "object",
     "members": {
      "url": "string",
      "mime_type": "string",
      "title?": "string"
     }
    }
   }
  }
 },
 "AccessToken": {
  "type": "object",
  "members": {
   "token": "string",
   "scopes": {
    "type": "array",
    "maxSize": 10,
    "items": {
     "type": "string",
     "enum": [
      "read",
      "assistant",
      "write",
      "events",
      "feeds",
      "alerts"
     ]
    }
   },
   "expires_at": "Timestamp"
  }
 },
 "NewFeedToken": {
  "type": "object",
  "members": {
   "id": "string",
   "token": "string",
   "name": "string"
  }
 },
 "FeedTokenList": {
  "type": "object",
  "members": {
   "feed_tokens": {
    "type": "array",
    "maxSize": 200,
    "items": {
     "type": "object",
     "members": {
      "id": "string",
      "name": "string",
      "created_at": "Timestamp",
      "last_used_at": {
       "type": "string|null",
       "format": "date-time"
      }
     }
    }
   }
  }
 },
 "RevokeResult": {
  "type": "object",
  "members": {
   "success": "boolean"
  }
 },
 "SavedSearchList": {
  "type": "object",
  "members": {
   "searches": {
    "type": "array",
    "maxSize": 25,
    "items": "SavedSearch"
   }
  }
 },
 "SavedSearch": {
  "type": "object",
  "members": {
   "id": "SavedSearchId",
   "name": "SavedSearchName",
   "query": "SavedSearchQuery",
   "url": "WebhookUrl",
   "events": "WebhookEvents",
   "created_at": "Timestamp",
   "delivery": "WebhookDelivery|null"
  }
 },
 "SavedSearchId": {
  "type": "string",
  "pattern": "^s_[A-Za-z0-9]{12}$"
 },
 "SavedSearchName": {
  "type": "string",
  "pattern": "\\S",
  "minSize": 1,
  "maxSize": 100
 },
 "SavedSearchQuery": {
  "type": "string",
  "minSize": 1,
  "maxSize": 1024
 },
 "WebhookUrl": {
  "type": "string|null",
  "minSize": 1,
  "maxSize": 2048
 },
 "WebhookEvents": {
  "type": "array",
  "minSize": 1,
  "maxSize": 3,
  "unique": true,
  "items": {
   "type": "string",
   "enum": [
    "tweet.created",
    "tweet.updated",
    "tweet.deleted"
   ]
  }
 },
 "WebhookDelivery": {
  "type": "object",
  "members": {
   "state": {
    "type": "string",
    "enum": [
     "active",
     "retrying",
     "paused"
    ]
   },
   "reason": "string|null",
   "cursor": "EventCursor",
   "failures": {
    "type": "integer",
    "min": 0
   },
   "next_attempt_at": {
    "type": "string|null",
    "format": "date-time"
   },
   "last_success_at": {
    "type": "string|null",
    "format": "date-time"
   }
  }
 },
 "EventCursor": {
  "type": "string",
  "pattern": "^[A-Za-z0-9_-]{1,32}\\.[0-9]{1,15}$"
 },
 "CreatedSavedSearch": {
  "type": "object",
  "members": {
   "id": "SavedSearchId",
   "name": "SavedSearchName",
   "query": "SavedSearchQuery",
   "url": "WebhookUrl",
   "events": "WebhookEvents",
   "created_at": "Timestamp",
   "delivery": "WebhookDelivery|null",
   "secret": "string"
  }
 },
 "WebhookSecret": {
  "type": "object",
  "members": {
   "secret": "string",
   "previous_valid_until": {
    "type": "string",
    "format": "date-time"
   }
  }
 },
 "WebhookAttempt": {
  "type": "object",
  "members": {
   "at": "Timestamp",
   "event": "string",
   "webhook_id": "string",
   "status": {
    "type": "integer|null",
    "min": 100,
    "max": 999
   },
   "error": "string|null",
   "duration_ms": {
    "type": "integer",
    "min": 0
   }
  }
 },
 "WebhookAttempts": {
  "type": "object",
  "members": {
   "attempts": {
    "type": "array",
    "maxSize": 20,
    "items": "WebhookAttempt"
   }
  }
 }
};

/** The shape of the response body for success, by method and path. */
export const answers: Readonly<Record<string, Shape>> = {
 "get /social/tweet/assistant": "AssistantAnswer",
 "get /social/assistant/status": "PoolStatus",
 "get /social/user/info": "UserInfo",
 "get /social/users": "UserBatch",
 "get /social/user/last_tweets": "LastTweetsPage",
 "get /social/user/highlights": "TweetPage",
 "get /social/user/followers": "FollowersPage",
 "get /social/user/followings": "FollowingPage",
 "get /social/user/mentions": "TweetShortPage",
 "get /social/tweet/info": "TweetInfo",
 "get /social/tweets": "TweetBatch",
 "get /social/tweet/thread": "TweetThread",
 "get /social/tweet/quotes": "QuotesPage",
 "get /social/tweet/replies": "RepliesPage",
 "get /social/tweet/retweeters": "RetweetersPage",
 "get /social/tweet/advanced_search": "TweetShortPage",
 "get /social/tweet/counts": "TweetCounts",
 "get /social/community/info": "CommunityInfo",
 "get /social/community/discover": "TweetShortPage",
 "get /social/community/media": "TweetShortPage",
 "get /social/community/members": "CommunitiesPage",
 "get /social/space/detail": "Space",
 "post /social/tweet/unlike": "UnlikeResult",
 "get /feeds/user": "JsonFeed",
 "get /feeds/search": "JsonFeed",
 "get /feeds/saved_search": "JsonFeed",
 "post /social/token/create": "AccessToken",
 "post /social/feed_token/create": "NewFeedToken",
 "get /social/feed_token/list": "FeedTokenList",
 "post /social/feed_token/revoke": "RevokeResult",
 "get /social/searches": "SavedSearchList",
 "post /social/searches": "CreatedSavedSearch",
 "get /social/searches/{search_id}": "SavedSearch",
 "patch /social/searches/{search_id}": "SavedSearch",
 "post /social/searches/{search_id}/secret": "WebhookSecret",
 "post /social/searches/{search_id}/test": "WebhookAttempt",
 "post /social/searches/{search_id}/resume": "SavedSearch",
 "get /social/searches/{search_id}/attempts": "WebhookAttempts"
};
