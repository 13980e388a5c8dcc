import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';

/** Communities that a user belongs to. */
export const getUserCommunities =
  ({ platform, cursors }: Parts): Handler<'getUserCommunities'> =>
  async (call) => {
    const { query } = call;
    const { items, ...page } = await paged(cursors, 'getUserCommunities', query, (page) =>
      platform.communitiesOf(query.username, page, call),
    );
    return { communities: items, ...page };
  };
