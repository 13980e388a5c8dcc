import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';

/** Direct replies to a tweet. */
export const getTweetReplies =
  ({ platform, cursors }: Parts): Handler<'getTweetReplies'> =>
  async (call) => {
    const { query } = call;
    const { items, ...page } = await paged(cursors, 'getTweetReplies', query, (page) =>
      platform.replies(query.tweet_id, page, call),
    );
    return { replies: items, ...page };
  };
