// Written by `npm run generate` from spec/. Do not edit.
/** @description The body of every error. */
export interface Error {
    /** @description What is wrong and what to send instead. */
    error: string;
}
/** @description A decimal id of up to 19 digits. It is a string because JSON numbers are not exact at this size. */
export type Id = string;
/**
 * @description A decimal id of up to 19 digits, or the address of a post. On Bluesky: an at-uri
 *     (`at://alice.example.com/app.bsky.feed.post/3l6oveex3ii2l`, or with a DID) or a web address
 *     (`https://bsky.app/profile/alice.example.com/post/3l6oveex3ii2l`). On X: a web address
 *     (`https://x.com/mira_codes/status/1890000000000000001`, also of `twitter.com`, with `/i/web/status/`, or with parameters behind
 *     the id). Responses have the id.
 */
export type TweetReference = string;
/**
 * @description A username, case-insensitive, with or without `@`: 1–15 letters, digits or `_`, or a handle of Bluesky, which is a domain name
 *     of at least two labels and at most 253 characters.
 */
export type UsernameOrHandle = string;
/** @description A decimal id, or null. */
export type IdOrNull = string | null;
/**
 * Format: date-time
 * @description RFC 3339, UTC, with milliseconds.
 * @example 2026-03-04T05:06:07.000Z
 */
export type Timestamp = string;
/**
 * Format: int64
 * @description A count; 0 if unknown.
 */
export type Count = number;
/** @description The author of a tweet (full form). See `User` for a user without a profile. */
export interface Author {
    id: Id;
    /** @description Display name. If unknown: the username, or empty. */
    name: string;
    /** @description Username without `@`; empty if unknown. */
    username: string;
    /** @description URL of the picture; empty if unknown. */
    profile_image: string;
    verified: boolean;
    followers_count: Count;
}
/** @description The author of a tweet (short form). See `User` for a user without a profile. */
export interface AuthorShort {
    id: Id;
    /** @description Display name. If unknown: the username, or empty. */
    name: string;
    /** @description Username without `@`; empty if unknown. */
    username: string;
    /** @description URL of the picture; empty if unknown. */
    profile_image: string;
    followers_count: Count;
}
/** @description A photo, video or animated GIF of a tweet. */
export interface Media {
    /** @enum {string} */
    type: "photo" | "video" | "animated_gif";
    /**
     * @description URL of the photo, or of the preview picture of a video. Of a file that an import has brought, it is a path such as
     *     `/media/10-0123456789abcdef0123456789abcdef.jpg`, relative to the address of this service; no key is needed there.
     */
    url: string;
    /** @description URL of the media page on the platform. */
    expanded_url?: string;
    /** @description URL of the MP4 with the highest bit rate, or a path as in `url`; only for video and animated_gif. */
    video_url?: string;
    /**
     * @description What the photo or video shows, in the words of its author, for people who do not see it; absent if the author wrote nothing.
     *     As any text of a user, it may contain markup and line breaks: show it as plain text.
     */
    alt_text?: string;
}
/** @description The preview of a link. */
export interface Card {
    url: string;
    title: string;
    description?: string;
    /** @description URL of the preview picture. */
    image?: string;
    domain: string;
}
/** @description A long-form article that the tweet publishes. */
export interface Article {
    title: string;
    text: string;
}
/**
 * @description A user that the text mentions. `username` is the one in the text, also after a change of the username. `name` and `id` are the
 *     current values of the archive; each is absent if unknown.
 */
export interface Mention {
    /** @description Username without `@`. */
    username: string;
    /** @description Display name; absent if unknown. */
    name?: string;
    id?: Id;
}
/** @description A link in the text. */
export interface UrlEntity {
    /** @description The URL in the text. */
    url: string;
    /** @description The short form to display, as the source states it. The author can choose it: where it begins with another host than `url`, show the host of `url` too. */
    display_url: string;
}
/** @description The entities of the text, in the order of the text. */
export interface Entities {
    mentions: Mention[];
    /** @description Without `#`. */
    hashtags: string[];
    /** @description Without `$`. */
    cashtags: string[];
    urls: UrlEntity[];
}
/** @description A tweet, full form. */
export interface Tweet {
    id: Id;
    text: string;
    created_at: Timestamp;
    author: Author;
    retweet_count: Count;
    reply_count: Count;
    like_count: Count;
    quote_count: Count;
    bookmark_count: Count;
    view_count: Count;
    media: Media[];
    card?: Card;
    article?: Article;
    entities: Entities;
    /**
     * @description The quoted tweet, one level deep: its own `quoted_tweet` and `retweeted_tweet` are null. Null if this tweet quotes none,
     *     or the archive does not contain it.
     */
    quoted_tweet: Tweet | null;
    /** @description The retweeted tweet, one level deep. Null if this is no retweet, or the archive does not contain the original. */
    retweeted_tweet: Tweet | null;
}
/** @description A tweet, short form. */
export interface TweetShort {
    id: Id;
    text: string;
    created_at: Timestamp;
    author: AuthorShort;
    retweet_count: Count;
    reply_count: Count;
    like_count: Count;
    quote_count: Count;
    bookmark_count: Count;
    view_count: Count;
}
/**
 * @description A user. A user exists if the archive has the profile, or if any record refers to the user: by id (an author, follower,
 *     followed account, retweeter, member, host or speaker) or by username (a mention or a reply). All operations, all channels
 *     of the event stream and `from:` in a search use this rule. Lists of an existing user can be empty, but are never 404.
 *
 *     A user without a profile has the `username` and `name` of the newest mention with the user's id. Other members are empty,
 *     0 or false.
 */
export interface User {
    id: Id;
    /** @description Display name. If unknown: the username, or empty. */
    name: string;
    /** @description Username without `@`; empty if unknown. */
    username: string;
    description: string;
    location: string;
    /** @description When the account was created; absent if unknown. */
    created_at?: Timestamp;
    followers_count: Count;
    following_count: Count;
    tweet_count: Count;
    like_count: Count;
    media_count: Count;
    verified: boolean;
    /** @description Verified by subscription. */
    is_blue_verified: boolean;
    /** @description URL of the picture; empty if unknown. */
    profile_image: string;
    /** @description URL of the banner; empty if there is none. */
    profile_banner: string;
    pinned_tweet_ids: Id[];
}
/** @description The number of tweets within a time. */
export interface TweetCount {
    start: Timestamp;
    end: Timestamp;
    tweet_count: Count;
}
/** @description Numbers of tweets, oldest first. */
export interface TweetCounts {
    /** @description Each hour or day of the range, from `start` inclusive to `end` exclusive. Empty for `all`. */
    counts: TweetCount[];
    total: Count;
    /**
     * @description Whether `total` is exact, or there are more (`at_least`).
     * @enum {string}
     */
    total_relation: "exact" | "at_least";
}
/** @description A community. */
export interface CommunityDetails {
    id: Id;
    name: string;
    description: string;
    member_count: Count;
    moderator_count: Count;
    /** @enum {string} */
    join_policy: "open" | "restricted" | "closed";
}
/** @description A community, and which of its counts are unknown. */
export interface CommunityInfo {
    community: CommunityDetails;
    /** @description The counts that the archive does not know. They are 0 in `community`. */
    unknown_counts: ("member_count" | "moderator_count")[];
}
/** @description A community, with the user's role in it. */
export interface Community {
    id: Id;
    name: string;
    description: string;
    member_count: Count;
    moderator_count: Count;
    /** @enum {string} */
    role: "member" | "moderator" | "admin";
    /** @enum {string} */
    join_policy: "open" | "restricted" | "closed";
}
/** @description An audio room. */
export interface Space {
    id: string;
    title: string;
    /** @enum {string} */
    state: "scheduled" | "live" | "ended";
    host: Author;
    speakers: Author[];
    participant_count: Count;
    subscriber_count: Count;
    /** @description BCP 47 language tag; `und` if unknown. */
    lang: string;
    is_ticketed: boolean;
    created_at: Timestamp;
    /** Format: date-time */
    scheduled_start: string | null;
    /** Format: date-time */
    started_at: string | null;
    /** Format: date-time */
    ended_at: string | null;
}
/**
 * @description The on-chain token of a cashtag or a contract address. It is the base token of the best trading pair of the aggregator
 *     (DexScreener). All figures belong to that pair, at `aggregator_url`.
 *
 *     - A pair matches if its base token has the symbol (in any case, with or without `$`) or the contract address, on the
 *       requested chain. If there is an address, the symbol is ignored. Hexadecimal addresses (`0x…`) are case-insensitive, all
 *       others are case-sensitive.
 *     - The best pair has the greatest depth: the lower of its liquidity and ten times its 24-hour volume, because either value
 *       alone is easy to fake. If depths are equal, the liquidity decides, then the volume. Pairs without a price are ignored.
 *
 *     Anyone can issue a token with the same symbol: check `confidence`. Figures are at most 2 minutes old.
 */
export interface ResolvedToken {
    /** @description The symbol as the token defines it; it can contain `$`. */
    symbol: string;
    /** @description The contract address. */
    address: string;
    /** @description Chain id of the aggregator. */
    chain: string;
    name: string;
    /** @description A decimal number as a string, for full precision. */
    price_usd: string;
    /** @description US dollars in the liquidity pool of the pair; 0 if unknown. */
    liquidity_usd: number;
    /** @description US dollars; 0 if unknown. */
    volume_24h: number;
    /** @description US dollars. The fully diluted valuation if the market capitalisation is unknown; 0 if both are unknown. */
    market_cap: number;
    /** @description The page of the best pair. */
    aggregator_url: string;
    /**
     * @description How likely it is that this is the intended token.
     *     By symbol: `high` if the best pair has a depth of at least 50,000 US dollars and ten times the depth of any other token
     *     with the same symbol; `medium` if it has at least 5,000 US dollars and twice that depth; otherwise `low`.
     *     By address: `high`, or `medium` if the address is a token on several of the requested chains.
     * @enum {string}
     */
    confidence: "high" | "medium" | "low";
    /** @description The pages of the token's pairs, best first, at most 5, without duplicates. */
    sources: string[];
}
/** @description Send it as `cursor` to get the next page. Null on the last page. */
export type NextCursor = string | null;
/** @description A page of tweets in full form. */
export interface TweetPage {
    tweets: Tweet[];
    next_cursor: NextCursor;
    has_next_page: boolean;
}
/** @description A page of a user's tweets. */
export interface LastTweetsPage {
    tweets: Tweet[];
    next_cursor: NextCursor;
    has_next_page: boolean;
    /** @description Only with `resolve_cashtags`; without duplicates. */
    resolved_tokens?: ResolvedToken[];
}
/** @description A user, and what the archive does not know. */
export interface UserInfo {
    user: User;
    /** @description The counts of `user` that are unknown, and therefore 0. */
    unknown_counts: ("followers_count" | "following_count" | "tweet_count" | "like_count" | "media_count")[];
}
/** @description A tweet, what it refers to, and what the archive does not know. */
export interface TweetInfo {
    tweet: Tweet;
    /** @description The counts of `tweet` that are unknown, and therefore 0. */
    unknown_counts: ("retweet_count" | "reply_count" | "like_count" | "quote_count" | "bookmark_count" | "view_count")[];
    /** @description The tweet that this one replies to; null if it is no reply. The archive need not contain it. */
    in_reply_to_id: IdOrNull;
    /** @description The author of the tweet that this one replies to, without `@`; null if unknown. */
    in_reply_to_username: string | null;
    /** @description The quoted tweet; null if it quotes none. If the archive does not contain it, `quoted_tweet` is null. */
    quoted_tweet_id: IdOrNull;
    /** @description The retweeted tweet; null if it is no retweet. If the archive does not contain it, `retweeted_tweet` is null. */
    retweeted_tweet_id: IdOrNull;
    /** @description The language code that the source states, the first one of several; null if it states none. */
    lang: string | null;
    /** @description Whether the service's own account likes the tweet. `/social/tweet/unlike` removes the like. */
    liked: boolean;
}
/** @description Tweets by their ids. */
export interface TweetBatch {
    /** @description The tweets that the archive has, in the order of the request. */
    tweets: Tweet[];
    /** @description The ids and addresses of the request, as sent, of which the archive has no tweet. */
    missing: string[];
}
/** @description Users by their ids or usernames. */
export interface UserBatch {
    /** @description The users that `/social/user/info` has, in the order of the request. */
    users: User[];
    /** @description The ids or usernames of the request, as sent, without such a user. */
    missing: string[];
}
/** @description A page of a thread. */
export interface TweetThread {
    /** @description The tweets above the requested one, oldest first: the nearest 100. Empty on all pages but the first. */
    ancestors: Tweet[];
    /**
     * @description The tweet that the first one of `ancestors` (or the requested tweet, if there are none) replies to; null if it is no reply.
     *     Where `ancestors` has 100 tweets, this id as `tweet_id` leads to those above. Otherwise the archive does not contain it.
     *     Null on all pages but the first.
     */
    missing_ancestor_id: IdOrNull;
    /** @description The requested tweet and the tweets with which its author continues it, in the order of the thread. */
    tweets: Tweet[];
    next_cursor: NextCursor;
    has_next_page: boolean;
}
/** @description A page of quotes in full form. */
export interface QuotesPage {
    quotes: Tweet[];
    next_cursor: NextCursor;
    has_next_page: boolean;
}
/** @description A page of replies in full form. */
export interface RepliesPage {
    replies: Tweet[];
    next_cursor: NextCursor;
    has_next_page: boolean;
}
/** @description A page of tweets in short form. */
export interface TweetShortPage {
    tweets: TweetShort[];
    next_cursor: NextCursor;
    has_next_page: boolean;
}
/** @description A page of users who retweeted. */
export interface RetweetersPage {
    retweeters: User[];
    next_cursor: NextCursor;
    has_next_page: boolean;
}
/**
 * @description The items of the page as CSV (RFC 4180) with a line of names. The members of an object are columns such as
 *     `author.username`, lists and other objects are JSON. A text that a spreadsheet would run as a formula has an apostrophe
 *     before it.
 */
export type CsvPage = string;
/** @description A page of followers. */
export interface FollowersPage {
    followers: User[];
    next_cursor: NextCursor;
    has_next_page: boolean;
}
/** @description A page of followed users. */
export interface FollowingPage {
    following: User[];
    next_cursor: NextCursor;
    has_next_page: boolean;
}
/** @description A page of a user's communities. */
export interface CommunitiesPage {
    communities: Community[];
    next_cursor: NextCursor;
    has_next_page: boolean;
}
export type SavedSearchId = string;
export type SavedSearchName = string;
/**
 * @description A query of the search language (/docs/search).
 * @example coffee OR espresso lang:en
 * @example from:mira_codes
 */
export type SavedSearchQuery = string;
/**
 * @description The address of the webhook; null: none.
 * @example https://hooks.example.com/social
 * @example null
 */
export type WebhookUrl = string | null;
/** @description The events that the webhook gets, beside `search.gap` and `search.test`. */
export type WebhookEvents = ("tweet.created" | "tweet.updated" | "tweet.deleted")[];
/** @description A search to save. */
export interface SavedSearchInput {
    name: SavedSearchName;
    query: SavedSearchQuery;
    url?: WebhookUrl;
    events?: WebhookEvents;
}
/** @description The members of a saved search to change. */
export interface SavedSearchChange {
    name?: SavedSearchName;
    query?: SavedSearchQuery;
    url?: WebhookUrl;
    events?: WebhookEvents;
}
/** @description The state of a webhook. */
export interface WebhookDelivery {
    /**
     * @description `retrying`: the last attempt has failed.
     * @enum {string}
     */
    state: "active" | "retrying" | "paused";
    /** @description Why the webhook is paused or retries; null while it is active. */
    reason: string | null;
    /** @description The last event that was accepted, or did not match. */
    cursor: EventCursor;
    /**
     * Format: int64
     * @description The failed attempts since the last success.
     */
    failures: number;
    /**
     * Format: date-time
     * @description The next attempt of a webhook that retries.
     */
    next_attempt_at: string | null;
    /**
     * Format: date-time
     * @description The last accepted event; null before the first one.
     */
    last_success_at: string | null;
}
export type EventCursor = string;
/** @description A saved search. */
export interface SavedSearch {
    id: SavedSearchId;
    name: SavedSearchName;
    query: SavedSearchQuery;
    url: WebhookUrl;
    events: WebhookEvents;
    created_at: Timestamp;
    /** @description The state of the webhook; null without one. */
    delivery: WebhookDelivery | null;
}
/** @description A new saved search, with the secret of its webhook. */
export interface CreatedSavedSearch {
    id: SavedSearchId;
    name: SavedSearchName;
    query: SavedSearchQuery;
    url: WebhookUrl;
    events: WebhookEvents;
    created_at: Timestamp;
    /** @description The state of the webhook; null without one. */
    delivery: WebhookDelivery | null;
    /** @description The secret of the signatures, which no later response has. */
    secret: string;
}
/** @description The saved searches of a key. */
export interface SavedSearchList {
    searches: SavedSearch[];
}
/** @description A new secret. */
export interface WebhookSecret {
    secret: string;
    /**
     * Format: date-time
     * @description Until when requests are also signed by the previous secret.
     */
    previous_valid_until: string;
}
/** @description A request to the address of a webhook. */
export interface WebhookAttempt {
    at: Timestamp;
    /** @description The type of the event. */
    event: string;
    /** @description The `webhook-id` of the request. */
    webhook_id: string;
    /**
     * Format: int32
     * @description The status of the answer; null if none came.
     */
    status: number | null;
    /** @description Why the event counts as not accepted; null if it was accepted. */
    error: string | null;
    /** Format: int64 */
    duration_ms: number;
}
/** @description The last attempts. */
export interface WebhookAttempts {
    attempts: WebhookAttempt[];
}
/** @description The saved search of a webhook. */
export interface WebhookSearch {
    id: SavedSearchId;
    name: SavedSearchName;
    query: SavedSearchQuery;
}
/** @description A tweet that matches a saved search. */
export interface WebhookTweet {
    /** @enum {string} */
    type: "tweet.created" | "tweet.updated";
    /** @description When the event happened. */
    timestamp: Timestamp;
    search: WebhookSearch;
    cursor: EventCursor;
    data: TweetShort;
}
/** @description Tweets that were deleted. */
export interface WebhookDeletion {
    /** @constant */
    type: "tweet.deleted";
    timestamp: Timestamp;
    search: WebhookSearch;
    cursor: EventCursor;
    data: {
        ids: Id[];
    };
}
/** @description Events that the service does not have any more. */
export interface WebhookGap {
    /** @constant */
    type: "search.gap";
    timestamp: Timestamp;
    search: WebhookSearch;
    cursor: EventCursor;
    data: {
        from: EventCursor;
        to: EventCursor;
    };
}
/** @description A test. */
export interface WebhookTest {
    /** @constant */
    type: "search.test";
    timestamp: Timestamp;
    search: WebhookSearch;
    data: Record<string, never>;
}
/** @description The tweet to unlike. */
export interface UnlikeRequest {
    tweet_id: Id;
}
/** @description The result of an unlike. */
export interface UnlikeResult {
    /** @description `true` if a like was removed, `false` if there was none. */
    success: boolean;
}
/** @description A source of the answer. */
export interface Citation {
    url: string;
    title: string | null;
    domain: string;
    snippet: string | null;
}
/** @description Only with `extract`: the token as the post describes it. A member is null if the post does not say. */
export interface Extracted {
    ticker: string | null;
    name: string | null;
    contract: string | null;
    chain: string | null;
}
/** @description A token resolved on-chain. */
export interface Token {
    address: string;
    chain: string;
    /** @description US dollars. */
    liquidity: number;
    /** @description US dollars. */
    market_cap: number;
}
/** @description The analysis of a tweet. */
export interface AssistantAnswer {
    tweet_id: Id;
    /** @description The answer, without reasoning and tool output. */
    summary: string;
    /** @description The sources of the answer, without duplicates. */
    citations: Citation[];
    /** @description Only if `summary` refers to tweets with `[1]`, `[2]` …: their ids, in the order of these numbers. */
    cited_tweets?: Id[];
    /** @description Who answered: `local` for the analysis without a language model, the model server or the service of the account (`ollama`, `lm-studio`, `llama.cpp`, `vllm`, `openai`, `anthropic`, `xai`, `openrouter`), or `other`. */
    provider?: string;
    /** @description The model that answered. */
    model: string;
    /** @description Send it to ask a follow-up question. */
    conversation_id: string;
    /** @description Only with `suggest`: `$TICKER` symbols. */
    tickers?: string[];
    extracted?: Extracted;
    /** @description Only with `extract`. Null if the token was not found on-chain. */
    token?: Token | null;
}
/** @description The accounts of the assistant pool by state. */
export interface PoolStatus {
    /**
     * Format: int64
     * @description `available` + `cooling`.
     */
    capable: number;
    /**
     * Format: int64
     * @description Accounts that can answer now.
     */
    available: number;
    /**
     * Format: int64
     * @description Accounts without questions left, or in a cooldown after errors or a request of the provider, or on trial after it.
     */
    cooling: number;
    /**
     * Format: int64
     * @description Accounts that have not been tested yet.
     */
    untested: number;
    /**
     * Format: int64
     * @description Accounts that the provider rejects.
     */
    incapable: number;
    capacity: PoolCapacity;
}
/** @description The questions that the pool can answer. */
export interface PoolCapacity {
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
     * @description Questions in 24 hours: `capable` × the quota of an account (20 by default).
     */
    daily_capacity: number;
    /**
     * Format: int64
     * @description Questions left in the rolling 24 hours, including those of cooling accounts.
     */
    remaining_now: number;
    /**
     * Format: int64
     * @description Questions used in the rolling 24 hours.
     */
    used_24h: number;
}
export interface TokenRequest {
    /** @description The scopes of the token, each one that the key has; all of them when absent. */
    scopes?: ("read" | "assistant" | "write" | "events" | "feeds" | "alerts")[];
    /**
     * Format: int32
     * @description How long the token is valid, in seconds, 600 by default; at most until its key expires.
     */
    ttl_seconds?: number;
}
/** @description A short-lived token. */
export interface AccessToken {
    /** @description Send it where a key is sent. */
    token: string;
    scopes: ("read" | "assistant" | "write" | "events" | "feeds" | "alerts")[];
    expires_at: Timestamp;
}
export interface FeedTokenRequest {
    /** @description Where it is used. */
    name: string;
}
/** @description A new feed token. */
export interface NewFeedToken {
    id: string;
    /** @description Send it as `api_key` in the address of a feed. */
    token: string;
    name: string;
}
/** @description The feed tokens of a key. */
export interface FeedTokenList {
    feed_tokens: {
        id: string;
        name: string;
        created_at: Timestamp;
        /**
         * Format: date-time
         * @description Null if it was never used.
         */
        last_used_at: string | null;
    }[];
}
export interface FeedTokenReference {
    /** @description The id of the feed token. */
    id: string;
}
/** @description Whether a feed token was revoked. */
export interface RevokeResult {
    success: boolean;
}
/**
 * @description The channel of a WebSocket subscription.
 * @enum {string}
 */
export type WsChannel = "search:tweets" | "user:tweets" | "user:mentions" | "tweet:replies" | "tweet:engagement" | "community:tweets" | "community:members" | "assistant:pool";
/**
 * @description The parameters of a channel, with the names of REST: `query` (search:tweets), `username` or `user_id` (user:tweets),
 *     `username` (user:mentions, community:members), `tweet_id` (tweet:replies, tweet:engagement), `id` (community:tweets).
 *     `User` defines which users exist; for any other user the error is `not_found`.
 */
export interface WsParams {
    query?: string;
    username?: UsernameOrHandle;
    user_id?: Id;
    tweet_id?: Id;
    id?: Id;
}
/**
 * @description The name of an event.
 * @enum {string}
 */
export type WsEventName = "tweet.created" | "tweet.updated" | "tweet.deleted" | "tweet.unliked" | "tweet.engagement" | "community.joined" | "community.left" | "pool.status";
/** @description The parameters of GET /social/tweet/assistant. */
export interface WsAskParams {
    tweet_id?: Id;
    conversation_id?: string;
    prompt?: string;
    /** @description As `model` of the GET, with the same default. `bad_params` (400) names the models that can be used. */
    model?: string;
    suggest?: string;
    /** @enum {string} */
    extract?: "token";
}
/** @description Starts a subscription. */
export interface WsSubscribe {
    /** @constant */
    type: "subscribe";
    /** @description The id of the command; its responses repeat it. */
    id: string;
    channel: WsChannel;
    params: WsParams;
    /** @description Replays the events after this position. */
    cursor?: string;
    /**
     * @description What to do if the log no longer retains the events after the cursor.
     * @enum {string}
     */
    on_gap?: "error" | "continue";
    tag?: string;
    /** @description Checks the parameters without starting a subscription. */
    dry_run?: boolean;
}
/** @description Ends a subscription. */
export interface WsUnsubscribe {
    /** @constant */
    type: "unsubscribe";
    /** @description The id of the command; its responses repeat it. */
    id: string;
    /** @description The id of the subscription. */
    sub: string;
}
/** @description Lists the subscriptions of this connection. */
export interface WsListSubscriptions {
    /** @constant */
    type: "subscriptions";
    /** @description The id of the command; its responses repeat it. */
    id: string;
}
/** @description Sends a question to the assistant. The server streams the answer. */
export interface WsAsk {
    /** @constant */
    type: "ask";
    /** @description The id of the command; its responses repeat it. */
    id: string;
    params: WsAskParams;
    idempotency_key?: string;
}
/** @description Cancels a question. */
export interface WsCancel {
    /** @constant */
    type: "cancel";
    /** @description The id of the command; its responses repeat it. */
    id: string;
}
/** @description Requests a pong. */
export interface WsPing {
    /** @constant */
    type: "ping";
    /** @description The id of the command; its responses repeat it. */
    id?: string;
}
/** @description A message from the client on /ws. */
export type WsClientMessage = WsSubscribe | WsUnsubscribe | WsListSubscriptions | WsAsk | WsCancel | WsPing;
/** @description The limits of the connection. */
export interface WsLimits {
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
}
/** @description The first message from the server. */
export interface WsConnected {
    /** @constant */
    type: "connected";
    /**
     * Format: int32
     * @constant
     */
    protocol: 1;
    connection_id: string;
    timestamp: Timestamp;
    /** @description Position in the event log: `<epoch>.<seq>`. */
    cursor: string;
    /** Format: int64 */
    heartbeat_interval_ms: number;
    /** Format: int64 */
    replay_window_s: number;
    limits: WsLimits;
}
/** @description The subscription has started. */
export interface WsSubscribed {
    /** @constant */
    type: "subscribed";
    /** @description The id of the command; its responses repeat it. */
    id: string;
    /** @description The id of the subscription; null after `dry_run`. */
    sub: string | null;
    channel: WsChannel;
    params: WsParams;
    /** @description Position in the event log: `<epoch>.<seq>`. */
    cursor: string;
    /** @description Whether the replay contains every event after the requested cursor; null without a cursor and on state channels. */
    recovered: boolean | null;
    /** @description The cursor after which the replay starts; null without a replay. */
    replay_from?: string | null;
    tag?: string;
}
/** @description The subscription has ended. */
export interface WsUnsubscribed {
    /** @constant */
    type: "unsubscribed";
    /** @description The id of the command; its responses repeat it. */
    id?: string;
    /** @description The id of the subscription. */
    sub: string;
    /** @description Why the server has ended the subscription; absent in the response to `unsubscribe`. */
    reason?: string;
}
/** @description A subscription of the connection. */
export interface WsSubscription {
    /** @description The id of the subscription. */
    sub: string;
    channel: WsChannel;
    params: WsParams;
    /** @description Position in the event log: `<epoch>.<seq>`. */
    cursor: string;
    tag?: string;
}
/** @description The subscriptions of the connection. */
export interface WsSubscriptions {
    /** @constant */
    type: "subscriptions";
    /** @description The id of the command; its responses repeat it. */
    id: string;
    items: WsSubscription[];
}
/** @description The counts of a tweet. */
export interface WsEngagement {
    tweet_id: Id;
    retweet_count: Count;
    reply_count: Count;
    like_count: Count;
    quote_count: Count;
    bookmark_count: Count;
    view_count: Count;
}
/** @description The id of a deleted tweet, the data of `tweet.deleted`. */
export interface WsDeleted {
    id: Id;
}
/** @description An event. A connection receives it once, with all its matching subscriptions. */
export interface WsEvent {
    /** @constant */
    type: "event";
    subs: string[];
    channel: WsChannel;
    event: WsEventName;
    /**
     * Format: int64
     * @description The number in `cursor`; it increases from event to event of a subscription.
     */
    seq: number;
    /** @description Position in the event log: `<epoch>.<seq>`. */
    cursor: string;
    /** @description The same in a replay and on every connection. Use it to remove duplicates. */
    event_id: string;
    /** @description The same schema as in REST; of `tweet.deleted` only the id. */
    data: Tweet | TweetShort | WsEngagement | WsDeleted | Community | PoolStatus;
    timestamp: Timestamp;
    replay?: boolean;
}
/** @description The replay is complete. The next events are live. */
export interface WsCaughtUp {
    /** @constant */
    type: "caught_up";
    /** @description The id of the subscription. */
    sub: string;
    /** @description Position in the event log: `<epoch>.<seq>`. */
    cursor: string;
}
/** @description The log no longer retains the events between two cursors. */
export interface WsGap {
    /** @constant */
    type: "gap";
    /** @description The id of the subscription. */
    sub: string;
    /** @description Position in the event log: `<epoch>.<seq>`. */
    from: string;
    /** @description Position in the event log: `<epoch>.<seq>`. */
    to: string;
    /**
     * @description The events are too old (`retention`), or the cursor belongs to another log (`epoch`).
     * @enum {string}
     */
    reason: "retention" | "epoch";
    /** @description The REST path that returns the missing data. */
    hint: string;
}
/** @description Sent when the connection is idle. All events up to the cursor were delivered. */
export interface WsHeartbeat {
    /** @constant */
    type: "heartbeat";
    /** @description Position in the event log: `<epoch>.<seq>`. */
    cursor: string;
    timestamp: Timestamp;
}
/** @description This connection is behind the event log. */
export interface WsLagging {
    /** @constant */
    type: "lagging";
    /** Format: int64 */
    behind: number;
    /** @description Position in the event log: `<epoch>.<seq>`. */
    oldest_cursor: string;
}
/** @description The server shuts down. Reconnect after `reconnect_after_ms`. */
export interface WsGoingAway {
    /** @constant */
    type: "going_away";
    /** Format: int64 */
    reconnect_after_ms: number;
    reason: string;
}
/** @description A part of an answer of the assistant. */
export interface WsAnswer {
    /** @constant */
    type: "answer";
    /** @description The id of the command; its responses repeat it. */
    id: string;
    /** Format: int64 */
    n: number;
    delta: string;
}
/** @description The complete answer of the assistant. */
export interface WsAnswered {
    /** @constant */
    type: "answered";
    /** @description The id of the command; its responses repeat it. */
    id: string;
    result: AssistantAnswer;
}
/** @description The question was cancelled. */
export interface WsCancelled {
    /** @constant */
    type: "cancelled";
    /** @description The id of the command; its responses repeat it. */
    id: string;
}
/** @description The response to a ping. */
export interface WsPong {
    /** @constant */
    type: "pong";
    /** @description The id of the command; its responses repeat it. */
    id?: string;
    timestamp: Timestamp;
}
/** @description A command failed. The connection stays open. */
export interface WsError {
    /** @constant */
    type: "error";
    error: string;
    /**
     * Format: int32
     * @description The HTTP status of the same error in REST.
     */
    status: number;
    /** @enum {string} */
    code: "bad_message" | "unknown_channel" | "bad_params" | "bad_query" | "too_many_subscriptions" | "too_many_requests" | "cursor_too_old" | "cursor_in_future" | "epoch_changed" | "duplicate_id" | "unknown_subscription" | "not_found" | "conversation_expired" | "no_account" | "upstream_failed" | "internal";
    /** @description The id of the command; its responses repeat it. */
    id?: string;
    /** @description The id of the subscription. */
    sub?: string;
    /** Format: int64 */
    retry_after_s?: number;
    /** Format: int64 */
    position?: number;
    /** @description Position in the event log: `<epoch>.<seq>`. */
    oldest_cursor?: string;
}
/** @description A message from the server on /ws. */
export type WsServerMessage = WsConnected | WsSubscribed | WsUnsubscribed | WsSubscriptions | WsEvent | WsCaughtUp | WsGap | WsHeartbeat | WsLagging | WsGoingAway | WsAnswer | WsAnswered | WsCancelled | WsPong | WsError;
/** @description The data of a server-sent event. */
export type StreamedMessage = WsSubscribed | WsEvent | WsCaughtUp | WsGap | WsLagging | WsUnsubscribed | WsGoingAway;
/** @description The author of an item or a feed. */
export interface JsonFeedAuthor {
    name: string;
    url?: string;
    /** @description URL of the picture. */
    avatar?: string;
}
/** @description A tweet in a JSON Feed. */
export interface JsonFeedItem {
    /** @description A tag URI. */
    id: string;
    /** @description The page of the tweet. */
    url: string;
    title: string;
    content_html: string;
    content_text: string;
    date_published: Timestamp;
    authors: JsonFeedAuthor[];
    tags?: string[];
    attachments?: {
        url: string;
        mime_type: string;
        /** @description The description of its author. */
        title?: string;
    }[];
}
/** @description A JSON Feed 1.1. */
export interface JsonFeed {
    /** @constant */
    version: "https://jsonfeed.org/version/1.1";
    title: string;
    home_page_url: string;
    feed_url: string;
    description?: string;
    icon?: string;
    authors?: JsonFeedAuthor[];
    items: JsonFeedItem[];
}
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
         * @description Explains a tweet and cites its sources. To start a conversation, send `tweet_id`. To ask a follow-up question, send the
         *     `conversation_id` of the response and a `prompt`. The tweet and the earlier answers are the context.
         *
         *     - `tweet_id` is required unless you send `conversation_id`. `conversation_id` requires `prompt`. If you send both ids,
         *       `tweet_id` must be the tweet of the conversation.
         *     - `suggest=ticker` (or your own instruction) also extracts the token of a crypto post, or proposes meme-coin tickers.
         *     - `extract=token` extracts the token of the post and resolves it on-chain.
         *
         *     **Cost.** A request with `extract` costs 2 questions, any other request 1, however often the model reads the archive for
         *     its answer. A request that fails before an answer costs nothing. If the provider may have counted a failed request, the
         *     pool counts it too.
         *
         *     **Sources.** A model can search the archive while it answers. Where `summary` refers to tweets, it has `[1]`, `[2]` …:
         *     the places of their ids in `cited_tweets`. The server has checked that the model read these tweets, not that they say
         *     what the answer states; the provider `local` quotes them. `[?]` replaces a reference or a link that the server could
         *     not verify.
         *
         *     **Conversations.** A conversation belongs to the API key that started it. Other keys get 404. It expires one hour after
         *     its last use (the operator can change this); then the response is 409: start a new one with `tweet_id`. The context is
         *     the last 20 turns, at most 64 kB, with the first 8,192 characters of each answer. Above 10,000 conversations or 64 MB,
         *     the least recently used conversations expire. Requests for one conversation run one after another. If too many wait, or
         *     wait too long, the response is 429 with `Retry-After`.
         *
         *     **Removed tweets.** When a tweet is removed that an answer of a conversation has used (the tweet itself, a quoted tweet, a
         *     reply, the thread, another tweet of the author, or what a model read), the conversation ends: the response is 409, as
         *     after its expiry. If it is removed before the answer is complete, there is no answer: the response is 404 if it is the
         *     tweet of the question, otherwise 503; ask again. A conversation that has used more than 10,000 tweets and users ends, too.
         *
         *     If no account of the pool is free, or the budget of the operator for the day is spent, the response is 503 with
         *     `Retry-After`.
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
         * @description The number of pool accounts in each state, and the questions that the pool can still answer in the rolling 24 hours.
         *
         *     - `capable` = `available` + `cooling`
         *     - `daily_capacity` = `capable` × the quota of an account (20 by default)
         *     - `used_24h` + `remaining_now` = `daily_capacity`
         *
         *     A question counts as used from the moment it is sent until 24 hours and one minute after its answer. A question without
         *     an answer counts for 24 hours and one minute after its timeout.
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
    "/social/user/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user
         * @description A user: profile, counts, and which counts are unknown. Send exactly one of `username` and `user_id`. The response is 404
         *     also for a user of whom only the username is known, as from a mention; the lists of such a user are empty.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Up to 100 users
         * @description Users by their ids or usernames, in the order of the request, each once. Send exactly one of `ids` and `usernames`. The
         *     users are those of `/social/user/info`; those that it does not have are in `missing`, and no error. Without
         *     `unknown_counts`, which `/social/user/info` has.
         *
         *     The response has what is stored: it fetches nothing from a live platform.
         */
        get: operations["getUsers"];
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
         * @description The tweets and retweets of a user, newest first. To include replies, send `include_replies=1`.
         *     Send exactly one of `username` and `user_id`.
         *
         *     `resolve_cashtags` resolves the cashtags of the page to on-chain tokens: `1` on all chains, a chain id on that chain only.
         *     It looks up the first 20 distinct cashtags, including those of retweeted tweets. Resolution is best effort: an
         *     unresolved cashtag is left out and never fails the request. The response waits at most 1.5 seconds. Later results are
         *     cached for the next request.
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
         * @description The tweets that a user highlights on the profile, newest highlight first.
         *     Send exactly one of `username` and `user_id`.
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
    "/social/user/followers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts that follow a user
         * @description The accounts that follow a user, newest follow first; those without a known time last. Send exactly one of `username` and
         *     `user_id`. The list has the followers that the archive knows: `followers_count` of the user can be larger. It fetches no
         *     followers from a live platform.
         */
        get: operations["getUserFollowers"];
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
         * @description The accounts that a user follows, newest follow first. Send exactly one of `username` and `user_id`.
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
         * @description Tweets that mention a user, newest first, also by an earlier username where the source gives the user's id. `since_time`
         *     (inclusive) and `until_time` (exclusive) limit the time range.
         *     Send exactly one of `username` and `user_id`.
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
    "/social/tweet/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A tweet
         * @description A tweet in full form, which of its counts are unknown, and the ids of the tweets that it refers to, also of those that the
         *     archive does not contain.
         */
        get: operations["getTweet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/tweets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Up to 100 tweets
         * @description Tweets in full form by their ids, in the order of the request, each once. Those that the archive does not have are in `missing`,
         *     and no error.
         *
         *     The response has what is stored: it fetches nothing from a live platform.
         */
        get: operations["getTweets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/tweet/thread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The thread of a tweet
         * @description What comes before and after a tweet. `ancestors` are the tweets that it replies to, directly or through others, oldest first,
         *     on the first page only. `tweets` are the tweet itself and the tweets with which its author continues it: the author's oldest
         *     reply to it, the author's oldest reply to that one, and so on. If an older reply is added meanwhile, the next page follows that
         *     one. Replies of other users are in `/social/tweet/replies`.
         */
        get: operations["getTweetThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/tweet/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tweets that quote a tweet
         * @description Tweets that quote a tweet, newest first, without native retweets of them. The list has the quotes that the archive knows: `quote_count` of the
         *     tweet can be larger. It fetches no quotes from a live platform.
         */
        get: operations["getTweetQuotes"];
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
         * @description Direct replies to a tweet, newest first.
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
         * @description Users who retweeted a tweet, newest retweet first. Each user appears once.
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
         * @description Tweets that match a query in the platform's advanced search syntax. `/docs/search` of the service explains every operator
         *     and shows how the service parses a query.
         *
         *     A space between words means AND. `OR` (upper case) binds tighter than AND. `-` negates. Quotes make a phrase, in which `*`
         *     matches any one word. Parentheses group. Case and accents do not matter. Words match the text, the author's name, links
         *     and articles.
         *
         *     Operators: `from:user` `to:user` `@user` `#tag` `$CASHTAG` · `since:2026-03-04` `until:2026-03-04_05:06:07_UTC` (since is
         *     inclusive, until exclusive) `since_time:` `until_time:` (Unix seconds) `within_time:2d` `since_id:` `max_id:` ·
         *     `min_faves:` `min_retweets:` `min_replies:` · `filter:` or its opposite `exclude:` with media, images, twimg, videos,
         *     native_video, consumer_video, pro_video, vine, periscope, spaces, links, news, mentions, hashtags, replies, self_threads,
         *     quote, retweets, nativeretweets, has_engagement, verified, blue_verified, safe · `conversation_id:`
         *     `in_reply_to_tweet_id:` `quoted_tweet_id:` `quoted_user_id:` `retweets_of:` `retweets_of_tweet_id:` · `lang:` `source:`
         *     `url:` `card_domain:` `card_url:` `card_name:` · `list:` (an id or `owner/slug`) · `geocode:latitude,longitude,10km`
         *     `point_radius:[longitude latitude 10mi]` `bounding_box:[west south east north]` `near:` (a place in the archive) with
         *     `within:10km`, `place:` `place_country:`, and the names of the v2 API (`is:reply`, `has:cashtags`, `has:geo`, …).
         *
         *     `since_id:` and `max_id:` compare ids as numbers. The ids of one platform increase with time, but those of different platforms
         *     are not comparable: for a time range, use `since:` and `until:`.
         *
         *     Results contain native retweets only with `include:nativeretweets`. An operator that needs data outside the archive
         *     (`filter:follows`, `near:me`, …) returns 400, and so does a misspelled operator (`fron:`). To search for such a name, put
         *     it in quotes.
         *
         *     `Latest` sorts by time, newest first. `Top` sorts by engagement: likes + 2 × retweets + 2 × quotes + replies.
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
    "/social/tweet/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Number of tweets that match a query
         * @description How many tweets match a query, by hour or by day of UTC, oldest first. The tweets are those of
         *     `advanced_search` with the same query.
         *
         *     `since_time` and `until_time` limit the range, together with `since:` and `until:` of the query. For `hour` and `day`, the
         *     range ends now and begins seven days before its end unless you send them; it has at most 744 hours or days. Hours and days
         *     without tweets have the count 0. The first and the last one are cut off where the range begins and ends.
         *
         *     `all` counts the whole archive, or the range, into `total` only: up to 10,000 exactly, then `total_relation` is `at_least`.
         *     It counts fast what is rare, and stops early for what is frequent.
         *
         *     A count that takes longer than ten seconds returns 503: use more words or a shorter range.
         */
        get: operations["countTweets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/community/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A community
         * @description A community: its name, description, policy and counts, and which counts are unknown. An unknown policy is `open`.
         */
        get: operations["getCommunity"];
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
         * @description Tweets of a community, ranked by recency and engagement. The score of a tweet is its engagement
         *     (likes + 2 × retweets + 2 × quotes + replies + 1), with a half-life of 24 hours.
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
         * @description Tweets of a community that contain media, newest first.
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
         * @description The communities of a user, with the user's role in each, newest membership first. For a user of a platform without
         *     communities, such as Bluesky, the response is 501.
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
         * @description A space: its state, host, speakers and number of participants.
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
         * @description Removes the like of the service's own account from a tweet. `success` is `true` if a like was removed; `like_count` then
         *     decreases by one. `success` is `false` if there was no like. The change is on disk before the response. A body with a
         *     duplicate member returns 400.
         */
        post: operations["unlikeTweet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A feed of a user
         * @description The newest tweets and retweets of a user as an Atom feed (RFC 4287) or as a JSON Feed 1.1. Send exactly one of `username` and
         *     `user_id`.
         *
         *     The address of a feed has a feed token as `api_key` (`/social/feed_token/create`), or a key or token with the scope `feeds`. The
         *     feed has no key in it. Ids are the same in all feeds, and stay the same. Pictures and videos are enclosures. What a tweet of a
         *     stranger says is text: markup in it is shown as it is. A deleted tweet is no longer in the feed. Send `If-None-Match` (or
         *     `If-Modified-Since`) to get 304 while nothing has changed.
         */
        get: operations["getUserFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A feed of a search
         * @description The newest tweets of a search as an Atom feed (RFC 4287) or as a JSON Feed 1.1.
         *
         *     The address of a feed has a feed token as `api_key` (`/social/feed_token/create`), or a key or token with the scope `feeds`. The
         *     feed has no key in it. Ids are the same in all feeds, and stay the same. Pictures and videos are enclosures. What a tweet of a
         *     stranger says is text: markup in it is shown as it is. A deleted tweet is no longer in the feed. Send `If-None-Match` (or
         *     `If-Modified-Since`) to get 304 while nothing has changed.
         */
        get: operations["getSearchFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/saved_search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A feed of a saved search
         * @description The newest tweets of a saved search of the key, or of the key of the feed token, as an Atom feed (RFC 4287) or as a JSON Feed
         *     1.1. The feed stays the same when its query changes.
         *
         *     The address of a feed has a feed token as `api_key` (`/social/feed_token/create`), or a key or token with the scope `feeds`. The
         *     feed has no key in it. Ids are the same in all feeds, and stay the same. Pictures and videos are enclosures. What a tweet of a
         *     stranger says is text: markup in it is shown as it is. A deleted tweet is no longer in the feed. Send `If-None-Match` (or
         *     `If-Modified-Since`) to get 304 while nothing has changed.
         */
        get: operations["getSavedSearchFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of a channel as they happen
         * @description Server-sent events: one subscription of the event stream (`/docs/events` of the service), for programs without WebSockets, such as `curl`,
         *     proxies and low-code tools, and for the `EventSource` of a browser, with a token as `api_key`. Channels, parameters,
         *     cursors, the order of events and deletions are those of `/ws`.
         *
         *     - Send exactly the parameter that the channel has: `query` (search:tweets), `username` or `user_id` (user:tweets),
         *       `username` (user:mentions, community:members), `tweet_id` (tweet:replies, tweet:engagement), `id` (community:tweets),
         *       none (assistant:pool).
         *     - The `data` of an event is a message of `/ws`. An `event` has no name in the stream, so that `onmessage` receives it; the
         *       others have their type as a name: `subscribed`, `caught_up`, `gap`, `lagging`, `unsubscribed`, `going_away`.
         *     - The `id` of an event is its cursor. A client that connects again sends it as `Last-Event-ID`, as an `EventSource` does
         *       by itself: the stream goes on behind it. Otherwise the stream starts behind `cursor`, or with new events.
         *     - If the events behind the cursor are no longer retained, or belong to another log, the response is 410; with
         *       `on_gap=continue` the stream has `gap` and what there is.
         *     - After 20 seconds without an event there is a comment with the current `id`. A caller that reads nothing for 10 seconds
         *       is cut off, and can go on with its last `id`.
         *     - A stream counts as one connection of the key, of 5, together with those of `/ws`. It ends when the key is revoked, when
         *       the token ends, and behind the `tweet.deleted` of the tweet that it is about.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/token/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a short-lived token
         * @description Makes a token from the API key of the request, for a program that must not have the key, such as a page in a browser. It
         *     is sent where a key is sent, also to `/ws`. It has the scopes of the key, or those of `scopes`; no token can make tokens.
         *     Requests with a token count towards the limits of its key, and it ends when its key is revoked or expires. A connection
         *     of the event stream that was opened with a token is closed when the token ends; resume it by cursor with a new one.
         *
         *     The service stores no token, so one alone cannot be revoked: make it short.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/feed_token/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a feed token
         * @description Makes a token that reads feeds and nothing else, for the address of a feed in a feed reader. It does not expire; revoke it
         *     with `/social/feed_token/revoke`. It also ends with its key, and its requests count towards the limits of that key. A key
         *     has at most 100 feed tokens.
         */
        post: operations["createFeedToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/feed_token/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The feed tokens of the key
         * @description The feed tokens of the API key of the request, oldest first, without their texts.
         */
        get: operations["getFeedTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/feed_token/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a feed token
         * @description Revokes a feed token of the API key of the request. `success` is `true` if it was valid; `false` if the key has no such
         *     feed token. The change is on disk before the response.
         */
        post: operations["revokeFeedToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The saved searches of the key
         * @description The saved searches that this API key has created, oldest first, with the state of their webhooks. A key has at most 25.
         */
        get: operations["listSavedSearches"];
        put?: never;
        /**
         * Save a search, with a webhook if you like
         * @description A saved search is a name and a query of the search language. With `url`, the service sends each tweet that matches from now on to
         *     this address, as the channel `search:tweets` of the event stream does: a request `POST` with a JSON body for each event. Without
         *     `url`, nothing is sent. A second address for the same query is a second saved search.
         *
         *     **Events.** `tweet.created` and `tweet.updated` have the tweet in the form of a search. `tweet.deleted` has up to 100 ids. The
         *     text of a deleted tweet is gone, so all deletions are sent, as on the event stream: delete what you have of them, and ignore the
         *     others. `search.gap` says that events are missing, because the address did not accept them while the service had them.
         *
         *     **Signature.** Requests are signed as the Standard Webhooks specification says (`webhook-id`, `webhook-timestamp`,
         *     `webhook-signature`), so its libraries verify them with `secret`. Only this response has it; the rotation makes a new one.
         *
         *     **Delivery.** At least once, and in order: the next event follows when an answer with 2xx has come within 10 seconds. A
         *     repeated event has the same `webhook-id`. Redirects are not followed. After any other answer or none, the service tries again
         *     after 5 seconds, then after twice as long each time, or after the time in `Retry-After`. After a day without success, and after 410
         *     at once, the webhook is paused, and `delivery` says why. Other webhooks do not wait.
         *
         *     **Addresses.** `https`, of a host in the public internet, without a user name and a password. The operator can permit private
         *     networks and `http`, or permit no webhooks at all: then `url` is 400.
         *
         *     The saved search belongs to the key. When the key is revoked or expires, nothing is sent any more.
         */
        post: operations["createSavedSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/searches/{search_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A saved search
         * @description A saved search of this API key, with the state of its webhook.
         */
        get: operations["getSavedSearch"];
        put?: never;
        post?: never;
        /**
         * Delete a saved search
         * @description Deletes a saved search. Nothing is sent any more; a request that is on its way may still arrive.
         */
        delete: operations["deleteSavedSearch"];
        options?: never;
        head?: never;
        /**
         * Change a saved search
         * @description Changes the members of the request, and leaves the others as they are. Another `query` selects the events that are not delivered
         *     yet. Another `url` gets them, also those that the last address did not accept; the secret stays, and a pause ends. `url: null`
         *     ends the deliveries. A `url` where there was none begins with the events from now on.
         */
        patch: operations["updateSavedSearch"];
        trace?: never;
    };
    "/social/searches/{search_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret for a webhook
         * @description Makes a new secret, which only this response has. For 24 hours requests have two signatures, also one by the previous secret, so
         *     that the receiver can change its secret in this time. A second rotation ends that of the secret before.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/searches/{search_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a webhook
         * @description Sends an event `search.test` to the address now, also of a paused webhook, and returns what came of it. A failure changes nothing.
         *     At most 6 tests a minute with one key.
         */
        post: operations["sendTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/searches/{search_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused webhook
         * @description Tries again at once, from the first event that was not accepted, and ends a pause. Events that the service does not have any more
         *     are left out; `search.gap` says so. If the webhook is not paused and does not wait, nothing changes.
         */
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/social/searches/{search_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last attempts to deliver
         * @description The last 20 requests to the address of a saved search, newest first. They have no texts of tweets and of responses.
         */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
};
export type webhooks = {
    tweet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A tweet matches a saved search
         * @description A tweet is new, or was changed, and matches the query.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description The id of the event for this saved search. It is the same when the event is sent again.
                     * @example msg_Fh3sQ0y8cVb1nXo5LtR2dA
                     */
                    "webhook-id": components["parameters"]["webhook_id"];
                    /**
                     * @description When this request was made, in Unix seconds. Refuse requests that are more than five minutes old.
                     * @example 1771000000
                     */
                    "webhook-timestamp": components["parameters"]["webhook_timestamp"];
                    /**
                     * @description One or two signatures, separated by a space: `v1,` and the HMAC-SHA256 in base64 of `webhook-id.webhook-timestamp.body`, by the bytes
                     *     of the secret after `whsec_`.
                     * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                     */
                    "webhook-signature": components["parameters"]["webhook_signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": WebhookTweet;
                };
            };
            responses: {
                /** @description Nobody wants the events any more. The webhook is paused. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Accepted. The next event follows. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Not accepted. The service tries again. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    deletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tweets were deleted
         * @description Delete what you have of these tweets. There can be ids that you have not received.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description The id of the event for this saved search. It is the same when the event is sent again.
                     * @example msg_Fh3sQ0y8cVb1nXo5LtR2dA
                     */
                    "webhook-id": components["parameters"]["webhook_id"];
                    /**
                     * @description When this request was made, in Unix seconds. Refuse requests that are more than five minutes old.
                     * @example 1771000000
                     */
                    "webhook-timestamp": components["parameters"]["webhook_timestamp"];
                    /**
                     * @description One or two signatures, separated by a space: `v1,` and the HMAC-SHA256 in base64 of `webhook-id.webhook-timestamp.body`, by the bytes
                     *     of the secret after `whsec_`.
                     * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                     */
                    "webhook-signature": components["parameters"]["webhook_signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": WebhookDeletion;
                };
            };
            responses: {
                /** @description Nobody wants the events any more. The webhook is paused. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Accepted. The next event follows. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Not accepted. The service tries again. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    gap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events are missing
         * @description The service does not have the events after `from` up to `to` any more. Take what is missing from `/social/tweet/advanced_search`.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description The id of the event for this saved search. It is the same when the event is sent again.
                     * @example msg_Fh3sQ0y8cVb1nXo5LtR2dA
                     */
                    "webhook-id": components["parameters"]["webhook_id"];
                    /**
                     * @description When this request was made, in Unix seconds. Refuse requests that are more than five minutes old.
                     * @example 1771000000
                     */
                    "webhook-timestamp": components["parameters"]["webhook_timestamp"];
                    /**
                     * @description One or two signatures, separated by a space: `v1,` and the HMAC-SHA256 in base64 of `webhook-id.webhook-timestamp.body`, by the bytes
                     *     of the secret after `whsec_`.
                     * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                     */
                    "webhook-signature": components["parameters"]["webhook_signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": WebhookGap;
                };
            };
            responses: {
                /** @description Nobody wants the events any more. The webhook is paused. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Accepted. The next event follows. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Not accepted. The service tries again. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test
         * @description Somebody has sent a test to the address. It says nothing about tweets.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /**
                     * @description The id of the event for this saved search. It is the same when the event is sent again.
                     * @example msg_Fh3sQ0y8cVb1nXo5LtR2dA
                     */
                    "webhook-id": components["parameters"]["webhook_id"];
                    /**
                     * @description When this request was made, in Unix seconds. Refuse requests that are more than five minutes old.
                     * @example 1771000000
                     */
                    "webhook-timestamp": components["parameters"]["webhook_timestamp"];
                    /**
                     * @description One or two signatures, separated by a space: `v1,` and the HMAC-SHA256 in base64 of `webhook-id.webhook-timestamp.body`, by the bytes
                     *     of the secret after `whsec_`.
                     * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                     */
                    "webhook-signature": components["parameters"]["webhook_signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": WebhookTest;
                };
            };
            responses: {
                /** @description Nobody wants the events any more. The webhook is paused. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Accepted. The next event follows. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Not accepted. The service tries again. */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
};
export type components = {
    schemas: {
        Error: Error;
        Id: Id;
        TweetReference: TweetReference;
        UsernameOrHandle: UsernameOrHandle;
        IdOrNull: IdOrNull;
        Timestamp: Timestamp;
        Count: Count;
        Author: Author;
        AuthorShort: AuthorShort;
        Media: Media;
        Card: Card;
        Article: Article;
        Mention: Mention;
        UrlEntity: UrlEntity;
        Entities: Entities;
        Tweet: Tweet;
        TweetShort: TweetShort;
        User: User;
        TweetCount: TweetCount;
        TweetCounts: TweetCounts;
        CommunityDetails: CommunityDetails;
        CommunityInfo: CommunityInfo;
        Community: Community;
        Space: Space;
        ResolvedToken: ResolvedToken;
        NextCursor: NextCursor;
        TweetPage: TweetPage;
        LastTweetsPage: LastTweetsPage;
        UserInfo: UserInfo;
        TweetInfo: TweetInfo;
        TweetBatch: TweetBatch;
        UserBatch: UserBatch;
        TweetThread: TweetThread;
        QuotesPage: QuotesPage;
        RepliesPage: RepliesPage;
        TweetShortPage: TweetShortPage;
        RetweetersPage: RetweetersPage;
        CsvPage: CsvPage;
        FollowersPage: FollowersPage;
        FollowingPage: FollowingPage;
        CommunitiesPage: CommunitiesPage;
        SavedSearchId: SavedSearchId;
        SavedSearchName: SavedSearchName;
        SavedSearchQuery: SavedSearchQuery;
        WebhookUrl: WebhookUrl;
        WebhookEvents: WebhookEvents;
        SavedSearchInput: SavedSearchInput;
        SavedSearchChange: SavedSearchChange;
        WebhookDelivery: WebhookDelivery;
        EventCursor: EventCursor;
        SavedSearch: SavedSearch;
        CreatedSavedSearch: CreatedSavedSearch;
        SavedSearchList: SavedSearchList;
        WebhookSecret: WebhookSecret;
        WebhookAttempt: WebhookAttempt;
        WebhookAttempts: WebhookAttempts;
        WebhookSearch: WebhookSearch;
        WebhookTweet: WebhookTweet;
        WebhookDeletion: WebhookDeletion;
        WebhookGap: WebhookGap;
        WebhookTest: WebhookTest;
        UnlikeRequest: UnlikeRequest;
        UnlikeResult: UnlikeResult;
        Citation: Citation;
        Extracted: Extracted;
        Token: Token;
        AssistantAnswer: AssistantAnswer;
        PoolStatus: PoolStatus;
        PoolCapacity: PoolCapacity;
        TokenRequest: TokenRequest;
        AccessToken: AccessToken;
        FeedTokenRequest: FeedTokenRequest;
        NewFeedToken: NewFeedToken;
        FeedTokenList: FeedTokenList;
        FeedTokenReference: FeedTokenReference;
        RevokeResult: RevokeResult;
        WsChannel: WsChannel;
        WsParams: WsParams;
        WsEventName: WsEventName;
        WsAskParams: WsAskParams;
        WsSubscribe: WsSubscribe;
        WsUnsubscribe: WsUnsubscribe;
        WsListSubscriptions: WsListSubscriptions;
        WsAsk: WsAsk;
        WsCancel: WsCancel;
        WsPing: WsPing;
        WsClientMessage: WsClientMessage;
        WsLimits: WsLimits;
        WsConnected: WsConnected;
        WsSubscribed: WsSubscribed;
        WsUnsubscribed: WsUnsubscribed;
        WsSubscription: WsSubscription;
        WsSubscriptions: WsSubscriptions;
        WsEngagement: WsEngagement;
        WsDeleted: WsDeleted;
        WsEvent: WsEvent;
        WsCaughtUp: WsCaughtUp;
        WsGap: WsGap;
        WsHeartbeat: WsHeartbeat;
        WsLagging: WsLagging;
        WsGoingAway: WsGoingAway;
        WsAnswer: WsAnswer;
        WsAnswered: WsAnswered;
        WsCancelled: WsCancelled;
        WsPong: WsPong;
        WsError: WsError;
        WsServerMessage: WsServerMessage;
        StreamedMessage: StreamedMessage;
        JsonFeedAuthor: JsonFeedAuthor;
        JsonFeedItem: JsonFeedItem;
        JsonFeed: JsonFeed;
    };
    responses: {
        /** @description The data has not changed since the version in `If-None-Match`. */
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
        /** @description The feed has not changed since the version in `If-None-Match`, or since the time in `If-Modified-Since`. */
        FeedNotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "Last-Modified": components["headers"]["Last-Modified"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A parameter is missing, unknown, malformed or duplicated. The text names it and the expected value. */
        BadRequest: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description The key is missing, invalid, revoked or expired, or the request sends a key more than once. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description The key is valid but lacks the required scope. The text names the scope. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description The archive has no such tweet, community, space or conversation, the key has no such saved search, or no record names the user. */
        NotFound: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description The path does not support this method. `Allow` lists the supported methods. */
        MethodNotAllowed: {
            headers: {
                Allow: components["headers"]["Allow"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description `If-Match` does not match: the `ETag` of a response is weak, so only `*` matches, and on POST nothing does. Nothing was done. */
        PreconditionFailed: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description The conversation has expired, or a tweet that it has used was removed. Start a new one with `tweet_id`. */
        ConversationExpired: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description The saved search has no webhook, or the key or the service has no place for another saved search. */
        Conflict: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description The events behind the cursor are no longer retained, or belong to another event log. Take what is missing from the other operations. */
        Gone: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
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
                "application/json": Error;
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
                "application/json": Error;
            };
        };
        /**
         * @description Too many requests with this key, too many of its requests that fetch data from a live platform, too many waiting requests
         *     for one conversation, or too many invalid keys from the caller's address. In the last case the response has no `RateLimit`, and only a key that was last used from this address
         *     still works. Wait `Retry-After` seconds.
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
                "application/json": Error;
            };
        };
        /** @description An error of the server. The log contains the cause under the request id. */
        InternalError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description The configured data source, or the platform that the user comes from, does not support this operation. */
        NotImplemented: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description An upstream service failed. */
        BadGateway: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description No pool account is free or configured, or the server is overloaded or shutting down. Wait `Retry-After` seconds. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description An upstream service did not respond in time. */
        GatewayTimeout: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
    };
    parameters: {
        /**
         * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
         *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
         *     another event log is ignored.
         * @example kX3v_9Qa.1042
         */
        event_cursor: string;
        /**
         * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
         * @example mira_codes
         */
        username: UsernameOrHandle;
        /**
         * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
         * @example mira_codes
         */
        username_required: UsernameOrHandle;
        /** @description The id of the user. 404 if no record of the archive names the user. */
        user_id: Id;
        /**
         * @description The tweet, by its id or by its address on Bluesky or X.
         * @example 1890000000000000001
         */
        tweet_id: TweetReference;
        /**
         * @description The tweets, separated by commas, each by its id or by its address on Bluesky or X. A comma in an address is written as `%2C`.
         * @example [
         *       "1890000000000000003",
         *       "1890000000000000404"
         *     ]
         */
        tweet_ids: TweetReference[];
        /**
         * @description The ids of the users, separated by commas.
         * @example [
         *       "4200000001",
         *       "4200000404"
         *     ]
         */
        user_ids: Id[];
        /**
         * @description The usernames, separated by commas, case-insensitive, with or without `@`.
         * @example [
         *       "mira_codes",
         *       "nobody_here"
         *     ]
         */
        usernames: UsernameOrHandle[];
        /**
         * @description The id of the community.
         * @example 1700000000000000001
         */
        id: Id;
        /**
         * @description The id of the space.
         * @example 1vSampleSpace1
         */
        space_id: string;
        /**
         * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
         *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
         */
        cursor: string;
        /** @description The maximum number of items on the page. */
        limit: number;
        /** @description `atom` for Atom, `json` for JSON Feed. */
        feed_format: "atom" | "json";
        /** @description `1` includes replies. */
        include_replies: "0" | "1";
        /**
         * @description `1` resolves the cashtags of the returned tweets on all chains. A chain id of the aggregator (`solana`, `ethereum`, `base`,
         *     `bsc`, …) resolves them on that chain only. `true` and `false` return 400.
         * @example solana
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
        /** @description The length of the parts that are counted, in UTC. `all` counts everything together. */
        granularity: "hour" | "day" | "all";
        /** @description The order of the results. `Latest` sorts by time, newest first. `Top` sorts by engagement. */
        query_type: "Latest" | "Top";
        /**
         * @description The tweet to analyse, by its id or by its address on Bluesky or X. Required unless you send `conversation_id`.
         * @example 1890000000000000001
         */
        assistant_tweet_id: TweetReference;
        /** @description The conversation to continue, from an earlier response. Requires `prompt`. */
        conversation_id: string;
        /** @description Your question. Optional on the first turn, required with `conversation_id`. */
        prompt: string;
        /**
         * @description The assistant model. The default, `assistant-3-latest`, is the own model of whichever account answers. Another name selects the
         *     accounts that have this model, and those without a model of their own, which pass the name on to their endpoint. If all
         *     accounts have other models, the response is 400 and names the models that can be used. `model` of the response is the model
         *     that answered.
         */
        model: string;
        /** @description `ticker`, or your own instruction: summarises the tweet, and also proposes or extracts meme-coin tickers. */
        suggest: string;
        /**
         * @description The id of a saved search of this API key.
         * @example s_4nT0aY2kQe7m
         */
        search_id: SavedSearchId;
        /**
         * @description The id of the event for this saved search. It is the same when the event is sent again.
         * @example msg_Fh3sQ0y8cVb1nXo5LtR2dA
         */
        webhook_id: string;
        /**
         * @description When this request was made, in Unix seconds. Refuse requests that are more than five minutes old.
         * @example 1771000000
         */
        webhook_timestamp: number;
        /**
         * @description One or two signatures, separated by a space: `v1,` and the HMAC-SHA256 in base64 of `webhook-id.webhook-timestamp.body`, by the bytes
         *     of the secret after `whsec_`.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        webhook_signature: string;
        /** @description `token`: extracts the token in two turns and resolves it on-chain, in one request. */
        extract: "token";
    };
    requestBodies: never;
    headers: {
        /**
         * @description The version of the response. Send it in `If-None-Match` to get 304 while nothing has changed.
         * @example W/"1f4-q3c1m2l0bVQ"
         */
        ETag: string;
        /**
         * @description When the feed changed, as far as this server knows. Absent where a second is too coarse to say it.
         * @example Wed, 04 Mar 2026 05:06:07 GMT
         */
        "Last-Modified": string;
        /**
         * @description A position in the event stream, taken before the server read this response; after a write, the position of its last event. To
         *     miss no event, subscribe on `/ws` with this `cursor`. Some events can repeat data of the response; compare the ids. Send it
         *     as the request header `X-Event-Cursor` to read what you have written or seen.
         * @example kX3v_9Qa.1042
         */
        "X-Event-Cursor": string;
        /**
         * @description The remaining quota (IETF draft RateLimit fields): `r` requests remain, and the quota is full again in `t` seconds. Absent
         *     if the key has no limit.
         * @example "default";r=5999;t=1
         */
        RateLimit: string;
        /**
         * @description The limit (IETF draft RateLimit fields), `q` requests in `w` seconds. Absent if the key has no limit.
         * @example "default";q=6000;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description With `text/csv`, the next page as `rel="next"` (RFC 8288), relative to this one; absent on the last page.
         * @example <?username=mira_codes&cursor=WzE3NzEyMTk2MDBd.bW9jaw>; rel="next"
         */
        Link: string;
        /**
         * @description With `text/csv`, the `next_cursor` of the page; absent on the last page.
         * @example WzE3NzEyMTk2MDBd.bW9jaw
         */
        "X-Next-Cursor": string;
        /**
         * @description Seconds to wait before the next request.
         * @example 30
         */
        "Retry-After": number;
        /**
         * @description The methods that the path supports.
         * @example GET, HEAD
         */
        Allow: string;
        /**
         * @description How to send a key (RFC 9110 §11.6.1) and why the server rejected the request (RFC 6750 §3), in `error` and
         *     `error_description`:
         *
         *     - no `error`: the request has no key;
         *     - `invalid_request`: the request has a key in more than one place, or more than once. The description names the places;
         *     - `invalid_token`: the key is unknown, revoked or expired. The server does not say which;
         *     - `insufficient_scope` (403): the key lacks the scope in `scope`.
         * @example Bearer realm="social-data", error="invalid_token", error_description="the API key is unknown, revoked or expired"
         */
        "WWW-Authenticate": string;
        /**
         * @description The id of this request in the server's log. Include it when you report a problem.
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
                 * @description The tweet to analyse, by its id or by its address on Bluesky or X. Required unless you send `conversation_id`.
                 * @example 1890000000000000001
                 */
                tweet_id?: components["parameters"]["assistant_tweet_id"];
                /** @description The conversation to continue, from an earlier response. Requires `prompt`. */
                conversation_id?: components["parameters"]["conversation_id"];
                /** @description Your question. Optional on the first turn, required with `conversation_id`. */
                prompt?: components["parameters"]["prompt"];
                /**
                 * @description The assistant model. The default, `assistant-3-latest`, is the own model of whichever account answers. Another name selects the
                 *     accounts that have this model, and those without a model of their own, which pass the name on to their endpoint. If all
                 *     accounts have other models, the response is 400 and names the models that can be used. `model` of the response is the model
                 *     that answered.
                 */
                model?: components["parameters"]["model"];
                /** @description `ticker`, or your own instruction: summarises the tweet, and also proposes or extracts meme-coin tickers. */
                suggest?: components["parameters"]["suggest"];
                /** @description `token`: extracts the token in two turns and resolves it on-chain, in one request. */
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
                    "application/json": AssistantAnswer;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["ConversationExpired"];
            412: components["responses"]["PreconditionFailed"];
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
            /** @description The current status of the pool. */
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
                    "application/json": PoolStatus;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUser: {
        parameters: {
            query?: {
                /**
                 * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description The id of the user. 404 if no record of the archive names the user. */
                user_id?: components["parameters"]["user_id"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
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
                    "application/json": UserInfo;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUsers: {
        parameters: {
            query?: {
                /**
                 * @description The ids of the users, separated by commas.
                 * @example [
                 *       "4200000001",
                 *       "4200000404"
                 *     ]
                 */
                ids?: components["parameters"]["user_ids"];
                /**
                 * @description The usernames, separated by commas, case-insensitive, with or without `@`.
                 * @example [
                 *       "mira_codes",
                 *       "nobody_here"
                 *     ]
                 */
                usernames?: components["parameters"]["usernames"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users. */
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
                    "application/json": UserBatch;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description The id of the user. 404 if no record of the archive names the user. */
                user_id?: components["parameters"]["user_id"];
                /** @description `1` includes replies. */
                include_replies?: components["parameters"]["include_replies"];
                /**
                 * @description `1` resolves the cashtags of the returned tweets on all chains. A chain id of the aggregator (`solana`, `ethereum`, `base`,
                 *     `bsc`, …) resolves them on that chain only. `true` and `false` return 400.
                 * @example solana
                 */
                resolve_cashtags?: components["parameters"]["resolve_cashtags"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": LastTweetsPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description The id of the user. 404 if no record of the archive names the user. */
                user_id?: components["parameters"]["user_id"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TweetPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getUserFollowers: {
        parameters: {
            query?: {
                /**
                 * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description The id of the user. 404 if no record of the archive names the user. */
                user_id?: components["parameters"]["user_id"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": FollowersPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description The id of the user. 404 if no record of the archive names the user. */
                user_id?: components["parameters"]["user_id"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": FollowingPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description The id of the user. 404 if no record of the archive names the user. */
                user_id?: components["parameters"]["user_id"];
                /**
                 * @description Only tweets created at or after this time, in Unix seconds.
                 * @example 1771000000
                 */
                since_time?: components["parameters"]["since_time"];
                /** @description Only tweets created before this time, in Unix seconds. */
                until_time?: components["parameters"]["until_time"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TweetShortPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTweet: {
        parameters: {
            query: {
                /**
                 * @description The tweet, by its id or by its address on Bluesky or X.
                 * @example 1890000000000000001
                 */
                tweet_id: components["parameters"]["tweet_id"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tweet. */
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
                    "application/json": TweetInfo;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTweets: {
        parameters: {
            query: {
                /**
                 * @description The tweets, separated by commas, each by its id or by its address on Bluesky or X. A comma in an address is written as `%2C`.
                 * @example [
                 *       "1890000000000000003",
                 *       "1890000000000000404"
                 *     ]
                 */
                ids: components["parameters"]["tweet_ids"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tweets. */
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
                    "application/json": TweetBatch;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTweetThread: {
        parameters: {
            query: {
                /**
                 * @description The tweet, by its id or by its address on Bluesky or X.
                 * @example 1890000000000000001
                 */
                tweet_id: components["parameters"]["tweet_id"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the thread. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TweetThread;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getTweetQuotes: {
        parameters: {
            query: {
                /**
                 * @description The tweet, by its id or by its address on Bluesky or X.
                 * @example 1890000000000000001
                 */
                tweet_id: components["parameters"]["tweet_id"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": QuotesPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The tweet, by its id or by its address on Bluesky or X.
                 * @example 1890000000000000001
                 */
                tweet_id: components["parameters"]["tweet_id"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RepliesPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The tweet, by its id or by its address on Bluesky or X.
                 * @example 1890000000000000001
                 */
                tweet_id: components["parameters"]["tweet_id"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RetweetersPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                /** @description The order of the results. `Latest` sorts by time, newest first. `Top` sorts by engagement. */
                query_type?: components["parameters"]["query_type"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TweetShortPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    countTweets: {
        parameters: {
            query: {
                /**
                 * @description The search query, in the platform's advanced search operator syntax.
                 * @example coffee OR espresso lang:en
                 */
                query: components["parameters"]["query"];
                /** @description The length of the parts that are counted, in UTC. `all` counts everything together. */
                granularity?: components["parameters"]["granularity"];
                /** @description Only tweets created at this time or later, in Unix seconds. */
                since_time?: number;
                /** @description Only tweets created before this time, in Unix seconds. */
                until_time?: number;
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
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
                    "application/json": TweetCounts;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getCommunity: {
        parameters: {
            query: {
                /**
                 * @description The id of the community.
                 * @example 1700000000000000001
                 */
                id: components["parameters"]["id"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The community. */
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
                    "application/json": CommunityInfo;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The id of the community.
                 * @example 1700000000000000001
                 */
                id: components["parameters"]["id"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TweetShortPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The id of the community.
                 * @example 1700000000000000001
                 */
                id: components["parameters"]["id"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TweetShortPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
                 * @example mira_codes
                 */
                username: components["parameters"]["username_required"];
                /**
                 * @description The `next_cursor` of the previous page. Leave it out for the first page. A cursor is opaque and valid only for the same
                 *     operation and parameters; any other cursor returns 400. Pages neither repeat nor skip an item while data is added.
                 */
                cursor?: components["parameters"]["cursor"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    Link: components["headers"]["Link"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CommunitiesPage;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                 * @description The id of the space.
                 * @example 1vSampleSpace1
                 */
                id: components["parameters"]["space_id"];
            };
            header?: {
                /**
                 * @description The `X-Event-Cursor` of a response, or the `cursor` of an event: the response reflects all events up to it, whichever
                 *     instance of the service answers. If that takes longer than a second, the response is 503 with `Retry-After`. A cursor of
                 *     another event log is ignored.
                 * @example kX3v_9Qa.1042
                 */
                "X-Event-Cursor"?: components["parameters"]["event_cursor"];
            };
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
                    "application/json": Space;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
                "application/json": UnlikeRequest;
            };
        };
        responses: {
            /** @description The result of the removal. */
            200: {
                headers: {
                    "X-Event-Cursor": components["headers"]["X-Event-Cursor"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": UnlikeResult;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
    getUserFeed: {
        parameters: {
            query?: {
                /**
                 * @description The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
                 * @example mira_codes
                 */
                username?: components["parameters"]["username"];
                /** @description The id of the user. 404 if no record of the archive names the user. */
                user_id?: components["parameters"]["user_id"];
                /** @description `1` includes replies. */
                include_replies?: components["parameters"]["include_replies"];
                /** @description `atom` for Atom, `json` for JSON Feed. */
                format?: components["parameters"]["feed_format"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": JsonFeed;
                };
            };
            304: components["responses"]["FeedNotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getSearchFeed: {
        parameters: {
            query: {
                /**
                 * @description The search query, in the platform's advanced search operator syntax.
                 * @example coffee OR espresso lang:en
                 */
                query: components["parameters"]["query"];
                /** @description `atom` for Atom, `json` for JSON Feed. */
                format?: components["parameters"]["feed_format"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": JsonFeed;
                };
            };
            304: components["responses"]["FeedNotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    getSavedSearchFeed: {
        parameters: {
            query: {
                /**
                 * @description The id of the saved search.
                 * @example s_4nT0aY2kQe7m
                 */
                id: SavedSearchId;
                /** @description `atom` for Atom, `json` for JSON Feed. */
                format?: components["parameters"]["feed_format"];
                /** @description The maximum number of items on the page. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                    "application/feed+json": JsonFeed;
                };
            };
            304: components["responses"]["FeedNotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    streamEvents: {
        parameters: {
            query: {
                /**
                 * @description The channel.
                 * @example assistant:pool
                 */
                channel: WsChannel;
                /** @description A query of the search language (`/docs/search` of the service), for `search:tweets`. */
                query?: string;
                /** @description A username, for `user:tweets`, `user:mentions` and `community:members`. */
                username?: UsernameOrHandle;
                /** @description The id of a user, for `user:tweets`. */
                user_id?: Id;
                /** @description The id of a tweet, for `tweet:replies` and `tweet:engagement`. */
                tweet_id?: Id;
                /** @description The id of a community, for `community:tweets`. */
                id?: Id;
                /** @description The stream starts behind this position. `Last-Event-ID` replaces it. */
                cursor?: string;
                /** @description What to do if the events behind the cursor are no longer retained; `error` by default. */
                on_gap?: "error" | "continue";
            };
            header?: {
                /** @description The `id` of the last event that the client has. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    /** @description Proxies must not collect the events. */
                    "X-Accel-Buffering"?: "no";
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": StreamedMessage;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["Gone"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TokenRequest;
            };
        };
        responses: {
            /** @description The token. Only this response has it. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AccessToken;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
    createFeedToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": FeedTokenRequest;
            };
        };
        responses: {
            /** @description The feed token. Only this response has its text. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": NewFeedToken;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
    getFeedTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed tokens. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": FeedTokenList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    revokeFeedToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": FeedTokenReference;
            };
        };
        responses: {
            /** @description Whether a feed token was revoked. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": RevokeResult;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
    listSavedSearches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The saved searches. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedSearchList;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    createSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SavedSearchInput;
            };
        };
        responses: {
            /** @description The saved search, and the secret of its webhook, also of one that gets its `url` later. */
            201: {
                headers: {
                    /**
                     * @description The path of the saved search.
                     * @example /social/searches/s_4nT0aY2kQe7m
                     */
                    Location: string;
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": CreatedSavedSearch;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
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
    getSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a saved search of this API key.
                 * @example s_4nT0aY2kQe7m
                 */
                search_id: components["parameters"]["search_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The saved search. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedSearch;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    deleteSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a saved search of this API key.
                 * @example s_4nT0aY2kQe7m
                 */
                search_id: components["parameters"]["search_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The saved search is deleted. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    updateSavedSearch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a saved search of this API key.
                 * @example s_4nT0aY2kQe7m
                 */
                search_id: components["parameters"]["search_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SavedSearchChange;
            };
        };
        responses: {
            /** @description The changed saved search. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedSearch;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
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
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a saved search of this API key.
                 * @example s_4nT0aY2kQe7m
                 */
                search_id: components["parameters"]["search_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookSecret;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    sendTestWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a saved search of this API key.
                 * @example s_4nT0aY2kQe7m
                 */
                search_id: components["parameters"]["search_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of the test. `error` is null if the address has accepted it. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookAttempt;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a saved search of this API key.
                 * @example s_4nT0aY2kQe7m
                 */
                search_id: components["parameters"]["search_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The saved search. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": SavedSearch;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a saved search of this API key.
                 * @example s_4nT0aY2kQe7m
                 */
                search_id: components["parameters"]["search_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempts. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookAttempts;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["GatewayTimeout"];
        };
    };
}
