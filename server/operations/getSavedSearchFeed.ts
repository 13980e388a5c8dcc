import type { Handler } from '../contract/operations.ts';
import { excerpt } from './feed/feed-text.ts';
import { feedAddress, tagUri } from './feed/feed.ts';
import { createFeedWriter } from './feed/feed-reply.ts';
import { searchFeed } from './feed/search-feed.ts';
import type { Parts } from './parts.ts';

/** The newest tweets of a saved search as a feed: of the key, or of the key of the feed token. Throws 404 for that of another key. */
export const getSavedSearchFeed = ({ platform, searches, tokens }: Parts): Handler<'getSavedSearchFeed'> => {
  const write = createFeedWriter();
  return async (call) => {
    const { query: parameters, origin, keyId } = call;
    const { id, limit, format } = parameters;
    const { name, query } = searches.get(tokens.owner(keyId), id);
    return write(
      {
        id: tagUri(`saved_search/${id}`),
        title: excerpt(name) || 'Saved search',
        subtitle: undefined,
        self: feedAddress(origin, '/feeds/saved_search', parameters),
        ...(await searchFeed(platform, { query, limit, origin }, call)),
      },
      format,
    );
  };
};
