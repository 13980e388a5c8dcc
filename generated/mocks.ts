// Written by `npm run generate` from spec/. Do not edit.
import type { MockedInput, MockedReply } from '../client/src/received.ts';

/** What each method answers in the examples of the spec; null where it answers without a body, or with bytes. */
export const answers: Record<string, unknown> = {
 "tweet.assistant": {
  "tweet_id": "1890000000000000001",
  "summary": "Mira Holt says that her team moved its build to Node 24 and that the slowest test run fell from nine minutes to two.",
  "citations": [
   {
    "url": "https://example.org/node-24",
    "title": "What is new in Node 24",
    "domain": "example.org",
    "snippet": null
   }
  ],
  "provider": "xai",
  "model": "assistant-3-latest",
  "conversation_id": "c_7fQ2mB9kT4",
  "tickers": [
   "$NODE"
  ]
 },
 "assistant.status": {
  "capable": 5,
  "available": 4,
  "cooling": 1,
  "untested": 0,
  "incapable": 0,
  "capacity": {
   "capable": 5,
   "usable_now": 4,
   "daily_capacity": 100,
   "remaining_now": 71,
   "used_24h": 29
  }
 },
 "user.info": {
  "user": {
   "id": "4200000001",
   "name": "Mira Holt",
   "username": "mira_codes",
   "description": "Small tools, fast builds.",
   "location": "Lisbon",
   "created_at": "2019-05-06T07:08:09.000Z",
   "followers_count": 1840,
   "following_count": 310,
   "tweet_count": 5120,
   "like_count": 0,
   "media_count": 420,
   "verified": true,
   "is_blue_verified": false,
   "profile_image": "https://images.example/mira.png",
   "profile_banner": "https://images.example/mira-banner.png",
   "pinned_tweet_ids": [
    "1890000000000000001"
   ]
  },
  "unknown_counts": [
   "like_count"
  ]
 },
 "users.getUsers": {
  "users": [
   {
    "id": "4200000001",
    "name": "Mira Holt",
    "username": "mira_codes",
    "description": "Small tools, fast builds.",
    "location": "Lisbon",
    "created_at": "2019-05-06T07:08:09.000Z",
    "followers_count": 1840,
    "following_count": 310,
    "tweet_count": 5120,
    "like_count": 0,
    "media_count": 420,
    "verified": true,
    "is_blue_verified": false,
    "profile_image": "https://images.example/mira.png",
    "profile_banner": "https://images.example/mira-banner.png",
    "pinned_tweet_ids": [
     "1890000000000000001"
    ]
   }
  ],
  "missing": [
   "nobody_here"
  ]
 },
 "user.lastTweets": {
  "tweets": [
   {
    "id": "1890000000000000001",
    "text": "We moved the build to Node 24: nine minutes are two now. Notes: https://example.org/node-24 #nodejs",
    "created_at": "2026-03-04T05:06:07.000Z",
    "author": {
     "id": "4200000001",
     "name": "Mira Holt",
     "username": "mira_codes",
     "profile_image": "https://images.example/mira.png",
     "verified": true,
     "followers_count": 1840
    },
    "retweet_count": 12,
    "reply_count": 5,
    "like_count": 96,
    "quote_count": 2,
    "bookmark_count": 14,
    "view_count": 7210,
    "media": [],
    "card": {
     "url": "https://example.org/node-24",
     "title": "What is new in Node 24",
     "description": "The changes in short.",
     "image": "https://images.example/node.png",
     "domain": "example.org"
    },
    "entities": {
     "mentions": [],
     "hashtags": [
      "nodejs"
     ],
     "cashtags": [],
     "urls": [
      {
       "url": "https://example.org/node-24",
       "display_url": "example.org/node-24"
      }
     ]
    },
    "quoted_tweet": null,
    "retweeted_tweet": null
   }
  ],
  "next_cursor": "eyJvIjoiZ2V0VXNlckxhc3RUd2VldHMifQ.Zm9v",
  "has_next_page": true,
  "resolved_tokens": [
   {
    "symbol": "BONK",
    "address": "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263",
    "chain": "solana",
    "name": "Bonk",
    "price_usd": "0.00001234",
    "liquidity_usd": 1500000.5,
    "volume_24h": 820000,
    "market_cap": 900000000,
    "aggregator_url": "https://dexscreener.com/solana/8qqwmklb1qgddnzfrumtwsrrxf2ezrjqagvwjz5hrgfm",
    "confidence": "high",
    "sources": [
     "https://dexscreener.com/solana/8qqwmklb1qgddnzfrumtwsrrxf2ezrjqagvwjz5hrgfm"
    ]
   }
  ]
 },
 "user.highlights": {
  "tweets": [
   {
    "id": "1890000000000000002",
    "text": "First light over the harbour @tom_sails",
    "created_at": "2026-03-04T05:14:00.000Z",
    "author": {
     "id": "4200000001",
     "name": "Mira Holt",
     "username": "mira_codes",
     "profile_image": "https://images.example/mira.png",
     "verified": true,
     "followers_count": 1840
    },
    "retweet_count": 3,
    "reply_count": 1,
    "like_count": 41,
    "quote_count": 0,
    "bookmark_count": 2,
    "view_count": 1902,
    "media": [
     {
      "type": "photo",
      "url": "https://images.example/harbour.jpg",
      "expanded_url": "https://social.example/mira_codes/status/1890000000000000002/photo/1",
      "alt_text": "A harbour in the morning"
     }
    ],
    "entities": {
     "mentions": [
      {
       "username": "tom_sails",
       "name": "Tom Abara",
       "id": "4200000002"
      }
     ],
     "hashtags": [],
     "cashtags": [],
     "urls": []
    },
    "quoted_tweet": null,
    "retweeted_tweet": null
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "user.followers": {
  "followers": [
   {
    "id": "4200000002",
    "name": "Tom Abara",
    "username": "tom_sails",
    "description": "Sails and servers.",
    "location": "Lagos",
    "created_at": "2019-05-01T09:00:00.000Z",
    "followers_count": 212,
    "following_count": 180,
    "tweet_count": 940,
    "like_count": 2210,
    "media_count": 61,
    "verified": false,
    "is_blue_verified": false,
    "profile_image": "https://images.example/tom.png",
    "profile_banner": "",
    "pinned_tweet_ids": [
     "1890000000000000009"
    ]
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "user.followings": {
  "following": [
   {
    "id": "4200000002",
    "name": "Tom Abara",
    "username": "tom_sails",
    "description": "Sails and servers.",
    "location": "Lagos",
    "created_at": "2019-05-01T09:00:00.000Z",
    "followers_count": 212,
    "following_count": 180,
    "tweet_count": 940,
    "like_count": 2210,
    "media_count": 61,
    "verified": false,
    "is_blue_verified": false,
    "profile_image": "https://images.example/tom.png",
    "profile_banner": "",
    "pinned_tweet_ids": [
     "1890000000000000009"
    ]
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "user.mentions": {
  "tweets": [
   {
    "id": "1890000000000000003",
    "text": "@mira_codes which part of it was the slowest?",
    "created_at": "2026-03-04T05:20:00.000Z",
    "author": {
     "id": "4200000002",
     "name": "Tom Abara",
     "username": "tom_sails",
     "profile_image": "https://images.example/tom.png",
     "followers_count": 212
    },
    "retweet_count": 0,
    "reply_count": 1,
    "like_count": 4,
    "quote_count": 0,
    "bookmark_count": 0,
    "view_count": 230
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "tweet.info": {
  "tweet": {
   "id": "1890000000000000003",
   "text": "@mira_codes which part of it was the slowest?",
   "created_at": "2026-03-04T05:20:00.000Z",
   "author": {
    "id": "4200000002",
    "name": "Tom Abara",
    "username": "tom_sails",
    "profile_image": "https://images.example/tom.png",
    "verified": false,
    "followers_count": 212
   },
   "retweet_count": 0,
   "reply_count": 1,
   "like_count": 4,
   "quote_count": 0,
   "bookmark_count": 0,
   "view_count": 230,
   "media": [],
   "entities": {
    "mentions": [
     {
      "username": "mira_codes",
      "name": "Mira Holt",
      "id": "4200000001"
     }
    ],
    "hashtags": [],
    "cashtags": [],
    "urls": []
   },
   "quoted_tweet": null,
   "retweeted_tweet": null
  },
  "unknown_counts": [],
  "in_reply_to_id": "1890000000000000001",
  "in_reply_to_username": "mira_codes",
  "quoted_tweet_id": null,
  "retweeted_tweet_id": null,
  "lang": "en",
  "liked": false
 },
 "tweets.getTweets": {
  "tweets": [
   {
    "id": "1890000000000000003",
    "text": "@mira_codes which part of it was the slowest?",
    "created_at": "2026-03-04T05:20:00.000Z",
    "author": {
     "id": "4200000002",
     "name": "Tom Abara",
     "username": "tom_sails",
     "profile_image": "https://images.example/tom.png",
     "verified": false,
     "followers_count": 212
    },
    "retweet_count": 0,
    "reply_count": 1,
    "like_count": 4,
    "quote_count": 0,
    "bookmark_count": 0,
    "view_count": 230,
    "media": [],
    "entities": {
     "mentions": [
      {
       "username": "mira_codes",
       "name": "Mira Holt",
       "id": "4200000001"
      }
     ],
     "hashtags": [],
     "cashtags": [],
     "urls": []
    },
    "quoted_tweet": null,
    "retweeted_tweet": null
   }
  ],
  "missing": [
   "1890000000000000404"
  ]
 },
 "tweet.thread": {
  "ancestors": [
   {
    "id": "1890000000000000001",
    "text": "The build runs on Node 24 now, and the slowest test run fell from nine minutes to two.",
    "created_at": "2026-03-04T05:06:07.000Z",
    "author": {
     "id": "4200000001",
     "name": "Mira Holt",
     "username": "mira_codes",
     "profile_image": "https://images.example/mira.png",
     "verified": true,
     "followers_count": 1840
    },
    "retweet_count": 12,
    "reply_count": 4,
    "like_count": 85,
    "quote_count": 2,
    "bookmark_count": 7,
    "view_count": 4310,
    "media": [],
    "entities": {
     "mentions": [],
     "hashtags": [],
     "cashtags": [],
     "urls": []
    },
    "quoted_tweet": null,
    "retweeted_tweet": null
   }
  ],
  "missing_ancestor_id": null,
  "tweets": [
   {
    "id": "1890000000000000003",
    "text": "@mira_codes which part of it was the slowest?",
    "created_at": "2026-03-04T05:20:00.000Z",
    "author": {
     "id": "4200000002",
     "name": "Tom Abara",
     "username": "tom_sails",
     "profile_image": "https://images.example/tom.png",
     "verified": false,
     "followers_count": 212
    },
    "retweet_count": 0,
    "reply_count": 1,
    "like_count": 4,
    "quote_count": 0,
    "bookmark_count": 0,
    "view_count": 230,
    "media": [],
    "entities": {
     "mentions": [
      {
       "username": "mira_codes",
       "name": "Mira Holt",
       "id": "4200000001"
      }
     ],
     "hashtags": [],
     "cashtags": [],
     "urls": []
    },
    "quoted_tweet": null,
    "retweeted_tweet": null
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "tweet.quotes": {
  "quotes": [
   {
    "id": "1890000000000000005",
    "text": "Worth a read before you touch your own build:",
    "created_at": "2026-03-04T06:02:00.000Z",
    "author": {
     "id": "4200000002",
     "name": "Tom Abara",
     "username": "tom_sails",
     "profile_image": "https://images.example/tom.png",
     "verified": false,
     "followers_count": 212
    },
    "retweet_count": 0,
    "reply_count": 0,
    "like_count": 4,
    "quote_count": 0,
    "bookmark_count": 0,
    "view_count": 230,
    "media": [],
    "entities": {
     "mentions": [],
     "hashtags": [],
     "cashtags": [],
     "urls": []
    },
    "quoted_tweet": {
     "id": "1890000000000000001",
     "text": "We moved the build to Node 24: nine minutes are two now. Notes: https://example.org/node-24 #nodejs",
     "created_at": "2026-03-04T05:06:07.000Z",
     "author": {
      "id": "4200000001",
      "name": "Mira Holt",
      "username": "mira_codes",
      "profile_image": "https://images.example/mira.png",
      "verified": true,
      "followers_count": 1840
     },
     "retweet_count": 12,
     "reply_count": 5,
     "like_count": 96,
     "quote_count": 2,
     "bookmark_count": 14,
     "view_count": 7210,
     "media": [],
     "card": {
      "url": "https://example.org/node-24",
      "title": "What is new in Node 24",
      "description": "The changes in short.",
      "image": "https://images.example/node.png",
      "domain": "example.org"
     },
     "entities": {
      "mentions": [],
      "hashtags": [
       "nodejs"
      ],
      "cashtags": [],
      "urls": [
       {
        "url": "https://example.org/node-24",
        "display_url": "example.org/node-24"
       }
      ]
     },
     "quoted_tweet": null,
     "retweeted_tweet": null
    },
    "retweeted_tweet": null
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "tweet.replies": {
  "replies": [
   {
    "id": "1890000000000000003",
    "text": "@mira_codes which part of it was the slowest?",
    "created_at": "2026-03-04T05:20:00.000Z",
    "author": {
     "id": "4200000002",
     "name": "Tom Abara",
     "username": "tom_sails",
     "profile_image": "https://images.example/tom.png",
     "verified": false,
     "followers_count": 212
    },
    "retweet_count": 0,
    "reply_count": 1,
    "like_count": 4,
    "quote_count": 0,
    "bookmark_count": 0,
    "view_count": 230,
    "media": [],
    "entities": {
     "mentions": [
      {
       "username": "mira_codes",
       "name": "Mira Holt",
       "id": "4200000001"
      }
     ],
     "hashtags": [],
     "cashtags": [],
     "urls": []
    },
    "quoted_tweet": null,
    "retweeted_tweet": null
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "tweet.retweeters": {
  "retweeters": [
   {
    "id": "4200000002",
    "name": "Tom Abara",
    "username": "tom_sails",
    "description": "Sails and servers.",
    "location": "Lagos",
    "created_at": "2019-05-01T09:00:00.000Z",
    "followers_count": 212,
    "following_count": 180,
    "tweet_count": 940,
    "like_count": 2210,
    "media_count": 61,
    "verified": false,
    "is_blue_verified": false,
    "profile_image": "https://images.example/tom.png",
    "profile_banner": "",
    "pinned_tweet_ids": [
     "1890000000000000009"
    ]
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "tweet.advancedSearch": {
  "tweets": [
   {
    "id": "1890000000000000003",
    "text": "@mira_codes which part of it was the slowest?",
    "created_at": "2026-03-04T05:20:00.000Z",
    "author": {
     "id": "4200000002",
     "name": "Tom Abara",
     "username": "tom_sails",
     "profile_image": "https://images.example/tom.png",
     "followers_count": 212
    },
    "retweet_count": 0,
    "reply_count": 1,
    "like_count": 4,
    "quote_count": 0,
    "bookmark_count": 0,
    "view_count": 230
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "tweet.counts": {
  "counts": [
   {
    "start": "2026-03-03T00:00:00.000Z",
    "end": "2026-03-04T00:00:00.000Z",
    "tweet_count": 12
   },
   {
    "start": "2026-03-04T00:00:00.000Z",
    "end": "2026-03-05T00:00:00.000Z",
    "tweet_count": 0
   }
  ],
  "total": 12,
  "total_relation": "exact"
 },
 "community.info": {
  "community": {
   "id": "1700000000000000001",
   "name": "Home Roasters",
   "description": "Beans, machines and mistakes.",
   "member_count": 421,
   "moderator_count": 0,
   "join_policy": "open"
  },
  "unknown_counts": [
   "moderator_count"
  ]
 },
 "community.discover": {
  "tweets": [
   {
    "id": "1890000000000000003",
    "text": "@mira_codes which part of it was the slowest?",
    "created_at": "2026-03-04T05:20:00.000Z",
    "author": {
     "id": "4200000002",
     "name": "Tom Abara",
     "username": "tom_sails",
     "profile_image": "https://images.example/tom.png",
     "followers_count": 212
    },
    "retweet_count": 0,
    "reply_count": 1,
    "like_count": 4,
    "quote_count": 0,
    "bookmark_count": 0,
    "view_count": 230
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "community.media": {
  "tweets": [
   {
    "id": "1890000000000000003",
    "text": "@mira_codes which part of it was the slowest?",
    "created_at": "2026-03-04T05:20:00.000Z",
    "author": {
     "id": "4200000002",
     "name": "Tom Abara",
     "username": "tom_sails",
     "profile_image": "https://images.example/tom.png",
     "followers_count": 212
    },
    "retweet_count": 0,
    "reply_count": 1,
    "like_count": 4,
    "quote_count": 0,
    "bookmark_count": 0,
    "view_count": 230
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "community.members": {
  "communities": [
   {
    "id": "1700000000000000001",
    "name": "Home Roasters",
    "description": "Beans, machines and mistakes.",
    "member_count": 421,
    "moderator_count": 3,
    "role": "moderator",
    "join_policy": "open"
   }
  ],
  "next_cursor": null,
  "has_next_page": false
 },
 "space.detail": {
  "id": "1vSampleSpace1",
  "title": "Office hours: small archives",
  "state": "ended",
  "host": {
   "id": "4200000001",
   "name": "Mira Holt",
   "username": "mira_codes",
   "profile_image": "https://images.example/mira.png",
   "verified": true,
   "followers_count": 1840
  },
  "speakers": [
   {
    "id": "4200000002",
    "name": "Tom Abara",
    "username": "tom_sails",
    "profile_image": "https://images.example/tom.png",
    "verified": false,
    "followers_count": 212
   }
  ],
  "participant_count": 87,
  "subscriber_count": 40,
  "lang": "en",
  "is_ticketed": false,
  "created_at": "2026-02-01T10:00:00.000Z",
  "scheduled_start": "2026-02-03T18:00:00.000Z",
  "started_at": "2026-02-03T18:01:12.000Z",
  "ended_at": "2026-02-03T19:04:55.000Z"
 },
 "tweet.unlike": {
  "success": true
 },
 "feeds.getUserFeed": "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>tag:social-data,2026:user/4200000001</id>\n<title>Mira Holt (@mira_codes)</title>\n<updated>2026-03-04T05:06:07.000Z</updated>\n<link rel=\"self\" href=\"https://social.example/feeds/user?username=mira_codes\" type=\"application/atom+xml\"/>\n<entry>\n<id>tag:social-data,2026:tweet/1890000000000000001</id>\n<title>We moved the build to Node 24: nine minutes are two now.</title>\n<updated>2026-03-04T05:06:07.000Z</updated>\n<author>\n<name>Mira Holt (@mira_codes)</name>\n</author>\n<link rel=\"alternate\" href=\"https://social.example/t/1890000000000000001\" type=\"text/html\"/>\n<content type=\"html\">&lt;p dir=&quot;auto&quot;&gt;We moved the build to Node 24: nine minutes are two now.&lt;/p&gt;</content>\n</entry>\n</feed>\n",
 "feeds.getSearchFeed": "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>tag:social-data,2026:user/4200000001</id>\n<title>Mira Holt (@mira_codes)</title>\n<updated>2026-03-04T05:06:07.000Z</updated>\n<link rel=\"self\" href=\"https://social.example/feeds/user?username=mira_codes\" type=\"application/atom+xml\"/>\n<entry>\n<id>tag:social-data,2026:tweet/1890000000000000001</id>\n<title>We moved the build to Node 24: nine minutes are two now.</title>\n<updated>2026-03-04T05:06:07.000Z</updated>\n<author>\n<name>Mira Holt (@mira_codes)</name>\n</author>\n<link rel=\"alternate\" href=\"https://social.example/t/1890000000000000001\" type=\"text/html\"/>\n<content type=\"html\">&lt;p dir=&quot;auto&quot;&gt;We moved the build to Node 24: nine minutes are two now.&lt;/p&gt;</content>\n</entry>\n</feed>\n",
 "feeds.getSavedSearchFeed": "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>tag:social-data,2026:user/4200000001</id>\n<title>Mira Holt (@mira_codes)</title>\n<updated>2026-03-04T05:06:07.000Z</updated>\n<link rel=\"self\" href=\"https://social.example/feeds/user?username=mira_codes\" type=\"application/atom+xml\"/>\n<entry>\n<id>tag:social-data,2026:tweet/1890000000000000001</id>\n<title>We moved the build to Node 24: nine minutes are two now.</title>\n<updated>2026-03-04T05:06:07.000Z</updated>\n<author>\n<name>Mira Holt (@mira_codes)</name>\n</author>\n<link rel=\"alternate\" href=\"https://social.example/t/1890000000000000001\" type=\"text/html\"/>\n<content type=\"html\">&lt;p dir=&quot;auto&quot;&gt;We moved the build to Node 24: nine minutes are two now.&lt;/p&gt;</content>\n</entry>\n</feed>\n",
 "streams.streamEvents": [
  {
   "type": "event",
   "subs": [
    "s1"
   ],
   "channel": "search:tweets",
   "event": "tweet.created",
   "seq": 1043,
   "cursor": "kX3v_9Qa.1043",
   "event_id": "tweet.created:1890000000000000003",
   "data": {
    "id": "1890000000000000003",
    "text": "coffee first, then the build",
    "created_at": "2026-03-04T05:20:00.000Z",
    "author": {
     "id": "4200000002",
     "name": "Tom Abara",
     "username": "tom_sails",
     "profile_image": "https://images.example/tom.png",
     "followers_count": 212
    },
    "retweet_count": 0,
    "reply_count": 1,
    "like_count": 4,
    "quote_count": 0,
    "bookmark_count": 0,
    "view_count": 230
   },
   "timestamp": "2026-03-04T05:20:00.120Z"
  }
 ],
 "token.create": {
  "token": "sdt_eyJrZXkiOiI3aDNYYTlRMiJ9.p3Zb0o5Hq8nq3m1Tn0b0oJ3u8n4G5S2kM9yX7rQwVtE",
  "scopes": [
   "read",
   "events"
  ],
  "expires_at": "2026-03-04T05:16:07.000Z"
 },
 "feedToken.create": {
  "id": "5tGb8Kq1",
  "token": "sdf_5tGb8Kq1_hT6wQ0xLm3nB9vC2zR7sD4fG1jK8pYaE",
  "name": "reader on my phone"
 },
 "feedToken.list": {
  "feed_tokens": [
   {
    "id": "5tGb8Kq1",
    "name": "reader on my phone",
    "created_at": "2026-03-04T05:06:07.000Z",
    "last_used_at": "2026-03-05T08:00:00.000Z"
   }
  ]
 },
 "feedToken.revoke": {
  "success": true
 },
 "searches.listSavedSearches": {
  "searches": [
   {
    "id": "s_4nT0aY2kQe7m",
    "name": "Coffee in the news",
    "query": "coffee OR espresso lang:en",
    "url": "https://hooks.example.com/social",
    "events": [
     "tweet.created",
     "tweet.updated",
     "tweet.deleted"
    ],
    "created_at": "2026-03-04T05:06:07.000Z",
    "delivery": {
     "state": "active",
     "reason": null,
     "cursor": "8f3c91b0a2d4.1042",
     "failures": 0,
     "next_attempt_at": null,
     "last_success_at": "2026-03-04T05:21:09.000Z"
    }
   }
  ]
 },
 "searches.createSavedSearch": {
  "id": "s_4nT0aY2kQe7m",
  "name": "Coffee in the news",
  "query": "coffee OR espresso lang:en",
  "url": "https://hooks.example.com/social",
  "events": [
   "tweet.created",
   "tweet.updated",
   "tweet.deleted"
  ],
  "created_at": "2026-03-04T05:06:07.000Z",
  "delivery": {
   "state": "active",
   "reason": null,
   "cursor": "8f3c91b0a2d4.1042",
   "failures": 0,
   "next_attempt_at": null,
   "last_success_at": "2026-03-04T05:21:09.000Z"
  },
  "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
 },
 "searches.getSavedSearch": {
  "id": "s_4nT0aY2kQe7m",
  "name": "Coffee in the news",
  "query": "coffee OR espresso lang:en",
  "url": "https://hooks.example.com/social",
  "events": [
   "tweet.created",
   "tweet.updated",
   "tweet.deleted"
  ],
  "created_at": "2026-03-04T05:06:07.000Z",
  "delivery": {
   "state": "active",
   "reason": null,
   "cursor": "8f3c91b0a2d4.1042",
   "failures": 0,
   "next_attempt_at": null,
   "last_success_at": "2026-03-04T05:21:09.000Z"
  }
 },
 "searches.updateSavedSearch": {
  "id": "s_4nT0aY2kQe7m",
  "name": "Coffee in the news",
  "query": "coffee OR espresso lang:en",
  "url": "https://hooks.example.com/social",
  "events": [
   "tweet.created",
   "tweet.updated",
   "tweet.deleted"
  ],
  "created_at": "2026-03-04T05:06:07.000Z",
  "delivery": {
   "state": "active",
   "reason": null,
   "cursor": "8f3c91b0a2d4.1042",
   "failures": 0,
   "next_attempt_at": null,
   "last_success_at": "2026-03-04T05:21:09.000Z"
  }
 },
 "searches.deleteSavedSearch": null,
 "searches.rotateWebhookSecret": {
  "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  "previous_valid_until": "2026-03-05T05:06:07.000Z"
 },
 "searches.sendTestWebhook": {
  "at": "2026-03-04T05:21:09.000Z",
  "event": "search.test",
  "webhook_id": "msg_Fh3sQ0y8cVb1nXo5LtR2dA",
  "status": 204,
  "error": null,
  "duration_ms": 84
 },
 "searches.resumeWebhook": {
  "id": "s_4nT0aY2kQe7m",
  "name": "Coffee in the news",
  "query": "coffee OR espresso lang:en",
  "url": "https://hooks.example.com/social",
  "events": [
   "tweet.created",
   "tweet.updated",
   "tweet.deleted"
  ],
  "created_at": "2026-03-04T05:06:07.000Z",
  "delivery": {
   "state": "active",
   "reason": null,
   "cursor": "8f3c91b0a2d4.1042",
   "failures": 0,
   "next_attempt_at": null,
   "last_success_at": "2026-03-04T05:21:09.000Z"
  }
 },
 "searches.listWebhookAttempts": {
  "attempts": [
   {
    "at": "2026-03-04T05:21:09.000Z",
    "event": "tweet.created",
    "webhook_id": "msg_Fh3sQ0y8cVb1nXo5LtR2dA",
    "status": 204,
    "error": null,
    "duration_ms": 84
   }
  ]
 }
};

/** The success responses of the methods that have other ones than a 200 in JSON. */
export const replies: Readonly<Record<string, readonly MockedReply[]>> = {
 "feeds.getUserFeed": [
  {
   "status": 200,
   "type": "application/atom+xml",
   "kind": "text",
   "headers": {
    "ETag": "W/\"1f4-q3c1m2l0bVQ\"",
    "Last-Modified": "Wed, 04 Mar 2026 05:06:07 GMT",
    "RateLimit": "\"default\";r=5999;t=1",
    "RateLimit-Policy": "\"default\";q=6000;w=60",
    "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
   }
  }
 ],
 "feeds.getSearchFeed": [
  {
   "status": 200,
   "type": "application/atom+xml",
   "kind": "text",
   "headers": {
    "ETag": "W/\"1f4-q3c1m2l0bVQ\"",
    "Last-Modified": "Wed, 04 Mar 2026 05:06:07 GMT",
    "RateLimit": "\"default\";r=5999;t=1",
    "RateLimit-Policy": "\"default\";q=6000;w=60",
    "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
   }
  }
 ],
 "feeds.getSavedSearchFeed": [
  {
   "status": 200,
   "type": "application/atom+xml",
   "kind": "text",
   "headers": {
    "ETag": "W/\"1f4-q3c1m2l0bVQ\"",
    "Last-Modified": "Wed, 04 Mar 2026 05:06:07 GMT",
    "RateLimit": "\"default\";r=5999;t=1",
    "RateLimit-Policy": "\"default\";q=6000;w=60",
    "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
   }
  }
 ],
 "streams.streamEvents": [
  {
   "status": 200,
   "type": "text/event-stream",
   "kind": "event-stream",
   "headers": {
    "RateLimit": "\"default\";r=5999;t=1",
    "RateLimit-Policy": "\"default\";q=6000;w=60",
    "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
   }
  }
 ],
 "searches.createSavedSearch": [
  {
   "status": 201,
   "type": "application/json",
   "kind": "json",
   "headers": {
    "Location": "/social/searches/s_4nT0aY2kQe7m",
    "RateLimit": "\"default\";r=5999;t=1",
    "RateLimit-Policy": "\"default\";q=6000;w=60",
    "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
   }
  }
 ],
 "searches.deleteSavedSearch": [
  {
   "status": 204,
   "headers": {
    "RateLimit": "\"default\";r=5999;t=1",
    "RateLimit-Policy": "\"default\";q=6000;w=60",
    "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
   }
  }
 ]
};
/** Every error of the spec by its name, as its example has it. */
export const failures = {
 "BadRequest": {
  "status": 400,
  "body": {
   "error": "unknown parameter 'user_name': did you mean 'username'?"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "Unauthorized": {
  "status": 401,
  "body": {
   "error": "Invalid or missing API key"
  },
  "headers": {
   "WWW-Authenticate": "Bearer realm=\"social-data\", error=\"invalid_token\", error_description=\"the API key is unknown, revoked or expired\"",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "Forbidden": {
  "status": 403,
  "body": {
   "error": "this API key lacks the scope 'write'"
  },
  "headers": {
   "WWW-Authenticate": "Bearer realm=\"social-data\", error=\"invalid_token\", error_description=\"the API key is unknown, revoked or expired\"",
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "NotFound": {
  "status": 404,
  "body": {
   "error": "tweet 1890000000000000001 not found"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "MethodNotAllowed": {
  "status": 405,
  "body": {
   "error": "method DELETE is not allowed here; allowed: GET, HEAD"
  },
  "headers": {
   "Allow": "GET, HEAD",
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "ConversationExpired": {
  "status": 409,
  "body": {
   "error": "conversation has expired; begin a new one with tweet_id"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "PreconditionFailed": {
  "status": 412,
  "body": {
   "error": "If-Match does not match: send a GET with If-None-Match to find out whether the response has changed"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "TooManyRequests": {
  "status": 429,
  "body": {
   "error": "rate limit exceeded; retry in 2 s"
  },
  "headers": {
   "Retry-After": "30",
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "InternalError": {
  "status": 500,
  "body": {
   "error": "internal error"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "NotImplemented": {
  "status": 501,
  "body": {
   "error": "the platform in use has no spaces"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "BadGateway": {
  "status": 502,
  "body": {
   "error": "upstream failed"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "Unavailable": {
  "status": 503,
  "body": {
   "error": "no assistant account is free; retry in 60 s"
  },
  "headers": {
   "Retry-After": "30",
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "GatewayTimeout": {
  "status": 504,
  "body": {
   "error": "upstream did not answer in time"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "PayloadTooLarge": {
  "status": 413,
  "body": {
   "error": "request body is larger than 16kb"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "UnsupportedMediaType": {
  "status": 415,
  "body": {
   "error": "request body must be application/json"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "Gone": {
  "status": 410,
  "body": {
   "error": "'cursor' is older than the event log: take what is missing from REST, or send on_gap=continue; the oldest cursor is kX3v_9Qa.1042"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 },
 "Conflict": {
  "status": 409,
  "body": {
   "error": "this saved search has no webhook: give it a 'url' first"
  },
  "headers": {
   "RateLimit": "\"default\";r=5999;t=1",
   "RateLimit-Policy": "\"default\";q=6000;w=60",
   "X-Request-Id": "01JB2K6Y3QJ8M5V7W9X0Z1A2B3"
  }
 }
} as const;

/** By method and path: the names of the members of its argument, and the types of those that are no texts. */
export const inputs: Readonly<Record<string, MockedInput>> = {"get /social/tweet/assistant":{"names":["tweet_id","conversation_id","prompt","model","suggest","extract"],"required":[],"exactlyOneOf":[]},"get /social/assistant/status":{"names":[],"required":[],"exactlyOneOf":[]},"get /social/user/info":{"names":["username","user_id"],"required":[],"exactlyOneOf":["username","user_id"]},"get /social/users":{"names":["ids","usernames"],"required":[],"exactlyOneOf":["ids","usernames"],"types":{"ids":["string"],"usernames":["string"]}},"get /social/user/last_tweets":{"names":["username","user_id","include_replies","resolve_cashtags","cursor","limit"],"required":[],"exactlyOneOf":["username","user_id"],"types":{"limit":"number"}},"get /social/user/highlights":{"names":["username","user_id","cursor","limit"],"required":[],"exactlyOneOf":["username","user_id"],"types":{"limit":"number"}},"get /social/user/followers":{"names":["username","user_id","cursor","limit"],"required":[],"exactlyOneOf":["username","user_id"],"types":{"limit":"number"}},"get /social/user/followings":{"names":["username","user_id","cursor","limit"],"required":[],"exactlyOneOf":["username","user_id"],"types":{"limit":"number"}},"get /social/user/mentions":{"names":["username","user_id","since_time","until_time","cursor","limit"],"required":[],"exactlyOneOf":["username","user_id"],"types":{"since_time":"number","until_time":"number","limit":"number"}},"get /social/tweet/info":{"names":["tweet_id"],"required":["tweet_id"],"exactlyOneOf":[]},"get /social/tweets":{"names":["ids"],"required":["ids"],"exactlyOneOf":[],"types":{"ids":["string"]}},"get /social/tweet/thread":{"names":["tweet_id","cursor","limit"],"required":["tweet_id"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /social/tweet/quotes":{"names":["tweet_id","cursor","limit"],"required":["tweet_id"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /social/tweet/replies":{"names":["tweet_id","cursor","limit"],"required":["tweet_id"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /social/tweet/retweeters":{"names":["tweet_id","cursor","limit"],"required":["tweet_id"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /social/tweet/advanced_search":{"names":["query","query_type","cursor","limit"],"required":["query"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /social/tweet/counts":{"names":["query","granularity","since_time","until_time"],"required":["query"],"exactlyOneOf":[],"types":{"since_time":"number","until_time":"number"}},"get /social/community/info":{"names":["id"],"required":["id"],"exactlyOneOf":[]},"get /social/community/discover":{"names":["id","cursor","limit"],"required":["id"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /social/community/media":{"names":["id","cursor","limit"],"required":["id"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /social/community/members":{"names":["username","cursor","limit"],"required":["username"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /social/space/detail":{"names":["id"],"required":["id"],"exactlyOneOf":[]},"post /social/tweet/unlike":{"names":["tweet_id"],"required":["tweet_id"],"exactlyOneOf":[]},"get /feeds/user":{"names":["username","user_id","include_replies","format","limit"],"required":[],"exactlyOneOf":["username","user_id"],"types":{"limit":"number"}},"get /feeds/search":{"names":["query","format","limit"],"required":["query"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /feeds/saved_search":{"names":["id","format","limit"],"required":["id"],"exactlyOneOf":[],"types":{"limit":"number"}},"get /social/events":{"names":["channel","query","username","user_id","tweet_id","id","cursor","on_gap","last-event-id"],"required":["channel"],"exactlyOneOf":[]},"post /social/token/create":{"names":["scopes","ttl_seconds"],"required":[],"exactlyOneOf":[]},"post /social/feed_token/create":{"names":["name"],"required":["name"],"exactlyOneOf":[]},"get /social/feed_token/list":{"names":[],"required":[],"exactlyOneOf":[]},"post /social/feed_token/revoke":{"names":["id"],"required":["id"],"exactlyOneOf":[]},"get /social/searches":{"names":[],"required":[],"exactlyOneOf":[]},"post /social/searches":{"names":["name","query","url","events"],"required":["name","query"],"exactlyOneOf":[]},"get /social/searches/{search_id}":{"names":["search_id"],"required":["search_id"],"exactlyOneOf":[]},"patch /social/searches/{search_id}":{"names":["search_id","name","query","url","events"],"required":["search_id"],"exactlyOneOf":[]},"delete /social/searches/{search_id}":{"names":["search_id"],"required":["search_id"],"exactlyOneOf":[]},"post /social/searches/{search_id}/secret":{"names":["search_id"],"required":["search_id"],"exactlyOneOf":[]},"post /social/searches/{search_id}/test":{"names":["search_id"],"required":["search_id"],"exactlyOneOf":[]},"post /social/searches/{search_id}/resume":{"names":["search_id"],"required":["search_id"],"exactlyOneOf":[]},"get /social/searches/{search_id}/attempts":{"names":["search_id"],"required":["search_id"],"exactlyOneOf":[]}};

/** Which errors an operation may answer. */
export interface FailuresOf {
  explainTweet: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'ConversationExpired' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getAssistantStatus: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getUser: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getUsers: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getUserLastTweets: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getUserHighlights: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getUserFollowers: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getUserFollowings: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getUserMentions: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getTweet: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getTweets: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getTweetThread: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getTweetQuotes: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getTweetReplies: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getTweetRetweeters: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  searchTweets: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  countTweets: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getCommunity: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  discoverCommunityTweets: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getCommunityMedia: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getUserCommunities: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getSpace: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  unlikeTweet: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getUserFeed: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getSearchFeed: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getSavedSearchFeed: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  streamEvents: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'Gone' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  createToken: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  createFeedToken: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getFeedTokens: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  revokeFeedToken: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  listSavedSearches: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  createSavedSearch: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'Conflict' | 'PreconditionFailed' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  getSavedSearch: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  updateSavedSearch: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'PayloadTooLarge' | 'UnsupportedMediaType' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  deleteSavedSearch: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  rotateWebhookSecret: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  sendTestWebhook: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'Conflict' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  resumeWebhook: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'Conflict' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
  listWebhookAttempts: 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'NotFound' | 'MethodNotAllowed' | 'PreconditionFailed' | 'TooManyRequests' | 'InternalError' | 'NotImplemented' | 'BadGateway' | 'Unavailable' | 'GatewayTimeout';
}
