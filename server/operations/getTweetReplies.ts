import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';
import { tweetIdOf } from './tweet-id.ts';

/** Direct replies to a tweet. */
export const getTweetReplies =
  ({ platform, cursors }: Parts): Handler<'getTweetReplies'> =>
  async (call) => {
    const query = { ...call.query, tweet_id: await tweetIdOf(platform, call.query.tweet_id, call) };
    const { items, ...page } = await paged(cursors, 'getTweetReplies', query, (page) =>
      platform.replies(query.tweet_id, page, call),
    );
    return { replies: items, ...page };
  };
