// Written by `npm run generate` from spec/. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export type components = {
    schemas: {
        /** @description One line of a native JSON Lines file; `x-max-bytes` bounds it as JSON in UTF-8, without blanks. */
        ArchiveRecord: components["schemas"]["UserRecord"] | components["schemas"]["TweetRecord"] | components["schemas"]["FollowRecord"] | components["schemas"]["RetweetRecord"] | components["schemas"]["HighlightRecord"] | components["schemas"]["LikeRecord"] | components["schemas"]["CommunityRecord"] | components["schemas"]["MembershipRecord"] | components["schemas"]["SpaceRecord"] | components["schemas"]["PlaceRecord"] | components["schemas"]["ListRecord"] | components["schemas"]["ListMemberRecord"];
        UserRecord: {
            /** @constant */
            kind: "user";
            user: components["schemas"]["ArchivedUser"];
        };
        /** @description A user's profile; only id and username must be known. */
        ArchivedUser: {
            id: components["schemas"]["Id"];
            username: string;
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
            pinned_tweet_ids?: components["schemas"]["Id"][];
            /**
             * Format: date-time
             * @description When this state was seen; newer states win.
             */
            observed_at?: string;
        };
        TweetRecord: {
            /** @constant */
            kind: "tweet";
            tweet: components["schemas"]["ArchivedTweet"];
        };
        /** @description A tweet; author and referenced tweets by id. */
        ArchivedTweet: {
            id: components["schemas"]["Id"];
            /** @description Counted in Unicode code points. */
            text: string;
            /** Format: date-time */
            created_at: string;
            author_id: components["schemas"]["Id"];
            retweet_count?: number;
            reply_count?: number;
            like_count?: number;
            quote_count?: number;
            bookmark_count?: number;
            view_count?: number;
            media?: components["schemas"]["Media"][];
            card?: components["schemas"]["Card"];
            article?: components["schemas"]["Article"];
            /** @description Extracted from the text where left out. */
            entities?: components["schemas"]["Entities"];
            /** @description What the links in the text lead to; for search. */
            expanded_urls?: string[];
            in_reply_to_id?: components["schemas"]["Id"];
            in_reply_to_username?: string;
            conversation_id?: components["schemas"]["Id"];
            quoted_tweet_id?: components["schemas"]["Id"];
            retweeted_tweet_id?: components["schemas"]["Id"];
            community_id?: components["schemas"]["Id"];
            lang?: string;
            /** @description The app that posted it. */
            source?: string;
            possibly_sensitive?: boolean;
            /** @description Full name of the place. */
            place?: string;
            place_id?: components["schemas"]["PlaceId"];
            coordinates?: components["schemas"]["Coordinates"];
            /** @description The platform's name for the kind of card, such as `poll2choice_text_only`; for search. */
            card_name?: string;
            poll?: components["schemas"]["Poll"];
            /**
             * Format: date-time
             * @description When these counts were seen; newer counts win.
             */
            observed_at?: string;
        };
        /** @description The id of a place on the platform. */
        PlaceId: string;
        /** @description Degrees east. */
        Longitude: number;
        /** @description Degrees north. */
        Latitude: number;
        /** @description The exact point (WGS 84) that a tweet was posted from; for search. */
        Coordinates: {
            longitude: components["schemas"]["Longitude"];
            latitude: components["schemas"]["Latitude"];
        };
        /** @description The poll of a tweet; for search. Without `options`, only that there is a poll is known. */
        Poll: {
            id?: components["schemas"]["Id"];
            options?: components["schemas"]["PollOption"][];
            duration_minutes?: number;
            /** Format: date-time */
            ends_at?: string;
        };
        PollOption: {
            label: string;
            votes?: number;
        };
        FollowRecord: {
            /** @constant */
            kind: "follow";
            follower_id: components["schemas"]["Id"];
            following_id: components["schemas"]["Id"];
            /** Format: date-time */
            created_at?: string;
        };
        RetweetRecord: {
            /** @constant */
            kind: "retweet";
            tweet_id: components["schemas"]["Id"];
            user_id: components["schemas"]["Id"];
            /** Format: date-time */
            created_at?: string;
        };
        HighlightRecord: {
            /** @constant */
            kind: "highlight";
            user_id: components["schemas"]["Id"];
            tweet_id: components["schemas"]["Id"];
            /** Format: date-time */
            created_at?: string;
        };
        /** @description A like of the account that this service acts for. */
        LikeRecord: {
            /** @constant */
            kind: "like";
            tweet_id: components["schemas"]["Id"];
            /** Format: date-time */
            created_at?: string;
        };
        CommunityRecord: {
            /** @constant */
            kind: "community";
            community: components["schemas"]["ArchivedCommunity"];
        };
        ArchivedCommunity: {
            id: components["schemas"]["Id"];
            name: string;
            description?: string;
            member_count?: number;
            moderator_count?: number;
            /** @enum {string} */
            join_policy?: "open" | "restricted" | "closed";
        };
        MembershipRecord: {
            /** @constant */
            kind: "membership";
            community_id: components["schemas"]["Id"];
            user_id: components["schemas"]["Id"];
            /** @enum {string} */
            role: "member" | "moderator" | "admin";
            /** Format: date-time */
            created_at?: string;
        };
        SpaceRecord: {
            /** @constant */
            kind: "space";
            space: components["schemas"]["ArchivedSpace"];
        };
        ArchivedSpace: {
            id: string;
            title: string;
            /** @enum {string} */
            state: "scheduled" | "live" | "ended";
            host_id: components["schemas"]["Id"];
            speaker_ids?: components["schemas"]["Id"][];
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
        };
        PlaceRecord: {
            /** @constant */
            kind: "place";
            place: components["schemas"]["ArchivedPlace"];
        };
        /** @description A place of the platform. Tweets name it by `place_id`; search finds them by its names, its country and its box. */
        ArchivedPlace: {
            id: components["schemas"]["PlaceId"];
            /** @description Such as `Cape Town`. */
            name?: string;
            /** @description Such as `Cape Town, South Africa`. */
            full_name?: string;
            country?: string;
            /** @description ISO 3166-1 alpha-2. */
            country_code?: string;
            /** @description Such as `city` or `country`. */
            place_type?: string;
            /** @description West, south, east, north, in degrees. A west greater than the east crosses the antimeridian. */
            bounding_box?: [
                components["schemas"]["Longitude"],
                components["schemas"]["Latitude"],
                components["schemas"]["Longitude"],
                components["schemas"]["Latitude"]
            ];
            /**
             * Format: date-time
             * @description When this state was seen; newer states win.
             */
            observed_at?: string;
        };
        ListRecord: {
            /** @constant */
            kind: "list";
            list: components["schemas"]["ArchivedList"];
        };
        /** @description A list of users. Its members are records of their own. */
        ArchivedList: {
            id: components["schemas"]["Id"];
            owner_id: components["schemas"]["Id"];
            /** @description The name in the list's address, such as `astronauts` in `list:esa/astronauts`. */
            slug?: string;
            name?: string;
            description?: string;
            /**
             * Format: date-time
             * @description When this state was seen; newer states win.
             */
            observed_at?: string;
        };
        /** @description A user who is a member of a list. */
        ListMemberRecord: {
            /** @constant */
            kind: "list_member";
            list_id: components["schemas"]["Id"];
            user_id: components["schemas"]["Id"];
            /** Format: date-time */
            created_at?: string;
        };
        /** @description A decimal id of up to 19 digits, as a string. */
        Id: string;
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
};
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
