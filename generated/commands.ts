// Written by `npm run generate` from spec/. Do not edit.

/** An option of a command: a parameter of its operation. */
export interface CommandOption {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'numbers' | 'json' | 'file';
  readonly required: boolean;
  readonly description: string;
  readonly values?: readonly string[];
}
/** A command of the command-line client: an operation. */
export interface Command {
  /** The method of the client: `client[group][name]`. */
  readonly group: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** The member of a page that holds the items. */
  readonly items?: string;
  /** The columns of the items in CSV. */
  readonly columns?: readonly string[];
  readonly options: readonly CommandOption[];
}

export const commands: readonly Command[] = [
 {
  "group": "tweet",
  "name": "assistant",
  "summary": "Analyse a tweet, or ask a follow-up question",
  "description": "Explains a tweet and cites its sources. To start a conversation, send `tweet_id`. To ask a follow-up question, send the `conversation_id` of the response and a `prompt`. The tweet and the earlier answers are the context.",
  "options": [
   {
    "name": "tweet_id",
    "type": "string",
    "required": false,
    "description": "The tweet to analyse, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri."
   },
   {
    "name": "conversation_id",
    "type": "string",
    "required": false,
    "description": "The conversation to continue, from an earlier response. 1 to 256 characters."
   },
   {
    "name": "prompt",
    "type": "string",
    "required": false,
    "description": "Your question. Not blank, 1 to 4000 characters."
   },
   {
    "name": "model",
    "type": "string",
    "required": false,
    "description": "The assistant model. 1 to 100 characters, default assistant-3-latest."
   },
   {
    "name": "suggest",
    "type": "string",
    "required": false,
    "description": "`ticker`, or your own instruction: Not blank, 1 to 1000 characters."
   },
   {
    "name": "extract",
    "type": "string",
    "required": false,
    "description": "`token`:",
    "values": [
     "token"
    ]
   }
  ]
 },
 {
  "group": "assistant",
  "name": "status",
  "summary": "Capacity of the assistant pool",
  "description": "The number of pool accounts in each state, and the questions that the pool can still answer in the rolling 24 hours.",
  "options": []
 },
 {
  "group": "user",
  "name": "info",
  "summary": "A user",
  "description": "A user: profile, counts, and which counts are unknown. Send exactly one of `username` and `user_id`. The response is 404 also for a user of whom only the username is known, as from a mention; the lists of such a user are empty.",
  "options": [
   {
    "name": "username",
    "type": "string",
    "required": false,
    "description": "The username, case-insensitive, with or without `@`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   },
   {
    "name": "user_id",
    "type": "string",
    "required": false,
    "description": "The id of the user. An id: 1–19 digits."
   }
  ]
 },
 {
  "group": "users",
  "name": "getUsers",
  "summary": "Up to 100 users",
  "description": "Users by their ids or usernames, in the order of the request, each once. Send exactly one of `ids` and `usernames`. The users are those of `/social/user/info`; those that it does not have are in `missing`, and no error. Without `unknown_counts`, which `/social/user/info` has.",
  "options": [
   {
    "name": "ids",
    "type": "strings",
    "required": false,
    "description": "The ids of the users, separated by commas. 1 to 100 items, each an id: 1–19 digits."
   },
   {
    "name": "usernames",
    "type": "strings",
    "required": false,
    "description": "The usernames, separated by commas, case-insensitive, with or without `@`. 1 to 100 items, each a username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   }
  ]
 },
 {
  "group": "user",
  "name": "lastTweets",
  "summary": "Recent tweets of a user",
  "description": "The tweets and retweets of a user, newest first. To include replies, send `include_replies=1`. Send exactly one of `username` and `user_id`.",
  "items": "tweets",
  "columns": [
   "id",
   "text",
   "created_at",
   "author.id",
   "author.name",
   "author.username",
   "author.profile_image",
   "author.verified",
   "author.followers_count",
   "retweet_count",
   "reply_count",
   "like_count",
   "quote_count",
   "bookmark_count",
   "view_count",
   "media",
   "card.url",
   "card.title",
   "card.description",
   "card.image",
   "card.domain",
   "article.title",
   "article.text",
   "entities.mentions",
   "entities.hashtags",
   "entities.cashtags",
   "entities.urls",
   "quoted_tweet.id",
   "quoted_tweet.text",
   "quoted_tweet.created_at",
   "quoted_tweet.author",
   "quoted_tweet.retweet_count",
   "quoted_tweet.reply_count",
   "quoted_tweet.like_count",
   "quoted_tweet.quote_count",
   "quoted_tweet.bookmark_count",
   "quoted_tweet.view_count",
   "quoted_tweet.media",
   "quoted_tweet.card",
   "quoted_tweet.article",
   "quoted_tweet.entities",
   "quoted_tweet.quoted_tweet",
   "quoted_tweet.retweeted_tweet",
   "retweeted_tweet.id",
   "retweeted_tweet.text",
   "retweeted_tweet.created_at",
   "retweeted_tweet.author",
   "retweeted_tweet.retweet_count",
   "retweeted_tweet.reply_count",
   "retweeted_tweet.like_count",
   "retweeted_tweet.quote_count",
   "retweeted_tweet.bookmark_count",
   "retweeted_tweet.view_count",
   "retweeted_tweet.media",
   "retweeted_tweet.card",
   "retweeted_tweet.article",
   "retweeted_tweet.entities",
   "retweeted_tweet.quoted_tweet",
   "retweeted_tweet.retweeted_tweet"
  ],
  "options": [
   {
    "name": "username",
    "type": "string",
    "required": false,
    "description": "The username, case-insensitive, with or without `@`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   },
   {
    "name": "user_id",
    "type": "string",
    "required": false,
    "description": "The id of the user. An id: 1–19 digits."
   },
   {
    "name": "include_replies",
    "type": "string",
    "required": false,
    "description": "`1` includes replies.",
    "values": [
     "0",
     "1"
    ]
   },
   {
    "name": "resolve_cashtags",
    "type": "string",
    "required": false,
    "description": "`1` resolves the cashtags of the returned tweets on all chains. 1 for all chains or a chain id in lower case."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "user",
  "name": "highlights",
  "summary": "Highlighted tweets of a user",
  "description": "The tweets that a user highlights on the profile, newest highlight first. Send exactly one of `username` and `user_id`.",
  "items": "tweets",
  "columns": [
   "id",
   "text",
   "created_at",
   "author.id",
   "author.name",
   "author.username",
   "author.profile_image",
   "author.verified",
   "author.followers_count",
   "retweet_count",
   "reply_count",
   "like_count",
   "quote_count",
   "bookmark_count",
   "view_count",
   "media",
   "card.url",
   "card.title",
   "card.description",
   "card.image",
   "card.domain",
   "article.title",
   "article.text",
   "entities.mentions",
   "entities.hashtags",
   "entities.cashtags",
   "entities.urls",
   "quoted_tweet.id",
   "quoted_tweet.text",
   "quoted_tweet.created_at",
   "quoted_tweet.author",
   "quoted_tweet.retweet_count",
   "quoted_tweet.reply_count",
   "quoted_tweet.like_count",
   "quoted_tweet.quote_count",
   "quoted_tweet.bookmark_count",
   "quoted_tweet.view_count",
   "quoted_tweet.media",
   "quoted_tweet.card",
   "quoted_tweet.article",
   "quoted_tweet.entities",
   "quoted_tweet.quoted_tweet",
   "quoted_tweet.retweeted_tweet",
   "retweeted_tweet.id",
   "retweeted_tweet.text",
   "retweeted_tweet.created_at",
   "retweeted_tweet.author",
   "retweeted_tweet.retweet_count",
   "retweeted_tweet.reply_count",
   "retweeted_tweet.like_count",
   "retweeted_tweet.quote_count",
   "retweeted_tweet.bookmark_count",
   "retweeted_tweet.view_count",
   "retweeted_tweet.media",
   "retweeted_tweet.card",
   "retweeted_tweet.article",
   "retweeted_tweet.entities",
   "retweeted_tweet.quoted_tweet",
   "retweeted_tweet.retweeted_tweet"
  ],
  "options": [
   {
    "name": "username",
    "type": "string",
    "required": false,
    "description": "The username, case-insensitive, with or without `@`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   },
   {
    "name": "user_id",
    "type": "string",
    "required": false,
    "description": "The id of the user. An id: 1–19 digits."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "user",
  "name": "followers",
  "summary": "Accounts that follow a user",
  "description": "The accounts that follow a user, newest follow first; those without a known time last. Send exactly one of `username` and `user_id`. The list has the followers that the archive knows: `followers_count` of the user can be larger. It fetches no followers from a live platform.",
  "items": "followers",
  "columns": [
   "id",
   "name",
   "username",
   "description",
   "location",
   "created_at",
   "followers_count",
   "following_count",
   "tweet_count",
   "like_count",
   "media_count",
   "verified",
   "is_blue_verified",
   "profile_image",
   "profile_banner",
   "pinned_tweet_ids"
  ],
  "options": [
   {
    "name": "username",
    "type": "string",
    "required": false,
    "description": "The username, case-insensitive, with or without `@`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   },
   {
    "name": "user_id",
    "type": "string",
    "required": false,
    "description": "The id of the user. An id: 1–19 digits."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "user",
  "name": "followings",
  "summary": "Accounts a user follows",
  "description": "The accounts that a user follows, newest follow first. Send exactly one of `username` and `user_id`.",
  "items": "following",
  "columns": [
   "id",
   "name",
   "username",
   "description",
   "location",
   "created_at",
   "followers_count",
   "following_count",
   "tweet_count",
   "like_count",
   "media_count",
   "verified",
   "is_blue_verified",
   "profile_image",
   "profile_banner",
   "pinned_tweet_ids"
  ],
  "options": [
   {
    "name": "username",
    "type": "string",
    "required": false,
    "description": "The username, case-insensitive, with or without `@`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   },
   {
    "name": "user_id",
    "type": "string",
    "required": false,
    "description": "The id of the user. An id: 1–19 digits."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "user",
  "name": "mentions",
  "summary": "Tweets mentioning a user",
  "description": "Tweets that mention a user, newest first, also by an earlier username where the source gives the user's id. `since_time` (inclusive) and `until_time` (exclusive) limit the time range. Send exactly one of `username` and `user_id`.",
  "items": "tweets",
  "columns": [
   "id",
   "text",
   "created_at",
   "author.id",
   "author.name",
   "author.username",
   "author.profile_image",
   "author.followers_count",
   "retweet_count",
   "reply_count",
   "like_count",
   "quote_count",
   "bookmark_count",
   "view_count"
  ],
  "options": [
   {
    "name": "username",
    "type": "string",
    "required": false,
    "description": "The username, case-insensitive, with or without `@`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   },
   {
    "name": "user_id",
    "type": "string",
    "required": false,
    "description": "The id of the user. An id: 1–19 digits."
   },
   {
    "name": "since_time",
    "type": "integer",
    "required": false,
    "description": "Only tweets created at or after this time, in Unix seconds. 0 to 253402300799."
   },
   {
    "name": "until_time",
    "type": "integer",
    "required": false,
    "description": "Only tweets created before this time, in Unix seconds. 0 to 253402300799."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "tweet",
  "name": "info",
  "summary": "A tweet",
  "description": "A tweet in full form, which of its counts are unknown, and the ids of the tweets that it refers to, also of those that the archive does not contain.",
  "options": [
   {
    "name": "tweet_id",
    "type": "string",
    "required": true,
    "description": "The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri."
   }
  ]
 },
 {
  "group": "tweets",
  "name": "getTweets",
  "summary": "Up to 100 tweets",
  "description": "Tweets in full form by their ids, in the order of the request, each once. Those that the archive does not have are in `missing`, and no error.",
  "options": [
   {
    "name": "ids",
    "type": "strings",
    "required": true,
    "description": "The tweets, separated by commas, each by its id or by its address on Bluesky or X. 1 to 100 items, each an id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri."
   }
  ]
 },
 {
  "group": "tweet",
  "name": "thread",
  "summary": "The thread of a tweet",
  "description": "What comes before and after a tweet. `ancestors` are the tweets that it replies to, directly or through others, oldest first, on the first page only. `tweets` are the tweet itself and the tweets with which its author continues it: the author's oldest reply to it, the author's oldest reply to that one, and so on. If an older reply is added meanwhile, the next page follows that one. Replies of other users are in `/social/tweet/replies`.",
  "items": "tweets",
  "columns": [
   "id",
   "text",
   "created_at",
   "author.id",
   "author.name",
   "author.username",
   "author.profile_image",
   "author.verified",
   "author.followers_count",
   "retweet_count",
   "reply_count",
   "like_count",
   "quote_count",
   "bookmark_count",
   "view_count",
   "media",
   "card.url",
   "card.title",
   "card.description",
   "card.image",
   "card.domain",
   "article.title",
   "article.text",
   "entities.mentions",
   "entities.hashtags",
   "entities.cashtags",
   "entities.urls",
   "quoted_tweet.id",
   "quoted_tweet.text",
   "quoted_tweet.created_at",
   "quoted_tweet.author",
   "quoted_tweet.retweet_count",
   "quoted_tweet.reply_count",
   "quoted_tweet.like_count",
   "quoted_tweet.quote_count",
   "quoted_tweet.bookmark_count",
   "quoted_tweet.view_count",
   "quoted_tweet.media",
   "quoted_tweet.card",
   "quoted_tweet.article",
   "quoted_tweet.entities",
   "quoted_tweet.quoted_tweet",
   "quoted_tweet.retweeted_tweet",
   "retweeted_tweet.id",
   "retweeted_tweet.text",
   "retweeted_tweet.created_at",
   "retweeted_tweet.author",
   "retweeted_tweet.retweet_count",
   "retweeted_tweet.reply_count",
   "retweeted_tweet.like_count",
   "retweeted_tweet.quote_count",
   "retweeted_tweet.bookmark_count",
   "retweeted_tweet.view_count",
   "retweeted_tweet.media",
   "retweeted_tweet.card",
   "retweeted_tweet.article",
   "retweeted_tweet.entities",
   "retweeted_tweet.quoted_tweet",
   "retweeted_tweet.retweeted_tweet"
  ],
  "options": [
   {
    "name": "tweet_id",
    "type": "string",
    "required": true,
    "description": "The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "tweet",
  "name": "quotes",
  "summary": "Tweets that quote a tweet",
  "description": "Tweets that quote a tweet, newest first, without native retweets of them. The list has the quotes that the archive knows: `quote_count` of the tweet can be larger. It fetches no quotes from a live platform.",
  "items": "quotes",
  "columns": [
   "id",
   "text",
   "created_at",
   "author.id",
   "author.name",
   "author.username",
   "author.profile_image",
   "author.verified",
   "author.followers_count",
   "retweet_count",
   "reply_count",
   "like_count",
   "quote_count",
   "bookmark_count",
   "view_count",
   "media",
   "card.url",
   "card.title",
   "card.description",
   "card.image",
   "card.domain",
   "article.title",
   "article.text",
   "entities.mentions",
   "entities.hashtags",
   "entities.cashtags",
   "entities.urls",
   "quoted_tweet.id",
   "quoted_tweet.text",
   "quoted_tweet.created_at",
   "quoted_tweet.author",
   "quoted_tweet.retweet_count",
   "quoted_tweet.reply_count",
   "quoted_tweet.like_count",
   "quoted_tweet.quote_count",
   "quoted_tweet.bookmark_count",
   "quoted_tweet.view_count",
   "quoted_tweet.media",
   "quoted_tweet.card",
   "quoted_tweet.article",
   "quoted_tweet.entities",
   "quoted_tweet.quoted_tweet",
   "quoted_tweet.retweeted_tweet",
   "retweeted_tweet.id",
   "retweeted_tweet.text",
   "retweeted_tweet.created_at",
   "retweeted_tweet.author",
   "retweeted_tweet.retweet_count",
   "retweeted_tweet.reply_count",
   "retweeted_tweet.like_count",
   "retweeted_tweet.quote_count",
   "retweeted_tweet.bookmark_count",
   "retweeted_tweet.view_count",
   "retweeted_tweet.media",
   "retweeted_tweet.card",
   "retweeted_tweet.article",
   "retweeted_tweet.entities",
   "retweeted_tweet.quoted_tweet",
   "retweeted_tweet.retweeted_tweet"
  ],
  "options": [
   {
    "name": "tweet_id",
    "type": "string",
    "required": true,
    "description": "The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "tweet",
  "name": "replies",
  "summary": "Replies to a tweet",
  "description": "Direct replies to a tweet, newest first.",
  "items": "replies",
  "columns": [
   "id",
   "text",
   "created_at",
   "author.id",
   "author.name",
   "author.username",
   "author.profile_image",
   "author.verified",
   "author.followers_count",
   "retweet_count",
   "reply_count",
   "like_count",
   "quote_count",
   "bookmark_count",
   "view_count",
   "media",
   "card.url",
   "card.title",
   "card.description",
   "card.image",
   "card.domain",
   "article.title",
   "article.text",
   "entities.mentions",
   "entities.hashtags",
   "entities.cashtags",
   "entities.urls",
   "quoted_tweet.id",
   "quoted_tweet.text",
   "quoted_tweet.created_at",
   "quoted_tweet.author",
   "quoted_tweet.retweet_count",
   "quoted_tweet.reply_count",
   "quoted_tweet.like_count",
   "quoted_tweet.quote_count",
   "quoted_tweet.bookmark_count",
   "quoted_tweet.view_count",
   "quoted_tweet.media",
   "quoted_tweet.card",
   "quoted_tweet.article",
   "quoted_tweet.entities",
   "quoted_tweet.quoted_tweet",
   "quoted_tweet.retweeted_tweet",
   "retweeted_tweet.id",
   "retweeted_tweet.text",
   "retweeted_tweet.created_at",
   "retweeted_tweet.author",
   "retweeted_tweet.retweet_count",
   "retweeted_tweet.reply_count",
   "retweeted_tweet.like_count",
   "retweeted_tweet.quote_count",
   "retweeted_tweet.bookmark_count",
   "retweeted_tweet.view_count",
   "retweeted_tweet.media",
   "retweeted_tweet.card",
   "retweeted_tweet.article",
   "retweeted_tweet.entities",
   "retweeted_tweet.quoted_tweet",
   "retweeted_tweet.retweeted_tweet"
  ],
  "options": [
   {
    "name": "tweet_id",
    "type": "string",
    "required": true,
    "description": "The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "tweet",
  "name": "retweeters",
  "summary": "Users who retweeted a tweet",
  "description": "Users who retweeted a tweet, newest retweet first. Each user appears once.",
  "items": "retweeters",
  "columns": [
   "id",
   "name",
   "username",
   "description",
   "location",
   "created_at",
   "followers_count",
   "following_count",
   "tweet_count",
   "like_count",
   "media_count",
   "verified",
   "is_blue_verified",
   "profile_image",
   "profile_banner",
   "pinned_tweet_ids"
  ],
  "options": [
   {
    "name": "tweet_id",
    "type": "string",
    "required": true,
    "description": "The tweet, by its id or by its address on Bluesky or X. An id of 1–19 digits, or the address of a post: https://x.com/…/status/…, https://bsky.app/profile/…/post/… or an at-uri."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "tweet",
  "name": "advancedSearch",
  "summary": "Search tweets",
  "description": "Tweets that match a query in the platform's advanced search syntax. `/docs/search` of the service explains every operator and shows how the service parses a query.",
  "items": "tweets",
  "columns": [
   "id",
   "text",
   "created_at",
   "author.id",
   "author.name",
   "author.username",
   "author.profile_image",
   "author.followers_count",
   "retweet_count",
   "reply_count",
   "like_count",
   "quote_count",
   "bookmark_count",
   "view_count"
  ],
  "options": [
   {
    "name": "query",
    "type": "string",
    "required": true,
    "description": "The search query, in the platform's advanced search operator syntax. 1 to 1024 characters."
   },
   {
    "name": "query_type",
    "type": "string",
    "required": false,
    "description": "The order of the results.",
    "values": [
     "Latest",
     "Top"
    ]
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "tweet",
  "name": "counts",
  "summary": "Number of tweets that match a query",
  "description": "How many tweets match a query, by hour or by day of UTC, oldest first. The tweets are those of `advanced_search` with the same query.",
  "options": [
   {
    "name": "query",
    "type": "string",
    "required": true,
    "description": "The search query, in the platform's advanced search operator syntax. 1 to 1024 characters."
   },
   {
    "name": "granularity",
    "type": "string",
    "required": false,
    "description": "The length of the parts that are counted, in UTC.",
    "values": [
     "hour",
     "day",
     "all"
    ]
   },
   {
    "name": "since_time",
    "type": "integer",
    "required": false,
    "description": "Only tweets created at this time or later, in Unix seconds. 0 to 253402300799."
   },
   {
    "name": "until_time",
    "type": "integer",
    "required": false,
    "description": "Only tweets created before this time, in Unix seconds. 0 to 253402300799."
   }
  ]
 },
 {
  "group": "community",
  "name": "info",
  "summary": "A community",
  "description": "A community: its name, description, policy and counts, and which counts are unknown. An unknown policy is `open`.",
  "options": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "The id of the community. An id: 1–19 digits."
   }
  ]
 },
 {
  "group": "community",
  "name": "discover",
  "summary": "Tweets recommended for a community",
  "description": "Tweets of a community, ranked by recency and engagement. The score of a tweet is its engagement (likes + 2 × retweets + 2 × quotes + replies + 1), with a half-life of 24 hours.",
  "items": "tweets",
  "columns": [
   "id",
   "text",
   "created_at",
   "author.id",
   "author.name",
   "author.username",
   "author.profile_image",
   "author.followers_count",
   "retweet_count",
   "reply_count",
   "like_count",
   "quote_count",
   "bookmark_count",
   "view_count"
  ],
  "options": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "The id of the community. An id: 1–19 digits."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "community",
  "name": "media",
  "summary": "Media tweets of a community",
  "description": "Tweets of a community that contain media, newest first.",
  "items": "tweets",
  "columns": [
   "id",
   "text",
   "created_at",
   "author.id",
   "author.name",
   "author.username",
   "author.profile_image",
   "author.followers_count",
   "retweet_count",
   "reply_count",
   "like_count",
   "quote_count",
   "bookmark_count",
   "view_count"
  ],
  "options": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "The id of the community. An id: 1–19 digits."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "community",
  "name": "members",
  "summary": "Communities a user belongs to",
  "description": "The communities of a user, with the user's role in each, newest membership first. For a user of a platform without communities, such as Bluesky, the response is 501.",
  "items": "communities",
  "columns": [
   "id",
   "name",
   "description",
   "member_count",
   "moderator_count",
   "role",
   "join_policy"
  ],
  "options": [
   {
    "name": "username",
    "type": "string",
    "required": true,
    "description": "The username, case-insensitive, with or without `@`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The `next_cursor` of the previous page. 1 to 512 characters."
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "space",
  "name": "detail",
  "summary": "Details of an audio room",
  "description": "A space: its state, host, speakers and number of participants.",
  "options": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "The id of the space. The id of a space: 1–32 letters or digits."
   }
  ]
 },
 {
  "group": "tweet",
  "name": "unlike",
  "summary": "Remove a like from a tweet",
  "description": "Removes the like of the service's own account from a tweet. `success` is `true` if a like was removed; `like_count` then decreases by one. `success` is `false` if there was no like. The change is on disk before the response. A body with a duplicate member returns 400.",
  "options": [
   {
    "name": "tweet_id",
    "type": "string",
    "required": true,
    "description": "A decimal id of up to 19 digits. An id: 1–19 digits."
   }
  ]
 },
 {
  "group": "feeds",
  "name": "getUserFeed",
  "summary": "A feed of a user",
  "description": "The newest tweets and retweets of a user as an Atom feed (RFC 4287) or as a JSON Feed 1.1. Send exactly one of `username` and `user_id`.",
  "options": [
   {
    "name": "username",
    "type": "string",
    "required": false,
    "description": "The username, case-insensitive, with or without `@`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   },
   {
    "name": "user_id",
    "type": "string",
    "required": false,
    "description": "The id of the user. An id: 1–19 digits."
   },
   {
    "name": "include_replies",
    "type": "string",
    "required": false,
    "description": "`1` includes replies.",
    "values": [
     "0",
     "1"
    ]
   },
   {
    "name": "format",
    "type": "string",
    "required": false,
    "description": "`atom` for Atom, `json` for JSON Feed.",
    "values": [
     "atom",
     "json"
    ]
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "feeds",
  "name": "getSearchFeed",
  "summary": "A feed of a search",
  "description": "The newest tweets of a search as an Atom feed (RFC 4287) or as a JSON Feed 1.1.",
  "options": [
   {
    "name": "query",
    "type": "string",
    "required": true,
    "description": "The search query, in the platform's advanced search operator syntax. 1 to 1024 characters."
   },
   {
    "name": "format",
    "type": "string",
    "required": false,
    "description": "`atom` for Atom, `json` for JSON Feed.",
    "values": [
     "atom",
     "json"
    ]
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "feeds",
  "name": "getSavedSearchFeed",
  "summary": "A feed of a saved search",
  "description": "The newest tweets of a saved search of the key, or of the key of the feed token, as an Atom feed (RFC 4287) or as a JSON Feed 1.1. The feed stays the same when its query changes.",
  "options": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "The id of the saved search. The id of a saved search."
   },
   {
    "name": "format",
    "type": "string",
    "required": false,
    "description": "`atom` for Atom, `json` for JSON Feed.",
    "values": [
     "atom",
     "json"
    ]
   },
   {
    "name": "limit",
    "type": "integer",
    "required": false,
    "description": "The maximum number of items on the page. 1 to 100, default 20."
   }
  ]
 },
 {
  "group": "streams",
  "name": "streamEvents",
  "summary": "Events of a channel as they happen",
  "description": "Server-sent events: one subscription of the event stream (`/docs/events` of the service), for programs without WebSockets, such as `curl`, proxies and low-code tools, and for the `EventSource` of a browser, with a token as `api_key`. Channels, parameters, cursors, the order of events and deletions are those of `/ws`.",
  "options": [
   {
    "name": "channel",
    "type": "string",
    "required": true,
    "description": "The channel.",
    "values": [
     "search:tweets",
     "user:tweets",
     "user:mentions",
     "tweet:replies",
     "tweet:engagement",
     "community:tweets",
     "community:members",
     "assistant:pool"
    ]
   },
   {
    "name": "query",
    "type": "string",
    "required": false,
    "description": "A query of the search language (`/docs/search` of the service), for `search:tweets`. 1 to 1024 characters."
   },
   {
    "name": "username",
    "type": "string",
    "required": false,
    "description": "A username, for `user:tweets`, `user:mentions` and `community:members`. A username: 1–15 letters, digits or _, or a handle such as alice.example.com."
   },
   {
    "name": "user_id",
    "type": "string",
    "required": false,
    "description": "The id of a user, for `user:tweets`. An id: 1–19 digits."
   },
   {
    "name": "tweet_id",
    "type": "string",
    "required": false,
    "description": "The id of a tweet, for `tweet:replies` and `tweet:engagement`. An id: 1–19 digits."
   },
   {
    "name": "id",
    "type": "string",
    "required": false,
    "description": "The id of a community, for `community:tweets`. An id: 1–19 digits."
   },
   {
    "name": "cursor",
    "type": "string",
    "required": false,
    "description": "The stream starts behind this position. A cursor of the event stream."
   },
   {
    "name": "on_gap",
    "type": "string",
    "required": false,
    "description": "What to do if the events behind the cursor are no longer retained; `error` by default.",
    "values": [
     "error",
     "continue"
    ]
   },
   {
    "name": "last-event-id",
    "type": "string",
    "required": false,
    "description": "The `id` of the last event that the client has. A cursor of the event stream."
   }
  ]
 },
 {
  "group": "token",
  "name": "create",
  "summary": "Make a short-lived token",
  "description": "Makes a token from the API key of the request, for a program that must not have the key, such as a page in a browser. It is sent where a key is sent, also to `/ws`. It has the scopes of the key, or those of `scopes`; no token can make tokens. Requests with a token count towards the limits of its key, and it ends when its key is revoked or expires. A connection of the event stream that was opened with a token is closed when the token ends; resume it by cursor with a new one.",
  "options": [
   {
    "name": "scopes",
    "type": "strings",
    "required": false,
    "description": "The scopes of the token, each one that the key has; all of them when absent. 1 to 10 items, each read, assistant, write, events, feeds or alerts."
   },
   {
    "name": "ttl_seconds",
    "type": "integer",
    "required": false,
    "description": "How long the token is valid, in seconds, 600 by default; at most until its key expires. 60 to 3600."
   }
  ]
 },
 {
  "group": "feedToken",
  "name": "create",
  "summary": "Make a feed token",
  "description": "Makes a token that reads feeds and nothing else, for the address of a feed in a feed reader. It does not expire; revoke it with `/social/feed_token/revoke`. It also ends with its key, and its requests count towards the limits of that key. A key has at most 100 feed tokens.",
  "options": [
   {
    "name": "name",
    "type": "string",
    "required": true,
    "description": "Where it is used. A text of 1 to 100 characters without control characters."
   }
  ]
 },
 {
  "group": "feedToken",
  "name": "list",
  "summary": "The feed tokens of the key",
  "description": "The feed tokens of the API key of the request, oldest first, without their texts.",
  "options": []
 },
 {
  "group": "feedToken",
  "name": "revoke",
  "summary": "Revoke a feed token",
  "description": "Revokes a feed token of the API key of the request. `success` is `true` if it was valid; `false` if the key has no such feed token. The change is on disk before the response.",
  "options": [
   {
    "name": "id",
    "type": "string",
    "required": true,
    "description": "The id of the feed token. 1 to 64 characters."
   }
  ]
 },
 {
  "group": "searches",
  "name": "listSavedSearches",
  "summary": "The saved searches of the key",
  "description": "The saved searches that this API key has created, oldest first, with the state of their webhooks. A key has at most 25.",
  "options": []
 },
 {
  "group": "searches",
  "name": "createSavedSearch",
  "summary": "Save a search, with a webhook if you like",
  "description": "A saved search is a name and a query of the search language. With `url`, the service sends each tweet that matches from now on to this address, as the channel `search:tweets` of the event stream does: a request `POST` with a JSON body for each event. Without `url`, nothing is sent. A second address for the same query is a second saved search.",
  "options": [
   {
    "name": "name",
    "type": "string",
    "required": true,
    "description": "A name that is not blank."
   },
   {
    "name": "query",
    "type": "string",
    "required": true,
    "description": "A query of the search language (/docs/search). 1 to 1024 characters."
   },
   {
    "name": "url",
    "type": "string",
    "required": false,
    "description": "The address of the webhook; null: 1 to 2048 characters, or null."
   },
   {
    "name": "events",
    "type": "strings",
    "required": false,
    "description": "The events that the webhook gets, beside `search.gap` and `search.test`. 1 to 3 items, no duplicates, each tweet.created, tweet.updated or tweet.deleted."
   }
  ]
 },
 {
  "group": "searches",
  "name": "getSavedSearch",
  "summary": "A saved search",
  "description": "A saved search of this API key, with the state of its webhook.",
  "options": [
   {
    "name": "search_id",
    "type": "string",
    "required": true,
    "description": "The id of a saved search of this API key. The id of a saved search."
   }
  ]
 },
 {
  "group": "searches",
  "name": "updateSavedSearch",
  "summary": "Change a saved search",
  "description": "Changes the members of the request, and leaves the others as they are. Another `query` selects the events that are not delivered yet. Another `url` gets them, also those that the last address did not accept; the secret stays, and a pause ends. `url: null` ends the deliveries. A `url` where there was none begins with the events from now on.",
  "options": [
   {
    "name": "search_id",
    "type": "string",
    "required": true,
    "description": "The id of a saved search of this API key. The id of a saved search."
   },
   {
    "name": "name",
    "type": "string",
    "required": false,
    "description": "A name that is not blank."
   },
   {
    "name": "query",
    "type": "string",
    "required": false,
    "description": "A query of the search language (/docs/search). 1 to 1024 characters."
   },
   {
    "name": "url",
    "type": "string",
    "required": false,
    "description": "The address of the webhook; null: 1 to 2048 characters, or null."
   },
   {
    "name": "events",
    "type": "strings",
    "required": false,
    "description": "The events that the webhook gets, beside `search.gap` and `search.test`. 1 to 3 items, no duplicates, each tweet.created, tweet.updated or tweet.deleted."
   }
  ]
 },
 {
  "group": "searches",
  "name": "deleteSavedSearch",
  "summary": "Delete a saved search",
  "description": "Deletes a saved search. Nothing is sent any more; a request that is on its way may still arrive.",
  "options": [
   {
    "name": "search_id",
    "type": "string",
    "required": true,
    "description": "The id of a saved search of this API key. The id of a saved search."
   }
  ]
 },
 {
  "group": "searches",
  "name": "rotateWebhookSecret",
  "summary": "Make a new secret for a webhook",
  "description": "Makes a new secret, which only this response has. For 24 hours requests have two signatures, also one by the previous secret, so that the receiver can change its secret in this time. A second rotation ends that of the secret before.",
  "options": [
   {
    "name": "search_id",
    "type": "string",
    "required": true,
    "description": "The id of a saved search of this API key. The id of a saved search."
   }
  ]
 },
 {
  "group": "searches",
  "name": "sendTestWebhook",
  "summary": "Send a test to a webhook",
  "description": "Sends an event `search.test` to the address now, also of a paused webhook, and returns what came of it. A failure changes nothing. At most 6 tests a minute with one key.",
  "options": [
   {
    "name": "search_id",
    "type": "string",
    "required": true,
    "description": "The id of a saved search of this API key. The id of a saved search."
   }
  ]
 },
 {
  "group": "searches",
  "name": "resumeWebhook",
  "summary": "Resume a paused webhook",
  "description": "Tries again at once, from the first event that was not accepted, and ends a pause. Events that the service does not have any more are left out; `search.gap` says so. If the webhook is not paused and does not wait, nothing changes.",
  "options": [
   {
    "name": "search_id",
    "type": "string",
    "required": true,
    "description": "The id of a saved search of this API key. The id of a saved search."
   }
  ]
 },
 {
  "group": "searches",
  "name": "listWebhookAttempts",
  "summary": "The last attempts to deliver",
  "description": "The last 20 requests to the address of a saved search, newest first. They have no texts of tweets and of responses.",
  "options": [
   {
    "name": "search_id",
    "type": "string",
    "required": true,
    "description": "The id of a saved search of this API key. The id of a saved search."
   }
  ]
 }
];
