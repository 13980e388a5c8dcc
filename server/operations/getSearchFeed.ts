import type { Handler } from '../contract/operations.ts';
import { excerpt } from './feed/feed-text.ts';
import { feedAddress, tagUri } from './feed/feed.ts';
import { createFeedWriter } from './feed/feed-reply.ts';
import { searchFeed } from './feed/search-feed.ts';
import type { Parts } from './parts.ts';

/** The newest tweets of a search as a feed. Throws 400 for a query that cannot be parsed. */
export const getSearchFeed = ({ platform }: Parts): Handler<'getSearchFeed'> => {
  const write = createFeedWriter();
  return async (call) => {
    const { query: parameters, origin } = call;
    const { query, limit, format } = parameters;
    return write(
      {
        id: tagUri(`search/${encodeURIComponent(query.toWellFormed())}`),
        title: excerpt(`Search: ${query}`),
        subtitle: undefined,
        self: feedAddress(origin, '/feeds/search', parameters),
        ...(await searchFeed(platform, { query, limit, origin }, call)),
      },
      format,
    );
  };
};
