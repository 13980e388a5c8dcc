// Written by `npm run generate` from spec/. Do not edit.
/** @description One line of a native JSON Lines file. `x-max-bytes` is the maximum size as UTF-8 JSON without whitespace. */
export type ArchiveRecord = UserRecord | TweetRecord | FollowRecord | RetweetRecord | HighlightRecord | LikeRecord | CommunityRecord | MembershipRecord | SpaceRecord | PlaceRecord | ListRecord | ListMemberRecord | DeleteRecord | RestoreRecord | WithdrawRecord | ReinstateRecord | UnfollowRecord | UnretweetRecord | UnlikeRecord | ScrubGeoRecord;
export interface UserRecord {
    /** @constant */
    kind: "user";
    user: ArchivedUser;
}
/** @description The profile of a user. Only id and username are required. */
export interface ArchivedUser {
    id: RecordId;
    username: string;
    /**
     * @description The decentralised identifier of the account on Bluesky. The id is a hash of it. The archive rejects a record with the id of an
     *     account that has another identifier.
     */
    did?: string;
    name?: string;
    description?: string;
    location?: string;
    /** Format: date-time */
    created_at?: string;
    followers_count?: number;
    following_count?: number;
    tweet_count?: number;
    like_count?: number;
    media_count?: number;
    verified?: boolean;
    is_blue_verified?: boolean;
    profile_image?: string;
    profile_banner?: string;
    pinned_tweet_ids?: RecordId[];
    /**
     * Format: date-time
     * @description When this state was observed. A newer state replaces an older one.
     */
    observed_at?: string;
}
export interface TweetRecord {
    /** @constant */
    kind: "tweet";
    tweet: ArchivedTweet;
}
/**
 * @description A tweet. It refers to its author and to other tweets by id. An absent count is unknown: the archive and an export keep the
 *     difference from 0.
 */
export interface ArchivedTweet {
    id: RecordId;
    /**
     * @description The address of the record on Bluesky or Mastodon. The archive rejects a record with the id of a tweet that has another address: the first
     *     one keeps the id. The same holds for a record without an address, or of a tweet without one, if the author is another.
     */
    uri?: RecordUri;
    /** @description Counted in Unicode code points. */
    text: string;
    /** Format: date-time */
    created_at: string;
    author_id: RecordId;
    retweet_count?: number;
    reply_count?: number;
    like_count?: number;
    quote_count?: number;
    bookmark_count?: number;
    view_count?: number;
    media?: ArchivedMedia[];
    card?: Card;
    article?: Article;
    /** @description Extracted from the text if absent. */
    entities?: Entities;
    /** @description The targets of the links in the text; for search. */
    expanded_urls?: string[];
    in_reply_to_id?: RecordId;
    in_reply_to_username?: string;
    conversation_id?: RecordId;
    quoted_tweet_id?: RecordId;
    retweeted_tweet_id?: RecordId;
    community_id?: RecordId;
    /** @description The language, as the source states it; the first one of several. */
    lang?: string;
    /** @description All languages of a tweet in several; for search. */
    langs?: string[];
    /** @description The app that posted the tweet. */
    source?: string;
    possibly_sensitive?: boolean;
    /** @description The full name of the place. */
    place?: string;
    place_id?: PlaceId;
    coordinates?: Coordinates;
    /** @description The platform's name of the card type, for example `poll2choice_text_only`; for search. */
    card_name?: string;
    poll?: Poll;
    /**
     * Format: date-time
     * @description When these counts were observed. Newer counts replace older ones.
     */
    observed_at?: string;
}
/**
 * @description A photo, video or animated GIF of a tweet, with the addresses on its platform. An import that brings files has stored them in the
 *     folder `media` of the data directory, under the names in `file` and `video_file`; responses have their addresses at the service.
 */
export interface ArchivedMedia {
    /** @enum {string} */
    type: "photo" | "video" | "animated_gif";
    url: string;
    expanded_url?: string;
    video_url?: string;
    alt_text?: string;
    file?: MediaFile;
    video_file?: MediaFile;
}
/** @description The id of the tweet, the first half of the SHA-256 of the content, and the type. */
export type MediaFile = string;
/** @description The id of a place on the platform. */
export type PlaceId = string;
/** @description Degrees east. */
export type Longitude = number;
/** @description Degrees north. */
export type Latitude = number;
/** @description The exact point (WGS 84) of a tweet; for search. */
export interface Coordinates {
    longitude: Longitude;
    latitude: Latitude;
}
/** @description The poll of a tweet; for search. `options` is absent if unknown. */
export interface Poll {
    id?: RecordId;
    options?: PollOption[];
    duration_minutes?: number;
    /** Format: date-time */
    ends_at?: string;
}
export interface PollOption {
    label: string;
    votes?: number;
}
export interface FollowRecord {
    /** @constant */
    kind: "follow";
    follower_id: RecordId;
    following_id: RecordId;
    /** Format: date-time */
    created_at?: string;
}
export interface RetweetRecord {
    /** @constant */
    kind: "retweet";
    tweet_id: RecordId;
    user_id: RecordId;
    /** Format: date-time */
    created_at?: string;
}
export interface HighlightRecord {
    /** @constant */
    kind: "highlight";
    user_id: RecordId;
    tweet_id: RecordId;
    /** Format: date-time */
    created_at?: string;
}
/** @description A like of the service's own account. */
export interface LikeRecord {
    /** @constant */
    kind: "like";
    tweet_id: RecordId;
    /** Format: date-time */
    created_at?: string;
}
export interface CommunityRecord {
    /** @constant */
    kind: "community";
    community: ArchivedCommunity;
}
export interface ArchivedCommunity {
    id: RecordId;
    name: string;
    description?: string;
    member_count?: number;
    moderator_count?: number;
    /** @enum {string} */
    join_policy?: "open" | "restricted" | "closed";
}
export interface MembershipRecord {
    /** @constant */
    kind: "membership";
    community_id: RecordId;
    user_id: RecordId;
    /** @enum {string} */
    role: "member" | "moderator" | "admin";
    /** Format: date-time */
    created_at?: string;
}
export interface SpaceRecord {
    /** @constant */
    kind: "space";
    space: ArchivedSpace;
}
export interface ArchivedSpace {
    id: string;
    title: string;
    /** @enum {string} */
    state: "scheduled" | "live" | "ended";
    host_id: RecordId;
    speaker_ids?: RecordId[];
    participant_count?: number;
    subscriber_count?: number;
    lang?: string;
    is_ticketed?: boolean;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    scheduled_start?: string | null;
    /** Format: date-time */
    started_at?: string | null;
    /** Format: date-time */
    ended_at?: string | null;
}
export interface PlaceRecord {
    /** @constant */
    kind: "place";
    place: ArchivedPlace;
}
/** @description A place of the platform. Tweets refer to it by `place_id`. Search uses its names, country and bounding box. */
export interface ArchivedPlace {
    id: PlaceId;
    /** @description For example `Cape Town`. */
    name?: string;
    /** @description For example `Cape Town, South Africa`. */
    full_name?: string;
    country?: string;
    /** @description ISO 3166-1 alpha-2. */
    country_code?: string;
    /** @description For example `city` or `country`. */
    place_type?: string;
    /** @description West, south, east, north, in degrees. If west is greater than east, the box crosses the antimeridian. */
    bounding_box?: [
        Longitude,
        Latitude,
        Longitude,
        Latitude
    ];
    /**
     * Format: date-time
     * @description When this state was observed. A newer state replaces an older one.
     */
    observed_at?: string;
}
export interface ListRecord {
    /** @constant */
    kind: "list";
    list: ArchivedList;
}
/** @description A list of users. Its members are separate records. */
export interface ArchivedList {
    id: RecordId;
    owner_id: RecordId;
    /** @description The name in the URL of the list, for example `astronauts` in `list:esa/astronauts`. */
    slug?: string;
    name?: string;
    description?: string;
    /**
     * Format: date-time
     * @description When this state was observed. A newer state replaces an older one.
     */
    observed_at?: string;
}
/** @description A user who is a member of a list. */
export interface ListMemberRecord {
    /** @constant */
    kind: "list_member";
    list_id: RecordId;
    user_id: RecordId;
    /** Format: date-time */
    created_at?: string;
}
/**
 * @description A tweet that must not be in the archive. The archive removes it with its native retweets, whose text is a copy. It keeps the id,
 *     the author, the references and the mentioned users, without any text. Later records of the tweet are ignored until a `restore`.
 */
export interface DeleteRecord {
    /** @constant */
    kind: "delete";
    tweet_id: RecordId;
    /** @description The address of the record on Bluesky or Mastodon. The archive rejects the deletion of a tweet that has another address. */
    uri?: RecordUri;
    author_id?: RecordId;
    /** @description Only of a native retweet. */
    retweeted_tweet_id?: RecordId;
    at?: RemovedAt;
    /**
     * @description `deleted` (the default): its author deleted it, or edited it, so that a later version with another id has taken its place. `withheld`: the platform withholds it. `erased`: the operator of
     *     the service erased it. `account`: its author's account is withdrawn; the record has no effect after a `reinstate` of the
     *     account. `retweet`: it is a native retweet of a removed tweet; the record has an effect only while that tweet must not be in
     *     the archive. An export writes the last two with `author_id` and `retweeted_tweet_id`.
     * @enum {string}
     */
    reason?: "deleted" | "withheld" | "erased" | "account" | "retweet";
}
/** @description Permits a deleted tweet again. The next record of the tweet adds it. */
export interface RestoreRecord {
    /** @constant */
    kind: "restore";
    tweet_id: RecordId;
}
/**
 * @description An account that must not be in the archive. The archive removes the profile, the tweets, the relations, the lists and the spaces of
 *     the user, and ignores later records of them until a `reinstate`. Texts of other users that mention the account stay.
 */
export interface WithdrawRecord {
    /** @constant */
    kind: "withdraw";
    user_id: RecordId;
    /** @description Lists of the account. The archive removes them too, and ignores later records of their members. */
    list_ids?: RecordId[];
    at?: RemovedAt;
}
/** @description Permits a withdrawn account again. What the withdrawal removed comes back with the next records of it. */
export interface ReinstateRecord {
    /** @constant */
    kind: "reinstate";
    user_id: RecordId;
}
/** @description The end of a follow. A `follow` with a later `created_at` starts it again. */
export interface UnfollowRecord {
    /** @constant */
    kind: "unfollow";
    follower_id: RecordId;
    following_id: RecordId;
    at?: RemovedAt;
}
/**
 * @description The end of a retweet. A `retweet` with a later `created_at` starts it again. The user's native retweets of the tweet up to this time
 *     are deleted.
 */
export interface UnretweetRecord {
    /** @constant */
    kind: "unretweet";
    tweet_id: RecordId;
    user_id: RecordId;
    at?: RemovedAt;
}
/** @description The removal of a like of the account that this service acts for. A `like` with a later `created_at` adds it again. */
export interface UnlikeRecord {
    /** @constant */
    kind: "unlike";
    tweet_id: RecordId;
    at?: RemovedAt;
}
/**
 * @description Removes the place and the coordinates of a tweet, or of all tweets of a user up to this one. Later records of these tweets do not
 *     bring them back. Nothing else of the tweets changes.
 */
export interface ScrubGeoRecord {
    /** @constant */
    kind: "scrub_geo";
    tweet_id: RecordId;
    /** @description With it, the record is about all tweets of this author whose id is at most `tweet_id`. Without it, about that tweet only. */
    user_id?: RecordId;
    at?: RemovedAt;
}
/** @description A decimal id of up to 19 digits without leading zeros. An id is a number, and `007` would be a second name of `7`. */
export type RecordId = string;
/**
 * Format: date-time
 * @description The time of the removal. Without it
 */
export type RemovedAt = string;
export type RecordUri = string;
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
/** @description A decimal id of up to 19 digits. It is a string because JSON numbers are not exact at this size. */
export type Id = string;
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export type components = {
    schemas: {
        ArchiveRecord: ArchiveRecord;
        UserRecord: UserRecord;
        ArchivedUser: ArchivedUser;
        TweetRecord: TweetRecord;
        ArchivedTweet: ArchivedTweet;
        ArchivedMedia: ArchivedMedia;
        MediaFile: MediaFile;
        PlaceId: PlaceId;
        Longitude: Longitude;
        Latitude: Latitude;
        Coordinates: Coordinates;
        Poll: Poll;
        PollOption: PollOption;
        FollowRecord: FollowRecord;
        RetweetRecord: RetweetRecord;
        HighlightRecord: HighlightRecord;
        LikeRecord: LikeRecord;
        CommunityRecord: CommunityRecord;
        ArchivedCommunity: ArchivedCommunity;
        MembershipRecord: MembershipRecord;
        SpaceRecord: SpaceRecord;
        ArchivedSpace: ArchivedSpace;
        PlaceRecord: PlaceRecord;
        ArchivedPlace: ArchivedPlace;
        ListRecord: ListRecord;
        ArchivedList: ArchivedList;
        ListMemberRecord: ListMemberRecord;
        DeleteRecord: DeleteRecord;
        RestoreRecord: RestoreRecord;
        WithdrawRecord: WithdrawRecord;
        ReinstateRecord: ReinstateRecord;
        UnfollowRecord: UnfollowRecord;
        UnretweetRecord: UnretweetRecord;
        UnlikeRecord: UnlikeRecord;
        ScrubGeoRecord: ScrubGeoRecord;
        RecordId: RecordId;
        RemovedAt: RemovedAt;
        RecordUri: RecordUri;
        Card: Card;
        Article: Article;
        Mention: Mention;
        UrlEntity: UrlEntity;
        Entities: Entities;
        Id: Id;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
};
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
