import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';
import { tweetIdOf } from './tweet-id.ts';

/** Tweets that quote a tweet. */
export const getTweetQuotes =
  ({ platform, cursors }: Parts): Handler<'getTweetQuotes'> =>
  async (call) => {
    const query = { ...call.query, tweet_id: await tweetIdOf(platform, call.query.tweet_id, call) };
    const { items, ...page } = await paged(cursors, 'getTweetQuotes', query, (page) =>
      platform.quotes(query.tweet_id, page, call),
    );
    return { quotes: items, ...page };
  };
