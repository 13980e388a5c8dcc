// Written by `npm run generate` from spec/. Do not edit.

/** Every operation by its path: when it may be repeated, which member of a page holds the items. */
export const table = {
  '/social/tweet/assistant': { method: 'get', repeat: 'refused', timeoutSeconds: 150 },
  '/social/assistant/status': { method: 'get', repeat: 'safe' },
  '/social/user/last_tweets': { method: 'get', repeat: 'safe', items: 'tweets' },
  '/social/user/highlights': { method: 'get', repeat: 'safe', items: 'tweets' },
  '/social/user/followings': { method: 'get', repeat: 'safe', items: 'following' },
  '/social/user/mentions': { method: 'get', repeat: 'safe', items: 'tweets' },
  '/social/tweet/replies': { method: 'get', repeat: 'safe', items: 'replies' },
  '/social/tweet/retweeters': { method: 'get', repeat: 'safe', items: 'retweeters' },
  '/social/tweet/advanced_search': { method: 'get', repeat: 'safe', items: 'tweets' },
  '/social/community/discover': { method: 'get', repeat: 'safe', items: 'tweets' },
  '/social/community/media': { method: 'get', repeat: 'safe', items: 'tweets' },
  '/social/community/members': { method: 'get', repeat: 'safe', items: 'communities' },
  '/social/space/detail': { method: 'get', repeat: 'safe' },
  '/social/tweet/unlike': { method: 'post', repeat: 'refused' },
} as const;

/** Which member of an operation's pages holds the items. */
export interface ItemNames {
  getUserLastTweets: 'tweets';
  getUserHighlights: 'tweets';
  getUserFollowings: 'following';
  getUserMentions: 'tweets';
  getTweetReplies: 'replies';
  getTweetRetweeters: 'retweeters';
  searchTweets: 'tweets';
  discoverCommunityTweets: 'tweets';
  getCommunityMedia: 'tweets';
  getUserCommunities: 'communities';
}

/** The methods of the client, whose types are given by operationId. */
export interface Methods<Of extends Record<string, unknown>> {
  tweet: {
    /**
     * Analyse a tweet, or ask a follow-up question: `GET /social/tweet/assistant`.
     *
     * An explanation of a tweet in words, with the sources it rests on. Start with `tweet_id`; the answer's `conversation_id`
     * sent back together with a `prompt` asks on, with the tweet and the earlier answers as context.
     *
     * - `tweet_id` is required unless `conversation_id` is given; `conversation_id` requires `prompt`. With both, `tweet_id` must be
     *   the conversation's own tweet.
     * - `suggest=ticker` (or an instruction of your own) also proposes meme-coin tickers, or extracts the real one from a crypto post.
     * - `extract=token` finds the token a post is about and resolves it on-chain.
     *
     * A call with `extract` costs 2 questions of the pool, every other call 1; a call that fails before an answer costs none. Where it
     * cannot be known whether a failed call was counted upstream, the pool counts it, so that it never promises more than there is.
     *
     * A conversation belongs to the API key that began it; to any other it does not exist (404). It expires some time after its last
     * use, an hour unless the operator chose otherwise: then 409, begin anew with `tweet_id`. It remembers its last 20 turns, 64 kB of
     * them at most and the first 8,192 characters of each answer; what is older is forgotten, and the conversation goes on. When there
     * are more than 10,000 conversations, or 64 MB of them, those unused longest expire. Calls of one conversation that come at once
     * are answered one after the other; when too many wait, or for too long, the answer is 429 with `Retry-After`.
     *
     * When no account of the pool is free the answer is 503 with `Retry-After`.
     *
     * @example
     * ```ts
     * const answer = await client.tweet.assistant({ tweet_id: '1890000000000000001' });
     * ```
     */
    assistant: Of['explainTweet'];
    /**
     * Replies to a tweet: `GET /social/tweet/replies`.
     *
     * Direct replies to the tweet, newest first.
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
     * Users who retweeted the tweet, newest retweet first; each user once.
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
     * Tweets that match a query in the platform's advanced search syntax. Words next to each other must all match; `OR` (upper
     * case) binds tighter; `-` negates; quotes make a phrase, in which `*` is any one word; parentheses group. Case and accents
     * do not matter. Words are found in the text, the author's name, links and articles.
     *
     * Operators: `from:user` `to:user` `@user` `#tag` `$CASHTAG` · `since:2026-03-04` `until:2026-03-04_05:06:07_UTC` (since is
     * inclusive, until exclusive) `since_time:` `until_time:` (Unix seconds) `within_time:2d` `since_id:` `max_id:` ·
     * `min_faves:` `min_retweets:` `min_replies:` · `filter:` or its opposite `exclude:` with media, images, twimg, videos,
     * native_video, consumer_video, pro_video, vine, periscope, spaces, links, news, mentions, hashtags, replies, self_threads,
     * quote, retweets, nativeretweets, has_engagement, verified, blue_verified, safe · `conversation_id:`
     * `in_reply_to_tweet_id:` `quoted_tweet_id:` `quoted_user_id:` `retweets_of:` `retweets_of_tweet_id:` · `lang:` `source:`
     * `url:` `card_domain:` `card_url:` `card_name:` · `list:` (an id or `owner/slug`) · `geocode:latitude,longitude,10km`
     * `point_radius:[longitude latitude 10mi]` `bounding_box:[west south east north]` `near:` (a place of the archive) with
     * `within:10km`, `place:` `place_country:`, and the names of the v2 API (`is:reply`, `has:cashtags`, `has:geo`, …).
     * Native retweets are left out unless the query asks for them (`include:nativeretweets`). What needs data that no source
     * carries (`filter:follows`, `near:me`, …) is 400 by its name, and so is a name one edit away from an operator
     * (`fron:`); in quotes it is searched as words. [`/docs/search`](/docs/search) has every operator with an example, and a
     * box that shows how a query is read.
     *
     * `Latest` answers newest first, `Top` by engagement (likes + 2 × retweets + 2 × quotes + replies).
     *
     * @example
     * ```ts
     * for await (const item of client.tweet.advancedSearch({ query: 'coffee OR espresso lang:en' })) console.log(item);
     * const page = await client.tweet.advancedSearch({ query: 'coffee OR espresso lang:en' }); // page.tweets
     * ```
     */
    advancedSearch: Of['searchTweets'];
    /**
     * Remove a like from a tweet: `POST /social/tweet/unlike`.
     *
     * Removes the like that the account this service acts for has on the tweet. `success` is `true` when a like was removed
     * (`like_count` then falls by one) and `false` when there was none. The change is durable before the answer. A body that
     * gives a member more than once is refused.
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
     * How many accounts the pool holds in which state, and how many questions can still be asked in the rolling 24 hours.
     * The figures always add up: `capable` = `available` + `cooling`, `daily_capacity` = `capable` × the quota of an account (20 unless
     * the operator chose otherwise), `used_24h` + `remaining_now` = `daily_capacity`. A question counts as used from when it is put
     * until 24 hours and a minute after its answer; one without an answer, as long after the latest moment at which it could have come.
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
     * Recent tweets of a user: `GET /social/user/last_tweets`.
     *
     * The user's own tweets and retweets, newest first. Replies are left out unless `include_replies=1`.
     * Give exactly one of `username` and `user_id`.
     *
     * `resolve_cashtags` resolves the cashtags of the returned tweets to on-chain tokens: `1` on all chains, a chain id on that
     * chain only. Resolution is best effort: what cannot be resolved is left out, and its failure never fails the call.
     * The first 20 distinct cashtags of the page, of what its tweets repost too, are looked up, all at once. The answer waits
     * 1.5 seconds for them at most; what comes later is remembered and there for the next call.
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
     * Tweets the user chose to highlight on the profile, newest highlight first.
     * Give exactly one of `username` and `user_id`.
     *
     * @example
     * ```ts
     * for await (const item of client.user.highlights({ username: 'mira_codes' })) console.log(item);
     * const page = await client.user.highlights({ username: 'mira_codes' }); // page.tweets
     * ```
     */
    highlights: Of['getUserHighlights'];
    /**
     * Accounts a user follows: `GET /social/user/followings`.
     *
     * The accounts that the user follows, newest follow first. Give exactly one of `username` and `user_id`.
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
     * Tweets that mention the user, newest first, optionally limited to a span of time: `since_time` is inclusive, `until_time` exclusive.
     * Give exactly one of `username` and `user_id`.
     *
     * @example
     * ```ts
     * for await (const item of client.user.mentions({ username: 'mira_codes' })) console.log(item);
     * const page = await client.user.mentions({ username: 'mira_codes' }); // page.tweets
     * ```
     */
    mentions: Of['getUserMentions'];
  };
  community: {
    /**
     * Tweets recommended for a community: `GET /social/community/discover`.
     *
     * Tweets posted in the community, ranked by recency and engagement: the score of a tweet is its engagement
     * (likes + 2 × retweets + 2 × quotes + replies, plus one) with a half-life of 24 hours.
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
     * Tweets of the community that carry media, newest first.
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
     * The communities that the user is a member of, with the user's role in each, newest membership first.
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
     * One space: its state, its host and speakers, and how many people listen.
     *
     * @example
     * ```ts
     * const answer = await client.space.detail({ id: '1vSampleSpace1' });
     * ```
     */
    detail: Of['getSpace'];
  };
}
