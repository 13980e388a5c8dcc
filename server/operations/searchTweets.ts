import type { Handler } from '../contract/operations.ts';
import { parse } from '../search/language/parse.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';

/** Tweets that match a query. Throws 400 for a query that cannot be parsed. */
export const searchTweets =
  ({ platform, cursors }: Parts): Handler<'searchTweets'> =>
  async (call) => {
    const { query } = call;
    const { items, ...page } = await paged(cursors, 'searchTweets', query, (page) =>
      platform.search(parse(query.query), query.query_type, page, call),
    );
    return { tweets: items, ...page };
  };
