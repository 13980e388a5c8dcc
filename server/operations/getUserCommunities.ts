import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';

/** Communities that a user belongs to. */
export const getUserCommunities =
  ({ platform, cursors }: Parts): Handler<'getUserCommunities'> =>
  async ({ query }) => {
    const { items, ...page } = await paged(cursors, 'getUserCommunities', query, (page) =>
      platform.communitiesOf(query.username, page),
    );
    return { communities: items, ...page };
  };
