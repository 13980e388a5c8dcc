// Written by `npm run generate` from spec/. Do not edit.
export type paths = {
    "/social/tweet/assistant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Analyse a tweet, or ask a follow-up question
         * @description An explanation of a tweet in words, with the sources it rests on. Start with `tweet_id`; the answer's `conversation_id`
         *     sent back together with a `prompt` asks on, with the tweet and the earlier answers as context.
         *
         *     - `tweet_id` is required unless `conversation_id` is given; `conversation_id` requires `prompt`. With both, `tweet_id` must be
         *       the conversation's own tweet.
         *     - `suggest=ticker` (or an instruction of your own) also proposes meme-coin tickers, or extracts the real one from a crypto post.
         *     - `extract=token` finds the token a post is about and resolves it on-chain.
         *
         *     A call with `extract` costs 2 questions of the pool, every other call 1; a call that fails before an answer costs none. Where it
         *     cannot be known whether a failed call was counted upstream, the pool counts it, so that it never promises more than there is.
         *
         *     A conversation belongs to the API key that began it; to any other it does not exist (404). It expires some time after its last
         *     use, an hour unless the operator chose otherwise: then 409, begin anew with `tweet_id`. It remembers its last 20 turns, 64 kB of
         *     them at most and the first 8,192 characters of each answer; what is older is forgotten, and the conversation goes on. When there
         *     are more than 10,000 conversations, or 64 MB of them, those unused longest expire. Calls of one conversation that come at once
         *     are answered one after the other; when too many wait, or for too long, the answer is 429 with `Retry-After`.
         *
         *     When no account of the pool is free the answer is 503 with `Retry-After`.
         */
        get: operations["explainTweet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/assistant/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Capacity of the assistant pool
         * @description How many accounts the pool holds in which state, and how many questions can still be asked in the rolling 24 hours.
         *     The figures always add up: `capable` = `available` + `cooling`, `daily_capacity` = `capable` × the quota of an account (20 unless
         *     the operator chose otherwise), `used_24h` + `remaining_now` = `daily_capacity`. A question counts as used from when it is put
         *     until 24 hours and a minute after its answer; one without an answer, as long after the latest moment at which it could have come.
         */
        get: operations["getAssistantStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/user/last_tweets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recent tweets of a user
         * @description The user's own tweets and retweets, newest first. Replies are left out unless `include_replies=1`.
         *     Give exactly one of `username` and `user_id`.
         *
         *     `resolve_cashtags` resolves the cashtags of the returned tweets to on-chain tokens: `1` on all chains, a chain id on that
         *     chain only. Resolution is best effort: what cannot be resolved is left out, and its failure never fails the call.
         *     The first 20 distinct cashtags of the page, of what its tweets repost too, are looked up, all at once. The answer waits
         *     1.5 seconds for them at most; what comes later is remembered and there for the next call.
         */
        get: operations["getUserLastTweets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/user/highlights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Highlighted tweets of a user
         * @description Tweets the user chose to highlight on the profile, newest highlight first.
         *     Give exactly one of `username` and `user_id`.
         */
        get: operations["getUserHighlights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/user/followings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts a user follows
         * @description The accounts that the user follows, newest follow first. Give exactly one of `username` and `user_id`.
         */
        get: operations["getUserFollowings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/user/mentions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tweets mentioning a user
         * @description Tweets that mention the user, newest first, optionally limited to a span of time: `since_time` is inclusive, `until_time` exclusive.
         *     Give exactly one of `username` and `user_id`.
         */
        get: operations["getUserMentions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/tweet/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Replies to a tweet
         * @description Direct replies to the tweet, newest first.
         */
        get: operations["getTweetReplies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/tweet/retweeters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users who retweeted a tweet
         * @description Users who retweeted the tweet, newest retweet first; each user once.
         */
        get: operations["getTweetRetweeters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/tweet/advanced_search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search tweets
         * @description Tweets that match a query in the platform's advanced search syntax. Words next to each other must all match; `OR` (upper
         *     case) binds tighter; `-` negates; quotes make a phrase, in which `*` is any one word; parentheses group. Case and accents
         *     do not matter. Words are found in the text, the author's name, links and articles.
         *
         *     Operators: `from:user` `to:user` `@user` `#tag` `$CASHTAG` · `since:2026-03-04` `until:2026-03-04_05:06:07_UTC` (since is
         *     inclusive, until exclusive) `since_time:` `until_time:` (Unix seconds) `within_time:2d` `since_id:` `max_id:` ·
         *     `min_faves:` `min_retweets:` `min_replies:` · `filter:` or its opposite `exclude:` with media, images, twimg, videos,
         *     native_video, consumer_video, pro_video, vine, periscope, spaces, links, news, mentions, hashtags, replies, self_threads,
         *     quote, retweets, nativeretweets, has_engagement, verified, blue_verified, safe · `conversation_id:`
         *     `in_reply_to_tweet_id:` `quoted_tweet_id:` `quoted_user_id:` `retweets_of:` `retweets_of_tweet_id:` · `lang:` `source:`
         *     `url:` `card_domain:` `card_url:` `card_name:` · `list:` (an id or `owner/slug`) · `geocode:latitude,longitude,10km`
         *     `point_radius:[longitude latitude 10mi]` `bounding_box:[west south east north]` `near:` (a place of the archive) with
         *     `within:10km`, `place:` `place_country:`, and the names of the v2 API (`is:reply`, `has:cashtags`, `has:geo`, …).
         *     Native retweets are left out unless the query asks for them (`include:nativeretweets`). What needs data that no source
         *     carries (`filter:follows`, `near:me`, …) is 400 by its name, and so is a name one edit away from an operator
         *     (`fron:`); in quotes it is searched as words. [`/docs/search`](/docs/search) has every operator with an example, and a
         *     box that shows how a query is read.
         *
         *     `Latest` answers newest first, `Top` by engagement (likes + 2 × retweets + 2 × quotes + replies).
         */
        get: operations["searchTweets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/community/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tweets recommended for a community
         * @description Tweets posted in the community, ranked by recency and engagement: the score of a tweet is its engagement
         *     (likes + 2 × retweets + 2 × quotes + replies, plus one) with a half-life of 24 hours.
         */
        get: operations["discoverCommunityTweets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/community/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Media tweets of a community
         * @description Tweets of the community that carry media, newest first.
         */
        get: operations["getCommunityMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/community/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Communities a user belongs to
         * @description The communities that the user is a member of, with the user's role in each, newest membership first.
         */
        get: operations["getUserCommunities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/space/detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Details of an audio room
         * @description One space: its state, its host and speakers, and how many people listen.
         */
        get: operations["getSpace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/tweet/unlike": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a like from a tweet
         * @description Removes the like that the account this service acts for has on the tweet. `success` is `true` when a like was removed
         *     (`like_count` then falls by one) and `false` when there was none. The change is durable before the answer. A body that
         *     gives a member more than once is refused.
         */
        post: operations["unlikeTweet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
};
export type webhooks = Record<string, never>;
export type components = {
    schemas: {
        /** @description The body of every error. */
        Error: {
            /** @description What was wrong and what to do. */
            error: string;
        };
        /** @description A decimal id of up to 19 digits, as a string. */
        Id: string;
        /**
         * Format: date-time
         * @description RFC 3339, UTC, with milliseconds.
         * @example 2026-03-04T05:06:07.000Z
         */
        Timestamp: string;
        /**
         * Format: int64
         * @description A number of things; 0 where the source did not give it.
         */
        Count: number;
        /** @description Who wrote a tweet (full form). A user without a profile has an `id`, and the names that mentions tell. */
        Author: {
            id: components["schemas"]["Id"];
            /** @description Display name; the username, or empty, where it is unknown. */
            name: string;
            /** @description Handle, without `@`; empty where it is unknown. */
            username: string;
            /** @description URL of the picture; empty where unknown. */
            profile_image: string;
            verified: boolean;
            followers_count: components["schemas"]["Count"];
        };
        /** @description Who wrote a tweet (short form). A user without a profile has an `id`, and the names that mentions tell. */
        AuthorShort: {
            id: components["schemas"]["Id"];
            /** @description Display name; the username, or empty, where it is unknown. */
            name: string;
            /** @description Handle, without `@`; empty where it is unknown. */
            username: string;
            /** @description URL of the picture; empty where unknown. */
            profile_image: string;
            followers_count: components["schemas"]["Count"];
        };
        /** @description A picture, video or animation of a tweet. */
        Media: {
            /** @enum {string} */
            type: "photo" | "video" | "animated_gif";
            /** @description URL of the picture, or of the preview picture. */
            url: string;
            /** @description URL of the media's page on the platform. */
            expanded_url?: string;
            /** @description URL of the best MP4; only for video and animated_gif. */
            video_url?: string;
        };
        /** @description The preview of a link. */
        Card: {
            url: string;
            title: string;
            description?: string;
            /** @description URL of the preview picture. */
            image?: string;
            domain: string;
        };
        /** @description A long-form article that the tweet publishes. */
        Article: {
            title: string;
            text: string;
        };
        /** @description A user named in the text. `name` and `id` are those that the archive has for the user now; each is absent where it is unknown. */
        Mention: {
            /** @description Handle, without `@`. */
            username: string;
            /** @description Display name; absent where unknown. */
            name?: string;
            id?: components["schemas"]["Id"];
        };
        /** @description A link in the text. */
        UrlEntity: {
            /** @description The link as it stands in the text. */
            url: string;
            /** @description The link as it is shown to readers. */
            display_url: string;
        };
        /** @description What the text names; each list in the order of the text. */
        Entities: {
            mentions: components["schemas"]["Mention"][];
            /** @description Without `#`. */
            hashtags: string[];
            /** @description Without `$`. */
            cashtags: string[];
            urls: components["schemas"]["UrlEntity"][];
        };
        /** @description A tweet, full form. */
        Tweet: {
            id: components["schemas"]["Id"];
            text: string;
            created_at: components["schemas"]["Timestamp"];
            author: components["schemas"]["Author"];
            retweet_count: components["schemas"]["Count"];
            reply_count: components["schemas"]["Count"];
            like_count: components["schemas"]["Count"];
            quote_count: components["schemas"]["Count"];
            bookmark_count: components["schemas"]["Count"];
            view_count: components["schemas"]["Count"];
            media: components["schemas"]["Media"][];
            card?: components["schemas"]["Card"];
            article?: components["schemas"]["Article"];
            entities: components["schemas"]["Entities"];
            /** @description The tweet that this one quotes, one level deep (its own quoted_tweet and retweeted_tweet are null); null where there is none or it is not in the archive. */
            quoted_tweet: components["schemas"]["Tweet"] | null;
            /** @description The tweet that this one repeats, one level deep; null where this is no retweet or the original is not in the archive. */
            retweeted_tweet: components["schemas"]["Tweet"] | null;
        };
        /** @description A tweet, short form. */
        TweetShort: {
            id: components["schemas"]["Id"];
            text: string;
            created_at: components["schemas"]["Timestamp"];
            author: components["schemas"]["AuthorShort"];
            retweet_count: components["schemas"]["Count"];
            reply_count: components["schemas"]["Count"];
            like_count: components["schemas"]["Count"];
            quote_count: components["schemas"]["Count"];
            bookmark_count: components["schemas"]["Count"];
            view_count: components["schemas"]["Count"];
        };
        /** @description A user. One without a profile has an `id`, the names that mentions tell, and else empty, 0 or false members. */
        User: {
            id: components["schemas"]["Id"];
            /** @description Display name; the username, or empty, where it is unknown. */
            name: string;
            /** @description Handle, without `@`; empty where it is unknown. */
            username: string;
            description: string;
            location: string;
            /** @description When the account was made; absent where unknown. */
            created_at?: components["schemas"]["Timestamp"];
            followers_count: components["schemas"]["Count"];
            following_count: components["schemas"]["Count"];
            tweet_count: components["schemas"]["Count"];
            like_count: components["schemas"]["Count"];
            media_count: components["schemas"]["Count"];
            verified: boolean;
            /** @description Verified by subscription. */
            is_blue_verified: boolean;
            /** @description URL of the picture; empty where unknown. */
            profile_image: string;
            /** @description URL of the banner; empty where there is none. */
            profile_banner: string;
            pinned_tweet_ids: components["schemas"]["Id"][];
        };
        /** @description A community, with the user's role in it. */
        Community: {
            id: components["schemas"]["Id"];
            name: string;
            description: string;
            member_count: components["schemas"]["Count"];
            moderator_count: components["schemas"]["Count"];
            /** @enum {string} */
            role: "member" | "moderator" | "admin";
            /** @enum {string} */
            join_policy: "open" | "restricted" | "closed";
        };
        /** @description An audio room. */
        Space: {
            id: string;
            title: string;
            /** @enum {string} */
            state: "scheduled" | "live" | "ended";
            host: components["schemas"]["Author"];
            speakers: components["schemas"]["Author"][];
            participant_count: components["schemas"]["Count"];
            subscriber_count: components["schemas"]["Count"];
            /** @description BCP 47 language tag; `und` where unknown. */
            lang: string;
            is_ticketed: boolean;
            created_at: components["schemas"]["Timestamp"];
            /** Format: date-time */
            scheduled_start: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        /**
         * @description The on-chain token that a cashtag, or the address of a contract, stands for. It is the base token of the best trading pair
         *     that the aggregator (DexScreener) has, and every figure is of that pair, the one at `aggregator_url`.
         *
         *     - Only pairs whose base token has exactly that symbol (in any case, with or without `$`), or that address, come into question,
         *       on the chain that was asked for. An address is worth more than a symbol: with an address the symbol does not matter.
         *       Hexadecimal addresses (`0x…`) have no case, all others do.
         *     - The best pair has the greatest depth: its liquidity, but no more than ten times its volume of 24 hours, because either alone is
         *       cheap to fake. Between equal ones the liquidity decides, then the volume. A pair without a price is left out.
         *
         *     A symbol can be taken by anybody, so read `confidence` too. Figures are up to 2 minutes old.
         */
        ResolvedToken: {
            /** @description As the token itself writes it, which may be with `$`. */
            symbol: string;
            /** @description The address of the token's contract. */
            address: string;
            /** @description Chain id of the aggregator. */
            chain: string;
            name: string;
            /** @description Decimal number as text, so that no digit is lost. */
            price_usd: string;
            /** @description US dollars in the pair's pool; 0 where the aggregator does not tell. */
            liquidity_usd: number;
            /** @description US dollars; 0 where the aggregator does not tell. */
            volume_24h: number;
            /** @description US dollars; the fully diluted valuation where the market capitalisation is not told, 0 where neither is. */
            market_cap: number;
            /** @description The page of the best pair. */
            aggregator_url: string;
            /**
             * @description How sure it is that this token is the one meant.
             *     By symbol: `high` where the best pair has a depth of at least 50,000 US dollars and ten times that of any other token of the
             *     same symbol; `medium` where it has at least 5,000 and twice that of any other; else `low`.
             *     By address: `high`, or `medium` where the same address is a token on several of the chains that were asked for.
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /** @description The pages of the token's pairs, best first, 5 at most, each once. */
            sources: string[];
        };
        /** @description Send it back as `cursor` for the next page; null on the last page. */
        NextCursor: string | null;
        /** @description A page of tweets in full form. */
        TweetPage: {
            tweets: components["schemas"]["Tweet"][];
            next_cursor: components["schemas"]["NextCursor"];
            has_next_page: boolean;
        };
        /** @description A page of a user's tweets. */
        LastTweetsPage: {
            tweets: components["schemas"]["Tweet"][];
            next_cursor: components["schemas"]["NextCursor"];
            has_next_page: boolean;
            /** @description Only when `resolve_cashtags` was asked for; each token once. */
            resolved_tokens?: components["schemas"]["ResolvedToken"][];
        };
        /** @description A page of replies in full form. */
        RepliesPage: {
            replies: components["schemas"]["Tweet"][];
            next_cursor: components["schemas"]["NextCursor"];
            has_next_page: boolean;
        };
        /** @description A page of tweets in short form. */
        TweetShortPage: {
            tweets: components["schemas"]["TweetShort"][];
            next_cursor: components["schemas"]["NextCursor"];
            has_next_page: boolean;
        };
        /** @description A page of users who retweeted. */
        RetweetersPage: {
            retweeters: components["schemas"]["User"][];
            next_cursor: components["schemas"]["NextCursor"];
            has_next_page: boolean;
        };
        /** @description A page of followed users. */
        FollowingPage: {
            following: components["schemas"]["User"][];
            next_cursor: components["schemas"]["NextCursor"];
            has_next_page: boolean;
        };
        /** @description A page of a user's communities. */
        CommunitiesPage: {
            communities: components["schemas"]["Community"][];
            next_cursor: components["schemas"]["NextCursor"];
            has_next_page: boolean;
        };
        /** @description The tweet whose like is to be removed. */
        UnlikeRequest: {
            tweet_id: components["schemas"]["Id"];
        };
        /** @description Whether a like was removed. */
        UnlikeResult: {
            /** @description `false` where there was no like. */
            success: boolean;
        };
        /** @description A source that the answer rests on. */
        Citation: {
            url: string;
            title: string | null;
            domain: string;
            snippet: string | null;
        };
        /** @description Only with `extract`: what the post says about a token; null where it does not say. */
        Extracted: {
            ticker: string | null;
            name: string | null;
            contract: string | null;
            chain: string | null;
        };
        /** @description A token resolved on-chain. */
        Token: {
            address: string;
            chain: string;
            /** @description US dollars. */
            liquidity: number;
            /** @description US dollars. */
            market_cap: number;
        };
        /** @description The analysis of a tweet. */
        AssistantAnswer: {
            tweet_id: components["schemas"]["Id"];
            /** @description The answer, without reasoning and tool-usage chunks. */
            summary: string;
            /** @description The sources used, each once. */
            citations: components["schemas"]["Citation"][];
            /** @description The model that answered. */
            model: string;
            /** @description Send it back for a follow-up turn. */
            conversation_id: string;
            /** @description Only with `suggest`: `$TICKER` symbols. */
            tickers?: string[];
            extracted?: components["schemas"]["Extracted"];
            /** @description Only with `extract`; null where the token was not found on-chain. */
            token?: components["schemas"]["Token"] | null;
        };
        /** @description The accounts of the assistant pool by state. */
        PoolStatus: {
            /**
             * Format: int64
             * @description `available` + `cooling`.
             */
            capable: number;
            /**
             * Format: int64
             * @description Can answer now: it has a question left and does not rest.
             */
            available: number;
            /**
             * Format: int64
             * @description Out of questions, resting after errors or because upstream asked for it, or on trial after such a rest.
             */
            cooling: number;
            /**
             * Format: int64
             * @description Not yet known whether it can answer.
             */
            untested: number;
            /**
             * Format: int64
             * @description Refused by the provider.
             */
            incapable: number;
            capacity: components["schemas"]["PoolCapacity"];
        };
        /** @description Questions that the pool can answer. */
        PoolCapacity: {
            /**
             * Format: int64
             * @description Accounts that can answer.
             */
            capable: number;
            /**
             * Format: int64
             * @description Accounts available now.
             */
            usable_now: number;
            /**
             * Format: int64
             * @description Questions in 24 hours: `capable` × the quota of an account, 20 unless the operator chose otherwise.
             */
            daily_capacity: number;
            /**
             * Format: int64
             * @description Questions left in the rolling 24 hours, those of cooling accounts included.
             */
            remaining_now: number;
            /**
             * Format: int64
             * @description Questions spent in the rolling 24 hours.
             */
            used_24h: number;
        };
        /**
         * @description What a WebSocket subscription listens to.
         * @enum {string}
         */
        WsChannel: "search:tweets" | "user:tweets" | "user:mentions" | "tweet:replies" | "tweet:engagement" | "community:tweets" | "community:members" | "assistant:pool";
        /** @description Parameters of a channel, named as in REST: `query` (search:tweets), `username` or `user_id` (user:tweets), `username` (user:mentions, community:members), `tweet_id` (tweet:replies, tweet:engagement), `id` (community:tweets). As in REST, a user is known whom any record names, also one who is only mentioned; any other is `not_found`. */
        WsParams: {
            query?: string;
            username?: string;
            user_id?: components["schemas"]["Id"];
            tweet_id?: components["schemas"]["Id"];
            id?: components["schemas"]["Id"];
        };
        /**
         * @description What happened.
         * @enum {string}
         */
        WsEventName: "tweet.created" | "tweet.updated" | "tweet.deleted" | "tweet.unliked" | "tweet.engagement" | "community.joined" | "community.left" | "pool.status";
        /** @description Parameters of GET /social/tweet/assistant. */
        WsAskParams: {
            tweet_id?: components["schemas"]["Id"];
            conversation_id?: string;
            prompt?: string;
            model?: string;
            suggest?: string;
            /** @enum {string} */
            extract?: "token";
        };
        /** @description Begins a subscription. */
        WsSubscribe: {
            /** @constant */
            type: "subscribe";
            /** @description Names the command; echoed in its answer. */
            id: string;
            channel: components["schemas"]["WsChannel"];
            params: components["schemas"]["WsParams"];
            /** @description Replays every event after this one first. */
            cursor?: string;
            /**
             * @description What to do when the cursor is older than the log keeps.
             * @enum {string}
             */
            on_gap?: "error" | "continue";
            tag?: string;
            /** @description Only checks the parameters. */
            dry_run?: boolean;
        };
        /** @description Ends a subscription. */
        WsUnsubscribe: {
            /** @constant */
            type: "unsubscribe";
            /** @description Names the command; echoed in its answer. */
            id: string;
            /** @description Names the subscription. */
            sub: string;
        };
        /** @description Asks for the subscriptions of this connection. */
        WsListSubscriptions: {
            /** @constant */
            type: "subscriptions";
            /** @description Names the command; echoed in its answer. */
            id: string;
        };
        /** @description Asks the assistant; the answer is streamed. */
        WsAsk: {
            /** @constant */
            type: "ask";
            /** @description Names the command; echoed in its answer. */
            id: string;
            params: components["schemas"]["WsAskParams"];
            idempotency_key?: string;
        };
        /** @description Stops an answer that is being streamed. */
        WsCancel: {
            /** @constant */
            type: "cancel";
            /** @description Names the command; echoed in its answer. */
            id: string;
        };
        /** @description Asks for a pong. */
        WsPing: {
            /** @constant */
            type: "ping";
            /** @description Names the command; echoed in its answer. */
            id?: string;
        };
        /** @description Any message that a client sends over /ws. */
        WsClientMessage: components["schemas"]["WsSubscribe"] | components["schemas"]["WsUnsubscribe"] | components["schemas"]["WsListSubscriptions"] | components["schemas"]["WsAsk"] | components["schemas"]["WsCancel"] | components["schemas"]["WsPing"];
        /** @description The limits of the connection. */
        WsLimits: {
            /** Format: int64 */
            subscriptions: number;
            /** Format: int64 */
            connections: number;
            /** Format: int64 */
            commands_per_minute: number;
            /** Format: int64 */
            message_bytes: number;
            /** Format: int64 */
            query_chars: number;
        };
        /** @description The first message of the server. */
        WsConnected: {
            /** @constant */
            type: "connected";
            /**
             * Format: int32
             * @constant
             */
            protocol: 1;
            connection_id: string;
            timestamp: components["schemas"]["Timestamp"];
            /** @description Position in the event log: `<epoch>.<seq>`. */
            cursor: string;
            /** Format: int64 */
            heartbeat_interval_ms: number;
            /** Format: int64 */
            replay_window_s: number;
            limits: components["schemas"]["WsLimits"];
        };
        /** @description A subscription has begun. */
        WsSubscribed: {
            /** @constant */
            type: "subscribed";
            /** @description Names the command; echoed in its answer. */
            id: string;
            /** @description Names the subscription; null where `dry_run` made none. */
            sub: string | null;
            channel: components["schemas"]["WsChannel"];
            params: components["schemas"]["WsParams"];
            /** @description Position in the event log: `<epoch>.<seq>`. */
            cursor: string;
            /** @description Whether everything after the given cursor is replayed; null without a cursor, and on channels that tell only how things are now. */
            recovered: boolean | null;
            /** @description The cursor after which the replay begins; null where there is none. */
            replay_from?: string | null;
            tag?: string;
        };
        /** @description A subscription has ended. */
        WsUnsubscribed: {
            /** @constant */
            type: "unsubscribed";
            /** @description Names the command; echoed in its answer. */
            id?: string;
            /** @description Names the subscription. */
            sub: string;
            reason?: string;
        };
        /** @description One subscription of the connection. */
        WsSubscription: {
            /** @description Names the subscription. */
            sub: string;
            channel: components["schemas"]["WsChannel"];
            params: components["schemas"]["WsParams"];
            /** @description Position in the event log: `<epoch>.<seq>`. */
            cursor: string;
            tag?: string;
        };
        /** @description The subscriptions of the connection. */
        WsSubscriptions: {
            /** @constant */
            type: "subscriptions";
            /** @description Names the command; echoed in its answer. */
            id: string;
            items: components["schemas"]["WsSubscription"][];
        };
        /** @description The counts of a tweet. */
        WsEngagement: {
            tweet_id: components["schemas"]["Id"];
            retweet_count: components["schemas"]["Count"];
            reply_count: components["schemas"]["Count"];
            like_count: components["schemas"]["Count"];
            quote_count: components["schemas"]["Count"];
            bookmark_count: components["schemas"]["Count"];
            view_count: components["schemas"]["Count"];
        };
        /** @description Names a tweet that is gone. */
        WsDeleted: {
            id: components["schemas"]["Id"];
        };
        /** @description Something happened; sent once per connection with all its matching subscriptions. */
        WsEvent: {
            /** @constant */
            type: "event";
            subs: string[];
            channel: components["schemas"]["WsChannel"];
            event: components["schemas"]["WsEventName"];
            /**
             * Format: int64
             * @description The number in `cursor`; it grows from event to event of a subscription.
             */
            seq: number;
            /** @description Position in the event log: `<epoch>.<seq>`. */
            cursor: string;
            /** @description The same in a replay and on every connection: removes repeats. */
            event_id: string;
            /** @description The same schema as the REST list of the same things. */
            data: components["schemas"]["Tweet"] | components["schemas"]["TweetShort"] | components["schemas"]["WsEngagement"] | components["schemas"]["WsDeleted"] | components["schemas"]["Community"] | components["schemas"]["PoolStatus"];
            timestamp: components["schemas"]["Timestamp"];
            replay?: boolean;
        };
        /** @description The replay is over; what follows is live. */
        WsCaughtUp: {
            /** @constant */
            type: "caught_up";
            /** @description Names the subscription. */
            sub: string;
            /** @description Position in the event log: `<epoch>.<seq>`. */
            cursor: string;
        };
        /** @description Events between two cursors are no longer kept. */
        WsGap: {
            /** @constant */
            type: "gap";
            /** @description Names the subscription. */
            sub: string;
            /** @description Position in the event log: `<epoch>.<seq>`. */
            from: string;
            /** @description Position in the event log: `<epoch>.<seq>`. */
            to: string;
            /**
             * @description Too old for the log (`retention`), or of another log (`epoch`).
             * @enum {string}
             */
            reason: "retention" | "epoch";
            /** @description The REST path that answers what is missing. */
            hint: string;
        };
        /** @description Sent when nothing else was; everything up to the cursor was served. */
        WsHeartbeat: {
            /** @constant */
            type: "heartbeat";
            /** @description Position in the event log: `<epoch>.<seq>`. */
            cursor: string;
            timestamp: components["schemas"]["Timestamp"];
        };
        /** @description This connection falls behind. */
        WsLagging: {
            /** @constant */
            type: "lagging";
            /** Format: int64 */
            behind: number;
            /** @description Position in the event log: `<epoch>.<seq>`. */
            oldest_cursor: string;
        };
        /** @description The server stops; connect again after the given time. */
        WsGoingAway: {
            /** @constant */
            type: "going_away";
            /** Format: int64 */
            reconnect_after_ms: number;
            reason: string;
        };
        /** @description A piece of an assistant answer. */
        WsAnswer: {
            /** @constant */
            type: "answer";
            /** @description Names the command; echoed in its answer. */
            id: string;
            /** Format: int64 */
            n: number;
            delta: string;
        };
        /** @description The whole assistant answer. */
        WsAnswered: {
            /** @constant */
            type: "answered";
            /** @description Names the command; echoed in its answer. */
            id: string;
            result: components["schemas"]["AssistantAnswer"];
        };
        /** @description An answer was stopped. */
        WsCancelled: {
            /** @constant */
            type: "cancelled";
            /** @description Names the command; echoed in its answer. */
            id: string;
        };
        /** @description Answers a ping. */
        WsPong: {
            /** @constant */
            type: "pong";
            /** @description Names the command; echoed in its answer. */
            id?: string;
            timestamp: components["schemas"]["Timestamp"];
        };
        /** @description A command could not be carried out; the connection stays open. */
        WsError: {
            /** @constant */
            type: "error";
            error: string;
            /**
             * Format: int32
             * @description The HTTP status of the same fault.
             */
            status: number;
            /** @enum {string} */
            code: "bad_message" | "unknown_channel" | "bad_params" | "bad_query" | "too_many_subscriptions" | "too_many_requests" | "cursor_too_old" | "cursor_in_future" | "epoch_changed" | "duplicate_id" | "unknown_subscription" | "not_found" | "conversation_expired" | "no_account" | "upstream_failed" | "internal";
            /** @description Names the command; echoed in its answer. */
            id?: string;
            /** @description Names the subscription. */
            sub?: string;
            /** Format: int64 */
            retry_after_s?: number;
            /** Format: int64 */
            position?: number;
            /** @description Position in the event log: `<epoch>.<seq>`. */
            oldest_cursor?: string;
        };
        /** @description Any message that the server sends over /ws. */
        WsServerMessage: components["schemas"]["WsConnected"] | components["schemas"]["WsSubscribed"] | components["schemas"]["WsUnsubscribed"] | components["schemas"]["WsSubscriptions"] | components["schemas"]["WsEvent"] | components["schemas"]["WsCaughtUp"] | components["schemas"]["WsGap"] | components["schemas"]["WsHeartbeat"] | components["schemas"]["WsLagging"] | components["schemas"]["WsGoingAway"] | components["schemas"]["WsAnswer"] | components["schemas"]["WsAnswered"] | components["schemas"]["WsCancelled"] | components["schemas"]["WsPong"] | components["schemas"]["WsError"];
    };
    responses: {
        /** @description Nothing has changed since the version that `If-None-Match` names. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A parameter is missing, unknown, malformed or given twice; the text says which and what was expected. */
        BadRequest: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key is missing, invalid, revoked or expired, or was sent in more than one way. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key is valid, but was not made for this; the text names the scope that it lacks. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The tweet, community, space or conversation does not exist here, or no record names the user. */
        NotFound: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path does not have this method; `Allow` lists those it has. */
        MethodNotAllowed: {
            headers: {
                Allow: components["headers"]["Allow"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The conversation has expired; begin a new one with `tweet_id`. */
        ConversationExpired: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is larger than 16 kB. */
        PayloadTooLarge: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is not `application/json` in UTF-8. */
        UnsupportedMediaType: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The rate limit of the key is used up, or too many calls of one conversation wait, or too many wrong keys came from the
         *     caller's address (then without `RateLimit`); wait `Retry-After` seconds.
         */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the server; the text tells nothing, the log tells all under the request id. */
        InternalError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The platform in use has no such thing. */
        NotImplemented: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A service that this one depends on failed. */
        BadGateway: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No pool account is free, or none is configured, or the server is overloaded or stopping; wait `Retry-After` seconds. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A service that this one depends on did not answer in time. */
        GatewayTimeout: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Handle of the user, case-insensitive; a leading `@` is tolerated. 404 where no record names the user.
         * @example mira_codes
         */
        username: string;
        /**
         * @description Handle of the user, case-insensitive; a leading `@` is tolerated. 404 where no record names the user.
         * @example mira_codes
         */
        username_required: string;
        /** @description Id of the user. 404 where no record names the user. */
        user_id: components["schemas"]["Id"];
        /**
         * @description Id of the tweet.
         * @example 1890000000000000001
         */
        tweet_id: components["schemas"]["Id"];
        /**
         * @description Id of the community.
         * @example 1700000000000000001
         */
        id: components["schemas"]["Id"];
        /**
         * @description Id of the space.
         * @example 1vSampleSpace1
         */
        space_id: string;
        /** @description The `next_cursor` of the page before; leave it out for the first page. */
        cursor: string;
        /** @description How many items the page holds at most. */
        limit: number;
        /** @description `1` also answers the tweets that are replies. */
        include_replies: "0" | "1";
        /**
         * @description `1` resolves the cashtags of the returned tweets on all chains; a chain id of the aggregator (`solana`, `ethereum`, `base`,
         *     `bsc`, …) on that chain only. `true` and `false` are refused, and not taken for chains.
         * @example 1
         */
        resolve_cashtags: string;
        /**
         * @description Only tweets created at or after this time, in Unix seconds.
         * @example 1771000000
         */
        since_time: number;
        /** @description Only tweets created before this time, in Unix seconds. */
        until_time: number;
        /**
         * @description The search query, in the platform's advanced search operator syntax.
         * @example coffee OR espresso lang:en
         */
        query: string;
        /** @description `Latest` answers newest first, `Top` by engagement. */
        query_type: "Latest" | "Top";
        /**
         * @description The tweet to analyse; required unless `conversation_id` is given.
         * @example 1890000000000000001
         */
        assistant_tweet_id: components["schemas"]["Id"];
        /** @description Continues the conversation of an earlier call; requires `prompt`. */
        conversation_id: string;
        /** @description A question of your own; optional on the first turn, required together with `conversation_id`. */
        prompt: string;
        /** @description The assistant model. */
        model: string;
        /** @description `ticker`, or an instruction of your own: summarise and also propose or extract meme-coin tickers in the same call. */
        suggest: string;
        /** @description `token`: extracts the token in two turns and resolves it on-chain, in the same call. */
        extract: "token";
    };
    requestBodies: never;
    headers: {
        /**
         * @description Names this version of the answer; send it back in `If-None-Match`.
         * @example W/"1f4-q3c1m2l0bVQ"
         */
        ETag: string;
        /**
         * @description A place in the event stream, from before this answer was read. Who subscribes on `/ws` with this `cursor` gets whatever
         *     happened since: nothing falls between the answer and the stream; what both have is known by its id.
         * @example kX3v_9Qa.1042
         */
        "X-Event-Cursor": string;
        /**
         * @description What is left now (IETF draft RateLimit fields); `r` requests remain, full again in `t` seconds. Absent where the key has no limit.
         * @example "default";r=5999;t=1
         */
        RateLimit: string;
        /**
         * @description The limit (IETF draft RateLimit fields); `q` requests in `w` seconds. Absent where the key has no limit.
         * @example "default";q=6000;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Seconds to wait before the next try.
         * @example 30
         */
        "Retry-After": number;
        /**
         * @description The methods that the path has.
         * @example GET, HEAD
         */
        Allow: string;
        /**
         * @description How a key can be given (RFC 9110 §11.6.1), and which rule was broken (RFC 6750 §3), in `error` and `error_description`:
         *
         *     - no `error`: the request has no key;
         *     - `invalid_request`: a key was sent in more than one place, or more than once; the description names the places;
         *     - `invalid_token`: the key is unknown, revoked or expired; which of these is never told;
         *     - `insufficient_scope` (403): the key lacks the scope that `scope` names.
         * @example Bearer realm="social-data", error="invalid_token", error_description="the API key is unknown, revoked or expired"
         */
        "WWW-Authenticate": string;
        /**
         * @description Names this request in the server's log; quote it when you report a problem.
         * @example 01JB2K6Y3QJ8M5V7W9X0Z1A2B3
         */
        "X-Request-Id": string;
    };
    pathItems: never;
};
export type $defs = Record<string, never>;
export interface operations {
    explainTweet: {
        parameters: {
            query?: {
                /**
                 * @description The tweet to analyse; required unless `conversation_id` is given.
                 * @example 1890000000000000001
                 */
                tweet_id?: components["parameters"]["assistant_tweet_id"];
                /** @description Continues the conversation of an earlier call; requires `prompt`. */
                conversation_id?: components["parameters"]["conversation_id"];
                /** @description A question of your own; optional on the first turn, required together with `conversation_id`. */
                prompt?: components["parameters"]["prompt"];
                /** @description The assistant model. */
                model?: components["parameters"]["model"];
                /** @description `ticker`, or an instruction of your own: summarise and also propose or extract meme-coin tickers in the same call. */
                suggest?: components["parameters"]["suggest"];
                /** @description `token`: extracts the token in two turns and resolves it on-chain, in the same call. */
                extract?: components["parameters"]["extract"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The analysis. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssistantAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ConversationExpired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getAssistantStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pool now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolStatus"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUserLastTweets: {
        parameters: {
            query?: {
                /**
                 * @description Handle of the user, case-insensitive; a leading `@` is tolerated. 404 where no record names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description Id of the user. 404 where no record names the user. */
                user_id?: components["parameters"]["user_id"];
                /** @description `1` also answers the tweets that are replies. */
                include_replies?: components["parameters"]["include_replies"];
                /**
                 * @description `1` resolves the cashtags of the returned tweets on all chains; a chain id of the aggregator (`solana`, `ethereum`, `base`,
                 *     `bsc`, …) on that chain only. `true` and `false` are refused, and not taken for chains.
                 * @example 1
                 */
                resolve_cashtags?: components["parameters"]["resolve_cashtags"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tweets. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastTweetsPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUserHighlights: {
        parameters: {
            query?: {
                /**
                 * @description Handle of the user, case-insensitive; a leading `@` is tolerated. 404 where no record names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description Id of the user. 404 where no record names the user. */
                user_id?: components["parameters"]["user_id"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tweets. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TweetPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUserFollowings: {
        parameters: {
            query?: {
                /**
                 * @description Handle of the user, case-insensitive; a leading `@` is tolerated. 404 where no record names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description Id of the user. 404 where no record names the user. */
                user_id?: components["parameters"]["user_id"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowingPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUserMentions: {
        parameters: {
            query?: {
                /**
                 * @description Handle of the user, case-insensitive; a leading `@` is tolerated. 404 where no record names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description Id of the user. 404 where no record names the user. */
                user_id?: components["parameters"]["user_id"];
                /**
                 * @description Only tweets created at or after this time, in Unix seconds.
                 * @example 1771000000
                 */
                since_time?: components["parameters"]["since_time"];
                /** @description Only tweets created before this time, in Unix seconds. */
                until_time?: components["parameters"]["until_time"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tweets. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TweetShortPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTweetReplies: {
        parameters: {
            query: {
                /**
                 * @description Id of the tweet.
                 * @example 1890000000000000001
                 */
                tweet_id: components["parameters"]["tweet_id"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of replies. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepliesPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTweetRetweeters: {
        parameters: {
            query: {
                /**
                 * @description Id of the tweet.
                 * @example 1890000000000000001
                 */
                tweet_id: components["parameters"]["tweet_id"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetweetersPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    searchTweets: {
        parameters: {
            query: {
                /**
                 * @description The search query, in the platform's advanced search operator syntax.
                 * @example coffee OR espresso lang:en
                 */
                query: components["parameters"]["query"];
                /** @description `Latest` answers newest first, `Top` by engagement. */
                query_type?: components["parameters"]["query_type"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tweets. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TweetShortPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    discoverCommunityTweets: {
        parameters: {
            query: {
                /**
                 * @description Id of the community.
                 * @example 1700000000000000001
                 */
                id: components["parameters"]["id"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tweets. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TweetShortPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getCommunityMedia: {
        parameters: {
            query: {
                /**
                 * @description Id of the community.
                 * @example 1700000000000000001
                 */
                id: components["parameters"]["id"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tweets. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TweetShortPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUserCommunities: {
        parameters: {
            query: {
                /**
                 * @description Handle of the user, case-insensitive; a leading `@` is tolerated. 404 where no record names the user.
                 * @example mira_codes
                 */
                username: components["parameters"]["username_required"];
                /** @description The `next_cursor` of the page before; leave it out for the first page. */
                cursor?: components["parameters"]["cursor"];
                /** @description How many items the page holds at most. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of communities. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommunitiesPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getSpace: {
        parameters: {
            query: {
                /**
                 * @description Id of the space.
                 * @example 1vSampleSpace1
                 */
                id: components["parameters"]["space_id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The space. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    unlikeTweet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnlikeRequest"];
            };
        };
        responses: {
            /** @description Whether a like was removed. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnlikeResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
}
