import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';

/** Tweets recommended for a community. */
export const discoverCommunityTweets =
  ({ platform, cursors }: Parts): Handler<'discoverCommunityTweets'> =>
  async (call) => {
    const { query } = call;
    const { items, ...page } = await paged(cursors, 'discoverCommunityTweets', query, (page) =>
      platform.discover(query.id, page, call),
    );
    return { tweets: items, ...page };
  };
