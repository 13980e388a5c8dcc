import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';

/** Direct replies to a tweet. */
export const getTweetReplies =
  ({ platform, cursors }: Parts): Handler<'getTweetReplies'> =>
  async ({ query }) => {
    const { items, ...page } = await paged(cursors, 'getTweetReplies', query, (page) =>
      platform.replies(query.tweet_id, page),
    );
    return { replies: items, ...page };
  };
