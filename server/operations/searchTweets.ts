import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';

/** Tweets that match a query. */
export const searchTweets =
  ({ platform, cursors }: Parts): Handler<'searchTweets'> =>
  async ({ query }) => {
    const { items, ...page } = await paged(cursors, 'searchTweets', query, (page) =>
      platform.search(query.query, query.query_type, page),
    );
    return { tweets: items, ...page };
  };
