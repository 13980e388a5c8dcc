# Written by `npm run generate` from spec/. Do not edit.
"""The types, methods and errors of the contract."""

from __future__ import annotations

import datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from .runtime import NOT_GIVEN, ApiError, NotGiven, Pages, Runtime, flag, seconds
from .streams import AnswerStream, EventStream

__all__ = [
    "Client",
    "Author",
    "AuthorShort",
    "Media",
    "Card",
    "Article",
    "Mention",
    "UrlEntity",
    "Entities",
    "Tweet",
    "TweetShort",
    "User",
    "TweetCount",
    "TweetCounts",
    "CommunityDetails",
    "CommunityInfo",
    "Community",
    "Space",
    "ResolvedToken",
    "TweetPage",
    "LastTweetsPage",
    "UserInfo",
    "TweetInfo",
    "TweetBatch",
    "UserBatch",
    "TweetThread",
    "QuotesPage",
    "RepliesPage",
    "TweetShortPage",
    "RetweetersPage",
    "FollowersPage",
    "FollowingPage",
    "CommunitiesPage",
    "WebhookDelivery",
    "SavedSearch",
    "CreatedSavedSearch",
    "SavedSearchList",
    "WebhookSecret",
    "WebhookAttempt",
    "WebhookAttempts",
    "UnlikeResult",
    "Citation",
    "Extracted",
    "Token",
    "AssistantAnswer",
    "PoolStatus",
    "PoolCapacity",
    "AccessToken",
    "NewFeedToken",
    "FeedTokenList",
    "RevokeResult",
    "WsParams",
    "WsSubscribed",
    "WsUnsubscribed",
    "WsEngagement",
    "WsDeleted",
    "WsEvent",
    "WsCaughtUp",
    "WsLagging",
    "WsGoingAway",
    "JsonFeedAuthor",
    "JsonFeedItem",
    "JsonFeed",
    "Id",
    "TweetReference",
    "UsernameOrHandle",
    "IdOrNull",
    "Timestamp",
    "Count",
    "NextCursor",
    "SavedSearchId",
    "SavedSearchName",
    "SavedSearchQuery",
    "WebhookUrl",
    "WebhookEvents",
    "EventCursor",
    "WsChannel",
    "WsEventName",
    "WsGap",
    "StreamedMessage",
    "BadRequestError",
    "UnauthorizedError",
    "ForbiddenError",
    "NotFoundError",
    "MethodNotAllowedError",
    "ConversationExpiredError",
    "PreconditionFailedError",
    "TooManyRequestsError",
    "InternalError",
    "NotImplementedError",
    "BadGatewayError",
    "UnavailableError",
    "GatewayTimeoutError",
    "PayloadTooLargeError",
    "UnsupportedMediaTypeError",
    "GoneError",
    "ConflictError",
    "errors",
]


class Author(TypedDict):
    """The author of a tweet (full form). See `User` for a user without a profile."""
    id: Id
    name: str
    username: str
    profile_image: str
    verified: bool
    followers_count: Count


class AuthorShort(TypedDict):
    """The author of a tweet (short form). See `User` for a user without a profile."""
    id: Id
    name: str
    username: str
    profile_image: str
    followers_count: Count


class Media(TypedDict):
    """A photo, video or animated GIF of a tweet."""
    type: Literal["photo", "video", "animated_gif"]
    url: str
    expanded_url: NotRequired[str]
    video_url: NotRequired[str]
    alt_text: NotRequired[str]


class Card(TypedDict):
    """The preview of a link."""
    url: str
    title: str
    description: NotRequired[str]
    image: NotRequired[str]
    domain: str


class Article(TypedDict):
    """A long-form article that the tweet publishes."""
    title: str
    text: str


class Mention(TypedDict):
    """A user that the text mentions. `username` is the one in the text, also after a change of the username. `name` and `id` are the
    current values of the archive; each is absent if unknown."""
    username: str
    name: NotRequired[str]
    id: NotRequired[Id]


class UrlEntity(TypedDict):
    """A link in the text."""
    url: str
    display_url: str


class Entities(TypedDict):
    """The entities of the text, in the order of the text."""
    mentions: list[Mention]
    hashtags: list[str]
    cashtags: list[str]
    urls: list[UrlEntity]


class Tweet(TypedDict):
    """A tweet, full form."""
    id: Id
    text: str
    created_at: Timestamp
    author: Author
    retweet_count: Count
    reply_count: Count
    like_count: Count
    quote_count: Count
    bookmark_count: Count
    view_count: Count
    media: list[Media]
    card: NotRequired[Card]
    article: NotRequired[Article]
    entities: Entities
    quoted_tweet: Tweet | None
    retweeted_tweet: Tweet | None


class TweetShort(TypedDict):
    """A tweet, short form."""
    id: Id
    text: str
    created_at: Timestamp
    author: AuthorShort
    retweet_count: Count
    reply_count: Count
    like_count: Count
    quote_count: Count
    bookmark_count: Count
    view_count: Count


class User(TypedDict):
    """A user. A user exists if the archive has the profile, or if any record refers to the user: by id (an author, follower,
    followed account, retweeter, member, host or speaker) or by username (a mention or a reply). All operations, all channels
    of the event stream and `from:` in a search use this rule. Lists of an existing user can be empty, but are never 404.

    A user without a profile has the `username` and `name` of the newest mention with the user's id. Other members are empty,
    0 or false."""
    id: Id
    name: str
    username: str
    description: str
    location: str
    created_at: NotRequired[Timestamp]
    followers_count: Count
    following_count: Count
    tweet_count: Count
    like_count: Count
    media_count: Count
    verified: bool
    is_blue_verified: bool
    profile_image: str
    profile_banner: str
    pinned_tweet_ids: list[Id]


class TweetCount(TypedDict):
    """The number of tweets within a time."""
    start: Timestamp
    end: Timestamp
    tweet_count: Count


class TweetCounts(TypedDict):
    """Numbers of tweets, oldest first."""
    counts: list[TweetCount]
    total: Count
    total_relation: Literal["exact", "at_least"]


class CommunityDetails(TypedDict):
    """A community."""
    id: Id
    name: str
    description: str
    member_count: Count
    moderator_count: Count
    join_policy: Literal["open", "restricted", "closed"]


class CommunityInfo(TypedDict):
    """A community, and which of its counts are unknown."""
    community: CommunityDetails
    unknown_counts: list[Literal["member_count", "moderator_count"]]


class Community(TypedDict):
    """A community, with the user's role in it."""
    id: Id
    name: str
    description: str
    member_count: Count
    moderator_count: Count
    role: Literal["member", "moderator", "admin"]
    join_policy: Literal["open", "restricted", "closed"]


class Space(TypedDict):
    """An audio room."""
    id: str
    title: str
    state: Literal["scheduled", "live", "ended"]
    host: Author
    speakers: list[Author]
    participant_count: Count
    subscriber_count: Count
    lang: str
    is_ticketed: bool
    created_at: Timestamp
    scheduled_start: str | None
    started_at: str | None
    ended_at: str | None


class ResolvedToken(TypedDict):
    """The on-chain token of a cashtag or a contract address. It is the base token of the best trading pair of the aggregator
    (DexScreener). All figures belong to that pair, at `aggregator_url`.

    - A pair matches if its base token has the symbol (in any case, with or without `$`) or the contract address, on the
      requested chain. If there is an address, the symbol is ignored. Hexadecimal addresses (`0x…`) are case-insensitive, all
      others are case-sensitive.
    - The best pair has the greatest depth: the lower of its liquidity and ten times its 24-hour volume, because either value
      alone is easy to fake. If depths are equal, the liquidity decides, then the volume. Pairs without a price are ignored.

    Anyone can issue a token with the same symbol: check `confidence`. Figures are at most 2 minutes old."""
    symbol: str
    address: str
    chain: str
    name: str
    price_usd: str
    liquidity_usd: float
    volume_24h: float
    market_cap: float
    aggregator_url: str
    confidence: Literal["high", "medium", "low"]
    sources: list[str]


class TweetPage(TypedDict):
    """A page of tweets in full form."""
    tweets: list[Tweet]
    next_cursor: NextCursor
    has_next_page: bool


class LastTweetsPage(TypedDict):
    """A page of a user's tweets."""
    tweets: list[Tweet]
    next_cursor: NextCursor
    has_next_page: bool
    resolved_tokens: NotRequired[list[ResolvedToken]]


class UserInfo(TypedDict):
    """A user, and what the archive does not know."""
    user: User
    unknown_counts: list[Literal["followers_count", "following_count", "tweet_count", "like_count", "media_count"]]


class TweetInfo(TypedDict):
    """A tweet, what it refers to, and what the archive does not know."""
    tweet: Tweet
    unknown_counts: list[Literal["retweet_count", "reply_count", "like_count", "quote_count", "bookmark_count", "view_count"]]
    in_reply_to_id: IdOrNull
    in_reply_to_username: str | None
    quoted_tweet_id: IdOrNull
    retweeted_tweet_id: IdOrNull
    lang: str | None
    liked: bool


class TweetBatch(TypedDict):
    """Tweets by their ids."""
    tweets: list[Tweet]
    missing: list[str]


class UserBatch(TypedDict):
    """Users by their ids or usernames."""
    users: list[User]
    missing: list[str]


class TweetThread(TypedDict):
    """A page of a thread."""
    ancestors: list[Tweet]
    missing_ancestor_id: IdOrNull
    tweets: list[Tweet]
    next_cursor: NextCursor
    has_next_page: bool


class QuotesPage(TypedDict):
    """A page of quotes in full form."""
    quotes: list[Tweet]
    next_cursor: NextCursor
    has_next_page: bool


class RepliesPage(TypedDict):
    """A page of replies in full form."""
    replies: list[Tweet]
    next_cursor: NextCursor
    has_next_page: bool


class TweetShortPage(TypedDict):
    """A page of tweets in short form."""
    tweets: list[TweetShort]
    next_cursor: NextCursor
    has_next_page: bool


class RetweetersPage(TypedDict):
    """A page of users who retweeted."""
    retweeters: list[User]
    next_cursor: NextCursor
    has_next_page: bool


class FollowersPage(TypedDict):
    """A page of followers."""
    followers: list[User]
    next_cursor: NextCursor
    has_next_page: bool


class FollowingPage(TypedDict):
    """A page of followed users."""
    following: list[User]
    next_cursor: NextCursor
    has_next_page: bool


class CommunitiesPage(TypedDict):
    """A page of a user's communities."""
    communities: list[Community]
    next_cursor: NextCursor
    has_next_page: bool


class WebhookDelivery(TypedDict):
    """The state of a webhook."""
    state: Literal["active", "retrying", "paused"]
    reason: str | None
    cursor: EventCursor
    failures: int
    next_attempt_at: str | None
    last_success_at: str | None


class SavedSearch(TypedDict):
    """A saved search."""
    id: SavedSearchId
    name: SavedSearchName
    query: SavedSearchQuery
    url: WebhookUrl
    events: WebhookEvents
    created_at: Timestamp
    delivery: WebhookDelivery | None


class CreatedSavedSearch(TypedDict):
    """A new saved search, with the secret of its webhook."""
    id: SavedSearchId
    name: SavedSearchName
    query: SavedSearchQuery
    url: WebhookUrl
    events: WebhookEvents
    created_at: Timestamp
    delivery: WebhookDelivery | None
    secret: str


class SavedSearchList(TypedDict):
    """The saved searches of a key."""
    searches: list[SavedSearch]


class WebhookSecret(TypedDict):
    """A new secret."""
    secret: str
    previous_valid_until: str


class WebhookAttempt(TypedDict):
    """A request to the address of a webhook."""
    at: Timestamp
    event: str
    webhook_id: str
    status: int | None
    error: str | None
    duration_ms: int


class WebhookAttempts(TypedDict):
    """The last attempts."""
    attempts: list[WebhookAttempt]


class UnlikeResult(TypedDict):
    """The result of an unlike."""
    success: bool


class Citation(TypedDict):
    """A source of the answer."""
    url: str
    title: str | None
    domain: str
    snippet: str | None


class Extracted(TypedDict):
    """Only with `extract`: the token as the post describes it. A member is null if the post does not say."""
    ticker: str | None
    name: str | None
    contract: str | None
    chain: str | None


class Token(TypedDict):
    """A token resolved on-chain."""
    address: str
    chain: str
    liquidity: float
    market_cap: float


class AssistantAnswer(TypedDict):
    """The analysis of a tweet."""
    tweet_id: Id
    summary: str
    citations: list[Citation]
    cited_tweets: NotRequired[list[Id]]
    provider: NotRequired[str]
    model: str
    conversation_id: str
    tickers: NotRequired[list[str]]
    extracted: NotRequired[Extracted]
    token: NotRequired[Token | None]


class PoolStatus(TypedDict):
    """The accounts of the assistant pool by state."""
    capable: int
    available: int
    cooling: int
    untested: int
    incapable: int
    capacity: PoolCapacity


class PoolCapacity(TypedDict):
    """The questions that the pool can answer."""
    capable: int
    usable_now: int
    daily_capacity: int
    remaining_now: int
    used_24h: int


class AccessToken(TypedDict):
    """A short-lived token."""
    token: str
    scopes: list[Literal["read", "assistant", "write", "events", "feeds", "alerts"]]
    expires_at: Timestamp


class NewFeedToken(TypedDict):
    """A new feed token."""
    id: str
    token: str
    name: str


class FeedTokenList(TypedDict):
    """The feed tokens of a key."""
    feed_tokens: list[dict[str, Any]]


class RevokeResult(TypedDict):
    """Whether a feed token was revoked."""
    success: bool


class WsParams(TypedDict):
    """The parameters of a channel, with the names of REST: `query` (search:tweets), `username` or `user_id` (user:tweets),
    `username` (user:mentions, community:members), `tweet_id` (tweet:replies, tweet:engagement), `id` (community:tweets).
    `User` defines which users exist; for any other user the error is `not_found`."""
    query: NotRequired[str]
    username: NotRequired[UsernameOrHandle]
    user_id: NotRequired[Id]
    tweet_id: NotRequired[Id]
    id: NotRequired[Id]


class WsSubscribed(TypedDict):
    """The subscription has started."""
    type: Literal["subscribed"]
    id: str
    sub: str | None
    channel: WsChannel
    params: WsParams
    cursor: str
    recovered: bool | None
    replay_from: NotRequired[str | None]
    tag: NotRequired[str]


class WsUnsubscribed(TypedDict):
    """The subscription has ended."""
    type: Literal["unsubscribed"]
    id: NotRequired[str]
    sub: str
    reason: NotRequired[str]


class WsEngagement(TypedDict):
    """The counts of a tweet."""
    tweet_id: Id
    retweet_count: Count
    reply_count: Count
    like_count: Count
    quote_count: Count
    bookmark_count: Count
    view_count: Count


class WsDeleted(TypedDict):
    """The id of a deleted tweet, the data of `tweet.deleted`."""
    id: Id


class WsEvent(TypedDict):
    """An event. A connection receives it once, with all its matching subscriptions."""
    type: Literal["event"]
    subs: list[str]
    channel: WsChannel
    event: WsEventName
    seq: int
    cursor: str
    event_id: str
    data: Tweet | TweetShort | WsEngagement | WsDeleted | Community | PoolStatus
    timestamp: Timestamp
    replay: NotRequired[bool]


class WsCaughtUp(TypedDict):
    """The replay is complete. The next events are live."""
    type: Literal["caught_up"]
    sub: str
    cursor: str


class WsLagging(TypedDict):
    """This connection is behind the event log."""
    type: Literal["lagging"]
    behind: int
    oldest_cursor: str


class WsGoingAway(TypedDict):
    """The server shuts down. Reconnect after `reconnect_after_ms`."""
    type: Literal["going_away"]
    reconnect_after_ms: int
    reason: str


class JsonFeedAuthor(TypedDict):
    """The author of an item or a feed."""
    name: str
    url: NotRequired[str]
    avatar: NotRequired[str]


class JsonFeedItem(TypedDict):
    """A tweet in a JSON Feed."""
    id: str
    url: str
    title: str
    content_html: str
    content_text: str
    date_published: Timestamp
    authors: list[JsonFeedAuthor]
    tags: NotRequired[list[str]]
    attachments: NotRequired[list[dict[str, Any]]]


class JsonFeed(TypedDict):
    """A JSON Feed 1.1."""
    version: Literal["https://jsonfeed.org/version/1.1"]
    title: str
    home_page_url: str
    feed_url: str
    description: NotRequired[str]
    icon: NotRequired[str]
    authors: NotRequired[list[JsonFeedAuthor]]
    items: list[JsonFeedItem]


Id: TypeAlias = str


TweetReference: TypeAlias = str


UsernameOrHandle: TypeAlias = str


IdOrNull: TypeAlias = str | None


Timestamp: TypeAlias = str


Count: TypeAlias = int


NextCursor: TypeAlias = str | None


SavedSearchId: TypeAlias = str


SavedSearchName: TypeAlias = str


SavedSearchQuery: TypeAlias = str


WebhookUrl: TypeAlias = str | None


WebhookEvents: TypeAlias = list[Literal["tweet.created", "tweet.updated", "tweet.deleted"]]


EventCursor: TypeAlias = str


WsChannel: TypeAlias = Literal["search:tweets", "user:tweets", "user:mentions", "tweet:replies", "tweet:engagement", "community:tweets", "community:members", "assistant:pool"]


WsEventName: TypeAlias = Literal["tweet.created", "tweet.updated", "tweet.deleted", "tweet.unliked", "tweet.engagement", "community.joined", "community.left", "pool.status"]


WsGap: TypeAlias = dict[str, Any]


StreamedMessage: TypeAlias = WsSubscribed | WsEvent | WsCaughtUp | WsGap | WsLagging | WsUnsubscribed | WsGoingAway


class BadRequestError(ApiError):
    """An error response with the status 400."""


class UnauthorizedError(ApiError):
    """An error response with the status 401."""


class ForbiddenError(ApiError):
    """An error response with the status 403."""


class NotFoundError(ApiError):
    """An error response with the status 404."""


class MethodNotAllowedError(ApiError):
    """An error response with the status 405."""


class ConversationExpiredError(ApiError):
    """An error response with the status 409."""


class PreconditionFailedError(ApiError):
    """An error response with the status 412."""


class TooManyRequestsError(ApiError):
    """An error response with the status 429."""


class InternalError(ApiError):
    """An error response with the status 500."""


class NotImplementedError(ApiError):
    """An error response with the status 501."""


class BadGatewayError(ApiError):
    """An error response with the status 502."""


class UnavailableError(ApiError):
    """An error response with the status 503."""


class GatewayTimeoutError(ApiError):
    """An error response with the status 504."""


class PayloadTooLargeError(ApiError):
    """An error response with the status 413."""


class UnsupportedMediaTypeError(ApiError):
    """An error response with the status 415."""


class GoneError(ApiError):
    """An error response with the status 410."""


class ConflictError(ApiError):
    """An error response with the status 409."""


#: The class of each error status.
errors: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    405: MethodNotAllowedError,
    409: ConversationExpiredError,
    412: PreconditionFailedError,
    429: TooManyRequestsError,
    500: InternalError,
    501: NotImplementedError,
    502: BadGatewayError,
    503: UnavailableError,
    504: GatewayTimeoutError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaTypeError,
    410: GoneError,
    409: ConflictError,
}


class Methods:
    """A group of methods of a client."""

    def __init__(self, client: Runtime) -> None:
        self._client = client


class TweetMethods(Methods):
    """The methods of `client.tweet`."""

    def assistant(self, *, tweet_id: TweetReference | None = None, conversation_id: str | None = None, prompt: str | None = None, model: str | None = None, suggest: str | None = None, extract: Literal["token"] | None = None) -> AssistantAnswer:
        """Analyse a tweet, or ask a follow-up question.

        Explains a tweet and cites its sources. To start a conversation, send `tweet_id`. To ask a follow-up question, send the
        `conversation_id` of the response and a `prompt`. The tweet and the earlier answers are the context.

        - `tweet_id` is required unless you send `conversation_id`. `conversation_id` requires `prompt`. If you send both ids,
          `tweet_id` must be the tweet of the conversation.
        - `suggest=ticker` (or your own instruction) also extracts the token of a crypto post, or proposes meme-coin tickers.
        - `extract=token` extracts the token of the post and resolves it on-chain.

        **Cost.** A request with `extract` costs 2 questions, any other request 1, however often the model reads the archive for
        its answer. A request that fails before an answer costs nothing. If the provider may have counted a failed request, the
        pool counts it too.

        **Sources.** A model can search the archive while it answers. Where `summary` refers to tweets, it has `[1]`, `[2]` …:
        the places of their ids in `cited_tweets`. The server has checked that the model read these tweets, not that they say
        what the answer states; the provider `local` quotes them. `[?]` replaces a reference or a link that the server could
        not verify.

        **Conversations.** A conversation belongs to the API key that started it. Other keys get 404. It expires one hour after
        its last use (the operator can change this); then the response is 409: start a new one with `tweet_id`. The context is
        the last 20 turns, at most 64 kB, with the first 8,192 characters of each answer. Above 10,000 conversations or 64 MB,
        the least recently used conversations expire. Requests for one conversation run one after another. If too many wait, or
        wait too long, the response is 429 with `Retry-After`.

        **Removed tweets.** When a tweet is removed that an answer of a conversation has used (the tweet itself, a quoted tweet, a
        reply, the thread, another tweet of the author, or what a model read), the conversation ends: the response is 409, as
        after its expiry. If it is removed before the answer is complete, there is no answer: the response is 404 if it is the
        tweet of the question, otherwise 503; ask again. A conversation that has used more than 10,000 tweets and users ends, too.

        If no account of the pool is free, or the budget of the operator for the day is spent, the response is 503 with
        `Retry-After`.

        :param tweet_id: The tweet to analyse, by its id or by its address on Bluesky or X. Required unless you send `conversation_id`.
        :param conversation_id: The conversation to continue, from an earlier response. Requires `prompt`.
        :param prompt: Your question. Optional on the first turn, required with `conversation_id`.
        :param model: The assistant model. The default, `assistant-3-latest`, is the own model of whichever account answers. Another name selects the accounts that have this model, and those without a model of their own, which pass the name on to their endpoint. If all accounts have other models, the response is 400 and names the models that can be used. `model` of the response is the model that answered.
        :param suggest: `ticker`, or your own instruction: summarises the tweet, and also proposes or extracts meme-coin tickers.
        :param extract: `token`: extracts the token in two turns and resolves it on-chain, in one request."""
        answer: AssistantAnswer = self._client._request("GET", "/social/tweet/assistant", {"tweet_id": tweet_id, "conversation_id": conversation_id, "prompt": prompt, "model": model, "suggest": suggest, "extract": extract}, is_repeatable=False, timeout=150)
        return answer

    def info(self, *, tweet_id: TweetReference) -> TweetInfo:
        """A tweet.

        A tweet in full form, which of its counts are unknown, and the ids of the tweets that it refers to, also of those that the
        archive does not contain.

        :param tweet_id: The tweet, by its id or by its address on Bluesky or X."""
        answer: TweetInfo = self._client._request("GET", "/social/tweet/info", {"tweet_id": tweet_id})
        return answer

    def thread(self, *, tweet_id: TweetReference, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[Tweet, TweetThread]:
        """The thread of a tweet.

        What comes before and after a tweet. `ancestors` are the tweets that it replies to, directly or through others, oldest first,
        on the first page only. `tweets` are the tweet itself and the tweets with which its author continues it: the author's oldest
        reply to it, the author's oldest reply to that one, and so on. If an older reply is added meanwhile, the next page follows that
        one. Replies of other users are in `/social/tweet/replies`.

        :param tweet_id: The tweet, by its id or by its address on Bluesky or X.
        :param limit: The maximum number of items on the page."""
        answer: Pages[Tweet, TweetThread] = self._client._pages("GET", "/social/tweet/thread", {"tweet_id": tweet_id, "limit": limit}, items="tweets", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def quotes(self, *, tweet_id: TweetReference, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[Tweet, QuotesPage]:
        """Tweets that quote a tweet.

        Tweets that quote a tweet, newest first, without native retweets of them. The list has the quotes that the archive knows: `quote_count` of the
        tweet can be larger. It fetches no quotes from a live platform.

        :param tweet_id: The tweet, by its id or by its address on Bluesky or X.
        :param limit: The maximum number of items on the page."""
        answer: Pages[Tweet, QuotesPage] = self._client._pages("GET", "/social/tweet/quotes", {"tweet_id": tweet_id, "limit": limit}, items="quotes", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def replies(self, *, tweet_id: TweetReference, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[Tweet, RepliesPage]:
        """Replies to a tweet.

        Direct replies to a tweet, newest first.

        :param tweet_id: The tweet, by its id or by its address on Bluesky or X.
        :param limit: The maximum number of items on the page."""
        answer: Pages[Tweet, RepliesPage] = self._client._pages("GET", "/social/tweet/replies", {"tweet_id": tweet_id, "limit": limit}, items="replies", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def retweeters(self, *, tweet_id: TweetReference, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[User, RetweetersPage]:
        """Users who retweeted a tweet.

        Users who retweeted a tweet, newest retweet first. Each user appears once.

        :param tweet_id: The tweet, by its id or by its address on Bluesky or X.
        :param limit: The maximum number of items on the page."""
        answer: Pages[User, RetweetersPage] = self._client._pages("GET", "/social/tweet/retweeters", {"tweet_id": tweet_id, "limit": limit}, items="retweeters", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def advanced_search(self, *, query: str, query_type: Literal["Latest", "Top"] | None = None, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[TweetShort, TweetShortPage]:
        """Search tweets.

        Tweets that match a query in the platform's advanced search syntax. `/docs/search` of the service explains every operator
        and shows how the service parses a query.

        A space between words means AND. `OR` (upper case) binds tighter than AND. `-` negates. Quotes make a phrase, in which `*`
        matches any one word. Parentheses group. Case and accents do not matter. Words match the text, the author's name, links
        and articles.

        Operators: `from:user` `to:user` `@user` `#tag` `$CASHTAG` · `since:2026-03-04` `until:2026-03-04_05:06:07_UTC` (since is
        inclusive, until exclusive) `since_time:` `until_time:` (Unix seconds) `within_time:2d` `since_id:` `max_id:` ·
        `min_faves:` `min_retweets:` `min_replies:` · `filter:` or its opposite `exclude:` with media, images, twimg, videos,
        native_video, consumer_video, pro_video, vine, periscope, spaces, links, news, mentions, hashtags, replies, self_threads,
        quote, retweets, nativeretweets, has_engagement, verified, blue_verified, safe · `conversation_id:`
        `in_reply_to_tweet_id:` `quoted_tweet_id:` `quoted_user_id:` `retweets_of:` `retweets_of_tweet_id:` · `lang:` `source:`
        `url:` `card_domain:` `card_url:` `card_name:` · `list:` (an id or `owner/slug`) · `geocode:latitude,longitude,10km`
        `point_radius:[longitude latitude 10mi]` `bounding_box:[west south east north]` `near:` (a place in the archive) with
        `within:10km`, `place:` `place_country:`, and the names of the v2 API (`is:reply`, `has:cashtags`, `has:geo`, …).

        `since_id:` and `max_id:` compare ids as numbers. The ids of one platform increase with time, but those of different platforms
        are not comparable: for a time range, use `since:` and `until:`.

        Results contain native retweets only with `include:nativeretweets`. An operator that needs data outside the archive
        (`filter:follows`, `near:me`, …) returns 400, and so does a misspelled operator (`fron:`). To search for such a name, put
        it in quotes.

        `Latest` sorts by time, newest first. `Top` sorts by engagement: likes + 2 × retweets + 2 × quotes + replies.

        :param query: The search query, in the platform's advanced search operator syntax.
        :param query_type: The order of the results. `Latest` sorts by time, newest first. `Top` sorts by engagement.
        :param limit: The maximum number of items on the page."""
        answer: Pages[TweetShort, TweetShortPage] = self._client._pages("GET", "/social/tweet/advanced_search", {"query": query, "query_type": query_type, "limit": limit}, items="tweets", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def counts(self, *, query: str, granularity: Literal["hour", "day", "all"] | None = None, since_time: int | datetime.datetime | None = None, until_time: int | datetime.datetime | None = None) -> TweetCounts:
        """Number of tweets that match a query.

        How many tweets match a query, by hour or by day of UTC, oldest first. The tweets are those of
        `advanced_search` with the same query.

        `since_time` and `until_time` limit the range, together with `since:` and `until:` of the query. For `hour` and `day`, the
        range ends now and begins seven days before its end unless you send them; it has at most 744 hours or days. Hours and days
        without tweets have the count 0. The first and the last one are cut off where the range begins and ends.

        `all` counts the whole archive, or the range, into `total` only: up to 10,000 exactly, then `total_relation` is `at_least`.
        It counts fast what is rare, and stops early for what is frequent.

        A count that takes longer than ten seconds returns 503: use more words or a shorter range.

        :param query: The search query, in the platform's advanced search operator syntax.
        :param granularity: The length of the parts that are counted, in UTC. `all` counts everything together.
        :param since_time: Only tweets created at this time or later, in Unix seconds.
        :param until_time: Only tweets created before this time, in Unix seconds."""
        answer: TweetCounts = self._client._request("GET", "/social/tweet/counts", {"query": query, "granularity": granularity, "since_time": seconds(since_time), "until_time": seconds(until_time)})
        return answer

    def unlike(self, *, tweet_id: Id) -> UnlikeResult:
        """Remove a like from a tweet.

        Removes the like of the service's own account from a tweet. `success` is `true` if a like was removed; `like_count` then
        decreases by one. `success` is `false` if there was no like. The change is on disk before the response. A body with a
        duplicate member returns 400.

        :param tweet_id: A decimal id of up to 19 digits. It is a string because JSON numbers are not exact at this size."""
        answer: UnlikeResult = self._client._request("POST", "/social/tweet/unlike", {}, body={"tweet_id": tweet_id}, is_repeatable=False)
        return answer


class AssistantMethods(Methods):
    """The methods of `client.assistant`."""

    def status(self) -> PoolStatus:
        """Capacity of the assistant pool.

        The number of pool accounts in each state, and the questions that the pool can still answer in the rolling 24 hours.

        - `capable` = `available` + `cooling`
        - `daily_capacity` = `capable` × the quota of an account (20 by default)
        - `used_24h` + `remaining_now` = `daily_capacity`

        A question counts as used from the moment it is sent until 24 hours and one minute after its answer. A question without
        an answer counts for 24 hours and one minute after its timeout."""
        answer: PoolStatus = self._client._request("GET", "/social/assistant/status", {})
        return answer

    def stream(self, *, tweet_id: TweetReference | None = None, conversation_id: str | None = None, prompt: str | None = None, model: str | None = None, suggest: str | None = None, extract: Literal["token"] | None = None) -> AnswerStream[AssistantAnswer]:
        """Analyse a tweet, or ask a follow-up question; the answer comes in parts.

        Explains a tweet and cites its sources. To start a conversation, send `tweet_id`. To ask a follow-up question, send the
        `conversation_id` of the response and a `prompt`. The tweet and the earlier answers are the context.

        - `tweet_id` is required unless you send `conversation_id`. `conversation_id` requires `prompt`. If you send both ids,
          `tweet_id` must be the tweet of the conversation.
        - `suggest=ticker` (or your own instruction) also extracts the token of a crypto post, or proposes meme-coin tickers.
        - `extract=token` extracts the token of the post and resolves it on-chain.

        **Cost.** A request with `extract` costs 2 questions, any other request 1, however often the model reads the archive for
        its answer. A request that fails before an answer costs nothing. If the provider may have counted a failed request, the
        pool counts it too.

        **Sources.** A model can search the archive while it answers. Where `summary` refers to tweets, it has `[1]`, `[2]` …:
        the places of their ids in `cited_tweets`. The server has checked that the model read these tweets, not that they say
        what the answer states; the provider `local` quotes them. `[?]` replaces a reference or a link that the server could
        not verify.

        **Conversations.** A conversation belongs to the API key that started it. Other keys get 404. It expires one hour after
        its last use (the operator can change this); then the response is 409: start a new one with `tweet_id`. The context is
        the last 20 turns, at most 64 kB, with the first 8,192 characters of each answer. Above 10,000 conversations or 64 MB,
        the least recently used conversations expire. Requests for one conversation run one after another. If too many wait, or
        wait too long, the response is 429 with `Retry-After`.

        **Removed tweets.** When a tweet is removed that an answer of a conversation has used (the tweet itself, a quoted tweet, a
        reply, the thread, another tweet of the author, or what a model read), the conversation ends: the response is 409, as
        after its expiry. If it is removed before the answer is complete, there is no answer: the response is 404 if it is the
        tweet of the question, otherwise 503; ask again. A conversation that has used more than 10,000 tweets and users ends, too.

        If no account of the pool is free, or the budget of the operator for the day is spent, the response is 503 with
        `Retry-After`.

        :param tweet_id: The tweet to analyse, by its id or by its address on Bluesky or X. Required unless you send `conversation_id`.
        :param conversation_id: The conversation to continue, from an earlier response. Requires `prompt`.
        :param prompt: Your question. Optional on the first turn, required with `conversation_id`.
        :param model: The assistant model. The default, `assistant-3-latest`, is the own model of whichever account answers. Another name selects the accounts that have this model, and those without a model of their own, which pass the name on to their endpoint. If all accounts have other models, the response is 400 and names the models that can be used. `model` of the response is the model that answered.
        :param suggest: `ticker`, or your own instruction: summarises the tweet, and also proposes or extracts meme-coin tickers.
        :param extract: `token`: extracts the token in two turns and resolves it on-chain, in one request."""
        answer: AnswerStream[AssistantAnswer] = AnswerStream(self._client, "/ws", {"tweet_id": tweet_id, "conversation_id": conversation_id, "prompt": prompt, "model": model, "suggest": suggest, "extract": extract})
        return answer


class UserMethods(Methods):
    """The methods of `client.user`."""

    def info(self, *, username: UsernameOrHandle | None = None, user_id: Id | None = None) -> UserInfo:
        """A user.

        A user: profile, counts, and which counts are unknown. Send exactly one of `username` and `user_id`. The response is 404
        also for a user of whom only the username is known, as from a mention; the lists of such a user are empty.

        :param username: The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
        :param user_id: The id of the user. 404 if no record of the archive names the user."""
        answer: UserInfo = self._client._request("GET", "/social/user/info", {"username": username, "user_id": user_id})
        return answer

    def last_tweets(self, *, username: UsernameOrHandle | None = None, user_id: Id | None = None, include_replies: Literal["0", "1"] | bool | None = None, resolve_cashtags: str | None = None, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[Tweet, LastTweetsPage]:
        """Recent tweets of a user.

        The tweets and retweets of a user, newest first. To include replies, send `include_replies=1`.
        Send exactly one of `username` and `user_id`.

        `resolve_cashtags` resolves the cashtags of the page to on-chain tokens: `1` on all chains, a chain id on that chain only.
        It looks up the first 20 distinct cashtags, including those of retweeted tweets. Resolution is best effort: an
        unresolved cashtag is left out and never fails the request. The response waits at most 1.5 seconds. Later results are
        cached for the next request.

        :param username: The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
        :param user_id: The id of the user. 404 if no record of the archive names the user.
        :param include_replies: `1` includes replies.
        :param resolve_cashtags: `1` resolves the cashtags of the returned tweets on all chains. A chain id of the aggregator (`solana`, `ethereum`, `base`, `bsc`, …) resolves them on that chain only. `true` and `false` return 400.
        :param limit: The maximum number of items on the page."""
        answer: Pages[Tweet, LastTweetsPage] = self._client._pages("GET", "/social/user/last_tweets", {"username": username, "user_id": user_id, "include_replies": flag(include_replies), "resolve_cashtags": resolve_cashtags, "limit": limit}, items="tweets", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def highlights(self, *, username: UsernameOrHandle | None = None, user_id: Id | None = None, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[Tweet, TweetPage]:
        """Highlighted tweets of a user.

        The tweets that a user highlights on the profile, newest highlight first.
        Send exactly one of `username` and `user_id`.

        :param username: The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
        :param user_id: The id of the user. 404 if no record of the archive names the user.
        :param limit: The maximum number of items on the page."""
        answer: Pages[Tweet, TweetPage] = self._client._pages("GET", "/social/user/highlights", {"username": username, "user_id": user_id, "limit": limit}, items="tweets", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def followers(self, *, username: UsernameOrHandle | None = None, user_id: Id | None = None, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[User, FollowersPage]:
        """Accounts that follow a user.

        The accounts that follow a user, newest follow first; those without a known time last. Send exactly one of `username` and
        `user_id`. The list has the followers that the archive knows: `followers_count` of the user can be larger. It fetches no
        followers from a live platform.

        :param username: The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
        :param user_id: The id of the user. 404 if no record of the archive names the user.
        :param limit: The maximum number of items on the page."""
        answer: Pages[User, FollowersPage] = self._client._pages("GET", "/social/user/followers", {"username": username, "user_id": user_id, "limit": limit}, items="followers", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def followings(self, *, username: UsernameOrHandle | None = None, user_id: Id | None = None, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[User, FollowingPage]:
        """Accounts a user follows.

        The accounts that a user follows, newest follow first. Send exactly one of `username` and `user_id`.

        :param username: The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
        :param user_id: The id of the user. 404 if no record of the archive names the user.
        :param limit: The maximum number of items on the page."""
        answer: Pages[User, FollowingPage] = self._client._pages("GET", "/social/user/followings", {"username": username, "user_id": user_id, "limit": limit}, items="following", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def mentions(self, *, username: UsernameOrHandle | None = None, user_id: Id | None = None, since_time: int | datetime.datetime | None = None, until_time: int | datetime.datetime | None = None, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[TweetShort, TweetShortPage]:
        """Tweets mentioning a user.

        Tweets that mention a user, newest first, also by an earlier username where the source gives the user's id. `since_time`
        (inclusive) and `until_time` (exclusive) limit the time range.
        Send exactly one of `username` and `user_id`.

        :param username: The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
        :param user_id: The id of the user. 404 if no record of the archive names the user.
        :param since_time: Only tweets created at or after this time, in Unix seconds.
        :param until_time: Only tweets created before this time, in Unix seconds.
        :param limit: The maximum number of items on the page."""
        answer: Pages[TweetShort, TweetShortPage] = self._client._pages("GET", "/social/user/mentions", {"username": username, "user_id": user_id, "since_time": seconds(since_time), "until_time": seconds(until_time), "limit": limit}, items="tweets", page_size=100, cursor=cursor, max_items=max_items)
        return answer


class UsersMethods(Methods):
    """The methods of `client.users`."""

    def get_users(self, *, ids: list[Id] | None = None, usernames: list[UsernameOrHandle] | None = None) -> UserBatch:
        """Up to 100 users.

        Users by their ids or usernames, in the order of the request, each once. Send exactly one of `ids` and `usernames`. The
        users are those of `/social/user/info`; those that it does not have are in `missing`, and no error. Without
        `unknown_counts`, which `/social/user/info` has.

        The response has what is stored: it fetches nothing from a live platform.

        :param ids: The ids of the users, separated by commas.
        :param usernames: The usernames, separated by commas, case-insensitive, with or without `@`."""
        answer: UserBatch = self._client._request("GET", "/social/users", {"ids": ids, "usernames": usernames})
        return answer


class TweetsMethods(Methods):
    """The methods of `client.tweets`."""

    def get_tweets(self, *, ids: list[TweetReference]) -> TweetBatch:
        """Up to 100 tweets.

        Tweets in full form by their ids, in the order of the request, each once. Those that the archive does not have are in `missing`,
        and no error.

        The response has what is stored: it fetches nothing from a live platform.

        :param ids: The tweets, separated by commas, each by its id or by its address on Bluesky or X. A comma in an address is written as `%2C`."""
        answer: TweetBatch = self._client._request("GET", "/social/tweets", {"ids": ids})
        return answer


class CommunityMethods(Methods):
    """The methods of `client.community`."""

    def info(self, *, id: Id) -> CommunityInfo:
        """A community.

        A community: its name, description, policy and counts, and which counts are unknown. An unknown policy is `open`.

        :param id: The id of the community."""
        answer: CommunityInfo = self._client._request("GET", "/social/community/info", {"id": id})
        return answer

    def discover(self, *, id: Id, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[TweetShort, TweetShortPage]:
        """Tweets recommended for a community.

        Tweets of a community, ranked by recency and engagement. The score of a tweet is its engagement
        (likes + 2 × retweets + 2 × quotes + replies + 1), with a half-life of 24 hours.

        :param id: The id of the community.
        :param limit: The maximum number of items on the page."""
        answer: Pages[TweetShort, TweetShortPage] = self._client._pages("GET", "/social/community/discover", {"id": id, "limit": limit}, items="tweets", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def media(self, *, id: Id, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[TweetShort, TweetShortPage]:
        """Media tweets of a community.

        Tweets of a community that contain media, newest first.

        :param id: The id of the community.
        :param limit: The maximum number of items on the page."""
        answer: Pages[TweetShort, TweetShortPage] = self._client._pages("GET", "/social/community/media", {"id": id, "limit": limit}, items="tweets", page_size=100, cursor=cursor, max_items=max_items)
        return answer

    def members(self, *, username: UsernameOrHandle, limit: int | None = None, cursor: str | None = None, max_items: int | None = None) -> Pages[Community, CommunitiesPage]:
        """Communities a user belongs to.

        The communities of a user, with the user's role in each, newest membership first. For a user of a platform without
        communities, such as Bluesky, the response is 501.

        :param username: The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
        :param limit: The maximum number of items on the page."""
        answer: Pages[Community, CommunitiesPage] = self._client._pages("GET", "/social/community/members", {"username": username, "limit": limit}, items="communities", page_size=100, cursor=cursor, max_items=max_items)
        return answer


class SpaceMethods(Methods):
    """The methods of `client.space`."""

    def detail(self, *, id: str) -> Space:
        """Details of an audio room.

        A space: its state, host, speakers and number of participants.

        :param id: The id of the space."""
        answer: Space = self._client._request("GET", "/social/space/detail", {"id": id})
        return answer


class FeedsMethods(Methods):
    """The methods of `client.feeds`."""

    def get_user_feed(self, *, username: UsernameOrHandle | None = None, user_id: Id | None = None, include_replies: Literal["0", "1"] | bool | None = None, format: Literal["atom", "json"] | None = None, limit: int | None = None) -> str | JsonFeed:
        """A feed of a user.

        The newest tweets and retweets of a user as an Atom feed (RFC 4287) or as a JSON Feed 1.1. Send exactly one of `username` and
        `user_id`.

        The address of a feed has a feed token as `api_key` (`/social/feed_token/create`), or a key or token with the scope `feeds`. The
        feed has no key in it. Ids are the same in all feeds, and stay the same. Pictures and videos are enclosures. What a tweet of a
        stranger says is text: markup in it is shown as it is. A deleted tweet is no longer in the feed. Send `If-None-Match` (or
        `If-Modified-Since`) to get 304 while nothing has changed.

        :param username: The username, case-insensitive, with or without `@`. 404 if no record of the archive names the user.
        :param user_id: The id of the user. 404 if no record of the archive names the user.
        :param include_replies: `1` includes replies.
        :param format: `atom` for Atom, `json` for JSON Feed.
        :param limit: The maximum number of items on the page."""
        answer: str | JsonFeed = self._client._request("GET", "/feeds/user", {"username": username, "user_id": user_id, "include_replies": flag(include_replies), "format": format, "limit": limit}, answers={"application/atom+xml": "text", "application/feed+json": "json"})
        return answer

    def get_search_feed(self, *, query: str, format: Literal["atom", "json"] | None = None, limit: int | None = None) -> str | JsonFeed:
        """A feed of a search.

        The newest tweets of a search as an Atom feed (RFC 4287) or as a JSON Feed 1.1.

        The address of a feed has a feed token as `api_key` (`/social/feed_token/create`), or a key or token with the scope `feeds`. The
        feed has no key in it. Ids are the same in all feeds, and stay the same. Pictures and videos are enclosures. What a tweet of a
        stranger says is text: markup in it is shown as it is. A deleted tweet is no longer in the feed. Send `If-None-Match` (or
        `If-Modified-Since`) to get 304 while nothing has changed.

        :param query: The search query, in the platform's advanced search operator syntax.
        :param format: `atom` for Atom, `json` for JSON Feed.
        :param limit: The maximum number of items on the page."""
        answer: str | JsonFeed = self._client._request("GET", "/feeds/search", {"query": query, "format": format, "limit": limit}, answers={"application/atom+xml": "text", "application/feed+json": "json"})
        return answer

    def get_saved_search_feed(self, *, id: SavedSearchId, format: Literal["atom", "json"] | None = None, limit: int | None = None) -> str | JsonFeed:
        """A feed of a saved search.

        The newest tweets of a saved search of the key, or of the key of the feed token, as an Atom feed (RFC 4287) or as a JSON Feed
        1.1. The feed stays the same when its query changes.

        The address of a feed has a feed token as `api_key` (`/social/feed_token/create`), or a key or token with the scope `feeds`. The
        feed has no key in it. Ids are the same in all feeds, and stay the same. Pictures and videos are enclosures. What a tweet of a
        stranger says is text: markup in it is shown as it is. A deleted tweet is no longer in the feed. Send `If-None-Match` (or
        `If-Modified-Since`) to get 304 while nothing has changed.

        :param id: The id of the saved search.
        :param format: `atom` for Atom, `json` for JSON Feed.
        :param limit: The maximum number of items on the page."""
        answer: str | JsonFeed = self._client._request("GET", "/feeds/saved_search", {"id": id, "format": format, "limit": limit}, answers={"application/atom+xml": "text", "application/feed+json": "json"})
        return answer


class StreamsMethods(Methods):
    """The methods of `client.streams`."""

    def stream_events(self, *, channel: WsChannel, query: str | None = None, username: UsernameOrHandle | None = None, user_id: Id | None = None, tweet_id: Id | None = None, id: Id | None = None, cursor: str | None = None, on_gap: Literal["error", "continue"] | None = None) -> EventStream[StreamedMessage]:
        """Events of a channel as they happen.

        Server-sent events: one subscription of the event stream (`/docs/events` of the service), for programs without WebSockets, such as `curl`,
        proxies and low-code tools, and for the `EventSource` of a browser, with a token as `api_key`. Channels, parameters,
        cursors, the order of events and deletions are those of `/ws`.

        - Send exactly the parameter that the channel has: `query` (search:tweets), `username` or `user_id` (user:tweets),
          `username` (user:mentions, community:members), `tweet_id` (tweet:replies, tweet:engagement), `id` (community:tweets),
          none (assistant:pool).
        - The `data` of an event is a message of `/ws`. An `event` has no name in the stream, so that `onmessage` receives it; the
          others have their type as a name: `subscribed`, `caught_up`, `gap`, `lagging`, `unsubscribed`, `going_away`.
        - The `id` of an event is its cursor. A client that connects again sends it as `Last-Event-ID`, as an `EventSource` does
          by itself: the stream goes on behind it. Otherwise the stream starts behind `cursor`, or with new events.
        - If the events behind the cursor are no longer retained, or belong to another log, the response is 410; with
          `on_gap=continue` the stream has `gap` and what there is.
        - After 20 seconds without an event there is a comment with the current `id`. A caller that reads nothing for 10 seconds
          is cut off, and can go on with its last `id`.
        - A stream counts as one connection of the key, of 5, together with those of `/ws`. It ends when the key is revoked, when
          the token ends, and behind the `tweet.deleted` of the tweet that it is about.

        :param channel: The channel.
        :param query: A query of the search language (`/docs/search` of the service), for `search:tweets`.
        :param username: A username, for `user:tweets`, `user:mentions` and `community:members`.
        :param user_id: The id of a user, for `user:tweets`.
        :param tweet_id: The id of a tweet, for `tweet:replies` and `tweet:engagement`.
        :param id: The id of a community, for `community:tweets`.
        :param cursor: The stream starts behind this position. `Last-Event-ID` replaces it.
        :param on_gap: What to do if the events behind the cursor are no longer retained; `error` by default."""
        answer: EventStream[StreamedMessage] = EventStream(self._client, "/social/events", {"channel": channel, "query": query, "username": username, "user_id": user_id, "tweet_id": tweet_id, "id": id, "on_gap": on_gap}, cursor, kind=None)
        return answer

    def events(self, *, channel: WsChannel, query: str | None = None, username: UsernameOrHandle | None = None, user_id: Id | None = None, tweet_id: Id | None = None, id: Id | None = None, cursor: str | None = None, on_gap: Literal["error", "continue"] | None = None) -> EventStream[WsEvent]:
        """Events of a channel as they happen, without the other messages.

        Server-sent events: one subscription of the event stream (`/docs/events` of the service), for programs without WebSockets, such as `curl`,
        proxies and low-code tools, and for the `EventSource` of a browser, with a token as `api_key`. Channels, parameters,
        cursors, the order of events and deletions are those of `/ws`.

        - Send exactly the parameter that the channel has: `query` (search:tweets), `username` or `user_id` (user:tweets),
          `username` (user:mentions, community:members), `tweet_id` (tweet:replies, tweet:engagement), `id` (community:tweets),
          none (assistant:pool).
        - The `data` of an event is a message of `/ws`. An `event` has no name in the stream, so that `onmessage` receives it; the
          others have their type as a name: `subscribed`, `caught_up`, `gap`, `lagging`, `unsubscribed`, `going_away`.
        - The `id` of an event is its cursor. A client that connects again sends it as `Last-Event-ID`, as an `EventSource` does
          by itself: the stream goes on behind it. Otherwise the stream starts behind `cursor`, or with new events.
        - If the events behind the cursor are no longer retained, or belong to another log, the response is 410; with
          `on_gap=continue` the stream has `gap` and what there is.
        - After 20 seconds without an event there is a comment with the current `id`. A caller that reads nothing for 10 seconds
          is cut off, and can go on with its last `id`.
        - A stream counts as one connection of the key, of 5, together with those of `/ws`. It ends when the key is revoked, when
          the token ends, and behind the `tweet.deleted` of the tweet that it is about.

        :param channel: The channel.
        :param query: A query of the search language (`/docs/search` of the service), for `search:tweets`.
        :param username: A username, for `user:tweets`, `user:mentions` and `community:members`.
        :param user_id: The id of a user, for `user:tweets`.
        :param tweet_id: The id of a tweet, for `tweet:replies` and `tweet:engagement`.
        :param id: The id of a community, for `community:tweets`.
        :param cursor: The stream starts behind this position. `Last-Event-ID` replaces it.
        :param on_gap: What to do if the events behind the cursor are no longer retained; `error` by default."""
        answer: EventStream[WsEvent] = EventStream(self._client, "/social/events", {"channel": channel, "query": query, "username": username, "user_id": user_id, "tweet_id": tweet_id, "id": id, "on_gap": on_gap}, cursor, kind="event")
        return answer


class TokenMethods(Methods):
    """The methods of `client.token`."""

    def create(self, *, scopes: list[Literal["read", "assistant", "write", "events", "feeds", "alerts"]] | None = None, ttl_seconds: int | None = None) -> AccessToken:
        """Make a short-lived token.

        Makes a token from the API key of the request, for a program that must not have the key, such as a page in a browser. It
        is sent where a key is sent, also to `/ws`. It has the scopes of the key, or those of `scopes`; no token can make tokens.
        Requests with a token count towards the limits of its key, and it ends when its key is revoked or expires. A connection
        of the event stream that was opened with a token is closed when the token ends; resume it by cursor with a new one.

        The service stores no token, so one alone cannot be revoked: make it short.

        :param scopes: The scopes of the token, each one that the key has; all of them when absent.
        :param ttl_seconds: How long the token is valid, in seconds, 600 by default; at most until its key expires."""
        answer: AccessToken = self._client._request("POST", "/social/token/create", {}, body={"scopes": scopes, "ttl_seconds": ttl_seconds})
        return answer


class FeedTokenMethods(Methods):
    """The methods of `client.feed_token`."""

    def create(self, *, name: str) -> NewFeedToken:
        """Make a feed token.

        Makes a token that reads feeds and nothing else, for the address of a feed in a feed reader. It does not expire; revoke it
        with `/social/feed_token/revoke`. It also ends with its key, and its requests count towards the limits of that key. A key
        has at most 100 feed tokens.

        :param name: Where it is used."""
        answer: NewFeedToken = self._client._request("POST", "/social/feed_token/create", {}, body={"name": name}, is_repeatable=False)
        return answer

    def list(self) -> FeedTokenList:
        """The feed tokens of the key.

        The feed tokens of the API key of the request, oldest first, without their texts."""
        answer: FeedTokenList = self._client._request("GET", "/social/feed_token/list", {})
        return answer

    def revoke(self, *, id: str) -> RevokeResult:
        """Revoke a feed token.

        Revokes a feed token of the API key of the request. `success` is `true` if it was valid; `false` if the key has no such
        feed token. The change is on disk before the response.

        :param id: The id of the feed token."""
        answer: RevokeResult = self._client._request("POST", "/social/feed_token/revoke", {}, body={"id": id})
        return answer


class SearchesMethods(Methods):
    """The methods of `client.searches`."""

    def list_saved_searches(self) -> SavedSearchList:
        """The saved searches of the key.

        The saved searches that this API key has created, oldest first, with the state of their webhooks. A key has at most 25."""
        answer: SavedSearchList = self._client._request("GET", "/social/searches", {})
        return answer

    def create_saved_search(self, *, name: SavedSearchName, query: SavedSearchQuery, url: WebhookUrl | None | NotGiven = NOT_GIVEN, events: WebhookEvents | None = None) -> CreatedSavedSearch:
        """Save a search, with a webhook if you like.

        A saved search is a name and a query of the search language. With `url`, the service sends each tweet that matches from now on to
        this address, as the channel `search:tweets` of the event stream does: a request `POST` with a JSON body for each event. Without
        `url`, nothing is sent. A second address for the same query is a second saved search.

        **Events.** `tweet.created` and `tweet.updated` have the tweet in the form of a search. `tweet.deleted` has up to 100 ids. The
        text of a deleted tweet is gone, so all deletions are sent, as on the event stream: delete what you have of them, and ignore the
        others. `search.gap` says that events are missing, because the address did not accept them while the service had them.

        **Signature.** Requests are signed as the Standard Webhooks specification says (`webhook-id`, `webhook-timestamp`,
        `webhook-signature`), so its libraries verify them with `secret`. Only this response has it; the rotation makes a new one.

        **Delivery.** At least once, and in order: the next event follows when an answer with 2xx has come within 10 seconds. A
        repeated event has the same `webhook-id`. Redirects are not followed. After any other answer or none, the service tries again
        after 5 seconds, then after twice as long each time, or after the time in `Retry-After`. After a day without success, and after 410
        at once, the webhook is paused, and `delivery` says why. Other webhooks do not wait.

        **Addresses.** `https`, of a host in the public internet, without a user name and a password. The operator can permit private
        networks and `http`, or permit no webhooks at all: then `url` is 400.

        The saved search belongs to the key. When the key is revoked or expires, nothing is sent any more.

        :param query: A query of the search language (/docs/search).
        :param url: The address of the webhook; null: none.
        :param events: The events that the webhook gets, beside `search.gap` and `search.test`."""
        answer: CreatedSavedSearch = self._client._request("POST", "/social/searches", {}, body={"name": name, "query": query, "url": url, "events": events}, nullable=("url",), is_repeatable=False)
        return answer

    def get_saved_search(self, *, search_id: SavedSearchId) -> SavedSearch:
        """A saved search.

        A saved search of this API key, with the state of its webhook.

        :param search_id: The id of a saved search of this API key."""
        answer: SavedSearch = self._client._request("GET", "/social/searches/{search_id}", {"search_id": search_id})
        return answer

    def update_saved_search(self, *, search_id: SavedSearchId, name: SavedSearchName | None = None, query: SavedSearchQuery | None = None, url: WebhookUrl | None | NotGiven = NOT_GIVEN, events: WebhookEvents | None = None) -> SavedSearch:
        """Change a saved search.

        Changes the members of the request, and leaves the others as they are. Another `query` selects the events that are not delivered
        yet. Another `url` gets them, also those that the last address did not accept; the secret stays, and a pause ends. `url: null`
        ends the deliveries. A `url` where there was none begins with the events from now on.

        :param search_id: The id of a saved search of this API key.
        :param query: A query of the search language (/docs/search).
        :param url: The address of the webhook; null: none.
        :param events: The events that the webhook gets, beside `search.gap` and `search.test`."""
        answer: SavedSearch = self._client._request("PATCH", "/social/searches/{search_id}", {"search_id": search_id}, body={"name": name, "query": query, "url": url, "events": events}, nullable=("url",), is_repeatable=False)
        return answer

    def delete_saved_search(self, *, search_id: SavedSearchId) -> None:
        """Delete a saved search.

        Deletes a saved search. Nothing is sent any more; a request that is on its way may still arrive.

        :param search_id: The id of a saved search of this API key."""
        answer: None = self._client._request("DELETE", "/social/searches/{search_id}", {"search_id": search_id}, answers={}, is_repeatable=False)
        return answer

    def rotate_webhook_secret(self, *, search_id: SavedSearchId) -> WebhookSecret:
        """Make a new secret for a webhook.

        Makes a new secret, which only this response has. For 24 hours requests have two signatures, also one by the previous secret, so
        that the receiver can change its secret in this time. A second rotation ends that of the secret before.

        :param search_id: The id of a saved search of this API key."""
        answer: WebhookSecret = self._client._request("POST", "/social/searches/{search_id}/secret", {"search_id": search_id}, is_repeatable=False)
        return answer

    def send_test_webhook(self, *, search_id: SavedSearchId) -> WebhookAttempt:
        """Send a test to a webhook.

        Sends an event `search.test` to the address now, also of a paused webhook, and returns what came of it. A failure changes nothing.
        At most 6 tests a minute with one key.

        :param search_id: The id of a saved search of this API key."""
        answer: WebhookAttempt = self._client._request("POST", "/social/searches/{search_id}/test", {"search_id": search_id}, is_repeatable=False)
        return answer

    def resume_webhook(self, *, search_id: SavedSearchId) -> SavedSearch:
        """Resume a paused webhook.

        Tries again at once, from the first event that was not accepted, and ends a pause. Events that the service does not have any more
        are left out; `search.gap` says so. If the webhook is not paused and does not wait, nothing changes.

        :param search_id: The id of a saved search of this API key."""
        answer: SavedSearch = self._client._request("POST", "/social/searches/{search_id}/resume", {"search_id": search_id}, is_repeatable=False)
        return answer

    def list_webhook_attempts(self, *, search_id: SavedSearchId) -> WebhookAttempts:
        """The last attempts to deliver.

        The last 20 requests to the address of a saved search, newest first. They have no texts of tweets and of responses.

        :param search_id: The id of a saved search of this API key."""
        answer: WebhookAttempts = self._client._request("GET", "/social/searches/{search_id}/attempts", {"search_id": search_id})
        return answer


class Client(Runtime):
    """A client of the service. Its parameters are those of `Runtime`."""

    _errors = errors

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tweet = TweetMethods(self)
        self.assistant = AssistantMethods(self)
        self.user = UserMethods(self)
        self.users = UsersMethods(self)
        self.tweets = TweetsMethods(self)
        self.community = CommunityMethods(self)
        self.space = SpaceMethods(self)
        self.feeds = FeedsMethods(self)
        self.streams = StreamsMethods(self)
        self.token = TokenMethods(self)
        self.feed_token = FeedTokenMethods(self)
        self.searches = SearchesMethods(self)
        self.events = self.streams.events
