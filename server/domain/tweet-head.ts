/** The part of a tweet that the archive reads when it adds the tweet, apart from its times, its counts, its terms and its stored text. */
import type { Schemas } from '../contract/operations.ts';
import type { ArchivedTweet } from './records.ts';

type OptionalMember =
  | 'uri'
  | 'in_reply_to_id'
  | 'in_reply_to_username'
  | 'quoted_tweet_id'
  | 'retweeted_tweet_id'
  | 'community_id'
  | 'coordinates';

/** An `ArchivedTweet` is one, too. */
export type TweetHead = Readonly<Pick<ArchivedTweet, 'id' | 'author_id'>> & {
  readonly [Member in OptionalMember]?: ArchivedTweet[Member] | undefined;
} & {
  readonly entities?: { readonly mentions: readonly Schemas['Mention'][] } | undefined;
  /** Only whether there are any matters. */
  readonly media?: { readonly length: number } | undefined;
};
