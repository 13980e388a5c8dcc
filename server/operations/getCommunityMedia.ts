import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';

/** Tweets of a community that carry media. */
export const getCommunityMedia =
  ({ platform, cursors }: Parts): Handler<'getCommunityMedia'> =>
  async (call) => {
    const { query } = call;
    const { items, ...page } = await paged(cursors, 'getCommunityMedia', query, (page) =>
      platform.communityMedia(query.id, page, call),
    );
    return { tweets: items, ...page };
  };
