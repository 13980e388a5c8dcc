import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged, userRef } from './page.ts';

/** Accounts that a user follows. */
export const getUserFollowings =
  ({ platform, cursors }: Parts): Handler<'getUserFollowings'> =>
  async ({ query }) => {
    const { items, ...page } = await paged(cursors, 'getUserFollowings', query, (page) =>
      platform.followings(userRef(query), page),
    );
    return { following: items, ...page };
  };
