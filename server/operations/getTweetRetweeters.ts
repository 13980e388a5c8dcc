import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';
import { tweetIdOf } from './tweet-id.ts';

/** Users who retweeted a tweet. */
export const getTweetRetweeters =
  ({ platform, cursors }: Parts): Handler<'getTweetRetweeters'> =>
  async (call) => {
    const query = { ...call.query, tweet_id: await tweetIdOf(platform, call.query.tweet_id, call) };
    const { items, ...page } = await paged(cursors, 'getTweetRetweeters', query, (page) =>
      platform.retweeters(query.tweet_id, page, call),
    );
    return { retweeters: items, ...page };
  };
