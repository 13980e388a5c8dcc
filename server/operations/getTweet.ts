import type { Handler } from '../contract/operations.ts';
import { notFound } from '../contract/service-error.ts';
import { counts } from '../domain/records.ts';
import type { Parts } from './parts.ts';
import { tweetIdOf } from './tweet-id.ts';

/** A tweet, with what its full form leaves open. */
export const getTweet =
  ({ platform }: Parts): Handler<'getTweet'> =>
  async (call) => {
    const id = await tweetIdOf(platform, call.query.tweet_id, call);
    const tweet = await platform.tweet(id, call);
    const [[background], liked] = await Promise.all([platform.backgrounds([id], call), platform.liked(id, call)]);
    // Deleted between the two look-ups.
    if (background === undefined) throw notFound(`tweet ${id}`);
    return {
      tweet,
      unknown_counts: counts.filter((name) => !background.knownCounts.includes(name)),
      in_reply_to_id: background.inReplyToId ?? null,
      in_reply_to_username: background.inReplyToUsername ?? null,
      quoted_tweet_id: background.quotedId ?? null,
      retweeted_tweet_id: background.retweetedId ?? null,
      lang: background.lang ?? null,
      liked,
    };
  };
