/** The counts of the sample's tweets: heavy-tailed, and at least the number of records in the sample. */
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { Random } from './random.ts';
import type { Post } from './writer.ts';

/** The likes of an average post by the fame of its author. */
const averageLikes = [2, 4, 9, 22, 60, 160];

/** Sets the six counts of every post. A retweet has the retweet count of its original; its other counts are 0. */
export function setCounts(random: Random, posts: readonly Post[], records: readonly ArchiveRecord[]): void {
  const tally = {
    replies: new Map<string, number>(),
    quotes: new Map<string, number>(),
    retweets: new Map<string, number>(),
  };
  const count = (kind: keyof typeof tally, id: string | undefined): void => {
    if (id !== undefined) tally[kind].set(id, (tally[kind].get(id) ?? 0) + 1);
  };
  for (const { tweet } of posts) {
    count('replies', tweet.in_reply_to_id);
    count('quotes', tweet.quoted_tweet_id);
    count('retweets', tweet.retweeted_tweet_id);
  }
  const liked = new Set<string>();
  for (const record of records) {
    if (record.kind === 'retweet') count('retweets', record.tweet_id);
    if (record.kind === 'like') liked.add(record.tweet_id);
  }
  const byId = new Map(posts.map((post) => [post.tweet.id, post]));
  for (const { tweet, author } of posts) {
    if (tweet.retweeted_tweet_id !== undefined) continue;
    const minimum = {
      replies: tally.replies.get(tweet.id) ?? 0,
      quotes: tally.quotes.get(tweet.id) ?? 0,
      retweets: tally.retweets.get(tweet.id) ?? 0,
    };
    const attention = minimum.replies + minimum.quotes + minimum.retweets;
    const scale = (averageLikes[author.fame] ?? 0) * (tweet.in_reply_to_id === undefined ? 1 : 0.12);
    const likes = Math.min(90_000, Math.floor((random.pareto(1.15) - 0.6) * scale) + attention * random.integer(1, 4));
    tweet.like_count = Math.max(likes, liked.has(tweet.id) ? 1 : 0);
    tweet.retweet_count = minimum.retweets + Math.floor(likes * (0.04 + random.next() * 0.12));
    tweet.reply_count = minimum.replies + Math.floor(likes * random.next() * 0.05);
    tweet.quote_count = minimum.quotes + Math.floor(likes * random.next() * 0.02);
    tweet.bookmark_count = Math.floor(likes * random.next() * 0.2);
    tweet.view_count = Math.floor((likes + attention + 1) * (15 + random.next() * 60)) + random.integer(9, 200);
  }
  for (const { tweet } of posts) {
    const original = tweet.retweeted_tweet_id === undefined ? undefined : byId.get(tweet.retweeted_tweet_id);
    if (original === undefined) continue;
    Object.assign(tweet, {
      retweet_count: original.tweet.retweet_count,
      reply_count: 0,
      like_count: 0,
      quote_count: 0,
      bookmark_count: 0,
      view_count: 0,
    });
  }
}
